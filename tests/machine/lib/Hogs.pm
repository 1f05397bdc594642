# SPDX-License-Identifier: GPL-2.0-or-later
# A real-time process takes the CPU from the meter, and says itself when: the analyzer and the result of the run name it.
package Hogs;
use strict;
use warnings;

use Answered;
use Hog;
use HostKernel qw(lacking without);
use Program;
use Report qw(faults parse_report);
use RunCommand qw(contents finish start);
use Tries;

use constant STALLS => 3;       # of 20 ms each

my ($CPU) = allowed_cpus();

sub properties {
    return { name => 'a hog is named', cases => [{ name => '', lacks => \&lacks, try => \&named }] };
}

sub lacks {
    return lacking('real-time', 'memory', 'perf') || lacking('switches') && lacking('programs') || without(program => 'taskset');
}

# Something else may be worse for a wake-up than the hog: then that one proves nothing.
sub named {
    my $run = start(program(qw(-s nanosleep -p 50 --explain -F -o report -a), $CPU));
    wait_for_sample($run, 'report');
    my @stalls = hog($CPU, 98, STALLS);
    kill INT => $run->{pid};
    my ($status) = finish($run);
    my $report = parse_report(contents('report'));
    my ($recorded, $all) = $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
    my @of_hog = grep {
        my $event = $report->{sets}{events}[$_->{number} - 1];
        stalled_us($event, @stalls) > $event->{lateness_us} / 2;
    } answered(contents('report'));
    return (
        faults($report),
        differs('exit status', $status, 0),
        not_within('recorded switches', $recorded, 0.99 * $all, $all),
        not_within('stalls among the worst wake-ups', scalar @of_hog, 1),
        (map { "unnamed: $_" } grep { !/ late: .*'hog' \(rt 98\) / } map { $_->{sentence} } @of_hog),
    );
}

1;
