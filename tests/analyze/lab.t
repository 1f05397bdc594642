# SPDX-License-Identifier: GPL-2.0-or-later
# What the laboratory prints: it tells of runs, by their median and their range, and never of one alone.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib";
use DocumentTables qw(tables);
use LabSentences qw(sentences);
use LabTable qw(median range statistics table);
use Test::More;

my $EXAMPLES = "$FindBin::Bin/../lab/examples";

is(median(9, 1, 3), 3, 'the median of three');
is(median(9, 1, 3, 4), 3.5, 'the median of four is the mean of the middle two');
is(range('%d', 30, 4, 9), '4-30', 'a range is of numbers');
is(range('%.1f', 3.04, 3.01), '3.0', 'a range whose ends read the same is one number');

# A row as of five runs; the percentiles but the first are those that are given.
sub row {
    my (%percentile) = @_;
    my $statistics = {
        samples => [(20_000) x 5], missed => [3, 0, 12, 5, 1], p50 => [119.6, 119.4, 120.2, 119.5, 119.1],
        p99 => [], 'p99.9' => [], max => [456.8, 2122.7, 300, 310, 320], verdict => [('valid') x 5],
        kernel_release => '6.1', preemption => 'PREEMPT_RT', %percentile,
    };
    return {kernel => 'rt', load => 'loaded', source => 'rtc', failure => '', statistics => $statistics};
}

my $table = table(row('p99.9' => [56.04, 57, 61.2, 57.1, 99.96]), row(verdict => [('valid') x 4, 'suspect: drift']));
my (undef, $heading, $line, $suspect) = split /\n/, $table;
is($heading, 'rt: Linux 6.1, preemption PREEMPT_RT', 'the heading names the kernel');
is($line =~ s/ +/ /gr, ' loaded rtc 0-12 120 119-120 - 57.1 56.0-100.0 2123', 'medians and ranges of the runs');
like($suspect, qr/ 1 of 5 runs: suspect: drift$/, 'a run that is not valid is reported');
like(table({kernel => 'rt', load => 'idle', source => 'rtc', failure => "no QEMU: install\nit"}),
    qr/^rt: not measured\n idle +rtc +not measured: no QEMU: install$/m, 'what was not measured');

my $example = "$EXAMPLES/rt-loaded-rtc.hist.gz";
is_deeply([map { scalar @{statistics($example, $example)->{$_}} } qw(samples missed p99.9)], [2, 2, 2], 'a value for each run');

sub loaded {
    my ($kernel, $source, @missed) = @_;
    my $file = "$EXAMPLES/$kernel-loaded-$source.hist.gz";
    my $row = row(missed => \@missed);
    return {%$row, kernel => $kernel, source => $source, file => $file};
}

my $text = sentences(loaded('full', 'rtc', 27, 90, 31), loaded('rt', 'rtc', 0, 3, 0), loaded('rt', 'nanosleep', 0, 0, 0));
$text =~ s/\n +/ /g;
like($text, qr/^rtc, beside full, rt: p99\.9 is \S+ times lower \(\S+ to \S+\)/m, 'two kernels are compared');
like($text, qr/^rtc, missed periods a run: full 27-90, rt 0-3\.$/m, 'missed periods are a range');
like($text, qr/^rt: the median is 119\.5 \(119\.1-120\.2\) us with the RTC/m, 'a median is given with its range');

open my $readme, '<', "$FindBin::Bin/../lab/README" or die $!;
my $told = do { local $/; <$readme> };
my $printed = tables("$EXAMPLES/documents") =~ s/^(?=.)/    /mgr;
isnt(index($told, $printed), -1, 'tests/lab/README shows what is printed of the reports that are kept') or diag($printed);

done_testing;
