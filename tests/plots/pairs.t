# SPDX-License-Identifier: GPL-2.0-or-later
# The picture of an experiment: a line for each pair, and the effect as the pairs came in.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../lib lib ../../analyze/lib);
use Test::More;

use Drawing;
use MakeReport;
use RunCommand;
use Svg;
use Realfeel::Answer::Trial qw(answered);
use Realfeel::Draw::Series;
use Realfeel::Model::Report;

my $TEMPLATES = "$FindBin::Bin/../../plots";

# A run of this maximum, in us, that missed so many periods.
sub run_of {
    my ($max, $missed) = @_;
    make_report('x.hist', lateness => [['3.00', '3.01', 5000], [$max, $max + 1, 10]], lateness_max => $max,
        interval => [['0.00', '0.01', 5010 - ($missed // 0)]]);
    return Realfeel::Model::Report->read('x.hist');
}

sub rounds_of { return map { [map { run_of(ref ? @$_ : $_) } @$_] } @_ }

sub picture_of {
    my ($format, $at, $names, @rounds) = @_;
    my $output = $format eq 'text' ? undef : "x.$format";
    my $text = Realfeel::Draw::Series::pairs($TEMPLATES, $output, answered($at, { names => $names, rounds => \@rounds }));
    return $text // contents($output);
}

# Eight pairs, the last of them without a difference.
my @pairs = rounds_of((map { [400 + $_, 200 + $_] } 1 .. 7), [500, 500]);
my $svg = picture_of('svg', max => ['idle-states'], @pairs);
my @texts = Svg->new($svg)->texts;
for my $text ('max of the lateness \(\S+s\)', 'base', 'idle-states', 'pair', 'times the base', '0\.6',
    'idle-states: 0\.506 times the base \(0\.501 to 0\.507\); 8 pairs', 'circles: pairs; .*') {
    ok((grep { /^$text$/ } @texts), $text) or diag join '|', @texts;
}
is((grep { /\bnan\b/i } @texts), 0, 'no number that is none');

sub marks { my ($type) = @_; return scalar(() = $svg =~ /<use xlink:href='#gpPt$type' transform/g) }

is(marks(5), 8, 'a circle for each pair');
is(marks(6), 8 + 8 + 3, 'dots at both ends of their lines, and from the sixth on, as then it is known');
like(picture_of('png', 99 => ['one'], @pairs), qr/\A\x89PNG/, 'pairs are drawn as PNG');
like(picture_of('pdf', max => ['one', 'two'], rounds_of(map { [400, 200 + $_, 300 + $_] } 1 .. 3)), qr/\A%PDF-/, 'a PDF, of two changes');

my $out = picture_of('text', max => ['idle-states'], @pairs);
unlike($out, qr/[^\n\x20-\x7e]|.{80}/, 'the terminal has 79 columns of ASCII');
like($out, qr/^ +max of the lateness \(us\), times the base$/m, 'what it shows');
like($out, qr/\bo +idle-states: 0\.506 times the base \(0\.501 to 0\.507\); 8 pairs$/m, 'the terminal has the key');
like($out, qr/o(?: +o){5}/, 'the terminal has the effect');

my $none = picture_of('text', missed => ['rt'], rounds_of([[400, 0], [200, 0]], [[400, 0], [200, 3]], [[400, 0], [200, 0]]));
like($none, qr/rt: no ratio to a base of 0; 3 pairs$/m, 'nothing was missed without the change');

subtest 'what has no place on a logarithmic axis' => sub {
    my @missed = rounds_of([[400, 4], [200, 0]], [[400, 2], [200, 0]], [[400, 0], [200, 3]]);
    my @words = Svg->new(picture_of('svg', missed => ['rt'], @missed))->texts;
    ok((grep { $_ eq 'missed periods in a million' } @words), 'missed periods are counted in a million');
    ok((grep { /^rt: \S+ times the base so far; 3 pairs$/ } @words), 'an effect without an interval has none in the key') or diag "@words";
};

for my $page (Realfeel::Draw::Series::pairs_svgs($TEMPLATES, answered('max', { names => ['one'], rounds => \@pairs }))) {
    like($page, qr/<svg /, 'a page has a picture');
    unlike($page, qr/<script/, 'the picture for a page has no script');
}

is(eval { picture_of('text', max => ['one'], [run_of(400), undef]) } // $@,
    "there is no pair to draw; measure longer, or choose another --at\n", 'a trial without pairs is refused');

done_testing;
