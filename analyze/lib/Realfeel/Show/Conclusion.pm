# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Conclusion;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(bounds capital conclusion intervals legend maxima measure until_refused);

use List::Util qw(first);
use Realfeel::Base::Units qw(decimal printable);
use Realfeel::Model::Report::Measures qw(measure_name);

use constant {
    TWICE  => 2,                # from here on a ratio says more than a percentage
    JUDGED => { map { $_ => 1 } qw(lower higher alike) },
    UNJUDGED => { open => 'an end of its interval is open', zero => 'a value is 0' },
};

=head1 NAME

Realfeel::Show::Conclusion - what comes of a comparison, in words

=head1 FUNCTIONS

All take a L<Realfeel::Answer::Compare>, unless something else is said.

=head2 conclusion($comparison)

In one sentence: whether it is of these runs alone, or of five and more on each side; at the highest percentile at which
they differ beyond chance, which one is better and by how much; the same for the highest at which it is the other way
round; a higher one that leans to the other side, or does not differ; where none differ, what may have been missed; what
cannot be judged; and whether the maxima differ. Of identical runs it is that they are.

=cut

sub conclusion {
    my ($comparison) = @_;
    return 'identical runs.' if $comparison->{identical};
    my @judged = grep { JUDGED->{ $_->{judgement} } } reverse @{ $comparison->{percentiles} };
    my $difference = !@judged ? _refusal($comparison)
        : _of($comparison) . _difference($comparison, @judged) . _unjudged($comparison);
    return "$difference; " . _of_maxima($comparison, @judged) . '.';
}

# The percentiles that can be judged, the highest first.
sub _difference {
    my ($comparison, @judged) = @_;
    my ($base, $file) = @{ $comparison->{names} };
    my $highest = first { $_->{differs} } @judged;
    return _none($base, $file, @judged) . _room(@judged) unless $highest;
    my $other = first { $_->{differs} == -$highest->{differs} } @judged;
    return "$file is " . _words($highest) . ($other ? ', but ' . _words($other) : '')
        . _higher($highest, @{ $comparison->{percentiles} });
}

sub _none {
    my ($base, $file, @judged) = @_;
    my $highest = "p$judged[0]{percentile}";
    return @judged == 1 ? "$highest of $file does not differ from that of $base beyond chance"
        : "no percentile of $file up to $highest differs from that of $base beyond chance";
}

# Runs of one kernel differ from each other; what two of them show holds for these two.
sub _of {
    my ($comparison) = @_;
    my @sides = @$comparison{qw(base file)};
    return 'in these runs ' if grep { ($_->{unit} // '') ne 'runs' } @sides;
    return sprintf 'over %d and %d runs, ', map { $_->{units} } @sides;
}

sub _refusal {
    my ($comparison) = @_;
    my ($base, $file) = @{ $comparison->{names} };
    my ($short) = grep { defined } map { $_->{no_interval} } @$comparison{qw(base file)};
    return "the percentiles of $base and $file cannot be compared: $short" if defined $short;
    my ($row) = grep { UNJUDGED->{ $_->{judgement} } } @{ $comparison->{percentiles} };
    return "p$row->{percentile} of $base and $file cannot be compared: " . UNJUDGED->{ $row->{judgement} } if $row;
    return "the data are too few to compare the percentiles of $base and $file";
}

# Of those that have a value; for the others the table has the reason.
sub _unjudged {
    my ($comparison) = @_;
    my @names = map { "p$_->{percentile}" } grep { UNJUDGED->{ $_->{judgement} } } @{ $comparison->{percentiles} };
    return @names ? '; ' . _and(@names) . ' cannot be judged' : '';
}

# What of the percentiles above the one that is told: one may lean to the other side without being beyond chance.
sub _higher {
    my ($highest, @rows) = @_;
    my @higher = grep { $_->{ratio} && $_->{percentile} > $highest->{percentile} } @rows;
    my $leaning = first { _leans($_) == -$highest->{differs} } reverse @higher;
    return '; it looks ' . _words({ %$leaning, differs => _leans($leaning) }) . ', which only more data can prove'
        if $leaning;
    my @names = map { "p$_->{percentile}" } grep { $_->{judgement} eq 'alike' } @higher or return '';
    return ', and ' . _and(@names) . (@names == 1 ? ' does' : ' do') . ' not differ beyond chance';
}

sub _and {
    my @names = @_;
    my $last = pop @names;
    return @names ? join(', ', @names) . " and $last" : $last;
}

# -1 or 1 when the whole interval lies on one side, else 0.
sub _leans {
    my ($row) = @_;
    return defined $row->{high} && $row->{high} < 1 ? -1 : $row->{low} > 1 ? 1 : 0;
}

# How large a difference may be that was not found, where that is known.
sub _room {
    my $row = first { $_->{low} > 0 && defined $_->{high} && $_->{low} < 1 && $_->{high} > 1 } @_ or return '';
    return sprintf ' (at p%s, %s %% less to %s %% more is possible)', $row->{percentile},
        _percent(1 - $row->{low}), _percent($row->{high} - 1);
}

sub _words {
    my ($row) = @_;
    my ($low, $high) = @$row{qw(low high)};
    return "better at p$row->{percentile} by " . _from_to(1 - $high, 1 - $low, $low > 0) if $row->{differs} < 0;
    return "worse at p$row->{percentile} by " . _from_to($low - 1, ($high // 0) - 1, defined $high) if $low < TWICE;
    return "worse at p$row->{percentile}, " . (defined $high ? '' : 'at least ')
        . join(' to ', map { sprintf $_ < 10 ? '%.1f' : '%.0f', $_ } grep { defined } $low, $high) . ' times as high';
}

sub _from_to {
    my ($least, $most, $bounded) = @_;
    my ($from, $to) = map { _percent($_) } $least, $most;
    return $from eq $to ? "$from %" : !$bounded ? "at least $from %" : $from > 0 ? "$from to $to %" : "up to $to %";
}

sub _percent {
    my ($share) = @_;
    return sprintf $share >= 0.0995 ? '%.0f' : '%.1f', 100 * $share;
}

sub _of_maxima {
    my ($comparison, @judged) = @_;
    my $maxima = $comparison->{maxima};
    return 'the maxima are equal' unless $maxima->{larger};
    my $either = @judged && !(grep { $_->{differs} } @judged) ? ' either' : '';
    return "the maxima do not differ beyond chance$either" unless $maxima->{differ};
    my $larger = $comparison->{names}[$maxima->{larger} eq 'file'];
    return "the maximum of $larger is greater beyond chance";
}

=head2 capital($sentence)

The sentence with a capital, unless it begins with a name: then it begins as the name does.

=cut

sub capital {
    my ($sentence) = @_;
    return $sentence =~ /^(?:no|the|in|over|identical) / ? ucfirst $sentence : $sentence;
}

=head2 measure($comparison)

What is compared: of interval errors, also how the early ones count.

=cut

sub measure {
    my ($comparison) = @_;
    my $errors = $comparison->{interval_errors} // return measure_name($comparison->{measure});
    return $errors eq 'absolute' ? 'absolute interval error' : "interval error, $errors";
}

=head2 until_refused(@percentiles)

The percentiles up to the first that is refused, which says enough of those above it.

=cut

sub until_refused {
    my @rows;
    for my $row (@_) {
        push @rows, $row;
        last if $row->{reason};
    }
    return @rows;
}

=head2 bounds($percentile)

The interval of its ratio.

=cut

sub bounds {
    my ($row) = @_;
    my ($low, $high) = map { defined $_ ? decimal($_, 3) : undef } @$row{qw(low high)};
    return defined $high ? "up to $high" : 'unknown' unless $row->{low} > 0;
    return defined $high ? "$low to $high" : "$low and more";
}

=head2 legend($comparison)

What the star means, and what makes the intervals doubtful: texts.

=head2 intervals($comparison)

What the stars and the intervals mean at length, and where they come from.

=cut

sub legend {
    my ($comparison) = @_;
    my $missing = _missing($comparison);
    return $missing if defined $missing;
    return ((grep { $_->{differs} } @{ $comparison->{percentiles} }) ? '* differs beyond chance' : (),
        _of_samples(@$comparison{qw(base file)}) // ());
}

sub intervals {
    my ($comparison) = @_;
    my $missing = _missing($comparison);
    return $missing if defined $missing;
    my @rows = grep { defined $_->{ratio} } @{ $comparison->{percentiles} };
    my $stars = grep { $_->{differs} } @rows;
    my $lone = grep { !$_->{differs} && _leans($_) } @rows;
    return join ' ',
        $stars ? '* differs beyond chance: fewer than 1 in 20 pairs of equivalent runs show this, or such maxima.' : (),
        $lone ? 'Without a star, an interval may exclude 1 by chance.' : (),
        _of_samples(@$comparison{qw(base file)}) // _of_units(@$comparison{qw(base file)}),
        (grep { bounds($_) eq 'unknown' } @rows)
            ? 'An interval is unknown if a bin starts at 0.'
            : (),
        (grep { ($_->{unit} // '') ne 'runs' } @$comparison{qw(base file)})
            ? 'The intervals do not cover differences between runs of the same kernel: repeat the runs.' : ();
}

sub _missing {
    my ($comparison) = @_;
    my ($short) = grep { $_->{no_interval} } @$comparison{qw(base file)} or return undef;
    return printable($short->{file}) . ": no intervals: $short->{no_interval}; measure longer.";
}

sub _of_samples {
    my @without = grep { !$_->{units} } @_ or return undef;
    return 'Intervals take each sample of ' . join(' and ', map { printable($_->{file}) } @without)
        . ' as independent, without slices: too narrow if late wake-ups come in bursts.';
}

sub _of_units {
    my ($base, $file) = @_;
    my ($ours, $theirs) = map { $_->{unit} eq 'runs' ? "$_->{units} runs" : 'the fifths' } $base, $file;
    return "Intervals: from the differences between $ours of BASE and between $theirs of FILE;"
        . ' percentiles are judged together.';
}

=head2 maxima($comparison)

Whether the maxima differ.

=cut

sub maxima {
    my ($comparison) = @_;
    my $maxima = $comparison->{maxima};
    return 'equal.' unless $maxima->{larger};
    my ($above, $units, $unit, $by_chance) = @$maxima{qw(above units unit by_chance)};
    my $each = 'each maximum is a single observation.';
    return $each if $units == 1 && !$maxima->{differ};
    my ($larger, $other) = @{ $comparison->{names} }[$maxima->{larger} eq 'file' ? (1, 0) : (0, 1)];
    return join ' ', $each, $units == 1 ? 'The only ' . $unit =~ s/s\z//r : "$above of $units $unit", "of $larger",
        $above == 1 ? 'exceeds' : 'exceed', "the maximum of $other; chance alone explains",
        ($by_chance == 0 ? 'none' : 'up to ' . ($by_chance < $units ? $by_chance : 'all')) . '.';
}

1;
