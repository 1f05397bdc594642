# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Percentiles;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(percentiles sufficiency);

use List::Util qw(max);
use Realfeel::Stats qw(exceedance);
use Realfeel::Table;
use Realfeel::Units qw(counted decimal duration us);

use constant DIGITS => 4;          # of a report's bins

=head1 NAME

Realfeel::Percentiles - the lines that say what a run supports

=head1 FUNCTIONS

Both take measures, hashes of C<name>, C<key>, C<distribution> and C<summary>, which is that of L<Realfeel::Stats>.

=head2 percentiles(@measures)

A table of the percentiles that a measure has, with their confidence intervals.

=cut

sub percentiles {
    my @measures = @_;
    my @lists = map { $_->{summary}{percentiles} } @measures;
    my @rows;
    for my $i (0 .. $#{ $lists[0] }) {
        last unless grep { defined($_->[$i]{value_us} // $_->[$i]{roughly_us}) } @lists;
        push @rows, ["$lists[0][$i]{percentile} %", map { _cell($_->[$i]) } @lists];
    }
    return unless @rows;
    my @names = map { $_->{name} =~ s/ \(.*//r } @measures;
    return Realfeel::Table->new(
        caption => 'percentiles in us, each with its 95 % confidence interval',
        columns => [{ head => '', align => 'right', width => 9 }, map { { head => $_, width => 21 } } @names],
        rows    => \@rows,
    )->text;
}

sub _cell {
    my ($percentile) = @_;
    my $bursts = $percentile->{bursts};
    return '~' . _short($percentile->{roughly_us}) . ' (' . counted($bursts, 'burst') . ')' if $bursts;
    return $percentile->{reason} =~ s/ samples//r unless defined $percentile->{value_us};
    my ($value, $low, $high) = map { defined $_ ? _short($_) : undef } @$percentile{qw(value_us low_us high_us)};
    return "$value [open]" unless defined $low || defined $high;
    return $value . ' [' . ($low // 'less') . ', ' . ($high // 'more') . ']';
}

# With as many digits as a bin has.
sub _short {
    my ($us) = @_;
    my $before = length int abs $us;
    return decimal($us, max(0, DIGITS - $before > 2 ? 2 : DIGITS - $before));
}

=head2 sufficiency($report, @measures)

Whether the run was long enough: what its maximum tells of what was not seen, what the next percentile needs,
how the values are gathered, and when they were worst.

=cut

sub sufficiency {
    my ($report, @measures) = @_;
    my ($measure) = reverse @measures;
    return unless $measure && $measure->{summary}{count};
    return grep { defined } (
        _unseen($report, $measure), _open($measure), _limit($report, $measure), _missing($report, $measure),
        _modes($measure), _worst_slice($report),
    );
}

sub _values {
    my ($report, $measure) = @_;
    return ('interval error', 'is above') unless $measure->{key} eq 'lateness';
    return (($report->header('lateness_of') // 'periods') =~ s/s$//r, 'was later than');
}

sub _unseen {
    my ($report, $measure) = @_;
    my $above = $measure->{summary}{above_max};
    my ($values, $above_it) = _values($report, $measure);
    return undef unless defined $above->{fewer_than_one_in};
    return sprintf 'no %s %s %s; upper bound 1 in %d (95 %%)', $values, $above_it, us($above->{threshold_us}),
        $above->{fewer_than_one_in};
}

# Why the data set no bounds to the percentiles.
sub _open {
    my ($measure) = @_;
    my ($open) = grep { defined } map { $_->{open} } @{ $measure->{summary}{percentiles} };
    return defined $open ? "open intervals, no upper bound: $open" : undef;
}

sub _limit {
    my ($report, $measure) = @_;
    my $limit = $report->us('max_ns');
    return undef unless defined $limit && $measure->{key} eq 'lateness' && $limit < $measure->{summary}{max_us};
    my $above = exceedance($measure->{distribution}, $report->dependence, 'lateness', $limit);
    return undef unless defined $above->{fewer_than_one_in};
    return sprintf '%d %s later than the limit of --max, %s; upper bound 1 in %d (95 %%)',
        $above->{count}, $above->{count} == 1 ? 'period was' : 'periods were', us($limit), $above->{fewer_than_one_in};
}

sub _missing {
    my ($report, $measure) = @_;
    my ($first) = grep { !defined $_->{value_us} } @{ $measure->{summary}{percentiles} };
    return undef unless $first;
    return "from p$first->{percentile} on, percentiles lie beyond the histogram: $first->{reason}"
        unless defined $first->{more};
    my ($values) = _values($report, $measure);
    my ($seconds, $count) = ($report->header('duration_s'), $measure->{summary}{count});
    my $time = $seconds ? ', ' . duration($first->{more} * $seconds / $count) . ' at this rate' : '';
    return "p$first->{percentile} needs " . counted($first->{more}, "more $values") . $time;
}

sub _modes {
    my ($measure) = @_;
    my @modes = @{ $measure->{summary}{modes} };
    return undef if @modes < 2;
    my $count = $measure->{summary}{count};
    my @texts = map { sprintf '%s us (%.3g %%)', _short($_->{value_us}), 100 * $_->{count} / $count } @modes;
    return "$measure->{name} has " . @modes . ' modes: ' . join ', ', @texts;
}

sub _worst_slice {
    my ($report) = @_;
    my $slices = $report->columns('slices') or return undef;
    my @latest = @{ $slices->{lateness_max_us} };
    return undef if @latest < 2;
    my ($worst) = sort { $latest[$b] <=> $latest[$a] || $a <=> $b } 0 .. $#latest;
    my ($run, $start, $seconds, $missed, $periods)
        = map { $slices->{$_} && $slices->{$_}[$worst] } qw(run start_s seconds missed periods);
    return sprintf 'worst slice: %sfrom %.3f s on for %.3f s, latest %s, %d of %d periods missed',
        defined $run ? "run $run, " : '', $start, $seconds, us($latest[$worst]), $missed, $periods;
}

1;
