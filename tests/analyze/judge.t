# SPDX-License-Identifier: GPL-2.0-or-later
# Whether a limit is kept: the answer, what it rests on, what it would take, and which of several decides.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use MadeReport;
use Realfeel::Answer::Judgement qw(asked judge kept limit_of);
use Realfeel::Model::Report;
use Realfeel::Show::Judge;
use Realfeel::Stat::Chance qw(rate_least rate_limit);
use Analyzer;
use RunCommand;

my $data = "$FindBin::Bin/data";
my $dir = tempdir(CLEANUP => 1);

# Slices of a second: each has 1000 latenesses spread from 10 to 20 us, and in every so many of them one of 200 us.
sub slices {
    my ($slices, $every) = @_;
    my ($calm, $late) = map { my $last = $_; [(map { 10 + $_ / 100 } 1 .. 999), $last] } 15, 200;
    return [map { $every && $_ % $every == 0 ? $late : $calm } 1 .. $slices];
}

my %report;

# The report of so many slices, of which every so many are late. It is made once.
sub report {
    my ($slices, $every, @header) = @_;
    return $report{"@_"} //= Realfeel::Model::Report->read(made("$dir/x.hist", slices($slices, $every), duration_s => 20, @header));
}

# The answer and the code.
sub answered {
    my ($report, $max) = @_;
    my $judgement = judge($report, limit_of($max));
    return "$judgement->{answer} $judgement->{code}";
}

subtest 'a limit' => sub {
    is_deeply(limit_of('100us'), { us => 100, percentile => undef, share => 0 }, 'a time');
    is_deeply(limit_of('1.5ms@99.999'), { us => 1500, percentile => 99.999, share => 1e-5 }, 'and a percentage, exactly');
    is_deeply(limit_of('1s@5'), { us => 1e6, percentile => 5, share => 0.95 }, 'any of them');
    is(limit_of($_), undef, "'$_' is none") for '', '100', '0us', '100us@', '100us@100', '100us@0', '100us@x', '@99', '1us@9@9', "1us\n";
    my $asking = report(20, 0, limit => '250us@99.9');
    is_deeply(asked($asking), limit_of('250us@99.9'), 'that of the report');
    is(asked(report(20, 0)), undef, 'which may have none');
    ok(!eval { asked(report(20, 0, limit => 'soon')); 1 }, 'or one that is none');
    like($@, qr{\A\S+/x\.hist: its limit, 'soon', is none like 100us or .+; correct it, or give --max\n\z}, 'in one line');
};

subtest 'a mean of which so many were seen' => sub {
    for ([0, 0, 2.99573], [1, 0.05129, 4.74386], [10, 5.42541, 16.96222], [100, 84.13928, 118.07927]) {
        my ($count, $least, $most) = @$_;
        cmp_ok(abs(rate_least($count) - $least), '<', 1e-4, "$count: at least $least");
        cmp_ok(abs(rate_limit($count) - $most), '<', 1e-4, "$count: at most $most");
    }
    cmp_ok(rate_limit(0.5), '>', rate_limit(0.4), 'counts may be broken');
    cmp_ok(abs(rate_limit(400) / rate_limit(400.001) - 1), '<', 0.002, 'and large');
    cmp_ok(abs(rate_least(400) / rate_least(400.001) - 1), '<', 0.002, 'both ways');
};

subtest 'nothing may be above' => sub {
    is(answered(report(20, 0), '100us'), 'yes kept', 'nothing is');
    my $kept = judge(report(20, 0), limit_of('100us'));
    is_deeply([@$kept{qw(count above above_most allowed percentile keeps_us)}], [20_000, 0, 0, 0, undef, 19.99], 'figures');
    is($kept->{sure_one_in}, int(20_000 / rate_limit(0)), 'with the bound that the run supports: the rule of three');
    is(answered(report(20, 20), '100us'), 'no exceeded', 'a single one is');
    is(answered(report(20, 20), '200us'), 'yes kept', 'what is as late as the limit is not later');
    is(answered(report(20, 20), '199.999us'), 'no exceeded', 'the exact maximum decides');
    is(answered(report(2, 0), '100us'), 'yes kept', 'in a short run, too');
    is(judge(report(2, 0), limit_of('100us'))->{sure_one_in}, undef, 'which supports no bound');
    is(answered(report(0, 0), '100us'), 'not_yet empty', 'nothing was measured');
};

subtest 'as realfeel itself counts' => sub {
    is(kept(report(20, 1, max => 'kept', max_ns => 300_000)), 'kept', 'its own word');
    is(kept(report(20, 1)), undef, 'of no limit');
    my @told = map { kept(report(60, 1, max => 'kept'), limit_of($_)) } qw(150us 200us 150us@99.9 150us@99.91);
    is_deeply(\@told, [qw(exceeded kept kept exceeded)], 'one that is given takes its place');
    my $exceeded = made("$dir/v.hist", slices(60, 1), max_ns => 100_000, max => 'exceeded', duration_s => 60);
    my ($status, $out, $err) = run($analyze, '-v', $exceeded);
    like("$status $err $out", qr/^0  .*60 periods were later than the limit of --max,\s+100\.000 us; 95 %/s, 'stats, too');
};

subtest 'inside a bin' => sub {
    my %bins = (from_us => [10, 100], to_us => [11, 200], lateness => [9_990, 10]);
    my %header = (samples => 10_000, periods => 10_000, duration_s => 20, verdict => 'valid');
    my %contents = (file => 'x', keys => [sort keys %header], histogram => \%bins);
    my $of = sub { Realfeel::Model::Report->of({ %contents, header => { %header, @_ } }) };
    my $inside = judge($of->(), limit_of('150us'));
    is_deeply([@$inside{qw(answer code above above_most from_us to_us)}], ['not_yet', 'bin', 0, 10, 100, 200], 'nobody knows');
    is(answered($of->(lateness_max_ns => 151_000), '150us'), 'no exceeded', 'but for the maximum');
    is(answered($of->(lateness_max_ns => 149_000), '150us'), 'yes kept', 'either way');
    is(answered($of->(), '150us@99'), 'yes kept', 'all of it may be above: a yes');
    is(answered($of->(), '150us@99.99'), 'not_yet bin', 'none may be: no no');
    is(answered($of->(), '50us@99.99'), 'no exceeded', 'at an edge all is known');
};

subtest 'a share may be above' => sub {
    is(answered(report(60, 0), '100us@99.9'), 'yes kept', 'none are, of enough');
    is(answered(report(60, 0), '100us@99.999'), 'not_yet more', 'of too few');
    is(answered(report(60, 1), '100us@99'), 'yes kept', 'a tenth of what may be');
    is(answered(report(60, 1), '100us@99.99'), 'no exceeded', 'ten times as many');
    is(answered(report(60, 1), '100us@99.91'), 'not_yet more_to_fail', 'hardly more');
    is(answered(report(60, 1), '100us@99.9'), 'not_yet even', 'just as many');
    is(answered(report(60, 0), '100us@10'), 'yes kept', 'more than any percentile that is listed');
    is(answered(report(2, 0), '100us@99'), 'not_yet short', 'no slices to tell how they depend on each other');
    my $kept = judge(report(60, 1), limit_of('100us@99'));
    is(answered(report(60, 1), "$kept->{keeps_us}us\@99"), 'yes kept', 'nor more than the limit that it keeps');
    isnt(answered(report(60, 1), ($kept->{keeps_us} - 0.01) . 'us@99'), 'yes kept', 'which is the least');
};

subtest 'what it takes' => sub {
    my $more = judge(report(60, 0, duration_s => 60), limit_of('100us@99.999'));
    cmp_ok(abs($more->{more} - (299_574 - 60_000)), '<=', 2, 'three times a hundred thousand in all');
    cmp_ok(abs($more->{more_s} - $more->{more} / 1000), '<', 0.01, 'at the rate of the run');
    my $longer = int((60_000 + $more->{more}) / 1000);
    is(answered(report($longer + 1, 0), '100us@99.999'), 'yes kept', 'which is enough');
    is(answered(report($longer - 1, 0), '100us@99.999'), 'not_yet more', 'and no less');
    my $fail = judge(report(60, 1, duration_s => 60), limit_of('100us@99.91'));
    cmp_ok($fail->{more}, '>', 0, 'also until a no is sure');
    is(judge(report(60, 1), limit_of('100us@99.9'))->{more}, undef, 'never, where it is even');
};

subtest 'latenesses that depend on each other' => sub {
    my @calm = map { [map { 10 + $_ / 100 } 1 .. 1000] } 1 .. 60;
    my @wander = map { my $level = $_ % 60 < 24 ? 1 : 3; [map { $level * (10 + $_ / 100) } 1 .. 1000] } 1 .. 60;
    my @sure = map { judge(Realfeel::Model::Report->read(made("$dir/w.hist", $_)), limit_of('100us@99.9')) } \@calm, \@wander;
    is($sure[0]{answer}, 'yes', 'a level that stays');
    is($sure[1]{answer}, 'not_yet', 'one that wanders says less');
    cmp_ok($sure[1]{sure_one_in} // 1, '<', $sure[0]{sure_one_in} / 10, 'much less');
};

subtest 'runs that cannot be believed' => sub {
    my @suspect = (verdict => 'suspect: the fan was loud; and the moon was full');
    my $judgement = judge(report(20, 0, @suspect), limit_of('100us'));
    is_deeply([@$judgement{qw(answer code reason)}], ['not_yet', 'suspect', 'the fan was loud'], 'suspect is no yes, with the reason');
    is(answered(report(20, 1, @suspect), '100us'), 'no exceeded', 'but a no');
    is(answered(report(60, 1, @suspect), '100us@99.99'), 'no exceeded', 'with a share, too');
    is(answered(report(20, $_, verdict => 'invalid: it was not measured'), '100us'), 'not_yet invalid', 'invalid is neither') for 0, 1;
    is(answered(report(20, $_, schedule => 'contradicted: by a clock'), '100us'), 'not_yet contradicted', 'nor is this') for 0, 1;
    is(answered(report(20, 0, status => 'break'), '100us'), 'not_yet break', 'what was ended early is no yes');
    is(answered(report(20, 1, status => 'break'), '100us'), 'no exceeded', 'but a no');
    is(answered(report(20, 0, status => 'interrupted'), '100us'), 'yes kept', 'a shorter run is one');
    is(judge(report(20, 0), limit_of('100us'))->{doubt}, undef, 'others are in no doubt');
    my $exceeded = judge(report(60, 1, @suspect), limit_of('100us@99.99'));
    is_deeply([@$exceeded{qw(doubt keeps_us)}], ['suspect', undef], 'which a NO tells, too, and keeps nothing');
};

subtest 'what to do about it' => sub {
    my $of = sub { judge(report(60, @_), limit_of('100us@99.91')) };
    my @stolen = (verdict => 'suspect: the hypervisor took 30 ms of CPU time', steal_ms => 30);
    is($of->(0, @stolen)->{remedy}, 'steal_ms', 'the only cause is known');
    is($of->(0, verdict => 'suspect: one; two', steal_ms => 30)->{remedy}, undef, 'one of several is not');
    is($of->(0, verdict => 'suspect: the fan was loud', steal_ms => 0)->{remedy}, undef, 'nor what is not counted');
    is($of->(0, verdict => 'suspect: it does not tell', status => 'unknown')->{remedy}, 'imported', 'another program wrote it');
    is($of->(0, @stolen)->{more}, undef, 'more of it is no remedy');
    is($of->(1, @stolen)->{more}, $of->(1)->{more}, 'but for a NO, as of a run in no doubt');
    cmp_ok($of->(1, @stolen)->{more}, '>', 0, 'which takes more');
};

# What is said of a report.
sub said {
    my ($max, @report) = @_;
    return Realfeel::Show::Judge::sentence(judge(report(@report), limit_of($max)));
}

subtest 'why, in words' => sub {
    my @stolen = (verdict => 'suspect: the hypervisor took 30 ms of CPU time', steal_ms => 30, duration_s => 60);
    is(said('100us', 20, 0, @stolen), 'NOT YET: 0 of 20,000 periods later than 100 us, but a suspect run (the hypervisor took 30 ms '
        . 'of CPU time) is no YES. Measure where the hypervisor takes no CPU time.', 'the way out');
    is(said('100us', 20, 0, verdict => 'suspect'), 'NOT YET: 0 of 20,000 periods later than 100 us, but a suspect run is no YES. '
        . 'Measure again.', 'where none is known');
    my $to_fail = said('100us@99.91', 60, 1, @stolen);
    like($to_fail, qr/\ANOT YET: 60 of 60,000 periods later than 100 us, 54 may be: too few to be sure of a NO; measure \d+ more /,
        'what it takes for a NO');
    like($to_fail, qr/minutes\. A suspect run \(the hypervisor took 30 ms of CPU time\) is no YES\.\z/, 'and why it is no YES');
    is(said('100us@99.99', 60, 1, @stolen), 'NO, 95 % sure: 60 of 60,000 periods later than 100 us (1 in 1,000); 1 in 10,000 may be. '
        . 'The run is suspect (the hypervisor took 30 ms of CPU time).', 'of a NO, too');
    is(said('100us', 60, 1, status => 'break'), 'NO: 60 of 60,000 periods later than 100 us. --break ended the run.',
        'which --break ended');
    like(said('100us@0.01', 60, 1), qr/; 9,999 in 10,000 may be\.\z/, 'more than half may be above');
    like(said('12us@60', 60, 1), qr/\ANO, 95 % sure: 48,060 of 60,000 periods later than 12 us \(80\.1 %\); 2 in 5 may be\./, 'or are');
    my $judgement = { %{ judge(report(20, 0), limit_of('100us')) }, sure_one_in => 3 };
    is(Realfeel::Show::Judge::sentence($judgement), 'YES: 0 of 20,000 periods later than 100 us. 95 % sure only that fewer than '
        . '1 in 3 are: too short for more.', 'of little it is sure');
};

# What is printed, with the status.
sub told {
    my ($status, $out, $err) = run($analyze, 'judge', @_);
    return ("$status $err", $out);
}

# The lines of a table, its columns separated by bars, with names of files without their folders.
sub rows { return $_[0] =~ s/^ +//mgr =~ s{\Q$dir\E/}{}gr =~ s/ {2,}/ | /gr }

subtest 'one word first' => sub {
    made("$dir/good.hist", slices(60, 0), limit => '100us@99.9');
    made("$dir/bad.hist", slices(60, 1), limit => '100us@99.99');
    made("$dir/short.hist", slices(60, 0), limit => '100us@99.999', duration_s => 60);
    my %expected = (
        good  => ['0 ', "YES: 0 of 60,000 periods later than 100 us. 95 % sure that fewer than 1 in\n"
            . "20,000 are; 1 in 1,000 may be.\n"],
        bad   => ['2 ', "NO, 95 % sure: 60 of 60,000 periods later than 100 us (1 in 1,000); 1 in 10,000\n"
            . "may be. The run keeps 200 us @ 99.99.\n"],
        short => ['5 ', "NOT YET: 0 of 60,000 periods later than 100 us. 95 % sure that fewer than 1 in\n"
            . "20,000 are; for 1 in 100,000 measure 4 more minutes.\n"],
    );
    for my $name (sort keys %expected) {
        my ($status, $out) = told("$dir/$name.hist");
        is($status, $expected{$name}[0], "$name: the status, by the limit of the report");
        is($out, $expected{$name}[1], 'and why');
    }
    is((told('--max=100us', "$dir/bad.hist"))[1], "NO: 60 of 60,000 periods later than 100 us. The run keeps 200 us.\n",
        'the limit that is given comes first');
};

subtest 'the worst decides' => sub {
    my ($status, $out) = told(map { "$dir/$_.hist" } qw(good short bad));
    is($status, '2 ', 'a no');
    is(rows($out), <<~'END', 'a row each, the worst first');
        run | limit | above | max us
        NO | bad.hist | 100 us @ 99.99 | 60 of 60,000 periods | 200.0
        NOT YET | short.hist | 100 us @ 99.999 | 0 of 60,000 periods | 19.99 | measure 4 more minutes
        YES | good.hist | 100 us @ 99.9 | 0 of 60,000 periods | 19.99
        END
    made_cpus("$dir/cpus.hist", { 0 => slices(60, 0), 3 => slices(60, 1) });
    ($status, $out) = told('--max=100us@99.99', "$dir/cpus.hist");
    is($status, '2 ', 'of CPUs, too');
    like($out, qr{\ANO, 95 % sure: CPU 3, the worst of 2: 60 of .*\n\z}s, 'which has the sentence');
    like((told('-v', '--max=100us@99.99', "$dir/cpus.hist"))[1], qr{\ANO, 95 % sure: CPU 3: 60 of .*^YES: CPU 0: 0 of }ms, 'or each');
    made("$dir/once.hist", [@{ slices(60, 0) }, [300]]);
    made("$dir/doubt.hist", slices(60, 0), verdict => 'suspect: x');
    ($status, $out) = told('--max=100us@99', map { "$dir/$_.hist" } qw(good cpus doubt bad once));
    is($status, '5 ', 'a run in doubt is no YES');
    is_deeply([rows($out) =~ m{(\S+\.hist(?:, CPU \d)?)}g], ['doubt.hist', 'once.hist', 'cpus.hist, CPU 3', 'bad.hist', 'good.hist'],
        'those with the same answer by their maxima');
    like($out, qr/^NOT YET .* 19\.99 +suspect$/m, 'why it is in doubt');
    like((told('-v', "$dir/good.hist", "$dir/bad.hist"))[1], qr{^NO, 95 % sure: \S+/bad\.hist: 60 of.*^YES: \S+/good\.hist: 0 of}ms,
        'or sentences');
};

# Two threads that woke up once and thrice, and one that did 20,000 times.
subtest 'threads that hardly woke up' => sub {
    my %threads = (thread => { 0 => 31, 1 => 30, 2 => 32 }, thread_name => { 0 => 'ui', 1 => 'audio', 2 => 'log' }, cpu => 'any (0-3)');
    my $file = made_cpus("$dir/threads.hist", { 0 => [[9000]], 1 => slices(20, 0), 2 => [[300, 300, 300]] }, %threads);
    my ($status, $out) = told('--max=100us', $file);
    is($status, '0 ', 'decide nothing');
    like($out, qr/\AYES: thread 30 audio: 0 of 20,000 [^:]*\n/, 'the others do');
    like($out =~ s/\s+/ /gr, qr/\.hist: not judged, with fewer than ten wake-ups: thread 31 ui, thread 32 log \z/, 'they are named');
    is((told('-v', '--max=100us', $file))[1], $out, 'once with -v, too');
    like((told('--max=100us', $file, "$dir/good.hist"))[1] =~ s/\s+/ /gr, qr/\.hist: not judged, .* thread 31 ui, thread 32 log \z/,
        'below a table');
    like((told('--json', '--max=100us', $file))[1], qr/"left_out": \[\s+"thread 31 ui",\s+"thread 32 log"\s+\]/, 'as JSON');
    my $few = made_cpus("$dir/few.hist", { 0 => [[9000]], 2 => [[30, 30, 30]] }, map { $_ => $threads{$_} } keys %threads);
    like((told('--max=100us', $few))[1], qr/\ANO: thread 31 ui, the worst of 2: 1 of 1 period later than 100 us\./, 'unless all are such');
    my $cpus = made_cpus("$dir/cpus.hist", { 0 => [[9000]], 1 => slices(20, 0) });
    like((told('--max=100us', $cpus))[1], qr/\ANO: CPU 0, the worst of 2: 1 of 1 /, 'and of CPUs each counts');
};

subtest 'what others say of it' => sub {
    for (['good', 'YES: 0 of 60,000 periods later than 100 us @ 99.9'],
        ['bad', 'NO: 60 of 60,000 periods later than 100 us @ 99.99'],
        ['short', 'NOT YET: 0 of 60,000 periods later than 100 us @ 99.999']) {
        my ($name, $sentence) = @$_;
        like((run($analyze, "$dir/$name.hist"))[1], qr/^  limit     \Q$sentence\E$/m, "stats: $name");
        my ($start) = $sentence =~ /(.* 100) us/;
        like((run($analyze, 'report', "$dir/$name.hist"))[1], qr{<dt>limit</dt> <dd>\Q$start\E}, 'the page');
    }
    my %slices = (0 => slices(60, 0), 3 => slices(60, 1));
    my $cpus = made_cpus("$dir/limited.hist", \%slices, limit => '100us@99.99');
    like((run($analyze, $cpus))[1], qr/^  limit     NO: CPU 3: 60 of 60,000 periods later than 100 us \@ 99\.99$/m, 'the worst CPU');
    unlike((run($analyze, made("$dir/x.hist", slices(20, 0), limit => 'soon')))[1], qr/^  limit/m, 'what is no limit is none');
};

subtest 'what is refused' => sub {
    my ($status) = told("$data/small.hist");
    like($status, qr/\A1 realfeel-analyze: \S+small\.hist: has no limit of its own; give one with --max, as in [^\n]+\n\z/, 'no limit');
    ($status) = told('--max=100us', "$data/preempt-2.4.17.hist");
    like($status, qr/\A1 realfeel-analyze: \S+: has no lateness or wake-up latency to be judged; [^\n]+\n\z/, 'nothing to be judged');
    ($status) = told('--max=100us@101', "$data/small.hist");
    like($status, qr/\A1 realfeel-analyze: '100us\@101' is not TIME or TIME\@PERCENT; use one like [^\n]+\nTry/, 'a limit that is none');
    ($status) = told('--max=1ms', '/nonexistent');
    like($status, qr{\A1 realfeel-analyze: /nonexistent: [^\n]+\n\z}, 'a file that is not there');
    my @refused = ('/nonexistent', "$data/preempt-2.4.17.hist");
    my ($complaints, $out) = told('--max=100us@99.99', @refused, "$dir/bad.hist");
    like($complaints, qr{\A2 realfeel-analyze: /nonexistent: [^\n]+\nrealfeel-analyze: \S+/preempt-2\.4\.17\.hist: [^\n]+\n\z},
        'which keeps no other from being judged');
    is($out, (told("$dir/bad.hist"))[1], 'as it is alone');
    for my $refused (@refused) {
        like((told('--max=100us@99', $refused, "$dir/good.hist"))[0], qr/\A1 realfeel-analyze: [^\n]+\n\z/,
            'nor makes a YES of what was not judged');
    }
};

done_testing;
