# SPDX-License-Identifier: GPL-2.0-or-later
# Files that other people's programs wrote, see data/foreign/README: each is read as what it holds, which was counted by
# other means, or refused with the reason. No format is named: their beginnings tell.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib ../plots/lib);
use File::Temp qw(tempdir);
use List::Util qw(sum0);
use Math::BigInt;
use Test::More;

use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Report;
use Analyzer;
use Given;
use RunCommand;

my $data    = "$FindBin::Bin/data/foreign";
my $dir     = tempdir(CLEANUP => 1);
my %tested;
mkdir "$dir/$_" or die "$dir/$_: $!" for qw(foreign reports);

# The runs of a file, all CPUs of each together. What import made of it has the same name in another folder.
sub imported {
    my ($file, @more) = @_;
    $tested{$file}++;
    my ($status, $out, $err) = run($analyze, 'import', '-F', '-o', "$dir/reports/$file", @more, "$data/$file");
    is("$status $out$err", '0 ', "$file is read");
    return map { pooled($_) } runs_of(Realfeel::Model::Report->read_all("$dir/reports/$file"));
}

# The bin that holds the rank of a percentile: where it begins, and where it ends.
sub bin_of {
    my ($report, $percentile) = @_;
    my $histogram = $report->columns('histogram');
    my $n = sum0(@{ $histogram->{lateness} });
    my ($whole, $decimals) = $percentile =~ /^(\d+)\.?(\d*)$/;
    my $hundred = '100' . 0 x length $decimals;
    my ($i, $below) = (-1, 0);
    do { $below += $histogram->{lateness}[++$i] } until Math::BigInt->new($below) * $hundred >= Math::BigInt->new("$whole$decimals") * $n;
    return map { 0 + $histogram->{$_}[$i] } qw(from_us to_us);
}

my @PERCENTILES = qw(50 99 99.9 99.99 99.999);

# Of files in whole microseconds: the number of samples, these percentiles, the maximum, and the mean and the deviation
# where they are known: the mean to what a mean of two decimals, or whole ones, of each thread tells.
my %TRUTH = (
    '24.04_6.8.4-rt11-raspi_rpi3b.log'           => [143993825, 81, 144, 165, 186, 217, 330],
    '24.04_6.8.4-rt11-raspi_rpi5.log'            => [143999734, 3, 6, 7, 9, 11, 34],
    'IMX8P_cyclic_baseline_default.hist.gz'      => [119994, 9, 14, 15, 19, 32, 33],
    'IMX8P_cyclic_baseline_default.json'         => [119994, 9, 14, 15, 19, 32, 33, 8.718, 1.129],
    'IMX8P_cyclic_stress_1M_default.json'        => [119957, 8, 11, 14, 69, 77, 78, 7.693, 1.235],
    'IMX95_data_base_preempt_rt_cyclic_stress_1M.json' => [1799897, 7, 10, 11, 17, 24, 29],
    'IMX95_data_base_preempt_rt_xen_cyclic_stress_100k.json' => [1799892, 14, 63, 76, 87, 99, 2523],
    'IMX95_data_cpumeminterf1M_cyclic_stress_5cores.json' => [299991, 161, 254, 284, 351, 414, 9535],
    'civcode-cyclictest-l5000000-h400.txt'       => [44220549, 5, 7, 7, 11, 15, 28],
    'linaro-rtla-fv2.derived.json'               => [30, 6, 6, 6, 6, 6, 6],
    'neurorust-probe-cyclictest-60s.json'        => [1799995, 2, 9, 11, 14, 20, 340],
    'neurorust-probe-cyclictest-h-60s.hist'      => [1799995, 2, 9, 11, 14, 20, 340],
    'neurorust-probe-cyclictest-histofall-60s.hist' => [1799991, 2, 9, 10, 14, 20, 271],
    'nuttx-cyclictest-doc.txt'                   => [1999931, 11, 11, 11, 13, 16, 16],
    'rtla-timerlat-hist-u.lkml-2023.txt'         => [1800001, 2, 4, 6, 9, 12, 19],
    'rtla-timerlat-hist.kernel-doc.txt'          => [3000010, 6, 9, 13, 19, 30, 58],
);

for my $file (sort keys %TRUTH) {
    subtest $file => sub {
        my ($n, @truth) = @{ $TRUTH{$file} };
        my ($report) = imported($file);
        is($report->header('samples'), $n, "$file: samples");
        is_deeply([map { (bin_of($report, $_))[0] } @PERCENTILES], [@truth[0 .. 4]], "$file: percentiles");
        is($report->us('lateness_max_ns') // $report->latency('lateness')->max, $truth[5], "$file: maximum");
        return unless defined $truth[6];
        cmp_ok(abs($report->latency('lateness')->mean - $truth[6]), '<=', 0.005, 'mean, of all threads, too');
        cmp_ok(abs($report->latency('lateness')->sd - $truth[7]), '<=', 0.001, "$file: deviation");
    };
}

subtest 'oslat is read as turns of a loop' => sub {
    my ($report) = imported('oslat.json');
    is($report->header('samples'), 41695413, 'samples: what the buckets hold');
    is($report->header('lateness_of'), 'turns', 'oslat counts turns of a loop');
    like($report->header('verdict'), qr/oslat counts the turns of a busy loop, not wake-ups/, 'the verdict says what oslat counts');
    is_deeply([bin_of($report, 50)], [0, 1], 'bucket 1 is of turns of less than a microsecond');
    is_deeply([bin_of($report, 99.9999)], [31, 9**9**9], 'the last holds all that are longer');
    is($report->us('lateness_max_ns'), 142, 'the maximum is that of the file');
    my ($biased) = imported('oslat-bias.json');
    is($biased->header('samples'), 78883160, '-B: samples');
    my $histogram = $biased->columns('histogram');
    is_deeply([map { $_->[-1] } @$histogram{qw(from_us lateness)}], ['8.00', 374 + 394], '-B has the overflows of both CPUs');
};

subtest 'what holds no histogram, or no latency' => sub {
    my %why = (
        'linaro-default-no-h.derived.json'   => 'holds no histogram, so it has no percentiles; run cyclictest with --histogram, or have '
            . 'realfeel-analyze audit count what it lacks',
        'ptsematest-openeuler-riscv.json'    => 'holds no histogram; of rt-tests only cyclictest, cyclicdeadline and oslat write one',
        'rtla-osnoise-hist.kernel-doc.txt'   => 'this is osnoise: .*, and no latency; use rtla timerlat hist',
        README                               => 'has no format that its first lines show; give one with --format: .*',
    );
    for my $file (sort keys %why) {
        $tested{$file}++;
        my ($status, $out, $err) = run($analyze, 'import', "$data/$file");
        is("$status $out", '1 ', "$file is refused");
        like($err, qr/\Arealfeel-analyze: \Q$data\E\/$file(?::\d+)?: $why{$file}\n\z/, "$file: the reason");
    }
};

# What each command says of a file, and of what import made of it.
subtest 'every command reads them as import does' => sub {
    my $both = sub {
        my ($file, @command) = @_;
        my ($report, $foreign) = map { [run($analyze, @command, "$dir/$_/$file")] } qw(reports foreign);
        s{\Q$dir\E/foreign}{$dir/reports}g for @$foreign[1, 2];
        ok($foreign->[2] =~ s/\A(realfeel-analyze: \S+: )is read as 'realfeel-analyze import --format=([\w-]+)' reads it\n//,
            "$file, @command: the message says so");
        is_deeply($foreign, $report, "$file, @command: the same answer");
    };
    my @one_of_each = qw(IMX8P_cyclic_baseline_default.hist.gz neurorust-probe-cyclictest-60s.json oslat.json
        rtla-timerlat-hist.kernel-doc.txt);
    for my $file (@one_of_each) {
        symlink "$data/$file", "$dir/foreign/$file" or die $!;
        $both->($file, 'stats', '-v');
    }
    my $file = 'neurorust-probe-cyclictest-60s.json';
    my @commands = ((map { [$_] } qw(stats plot table explain trend report)), [qw(judge --max=10us)],
        [qw(stats --json)], [qw(merge --pool)],
        [qw(plot slices -o), "$dir/x.png"], ['compare', "$dir/reports/$file"], [qw(export --format=tap)]);
    given_by(sub { $both->($file, @$_) for @commands });
    $both->("$file, CPU 3", 'stats');
};

subtest 'what a command cannot take from them' => sub {
    my $file = 'neurorust-probe-cyclictest-60s.json';
    my %why = (
        "plot slices -o $dir/x.png $file" => 'has no slices; give a report that realfeel wrote',
        "explain $file"                   => 'is from another program, which records no causes; measure with realfeel --explain',
        'stats README'                    => "does not begin with '# realfeel 1'; give a report of realfeel, or import it with --format",
    );
    for my $command (sort keys %why) {
        my ($status, undef, $err) = run($analyze, map { -e "$data/$_" ? "$data/$_" : $_ } split ' ', $command);
        is($status, 1, "$command: exit status");
        like($err, qr/: $why{$command}\n\z/, 'what it lacks, and the remedy');
    }
};

subtest 'a pipe is read' => sub {
    my ($status, $out, $err) = run('sh', '-c', 'cat "$1" | "$0" /dev/stdin', $analyze, "$data/civcode-cyclictest-l5000000-h400.txt");
    is($status, 0, 'a file through a pipe is read');
    like($out, qr/\bSUSPECT: imported from cyclictest/, 'a file through a pipe is shown');
};

opendir my $folder, $data or die "$data: $!";
is_deeply([grep { !/^\./ && !$tested{$_} } readdir $folder], [], 'no file is left out');

done_testing;
