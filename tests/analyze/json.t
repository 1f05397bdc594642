# SPDX-License-Identifier: GPL-2.0-or-later
# Every leaf of every JSON document, against the schema that is installed: a figure is a number, whatever it ends in.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib",
    "$FindBin::Bin/../plots/lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use JsonSchema;
use MadeReport;
use MakeExplained;
use ReportText;
use Analyzer;
use RunCommand;

my $root    = "$FindBin::Bin/../..";
my $data    = "$FindBin::Bin/data";
my $schema  = JsonSchema->new(JSON::PP->new->utf8->decode(contents("$root/analyze/schema.json")));
chdir tempdir(CLEANUP => 1) or die $!;

sub faults { my ($text, $name) = @_; return join '; ', $schema->faults(parsed($text), $name) }

subtest 'what is wrong is found' => sub {
    my $good = '{"percentile": 99.9, "value_us": 1.5, "low_us": 1, "high_us": null}';
    is(faults($good, 'percentile'), '', 'a good one');
    like(faults($good =~ s/1\.5/"1.50"/r, 'percentile'), qr{^/value_us is of the type string, not number null: 1\.50$},
        'a figure in quotes');
    like(faults($good =~ s/1\.5/true/r, 'percentile'), qr{^/value_us is of the type boolean}, 'a truth value');
    like(faults($good =~ s/"percentile": 99.9, //r, 'percentile'), qr/^ has no percentile$/, 'a key that is missing');
    like(faults($good =~ s/"low_us"/"low"/r, 'percentile'), qr{^/low is not in the schema$}, 'a key that is not known');
    like(faults('{"key": "a", "base": 1, "file": 1, "x": 0}', 'difference'), qr{/x is not in}, 'a key too many is found');
    like(faults('[1]'), qr{^/0 is of the type integer, not object}, 'no document');
    like(faults('{"threshold_us": 1, "count": -1}', 'step'), qr{^/\w+ is -1, below 0$}, 'a count that is none');
    like(faults('{"threshold_us": 1, "count": 1.5}', 'step'), qr{^/\w+ is of the type number, not integer},
        'a count with decimals is found');
    for my $bad ('[1,]', '[1 2]', '{"a": 01}', '{"a": .5}', '{"a": nan}', '["a]', '{"a": 1, "a": 2}', '[] []') {
        ok(!eval { parsed($bad); 1 }, "$bad is no JSON");
    }
    $schema->{seen} = {};
};

# 20 slices of 1024 values that end in 0, in bins whose edges do, and slices whose number of wake-ups does not vary.
my %slices;

sub run_of_slices {
    my ($level) = @_;
    return $slices{$level} if $slices{$level};
    my @kinds = map {
        my $kind = $_;
        [map { sprintf '%.1f', $level * (1 + $kind / 10 + $_ % 10 / 10 + 9 * !($_ % 100)) } 1 .. 1024];
    } 0 .. 2;
    return $slices{$level} = [map { $kinds[$_ % 3] } 1 .. 20];
}

my %settings = (version => '1.10', label => '20', distribution => 'Debian 12', board => 'none', cpu => '3',
    timer_slack_ns => '50000', duration_s => '60.0', period_ns => 976560, dma_latency_us => 'off', return_code => 0,
    started => '2026-01-01T00:00:00Z', cpus_online => '0-3');
made('ten.hist', run_of_slices(10), %settings, max_ns => 20000, max => 'exceeded', load => 'make -j10', load_exit => 'exit status 0');
made('forty.hist', run_of_slices(40), %settings, dma_latency_us => 0, return_code => 10, priority => 90, label => 'other',
    rt_runtime_us => -1, governor_after => 'powersave');
made('short.hist', [(run_of_slices(10))->[0]], dma_latency_us => 10, break_ns => 100, status => 'break', trace => '/tmp/trace');
made('bursts.hist', [map { my $bad = $_ == 10; [map { $bad && $_ <= 300 ? 1000 * $_ : 20 + $_ % 7 } 1 .. 1000] } 1 .. 20],
    period_ns => 1e6);
made("odd-$_.hist", run_of_slices($_), duration_s => 60, period_ns => 976560, load => "load $_", label => $_,
    started => "2026-01-01T00:00:${_}Z") for 10 .. 14;

sub make {
    my @arguments = @_;
    my ($status, undef, $err) = run($analyze, @arguments);
    is("$status $err", '0 ', "@arguments");
}
make(qw(merge --mixed -o five.hist), map { "odd-$_.hist" } 10 .. 14);
file_of('again.hist', contents("$data/events.hist") =~ s/^# started: \K.*/2026-11-21T23:05:57Z/mr);
make(qw(merge -o twice.hist again.hist), "$data/events.hist");
make(qw(import --format=rt-tests -o imported.hist), "$data/import/cyclictest.json");
make(qw(import --format=rtla -o rtla.hist), "$data/import/rtla-us.txt");
my $old = "$data/low-latency-2.4.17.hist";
my @reports = ((glob "$data/*.hist"), "$data/cpus.hist.gz",
    qw(ten.hist forty.hist short.hist bursts.hist five.hist twice.hist imported.hist rtla.hist));

my %run;     # by the verb, what it is called in the schema

sub agrees {
    my ($name, $expected, $verb, @arguments) = @_;
    my ($status, $out, $err) = run($verb eq 'try' ? $try : ($analyze, $verb), '--json', @arguments);
    is($status, $expected, "$verb @arguments: exit status") or diag $err;
    my $document = parsed($out);
    my @names = map { s{.*/}{}r } @arguments;
    my @faults = $schema->faults($document);
    is_deeply([@faults ? map { $schema->faults($_, $name) } @{ $document->{value} } : ()], [],
        "$verb @names: each leaf is as the schema says");
    $run{$verb} = $name;
    return JSON::PP->new->utf8->decode($out);
}

subtest 'stats has a document' => sub {
    my @runs = @{ agrees('run', 0, 'stats', @reports) };
    my ($ten, $unknown) = map { my $file = $_; grep { $_->{file} eq $file } @runs } 'ten.hist', $old;
    is_deeply([@$ten{qw(version label started)}], ['1.10', '20', '2026-01-01T00:00:00Z'], 'what is text stays text');
    is_deeply([@{ $ten->{environment} }{qw(hostname distribution cpu preemption policy priority dma_latency_us)}],
        ['box', 'Debian 12', '3', 'full', 'fifo', 95, 'off'], 'stats has the environment');
    is_deeply([grep { defined } $unknown->{started}, values %{ $unknown->{environment} }], [], 'null where it is not known');
};

subtest 'a document in brief' => sub {
    my @files = ("$data/explained.hist", "$data/cpus.hist.gz");
    my $brief = (run($analyze, '--json=brief', @files))[1];
    is_deeply([$schema->faults(parsed($brief))], [], 'in brief, each leaf is as the schema says');
    my @both = map { JSON::PP->new->utf8->decode($_) } $brief, (run($analyze, '--json', @files))[1];
    is_deeply($both[0], [map { { %$_, events => undef, $_->{cpus} ? (cpus => []) : () } } @{ $both[1] }],
        'in brief, all but the wake-ups and the CPUs');
    like((run($analyze, 'compare', '--json=brief', @files))[2], qr/\Qjson does not take an argument\E/, 'compare has no brief JSON');
};

subtest 'several CPUs' => sub {
    my ($run) = @{ agrees('run', 0, 'stats', "$data/cpus.hist.gz") };
    is_deeply([$run->{environment}{cpu}, map { $_->{cpu} } @{ $run->{cpus} }], ['0-3', 0 .. 3], 'all together, and each');
    is_deeply([map { $_->{lateness}{count} } $run, @{ $run->{cpus} }], [98306, (24576) x 3, 24578], 'each CPU has its figures');
    is_deeply([map { $_->{verdict} =~ /(\w+)/ } $run, @{ $run->{cpus} }], [qw(suspect valid suspect valid valid)],
        'each CPU has its verdict');
};

subtest 'judge has a document' => sub {
    my @judged = @{ agrees('judgement', 2, 'judge', '--max=100us@99.9', "$data/cpus.hist.gz", 'forty.hist', "$data/thread.hist") };
    is_deeply([sort map { $_->{cpu} } grep { $_->{file} =~ /cpus/ } @judged], [0 .. 3], 'each CPU');
    is($judged[0]{answer}, 'fail', 'the worst first');
};

subtest 'table has a document' => sub {
    my @cells = @{ agrees('cell', 0, 'table', '--show=mean,p50,p99.99,lmbench,count', '--columns=load', '--rows=statistic',
        'forty.hist', 'ten.hist') };
    my %of = map { ("$_->{file} $_->{statistic}" => $_) } @cells;
    is_deeply([map { $of{"ten.hist $_"}{column}{load} } qw(mean count)], [('make -j10') x 2], 'the texts of facts');
    is($of{'ten.hist count'}{count}, 20480, 'a count is a number');
    agrees('cell', 0, 'table', '--show=p50,p99.99,lmbench', '--rows=label', "$data/ring.hist", 'bursts.hist', 'short.hist');
};

subtest 'explain has a document' => sub {
    my ($told, $untold) = @{ agrees('explained', 0, 'explain', "$data/explained.hist", "$data/events.hist") };
    is_deeply([map { $_->{cause} } @{ $told->{explanation}{causes} }],
        [qw(interrupts_off unpreemptible unpreemptible softirq)], 'causes as codes');
    is_deeply([map { $_->{part} } @{ $told->{explanation}{parts} }], [qw(expiry waking switch again stamp)], 'explain has the parts');
    is($told->{events}[3]{blame}[-2]{name}, "-\e", 'names as they are');
    ok(!defined $untold->{explanation}, 'null where nothing was traced');
    is_deeply((grep { $_->{file} =~ /explained/ } @{ agrees('run', 0, 'stats', "$data/explained.hist") })[0]{explanation},
        $told->{explanation}, 'the same as with the figures');
};

subtest 'compare has a document' => sub {
    my ($ten) = @{ agrees('comparison', 2, 'compare', '--fail-above=1.0@50', qw(ten.hist forty.hist)) };
    ok($ten->{percentiles}[0]{differs} && $ten->{limit}{exceeded}, 'yes is true');
    my %differs = map { $_->{key} => [@$_{qw(base file)}] } @{ $ten->{environment} };
    is_deeply($differs{priority}, [95, 90], 'settings that are numbers');
    is_deeply($differs{dma_latency_us}, ['off', 0], 'settings may be words');
    is($ten->{file}{environment}{governor_after}, 'powersave', 'what a run ended with');
    my ($equal) = @{ agrees('comparison', 0, 'compare', '--fail-above=9@50', qw(ten.hist odd-11.hist)) };
    ok(defined $equal->{limit}{exceeded} && !$equal->{limit}{exceeded}, 'no is false');
    agrees('comparison', 1, 'compare', '--fail-above=1@50', qw(ten.hist short.hist));
    agrees('comparison', 0, 'compare', 'five.hist', 'forty.hist', 'imported.hist', "$data/suspect.hist");
    agrees('comparison', 0, 'compare', $old, "$data/preempt-lolat-2.4.17.hist", "$data/small.hist");
    agrees('comparison', 1, 'compare', '--fail-above=1@50', qw(ten.hist ten.hist));
    my ($pooled) = @{ agrees('comparison', 0, 'compare', 'ten.hist', "$data/cpus.hist.gz") };
    is_deeply([map { $_->{cpus} } @$pooled{qw(base file)}], [1, 4], 'how many CPUs');
    make_explained($_->[0], wakeups => [[100, 15, 11, $_->[1], 0, 11]]) for ['rough.hist', 28], ['fine.hist', 16];
    my ($parts) = map { $_->{composition}{parts} } @{ agrees('comparison', 0, 'compare', qw(rough.hist fine.hist)) };
    is_deeply([map { $_->{differs} ? $_->{part} : () } @$parts], ['switch'], 'compare says which part differs');
    make_explained('few.hist', wakeups => [[19, 15, 11, 28, 0, 11]]);
    make_explained('blame.hist', wakeups => [[100, 15, 11, 28, 0, 11]], blame => [[[65, qw(self realfeel rt:95 -)]]]);
    agrees('comparison', 0, 'compare', qw(fine.hist few.hist blame.hist));
    agrees('comparison', 0, 'compare', 'twice.hist', "$data/events.hist");
    agrees('comparison', 0, 'compare', '--measure=interval', map { "$data/$_.hist" } qw(small events));
};

# A report of a run that missed that many of its 1000 periods.
sub missing {
    my ($file, $missed, %header) = @_;
    my $contents = MadeReport::contents([[(5) x 1000]], samples => 1000 - $missed, missed => $missed, %header);
    delete @$contents{qw(slices slice_bins)};
    file_of($file, report_text($contents));
    return $file;
}

subtest 'trend has a document' => sub {
    my @nights = map { made("night-$_.hist", run_of_slices($_ > 15 ? 20 : 10), %settings, label => 'nights',
        started => sprintf('2026-02-%02dT00:00:00Z', $_), $_ == 3 ? (verdict => 'invalid: x') : ()) } 1 .. 28;
    my ($one, $series) = @{ agrees('trend', 2, 'trend', '--fail', 'ten.hist', @nights) };
    is_deeply([scalar @{ $one->{runs} }, $one->{changes}], [1, []], 'a series for each label');
    my ($change) = grep { $_->{statistic} eq 'p50' } @{ $series->{changes} };
    is_deeply([@$change{qw(run worse)}, sprintf '%.2f', $change->{ratio}], [16, JSON::PP::true, '2.00'], 'what has changed');
    my ($limited) = @{ agrees('trend', 0, 'trend', '--max=1ms@99', 'ten.hist') };
    is_deeply([$limited->{asked}{percentile}, $limited->{runs}[0]{limit}], [99, 'pass'], 'the limit that is asked for');
    my ($missing) = @{ agrees('trend', 0, 'trend', map { missing("m-$_.hist", $_ > 12 ? $_ : 0,
        started => sprintf('2026-02-%02dT00:00:00Z', $_)) } 1 .. 24) };
    is_deeply([map { @$_{qw(key before)} } @{ $missing->{changes} }], ['missed_ppm', 0], 'missed periods');
    my ($drifting) = @{ agrees('trend', 0, 'trend', map { made("d-$_.hist", run_of_slices(10 + $_ / 10), %settings,
        started => sprintf('2026-02-%02dT00:00:00Z', $_)) } 1 .. 24) };
    is_deeply([map { $_->{statistic} } @{ $drifting->{drifting} }], [qw(p50 p99 p99.9 max)], 'what drifts');
};

subtest 'try has a document' => sub {
    my @blocks = map {
        my $round = $_;
        map { missing("e-0$round-$_->[0].hist", $_->[1], started => "2026-03-01T00:0$round:00Z", duration_s => 1) }
            ['base', 10 * $round], [few => $round], [none => 0];
    } 1 .. 9;
    my ($trial) = @{ agrees('trial', 0, 'try', '--at=missed', @blocks) };
    is_deeply([@$trial{qw(at rounds duration_s)}], ['missed', 9, 481], 'what was measured');
    my ($few, $none) = @{ $trial->{variants} };
    is($few->{name}, 'few', 'try has names');
    is_deeply([map { $_->{effect}{ratio} } $few, $none], [0.1, 0], 'try has ratios');
    is_deeply([map { $_->{effect}{base} } $few, $none], [50_000, 50_000], 'try has missed periods in a million');
    is_deeply([map { $_->{differs} } @{ $few->{effect}{so_far} }], [(undef) x 6, ('lower') x 3], 'what was known after each pair');
    ($few) = @{ (agrees('trial', 5, 'try', '--at=99.9', @blocks))->[0]{variants} };
    is_deeply([$few->{left_out}[0]{needed}, $few->{effect}{ratio}, $few->{beside}{ratio}], [10_000, undef, 1],
        'try says how many samples it needs');
    agrees('trial', 5, 'try', '--at=50', @blocks);
};

my ($commands) = contents($analyze) =~ /^use constant COMMANDS => \{\n(.*?)^\};/ms;
is_deeply([sort keys %run], [sort 'try', $commands =~ /^ +(\w+) .*\bjson\b/mg], 'each verb with --json is tested');
is_deeply([$schema->unseen], [], 'every key of the schema was there');

subtest 'figures that end in 0' => sub {
    my $json = (run($analyze, qw(--json ten.hist)))[1];
    like($json, qr/"(?:value|low|high|threshold)_us": 20\b(?!\.)/, 'figures that end in 0 are numbers');
    unlike($json =~ s/"(?:label|version|cpu)": .*//gr, qr/: "-?\d+(?:\.\d+)?"/, 'figures are not in quotes');
};

done_testing;
