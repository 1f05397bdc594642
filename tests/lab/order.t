# SPDX-License-Identifier: GPL-2.0-or-later
# What the laboratory found, as far as it is the same in each run: the order of the kernels, with its margins. The order
# of the maxima is not.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib";
use LabTable qw(statistics);
use List::Util qw(min);
use Test::More;

my $directory = "$FindBin::Bin/../../build/lab";
-e "$directory/table.txt" or plan(skip_all => 'there are no results: make lab');

sub of {
    my ($kernel, $source, $what) = @_;
    return statistics("$directory/$kernel-loaded-$source.hist")->{$what};
}

# Each of the kernels is ahead of the next, which has at least that many times as much.
sub ordered {
    my ($source, $what, $factor, @kernels) = @_;
    my @values = map { of($_, $source, $what) } @kernels;
    for (1 .. $#kernels) {
        my ($less, $more) = @values[$_ - 1, $_];
        cmp_ok($factor * $less, '<', $more, "$source, $what: $less us with $kernels[$_ - 1], $more us with $kernels[$_]");
    }
}

ordered('rtc',       'p99', 1.2, qw(full rt voluntary none));
ordered('nanosleep', 'p99', 1.2, qw(rt full voluntary none));

for my $source (qw(rtc nanosleep)) {
    ordered($source, 'p99.9', 2, 'rt', $_) for qw(full voluntary none);
    ordered($source, 'p99.9', 2, qw(arm64-rt arm64-voluntary));
    for (['rt', qw(full voluntary none)], ['arm64-rt', 'arm64-voluntary']) {
        my ($rt, @others) = @$_;
        my ($missed, $least) = (of($rt, $source, 'missed'), min(map { of($_, $source, 'missed') } @others));
        cmp_ok(10 * $missed, '<', $least, "$source: $missed periods are missed with $rt, and at least $least with the others");
    }
}

# The price of a timer that expires in a thread.
for (['rt', 'none'], ['arm64-rt', 'arm64-voluntary']) {
    my ($rt, $other) = @$_;
    ordered('rtc', 'p50', 1.5, $other, $rt);
    my ($rtc, $nanosleep) = map { of($rt, $_, 'p50') } qw(rtc nanosleep);
    cmp_ok($rtc, '>', 2 * $nanosleep, "$rt: the median is $rtc us with the RTC, $nanosleep us with nanosleep");
}

done_testing;
