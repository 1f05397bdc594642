# SPDX-License-Identifier: GPL-2.0-or-later
# The pictures of a page.
package Realfeel::Show::Page::Pictures;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(pair_picture pictures);

use Realfeel::Base::Units qw(refusal);
use Realfeel::Draw::Plot qw(inline_svgs);
use Realfeel::Model::Explain qw(is_blamed);
use Realfeel::Show::Page::Html qw(element figure picture section);

use constant {
    EXPLAINING  => { parts => 1, timeline => 1 },
    OF_EACH_MAX => 2,           # so that a page of many runs can still be mailed
    OF_ALL_MAX  => 12,          # runs that one drawing holds
    WIDE        => { cpus => 1, percentiles => 1 },
    CAPTIONS    => {
        histogram   => 'The number of values of each size. Both axes are logarithmic, so that a single late wake-up is '
            . 'visible beside millions of others.',
        overlay     => 'The share of each run at each size. Both axes are logarithmic; a symbol marks the maximum.',
        percentiles => 'The value that each percentage does not exceed. Each step to the right leaves a tenth of the '
            . 'values beyond it; where a line is thin, fewer than ten.',
        exceedance  => 'The share of values above each value; of one or two runs also its upper bound, dotted.',
        slices      => 'The run over time: how often each latency occurred, and the largest of each stretch.',
        cpus        => 'Each CPU in a row. The brighter a cell, the larger its share of the values of that CPU. Lines '
            . 'mark the maximum and, if ten values lie beyond it, p99.9.',
        matrix      => 'Each run by itself, all on one scale.',
        parts       => 'What the latencies were made of. Each step to the right leaves a tenth of the wake-ups beyond '
            . 'it; above stand the latencies.',
        timeline    => 'Who had the CPU before the worst wake-ups. Each row is the whole time of one of them, up to '
            . 'its stamp; what was short is drawn wider.',
    },
};

# Returns the picture of the CPUs, for runs on several; the picture that comes first of the others; the section of
# these; an array of those that explain; and lines, without newlines, on what is wrong with gnuplot. That there is
# nothing to draw, only the page says.
sub pictures ($templates, $measure, @runs) {
    my @kinds = _kinds(@runs);
    my @wide = grep { WIDE->{ $kinds[$_][0] } } 0 .. $#kinds;
    my @drawn = inline_svgs($templates, (map { _wish($measure, undef, @$_) } @kinds),
        map { _wish($measure, 'wide', @$_) } @kinds[@wide]);
    my %wide = map { $wide[$_] => $drawn[@kinds + $_][0] } 0 .. $#wide;
    my @complaints = map { $_->[2] ? $_->[1] =~ s/\n\z//r : () } @drawn;
    my @figures = map { _figure($_ + 1, $drawn[$_], $wide{$_}, @{ $kinds[$_] }) } 0 .. $#kinds;
    my @of_cpus = splice @figures, 0, scalar grep { $_->[0] eq 'cpus' } @kinds;
    my @explaining = splice @figures, @figures - grep { EXPLAINING->{ $_->[0] } } @kinds;
    my ($first, @others) = @figures;
    my $others = @others ? section('More pictures', element('div', { class => 'pictures' }, "\n", @others)) : '';
    return (join('', @of_cpus), $first, $others, \@explaining, @complaints);
}

sub _wish ($measure, $format, $kind, @runs) {
    my $cpus = $kind eq 'cpus' ? undef : 'together';
    return [$kind, $measure, [map { $_->{run} } @runs], [map { $_->{name} } @runs], $cpus, $format];
}

# The kind of each picture, and its runs
sub _kinds (@runs) {
    my @each = @runs > OF_EACH_MAX ? () : @runs;
    my @of_cpus = grep { my @cpus = @{ $_->{run}{reports} }; @cpus > 1 && !grep { !defined $_->cpu } @cpus } @each;
    my @kinds = @runs > OF_ALL_MAX ? () : ('percentiles', @runs == 1 ? 'histogram' : 'overlay', 'exceedance');
    push @kinds, 'matrix' if @runs > OF_EACH_MAX;
    my @timed = grep { $_->{report}->latency } @each;
    return ((map { ['cpus', $_] } @of_cpus), (map { [$_, @runs] } @kinds),
        (map { ['slices', $_] } grep { $_->{report}->has('slices') && $_->{report}->has('slice_bins') } @timed),
        (map { ['parts', $_] } grep { (($_->{report}->rows('parts'))[1] // '') ne '' } @timed),
        (map { ['timeline', $_] } grep { is_blamed($_->{report}) } @timed));
}

sub _figure ($number, $drawn, $wide, $kind, @runs) {
    my ($svg, $reason) = @$drawn;
    my $caption = "Figure $number" . (@runs == 1 ? ", $runs[0]{name}" : '') . '. ' . CAPTIONS->{$kind};
    my $alt = "$kind of " . join ', ', map { $_->{name} } @runs;
    return figure($kind, $caption, defined $reason ? undef : picture($svg, $alt, $wide), $reason);
}

# The pairs of an answered experiment
sub pair_picture ($templates, $experiment) {
    require Realfeel::Draw::Series;
    my ($svg, $wide) = eval { Realfeel::Draw::Series::pairs_svgs($templates, $experiment) };
    my $reason = defined $svg ? undef : refusal($@);
    my $alt = 'pairs of the base and ' . join ', ', @{ $experiment->{names} };
    my $caption = 'On the left a line for each pair of runs, on the right the effect as the pairs came in, and between '
        . 'which it lies.';
    return figure('pairs', $caption, defined $svg ? picture($svg, $alt, $wide) : undef, $reason);
}

1;
