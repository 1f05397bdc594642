# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Facts;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(facts known measures objections short sufficiency);

use List::Util qw(max uniqstr);
use Realfeel::Explain qw(cost delay findings);
use Realfeel::Stats qw(exceedance summary);
use Realfeel::Units qw(counted decimal duration us);

use constant {
    DIGITS => 4,            # of a report's bins
    PHASES => { spread => 'due one after the other', aligned => 'due at the same instant' },
};

=head1 NAME

Realfeel::Facts - what there is to say of a run, in the listing, on the page and in JSON alike

=head1 FUNCTIONS

=head2 known($report, $key)

The value of a header line; undef where there is none, or it is C<unknown>.

=cut

sub known {
    my ($report, $key) = @_;
    my $value = $report->header($key);
    return defined $value && $value ne 'unknown' ? $value : undef;
}

=head2 measures($report)

What the report knows of the interval error, the lateness and, where periods were missed, that of wake-ups: hashes of
C<name>, C<key>, C<distribution> and C<summary>, which is that of L<Realfeel::Stats>.

=cut

sub measures {
    my ($report) = @_;
    return map { _measure($report, @$_) }
        [_interval($report), 'interval'], [_lateness($report), 'lateness'], ['lateness of wake-ups', 'wakeups'];
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
        summary => summary($distribution, $report->dependence, $key),
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

=head2 facts($report, @measures)

The circumstances of the run and of its figures: arrays C<[name, text]>.

=cut

sub facts {
    my ($report, @measures) = @_;
    my @facts
        = $report->format eq '2002'      ? ()
        : $report->header('lateness_of') ? _facts_of_import($report)
        :                                  _facts_of_header($report);
    push @facts, _facts_of_bins($report, map { $_->{distribution} } @measures);
    return grep { $_->[1] ne '' } @facts;
}

# The origin of figures that the header lacks.
sub _facts_of_bins {
    my ($report, @distributions) = @_;
    return (
        [format   => 'of 2002, in buckets 100 us wide'],
        [moments  => 'estimated from bucket midpoints; minimum and maximum are outer edges'],
        [lateness => 'not known'],
    ) if $report->format eq '2002' || $report->header('bins');
    return if $report->header('lateness_of') || !grep { $_->n && !$_->is_exact } @distributions;
    return [moments => 'estimated from the bins, as the header lacks some'];
}

# Another program records little of its run.
sub _facts_of_import {
    my ($report) = @_;
    my @figures = grep { defined $report->header("lateness_${_}_ns") } qw(min max mean);
    return (
        [source  => _source($report)],
        [runs    => $report->runs // ''],
        [kernel  => _kernel($report)],
        [missed  => 'not known; each wake-up counts once, however late'],
        [moments => $report->runs || @figures < 3 ? 'as reported by the programs, otherwise from the bins'
            : 'minimum, maximum and mean as reported by ' . $report->header('source') . ', the others from the bins'],
    );
}

# An unknown fact is left out, except that periods may have been missed.
sub _facts_of_header {
    my ($report) = @_;
    my %value = map { $_ => _told($report, $_) }
        qw(status duration_s clock tsc_hz tsc_error_ppm tsc_drift_ppm missed periods early_wakeups explain);
    my ($runs, $early, $uncertainty) = ($report->runs, $value{early_wakeups}, $report->us('anchor_uncertainty_ns'));
    return (
        [status => _listed($value{status}, _if_known('%.3f s', $value{duration_s}), $runs && counted($runs, 'run'))],
        _limits($report),
        _load($report),
        [source => _source($report)],
        [clock  => _if_known('%s', $value{clock}) . _if_known(' at %s Hz', $value{tsc_hz})
            . _if_known(' +- %s ppm', $value{tsc_error_ppm})
            . _if_known(', drift up to %s ppm', $value{tsc_drift_ppm})],
        [kernel => _kernel($report)],
        [cpus   => _cpus($report)],
        [missed => defined $value{missed} ? "$value{missed} of " . counted($value{periods}, 'period') : 'not known'],
        [early  => defined $early ? _early($early) : ''],
        [anchor => _if_known('lateness is overstated by at most %.3f us', $uncertainty || undef)],
        [explain => _explain($report, $value{explain})],
    );
}

sub _early { return counted($_[0], 'wake-up') . ' before ' . ($_[0] == 1 ? 'its' : 'their') . ' due time' }

# With what it costs, and what is wrong with it.
sub _explain {
    my ($report, $level) = @_;
    my $cost = cost($report);
    my @wrong = grep { /^self-test/ } findings($report);
    my @cost = $cost ? 'each wake-up is ' . delay($cost) : ();
    return join '; ', $level // '', @cost, @wrong;
}

sub _told {
    my ($report, $key) = @_;
    my $value = known($report, $key);
    return ($value // '') eq 'several' ? 'more than one' : $value;
}

sub _source {
    my ($report) = @_;
    my $rate = _if_known('%s Hz', $report->header('frequency_hz'));
    return join ' at ', grep { $_ ne '' } _told($report, 'source') // '', $rate;
}

sub _kernel {
    my ($report) = @_;
    return _listed(uniqstr grep { defined } map { _told($report, $_) } qw(kernel_release preemption));
}

# Of several CPUs that were measured at the same time.
sub _cpus {
    my ($report) = @_;
    my ($cpus, $phases) = map { $report->header($_) // '' } qw(cpu phases);
    return $cpus =~ /^\d+[-,]/ ? _listed($cpus, PHASES->{$phases}) : '';
}

sub _listed { return join ', ', grep { defined && $_ ne '' } @_ }

sub _limits {
    my ($report) = @_;
    my ($max_us, $break_us) = map { $report->us($_) } qw(max_ns break_ns);
    my ($max, $trace) = map { $report->header($_) } qw(max trace);
    return (
        defined $max_us ? [max => sprintf('%s us, ', $max_us) . ($max // 'unknown')] : (),
        defined $break_us ? [break => sprintf('%s us', $break_us) . _if_known('; trace: %s', $trace)] : (),
    );
}

sub _load {
    my ($report) = @_;
    my $load = $report->header('load') // 'none';
    return if $load eq 'none';
    return [load => $load . _if_known('; ended by %s', $report->header('load_ended_by'))
        . _if_known(': %s', $report->header('load_exit'))];
}

sub _if_known {
    my ($format, $value) = @_;
    return defined $value ? sprintf $format, $value : '';
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
    my @texts = map { sprintf '%s us (%.3g %%)', short($_->{value_us}), 100 * $_->{count} / $count } @modes;
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
    return sprintf 'worst slice: %sfrom %.3f s on for %.3f s, latest %s, %d of %s missed',
        defined $run ? "run $run, " : '', $start, $seconds, us($latest[$worst]), $missed,
        counted($periods, 'period');
}

1;
