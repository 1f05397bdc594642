# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Conclusion;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(conclusion);

use List::Util qw(first);

use constant {
    TWICE => 2,                 # from here on a ratio says more than a percentage
};

=head1 NAME

Realfeel::Compare::Conclusion - what comes of a comparison, in one sentence

=head1 FUNCTIONS

=head2 conclusion($comparison)

The sentence: whether it is of these runs alone, or of five and more on each side; at the highest percentile at which
they differ beyond chance, which one is better and by how much; the same for the highest at which it is the other way
round; a higher one that leans to the other side; where none differ, what may have been missed; and whether the maxima
differ.

=cut

sub conclusion {
    my ($comparison) = @_;
    my @known = grep { defined $_->{ratio} } reverse @{ $comparison->{percentiles} };
    my $difference = _difference($comparison, @known);
    return "$difference; " . _maxima($comparison, $difference) . '.';
}

# Runs of one kernel differ from each other; what two of them show holds for these two.
sub _of {
    my ($comparison) = @_;
    my @sides = @$comparison{qw(base file)};
    return 'in these runs ' if grep { ($_->{unit} // '') ne 'runs' } @sides;
    return sprintf 'over %d and %d runs, ', map { $_->{units} } @sides;
}

sub _difference {
    my ($comparison, @known) = @_;
    my ($base, $file) = @{ $comparison->{names} };
    return _refusal($comparison) unless @known;
    my ($of, $highest) = (_of($comparison), first { $_->{differs} } @known);
    return "${of}no percentile of $file differs from that of $base beyond chance" . _room(@known) unless $highest;
    my $other = first { $_->{differs} == -$highest->{differs} } @known;
    return "$of$file is " . _words($highest) . ($other ? ', but ' . _words($other) : '') . _higher($highest, @known);
}

sub _refusal {
    my ($comparison) = @_;
    my ($base, $file) = @{ $comparison->{names} };
    my ($unknown) = grep { defined } map { $_->{no_interval} } @$comparison{qw(base file)};
    return "the percentiles of $base and $file cannot be compared: $unknown" if defined $unknown;
    return "the data are too few to compare the percentiles of $base and $file";
}

# What of the percentiles above the one that is told: one may lean to the other side without being beyond chance.
sub _higher {
    my ($highest, @known) = @_;
    return '' if $highest == $known[0];
    my @higher = grep { $_->{ratio} && $_->{percentile} > $highest->{percentile} } @known;
    my $leaning = first { _leans($_) == -$highest->{differs} } @higher
        or return ", and nothing above p$highest->{percentile} differs beyond chance";
    return '; it looks ' . _words({ %$leaning, differs => _leans($leaning) }) . ', which only more data can prove';
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

sub _maxima {
    my ($comparison, $difference) = @_;
    my $maxima = $comparison->{maxima};
    return 'the maxima are equal' unless $maxima->{larger};
    my $either = $difference =~ /\bno percentile/ ? ' either' : '';
    return "the maxima do not differ beyond chance$either" unless $maxima->{differ};
    my $larger = $comparison->{names}[$maxima->{larger} eq 'file'];
    return "the maximum of $larger is greater beyond chance";
}

1;
