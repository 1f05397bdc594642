# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Listing;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(facts listing measures objections);

use List::Util qw(max min uniqnum uniqstr);
use Realfeel::Events qw(worst);
use Realfeel::Percentiles qw(percentiles sufficiency);
use Realfeel::Stats qw(ladder summary);
use Realfeel::Table;
use Realfeel::Units qw(percent printable us wrapped);

use constant {
    FACT_WIDTH  => 10,
    LABEL_WIDTH => 16,
    CELL_WIDTH  => 26,
    UNIT_WIDTH  => length ' us',
};

=head1 NAME

Realfeel::Listing - the text that C<realfeel-analyze stats> prints

=head1 FUNCTIONS

=head2 listing($report)

The listing of a L<Realfeel::Report>, at most 80 columns wide where its header's values allow it. The verdict comes
first, the worst wake-ups last.

=cut

sub listing {
    my ($report) = @_;
    my @measures = measures($report);
    my $late = _lateness($report);
    my @first = grep { $_->{key} ne 'wakeups' } @measures;
    my @sections = (
        [map { wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } facts($report, @first)],
        [map { $_ && "  $_" } _table(@first)->text(1)],
        [map { "  $_" } percentiles(@measures)],
        [map { wrapped('  ', $_) } sufficiency($report, @first)],
        [map { $_ && "  $_" } worst($late, $report)],
    );
    return join "\n", _verdict($report), (map { (@$_, '') } grep { @$_ } @sections);
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

sub _verdict {
    my ($report) = @_;
    my $verdict = $report->verdict;
    my $word
        = !$verdict           ? 'no verdict in the file'
        : $verdict eq 'valid' ? $verdict
        :                       uc $verdict;
    my @objections = map { wrapped('  * ', $_) } objections($report);
    return (printable($report->file) . ": $word", @objections, @objections ? '' : ());
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
    my %value = map { $_ => _known($report, $_) }
        qw(status duration_s clock tsc_hz tsc_error_ppm tsc_drift_ppm missed periods early_wakeups explain);
    my ($seconds, $runs) = (_if_known('%.3f s', $value{duration_s}), _if_known('%d runs', $report->runs));
    return (
        [status => _listed($value{status}, $seconds, $runs)],
        _limits($report),
        _load($report),
        [source => _source($report)],
        [clock  => _if_known('%s', $value{clock}) . _if_known(' at %s Hz', $value{tsc_hz})
            . _if_known(' +- %s ppm', $value{tsc_error_ppm})
            . _if_known(', drift up to %s ppm', $value{tsc_drift_ppm})],
        [kernel => _kernel($report)],
        [missed => defined $value{missed} ? "$value{missed} of $value{periods} periods" : 'not known'],
        [early  => _if_known('%s wake-ups before their due time', $value{early_wakeups})],
        [anchor => _if_known('lateness is overstated by at most %.3f us', $report->us('anchor_uncertainty_ns'))],
        [explain => $value{explain} // ''],
    );
}

sub _known {
    my ($report, $key) = @_;
    my $value = $report->header($key) // 'unknown';
    return $value eq 'unknown' ? undef : $value eq 'several' ? 'more than one' : $value;
}

sub _source {
    my ($report) = @_;
    my $rate = _if_known('%s Hz', $report->header('frequency_hz'));
    return join ' at ', grep { $_ ne '' } _known($report, 'source') // '', $rate;
}

sub _kernel {
    my ($report) = @_;
    return _listed(uniqstr grep { defined } map { _known($report, $_) } qw(kernel_release preemption));
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

sub _table {
    my @measures = @_;
    my @summaries = map { $_->{summary} } @measures;
    return Realfeel::Table->new(
        columns => [{ head => '', width => LABEL_WIDTH },
            map { { head => _aligned($_->{name}), width => CELL_WIDTH } } @measures],
        rows    => [
            ['count', map { _aligned($_->{count}) } @summaries],
            (map { _time_row($_, @summaries) } qw(min mean sd median mode max)),
            _ladder_rows(map { $_->{distribution} } @measures),
        ],
    );
}

sub _time_row {
    my ($name, @summaries) = @_;
    return [$name, map { _aligned(defined $_ ? us($_) : '-') } map { $_->{"${name}_us"} } @summaries];
}

sub _ladder_rows {
    my @distributions = grep { $_->n } @_;
    my @thresholds = sort { $a <=> $b } uniqnum map { ladder($_) } @distributions;
    my @rows;
    for my $threshold (@thresholds) {
        my @counts = map { $_->below($threshold) } @distributions;
        push @rows, ["< $threshold us",
            map { _aligned(defined $counts[$_] ? percent($counts[$_], $distributions[$_]->n) : '-') } 0 .. $#counts];
    }
    return @rows ? ([], @rows) : ();
}

# Numbers end in one column, whether their unit is " us" or " %".
sub _aligned {
    my ($text) = @_;
    my ($unit) = $text =~ /( us| %)$/;
    my $room = CELL_WIDTH - length $text;
    return $text . ' ' x max(0, min($room, UNIT_WIDTH - length($unit // '')));
}

1;
