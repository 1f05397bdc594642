# SPDX-License-Identifier: GPL-2.0-or-later
package Patience;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(sum0);
use POSIX qw(_SC_CLK_TCK _exit sysconf WNOHANG);
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(hangs outlast);

use constant POLL_S => 0.1;

=head1 NAME

Patience - run a command until it ends or hangs, however slow the machine is

=head2 outlast(\%limit, \@files, @command)

Runs the command, and returns its status as $? has it, and nothing or why it was killed: it hung. What it writes, it
writes to the files. The limits are those of hangs().

=cut

sub outlast {
    my ($limit, $files, @command) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) { no warnings 'exec'; exec {$command[0]} @command or _exit(127) }
    my ($begin, $seen, $why) = (time, {}, undef);
    until (waitpid($pid, WNOHANG) == $pid) {
        $why //= hangs($limit, $seen, time - $begin, cpu_s($pid), sum0(map { -s // 0 } @$files));
        kill KILL => $pid if defined $why;
        sleep POLL_S;
    }
    return ($?, $why);
}

=head2 hangs(\%limit, \%seen, $wall_s, $cpu_s, $written)

Why a command hangs, or undef, by what it did since its start: the time that has passed, the time of a CPU that it used,
and the bytes that it wrote. What was seen before is in %seen, which begins empty. These are the limits:

    computing  seconds of a CPU used without a byte written: on a busy machine these take longer
    idle       seconds without a byte written or any time of a CPU used
    all        seconds for all of it

=cut

sub hangs {
    my ($limit, $seen, $wall_s, $cpu_s, $written) = @_;
    my $progress = $written != ($seen->{written} // -1);
    @$seen{qw(written cpu_at_write)} = ($written, $cpu_s) if $progress;
    @$seen{qw(cpu moved)} = ($cpu_s, $wall_s) if $progress || $cpu_s != $seen->{cpu};
    return "it wrote nothing in $limit->{computing} s of computing" if $cpu_s - $seen->{cpu_at_write} > $limit->{computing};
    return "it stood still for $limit->{idle} s" if $wall_s - $seen->{moved} > $limit->{idle};
    return "it did not end within $limit->{all} s" if $wall_s > $limit->{all};
    return undef;
}

# The time of a CPU that all threads of a process have used.
sub cpu_s {
    my ($pid) = @_;
    open my $in, '<', "/proc/$pid/stat" or return 0;
    my @after_name = split ' ', (<$in> // '') =~ s/.*\)//sr;
    return (($after_name[11] // 0) + ($after_name[12] // 0)) / sysconf(_SC_CLK_TCK);
}

1;
