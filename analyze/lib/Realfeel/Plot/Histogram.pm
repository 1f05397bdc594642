# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Histogram;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(counts_axis plan scaled);

use List::Util qw(max min);
use Realfeel::Plot::Axis qw(decade_above log_cells log_range log_unit);
use Realfeel::Plot::Limit qw(near_limits);
use Realfeel::Plot::Measure;
use Realfeel::Plot::Steps qw(blocks maxima steps);
use Realfeel::Plot::Words qw(key_lines);

use constant {
    PER_DECADE => 20,
    ONE        => 0.7,          # the axis begins below a count of 1
};

=head1 NAME

Realfeel::Plot::Histogram - counts over time, both axes logarithmic

=head1 FUNCTIONS

=head2 plan(\%look, @reports)

What L<Realfeel::Plot> draws.

=cut

sub plan {
    my ($look, @reports) = @_;
    my $drawn = scaled($look, @reports);
    my @counts = map { [map { $_->[2] } @$_] } @{ $drawn->{cells} };
    my $top = decade_above(1.2 * max(5, map { @$_ } @counts));
    return {
        %$drawn,
        data    => blocks(@{ $drawn->{steps} }, maxima($drawn->{us}, $drawn->{values}, [map { $_->[-1] } @counts])),
        y_label => counts_axis($drawn->{measure}),
        numbers => [@{ $drawn->{range} }, ONE, $top],
        axes    => { x => [@{ $drawn->{range} }, 'log'], y => [ONE, $top, 'power'] },
    };
}

=head2 counts_axis($measure)

What the axis of the counts says.

=cut

sub counts_axis {
    my ($measure) = @_;
    return $measure->counted . 's per ' . ($measure->of_2002 ? '0.1 ms bucket' : 'bin (' . PER_DECADE . ' a decade)');
}

=head2 scaled(\%look, @reports)

A hash: C<measure>, the distribution of each report, C<values>, its C<cells> and their outline, C<steps>, the ends of
the axis, C<range>, its unit, C<unit> and C<us>, its C<x_label>, the C<limits>, and the C<keys>. Dies with one line when
there is nothing to draw.

=cut

sub scaled {
    my ($look, @reports) = @_;
    my $measure = Realfeel::Plot::Measure->new($look->{measure}, @reports);
    my @values = $measure->all(@reports);
    my @cells = map { [log_cells($measure, $_)] } @values;
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    my @limits = near_limits($measure, max(@edges), @reports);
    my ($low, $high) = log_range(min(@edges), max(@edges, @limits));
    my ($unit, $us) = $measure->of_2002 ? ('ms', 1000) : log_unit($low, $high);
    my %look = (%$look, unit => $look->{symbol}{$unit}, us => $us);
    return {
        measure => $measure,
        values  => \@values,
        cells   => \@cells,
        steps   => [map { steps($low, $us, @$_) } @cells],
        range   => [$low / $us, $high / $us],
        us      => $us,
        limits  => \@limits,
        unit    => $look{unit},
        x_label => $measure->label . " ($look{unit})",
        keys    => key_lines(\%look, $measure->counted, \@reports, \@values),
    };
}

1;
