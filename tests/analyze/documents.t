# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of three documents, as they were published, come out of reports with such figures: Vianney, 31 January 2002
# (LMbench's ring), dankex (deferred work), and Stueckjuergen, 3 February 2004 (a driver's stamps).
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(uniqnum);
use Test::More;

use RunCommand qw(run file_of);

my $analyze = "$FindBin::Bin/../../analyze/realfeel-analyze";
chdir tempdir(CLEANUP => 1) or die $!;

# The text of a report of wake-up latencies with such figures, in us; without least and most the mean is both.
sub report {
    my ($figures, %header) = @_;
    my %us = (sd => 0, min => $figures->{mean}, max => $figures->{mean}, %$figures);
    my @from = map { sprintf '%.2f', $_ } uniqnum @us{qw(min max)};
    my $n = @from;
    my %all = (
        status => 'complete', verdict => 'valid', clock => 'monotonic', samples => $n, periods => $n, missed => 0, %header,
        map { ("wakeup_${_}_ns" => 1000 * $us{$_}) } keys %us,
    );
    return join('', "# realfeel 1\n", (map { "# $_: $all{$_}\n" } sort keys %all), "\n\n# histogram\n# from_us to_us wakeup\n",
        map { sprintf "%s %.2f 1\n", $_, $_ + 0.01 } @from) . "# end samples=$n\n";
}

# What the verb prints without the lines above the table, its columns separated by bars.
sub table {
    my @arguments = @_;
    my ($status, $out, $err) = run($analyze, 'table', @arguments);
    is("$status $err", '0 ', "table @arguments") or return;
    my ($table) = $out =~ /\n\n(.*)/s;
    is_deeply([grep { length > 80 } split /\n/, $out], [], 'fits 80 columns');
    return [map { s/^ +//r =~ s/ {2,}/ | /gr } split /\n/, $table];
}

subtest 'processes by kernels' => sub {
    my @kernels = qw(2.2.19 2.4.17 2.4.17-J2 2.4.17-J4 2.4.17-J9);
    my @rows = ([0, 2, qw(1.46 3.03 7.38 7.38 0.97)], [65536, 64, qw(185.26 184.46 186.54 186.22 178.63)]);
    for my $i (0 .. $#kernels) {
        file_of("$kernels[$i].hist", join '', map {
            report({ mean => $rows[$_][ 2 + $i ] }, source => 'ring', array_bytes => $rows[$_][0], processes => $rows[$_][1],
                part => $_ + 1 . ' of ' . @rows, command => 'x', kernel_release => $kernels[$i])
        } 0 .. $#rows);
    }
    my @options = (qw(--show=mean --decimals=2), '--rows=array,processes', '--columns=kernel');
    is_deeply(table(@options, map { "$_.hist" } @kernels), [
        'processes | 2.2.19 | 2.4.17 | 2.4.17-J2 | 2.4.17-J4 | 2.4.17-J9',
        '0 kB', '2 | 1.46 | 3.03 | 7.38 | 7.38 | 0.97', '',
        '64 kB', '64 | 185.26 | 184.46 | 186.54 | 186.22 | 178.63',
    ], 'the table of LMbench');
};

subtest 'kinds by average, deviation and maximum' => sub {
    my @kinds = ('workqueue:global', 'workqueue:private', 'tasklet', 'kthread', 'thread');
    my %loads = (
        none => [[6, 1.414, 21], [6, 1.000, 19], [5, 2.646, 135], [5, 2.646, 30], [8, 3.606, 12]],
        'stress-ng --job rr-load.job' => [[101, 222.948, 950022], [101, 242.535, 950070], [6, 99.895, 9992],
            [195, 333.742, 950160], [49693, 43963.480, 49887]],
    );
    my @files;
    for my $load (sort keys %loads) {
        for my $i (0 .. $#kinds) {
            my ($mean, $sd, $max) = @{ $loads{$load}[$i] };
            push @files, file_of("$i-" . ($load eq 'none' ? 'idle' : 'loaded'), report({ min => 1, mean => $mean, sd => $sd, max => $max },
                source => $kinds[$i], load => $load, kernel_release => '2.6'));
        }
    }
    my @tables = map { my $load = $_; [map { "$kinds[$_] | " . join ' | ', map { sprintf '%.3f', $_ } @{ $loads{$load}[$_] } }
        0 .. $#kinds] } sort keys %loads;
    is_deeply(table('--decimals=3', '--rows=load,source', @files),
        ['source | mean | sd | max', 'no load', @{ $tables[0] }, '', 'stress-ng --job rr-load.job', @{ $tables[1] }],
        'the table has a row for each source, without and with the load');
};

subtest 'loaded and unloaded by preemption' => sub {
    my %tables = ('cat /dev/zero' => [[170, 232], [49, 43], [840, 1063]], none => [[50, 44], [46, 41], [233, 215]]);
    my @preemption = qw(full none);
    my @files;
    for my $load (sort keys %tables) {
        for my $i (0, 1) {
            my %us = map { (qw(mean min max))[$_] => $tables{$load}[$_][$i] } 0 .. 2;
            push @files, file_of("$preemption[$i]-" . ($load =~ s/\W//gr), report(\%us, source => 'thread', load => $load,
                kernel_release => '2.6.1', preemption => $preemption[$i]));
        }
    }
    is_deeply(table('--show=mean,min,max', '--decimals=0', '--rows=load', '--columns=kernel', @files), [
        'full | none',
        'cat /dev/zero', 'mean | 170 | 232', 'min | 49 | 43', 'max | 840 | 1063', '',
        'no load', 'mean | 50 | 44', 'min | 46 | 41', 'max | 233 | 215',
    ], 'average, minimum and maximum');
};

done_testing;
