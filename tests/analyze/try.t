# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment says what a change does, and undoes it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Realfeel::Show::Trial qw(effects);
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
    like($out, qr/^  change  p50 .* 6      6       0$/m, 'then what it rests on');
    my ($begin, $found, @pairs) = split /\n/, $err;
    is($begin, 'realfeel-try: order of --seed=7; each block is kept as try-NN-NAME.hist', 'the seed');
    is($found, 'realfeel-try: found: off', 'what was found');
    is(pop @pairs, 'realfeel-try: found again at the end: off', 'and again');
    is_deeply([map { /: pair (\d+): change .* at p50 \(.*\); at most .* more\z/ } @pairs], [1 .. 5], 'how far it is');
    is_undone('at the end');
    is_deeply([glob '*.hist'], [map { ("try-0$_-base.hist", "try-0$_-change.hist") } 1 .. 6], 'the reports');
    is_deeply([run($try, '--at=50', reverse glob '*.hist')], [0, $out, ''], 'which tell the same once more');
    my ($exported, $tap) = run($analyze, qw(export --format=tap), glob '*.hist');
    is($exported, 0, 'and as a test for a harness');
    like($tap, qr/\ATAP version 13\n1\.\.1\nok 1 - change: p99\.9 is not higher/, 'which is of the statistic that is usual');
    my $calls = contents('calls');
    is((() = $calls =~ /^-o \S+ -d 10s -f 1024$/mg), 12, 'each block ends, also where nobody says when');
    is((run(change('--seed=7')))[0], 1, 'nothing is overwritten');
    is((run(change('--seed=7', '-o', 'again')))[0], 0, 'with another name');
    is(substr(contents('calls'), length $calls), $calls =~ s/try/again/gr, 'the order is that of the seed');
    isnt(substr($calls, 0, 25), '', 'some order');
    my %first = map { s/.*-//r => 1 } $calls =~ /-o (\S+)\.hist.*\n.*\n/g;
    is_deeply([sort keys %first], [qw(base change)], 'which is not always the same');
};

subtest 'changes that do nothing' => sub {
    my @known = grep {
        folder();
        (run(experiment('--change=sleep 0', '--undo=true', '--blocks=8', "--seed=$_")))[0] != UNKNOWN;
    } 1 .. $SEEDS;
    cmp_ok(scalar @known, '<=', 0.05 * $SEEDS, "by at most 5 % of $SEEDS seeds") or diag "@known";
    folder();
    my ($status, $out) = run(experiment('--variant=none=true:true', "--variant=half=$ON : $OFF", qw(--blocks=8 --seed=1)));
    like($out, qr/^none: cannot tell; a difference of less than \S+(?: %| times) at p50 would not have been\sseen; 8 pairs in /m,
        'one of two');
    like($out, qr/^half: p50 is [\d.]+ (?:%|times) lower \(/m, 'and the other is known');
    is($status, UNKNOWN, 'exit status');
    is_undone('of several');
    is((run($try, glob '*.hist'))[0], UNKNOWN, 'and where no pair has enough samples');
    folder();
    my (undef, undef, $err) = run(change('--at=99.99'));
    like($err, qr/^realfeel-try: a run has fewer than the \d+ samples that this percentile needs; measure longer, /m,
        'it ends at once');
    is(() = glob('*.hist'), 2, 'after one pair');
};

subtest 'a ratio in the table' => sub {
    my %shown = (0.0123456 => '0.0123', 0.5064 => '0.506', 0.99945 => '0.99945', 1 => '1', 1.000554 => '1.00055',
        1.0494 => '1.049', 2.346 => '2.35');
    for my $ratio (sort keys %shown) {
        my $shown = $shown{$ratio};
        my %effect = (statistic => 'p50', base => 1, variant => $ratio, (map { $_ => $ratio } qw(ratio low high)));
        my ($row) = (effects({ variants => [{ name => 'x', effect => { %effect, pairs => 6, lower => 0, higher => 6 } }] })->text)[-1];
        like($row, qr/ us +\Q$shown\E +\Q$shown\E to \Q$shown\E +6 /, "$ratio is on the side of 1 where it lies");
    }
};

subtest 'an experiment that is ready' => sub {
    folder();
    my ($listed) = (run($try, qw(--list -- realfeel -a 0)))[1] =~ /^(dma-latency: .*\n(?:    .*\n)+)/m;
    my ($status, $out, $err) = run(experiment('dma-latency', '--blocks=1'));
    if ($listed =~ /^    not here  (.*)/m) {
        is($err, "realfeel-try: dma-latency: not here: $1\n", 'not here');
    } else {
        my %options = contents('calls') =~ /^-o try-01-(\S+)\.hist (.*) -f 1024$/mg;
        is($options{'dma-latency'}, "$options{base} --dma-latency=0", 'options that are the change');
        like($options{base}, qr/--dma-latency=off/, 'or those of all blocks');
    }
};

subtest 'what fails' => sub {
    folder();
    my ($status, $out, $err) = run(experiment("--change=$ON; echo no way; exit 9", "--undo=$OFF"));
    is($status, 1, 'a change');
    like($err, qr/^realfeel-try: change '.*' of change ended with status 9: no way; correct it$/m, 'is told');
    like($err, qr/^realfeel-try: change is undone$/m, 'with the state it left');
    is_undone('a change that failed');

    folder();
    ($status, $out, $err) = run(change('--show=echo of others >try-undo.sh'));
    is($status, 1, 'a script that another has written meanwhile');
    like($err, qr/^realfeel-try: try-undo\.sh: exists; /m, 'is told');
    is(contents('try-undo.sh') . contents('setting'), "of others\noff\n", 'and left alone');
    unlike($err, qr/undone/, 'as is what was to be changed');

    folder();
    ($status, $out, $err) = run(experiment("--change=$ON", "--undo=test -e allowed && $OFF"));
    is($status, 1, 'an undo');
    like($err, qr/^realfeel-try: undo '.*' of change ended with status 1; the change may still be there: .* try-undo\.sh, /m,
        'is told');
    is(contents('setting'), "on\n", 'which is so');
    is((run(change()))[0], 1, 'no other experiment begins');
    file_of('allowed', '');
    is((run('sh', 'try-undo.sh'))[0], 0, 'the script undoes it');
    is(contents('setting'), "off\n", 'later');

    folder();
    ($status, $out, $err) = run(experiment("--change=$ON", "--undo=$OFF", '-o', 'none/x'));
    is("$status$out", 1, 'a folder that is not there');
    like($err, qr/\Arealfeel-try: none\/x: .*; name a folder that is there\n\z/, 'is told');
    is(contents('calls'), '', 'before anything is done');

    folder();
    ($status, $out, $err) = run(change('--show=cat setting calls | head -n 2', '--blocks=1'));
    is($status, 1, 'an undo that leaves something');
    like($err, qr/^realfeel-try: at the end it is not what was found, but: off, -o /m, 'is told');

    for my $put_back ('true', "$ON; echo '$OFF' >meanwhile") {
        folder();
        ($status, $out, $err) = run(experiment("--change=$put_back", "--undo=$OFF", '--show=cat setting'));
        is($status, 1, "a change that is not there: $put_back");
        like($err, qr/^realfeel-try: change: at the end of its block the setting is still off: /m, 'is told');
        cmp_ok(scalar(() = glob('*.hist')), '<=', 2, 'at its first block');
        is_undone('without it');
    }

    folder();
    ($status, $out, $err) = run(experiment("--change=$ON", '--undo=kill -KILL $PPID'));
    is($status, 1, 'an undo that kills the process that runs it');
    like($err, qr/^realfeel-try: undo '.*' of change ended with status 137; the change may still be there: .* try-undo\.sh, /m,
        'is told');
    ok(-e 'try-undo.sh', 'and the script stays');

    folder();
    ($status, $out, $err) = run($try, qw(--at=50 --settle=0s), "--change=$ON", "--undo=$OFF", '--', 'sh', '-c',
        'echo no RTC; exit 4', 'realfeel');
    is($status, 1, 'a measurement');
    like($err, qr/^realfeel-try: a block was not measured, realfeel ended with status 4: no RTC$/m, 'is told');
    is_undone('a measurement that failed');

    folder();
    ($status, $out, $err) = run($try, qw(--at=50 --settle=0s), "--change=$ON", "--undo=$OFF", '--', $^X, '-e', 'die "no RTC"', 'realfeel');
    is($status, 1, 'a measurement by a program in Perl');
    like($err, qr/^realfeel-try: a block was not measured, realfeel ended with status 255: no RTC at -e line 1$/m, 'is told');
};

subtest 'what is left behind' => sub {
    folder();
    my ($status) = run(experiment("--change=$ON; sleep 1000 & echo \$! >pid", "--undo=$OFF; kill \$(cat pid)"));
    is($status, 0, 'a process that a change has left in the background is not waited for');
    is_undone('with it');
};

subtest 'the command line' => sub {
    my %refused = (
        'no measurement'        => [["--change=$ON", "--undo=$OFF"], 'no measurement is named; '],
        'no realfeel'           => [["--change=$ON", "--undo=$OFF", '--', 'true'], 'no realfeel is called behind --; '],
        'no change'             => [['--', 'realfeel'], 'no change is named; '],
        'no undo'               => [["--change=$ON", '--', 'realfeel'], '--change and --undo belong together; '],
        'no such experiment'    => [['none', '--', 'realfeel'], "there is no experiment 'none'; the experiments are governor, "],
        'no measurement of one' => [['governor'], 'no measurement is named; '],
        'a reboot'              => [['--change=x; reboot', '--undo=y', '--', 'realfeel'], "'x; reboot' restarts the machine, .* compare"],
        'no undo of a variant'  => [['--variant=a=b', '--', 'realfeel'], '--variant=a=b is not NAME=CHANGE:UNDO; '],
        'no commands'           => [['--variant=a', '--', 'realfeel'], '--variant=a is not NAME=CHANGE:UNDO; '],
        'a name of the base'    => [['--variant=base=x:y', '--', 'realfeel'], "'base' cannot name a change; "],
        'a name for a round'    => [['--variant=a-01-b=x:y', '--', 'realfeel'], "'a-01-b' cannot name a change; "],
        'two of a name'         => [[('--variant=a=x:y') x 2, '--', 'realfeel'], 'two changes have one name; '],
        'an unknown percentile' => [['--at=98', '--', 'realfeel'], "'98' is not a percentile of the list; "],
        'two ends'              => [['--blocks=1', '--for=1m', '--', 'realfeel'], '--blocks and --for exclude each other; '],
        'no file'               => [['none.hist'], 'none.hist: '],
        map { ("rounds: $_" => [["--blocks=$_"], "'\Q$_\E' is not a whole number of 1 or more; "]) } 0, -1, '1e9', 1.5, '9' x 19, 'x',
    );
    folder();
    for (sort keys %refused) {
        my ($arguments, $text) = @{ $refused{$_} };
        my ($status, $out, $err) = run($try, @$arguments);
        is("$status$out", 1, $_);
        like($err, qr/\Arealfeel-try: $text/, 'is refused');
    }
    file_of('a-01-base.hist', contents('../pool/off-0'));
    file_of('other.hist', contents('../pool/off-0'));
    for (['a-01-base.hist' => 'a: has no block of a change; '], ['other.hist' => 'other.hist: is no block of an experiment; ']) {
        like((run($try, $_->[0]))[2], qr/\Arealfeel-try: $_->[1]/, "$_->[0]: is refused");
    }
};

chdir '/';
done_testing;
