# SPDX-License-Identifier: GPL-2.0-or-later
# The labels of logarithmic axes: two at least, none on top of another.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib lib);
use Test::More;

use Drawing;
use Realfeel::Draw::Gnuplot qw(draw_stills);
use Realfeel::Draw::Runs qw(log_range);
use Seed;

use constant { LETTER => 13, LINE => 20.5 };        # of a digit and of a line in an SVG

# The labels of both axes of pictures with these axes: [text, place along the axis] each.
sub labels {
    my @axes = @_;
    my %texts = map { $_ => '' } qw(title_text x_text y_text note remark);
    my %of_each = map { $_ => [('') x 13] } qw(name count maximum doubt cpu);
    return map { +{ x => [_anchored($_, 'middle', 0)], y => [_anchored($_, 'end', 1)] } }
        draw_stills($plots, map { [$_->{numbers} ? 'matrix' : 'histogram',
            { %$_, data => [([]) x 14], keys => [], texts => { %texts, %of_each } }, $_->{format}] } @axes);
}

sub _anchored {
    my ($svg, $anchor, $is_y) = @_;
    my @all = $svg =~ m{translate\(([\d.]+),([\d.]+)\)"[^>]*text-anchor="$anchor">\s*<text>(.*?)</text>}sg;
    my @labels = map { [$all[3 * $_ + 2] =~ s/<[^>]*>|\s//gr, $all[3 * $_ + $is_y]] } 0 .. $#all / 3;
    my %seen;
    return sort { $a->[1] <=> $b->[1] } grep { $_->[0] ne '' && !$seen{"@$_"}++ } @labels;
}

my @COUNTS = (0.7, 1e5, 'power');
for my $case (
    [[50, 500, 'log'], '50 100 200 500', 'less than a decade from one power of 10 to the next'],
    [[100, 1000, 'log'], '100 200 500 1000', 'a decade has four labels'],
    [[1, 10_000, 'log'], '1 3 10 30 100 300 1000 3000 10000', 'four decades'],
    [[0.01, 1e5, 'log'], '0.01 0.1 1 10 100 1000 10000 100000', 'many decades'],
    [[1, 1e15, 'log'], '100 102 104 106 108 1010 1012 1014', 'long numbers are powers'],
    [\@COUNTS, '100 101 102 103 104 105', 'counts have a label for each decade'],
) {
    my ($x, $expected, $name) = @$case;
    my ($labels) = labels({ x => $x, y => \@COUNTS, format => 'still' });
    is(join(' ', map { $_->[0] } @{ $labels->{x} }), $expected, $name);
}

seed();
my @axes = map {
    my ($x, $y) = map { my $least = 10**(rand(8) - 2); [log_range($least, $least * 10**rand 7), 'log'] } 1, 2;
    { x => $x, y => rand() < 0.5 ? $y : [0.7, 10**int(2 + rand 16), 'power'], format => (qw(still page wide))[rand 3] };
} 1 .. 100;
push @axes, map { { x => [@$_, 'log'], y => \@COUNTS, format => 'still', numbers => { rows => 4, columns => 4 } } }
    [1, 1000], [0.001, 5e5], [20, 500], [0.01, 2e4];
my @drawn = labels(@axes);
for my $i (0 .. $#axes) {
    for my $is ('x', $axes[$i]{numbers} ? () : 'y') {
        my @labels = @{ $drawn[$i]{$is} };
        my @close = grep {
            my ($before, $after) = @labels[$_ - 1, $_];
            $after->[1] - $before->[1] < ($is eq 'y' ? LINE : LETTER * (length($before->[0]) + length $after->[0]) / 2);
        } 1 .. $#labels;
        next if @labels >= 2 && !@close;
        fail("$axes[$i]{format}, $is: @{ $axes[$i]{$is} }: " . join ' ', map { $_->[0] } @labels);
    }
}

done_testing;
