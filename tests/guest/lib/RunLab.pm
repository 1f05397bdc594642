# SPDX-License-Identifier: GPL-2.0-or-later
package RunLab;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use Test::More;
use Equipment qw(equipment);
use LabTable qw(statistics);

our @EXPORT = qw(needs_guests run_lab run_lab_on_small_disk statistics);

=head1 NAME

RunLab - run the laboratory, for tests

=head2 needs_guests(@flavours)

Skips all the tests where guests with these kernels of the host's architecture (see Kernel) cannot be had; with CI=true
in the environment they fail.

=cut

sub needs_guests {
    my @flavours = @_;
    return if eval { equipment('amd64', $_) for @flavours; 1 };
    chomp(my $reason = $@);
    BAIL_OUT($reason) if ($ENV{CI} // '') eq 'true';
    plan(skip_all => $reason);
}

=head2 run_lab(@arguments)

Runs the laboratory with these arguments, and environment variables such as C<PATH=/bin> among them; returns its exit
status and what it said.

=cut

sub run_lab {
    my @arguments = @_;
    my @environment = grep { /^[A-Z_]+=/ } @arguments;
    return said('/usr/bin/env', @environment, $^X, "$FindBin::Bin/lab", grep { !/^[A-Z_]+=/ } @arguments);
}

=head2 run_lab_on_small_disk($kibibytes, $directory, @arguments)

The same, where the directory is a file system of its own, of that size. Returns nothing where a user may not have that.

=cut

sub run_lab_on_small_disk {
    my ($kibibytes, $directory, @arguments) = @_;
    my @unshare = (qw(unshare --mount), $> ? qw(--user --map-root-user) : ());
    return if system("@unshare true 2>/dev/null");
    my $mount = "mount -t tmpfs -o size=${kibibytes}k none \"\$0\" && exec \"\$@\"";
    return said(@unshare, 'sh', '-c', $mount, $directory, $^X, "$FindBin::Bin/lab", '-o', $directory, @arguments);
}

sub said {
    my @command = @_;
    open my $pipe, '-|', '/bin/sh', '-c', 'exec 2>&1; exec "$@"', 'sh', @command or die "sh: $!";
    local $/;
    my $said = <$pipe> // '';
    close $pipe;
    return ($? >> 8, $said);
}

1;
