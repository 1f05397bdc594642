# SPDX-License-Identifier: GPL-2.0-or-later
# What a change did: each pair, and the effect as pairs came in.
package Realfeel::Draw::Pairs;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(inline_svgs);

use List::Util qw(max min);
use Realfeel::Base::Units qw(cut cut_middle printable significant);
use Realfeel::Draw::Axis qw(drawing log_tics number);
use Realfeel::Draw::Gnuplot qw(draw draw_stills format_of look_of);
use Realfeel::Draw::Words qw(notes title words);
use Realfeel::Model::Report qw(measure_name);

use constant {
    WIDE   => 5,            # from here on an axis has marks at 1, 2 and 5 of a decade
    MARKS  => 7,            # the most on a narrower one
    MARGIN => 1.06,         # beyond the greatest value, and the least
    LEAST  => 1.25,         # the least that the effects are drawn from 1
    DIGITS => 3,
    NAMES_ROOM => 24,       # below the pairs, for all names
};

# Draws an answered experiment to $output, or returns text if that is undef; a terminal only has room for the effects.
# Dies with one line without any pair.
sub plot ($templates, $output, $experiment) {
    my $format = format_of($output);
    return draw($templates, 'pairs', $format, $output, _drawing(look_of($format), $experiment));
}

# Two SVGs for a page: the usual one, and one as wide as the page
sub inline_svgs ($templates, $experiment) {
    return draw_stills($templates, map { ['pairs', _drawing(look_of($_), $experiment), $_] } qw(page wide));
}

sub _drawing ($look, $experiment) {
    my $trial = $experiment->{trial};
    my @variants = grep { $_->{effect}{pairs} } @{ $trial->{variants} };
    die "there is no pair to draw; measure longer, or decide at another --at\n" unless @variants;
    my @effects = map { $_->{effect} } @variants;
    my @pairs = map { @{ $_->{so_far} } } @effects;
    my @values = _axis($look, map { @$_{qw(base variant)} } @pairs);
    my @ratios = _axis($look, 1 / LEAST, LEAST, map { @$_{qw(pair_ratio ratio)}, _interval($_) } @pairs);
    my @reports = grep { defined } map { @$_ } @{ $experiment->{rounds} };
    my ($note, $remark) = notes($look, '', words($look->{is_terminal} ? 'pairs.legend_terminal' : 'pairs.legend'));
    return drawing($look, {
        data  => [map { _lines($_, @values), _course($_, @ratios) } @effects],
        x     => [0.5, max(map { $_->{pairs} } @effects) + 0.5, 'own'],
        y     => [@values[0, 1], 'own'],
        tics  => { x => [], y => $values[2] },
        keys  => [map { cut(_key($_), $look->{room}) } @variants],
        texts => {
            title_text => title($look->{width}, @reports), note => $note, remark => $remark,
            x_text => words('axis.pair'), y_text => _label($look, $trial, $effects[0]),
            effect_text => words('axis.effect'),
            base_name => words('pairs.base'),
            name => [map { cut_middle(printable($_->{name}), NAMES_ROOM / @variants) } @variants],
            ratio_tic => [map { $_->[0] } @{ $ratios[2] }],
        },
        numbers => {
            ratio_place => [map { $_->[1] } @{ $ratios[2] }], ratio_low => $ratios[0], ratio_high => $ratios[1],
            base_middle => [map { _within($_->{base}, @values) } @effects],
            middle => [map { _within($_->{ratio} ? $_->{base} * $_->{ratio} : $_->{variant}, @values) } @effects],
        },
    });
}

sub _label ($look, $trial, $effect) {
    return words('axis.missed_ppm') if $trial->{at} eq 'missed';
    return words('axis.statistic', statistic => $effect->{statistic}, measure => measure_name($trial->{measure}),
        unit => $look->{symbol}{us});
}

sub _key ($variant) {
    my $effect = $variant->{effect};
    my @interval = _interval($effect);
    my $code = !defined $effect->{ratio} ? 'key.effect_none' : @interval ? 'key.effect' : 'key.effect_open';
    my ($ratio, $low, $high) = map { defined $_ ? significant($_, DIGITS) : words('pairs.any') }
        $effect->{ratio}, @interval;
    return words($code, name => printable($variant->{name}), ratio => $ratio, low => $low, high => $high,
        pairs => $effect->{pairs});
}

# Empty if it has no end
sub _interval ($pair) {
    return $pair->{low} || defined $pair->{high} ? @$pair{qw(low high)} : ();
}

# The ends of a logarithmic axis, and its marks; 0 and infinity stand at an end
sub _axis ($look, @values) {
    my @finite = grep { defined && $_ > 0 && $_ < 9**9**9 } @values;
    my ($low, $high) = (min(@finite, 1e6) / MARGIN, max(@finite, 1e-6) * MARGIN);
    $low /= WIDE if grep { defined && !$_ } @values;
    return ($low, $high, [_marks($look, $low, $high)]);
}

sub _marks ($look, $low, $high) {
    return log_tics($low, $high, is => 'y', room => $look->{y}, power => $look->{power}) if $high > WIDE * $low;
    my ($step) = grep { $high - $low < MARKS * $_ } map { my $power = $_; map { $_ * 10**$power } 1, 2, 5 } -6 .. 9;
    return map { [number($_ * $step), $_ * $step] } int($low / $step) + 1 .. int($high / $step);
}

sub _within ($value, $low, $high, @) {
    return max($low, min($high, $value // $high));
}

sub _lines ($effect, @axis) {
    return [map {
        my $pair = $_;
        [$pair->{round}, map { _within($_, @axis) } @$pair{qw(base variant)}];
    } @{ $effect->{so_far} }];
}

sub _course ($effect, @axis) {
    my @so_far = @{ $effect->{so_far} };
    return [map {
        my $pair = $so_far[$_];
        my ($low, $high) = map { _within($_, @axis) } _interval($pair);
        my @ratios = map { defined || $pair->{variant} ? _within($_, @axis) : undef } @$pair{qw(pair_ratio ratio)};
        [1 + $_, @ratios, $low, $high, defined $pair->{differs} ? 1 : 0];
    } 0 .. $#so_far];
}

1;
