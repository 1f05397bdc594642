# SPDX-License-Identifier: GPL-2.0-or-later
# What the laboratory found, as far as it holds in all of its runs: the order of the kernels, with its margins. The order
# of the maxima is not.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib";
use File::Glob ':bsd_glob';
use LabTable qw(median range statistics);
use List::Util qw(max min);
use Test::More;

my $directory = "$FindBin::Bin/../../build/lab";
-e "$directory/table.txt" or plan(skip_all => 'there are no results: make lab');

my %statistics;

# A value for each run.
sub of {
    my ($kernel, $source, $what) = @_;
    my $runs = $statistics{"$kernel $source"} //= statistics(bsd_glob("$directory/$kernel-loaded/runs/*-$source.hist"));
    return @{$runs->{$what}};
}

# Each of the kernels is ahead of the next in every pair of runs, which at the median has at least so many times as much.
sub ordered {
    my ($source, $what, $factor, @kernels) = @_;
    for (1 .. $#kernels) {
        my @names = @kernels[$_ - 1, $_];
        my ($less, $more) = map { [of($_, $source, $what)] } @names;
        my ($low, $high) = map { range('%.1f', @$_) } $less, $more;
        cmp_ok(max(@$less), '<', min(@$more), "$source, $what: $low us with $names[0], $high us with $names[1]");
        cmp_ok($factor * median(@$less), '<', median(@$more), "  by a factor of $factor");
    }
}

ordered('rtc',       'p99', 1.2, qw(full rt voluntary none));
ordered('nanosleep', 'p99', 1.2, qw(rt full voluntary none));

for my $source (qw(rtc nanosleep)) {
    ordered($source, 'p99.9', 2, 'rt', $_) for qw(full voluntary none);
    ordered($source, 'p99.9', 2, qw(arm64-rt arm64-voluntary));
    for (['rt', qw(full voluntary none)], ['arm64-rt', 'arm64-voluntary']) {
        my ($rt, @others) = @$_;
        my ($missed, $least) = (max(of($rt, $source, 'missed')), min(map { of($_, $source, 'missed') } @others));
        cmp_ok(5 * $missed, '<', $least, "$source: $missed periods at most are missed with $rt, $least at least with the others");
    }
}

# The price of a timer that expires in a thread.
for (['rt', 'none'], ['arm64-rt', 'arm64-voluntary']) {
    my ($rt, $other) = @$_;
    ordered('rtc', 'p50', 1.5, $other, $rt);
    my ($rtc, $nanosleep) = (min(of($rt, 'rtc', 'p50')), max(of($rt, 'nanosleep', 'p50')));
    cmp_ok($rtc, '>', 2 * $nanosleep, "$rt: the median is $rtc us and more with the RTC, $nanosleep us and less with nanosleep");
}

done_testing;
