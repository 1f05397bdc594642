# SPDX-License-Identifier: GPL-2.0-or-later
# What the report has of the worst wake-ups, whoever explains them: the kernel's records, from before due on, in a storm of
# interrupts, too; the state in which a task left; and what the verdict need not guess, as it is known.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use List::Util qw(max);
use Report qw(traced_us whole_report);
use Test::More;

use constant STOPS => 10;

# The worst wake-up of a run, in which this was done, and its records.
sub worst {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    my ($event) = @{ $report->{sets}{events} };
    return ($report, $event, grep { $_->{event} == 1 } @{ $report->{sets}{records} });
}

sub meter {
    my ($report) = @_;
    return $report->{own_processes} =~ /\bmeter:(\d+)/ ? $1 : die 'no meter';
}

sub measured {
    my ($source, $script) = @_;
    return "start -s $source -f 1024 -a 0 --explain -d 1h; sleep 2; $script; kill -INT \$keeper; end";
}

sub check_hog {
    my ($left) = @_;
    my ($report, $event) = worst($left);
    cmp_ok($event->{lateness_us}, '>', 35_000, 'late, as if real-time processes had been throttled');
    is($report->{verdict}, 'valid', 'but the verdict does not guess it, where a higher task had the CPU');
    cmp_ok(traced_us($report, 'hog'), '>', 0.95 * $event->{lateness_us}, 'by its records');
}

# The records begin with the last switch before due, which is that of the stop if there was no other in the rest of the period.
sub check_stopped {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    my ($events, $records) = @{ $report->{sets} }{qw(events records)};
    my @late = grep { $events->[$_ - 1]{lateness_us} > 45_000 } 1 .. @$events;
    is(scalar @late, STOPS, 'late, for it was stopped, each time');
    my (%first, %stopped);
    for (@$records) {
        my $is_own = $_->{kind} eq 'switch_out' && $_->{id} == meter($report);
        $first{ $_->{event} } //= $is_own;
        $stopped{ $_->{event} }++ if $is_own && $_->{detail} eq 'T';
    }
    my @told = grep { $stopped{$_} } @late;
    cmp_ok(scalar @told, '>', 0, 'as records say: it left in state T, in ' . @told . ' of them');
    is_deeply([grep { $first{$_} && !$stopped{$_} } @late], [], 'in all that go back to its own switch');
    like($report->{verdict}, qr/\Asuspect: stopped: [^;]*\z/, 'and the verdict, which has no other reason');
}

# On PREEMPT_RT each character makes an interrupt, and wakes a thread.
sub check_storm {
    my ($left) = @_;
    my ($report, $event, @records) = worst($left);
    cmp_ok($event->{lateness_us}, '>', 40_000, 'late');
    cmp_ok(scalar(grep { $_->{kind} eq 'irq_entry' && $_->{name} eq 'ttyS0' } @records), '>', 300, 'by hundreds of interrupts');
    cmp_ok($records[0]{at_us}, '<', 0, 'of which the records go back to before the wake-up was due');
    my $counting_us = max map { $_->{counting_us} } @{ $report->{sets}{events} };
    cmp_ok($counting_us, '>', 0, 'the next was late for the meter, which was counting that one');
}

# What recording costs, as the median of a run is later by it.
sub check_cost {
    my ($left, $level) = @_;
    my %report = map { $_ => whole_report($left->{$_} // '', $_) } 'off', $level;
    my ($with, $without) = map { $report{$_}{latency_p50_us} } $level, 'off';
    my $told_us = ($report{$level}{explain_with_ns} - $report{$level}{explain_without_ns}) / 1000;
    note(sprintf '%s: the medians are %.2f and %.2f us; a difference of %.2f us is told', $level, $with, $without, $told_us);
    cmp_ok(abs($told_us - ($with - $without)), '<=', 0.1 * ($with - $without), "$level: the cost that is told is what it costs");
}

my $RUN = 'realfeel -q -s nanosleep -f 1024 -n 3000 -a 0';
my @COST = ('cost', "$RUN -o off; $RUN --explain=parts -o parts; $RUN --explain -o blame; $RUN --explain=stacks -o stacks", 0,
    sub { my ($left) = @_; check_cost($left, $_) for qw(parts blame stacks) });

my $STOP = 'for i in $(seq ' . STOPS . '); do kill -STOP $meter; usleep 50000; kill -CONT $meter; usleep 20300; done';
my @STOCK = (
    \@COST,
    ['long-hog', measured(nanosleep => 'hog 97 3 40'), 3, \&check_hog],
    ['stopped', measured(nanosleep => $STOP), 3, \&check_stopped],
);
my $STORM = 'stty -F /dev/ttyS0 raw 115200; head -c 2000 /dev/zero | tr "\\\\0" x >/dev/ttyS0; sleep 1';

subtest stock => \&check_cases, 'explain-facts-stock', 'stock', \@STOCK;
subtest rt => \&check_cases, 'explain-facts-rt', 'rt', [@STOCK, ['storm', measured(rtc => $STORM), 3, \&check_storm]];

done_testing;
