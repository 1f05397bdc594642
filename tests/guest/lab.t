# SPDX-License-Identifier: GPL-2.0-or-later
# The laboratory, in small: under load, PREEMPT_RT is ahead of a kernel that does not preempt, by a margin.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Glob ':bsd_glob';
use Guest qw(slurp);
use List::Util qw(uniq);
use RunLab;
use Test::More;

# A load takes longer to begin and to end than this takes to measure, so few runs of many samples.
use constant { SAMPLES => 10_240, RUNS => 2 };

needs_guests('stock', 'rt');

my $directory = "$FindBin::Bin/../../build/guest/lab";
my ($status, $said) = run_lab('-j', 1, '-n', SAMPLES, '-r', RUNS, '-o', $directory, 'none-loaded', 'rt-loaded');
is($status, 0, 'exit status');
note($said);
$status == 0 or BAIL_OUT('there is nothing to compare');

# Of the report of all runs together, which is as one run.
sub all_together {
    my ($report) = @_;
    my $statistics = statistics($report);
    return {map { $_ => ref $statistics->{$_} ? $statistics->{$_}[0] : $statistics->{$_} } keys %$statistics};
}

sub histogram {
    my ($report) = @_;
    my ($histogram) = slurp($report) =~ /^(# histogram\n.*?)\n\n/ms;
    return $histogram;
}

my %PREEMPTION = (none => 'none (PREEMPT_DYNAMIC)', rt => 'PREEMPT_RT');
my %of;
for my $kernel (qw(none rt)) {
    for my $source (qw(rtc nanosleep)) {
        my $together = "$directory/$kernel-loaded-$source.hist";
        my $statistics = $of{$kernel}{$source} = all_together($together);
        is($statistics->{samples}, RUNS * SAMPLES, "$kernel, $source: samples");
        is($statistics->{verdict}, 'valid', "$kernel, $source: verdict");
        is($statistics->{preemption}, $PREEMPTION{$kernel}, "$kernel, $source: preemption");
        my @runs = bsd_glob("$directory/$kernel-loaded/runs/*-$source.hist");
        is(scalar @runs, RUNS, "$kernel, $source: the reports of the runs are there");
        is(scalar(uniq map { histogram($_) } @runs), RUNS, "$kernel, $source: no two runs are the same");
        my ($runs) = slurp($together) =~ /^# runs\n.*\n((?:\d.*\n)+)/m;
        is(scalar(() = ($runs // '') =~ /\n/g), RUNS, "$kernel, $source: their report together tells them apart");
    }
}

for my $source (qw(rtc nanosleep)) {
    my ($none, $rt) = map { $of{$_}{$source} } qw(none rt);
    cmp_ok($rt->{$_}, '<', 0.6 * $none->{$_}, "$source: $_ of RT is far less") for qw(p99 p99.9);
    cmp_ok($rt->{missed}, '<', 0.1 * $none->{missed}, "$source: so are its missed periods");
}

# The RTC's timer expires in a thread there, and the measurement waits for it.
cmp_ok($of{rt}{rtc}{p50}, '>', 2 * $of{rt}{nanosleep}{p50}, 'RT is late by more with the RTC than with nanosleep');
cmp_ok($of{rt}{rtc}{p50}, '>', 1.5 * $of{none}{rtc}{p50}, 'and by more than the other is with the RTC');

done_testing;
