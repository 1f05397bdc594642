# SPDX-License-Identifier: GPL-2.0-or-later
# The labels of logarithmic axes: two at least, none on top of another.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(uniq);
use Test::More;

use Realfeel::Draw::Axis qw(log_range log_tics);
use Seed;

sub labels {
    my ($low, $high, %axis) = @_;
    return grep { $_->[0] ne '' } log_tics($low, $high, power => '10^{%d}', %axis);
}

sub texts { return join ' ', map { $_->[0] } labels(@_) }

is(texts(50, 500, is => 'y', room => 13), '50 100 200 500', 'less than a decade from one power of 10 to the next');
is(texts(100, 1000, is => 'x', room => 62), '100 200 500 1000', 'a decade has four labels');
is(texts(1, 10000, is => 'x', room => 30), '1 10 100 1000 10000', 'less room');
is(texts(0.01, 1e6, is => 'x', room => 62), '0.01 1 100 10000 1000000', 'many decades');
is(texts(0.7, 1e5, is => 'y', room => 13, is_count => 1), join(' ', map { "10^{$_}" } 0 .. 5), 'counts have a label for each decade');
is(texts(0.7, 1e15, is => 'y', room => 6, is_count => 1), '10^{0} 10^{4} 10^{8} 10^{12}', 'counts of all sizes');
is(texts(1e-6, 1, is => 'y', room => 13, power => '%d') =~ tr/e//, 0, 'no exponents');

seed();
for (1 .. 3000) {
    my $least = 10**(rand(8) - 2);
    my @ends = log_range($least, $least * 10**rand 7);
    my ($is, $room) = rand() < 0.5 ? ('x', 22 + rand 45) : ('y', 6 + rand 10);
    my @labels = labels(@ends, is => $is, room => $room);
    my $per = $room / log($ends[1] / $ends[0]);
    my @close = grep {
        my ($before, $after) = @labels[$_ - 1, $_];
        my $size = $is eq 'y' ? 1 : (length($before->[0] =~ s/\W//gr) + length($after->[0] =~ s/\W//gr)) / 2;
        $per * log($after->[1] / $before->[1]) < $size;
    } 1 .. $#labels;
    my @outside = grep { $_->[1] < $ends[0] * 0.999999 || $_->[1] > $ends[1] * 1.000001 } @labels;
    next if @labels >= 2 && !@close && !@outside && uniq(map { $_->[0] } @labels) == @labels;
    fail("$is from $ends[0] to $ends[1], room $room: " . join ' ', map { $_->[0] } @labels);
}

done_testing;
