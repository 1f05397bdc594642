# SPDX-License-Identifier: GPL-2.0-or-later
# What a change does, measured with and without it in rounds. A round has the base and each variant once, in random
# order; a variant and the base of a round are a pair. Stat::Pairs decides after each pair whether they differ at one
# statistic, and by how much; over all variants, 5 % of those that do not differ are said to differ. Pairs are only
# dropped for reasons that hold whichever of the two is to blame, so that both remain equally likely to be greater. The
# median, reported with an interval of its own, decides nothing, and may be wrong in another 5 %.
package Realfeel::Answer::Trial;
use Realfeel::Base::Modern;

use List::Util qw(all first max sum0);
use Realfeel::Answer::Stats qw(known percentiles);
use Realfeel::Base::Typed qw(INFINITY number text truth);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Report qw(common);
use Realfeel::Model::Names qw(seconds);
use Realfeel::Stat::Pairs;

use constant {
    USUAL    => 99.9,
    BESIDE   => 50,         # the percentile that is told beside
    PPM      => 1e6,
};

# $at is a percentile, by default p99.9, "max" or "missed". A round is an array of reports, each of all CPUs: the base,
# then the variants @$names, undef if not measured. Dies with one line if there is no common measure. Returns a hash of
# at; measure (undef without reports); rounds (their number); duration_s (how long they took, undef if unknown); decided
# (whether all variants are known to differ); and variants, hashes of name; effect; beside (the effect at the median,
# undef if at is p50); and left_out, hashes of round, from 1, side (base, variant) and code: invalid, contradicted,
# samples (fewer than needed), bins (open), empty, unknown (not counted). A variant without a report in a round is not
# in left_out.
#
# An effect is a hash of statistic, such as p99.9; differs (higher, lower, or undef); pairs, where the variant is
# higher, lower or equal; base and variant (medians; means for missed); ratio of variant to base, the median of all
# pairs, with its 95 % interval low to high (0 and undef if open; all undef if the base is 0); unseen (the greatest
# factor by which they may still differ, undef if there is no limit); and so_far, for each pair round, base, variant,
# pair_ratio, undef if the base is 0, and differs, ratio, low and high after it. Values are in us, or in ppm for missed.
sub trial ($at, $names, @rounds) {
    $at //= USUAL;
    my @reports = grep { defined } map { @$_ } @rounds;
    my $measure = !@reports ? undef : common(@reports) // die printable($reports[0]{run_name})
        . ": has no measure in common with the others; measure all with the same options\n";
    my @variants = map { _variant($at, $measure, scalar @$names, $_, $names->[$_ - 1], @rounds) } 1 .. @$names;
    return {
        at       => text($at),
        measure  => text($measure),
        rounds   => number(scalar @rounds),
        duration_s => number(seconds(@rounds)),
        decided  => truth(all { defined $_->{effect}{differs} } @variants),
        variants => \@variants,
    };
}

# %$experiment of Model::Names with its trial
sub answered ($at, $experiment) {
    return { %$experiment, trial => trial($at, $experiment->{names}, @{ $experiment->{rounds} }) };
}

sub _variant ($at, $measure, $tests, $place, $name, @rounds) {
    my @measured = grep { $rounds[$_][0] && $rounds[$_][$place] } 0 .. $#rounds;
    my ($pairs, $beside) = map {
        my $statistic = $_;
        [map { [1 + $_, map { _value($_, $measure, $statistic) } @{ $rounds[$_] }[0, $place]] } @measured];
    } $at, BESIDE;
    return {
        name     => text($name),
        effect   => _effect($at, $tests, @$pairs),
        beside   => $at eq BESIDE ? undef : _effect(BESIDE, $tests, @$beside),
        left_out => [map { _left_out(@$_) } @$pairs],
    };
}

# A hash of value, or of code, which says why there is none
sub _value ($report, $measure, $at) {
    return { code => 'invalid' } if ($report->{verdict} // '') eq 'invalid';
    return { code => 'contradicted' } if defined $report->{contradiction};
    if ($at eq 'missed') {
        my ($missed, $periods) = map { known($report, $_) } qw(missed periods);
        return defined $missed && $periods ? { value => PPM * $missed / $periods } : { code => 'unknown' };
    }
    my $values = $report->measured($measure);
    return { code => 'empty' } unless $values->n;
    return { value => number($values->max) } if $at eq 'max';
    my ($percentile) = percentiles($values, undef, $measure, $at);
    return { value => $percentile->{value_us} } unless $percentile->{lack};
    return { code => $percentile->{lack}, needed => $percentile->{needed} };
}

sub _left_out ($round, @sides) {
    my $side = first { $sides[$_]{code} } 0, 1;
    return defined $side ? { round => $round, side => (qw(base variant))[$side], %{ $sides[$side] } } : ();
}

sub _effect ($at, $tests, @pairs) {
    my @told = grep { !_left_out(@$_) } @pairs;
    my $known = Realfeel::Stat::Pairs->new($tests);
    my @so_far = map {
        my ($round, $base, $variant) = ($_->[0], map { $_->{value} } @$_[1, 2]);
        $known->add($base > 0 ? $variant > 0 ? log($variant / $base) : -INFINITY() : $variant > 0 ? INFINITY : undef);
        +{ round => $round, base => $base, variant => $variant,
            pair_ratio => $base > 0 ? $variant / $base : undef, _known($known) };
    } @told;
    my $middle = sub {
        my @values = sort { $a <=> $b } @_ or return undef;
        return $at eq 'missed' ? sum0(@values) / @values : ($values[$#values / 2] + $values[@values / 2]) / 2;
    };
    return {
        statistic => $at =~ /^\d/ ? "p$at" : $at,
        pairs     => number(scalar @so_far),
        %$known{qw(higher lower equal)},
        (map { my $side = $_; $side => $middle->(map { $_->{$side} } @so_far) } qw(base variant)),
        _known($known),
        unseen    => number(exp max map { abs } @$known{qw(low high)}),
        so_far    => \@so_far,
    };
}

sub _known ($pairs) {
    my $median = $pairs->median;
    return (differs => text($pairs->{differs}), ratio => defined $median ? number(exp $median) : undef,
        map { $_ => number(exp $pairs->{$_}) } qw(low high));
}
1;
