# SPDX-License-Identifier: GPL-2.0-or-later
# Which part of the lateness differs between two runs, and when nothing is said of it.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib ../plots/lib);
use Test::More;

use MakeExplained;
use Realfeel::Answer::Compare qw(compare composition);
use Realfeel::Model::Report;
use Realfeel::Show::Compare qw(caution parts why_no_parts);
use Analyzer;
use RunCommand;

chdir tempdir(CLEANUP => 1) or die $!;

# Wake-ups as MakeExplained has them; a run without further words is one of parts.
sub report {
    my ($name, $wakeups, %more) = @_;
    make_explained($name, wakeups => $wakeups, %more);
    return Realfeel::Model::Report->read($name);
}

my $stock = report('stock.hist', [[100, 15, 11, 28, 0, 11]]);
my $rt    = report('rt.hist', [[100, 45, 11, 16, 74, 13]]);

subtest 'medians that lie apart' => sub {
    my $composition = composition($stock, $rt);
    is($composition->{reason}, undef, 'nothing is in the way');
    is_deeply([map { [@$_{qw(part base_us file_us differs)}] } @{ $composition->{parts} }], [
        ['expiry', 15, 45, 1], ['waking', 11, 11, 0], ['switch', 28, 16, 1],
        ['again', 0, 74, 1], ['stamp', 11, 13, 0],
    ], 'the parts differ by more than a twentieth of the later run, or are equal');
    is(parts(compare($stock, $rt)), "by the medians of these runs, with rt.hist "
        . "'blocked again' is 74.0 us longer (0.0 -> 74.0), 'due to expiry' 30.0 us longer (15.0 -> 45.0), 'waking to switch' 12.0 us "
        . 'shorter (28.0 -> 16.0) than with stock.hist; the other parts differ less, or no more than they vary within a run.',
        'the text begins with the greatest difference');
    my ($status, $out) = run($analyze, qw(compare stock.hist rt.hist));
    like($out, qr/^  parts     by the medians of these runs, with rt\.hist 'blocked again' is 74\.0\n/m, 'compare says so');
    like($out, qr/^  the causes of each:\n    realfeel-analyze explain stock\.hist rt\.hist\n/m,
        'compare names the command that has the causes');
};

# The middle half of 100 values: from the 25th to the 76th.
subtest 'what varies within a run' => sub {
    my $wide = report('wide.hist', [[26, 15, 11, 20, 0, 11], [48, 15, 11, 40, 0, 11], [26, 15, 11, 60, 0, 11]]);
    my $other = sub { my ($us) = @_; report("other$us.hist", [[100, 15, 11, $us, 0, 11]]) };
    my $differs = sub { my ($switch) = grep { $_->{part} eq 'switch' } @{ composition(@_)->{parts} }; $switch->{differs} };
    is($differs->($wide, $other->(59)), 0, 'the median of the other lies in the middle half');
    is($differs->($wide, $other->(62)), 1, 'a median above the middle half of the other differs');
    is($differs->($wide, $other->(19)), 1, 'a median below the middle half of the other differs');
    is($differs->($other->(62), $wide), 1, 'the order of the runs does not matter');
    my $narrow = report('narrow.hist', [[24, 15, 11, 20, 0, 11], [52, 15, 11, 40, 0, 11], [24, 15, 11, 60, 0, 11]]);
    is($differs->($narrow, $other->(59)), 1, 'a quarter less at each end is no middle half');
    like(parts(compare($wide, $other->(59))), qr/^in these runs, none differs by more than it varies within a run/,
        'the text says that no part differs');
};

subtest 'what is not compared' => sub {
    my @usual = (15, 11, 28, 0, 11);
    my $blame = report('blame.hist', [[100, @usual]], blame => [[[65, qw(self realfeel rt:95 -)]]]);
    my $few   = report('few.hist', [[19, @usual]]);
    my $half  = report('half.hist', [[88, @usual]], unknown => 12);
    my $most  = report('most.hist', [[90, @usual]], unknown => 10);
    is_deeply(composition($stock, $blame)->{reason}, { code => 'unlike', base => 'parts', file => 'blame' }, 'other traces');
    like(parts(compare($rt, $blame)), qr/^not compared: they were traced with --explain=parts and --explain=blame/,
        'the text names the two ways to trace');
    my $several = report('several.hist', [[100, @usual]], header => { explain => 'several' });
    is_deeply(composition($several, $several)->{reason}, { code => 'several' }, 'mixed traces');
    like(why_no_parts({ code => 'several' }), qr/^both were merged from runs that differ in --explain/,
        'the text says that a run was merged from several levels');
    is_deeply(compare($rt, $blame)->{doubts}, [{ code => 'unlike', key => 'explain', base => 'parts', file => 'blame' }],
        'unlike levels of --explain are a caution, too');
    is_deeply([map { caution($_) } @{ compare($rt, $blame)->{doubts} }],
        ['the levels of --explain differ: parts and blame, and recording delays wake-ups'],
            'the caution says that recording delays wake-ups');
    my $untold = report('untold.hist', [[100, @usual]], header => { explain => '' });
    is_deeply([map { caution($_) } @{ compare($rt, $untold)->{doubts} }], ['the levels of --explain may differ: untold.hist does not say'],
        'a level that is not recorded is a caution');
    my %of = (side => 'base', matched => 19, unknown => 0);
    is_deeply(composition($few, $stock)->{reason}, { %of, code => 'few', needed => 20 }, '19 wake-ups are too few');
    my $unknown = composition($stock, $half)->{reason};
    is_deeply($unknown, { code => 'unknown', side => 'file', matched => 88, unknown => 12 }, 'many unknown');
    is(why_no_parts($unknown), 'in FILE, the parts of 12.0 % of the wake-ups are unknown', 'the text says how many parts are unknown');
    is(composition($stock, $most)->{reason}, undef, 'a tenth is not too many');
    is(parts(compare($stock, $few)),
        'not compared: few.hist has fewer than 20 wake-ups whose parts are known.', 'the text names the run with too few wake-ups');
    is_deeply(composition($few, $stock)->{parts}, [], 'few wake-ups leave no parts to compare');
    my $plain = Realfeel::Model::Report->read("$FindBin::Bin/data/small.hist");
    is(composition($stock, $plain), undef, 'a run without --explain');
    ok((grep { /^the levels of --explain differ: parts and off,/ } map { caution($_) } @{ compare($stock, $plain)->{doubts} }),
        'a run without --explain is a caution');
    is(compare($stock, $plain)->{composition}, undef, 'a run without --explain has no parts to compare');
    unlike((run($analyze, 'compare', 'stock.hist', "$FindBin::Bin/data/small.hist"))[1], qr/^  parts /m,
        'compare says nothing of parts beside a run without --explain');
    is(compare($stock, $rt, 'interval')->{composition}, undef, 'interval errors have no parts');
    is(compare($stock, $stock)->{composition}, undef, 'identical runs have no parts to compare');
    unlike((run($analyze, qw(compare --measure=interval stock.hist rt.hist)))[1], qr/^  parts /m, 'compare says nothing then');
};

done_testing;
