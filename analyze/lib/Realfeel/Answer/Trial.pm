# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Trial;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(answered trial);

use List::Util qw(all first max sum0);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Typed qw(number text truth);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Report::Measures qw(common);
use Realfeel::Model::Rounds qw(seconds);
use Realfeel::Stat::Pairs;

use constant {
    INFINITY => 9**9**9,
    USUAL    => 99.9,
    BESIDE   => 50,         # the percentile that is told beside
    PPM      => 1e6,
};

=head1 NAME

Realfeel::Answer::Trial - what a change does, by rounds in which it was measured with and without

=head1 DESCRIPTION

Each round has the base and each of some variants once, in random order. A variant's pair is what was measured of it in
a round and what of the base. L<Realfeel::Stat::Pairs> tells by these pairs, after each of them, whether they differ at
one statistic, and by how much. Of all variants together 5 % are said to differ that do not. A pair is left out for a
reason that holds if either of both is to blame, so that it remains as likely the one as the other that is greater.

The median is told beside, with an interval of its own: it decides nothing, and may be wrong in another 5 %.

=head1 FUNCTIONS

=head2 trial($at, \@names, @rounds)

C<$at> is a percentile, by default p99.9, C<max> or C<missed>; the names are those of the variants; a round is an array
of L<Realfeel::Model::Report>s, one of all CPUs of a run: that of the base, then one of each variant, undef where it was
not measured. Dies with one line when they have no measure in common. Returns a hash:

C<at>; C<measure>, that of all reports, undef where there are none; C<rounds>, how many; C<decided>, whether each
variant is known to differ; and C<variants>, an array of hashes C<name>; C<effect>; C<beside>, the same at the median,
undef where C<at> is that; and C<left_out>, an array of hashes C<round>, counted from 1, C<side>, C<base> or C<variant>,
and C<code>, why: C<invalid> or C<contradicted>, the figures cannot be believed; C<samples>, there are fewer than
C<needed> for the percentile; C<bins>, it lies in an open one; C<empty>, there are none; C<unknown>, it was not counted.
A variant that was not measured in a round has no pair, and is not left out.

An effect is a hash: C<statistic>, as C<p99.9>; C<differs>, C<higher> or C<lower>, undef where that is not known;
C<pairs>, how many, of which in so many the variant is C<higher>, C<lower>, C<equal>; C<base> and C<variant>, the median
of the values, of C<missed> the mean; C<ratio>, how many times that of the base the variant's is, in the middle of all
pairs; C<low> and C<high>, between which it lies with 95 % confidence, C<low> 0 and C<high> undef where it has no end,
each undef where the base's values are 0; C<unseen>, the greatest factor, either way, by which they may differ
nevertheless, undef where any may; and C<so_far>, an array of one hash for each pair: its C<round>, C<base>, C<variant>,
C<pair_ratio>, undef where the base is 0, and C<differs>, C<ratio>, C<low> and C<high> as they were with it. Values are
microseconds, of C<missed> periods in a million.

=cut

sub trial ($at, $names, @rounds) {
    $at //= USUAL;
    my $measure = _measure(grep { defined } map { @$_ } @rounds);
    my @variants = map { _variant($at, $measure, scalar @$names, $_, $names->[$_ - 1], @rounds) } 1 .. @$names;
    return {
        at       => text($at),
        measure  => text($measure),
        rounds   => number(scalar @rounds),
        decided  => truth(all { defined $_->{effect}{differs} } @variants),
        variants => \@variants,
    };
}

=head2 answered($at, \%experiment)

The experiment of L<Realfeel::Model::Rounds> with its C<trial>, and C<seconds>, how long it took, undef where that is
not known.

=cut

sub answered ($at, $experiment) {
    my @rounds = @{ $experiment->{rounds} };
    return { %$experiment, trial => trial($at, $experiment->{names}, @rounds), seconds => seconds(@rounds) };
}

sub _measure {
    my @reports = @_ or return undef;
    return common(@reports) // die printable($reports[0]->run_name)
        . ": has no measure in common with the others; measure all with the same options\n";
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

# What a run has there: a hash of value, or of code, why there is none.
sub _value ($report, $measure, $at) {
    return { code => 'invalid' } if ($report->verdict // '') eq 'invalid';
    return { code => 'contradicted' } if defined $report->contradiction;
    return _missed($report) if $at eq 'missed';
    my $values = $report->measured($measure);
    return { code => 'empty' } unless $values->n;
    return { value => number($values->max) } if $at eq 'max';
    my ($percentile) = percentiles($values, undef, $measure, $at);
    return { value => $percentile->{value_us} } unless $percentile->{lack};
    return { code => $percentile->{lack}, needed => $percentile->{needed} };
}

sub _missed ($report) {
    my ($missed, $periods) = map { known($report, $_) } qw(missed periods);
    return defined $missed && $periods ? { value => PPM * $missed / $periods } : { code => 'unknown' };
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
        $known->add(_log_ratio($base, $variant));
        +{ round => $round, base => $base, variant => $variant,
            pair_ratio => $base > 0 ? $variant / $base : undef, _known($known) };
    } @told;
    my $middle = $at eq 'missed' ? \&_mean : \&_median;
    return {
        statistic => $at =~ /^\d/ ? "p$at" : $at,
        pairs     => number(scalar @so_far),
        (map { $_ => $known->$_ } qw(higher lower equal)),
        (map { my $side = $_; $side => $middle->(map { $_->{$side} } @so_far) } qw(base variant)),
        _known($known),
        unseen    => number(exp max map { abs } $known->interval),
        so_far    => \@so_far,
    };
}

sub _log_ratio ($base, $variant) {
    return $base > 0 ? $variant > 0 ? log($variant / $base) : -INFINITY() : $variant > 0 ? INFINITY : undef;
}

sub _known ($pairs) {
    my ($low, $high) = $pairs->interval;
    my $median = $pairs->median;
    return (differs => text($pairs->differs), ratio => defined $median ? number(exp $median) : undef,
        low => number(exp $low), high => number(exp $high));
}

sub _mean { return @_ ? sum0(@_) / @_ : undef }

sub _median {
    my @values = sort { $a <=> $b } @_ or return undef;
    return ($values[$#values / 2] + $values[@values / 2]) / 2;
}

1;
