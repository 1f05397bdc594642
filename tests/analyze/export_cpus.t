# SPDX-License-Identifier: GPL-2.0-or-later
# Runs on several CPUs in the formats of other programs. SEED=N repeats the random reports.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use List::Util qw(sum0);
use Test::More;

use Exported;
use MadeReport qw(made_cpus);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Report;
use Analyzer;
use RunCommand;
use Seed;

my $data    = "$FindBin::Bin/data/import";
my $dir     = tempdir(CLEANUP => 1);

seed();

sub written { my ($name, $text) = @_; return file_of("$dir/$name", $text) }

# The reports of what another program's format has kept.
sub back {
    my ($format, $file) = @_;
    my ($status, undef, $err) = run($analyze, 'import', "--format=$format", '-F', '-o', "$dir/back.hist", $file);
    is("$status $err", '0 ', "$format is read");
    return Realfeel::Model::Report->read_all("$dir/back.hist");
}

# Three CPUs, of which the second was early, and the third measured less.
sub three {
    my %slices = (0 => [[3, 3, 4]], 1 => [[20, 21, 20.5, 500]], 3 => [[100_000, 7]]);
    return made_cpus("$dir/three.hist", \%slices, period_ns => 488_281, kernel_release => '6.1.0-rt7',
        duration_s => { 0 => 3, 1 => 4, 3 => 2 }, started => '2026-11-20T23:05:57Z', verdict => { 0 => 'valid', 1 => 'valid',
        3 => 'suspect: x' }, missed => { 0 => 0, 1 => 0, 3 => 0 }, @_);
}

subtest 'a run on several CPUs' => sub {
    my $file = three();
    my $run = json('rt-tests', $file);
    is_deeply($run->{thread}, {
        0 => { histogram => { 3 => 2, 4 => 1 }, cycles => 3, min => 3, max => 4, avg => 3.34, cpu => 0, node => -1 },
        1 => { histogram => { 20 => 2, 21 => 1, 500 => 1 }, cycles => 4, min => 20, max => 500, avg => 140.39, cpu => 1, node => -1 },
        2 => { histogram => { 7 => 1, 100_000 => 1 }, cycles => 2, min => 7, max => 100_000, avg => 50_028.5, cpu => 3, node => -1 },
    }, 'rt-tests: a thread for each') or diag explain $run->{thread};
    is("@$run{qw(num_threads end_time return_code)}", '3 Fri, 20 Nov 2026 23:06:01 +0000 0', 'rt-tests: threads, the last end');
    is(json('rt-tests', three(verdict => { 0 => 'valid', 1 => 'invalid: x', 3 => 'valid' }))->{return_code}, 1, 'rt-tests: one failed');
    is_deeply([(split /\n/, exported('cyclictest', three()))[0 .. 2, 5, 22, 502 .. 511]], ['# CPUs: 0 1 3', '# Histogram',
        "000000 000000\t000000\t000000", "000003 000002\t000000\t000000", "000020 000000\t000002\t000000",
        "000500 000000\t000001\t000000", '# Total: 000000003 000000004 000000001', '# Min Latencies: 00003 00020 00007',
        '# Avg Latencies: 00003 00140 50028', '# Max Latencies: 00004 00500 100000', '# Histogram Overflows: 00000 00000 00001',
        '# Histogram Overflow at cycle number:', '# Thread 0:', '# Thread 1:', '# Thread 2: # 00001 others'],
        'cyclictest: a column for each');
    is_deeply([(split /\n/, exported('csv', $file))[0, 1, 3, -1]],
        ['cpu,from_us,to_us,lateness', '0,3.00,3.01,2', '1,20.00,20.01,1', '3,100000.00,100100.00,1'], 'csv: a column for the CPU');
};

subtest 'prometheus, of several CPUs' => sub {
    my $text = exported('prometheus', three(missed => { 0 => 0, 1 => 'unknown', 3 => 0 }, periods => { 0 => 3, 1 => 'unknown', 3 => 2 }));
    my %times;
    $times{$_}++ for $text =~ /^(# (?:HELP|TYPE) \w+)/mg;
    is_deeply([grep { $times{$_} > 1 } sort keys %times], [], 'each metric is described once');
    is_deeply([$text =~ /_count\{cpu="(\d)",.*\} (\d+)$/mg], [0, 3, 1, 4, 3, 2], 'a label for each');
    is_deeply([$text =~ /^realfeel_missed_periods\{cpu="(\d)",/mg], [0, 3], 'what is unknown of one CPU is printed of the others');
    my @series = $text =~ /^(realfeel\w+\{.*\}) /mg;
    my %series = map { $_ => 1 } @series;
    is(scalar keys %series, scalar @series, 'no two samples have the same labels');
    is_deeply([$text =~ /^realfeel_verdict\{cpu="(\d)",.*\} (\d)$/mg], [0 => 0, 1 => 0, 3 => 1], 'each CPU has its own verdict');
    unlike(exported('prometheus', "$dir/three.hist, CPU 1"), qr/cpu=/, 'a CPU exported by its name has no label');
};

subtest 'a CPU that measured nothing' => sub {
    my $file = made_cpus("$dir/none.hist", { 0 => [[3]], 1 => [] }, period_ns => 488_281,
        verdict => { 0 => 'valid', 1 => 'invalid: the CPU was offline' });
    my $run = json('rt-tests', $file);
    is_deeply([$run->{return_code}, @{ $run->{thread}{1} }{qw(cycles max cpu)}], [1, 0, undef, 1],
        'a CPU without samples fails the run, and rt-tests has no figures of it');
    my ($status, $out, $err) = export('cyclictest', $file);
    is("$status $out", '1 ', 'cyclictest refuses the run');
    like($err, qr/: \Q$file\E, CPU 1: holds no samples, which the format cannot express; export the CPUs that do [^\n]*\n\z/,
        'the refusal names the CPU without samples');
    is((exported($_, $file) eq '') + 0, 0, "$_ of what there is") for qw(prometheus csv);
};

subtest 'a CPU that is unreliable is named' => sub {
    my $file = three(schedule => { 0 => 'kept', 1 => 'contradicted: x', 3 => 'kept' });
    my ($status, undef, $err) = export('rt-tests', $file);
    is("$status $err", "0 realfeel-analyze: $file, CPU 1: the lateness is unreliable: x; see the report\n",
        'the warning names the unreliable CPU');
};

subtest 'several CPUs, there and back' => sub {
    my %slices = map { $_ => [[65_005, map { (10 * int(300 + 100 * exp rand 11) + 5) / 1000 } 1 .. 200]] } 0, 2, 5;
    my $file = made_cpus("$dir/there.hist", \%slices, period_ns => 488_281, started => '2026-11-20T23:05:57Z', duration_s => 3);
    my @there = Realfeel::Model::Report->read_all($file);
    for my $format (qw(rt-tests cyclictest)) {
        my @back = back($format, written('there', exported($format, $file)));
        is_deeply([map { [@{ $_->{part} }, $_->{cpu}] } @back], [[1, 3, 0], [2, 3, 2], [3, 3, 5]], "$format: the parts and their CPUs");
        my ($a, $b) = map { [map { counts($_) } @$_] } \@there, \@back;
        is_deeply($b, $a, "$format: the counts of each");
    }
};

# In microseconds.
sub counts {
    my ($report) = @_;
    my ($from, $count, %count) = @{ $report->columns('histogram') }{qw(from_us lateness)};
    $count{ $from->[$_] < 100_000 ? int $from->[$_] : 'beyond' } += $count->[$_] for 0 .. $#$from;
    return \%count;
}

subtest 'an imported run' => sub {
    my $there = "$data/two-threads.txt";
    my @two = back('cyclictest', $there);
    my $file = "$dir/back.hist";
    my ($ours, $theirs) = map { s/^# Histogram Overflow at.*//msr } exported('cyclictest', $file), contents($there);
    is($ours, $theirs =~ s/\A.*?(?=# Histogram)//sr, 'the export of an import is the imported text, overflows included');
    my $run = json('rt-tests', $file)->{thread};
    is_deeply([map { sum0(values %{ $run->{$_}{histogram} }) } 0, 1], [map { $run->{$_}{cycles} } 0, 1],
        'samples without a place are counted at the maximum');
    is_deeply([$run->{0}{histogram}{14525}, $run->{1}{histogram}{568}, map { $run->{$_}{cpu} } 0, 1], [329, 390, -1, -1],
        'the bin of the maximum has the samples without a place');
    like(exported('prometheus', $file), qr/_count\{.*part="1".*\} 363\n/, 'CPUs that are not known have another label');
    unlike(exported('prometheus', $file), qr/le="0\.0001"/, 'no bound inside the open bin');
    is(pooled({ reports => \@two })->latency('lateness')->{open_from}, 30, 'together they are open, too');
    my $theirs_json = JSON::PP->new->decode(contents("$data/two-threads.json") =~ s/:":/":/gr);
    my $ours_json = json('rt-tests', $file);
    is_deeply([shape($ours_json)], [shape($theirs_json)], 'rt-tests: the keys that cyclictest writes');
};

# The paths of all keys but those of the histograms.
sub shape {
    my ($value, $path) = @_;
    return $path unless ref $value eq 'HASH' && ($path // '') !~ /histogram$/;
    return map { shape($value->{$_}, join '.', $path // (), $_) } sort keys %$value;
}

done_testing;
