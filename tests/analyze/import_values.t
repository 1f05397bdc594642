# SPDX-License-Identifier: GPL-2.0-or-later
# Plain values, and pairs of a time and a value.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use List::Util qw(sum0);
use Test::More;

use Imported;
use RunCommand;

my ($analyze, $data, $dir) = (analyze(), data(), dir());

subtest 'a list of values is read' => sub {
    my $report = imported('values', written('values', "# us\n5\n2.5\n\n1e1\n-0.5\n2.5\n"), '--unit=us', '--label=v');
    is(header($report, qw(samples early_wakeups lateness_of label moments lateness_min_ns lateness_max_ns lateness_mean_ns)),
        '5 1 values v - -500 10000 3900.000', 'the figures of a list are exact');
    cmp_ok(abs($report->latency('lateness')->sd - 3.927467), '<', 1e-5, 'the standard deviation of a list is exact');
    is_deeply([bins($report)], [[0, 0.01, 1], [2.5, 2.51, 2], [5, 5.01, 1], [10, 10.01, 1]], 'each value is in its bin');
    ok(!$report->has('slices'), 'no slices');
    my $pairs = join '', map { sprintf "%.3f %d\n", 1000 + $_ / 10, 7 + ($_ == 42 ? 900 : $_ % 3) } 0 .. 99;
    my $timed = imported('values', written('pairs', $pairs), '--unit=us', '--period=100ms');
    is(header($timed, qw(samples duration_s lacking)), '100 9.900000 0', 'pairs have a duration');
    my $slices = $timed->columns('slices');
    is_deeply($slices->{start_s}, [0 .. 9], 'pairs have slices of a second');
    is_deeply($slices->{wakeups}, [(10) x 10], 'each slice has its values');
    is_deeply([@{ $slices->{lateness_max_us} }[3 .. 5], $slices->{seconds}[9]], [9, 907, 9, '0.900000'],
        'each slice has the maximum of its values');
    is(sum0(@{ $timed->columns('slice_bins')->{lateness} }), 100, 'all values are in their bins');
    my ($status, $out, $err) = run($analyze, '-v', "$dir/report");
    is("$status $err", '0 ', 'a list with times is listed without a complaint');
    like($out, qr/^  worst slice: from 4\.000 s on for 1\.000 s, worst 907\.000 us$/m,
        'the listing has the worst slice and no missed periods');
    my $long = imported('values', written('long', join '', map { "$_\t1\n" } map { 10 * $_ } 0 .. 999), '--unit=ms');
    my @seconds = @{ $long->columns('slices')->{seconds} };
    is_deeply([0 + $seconds[0], scalar @seconds, sum0(@{ $long->columns('slices')->{wakeups} })], [16, 625, 1000],
        'longer slices of a longer run');
    my $lacking = imported('values', "$dir/pairs", '--unit=us', '--period=90ms');
    is($lacking->header('lacking'), 10, 'a period shows how many values are lacking');
    refused('values', "1\n2 3\n", 'some lines have a time and others none', 'both', '--unit=us');
    refused('values', "2 3\n1 3\n", 'the time 1 is earlier', 'order', '--unit=us');
    refused('values', "1\nx\n", 'neither a value nor a time and a value', 'no number', '--unit=us');
    refused('values', "1\n1e30\n", 'a value of \d+ ns is out of range', 'too large', '--unit=us');
    refused('values', "# nothing\n", 'holds no value', 'none', '--unit=us');
    refused('values', "1\n", 'does not state the unit of its times', 'no unit');
    refused('rt-tests', contents("$data/cyclictest.json"), 'states the unit of its times', 'a unit beside that of the file', '--unit=us');
};

done_testing;
