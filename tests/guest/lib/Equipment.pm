# SPDX-License-Identifier: GPL-2.0-or-later
package Equipment;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use POSIX qw(uname);
use Debian qw(find_program need unpacked);
use Kernel qw(kernel);
use Machine qw(machine);

our @EXPORT_OK = qw(crossed equipment);

=head1 NAME

Equipment - what a guest of the laboratory is made of

=cut

my $ROOT = "$FindBin::Bin/../..";

my %PROGRAMS = (amd64 => \&own, arm64 => \&foreign);

=head2 equipment($architecture, $flavour)

A hash: C<kernel> (see Kernel), C<programs> and C<root> (see Initramfs). Downloads and builds what is not there. Dies
with one line that says what is missing, and the remedy.

=cut

sub equipment {
    my ($architecture, $flavour) = @_;
    need(@{machine($architecture)}{qw(qemu remedy)});
    return {$PROGRAMS{$architecture}->(), kernel => kernel($flavour)};
}

sub own {
    my $machine = (uname())[4];
    die "the program at hand does not run in a guest for x86_64: this is $machine\n" if $machine ne 'x86_64';
    my $busybox = need('busybox', 'apt-get install busybox-static');
    my $stress = need('stress-ng', 'apt-get install stress-ng');
    return (programs => ["$ROOT/realfeel", $busybox, $stress]);
}

sub foreign {
    need('readelf', 'apt-get install binutils');
    my $root = unpacked('arm64', qw(busybox-static stress-ng));
    return (root => $root, programs => [arm64_built('realfeel'), "$root/bin/busybox", "$root/usr/bin/stress-ng"]);
}

=head2 crossed(@names)

A hash with C<programs> and C<root>, too: busybox for arm64, and these programs of ours.

=cut

sub crossed {
    my (@names) = @_;
    need(@{machine('arm64')}{qw(qemu remedy)});
    my $root = unpacked('arm64', qw(busybox-static libc6));
    return {root => $root, programs => [arm64_built(@names), "$root/bin/busybox"]};
}

sub arm64_built {
    return cross_built('aarch64', 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross', @_);
}

sub cross_built {
    my ($machine, $packages, @names) = @_;
    my $compiler = need("$machine-linux-gnu-gcc", "apt-get install $packages");
    my $build = "build/lab-$machine";
    # What a make that called us has in its environment is for another build.
    local @ENV{qw(MAKEFLAGS MFLAGS)} = ('', '');
    my @programs = map { "$build/$_" } @names;
    system(qw(make -s -C), $ROOT, "CC=$compiler", "build=$build", @programs) == 0 or die "cannot build @names with $compiler\n";
    return map { "$ROOT/$_" } @programs;
}

1;
