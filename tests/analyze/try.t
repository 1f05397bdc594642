# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment says what a change does, and undoes it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Realfeel::Show::Compare qw(trial_figures);
use Analyzer;
use Experiments;
use RunCommand;

my $SEEDS = $ENV{CHECK_ALL} ? 100 : 1;

subtest 'a change that helps' => sub {
    folder();
    my ($status, $out, $err) = run(change('--show=cat setting', '--seed=7'));
    is($status, 0, 'exit status');
    like($out, qr/\Achange: p50 is [\d.]+ (?:%|times) lower \([\d.]+ to [\d.]+(?: %)?\); 6 pairs in [\d.]+ minutes\.\n\n/,
        'the answer comes first');
    like($out, qr/^  change  p50 .* 6      6       0$/m, 'the table that it rests on comes second');
    my ($begin, $found, @pairs) = split /\n/, $err;
    is($begin, 'realfeel-try: order of --seed=7; each block is kept as try-NN-NAME.hist', 'the seed is shown');
    is($found, 'realfeel-try: found: off', 'the setting that was found is shown');
    is(pop @pairs, 'realfeel-try: found again at the end: off', 'the setting at the end is shown');
    is_deeply([map { /: pair (\d+): change .* at p50 \(.*\); at most .* more\z/ } @pairs], [1 .. 5],
        'a line for each pair says how far the experiment is');
    is_undone('at the end');
    is_deeply([glob '*.hist'], [map { ("try-0$_-base.hist", "try-0$_-change.hist") } 1 .. 6], 'the reports of all blocks are kept');
    is_deeply([run($try, '--at=50', reverse glob '*.hist')], [0, $out, ''], 'the kept reports give the same answer once more');
    my ($exported, $tap) = run($analyze, qw(export --format=tap), glob '*.hist');
    is($exported, 0, 'the kept reports are exported');
    like($tap, qr/\ATAP version 13\n1\.\.1\nok 1 - change: p99\.9 is not higher/, 'TAP judges the usual percentile');
    my $calls = contents('calls');
    is((() = $calls =~ /^-o \S+ -d 10s -f 1024$/mg), 12, 'each block has a duration, though the command line gives none');
    is((run(change('--seed=7')))[0], 1, 'an experiment overwrites no reports');
    is((run(change('--seed=7', '-o', 'again')))[0], 0, 'a second name has reports of its own');
    is(substr(contents('calls'), length $calls), $calls =~ s/try/again/gr, 'the order of the blocks is that of the seed');
    my %first = map { s/.*-//r => 1 } $calls =~ /-o (\S+)\.hist.*\n.*\n/g;
    is_deeply([sort keys %first], [qw(base change)], 'the first block of a pair is not always of the same kind');
};

subtest 'changes that do nothing' => sub {
    my @known = grep {
        folder();
        (run(experiment('--change=true', '--undo=true', '--blocks=8', "--seed=$_")))[0] != UNKNOWN;
    } 1 .. $SEEDS;
    cmp_ok(scalar @known, '<=', 0.05 * $SEEDS,
        "changes that do nothing are known to do something in 5 % of $SEEDS at most") or diag "@known";
    folder();
    my ($status, $out) = run(experiment('--variant=none=true:true', "--variant=half=$ON : $OFF", qw(--blocks=8 --seed=1)));
    like($out, qr/^none: cannot tell; a difference of less than \S+(?: %| times) at p50 would not have been\sseen; 8 pairs in /m,
        'a change that does nothing beside one that helps is not known to do anything');
    like($out, qr/^half: p50 is [\d.]+ (?:%|times) lower \(/m, 'a change that helps beside one that does nothing is known to help');
    is($status, UNKNOWN, 'exit status');
    is_undone('of several');
    is((run($try, glob '*.hist'))[0], UNKNOWN, 'reports without enough samples have no answer');
    folder();
    my (undef, undef, $err) = run(change('--at=99.99'));
    like($err, qr/^realfeel-try: a run has fewer than the \d+ samples that this percentile needs; measure longer, /m,
        'an experiment that has too few samples to decide says so');
    is(() = glob('*.hist'), 2, 'an experiment that has too few samples to decide ends after one pair');
};

subtest 'a ratio in the table' => sub {
    my %shown = (0.0123456 => '0.0123', 0.5064 => '0.506', 0.99945 => '0.99945', 1 => '1', 1.000554 => '1.00055',
        1.0494 => '1.049', 2.346 => '2.35');
    for my $ratio (sort keys %shown) {
        my $shown = $shown{$ratio};
        my %effect = (statistic => 'p50', base => 1, variant => $ratio, (map { $_ => $ratio } qw(ratio low high)));
        my $variant = { name => 'x', effect => { %effect, pairs => 6, lower => 0, higher => 6 }, left_out => [] };
        my ($table) = trial_figures({ variants => [$variant] });
        my $row = ($table->[1]->text)[-1];
        like($row, qr/ us +\Q$shown\E +\Q$shown\E to \Q$shown\E +6 /, "the table shows $ratio on its side of 1");
    }
};

subtest 'an experiment that is ready' => sub {
    folder();
    my ($listed) = (run($try, qw(--list -- realfeel -a 0)))[1] =~ /^(dma-latency: .*\n(?:    .*\n)+)/m;
    my ($status, $out, $err) = run(experiment('dma-latency', '--blocks=1'));
    if ($listed =~ /^    not here  (.*)/m) {
        is($err, "realfeel-try: dma-latency: not here: $1\n", 'an experiment that is not possible here is refused');
    } else {
        my %options = contents('calls') =~ /^-o try-01-(\S+)\.hist (.*) -f 1024$/mg;
        is($options{'dma-latency'}, "$options{base} --dma-latency=0", 'a change that is an option is added to its blocks');
        like($options{base}, qr/--dma-latency=off/, 'an option that is the base is in all blocks');
    }
};

subtest 'what fails' => sub {
    folder();
    my ($status, $out, $err) = run(experiment("--change=$ON; echo no way; exit 9", "--undo=$OFF"));
    is($status, 1, 'an experiment whose change fails has failed');
    like($err, qr/^realfeel-try: change '.*' of change ended with status 9: no way; correct it$/m, 'a change that fails is named');
    like($err, qr/^realfeel-try: change is undone$/m, 'a change that fails is undone');
    is_undone('a change that failed');

    folder();
    ($status, $out, $err) = run(change('--show=echo of others >try-undo.sh'));
    is($status, 1, 'an experiment does not go on beside a script of others');
    like($err, qr/^realfeel-try: try-undo\.sh: exists; /m, 'a script of others is named');
    is(contents('try-undo.sh') . contents('setting'), "of others\noff\n", 'a script and a setting of others are left alone');
    unlike($err, qr/undone/, 'nothing is undone where nothing was changed');

    folder();
    ($status, $out, $err) = run(experiment("--change=$ON", "--undo=test -e allowed && $OFF"));
    is($status, 1, 'an experiment whose undo fails has failed');
    like($err, qr/^realfeel-try: undo '.*' of change ended with status 1; the change may still be there: .* try-undo\.sh, /m,
        'an undo that fails is named');
    is(contents('setting'), "on\n", 'an undo that fails leaves the change');
    is((run(change()))[0], 1, 'no experiment begins beside the script of another');
    file_of('allowed', '');
    is((run('sh', 'try-undo.sh'))[0], 0, 'the script can be run later');
    is(contents('setting'), "off\n", 'the script undoes the change');

    folder();
    ($status, $out, $err) = run(experiment("--change=$ON", "--undo=$OFF", '-o', 'none/x'));
    is("$status$out", 1, 'an experiment needs a folder for its reports');
    like($err, qr/\Arealfeel-try: none\/x: .*; give a folder that exists\n\z/, 'a folder that is not there is named');
    is(contents('calls'), '', 'nothing is measured where the reports have no folder');

    folder();
    ($status, $out, $err) = run(change('--show=cat setting calls | head -n 2', '--blocks=1'));
    is($status, 1, 'an experiment whose undo leaves something has failed');
    like($err, qr/^realfeel-try: at the end it is not what was found, but: off, -o /m, 'what an undo leaves is shown');

    for my $put_back ('true', "$ON; echo '$OFF' >meanwhile") {
        folder();
        ($status, $out, $err) = run(experiment("--change=$put_back", "--undo=$OFF", '--show=cat setting'));
        is($status, 1, "an experiment whose change is not there has failed: $put_back");
        like($err, qr/^realfeel-try: change: at the end of its block the setting is still off: /m,
            "a change that is not there is named: $put_back");
        cmp_ok(scalar(() = glob('*.hist')), '<=', 2, 'a change that is not there ends the experiment at its first block');
        is_undone($put_back);
    }

    folder();
    ($status, $out, $err) = run(experiment("--change=$ON", '--undo=kill -KILL $PPID'));
    is($status, 1, 'an experiment whose undo kills the guard has failed');
    like($err, qr/^realfeel-try: undo '.*' of change ended with status 137; the change may still be there: .* try-undo\.sh, /m,
        'an undo that kills the guard is named');
    ok(-e 'try-undo.sh', 'the script stays where its undo was killed');

    folder();
    ($status, $out, $err) = run($try, qw(--at=50 --settle=0s), "--change=$ON", "--undo=$OFF", '--', 'sh', '-c',
        'echo no RTC; exit 4', 'realfeel');
    is($status, 1, 'an experiment whose measurement fails has failed');
    like($err, qr/^realfeel-try: a block was not measured, realfeel ended with status 4: no RTC$/m,
        'the last line of a measurement that fails is shown');
    is_undone('a measurement that failed');

    folder();
    ($status, $out, $err) = run($try, qw(--at=50 --settle=0s), "--change=$ON", "--undo=$OFF", '--', $^X, '-e', 'die "no RTC"', 'realfeel');
    is($status, 1, 'an experiment whose measurement dies in Perl has failed');
    like($err, qr/^realfeel-try: a block was not measured, realfeel ended with status 255: no RTC at -e line 1$/m,
        'the message of Perl is shown');
};

subtest 'what is left behind' => sub {
    folder();
    my ($status) = run(experiment("--change=$ON; tail -f /dev/null & echo \$! >pid", "--undo=$OFF; kill \$(cat pid)"));
    is($status, 0, 'a process that a change leaves in the background is not waited for');
    is_undone('a process left in the background');
};

subtest 'the command line' => sub {
    my %refused = (
        'no measurement'        => [["--change=$ON", "--undo=$OFF"], 'no measurement is given; '],
        'no realfeel'           => [["--change=$ON", "--undo=$OFF", '--', 'true'], 'no realfeel command follows --; '],
        'no change'             => [['--', 'realfeel'], 'no change was given; '],
        'no undo'               => [["--change=$ON", '--', 'realfeel'], '--change and --undo belong together; '],
        'no such experiment'    => [['none', '--', 'realfeel'], "there is no experiment 'none'; the experiments are governor, "],
        'no measurement of one' => [['governor'], 'no measurement is given; '],
        'a reboot'              => [['--change=x; reboot', '--undo=y', '--', 'realfeel'], "'x; reboot' restarts the machine, .* compare"],
        'no undo of a variant'  => [['--variant=a=b', '--', 'realfeel'], '--variant=a=b is not NAME=CHANGE:UNDO; '],
        'no commands'           => [['--variant=a', '--', 'realfeel'], '--variant=a is not NAME=CHANGE:UNDO; '],
        'a name of the base'    => [['--variant=base=x:y', '--', 'realfeel'], "'base' is not a valid name for a change; "],
        'a name for a round'    => [['--variant=a-01-b=x:y', '--', 'realfeel'], "'a-01-b' is not a valid name for a change; "],
        'two of a name'         => [[('--variant=a=x:y') x 2, '--', 'realfeel'], 'two changes have the same name; '],
        'an unknown percentile' => [['--at=98', '--', 'realfeel'], "'98' is not a percentile of the list; "],
        'two ends'              => [['--blocks=1', '--for=1m', '--', 'realfeel'], '--blocks and --for cannot be combined; '],
        'no file'               => [['none.hist'], 'none.hist: '],
        map { ("rounds: $_" => [["--blocks=$_"], "'\Q$_\E' is not a whole number of 1 or more; "]) } 0, -1, '1e9', 1.5, '9' x 19, 'x',
    );
    folder();
    for (sort keys %refused) {
        my ($arguments, $text) = @{ $refused{$_} };
        my ($status, $out, $err) = run($try, @$arguments);
        like("$status$out$err", qr/\A1realfeel-try: $text/, "$_ is refused");
    }
    file_of('a-01-base.hist', contents('../pool/off-0'));
    file_of('other.hist', contents('../pool/off-0'));
    for (['a-01-base.hist' => 'a: has no block of a change; '], ['other.hist' => 'other.hist: is not a block of an experiment; ']) {
        like((run($try, $_->[0]))[2], qr/\Arealfeel-try: $_->[1]/, "$_->[0] alone is refused");
    }
};

chdir '/';
done_testing;
