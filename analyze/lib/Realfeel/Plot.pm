# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(inline_svg inline_svgs kinds plot takes_measure);

use Realfeel::Gnuplot qw(draw draw_stills format_of);
use Realfeel::Plot::Axis qw(plain);
use Realfeel::Plot::Limit qw(limit_lines);
use Realfeel::Plot::Tics qw(log_tics);
use Realfeel::Plot::Words qw(notes title);

use constant RUNS_MAX => 12;

# Of each kind the module that computes what its template draws, and what is special to it: only one run fits, or there
# is no choice of the measure.
use constant KINDS => {
    histogram    => ['Histogram'],
    overlay      => ['Overlay'],
    percentiles  => ['Percentiles'],
    exceedance   => ['Exceedance'],
    slices       => ['Slices', one_measure => 1, runs_max => 1],
    osadl        => ['Osadl'],
    'early-late' => ['EarlyLate', one_measure => 1],
    matrix       => ['Matrix'],
};

# How microseconds and powers of 10 are written; how many characters fit beside a line of the key, and along the axes.
use constant {
    TERMINAL => { symbol => { us => 'us', ms => 'ms' }, power => '1e%d', room => 60, x => 64, y => 15,
        is_terminal => 1 },
    PICTURE  => { symbol => { us => "\xc2\xb5s", ms => 'ms' }, power => '10^{%d}', room => 68, x => 62, y => 13,
        is_terminal => 0 },
    IN_PAGE  => { symbol => { us => "\xc2\xb5s", ms => 'ms' }, power => '10^{%d}', room => 46, x => 44, y => 13,
        is_terminal => 0 },
};

=head1 NAME

Realfeel::Plot - the kinds of pictures, and what they have in common

=head1 FUNCTIONS

=head2 kinds

The names of all kinds, sorted.

=head2 takes_measure($kind)

Whether such a picture can show either measure.

=cut

sub kinds { return sort keys %{ KINDS() } }

sub takes_measure {
    my ($kind) = @_;
    my (undef, %special) = @{ KINDS->{$kind} };
    return !$special{one_measure};
}

=head2 plot($kind, $template_directory, $output, $measure, @reports)

Draws the reports to the picture C<$output>, or returns the drawing as text when it is undef. C<$measure> is
C<lateness>, C<interval> or undef: lateness when all reports have it. Dies with one line of reason.

=cut

sub plot {
    my ($kind, $templates, $output, $measure, @reports) = @_;
    my $format = format_of($output);
    my $look = $format eq 'dumb' ? TERMINAL : PICTURE;
    return draw("$templates/$kind.gp", $format, $output, _drawing($kind, $look, $measure, @reports));
}

=head2 inline_svgs($template_directory, @wishes)

Pictures as the texts of SVGs without scripts, to be put into a page. Of each there is an array of the kind, the measure
and the reports, as C<plot> takes them. Returns a list of arrays: the text, or undef and the line of reason.

=cut

sub inline_svgs {
    my ($templates, @wishes) = @_;
    my (@drawings, @svgs);
    for (@wishes) {
        my ($kind, @rest) = @$_;
        my @drawing = eval { _drawing($kind, IN_PAGE, @rest) };
        push @drawings, @drawing ? ["$templates/$kind.gp", @drawing] : [undef, $@];
    }
    my @drawn = grep { defined $_->[0] } @drawings;
    my $reason = eval { @svgs = draw_stills(@drawn) if @drawn; 1 } ? undef : $@;
    return map { defined $_->[0] ? [shift @svgs, $reason] : $_ } @drawings;
}

=head2 inline_svg($kind, $template_directory, $measure, @reports)

One such picture. Dies with the reason.

=cut

sub inline_svg {
    my ($kind, $templates, $measure, @reports) = @_;
    my ($drawn) = inline_svgs($templates, [$kind, $measure, @reports]);
    my ($svg, $reason) = @$drawn;
    die $reason if defined $reason;
    return $svg;
}

# What a kind's module hands over is a hash: data, keys, x_label, y_label and numbers, as the template documents them;
# axes, a hash from x or y to the ends of an axis and its kind: log, power (a logarithmic one of counts) or linear;
# limits, an array of us, which stand on limit_axis, by default x, whose unit is us; and x_room and y_room, where there
# is less room along these axes than in other pictures.
sub _drawing {
    my ($kind, $format, $measure, @reports) = @_;
    my ($module, %special) = @{ KINDS->{$kind} };
    _refuse_many($special{runs_max} // RUNS_MAX, scalar @reports);
    require "Realfeel/Plot/$module.pm";
    my $look = { %$format, measure => $measure };
    my $plan = "Realfeel::Plot::$module"->can('plan')->($look, @reports);
    return ($plan->{data}, join('', map { "$_\n" } @{ $plan->{keys} }), title($look->{room}, @reports),
        @$plan{qw(x_label y_label)}, _numbers($look, $plan), notes($look->{room}, @reports));
}

sub _numbers {
    my ($look, $plan) = @_;
    my $limit_axis = $plan->{limit_axis} // 'x';
    my @lines = (
        join(' ', map { plain($_) } @{ $plan->{numbers} }),
        (map { _tics($_, $look, $plan) } qw(x y)),
        limit_lines($limit_axis, $plan->{axes}{$limit_axis}, $plan->{us}, $look->{symbol}{us},
            @{ $plan->{limits} // [] }),
    );
    return join '', map { "$_\n" } @lines;
}

sub _tics {
    my ($is, $look, $plan) = @_;
    my ($low, $high, $kind) = @{ $plan->{axes}{$is} // [0, 0, 'linear'] };
    return '' if $kind eq 'linear';
    return log_tics($low, $high, is => $is, room => $plan->{"${is}_room"} // $look->{$is}, power => $look->{power},
        is_count => $kind eq 'power');
}

sub _refuse_many {
    my ($most, $files) = @_;
    my $name = $most == 1 ? 'name one' : "name at most $most";
    die "$files files are too many for one picture of this kind; $name\n" if $files > $most;
}

1;
