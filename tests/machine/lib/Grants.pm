# SPDX-License-Identifier: GPL-2.0-or-later
# The policy, the priority, the CPU and the locked memory that the meter has by /proc, and that the report says.
package Grants;
use strict;
use warnings;

use HostKernel qw(lacking);
use Program;
use Report qw(faults parse_report);
use RunCommand qw(contents finish start);
use Tries;

use constant { PRIORITY => 37, POLICY => 38 };      # what follows the name in /proc/PID/stat: the state is 0

my ($CPU) = allowed_cpus();

# The policy, its number in the kernel, the priority.
my @GRANTED = (['fifo', 1, 42], ['rr', 2, 7], ['other', 0, 0]);

sub properties {
    return { name => 'what is granted', cases => [map { case(@$_) } @GRANTED] };
}

sub case {
    my ($policy, @expected) = @_;
    my @right = $policy eq 'other' ? () : 'real-time';
    return { name => $policy, lacks => sub { lacking('memory', @right) }, try => sub { granted($policy, @expected) } };
}

sub granted {
    my ($policy, $number, $priority) = @_;
    my @options = ('-P', $policy, $priority ? ('-p', $priority) : (), '-a', $CPU);
    my $run = start(program(qw(-s nanosleep -q -F -o report), @options));
    wait_for_sample($run, 'report');
    my ($standby, $meter) = children($run->{pid});
    my %has = state_of($meter);
    my @ordinary = map { my %other = state_of($_); $other{policy} } $run->{pid}, $standby;
    kill INT => $run->{pid};
    finish($run);
    my $report = parse_report(contents('report'));
    return (
        faults($report),
        differs('policy of the meter', "$has{policy} $has{priority}", "$number $priority"),
        differs('policy of keeper and standby', "@ordinary", '0 0'),
        differs('policy of the report', "$report->{policy} $report->{priority}", "$policy $priority"),
        differs('CPUs of the meter', "$has{cpus}, $report->{cpu}", "$CPU, $CPU"),
        differs('locked memory of the report', "$report->{memory_locked_kb} kB", $has{locked}),
        not_within('locked memory', $has{locked} =~ /^(\d+)/, 1),
    );
}

sub state_of {
    my ($pid) = @_;
    my (@fields) = split ' ', contents("/proc/$pid/stat") =~ s/.*\) //sr;
    my %status = contents("/proc/$pid/status") =~ /^(\w+):\s*(.*)$/mg;
    return (policy => $fields[POLICY], priority => $fields[PRIORITY], cpus => $status{Cpus_allowed_list}, locked => $status{VmLck});
}

1;
