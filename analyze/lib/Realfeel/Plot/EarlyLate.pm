# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::EarlyLate;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(plan);

use List::Util qw(first max min);
use Realfeel::Plot::Axis qw(decade_above decade_below log_edges log_unit);
use Realfeel::Plot::Measure;
use Realfeel::Plot::Steps qw(blocks steps);
use Realfeel::Plot::Words qw(key_lines);
use Realfeel::Units qw(printable);

use constant {
    LINEAR_MIN_US => 0.01,
    LINEAR_MAX_US => 1,
    BUCKET_US     => 100,
    DECADES       => 1e4,       # of the larger side, unless the linear part becomes too large
    SIGNED        => 'interval error: early below 0, late above',
    ONE           => 0.7,       # the axis begins below a count of 1
    PER_DECADE    => 20,
};

=head1 NAME

Realfeel::Plot::EarlyLate - how many wake-ups came early and how many late, by their interval errors

=head1 FUNCTIONS

=head2 plan(\%look, @reports)

What L<Realfeel::Plot> draws. The axis is logarithmic to both sides, and linear around 0, where each side is one bin.
On it the place of a value is 1 and as many as it has decades above the linear part.

=cut

sub plan {
    my ($look, @reports) = @_;
    if (defined(my $without = first { !$_->interval } @reports)) {
        die printable($without->file . ': knows no interval error; leave it out') . "\n";
    }
    my $measure = Realfeel::Plot::Measure->new('interval', @reports);
    my @values = map { $measure->of_2002 ? $measure->values($_) : $_->interval } @reports;
    my @some = grep { $_->n } @values or die "there are no samples to draw; name a report that has some\n";
    my ($least, $most) = (min(0, map { $_->min } @some), max(0, map { $_->max } @some));
    my $linear = $measure->of_2002 ? BUCKET_US : _linear(max(-$least, $most));
    my ($unit, $us) = $measure->of_2002 ? ('ms', 1000) : log_unit($linear, max(-$least, $most));
    my %look = (%$look, unit => $look->{symbol}{$unit}, us => $us, is_signed => 1);
    my @cells = map { [_cells($linear, $measure, $_)] } @values;
    my @counts = map { $_->[2] } map { @$_ } @cells;
    my @ends = _ends($linear, $least, $most, @cells);
    my $top = decade_above(1.2 * max(5, @counts));
    return {
        data    => blocks((map { steps(0, 1, @$_) } @cells), _extremes($linear, \@values, \@cells)),
        keys    => key_lines(\%look, 'sample', \@reports, \@values),
        x_label => ($measure->of_2002 ? $measure->label : SIGNED) . " ($look{unit})",
        y_label => 'samples per ' . ($measure->of_2002 ? '0.1 ms bucket' : 'bin (' . PER_DECADE . ' a decade)'),
        numbers => [@ends, $linear / $us, ONE, $top],
        axes    => { x => [@ends, 'linear'], y => [ONE, $top, 'power'] },
        us      => $us,
    };
}

sub _linear {
    my ($magnitude) = @_;
    return LINEAR_MIN_US unless $magnitude > 0;
    return min(LINEAR_MAX_US, max(LINEAR_MIN_US, decade_below($magnitude) / DECADES));
}

# The ends of the axis, half a decade from 0 at least.
sub _ends {
    my ($linear, $least, $most, @cells) = @_;
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    return (min(-1.5, _place($linear, $least), @edges) - 0.1, max(1.5, _place($linear, $most), @edges) + 0.1);
}

sub _place {
    my ($linear, $us) = @_;
    my $size = abs $us;
    my $place = $size <= $linear ? $size / $linear : 1 + log($size / $linear) / log(10);
    return $us < 0 ? -$place : $place;
}

sub _cells {
    my ($linear, $measure, $values) = @_;
    my $cells = $measure->of_2002 ? $values : $values->regroup(_grid($linear));
    return map { [_place($linear, $_->[0]), _place($linear, $_->[1]), $_->[2]] } $cells->cells;
}

# From the lower edge of a bin to the edges of its cell. The upper edge of a bin of early ones is nearer to 0.
sub _grid {
    my ($linear) = @_;
    my @edges = log_edges($linear);
    return sub {
        my ($us) = @_;
        return $us < 0 ? _mirrored(\@edges, -$us) : @edges[map { $_ - 1, $_ } _first_above(\@edges, $us)];
    };
}

sub _mirrored {
    my ($edges, $to) = @_;
    my $i = _first_above($edges, $to);
    $i-- if $i > 1 && $edges->[$i - 1] >= $to;
    return (-$edges->[$i], 0 - $edges->[$i - 1]);
}

sub _first_above {
    my ($edges, $us) = @_;
    my ($low, $high) = (1, $#$edges);
    while ($low < $high) {
        my $middle = $low + $high >> 1;
        $edges->[$middle] > $us ? $high = $middle : ($low = $middle + 1);
    }
    return $low;
}

# The least and the largest of each run: [place, height, run].
sub _extremes {
    my ($linear, $values, $cells) = @_;
    return [map { my $run = $_; (
        [_place($linear, $values->[$run]->min), $cells->[$run][0][2],  $run + 1],
        [_place($linear, $values->[$run]->max), $cells->[$run][-1][2], $run + 1],
    ) } grep { $values->[$_]->n } 0 .. $#$values];
}

1;
