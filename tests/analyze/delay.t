#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports of a thread of another program: each wake-up has a delay, which is either lateness or wake-up latency.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use Realfeel::Model::Report;
use Analyzer;
use RunCommand;

my $file    = "$FindBin::Bin/data/task.hist";
my $text    = contents($file);
my $dir     = tempdir(CLEANUP => 1);

sub printed {
    my @verb = @_;
    my ($status, $out, $err) = run($analyze, @verb);
    is($err, '', "@verb[0 .. ($#verb < 1 ? $#verb : 1)]");
    return $out;
}

# The text with something replaced, in a file.
sub changed {
    my ($what, $by) = @_;
    (my $other = $text) =~ s/$what/$by/ or die "no $what\n";
    return file_of("$dir/changed.hist", $other);
}

subtest 'what is measured' => sub {
    my $report = Realfeel::Model::Report->read($file);
    is_deeply([$report->{latency_name}, $report->latency_words, $report->latency_words('value')], [qw(delay delay wake-up)],
        'the latency of a thread is its delay');
    is_deeply([map { $_->n } $report->latency, map { $report->latency($_) } qw(delay lateness wakeup)], [40, 40, 30, 10],
        'each series has its own count');
    is_deeply([map { 0 + $report->latency($_)->max } qw(delay lateness wakeup)], [900, 900, 7.25], 'each series has its own maximum');
    is_deeply([map { [@$_{qw(delay_us wakeup_us)}] } @{ $report->events }], [[900, 880.5], [7.25, 7.25]],
        'each of the worst has a delay and a wake-up latency');
    is($report->interval, undef, 'a report of a thread has no intervals');
};

subtest 'what does not add up' => sub {
    my $of = sub { eval { Realfeel::Model::Report->read(changed(@_)) } ? 'is read' : $@ };
    like($of->('5.00 5.01 8 0 8', '5.00 5.01 8 0 7'), qr/periods is 40, but histogram holds 39/, 'a wake-up that is neither');
    like($of->('5.00 5.01 8 0 8', '5.00 5.01 7 0 8'), qr/periods is 40, but histogram holds 39/, 'a wake-up without a delay is refused');
    like($of->('timed: 30', 'timed: many'), qr/timed is 'many'/, 'a count that is none');
};

subtest 'what stats prints' => sub {
    my $stats = printed('stats', '-v', $file);
    like($stats, qr/^  thread +1234 loop, fifo 80, CPUs 0-1; ended after 0\.044000 s$/m, 'the listing names the thread');
    like($stats, qr/^  woken +30 of 40 times by its own timer, apparently every 1000 us, 2 missed;\s+1 more with incomplete records$/m,
        'the listing says what woke the thread');
    like($stats, qr/^  preempted +after 4 of these wake-ups, for 123\.4 us at most$/m, 'the listing says how often it was preempted later');
    like($stats, qr/^  rate +1000 a second, on a fixed grid: lateness does not add up$/m, 'the listing has the rate');
    for ([48.368, 19_999_407, '48.368 a second, not 50: it sleeps 20000 us'],
        [1204.27, 799_812, '1204.3 a second, not 1250: it sleeps 800.0 us']) {
        my ($hz, $ns, $words) = @$_;
        my $relative = printed('stats', '-v', changed(qr/inferred_period_ns.*\n.*\n.*/,
            "inferred_sleep_ns: $ns\n# inferred_rate_hz: $hz\n# threads_asleep: 7 a, 8 b (never slept)"));
        like($relative =~ s/\n {6,}/ /gr, qr/^  rate +\Q$words\E from when it is done, so its work adds up$/m,
            "the rate of a loop that sleeps for $ns ns");
        like($relative, qr/^  not woken 7 a, 8 b \(never slept\)$/m, 'threads that did not wake up are named');
    }
    like($stats, qr/^  missed +2 on the grid of its timers$/m, 'the listing says how many periods were missed');
    my $slow = printed('stats', '-v', changed(qr/inferred_rate_hz: .*/, 'inferred_rate_hz: 950.000'));
    like($slow, qr/^  rate +950 a second, not 1000: it was not asleep at 2 of its periods$/m,
        'a loop that misses periods has its real rate');
    my $bursts = printed('stats', '-v', changed(qr/inferred_missed: 2\n.*/, "inferred_missed: 0\n# inferred_rate_hz: 703.72"));
    like($bursts, qr/^  rate +703\.72 a second by its own timer, after sleeps that vary$/m, 'a loop that runs in bursts misses nothing');
    my $waited = printed('stats', '-v', changed(qr/timed: 30\n/, "timed: 0\n"));
    like($waited, qr/^  woken +0 of 40 times by its own timer, [\d.]+ times a second by others/m, 'stats says how often others woke it');
    like(printed('stats', changed(qr/inferred_period_ns.*\n.*\n/, "inferred_x: 1\n")), qr/^  missed +not known$/m,
        'what a thread without a grid missed is not known');
    like(printed('stats', '-v', changed(qr/inferred_period_ns.*\n.*\n/, "inferred_x: 1\n")),
        qr/^  rate +1000 a second by its own timer, after sleeps that vary$/m, 'the rate of a thread without a grid');
    unlike($stats, qr/--explain/, 'nothing that it cannot do');
    like((run($analyze, 'explain', $file))[2],
        qr/: is of a thread that was measured without --explain; run realfeel -s task again with it$/,
        'explain refuses the report, and says how to measure one');
    like(printed($file), qr/^  delay +p50 12\.01 us +max 900\.0 us/m, 'the result is the delay');
    like(printed('judge', '--max=100us', $file), qr/^FAIL: 1 of 40 wake-ups took longer than 100 us; 1 more with incomplete records\./m,
        'judge goes by the delay, and counts the wake-ups with incomplete records');
    like(printed('export', '--format=csv', $file), qr/^from_us,to_us,delay,lateness,wakeup\n5.00,5.01,8,0,8\n/, 'all three are exported');
    like(printed('export', '--format=prometheus', $file), qr/^realfeel_missed_periods\{.*\} 2$/m, 'Prometheus gets what was missed');
    like(printed('export', '--format=prometheus', $file), qr/^realfeel_delay_seconds_count\{.*\} 40$/m, 'Prometheus gets the delay');
};

subtest 'two runs' => sub {
    my $other = changed('00:05:57Z', '00:06:57Z');
    printed('merge', '-o', "$dir/both.hist", $file, $other);
    my $both = Realfeel::Model::Report->read("$dir/both.hist");
    is_deeply([map { $both->header($_) } qw(samples timed unmatched preempted inferred_missed)], [80, 60, 2, 8, 4],
        'counts are added');
    is($both->header('deduced'), undef, 'merging drops a count that only older reports have');
    is($both->header('preempted_max_ns'), 123_400, 'the longest preemption of both stands');
    is_deeply([map { $both->header("${_}_sum_ns") } qw(delay lateness wakeup)], [3118000, 3009000, 109000], 'the sums of both are added');
    is_deeply([map { 0 + $both->header("${_}_mean_ns") } qw(delay lateness wakeup)], [38975, 50150, 5450], 'each series has its mean');
    like(printed('compare', $file, $other), qr/delay/, 'compare compares the delays');
};

done_testing;
