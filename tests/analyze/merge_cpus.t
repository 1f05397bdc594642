# SPDX-License-Identifier: GPL-2.0-or-later
# Runs on several CPUs made one, CPU by CPU or all CPUs together. SEED=N repeats the random reports.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(max min shuffle sum0);
use Test::More;

use MadeReport qw(made_cpus);
use RandomReport;
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Report;
use Realfeel::Model::Slices;
use Realfeel::Model::Sum;
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);

seed();

my $files = 0;

sub file { return file_of("$dir/" . ++$files . '.hist', @_) }

# A run on these CPUs, of random reports.
sub random_run {
    my ($cpus, %more) = @_;
    return parts_text(map { (random_report(60, %more, cpu => $_))[0] } @$cpus);
}

sub merged {
    my @arguments = @_;
    my ($status, $out, $err) = run($analyze, 'merge', @arguments);
    is("$status $err", '0 ', "merge @arguments: no complaint");
    return $out;
}

sub refused {
    my ($name, $pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'merge', @arguments);
    is("$status $out", '1 ', "$name: nothing is written");
    like($err, qr/\Arealfeel-analyze: $pattern; [^\n]+\n\z/, "$name: the message, with a remedy");
}

# The started times of runs are apart, for runs that start at the same time on all CPUs are the same.
sub nights {
    my ($number, @cpus) = @_;
    return map { file(random_run(\@cpus, started => "2026-11-2${_}T00:00:00Z")) } 1 .. $number;
}

subtest 'CPU by CPU' => sub {
    my @files = nights(3, 0, 1, 3);
    my $path = file(merged(@files));
    my @reports = Realfeel::Model::Report->read_all($path);
    is_deeply([map { [@{ $_->{part} }, $_->{cpu}, $_->runs] } @reports], [[1, 3, 0, 3], [2, 3, 1, 3], [3, 3, 3, 3]],
        'each CPU has its part');
    for my $report (@reports) {
        my $alone = merged(map { "$_, CPU " . $report->{cpu} } @files);
        is(report_of_file(contents($path), @{ $report->{part} }), $alone, 'the part of a CPU is what its reports alone come to');
    }
    is(merged(shuffle @files), contents($path), 'runs merged in any order are the same');
    is(merged(file(merged(@files[0, 2])), $files[1]), contents($path), 'runs merged in steps are the same');
    my $one = file(merged($files[0]));
    is_deeply([map { $_->header('samples') } Realfeel::Model::Report->read_all($one)],
        [map { $_->header('samples') } Realfeel::Model::Report->read_all($files[0])], 'one run alone keeps its samples');
};

# The text of one part, without the line that says so.
sub report_of_file {
    my ($text, $number) = @_;
    return ($text =~ /(# realfeel 1\n.*?^# end samples=\d+\n)/msg)[$number - 1] =~ s/^# part: .*\n//mr;
}

sub figures {
    my ($report) = @_;
    return { map { $_ => $report->header($_) } qw(samples periods missed early_wakeups),
        map { ("lateness_$_", "interval_$_") } qw(min_ns max_ns mean_ns sum_ns sumsq_ns2) };
}

subtest 'all CPUs together' => sub {
    my @files = nights(3, 0, 1, 3);
    my ($pool, @more) = Realfeel::Model::Report->read_all(file(merged('--pool', @files)));
    is_deeply([[@{ $pool->{part} }], scalar @more, $pool->runs, $pool->header('cpu')], [[], 0, 3, '0-1,3'], '--pool makes one report');
    my ($by_cpu) = map { pooled({ reports => [Realfeel::Model::Report->read_all($_)] }) } file(merged(@files));
    is_deeply(figures($pool), figures($by_cpu), 'the figures of --pool are those of CPUs that were merged before');
    is_deeply($pool->columns('histogram'), $by_cpu->columns('histogram'), 'the bins of --pool are those of CPUs that were merged before');
    is_deeply($by_cpu->columns('runs'), { %{ $pool->columns('runs') } }, 'the runs of --pool are those of CPUs that were merged before');
    for my $set (qw(slices slice_bins)) {
        my ($ours, $theirs) = map { numbers($_->columns($set)) } $pool, $by_cpu;
        is_deeply($ours, $theirs, "the $set of --pool are those of CPUs that were merged before");
    }
    is(sum0(@{ $pool->columns('slices')->{periods} }), $pool->header('periods'), 'the slices of --pool hold every period');
    my $one = Realfeel::Model::Report->read(file(merged('--pool', $files[0])));
    is_deeply(figures($one), figures(pooled({ reports => [Realfeel::Model::Report->read_all($files[0])] })),
        'the figures of one run with --pool are those of its CPUs');
};

sub numbers {
    my ($columns) = @_;
    return { map { $_ => [map { 0 + $_ } @{ $columns->{$_} }] } keys %$columns };
}

subtest 'slices of the same time are added, those of other runs are not' => sub {
    my @files = map { made_cpus("$dir/of$_.hist", { 0 => [[1], [2, 3]], 2 => [[4 + $_], [5]] }, period_ns => 488_281, verdict => 'valid',
        started => "2026-11-2${_}T00:00:00Z", duration_s => 2) } 1, 2;
    for my $report (Realfeel::Model::Report->read(file(merged('--pool', @files))),
        pooled({ reports => [Realfeel::Model::Report->read_all(file(merged(@files)))] })) {
        my $slices = $report->columns('slices');
        is_deeply([map { my $i = $_; join ' ', map { 0 + $slices->{$_}[$i] } qw(run start_s periods lateness_max_us) } 0 .. 3],
            ['1 0 2 5', '1 1 3 5', '2 0 2 6', '2 1 3 5'], 'slices of one time are added');
        is_deeply([@{ $report->columns('runs') }{qw(samples duration_s)}], [[5, 5], [2, 2]], 'runs have their samples and lengths');
    }
};

# Sorted by its own figures, each CPU would have another order.
subtest 'runs that started in the same second' => sub {
    my @files = map { made_cpus("$dir/$_->[0].hist", { 0 => [[(1) x $_->[1]]], 1 => [[(2) x $_->[2]]] }, period_ns => 488_281,
        verdict => 'valid', started => '2026-11-20T23:05:57Z', duration_s => 1) } ['a', 1, 4], ['b', 2, 3];
    my $text = merged(@files);
    is_deeply([map { $_->columns('runs')->{samples} } Realfeel::Model::Report->read_all(file($text))],
        [[1, 2], [4, 3]], 'runs of one second are in one order on all CPUs');
    is(merged(reverse @files), $text, 'the order of the files does not matter');
    is(merged(file(merged($files[1])), $files[0]), $text, 'runs of one second merged in steps are the same');
};

# CPU by CPU, as if each were a run of its own.
sub added {
    my @reports = @_;
    my $sum = Realfeel::Model::Sum->new('merge each kind by itself', Realfeel::Model::Slices->new(1));
    for my $report (@reports) { $sum->add($report, { map { $_ => $report->header($_) } grep { $_ ne 'part' } $report->keys }) }
    return Realfeel::Model::Report->read(file(report_text({ $sum->contents([]) })));
}

subtest 'all CPUs of a run are what a merge of them comes to' => sub {
    for my $measures (qw(due asked both)) {
        my @reports = Realfeel::Model::Report->read_all(file(random_run([0, 1, 3], measures => $measures)));
        my ($pooled, $added) = (pooled({ reports => \@reports }), added(@reports));
        my @keys = grep { /_(?:ns2?|us|ms)$/ || /^(?:samples|periods|missed|early_wakeups)$/ } $added->keys;
        is_deeply({ map { $_ => $pooled->header($_) } @keys }, { map { $_ => $added->header($_) } @keys }, "$measures: figures");
        is_deeply($pooled->columns('histogram'), $added->columns('histogram'), "$measures: bins");
        my ($in_pool, $in_sum, @of_each) = map { scalar @{ $_->columns('events')->{at_s} } } $pooled, $added, @reports;
        is_deeply([$in_pool, $in_sum], [(min(32, sum0(@of_each))) x 2], "$measures: the worst wake-ups are as many");
    }
};

sub two_cpus {
    my @texts = @_;
    my @parts = map { $texts[$_] =~ s/^# realfeel 1\n\K/sprintf "# part: %d of 2\n# cpu: %d\n", 1 + $_, $_/er } 0, 1;
    return [Realfeel::Model::Report->read_all(file(join '', @parts))];
}

sub bins_text {
    my %bins = @_;
    my %header = (period_ns => 488_281, map { $_ => 2 } qw(samples periods));
    return report_text({ header => { %header, missed => 0 }, keys => [sort(keys %header), 'missed'], histogram => \%bins });
}

subtest 'bins of other widths are refused' => sub {
    my @wide = (from_us => [1, 5], to_us => [3, 'inf'], lateness => [1, 1]);
    for my $from ([1, 2], [2, 3]) {
        my $reports = two_cpus(bins_text(from_us => $from, to_us => [$from->[1], 4], lateness => [1, 1]), bins_text(@wide));
        my $what = qr/the bin from \d us does not have the same width in all reports; /;
        is(eval { pooled({ reports => $reports }) }, undef, 'CPUs with bins of other widths are refused');
        like($@, qr/\A\Q$dir\E.\d+[.]hist: ${what}analyse each by its name\n\z/, 'the refusal of CPUs asks for each by its name');
        is(eval { added(@$reports) }, undef, 'runs with bins of other widths are refused');
        like($@, qr/\A${what}merge each kind by itself\n\z/, 'the refusal of runs asks for each kind by itself');
    }
};

subtest 'open bins that begin elsewhere become the first of them' => sub {
    my $reports = two_cpus(bins_text(from_us => [1, 4], to_us => [3, 'inf'], lateness => [1, 1]),
        bins_text(from_us => [4, 5], to_us => [5, 'inf'], lateness => [1, 1]));
    for my $sum (pooled({ reports => $reports }), added(@$reports)) {
        is_deeply($sum->columns('histogram'), { from_us => ['1.00', '4.00'], to_us => ['3.00', 'inf'], lateness => [1, 3] },
            'the open bin has all counts');
    }
};

subtest 'parts of a lateness that one CPU does not tell are not those of all' => sub {
    my $told = contents("$data/explained.hist") =~ s/^# (?:cpu|part): .*\n//mgr;
    my $figures = qr/trace_lost|parts_\w+|(?:expiry|waking|switch|again|stamp)_\w+/;
    my $untold = $told =~ s/^# parts(?:_by_lateness)?\n(?:.+\n)+//mgr =~ s/^# $figures: .*\n//mgr;
    my $reports = two_cpus($told, $untold);
    for my $sum (pooled({ reports => $reports }), added(@$reports)) {
        is_deeply([grep { /^(?:expiry|waking|switch|again|stamp|parts)_(?!interval)/ } $sum->keys], [],
            'parts that one CPU lacks have no figures');
        ok(!$sum->has('parts'), 'parts that one CPU lacks have no bins');
    }
};

subtest 'what has no common CPUs' => sub {
    my ($two, $other, $three, $single) = (nights(1, 0, 1), nights(1, 0, 3), nights(1, 0, 1, 2), file(report_text((random_report(60))[0])));
    refused('others', qr/\Q$other: measured CPUs 0,3, but $two CPUs 0-1\E/, $two, $other);
    refused('more', qr/\Q$three: measured CPUs 0-2, but $two CPUs 0-1\E/, $two, $three);
    refused('fewer', qr/\Q$two: measured CPUs 0-1, but $three CPUs 0-2\E/, $three, $two);
    refused('one', qr/\Q$single: measured one CPU alone, but $two CPUs 0-1\E/, $two, $single);
    refused('one first', qr/\Q$two: measured CPUs 0-1, but $single one CPU alone\E/, $single, $two);
    my $pool = Realfeel::Model::Report->read(file(merged('--pool', $two, $other, $three, $single)));
    is($pool->header('samples'),
        sum0(map { $_->header('samples') } map { Realfeel::Model::Report->read_all($_) } $two, $other, $three, $single),
        '--pool takes runs on other CPUs');
    refused('a run cut off', qr/\Q$dir\E\S+: .*cut off/, $two, file(contents($two) =~ s/\A(.*?^# end [^\n]*\n).*/$1/msr));
    refused('another period on one CPU', qr/.*period_ns is '100000', but in .*, CPU 0 it is '488281'.*/,
        $two, file(random_run([0, 1], period_ns => 100_000)));
};

subtest 'a CPU that measured nothing in one night' => sub {
    my %verdict = (0 => 'valid', 1 => 'invalid: the CPU was offline');
    my ($none) = made_cpus("$dir/none.hist", { 0 => [[3]], 1 => [] }, period_ns => 488_281, verdict => \%verdict);
    my ($all)  = made_cpus("$dir/all.hist", { 0 => [[3]], 1 => [[4, 5]] }, period_ns => 488_281, verdict => 'valid');
    my @reports = Realfeel::Model::Report->read_all(file(merged($none, $all)));
    is_deeply([map { $_->header('samples') } @reports], [2, 2], 'a CPU that measured nothing in one night has the samples of the other');
    is_deeply([map { $_->header('verdict') } @reports], ['valid', 'invalid: the CPU was offline'],
        'a CPU that measured nothing in one night is invalid');
};

subtest 'single reports of other CPUs are merged as before' => sub {
    my @files = map { file(report_text((random_report(60, cpu => $_))[0])) } 2, 3;
    my $report = Realfeel::Model::Report->read(file(merged(@files)));
    is_deeply([$report->header('cpu'), $report->runs, [@{ $report->{part} }]], ['several', 2, []], 'two single reports make one');
    is(merged('--pool', @files), merged(@files), 'single reports of two CPUs are the same with --pool');
};

subtest 'the slices of many CPUs' => sub {
    my $night = sub { file(made_text([0 .. 7], [map { [1 + $_ % 7] } 1 .. 300], started => "2026-11-2$_[0]T00:00:00Z")) };
    my @files = map { $night->($_) } 1 .. 3;
    my $text = merged(@files);
    my @reports = Realfeel::Model::Report->read_all(file($text));
    is_deeply([map { scalar @{ $_->columns('slices')->{run} } } @reports], [(450) x 8], 'many CPUs have no more slices than one run');
    is_deeply([map { $_->header('slices_joined') } @reports], [(2) x 8], 'each CPU says how many slices were joined');
    is_deeply([map { sum0(@{ $_->columns('slices')->{periods} }) } @reports], [(900) x 8], 'the slices of each CPU hold all periods');
    is(merged(file(merged(@files[2, 0])), $files[1]), $text, 'slices merged in steps are the same');
};

# A run on these CPUs, all of which measured the same.
sub made_text {
    my ($cpus, $slices, %more) = @_;
    return contents(made_cpus("$dir/made.hist", { map { $_ => $slices } @$cpus }, period_ns => 488_281, verdict => 'valid', %more));
}

subtest 'memory does not grow with the number of runs' => sub {
    my @slices = map { [map { 5 + int rand 10 } 1 .. 3] } 1 .. 400;
    my $file = made_cpus("$dir/long.hist", { map { $_ => \@slices } 0 .. 3 }, period_ns => 488_281, verdict => 'valid',
        started => 'unknown', duration_s => 400);
    my @files = map { my $n = $_; file(contents($file) =~ s/^# started: \K.*/sprintf '2026-11-20T23:05:%02dZ', $n/mgre) } 0 .. 7;
    my @mb = map { memory_mb(qw(merge -F -o), "$dir/sum", @files[0 .. $_ - 1]) } 2, 8;
    cmp_ok($mb[1] - $mb[0], '<', 1, '8 runs take no MB more than 2');
    is_deeply([map { $_->runs } Realfeel::Model::Report->read_all("$dir/sum")], [(8) x 4], 'the sum has all runs on each CPU');
};

done_testing;
