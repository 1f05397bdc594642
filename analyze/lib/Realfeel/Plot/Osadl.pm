# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Osadl;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(plan);

use List::Util qw(max min);
use POSIX qw(floor);
use Realfeel::Plot::Axis qw(decade_above linear_top linear_unit number round_above);
use Realfeel::Plot::Limit qw(near_limits);
use Realfeel::Plot::Measure;
use Realfeel::Plot::Steps qw(blocks maxima steps);
use Realfeel::Plot::Words qw(key_lines);

use constant {
    COLUMNS   => 400,
    LETTERS   => 60,            # across a terminal
    FINEST_US => 0.01,
    ONE       => 0.7,           # the axis begins below a count of 1
    TOLERANCE => 1e-6,
};

=head1 NAME

Realfeel::Plot::Osadl - counts over time, as the OSADL's farm prints them: the axis of time is linear from 0

=head1 FUNCTIONS

=head2 plan(\%look, @reports)

What L<Realfeel::Plot> draws.

=cut

sub plan {
    my ($look, @reports) = @_;
    my $measure = Realfeel::Plot::Measure->new($look->{measure}, @reports);
    my @values = $measure->all(@reports);
    my $max = max(map { $_->max } grep { $_->n } @values);
    my ($unit, $us) = $measure->of_2002 ? ('ms', 1000) : linear_unit($max);
    my $symbol = $look->{symbol}{$unit};
    my $width = _width($look->{is_terminal} ? LETTERS : COLUMNS, $max, @values);
    my @cells = map { [$_->regroup(_columns($width))->cells] } @values;
    my @last = map { @$_ ? $_->[-1][2] : 0 } @cells;
    my @limits = near_limits($measure, $max, @reports);
    my $end = linear_top(max($max, @limits, map { $_->[-1][1] } grep { @$_ } @cells)) / $us;
    my $top = decade_above(1.2 * max(5, map { $_->[2] } map { @$_ } @cells));
    return {
        data    => blocks((map { steps(0, $us, @$_) } @cells), maxima($us, \@values, \@last)),
        keys    => key_lines({ %$look, unit => $symbol, us => $us }, $measure->counted, \@reports, \@values),
        x_label => $measure->label . " ($symbol)",
        y_label => sprintf('%ss per bin of %s %s', $measure->counted, number($width / $us), $symbol),
        numbers => [$end, ONE, $top],
        axes    => { x => [0, $end, 'linear'], y => [ONE, $top, 'power'] },
        limits  => \@limits,
        us      => $us,
    };
}

# A round number, and no bin is wider.
sub _width {
    my ($columns, $max, @values) = @_;
    my $widest = 0;
    for (@values) {
        my ($low, $high) = $_->columns;
        $widest = max($widest, map { min($high->[$_], $max) - $low->[$_] } 0 .. $#$low);
    }
    return round_above(max(FINEST_US, $widest, $max / $columns));
}

sub _columns {
    my ($width) = @_;
    return sub {
        my $column = floor($_[0] / $width + TOLERANCE);
        return ($column * $width, ($column + 1) * $width);
    };
}

1;
