# SPDX-License-Identifier: GPL-2.0-or-later
# The text of rtla: which latency is taken, and what is damaged.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Imported;
use RunCommand;

subtest 'rtla timerlat hist' => sub {
    my $us = imported('rtla', 'rtla-us.txt', '--period=1ms');
    is_deeply([bins($us)], [[31, 32, 1], [33, 34, 679], [34, 35, 1626], [35, 36, 19], [36, 37, 4], [38, 39, 5], [39, 40, 15],
        [40, 9**9**9, 651]], 'the thread latencies');
    is(header($us, qw(source samples period_ns lateness_min_ns lateness_max_ns lateness_mean_ns)),
        'rtla timerlat 3000 1000000 31000 51000 35000.000', 'the figures are those of the text');
    my $ns = imported('rtla', 'rtla-ns.txt');
    is_deeply([(bins($ns))[0, -1]], [[32, 33, 2], [44, 45, 2]], 'nanoseconds, in buckets of 1000');
    is($ns->header('lateness_max_ns'), 44711, 'the maximum keeps its nanoseconds');
    is_deeply([bins(imported('rtla', 'rtla-thr.txt'))], [[30, 35, 3523], [35, 40, 72], [40, 45, 405]], 'buckets of 5, no IRQ');
    my @cpus = map { imported('rtla', 'rtla-2cpu.txt', @$_) } [], ['--thread=0'], ['--thread=1'];
    is_deeply([map { $_->header('samples') } @cpus], [3994, 1994, 2000], 'two CPUs');
    is(header($cpus[0], qw(lateness_min_ns lateness_max_ns)), '36000 5642000', 'the extremes of both');
    my $usr = "# Time unit is microseconds (us)\nIndex   IRQ-003   Thr-003   Usr-003\n1 0 2 0\n2 0 0 2\n"
        . "over: 0 0 0\ncount: 0 2 2\nmin: - 1 2\navg: - 1 2\nmax: - 1 2\nALL: IRQ Thr Usr\ncount: 0 2 2\n";
    is_deeply([bins(imported('rtla', written('usr', $usr)))], [[2, 3, 2]], 'the return to user space where it is there');
    refused('rtla', $usr =~ s/Thr-/IRQ-/r =~ s/Usr-/IRQ-/r, 'holds no thread latency', 'IRQ alone');
    refused('rtla', $usr =~ s/^over.*//msr, "has no line 'over:'", 'cut off');
    refused('rtla', $usr =~ s/^avg.*//msr, "has no line 'avg:'", 'cut off later');
    refused('rtla', $usr =~ s/^over: 0 0 0/over: 0 0 1/mr, 'the total of CPU 3 is 2, but it holds 3', 'wrong sum');
    refused('rtla', $usr =~ s/^2 0 0 2/1 0 0 2/mr, 'do not ascend', 'order');
    refused('rtla', $usr =~ s/^2 0 0 2/2 0 0 x/mr, "'x' is not a number", 'no number');
    refused('rtla', "rtla: command not found\n", 'Time unit', 'not rtla');
};

subtest 'rtla with the return to user space' => sub {
    my $stopped = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:03\n"
        . "Index   IRQ-000   Thr-000   Usr-000   IRQ-001   Thr-001   Usr-001\n"
        . "1 5 0 0 4 0 0\n2 0 4 1 0 4 2\n3 0 0 3 0 0 2\n9 0 1 0 0 0 0\nover: 0 0 0 0 0 0\ncount: 5 5 4 4 4 4\nmin: 1 2 2 1 2 2\n"
        . "avg: 1 3 2 1 2 2\nmax: 1 9 3 1 2 3\nALL: IRQ Thr Usr\nrtla timerlat hit stop tracing\n";
    my $report = imported('rtla', written('stopped', $stopped));
    is(header($report, qw(samples lateness_max_ns duration_s)), '9 9000 3', 'stopped by -T: the spike, which is that of the thread alone');
    is_deeply([bins($report)], [[2, 3, 8], [9, 10, 1]], 'the latencies of all threads are');
    like(reasons($report)->[-1], qr/^the latency of the threads is taken, as the worst did not return/,
        'the verdict says which latency was taken');
    my $whole = imported('rtla', written('whole', $stopped =~ s/^9 .*\n//mr =~ s/count: 5 5/count: 5 4/r =~ s/max: 1 9/max: 1 2/r));
    is_deeply([bins($whole)], [[2, 3, 3], [3, 4, 5]], 'a run that was not stopped has the latency of the return');
    is(@{ reasons($whole) }, 1, 'a run that was not stopped has no second reason');
    my $first = "# Time unit is microseconds (us)\nIndex IRQ-000 Thr-000 Usr-000\n60 0 1 0\nover: 0 0 0\ncount: 1 1 0\nmin: 50 60 -\n"
        . "avg: 50 60 -\nmax: 50 60 -\nrtla timerlat hit stop tracing\n## CPU 0 hit stop tracing, analyzing it ##\n";
    is(header(imported('rtla', written('first', $first)), 'lateness_max_ns'),
        60000, 'stopped at the first: it is measured');
    my $noise = "# RTLA osnoise histogram\n# Time unit is microseconds (us)\nIndex   CPU-000\n0 5\n";
    refused($_, $noise, 'this is osnoise: the noise that a busy loop sees, and no latency', 'noise') for undef, 'rtla';
    refused('rtla', $stopped . $stopped, 'begins another run', 'the first of two runs is not taken for both');
};

done_testing;
