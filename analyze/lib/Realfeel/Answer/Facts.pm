# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Facts;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(bound figured known measures needs no_interval objections pieces_apart periods short sufficiency
    worst_slice unseen);

use List::Util qw(max min);
use Realfeel::Answer::Stats qw(exceedance summary);
use Realfeel::Base::Units qw(counted decimal duration us);
use Realfeel::Model::Report::Measures qw(measure_name);

use constant DIGITS => 4;       # of a report's bins
use constant NONE_SEEN => 3;    # of which none was seen, there are no more than this, 95 % (the rule of three)

=head1 NAME

Realfeel::Answer::Facts - what there is to say of a run, in the listing, on the page and in JSON alike

=head1 FUNCTIONS

=head2 known($report, $key)

The value of a header line; undef where there is none, or it is C<unknown>.

=cut

sub known {
    my ($report, $key) = @_;
    my $value = $report->header($key);
    return defined $value && $value ne 'unknown' ? $value : undef;
}

=head2 measures($report, @keys)

What the report knows of the interval error, the lateness, the wake-up latency and, where periods were missed, the
latency of wake-ups: hashes of C<name>, C<key>, C<distribution> and C<summary>, which is that of
L<Realfeel::Answer::Stats>.

=head2 figured($report, \%measures)

Those of these measures, by their keys, whose figures stand first, as far as they are there: the interval error, and
what is the latency of the report.

=cut

sub measures {
    my ($report, @keys) = @_;
    my $of_wakeups = $report->latency_name eq 'lateness' ? 'lateness of wake-ups' : 'latency of wake-ups';
    my %is_wanted = map { $_ => 1 } @keys;
    return map { _measure($report, @$_) } grep { !@keys || $is_wanted{ $_->[1] } } [_interval($report), 'interval'],
        [_lateness($report), 'lateness'], [measure_name('wakeup'), 'wakeup'], [$of_wakeups, 'wakeups'];
}

sub figured {
    my ($report, $measures) = @_;
    return grep { defined } @$measures{'interval', $report->latency_name};
}

sub _interval {
    my ($report) = @_;
    return ($report->interval_errors // '') eq 'early as 0' ? 'interval error (early = 0)' : 'signed interval error';
}

sub _lateness {
    my ($report) = @_;
    return defined $report->contradiction ? 'lateness (unreliable)' : 'lateness';
}

sub _measure {
    my ($report, $name, $key) = @_;
    my $distribution = $report->$key or return;
    return {
        name => $name, key => $key, distribution => $distribution,
        summary => summary($distribution, $report->pieces, $key),
    };
}

=head2 objections($report)

The reasons of the verdict, and what contradicts the schedule.

=cut

sub objections {
    my ($report) = @_;
    my ($reasons) = ($report->header('verdict') // '') =~ /:\s*(.*)/s;
    my $contradiction = $report->contradiction;
    return (split(/;\s*/, $reasons // ''),
        defined $contradiction ? "the schedule is contradicted: $contradiction" : ());
}

=head2 periods($report, $number)

So many periods, or requests where that is what has a latency, with their noun.

=cut

sub periods {
    my ($report, $periods) = @_;
    return counted($periods, $report->latency_words('value'));
}

=head2 short($us)

A time in microseconds with as many digits as a bin has.

=cut

sub short {
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
        _unseen($report, $measure), _open($measure), pieces_apart($report, $measure), _limit($report, $measure),
        _missing($report, $measure), _modes($measure), _worst($report),
    );
}

sub _values {
    my ($report, $measure) = @_;
    return ('interval error', 'is above') if $measure->{key} eq 'interval';
    return map { $report->latency_words($_) } qw(value is_above);
}

sub _unseen {
    my ($report, $measure) = @_;
    my $bound = bound($report, $measure) // return undef;
    my $seconds = known($report, 'duration_s');
    my $stall = ($seconds // 0) >= NONE_SEEN ? ', and one stall in ' . duration($seconds / NONE_SEEN) : '';
    return sprintf 'no %s %s %s; %s%s', _values($report, $measure), us($measure->{summary}{max_us}), $bound, $stall;
}

=head2 unseen($report, $measure)

Of so many wake-ups at most one is later than any that was seen, with 95 % confidence; undef where that is not known. Of
periods it is not: one wake-up, later than all before, may serve any number of them.

=head2 bound($report, $measure)

The same as text.

=cut

sub unseen {
    my ($report, $measure) = @_;
    my $wakeups = known($report, 'samples') // ($measure->{key} eq 'interval' ? $measure->{summary}{count} : 0);
    return undef unless $measure->{summary}{count} && $wakeups >= 2 * NONE_SEEN;
    return int($wakeups / NONE_SEEN);
}

sub bound {
    my ($report, $measure) = @_;
    my $one_in = unseen($report, $measure) // return undef;
    return "at most 1 in $one_in wake-ups (95 %)";
}

=head2 no_interval($measure)

Why the data set no bounds to its percentiles; undef where they do.

=cut

sub no_interval {
    my ($measure) = @_;
    my ($open) = grep { defined } map { $_->{open} } @{ $measure->{summary}{percentiles} };
    return $open;
}

sub _open {
    my ($measure) = @_;
    my $open = no_interval($measure);
    return defined $open ? "no intervals, no upper bound: $open" : undef;
}

=head2 pieces_apart($report, $measure)

Of each percentile that differs more than three times as far as by chance from one fifth of the run to another, or from
one run to another, its value in each, as a text.

=cut

sub pieces_apart {
    my ($report, $measure) = @_;
    my $unit = $report->pieces->unit;
    return map { "p$_->{percentile} of " . _each($unit, @{ $_->{pieces_us} }) . ' us' }
        grep { $_->{pieces_us} } @{ $measure->{summary}{percentiles} };
}

sub _each {
    my ($unit, @values) = @_;
    return 'each fifth of the run: ' . join ', ', map { short($_) } @values if $unit eq 'fifths';
    return 'the ' . @values . ' runs: ' . join ' to ', map { short($_) } min(@values), max(@values);
}

sub _limit {
    my ($report, $measure) = @_;
    my $limit = $report->us('max_ns');
    return undef unless defined $limit && $measure->{key} ne 'interval' && $limit < $measure->{summary}{max_us};
    my $above = exceedance($measure->{distribution}, $report->pieces, $measure->{key}, $limit);
    my $count = $above->{count};
    return undef unless defined $above->{fewer_than_one_in};
    return sprintf '%s %s the limit of --max, %s; upper bound 1 in %d (95 %%)', periods($report, $count),
        $report->latency_words($count == 1 ? 'is_above' : 'are_above'), us($limit), $above->{fewer_than_one_in};
}

sub _missing {
    my ($report, $measure) = @_;
    my ($first) = grep { !defined $_->{value_us} } @{ $measure->{summary}{percentiles} };
    return undef unless $first;
    return "from p$first->{percentile} on, percentiles lie beyond the histogram: $first->{reason}"
        unless defined $first->{more};
    return "p$first->{percentile} " . needs($report, $measure, $first->{more});
}

=head2 needs($report, $measure, $more)

What it takes to measure so many more values.

=cut

sub needs {
    my ($report, $measure, $more) = @_;
    my ($values) = _values($report, $measure);
    my ($seconds, $count) = ($report->header('duration_s'), $measure->{summary}{count});
    my $time = $seconds ? ', ' . duration($more * $seconds / $count) . ' at this rate' : '';
    return 'needs ' . counted($more, "more $values") . $time;
}

sub _modes {
    my ($measure) = @_;
    my @modes = @{ $measure->{summary}{modes} };
    return undef if @modes < 2;
    my $count = $measure->{summary}{count};
    my @texts = map { sprintf '%s us (%.3g %%)', short($_->{value_us}), 100 * $_->{count} / $count } @modes;
    return "$measure->{name} has " . @modes . ' modes: ' . join ', ', @texts;
}

sub _worst {
    my ($report) = @_;
    my @told = worst_slice($report) or return undef;
    return 'worst slice: ' . join ', ', @told;
}

=head2 worst_slice($report)

Three texts: when the worst slice of the run was, the latest in it, and, if it is known, how many periods were missed.
An empty list where the report has no slices to choose from.

=cut

sub worst_slice {
    my ($report) = @_;
    my $slices = $report->columns('slices') or return;
    my @latest = @{ $slices->{ $report->latency_name . '_max_us' } // [] };
    return if @latest < 2;
    my ($worst) = sort { $latest[$b] <=> $latest[$a] || $a <=> $b } 0 .. $#latest;
    my ($run, $start, $seconds, $missed, $periods)
        = map { $slices->{$_} && $slices->{$_}[$worst] } qw(run start_s seconds missed periods);
    return (sprintf('%sfrom %.3f s on for %.3f s', defined $run ? "run $run, " : '', $start, $seconds),
        $report->latency_words('most') . ' ' . us($latest[$worst]),
        defined known($report, 'missed') ? "$missed of " . periods($report, $periods) . ' missed' : ());
}

1;
