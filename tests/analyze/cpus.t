# SPDX-License-Identifier: GPL-2.0-or-later
# A run on several CPUs: its parts are read as one run, and added together they are one report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(max sum0);
use Test::More;

use MadeReport;
use RandomReport;
use Realfeel::Model::Cpus qw(cpu_list pooled runs_of);
use Realfeel::Model::Names qw(names);
use Realfeel::Model::Report;
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $dir     = tempdir(CLEANUP => 1);
seed();

sub file_with {
    my ($text, $name) = @_;
    return file_of("$dir/" . ($name // 'x.hist'), $text);
}

sub made_run {
    my ($cpus, @header) = @_;
    return contents(made_cpus("$dir/made.hist", { map { $_ => [[1, 2, 3], [4, 5]] } @$cpus }, @header));
}

my $four   = made_run([0, 1, 3, 6]);
my @parts  = $four =~ /(# realfeel 1\n.*?^# end samples=5\n)/msg;
my $single = contents("$FindBin::Bin/data/small.hist");

subtest 'runs and their parts' => sub {
    my $path = file_with($four);
    my @reports = Realfeel::Model::Report->read_all($path);
    is_deeply([map { [@{ $_->{part} }] } @reports], [map { [$_, 4] } 1 .. 4], 'each report has its place in the run');
    is_deeply([map { $_->{cpu} } @reports], [0, 1, 3, 6], 'each report has its CPU');
    is_deeply([map { $_->{file} } @reports], [map { "$path, CPU $_" } 0, 1, 3, 6], 'each report is named by file and CPU');
    is_deeply([names(@reports)], [map { "CPU $_" } 0, 1, 3, 6], 'the CPUs alone tell the reports apart');
    my ($run, @more) = runs_of(@reports);
    is_deeply([scalar @{ $run->{reports} }, $run->{of}, scalar @more], [4, 4, 0], 'the reports of all CPUs are one run');
    is(pooled($run)->{file}, $path, 'the pool has the name of the file');
    is(pooled($run), pooled($run), 'the pool is added up once');
};

subtest 'several runs in a file' => sub {
    my $path = file_with("$single\n$four\n\n" . made_run([2, 4]) . $single, 'runs.hist');
    my @runs = runs_of(Realfeel::Model::Report->read_all($path));
    is_deeply([map { $_->{of} } @runs], [1, 4, 2, 1], 'each run has its parts');
    is_deeply([map { pooled($_)->{file} } @runs], [map { "$path#$_" } 1 .. 4], 'each run has a number');
    is(pooled($runs[0]), $runs[0]{reports}[0], 'the pool of one CPU is its report');
    is_deeply([map { $_->{file} } Realfeel::Model::Report->read_all("$path#3")], ["$path#3, CPU 2", "$path#3, CPU 4"],
        'a number names the CPUs of one run');
    my $one = Realfeel::Model::Report->read("$path#2, CPU 6");
    is_deeply([$one->{file}, $one->{cpu}, [@{ $one->{part} }]], ["$path#2, CPU 6", 6, []], 'a CPU by its name stands for itself');
    is_deeply([map { $_->{of} } runs_of($one, Realfeel::Model::Report->read("$path#3, CPU 2"))], [1, 1], 'beside another, too');
    is(eval { Realfeel::Model::Report->read("$path#3, CPU 6") } // $@,
        "$path: holds no report of CPU 6; choose one that it holds, as in '$path#3, CPU 2'\n", 'a CPU that is not there');
    is(eval { Realfeel::Model::Report->read("$path#3") } // $@,
        "$path#3: holds 2 reports, but one is needed; choose it, as in $path#3, CPU 2\n", 'one report is due');
    is((run($analyze, "$dir/runs.hist#2, CPU 3"))[0], 0, 'a CPU is named on the command line');
    is(Realfeel::Model::Report->read(file_with($single, 'a, CPU 1'))->{file}, "$dir/a, CPU 1", 'a file that is named like a CPU is read');
};

subtest 'CPUs of two runs need names that tell them apart' => sub {
    my @reports = map { Realfeel::Model::Report->read_all(file_with($four, $_)) } 'rt.hist', 'full.hist.gz';
    is_deeply([names(@reports[3, 4])], ['rt, CPU 6', 'full, CPU 0'], 'each name has its file and its CPU');
    is_deeply([names($reports[4])], ['full.hist, CPU 0'], 'the only compressed file keeps its suffix');
    my @labelled = Realfeel::Model::Report->read_all(file_with(made_run([0, 1], label => 'tuned')));
    is_deeply([names(@labelled)], ['tuned, CPU 0', 'tuned, CPU 1'], 'a label takes the place of the file');
};

sub refused {
    my ($name, $text, $pattern) = @_;
    my $path = file_with($text);
    my ($status, $out, $err) = run($analyze, $path);
    is("$status$out", 1, "$name: nothing is listed");
    like($err, qr/\Arealfeel-analyze: \Q$path\E:$pattern\n\z/, "$name: the message");
}

sub with {
    my ($from, $to) = @_;
    my $text = $four =~ s/^\Q$from\E$/$to/mr;
    die "not in the report: $from" if $text eq $four;
    return $text;
}

my $lines = $parts[0] =~ tr/\n//;
my ($second, $third) = map { 1 + $lines * $_ } 1, 2;
my $last_of_two = 2 * $lines;
refused('no number',       with('# part: 2 of 4', '# part: two'),    ($second + 1) . ": part is 'two', not a part like '2 of 4'; .*");
refused('part 0',          with('# part: 1 of 4', '# part: 0 of 4'), "2: part is '0 of 4', not .*");
refused('beyond the last', with('# part: 4 of 4', '# part: 5 of 4'), "\\d+: part is '5 of 4', which is not possible; the .*");
refused('out of order',    join('', @parts[0, 2, 1, 3]),             "$second: part 3 of 4 follows part 1 of 4; the report is damaged, .*");
refused('twice',           join('', @parts[0, 1, 1, 2, 3]),          "$third: part 2 of 4 follows part 2 of 4; the .*");
refused('of others',       with('# part: 2 of 4', '# part: 2 of 3'), "$second: part 2 of 3 follows part 1 of 4; the .*");
refused('no first',        join('', @parts[1 .. 3]),                 '1: begins with part 2 of 4, which is not the first; take .*');
refused('cut off',         join('', @parts[0, 1]),                   "$last_of_two: ends after part 2 of 4, so the run is cut off; .*");
refused('and another run', join('', @parts[0, 1], $four),            "$third: another run begins after part 2 of 4, so this one .*");
refused('and a plain one', join('', @parts[0, 1], $single),          "$third: another run begins after part 2 of 4, so this one .*");
refused('a CPU again',     with('# cpu: 3', '# cpu: 1'),             "$third: part 3 of 4 is of CPU 1 again; the .*");
refused('another period',  with('# part: 3 of 4', "# part: 3 of 4\n# period_ns: 5"), "$third: part 3 of 4 has another period_ns than .*");

# What a run says is what its samples say, whatever CPU they are of.
subtest 'a pool is the sum of its CPUs' => sub {
    my ($pool, @reports, @slices);
    for my $cpu (0 .. 2) {
        my ($report, $slices) = random_report(400, cpu => $cpu);
        push @reports, $report;
        push @{ $slices[$_] }, @{ $slices->[$_] } for 0 .. 3;
    }
    ($pool) = map { pooled($_) } runs_of(Realfeel::Model::Report->read_all(file_with(parts_text(@reports))));
    my $all = Realfeel::Model::Report->of({ %{ report_of(\@slices) }, file => 'all' });
    is_deeply($pool->columns('histogram'), $all->columns('histogram'), 'the histogram of the pool is the sum');
    for my $key (qw(samples periods missed early_wakeups), map { my $m = $_; map { "${m}_$_" } qw(min_ns max_ns sum_ns sumsq_ns2) }
        qw(interval lateness)) {
        is($pool->header($key), $all->header($key), $key);
    }
    cmp_ok(abs($pool->header("${_}_mean_ns") - $all->header("${_}_mean_ns")), '<=', 0.0011, "mean of $_, rounded")
        for qw(interval lateness);
    my ($set, $expected) = map { $_->columns('events') } $pool, $all;
    is_deeply($set->{lateness_us}, $expected->{lateness_us}, 'the worst wake-ups');
    is($pool->header('duration_s'), max(map { $_->{header}{duration_s} } @reports), 'at the same time, not one after the other');
    is_deeply([$pool->header('cpu'), @{ $pool->{part} }], ['0-2'], 'the pool names all CPUs');
};

subtest 'slices of the same time are added' => sub {
    my $path = made_cpus("$dir/slices.hist", { 0 => [[1, 2], [3, 90], [5]], 2 => [[1.5], [2, 70.2], []], 3 => [[9, 1]] });
    my ($run) = runs_of(Realfeel::Model::Report->read_all($path));
    my ($slices, $bins) = map { pooled($run)->columns($_) } qw(slices slice_bins);
    is_deeply($slices->{start_s}, [0, 1, 2], 'the slices of all CPUs are on one grid');
    is_deeply($slices->{periods}, [5, 4, 1], 'the counts of a slice are added');
    is_deeply([map { 0 + $_ } @{ $slices->{lateness_max_us} }], [9, 90, 5], 'the latest of all');
    is_deeply($bins->{start_s}, [(0) x 4, (1) x 4, 2], 'each bin has its slice');
    is_deeply($bins->{lateness}, [2, 1, 1, 1, (1) x 5], 'the bins of a slice have their counts');
};

subtest 'slices of CPUs that have longer ones, or end elsewhere' => sub {
    my @cpus = map { [Realfeel::Model::Report->read_all(made("$dir/$_->[0]", $_->[1]))]->[0] }
        ['short', [map { [$_] } 1 .. 8]], ['long', [map { [$_ / 10] } 1 .. 3]];
    my $text = written($cpus[1]) =~ s/^([012]) 1 /2 * $1 . ' 2 '/mger;
    my @reports = ($cpus[0], Realfeel::Model::Report->read(file_with($text)));
    my $slices = pooled({ reports => \@reports })->columns('slices');
    is_deeply($slices->{start_s}, [0, 2, 4, 6], 'the grid is the longest slices, and goes on to the last end');
    is_deeply($slices->{periods}, [3, 3, 3, 2], 'each wake-up is in one slice of the grid');
};

subtest 'verdict and schedule' => sub {
    my %slices = map { $_ => [[1], [2]] } 0, 1, 2, 6;
    my $pool = sub { my @header = @_; pooled(runs_of(Realfeel::Model::Report->read_all(made_cpus("$dir/v.hist", \%slices, @header)))) };
    my $of = sub { my ($key, %value) = @_; $pool->($key => \%value)->header($key) };
    is($pool->(verdict => 'suspect: a; b')->header('verdict'), 'suspect: a; b', 'what all CPUs say');
    is($of->('verdict', 0 => 'valid', 1 => 'suspect: a', 2 => 'suspect: a; b', 6 => 'suspect: a'), 'suspect: CPU 1-2,6: a; CPU 2: b',
        'the CPUs that say it');
    is($pool->(remarks => 'a; b')->header('remarks'), 'a; b', 'equal remarks of all CPUs are given once');
    is($of->('remarks', 0 => 'a', 1 => 'a; b', 2 => 'b', 6 => 'a'), 'CPU 0-1,6: a; CPU 1-2: b', 'a remark names the CPUs that have it');
    is($of->('verdict', 0 => 'suspect: a', 1 => 'invalid: nothing was measured', 2 => 'valid', 6 => 'valid'),
        'invalid: CPU 0: a; CPU 1: nothing was measured', 'the worst verdict of a CPU is the verdict of the run');
    is($of->('verdict', 0 => 'valid', 1 => 'suspect: CPU 1 went offline', 2 => 'valid', 6 => 'valid'), 'suspect: CPU 1 went offline',
        'a reason that names its CPU');
    is($of->('schedule', 0 => 'kept', 1 => 'contradicted: drift', 2 => 'kept', 6 => 'kept'), 'contradicted: CPU 1: drift',
        'the schedule of one CPU contradicts that of the run');
    is($of->('status', 0 => 'complete', 1 => 'interrupted', 2 => 'complete', 6 => 'complete'), 'interrupted',
        'an interrupted CPU interrupts the run');
};

subtest 'a CPU on which nothing was measured' => sub {
    my $path = made_cpus("$dir/none.hist", { 0 => [[1, 2], [3]], 1 => [] }, verdict => { 0 => 'valid', 1 => 'invalid: refused' });
    my ($run) = runs_of(Realfeel::Model::Report->read_all($path));
    is(pooled($run)->latency('lateness')->n, 3, 'a CPU without samples does not stand in the way of the others');
    is(pooled($run)->header('verdict'), 'invalid: CPU 1: refused', 'the verdict names the CPU without samples');
    ($run) = runs_of(Realfeel::Model::Report->read_all(made_cpus("$dir/none.hist", { 0 => [], 1 => [] })));
    is(pooled($run)->header('samples'), 0, 'two CPUs without samples are a run without samples');
};

subtest 'the listing has a row for each CPU' => sub {
    my @slices = map { my $slice = $_; [map { sprintf '%.2f', 5 + $_ % 10 / 10 + $slice % 3 / 10 + ($_ == 500) * 20 } 1 .. 1000] } 1 .. 20;
    my %of = (0 => \@slices, 1 => [[1, 3]], 4 => [@slices, [70]], 7 => []);
    my ($status, $out) = run($analyze, '-v', made_cpus("$dir/l.hist", \%of, phases => 'aligned', verdict => 'valid'));
    my ($table) = $out =~ /^( +lateness in us of each CPU.*?)\n\n/ms;
    my @rows = map { [split] } (split /\n/, $table)[1 .. 6];
    is_deeply($rows[0], [qw(CPU samples p50 p99 p99.9 max missed)], 'the table has no column of verdicts if all CPUs are valid');
    is_deeply([map { $_->[0] } @rows[1 .. 5]], [7, 4, 0, 1, 'all'], 'CPUs that measured nothing come first, then the worst');
    is_deeply($rows[1], [7, 0, qw(- - - - 0)], 'a CPU that measured nothing has dashes');
    is_deeply([@{ $rows[4] }[1 .. 5]], [qw(2 ~1.01 - - 3.00)], 'two samples give a rough median, and no percentile');
    like($rows[2][4], qr/^~?[\d.]+$/, '20,000 samples give a p99.9');
    like($out, qr/^  cpus +0-1,4,7, due at the same instant$/m, 'the listing says when the CPUs were due');
    my %verdicts = (0 => 'valid', 1 => 'suspect: a', 4 => 'valid', 7 => 'invalid: b');
    ($status, $out) = run($analyze, '-v', made_cpus("$dir/l.hist", \%of, verdict => \%verdicts));
    like($out, qr{\A\Q$dir\E/l.hist: INVALID\n  \* CPU 1: a\n  \* CPU 7: b\n}, 'the worst verdict, and which CPU has it');
    like($out, qr/ missed  verdict\n +7 .* invalid\n +4 .* valid\n +0 .* valid\n +1 .* suspect\n +all .* invalid\n/,
        'each row has the verdict of its CPU');
    my ($of_one) = (run($analyze, '-v', "$dir/l.hist, CPU 4"))[1];
    unlike($of_one, qr/each CPU|^  cpus/m, 'one CPU alone is listed as any run on one');
};

is(cpu_list(map { FakePart->new($_) } 6, 0, 3, 2, 1, 8), '0-3,6,8', 'a list of CPUs');

done_testing;

package FakePart;

sub new { return bless { cpu => $_[1] }, $_[0] }

sub cpu { return $_[0]{cpu} }
