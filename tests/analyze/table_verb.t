# SPDX-License-Identifier: GPL-2.0-or-later
# realfeel-analyze table: where runs stand, what their cells say, and what cannot be a table.
use strict;
use warnings;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use JSON::PP ();
use Test::More;

use MadeReport;
use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;

sub tabled {
    my @arguments = @_;
    return run($analyze, 'table', @arguments);
}

# The lines of the table and those below it, its columns separated by bars.
sub table {
    my @arguments = @_;
    my ($status, $out, $err) = tabled(@arguments);
    is("$status $err", '0 ', "@arguments");
    my ($below) = $out =~ /\n\n(.*)/s;
    return [map { s/^ +//r =~ s/ {2,}/ | /gr } split /\n/, $below];
}

sub refused {
    my ($message, @arguments) = @_;
    my ($status, $out, $err) = tabled(@arguments);
    is("$status $out", '1 ', "@arguments: refused");
    like($err, qr/\Arealfeel-analyze: $message\n(?:Try .*\n)?\z/, "@arguments: the refusal has its reason");
}

# A run of 5 slices with 100 latenesses from $us on.
sub made_run {
    my ($file, $us, %header) = @_;
    return made($file, [map { my $slice = $_; [map { $us + ($_ + $slice) % 10 } 1 .. 100] } 1 .. 5], %header);
}

my %KERNEL = (none => ['6.1.0', 'none (PREEMPT_DYNAMIC)'], full => ['6.1.0', 'full (PREEMPT_DYNAMIC)'], rt => ['6.1.0-rt', 'PREEMPT_RT']);
my (@lab, $us);
for my $kernel (qw(none full rt)) {
    for my $load ('none', "stress-ng --seed 10" . length $kernel) {
        for my $source ('rtc /dev/rtc0', 'nanosleep') {
            my ($release, $preemption) = @{ $KERNEL{$kernel} };
            my $name = join '-', $kernel, $load =~ /(\w+)/, $source =~ /(\w+)/;
            push @lab, made_run("$name.hist", $us += 10, kernel_release => $release, preemption => $preemption, load => $load,
                source => $source);
        }
    }
}
my @none = @lab[0 .. 3];

subtest 'a row for each run, a column for each statistic' => sub {
    is_deeply(table('--show=min,count', @lab[4, 0]), ['label | min | count', 'full | 50.00 | 500', 'none | 10.00 | 500',
        '', '* caution: the runs also differ in kernel (6.1.0, full, 6.1.0, none)'], 'the rows are in the order of the files');
    is_deeply(table($lab[0]), ['label | mean | sd | max', 'none-none-rtc.hist | 14.51 | 2.88 | 19.00'], 'a single run');
    made_run("$_.hist", 5 * length, label => $_) for qw(a bb);
    is_deeply(table('--show=min', 'a.hist', 'bb.hist'), ['label | min', 'a | 5.00', 'bb | 10.00'], 'labels name the rows');
    is_deeply(table('--show=min,count', '--columns=label', 'a.hist', 'bb.hist'), ['a | bb', 'min | 5.00 | 10.00', 'count | 500 | 500'],
        'a table without rows has the statistics as rows');
    is_deeply(table('--show=min,count', '--rows=statistic', 'a.hist', 'bb.hist'), ['a | bb', 'min | 5.00 | 10.00', 'count | 500 | 500'],
        'statistics as rows leave the runs as columns');
    is_deeply(table('--show=min,count', '--columns=statistic', 'a.hist', 'bb.hist'),
        ['label | min | count', 'a | 5.00 | 500', 'bb | 10.00 | 500'], 'statistics as columns leave the runs as rows');
};

my @kernels = ('--rows=load,source', '--columns=kernel');

subtest 'rows and columns that were chosen' => sub {
    is_deeply(table('--show=min', @kernels, @lab), [
        'source | none | full | PREEMPT_RT',
        'no load', 'rtc | 10.00 | 50.00 | 90.00', 'nanosleep | 20.00 | 60.00 | 100.0', '',
        'stress-ng', 'rtc | 30.00 | 70.00 | 110.0', 'nanosleep | 40.00 | 80.00 | 120.0',
    ], 'rows and columns are in the order of the files; a seed makes no other load');
    is_deeply(table('--show=min,count', '--rows=source', '--columns=kernel', @lab[0, 4, 8, 1, 5, 9]), [
        'none | full | PREEMPT_RT', 'rtc', 'min | 10.00 | 50.00 | 90.00', 'count | 500 | 500 | 500', '',
        'nanosleep', 'min | 20.00 | 60.00 | 100.0', 'count | 500 | 500 | 500',
    ], 'each of several statistics is a row');
    is_deeply(table('--show=min', '--rows=kernel', '--columns=load,source', @lab), ['no load | stress-ng',
        'kernel | rtc | nanosleep | rtc | nanosleep', 'none | 10.00 | 20.00 | 30.00 | 40.00',
        'full | 50.00 | 60.00 | 70.00 | 80.00', 'PREEMPT_RT | 90.00 | 100.0 | 110.0 | 120.0'], 'several facts across: a line for each');
    is_deeply(table('--show=min,count', '--rows=statistic,source', '--columns=load', @none), [
        'source | no load | stress-ng', 'min', 'rtc | 10.00 | 30.00', 'nanosleep | 20.00 | 40.00', '',
        'count', 'rtc | 500 | 500', 'nanosleep | 500 | 500'], 'a block for each statistic');
    is_deeply(table('--show=min', '--columns=source', @lab[0, 1]), ['rtc | nanosleep', 'min | 10.00 | 20.00'], 'a single row');
    is_deeply(table('--show=min', '--rows=kernel', made_run('old.hist', 5, kernel_release => '4.19', preemption => 'none', source => 'rtc'),
        $lab[4]), ['kernel | min', '4.19 | 5.00', '6.1.0 | 50.00'], 'kernels by their release, where that is enough');
};

subtest 'long names are cut' => sub {
    my @runs = map { made_run("load$_.hist", 5 * $_, load => "stress-ng --cpu 1 --vm-bytes $_") } 1, 2;
    is_deeply(table('--show=min', '--rows=load', $runs[0]), ['load | min', 'stress-ng --cpu 1 --v... | 5.00'], 'a long name is cut');
    is_deeply(table('--show=min', '--columns=load', @runs),
        ['stress-ng --cpu 1 --vm-bytes 1 | stress-ng --cpu 1 --vm-bytes 2', 'min | 5.00 | 10.00'], 'long names stay different');
};

subtest "a ring's table" => sub {
    is_deeply(table('--show=p50,lmbench', '--rows=array,processes', "$data/ring.hist"), [
        'processes | p50 | lmbench', '0 kB', '2 | 1.41 | 1.25', '8 | 1.51 | 1.40', '', '16 kB', '8 | 3.41 | ~0.90', '',
        '~ unreliable: the overhead is greater than the time of a switch',
    ], 'sizes and processes');
    my @ring = map { made_run("ring$_.hist", $_, source => 'ring', processes => $_, array_bytes => 1000) } 16, 2, 128;
    is_deeply(table('--show=min', '--rows=processes', @ring), ['processes | min', '2 | 2.00', '16 | 16.00', '128 | 128.0'],
        'numbers ascend');
    is_deeply(table('--show=min', '--columns=array,processes', @ring), ['1000 B', '2 processes | 16 processes | 128 processes',
        'min | 2.00 | 16.00 | 128.0'], 'the columns say what their numbers are');
};

# As lat_ctx prints it: a block for each size, and a line for each number of processes.
subtest 'rings that were measured one by one, in one file' => sub {
    my @cells = map { my $kb = $_; map { [$kb, $_] } 16, 2, 8 } 4, 0;
    my @rings = map {
        my ($kb, $processes) = @$_;
        made_run("cell-$kb-$processes.hist", 10 * $kb + $processes, source => 'ring', processes => $processes, array_bytes => 1024 * $kb,
            lmbench_us => $kb + $processes / 10);
    } @cells;
    file_of('rings.hist', join '', map { contents($_) } @rings);
    my @lines = ('0 kB', '2 | 0.20', '8 | 0.80', '16 | 1.60', '', '4 kB', '2 | 4.20', '8 | 4.80', '16 | 5.60');
    is_deeply(table('--show=lmbench', '--rows=array,processes', 'rings.hist'), ['processes | lmbench', @lines],
        'the rings of one file are in the order of their numbers');
    is_deeply(table('--show=lmbench', '--rows=array,processes', '--columns=source', @rings), ['processes | ring', @lines],
        'the rings of several files are in the order of their numbers');
    is_deeply(table('--show=lmbench', '--rows=processes', '--columns=array', 'rings.hist'),
        ['processes | 0 kB | 4 kB', '2 | 0.20 | 4.20', '8 | 0.80 | 4.80', '16 | 1.60 | 5.60'], 'rings may have a column for each size');
};

subtest 'the CPUs of a run are rows if they are asked for' => sub {
    is(scalar @{ table("$data/cpus.hist.gz") }, 4, 'the CPUs of a run are one row');
    is_deeply([map { /^(\d) \|/ } @{ table('--rows=cpu', "$data/cpus.hist.gz") }], [0 .. 3], 'the CPUs are rows if they are asked for');
};

subtest 'percentiles have their doubts' => sub {
    my @stall = map { 1000 * $_ } 1 .. 300;
    made('stall.hist', [map { my $bad = $_ == 7; [map { $bad && $stall[$_] ? $stall[$_] : 20 + $_ % 7 } 1 .. 1000] } 1 .. 20],
        period_ns => 1e6);
    my ($head, $row, undef, @notes) = @{ table('--show=p50,p99,p99.99,p99.999', 'stall.hist') };
    like($row, qr/^\S+ \| 23\.01 \| \d+ \| ~\S+ \| -$/, 'supported, of one stall, of few samples, not supported');
    is_deeply(\@notes, ['~ unreliable: needs 100000 samples', '- not supported by the data'], 'notes explain the marks');
};

subtest 'what runs have in common, and what they have not' => sub {
    my ($status, $out) = tabled('--show=max', '--columns=load', @none[0, 2]);

    is_deeply([(split /\n/, $out)[0, 1]], ['lateness in us', '6.1.0, none; rtc; 1024 Hz; fifo 95; monotonic; box'],
        'what the figures are, and what all runs have in common');
    like((tabled('--show=max', '--rows=source', '--columns=load', @none))[1], qr/\Alateness in us: max\n/,
        'the statistic, where neither rows nor columns tell it');
    made_run('slow.hist', 5, kernel_release => '6.2.0', frequency_hz => 64, verdict => 'suspect: slow');
    made_run('fast.hist', 5, kernel_release => '6.1.0', frequency_hz => 1024);
    my @lines = @{ table('--rows=kernel', 'slow.hist', 'fast.hist') };
    is_deeply([@lines[4, 5]], ['* caution: the runs also differ in rate (64 Hz, 1024 Hz)', '* suspect: slow.hist; stats tells why'],
        'the table has its cautions');
    my @runs = ('slow.hist', made_run('load.hist', 6, frequency_hz => 64, kernel_release => '6.2.0', load => 'dd'));
    is((run($analyze, 'merge', '-o', 'merged.hist', @runs))[0], 0, 'two runs that differ are merged');
    like((tabled('merged.hist'))[1], qr/\bdd or unknown\b/, 'what one alone tells');
    ($status, $out) = tabled("$data/alsa.hist", "$data/thread.hist");
    like($out, qr/\Alateness, wake-up latency in us\n.*^\* caution: lateness counts from the due time of/ms, 'two measures');
    is((split /\n/, (tabled('--measure=wakeup', "$data/alsa.hist", "$data/thread.hist"))[1])[0], 'wake-up latency in us',
        'the heading names the measure');
};

subtest 'a table is printed as values' => sub {
    is((tabled('--csv', '--show=min,max', '--rows=source', @lab[0, 1]))[1],
        "source,min,max\nrtc,10.000,19.000\nnanosleep,20.000,29.000\n", 'CSV has a row for each run');
    is((tabled('--csv', '--show=p99.99,min', 'stall.hist'))[1], "label,p99.99,min\nstall.hist,,20.000\n",
        'what is not to be relied on is left out');
    my @cells = @{ JSON::PP->new->decode((tabled('--json', '--show=min,count', @kernels, @lab))[1]) };
    is(scalar @cells, 2 * @lab, 'JSON: a cell of each statistic of each run');
    my ($cell) = grep { $_->{file} eq $lab[9] && $_->{statistic} eq 'min' } @cells;
    is_deeply([@$cell{qw(row column value_us)}],
        [{ load => 'no load', source => 'nanosleep', statistic => 'min' }, { kernel => 'PREEMPT_RT' }, 100],
        'JSON has the place of a cell');
    is_deeply([map { $_->{count} } grep { $_->{statistic} eq 'count' } @cells], [(500) x @lab], 'JSON has counts as numbers');
};

subtest 'a run that is given twice counts once' => sub {
    my ($dated, $undated) = (made_run('dated.hist', 7, started => '2026-11-21T00:00:00Z', duration_s => 5), 'a.hist');
    for my $file ($dated, $undated) {
        copy($file, "copy-$file") or die $!;
        link $file, "link-$file" or die $!;
        for my $again ($file, "copy-$file", "link-$file") {
            my ($status, $out, $err) = tabled('--show=min', $file, $again);
            is("$status $out", '0 ' . (tabled('--show=min', $file))[1], "$again counts once");
            is($err, "realfeel-analyze: $again: is the same run as $file; it counts once\n", 'the warning names the run that counts once');
        }
    }
    my $next = made_run('next.hist', 7, started => '2026-11-22T00:00:00Z', duration_s => 5);
    is((run($analyze, 'merge', '-o', 'both.hist', $dated, $next))[0], 0, 'two runs of one machine are merged');
    is(@{ table($dated, $next, 'both.hist') }, 4, 'a run and what it was merged into are two, and so is the same on another day');
};

subtest 'what is no table' => sub {
    my ($status, $out, $err) = tabled('--show=min', @kernels, @lab[0 .. 10]);
    is($status, 1, 'exit status');
    is($err, "realfeel-analyze: there is no run for stress-ng, nanosleep, PREEMPT_RT; measure it, or leave out its row or column\n",
        'the cell that is missing');
    like($out, qr/^nanosleep +40\.00 +80\.00 +-$/m, 'a missing cell is a dash');
    refused('none-none-rtc.hist and none-stress-rtc.hist have the same place, rtc, none; merge them, leave one out, or tell '
        . 'them apart with --rows or --columns, by load or label', '--rows=source', '--columns=kernel', @lab);
    refused('none-none-rtc.hist and again.hist have the same place, none; merge them, .* by label', '--rows=kernel', @lab[0, 4],
        made_run('again.hist', 20, kernel_release => '6.1.0', preemption => 'none (PREEMPT_DYNAMIC)', load => 'none', source => 'rtc'));
    is(scalar @{ table("$data/empty.hist") }, 5, 'a run in which nothing was measured has dashes');
    made_run('other.hist', 6, label => 'a');
    refused('a.hist and other.hist have the same place, a; merge them, .*', qw(a.hist bb.hist other.hist));
    refused('no file was given; .*');
    refused("there is no fact 'x'; use one of host, .*, statistic", '--rows=x', 'a.hist');
    refused('rows and columns have a fact in common; name it once', '--rows=load', '--columns=load', 'a.hist');
    refused("there is no statistic ''; use one of .*", "--show=$_", 'a.hist') for '', 'mean,';
    refused("there is no fact ''; use one of .*", '--rows=', 'a.hist');
    refused("there is no statistic 'p98'; use one of count, .*, p50, .*, p99.99, p99.999, p99.9999", '--show=p98', 'a.hist');
    refused("'4' is not a number of decimals; give one from 0 to 3", '--decimals=4', 'a.hist');
    refused('--csv and --json cannot be combined; .*', '--csv', '--json', 'a.hist');
    refused("$data/thread.hist: has no interval error; .*", '--measure=interval', "$data/thread.hist");
    refused("$data/low-latency-2.4.17.hist: has no lateness; .*", '--measure=lateness', "$data/low-latency-2.4.17.hist");
};

done_testing;
