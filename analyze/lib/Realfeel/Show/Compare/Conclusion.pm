# SPDX-License-Identifier: GPL-2.0-or-later
# What comes of a comparison, in words.
package Realfeel::Show::Compare::Conclusion;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(between conclusion);

use List::Util qw(uniqstr);
use Realfeel::Base::Units qw(is_multiple lapse multiple significant);
use Realfeel::Show::Words qw(words);

use constant DIGITS_MAX => 5;

# Sentences: by how much the second run differs at the highest percentile that differs beyond chance, and at the highest
# that differs the other way; how far they may differ where that is unknown; what could not be judged, and why; and
# whether the maxima differ. They hold for these runs alone unless there are five or more on each side.
sub conclusion ($comparison) {
    return words('compare.identical') if $comparison->{identical};
    my $summary = $comparison->{summary};
    return join ' ', map { "$_." } _found($comparison), _unknown_above($summary), _unjudged($summary),
        _lacking($comparison), _maximum($comparison);
}

sub _found ($comparison) {
    my ($summary, @names) = ($comparison->{summary}, @{ $comparison->{names} });
    my @units = map { $comparison->{$_}{unit} // '' } qw(base file);
    my $of = words((grep { $_ ne 'runs' } @units) ? 'compare.of_these_runs' : 'compare.of_runs', file => $names[1]);
    return $of . _why_none($comparison) if $summary->{code} eq 'unjudged';
    return $of . _unknown(@{ $summary->{unknown} }) if $summary->{code} eq 'unknown';
    my ($first, @other) = @{ $summary->{differences} };
    my $known = (grep { $_ eq '' } @units) ? 'compare.values' : 'compare.interval';
    return $of . join ', ', words('compare.differs', _named($first), known => words($known, _bounds($first))),
        map { words('compare.differs_too', _named($_)) } @other;
}

sub _named ($difference) {
    my ($factor, $direction) = @$difference{qw(factor direction)};
    return (percentile => $difference->{percentile}, factor => multiple($factor, $direction), direction => $direction);
}

# If samples were taken as independent, the interval is too narrow, so the values are more informative
sub _bounds ($difference) {
    return (interval => between(@$difference{qw(factor direction least most)}),
        map { $_ => lapse($difference->{"${_}_us"}) } qw(base file));
}

# "$least to $most" in the unit of the factor, undef for an open end
sub between ($factor, $direction, @ends) {
    my ($least, $most) = _told_apart(map { defined $_ ? _in_unit($factor, $direction, $_) : undef } @ends);
    my $unit = is_multiple($factor) ? '' : ' %';
    return words('compare.or_more', least => "$least$unit") unless defined $most;
    return words('compare.up_to', most => "$most$unit") if $least eq '0';
    return words('compare.from_to', least => $least, most => "$most$unit");
}

# As a factor or per cent, whichever $factor is
sub _in_unit ($factor, $direction, $end) {
    return is_multiple($factor) ? $end : 100 * ($direction eq 'lower' ? 1 - 1 / $end : $end - 1);
}

# With as few digits as distinguish the ends
sub _told_apart (@ends) {
    my @told;
    for my $digits (2 .. DIGITS_MAX) {
        @told = map { defined $_ ? significant($_, $digits) : undef } @ends;
        last if !defined $told[1] || $told[0] ne $told[1];
    }
    return @told;
}

sub _why_none ($comparison) {
    my ($short) = grep { $comparison->{$_}{is_short} } qw(base file);
    return words('compare.none_judged') unless $short;
    return words('compare.none_judged_short', name => $comparison->{names}[$short eq 'file']);
}

# If none differs, the highest one says how far they may
sub _unknown ($lowest, @higher) {
    my $highest = $higher[-1] // $lowest;
    return words(@higher ? 'compare.unknown_up_to' : 'compare.unknown_at', percentile => $highest->{percentile},
        possible => _possible($highest));
}

sub _possible ($row) {
    my ($low, $high) = @$row{qw(low high)};
    return words('compare.possible',
        low  => $low > 0 ? words('compare.is_lower', by => multiple(1 / $low, 'lower')) : words('open.less'),
        high => defined $high ? words('compare.is_higher', by => multiple($high, 'higher')) : words('open.more'));
}

sub _unknown_above ($summary) {
    return () if $summary->{code} ne 'differs';
    return map { words('compare.unknown', percentile => $_->{percentile}, possible => _possible($_)) }
        @{ $summary->{unknown} };
}

# Percentiles that have a value
sub _unjudged ($summary) {
    my @rows = grep { $_->{judgement} ne 'short' } @{ $summary->{unjudged} };
    return map {
        my $why = $_;
        my @percentiles = map { "p$_->{percentile}" } grep { $_->{judgement} eq $why } @rows;
        words("compare.unjudged_$why", percentiles => _and(@percentiles));
    } uniqstr map { $_->{judgement} } @rows;
}

sub _and (@names) {
    my $last = pop @names;
    return @names ? words('compare.and', names => join(', ', @names), last => $last) : $last;
}

# The lowest percentile without a value; those above need even more
sub _lacking ($comparison) {
    my $row = $comparison->{summary}{lacking} or return;
    my $in = $row->{lacking} eq 'both' ? ''
        : words('compare.in', name => $comparison->{names}[$row->{lacking} eq 'file']);
    return words("compare.too_few_$row->{judgement}", percentile => $row->{percentile}, in => $in);
}

sub _maximum ($comparison) {
    my $maxima = $comparison->{maxima};
    return words('compare.maximum_equal') unless $maxima->{larger};
    return words('compare.maximum_unknown') unless $maxima->{differ};
    return words("compare.maximum_$maxima->{larger}", %$maxima, base => $comparison->{names}[0]);
}

1;
