# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Listing;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(listing);

use List::Util qw(uniqnum);
use Realfeel::Events qw(worst);
use Realfeel::Percentiles qw(percentiles sufficiency);
use Realfeel::Stats qw(ladder summary);
use Realfeel::Units qw(percent printable us);
use Text::Wrap ();

use constant {
    WIDTH       => 80,
    FACT_WIDTH  => 10,
    LABEL_WIDTH => 16,
    CELL_WIDTH  => 26,
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
    my $late = defined $report->contradiction ? 'lateness (not to be relied on)' : 'lateness';
    my @measures = map { _measure($report, @$_) }
        ['interval error', 'interval'], [$late, 'lateness'], ['lateness of wake-ups', 'wakeups'];
    my @first = grep { $_->{key} ne 'wakeups' } @measures;
    return join "\n", _verdict($report), _facts($report, map { $_->{distribution} } @first), '', _table(@first), '',
        (map { $_ && "  $_" } percentiles(@measures)), (map { $_ && _wrapped('  ', $_) } sufficiency($report, @first)),
        (map { $_ && "  $_" } worst($late, $report)), '';
}

sub _measure {
    my ($report, $name, $key) = @_;
    my $distribution = $report->$key or return;
    return {
        name => $name, key => $key, distribution => $distribution,
        summary => summary($distribution, $report->clusters, $key),
    };
}

sub _verdict {
    my ($report) = @_;
    my $verdict = $report->verdict;
    my $word
        = !$verdict           ? 'no verdict, for the file does not hold one'
        : $verdict eq 'valid' ? $verdict
        :                       uc $verdict;
    my @objections = map { _wrapped('  * ', $_) } _objections($report);
    return (printable($report->file) . ": $word", @objections, @objections ? '' : ());
}

sub _objections {
    my ($report) = @_;
    my ($reasons) = ($report->header('verdict') // '') =~ /:\s*(.*)/s;
    my $contradiction = $report->contradiction;
    return (split(/;\s*/, $reasons // ''),
        defined $contradiction ? "the schedule is contradicted: $contradiction" : ());
}

sub _facts {
    my ($report, @distributions) = @_;
    my @facts = $report->format eq '2002' ? _facts_of_2002() : _facts_of_header($report);
    push @facts, [moments => 'from the bins, for the header does not hold them all']
        if $report->format eq '1' && grep { $_->n && !$_->is_exact } @distributions;
    return map { _wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } @facts;
}

sub _facts_of_2002 {
    return (
        [format   => 'of 2002, in buckets 100 us wide'],
        [moments  => 'from the middles of the buckets; minimum and maximum are outer edges'],
        [lateness => 'not known'],
    );
}

sub _facts_of_header {
    my ($report) = @_;
    my $value = sub { $report->header($_[0]) // 'unknown' };
    my $explain = $report->header('explain');
    return (
        [status => $value->('status') . _if_known(', %.3f s', $report->header('duration_s'))
            . _if_known(', %d runs', $report->runs)],
        _limits($report),
        _load($report),
        [source => $value->('source') . _if_known(' at %s Hz', $report->header('frequency_hz'))],
        [clock  => $value->('clock') . _if_known(' at %s Hz', $report->header('tsc_hz'))
            . _if_known(' +- %s ppm', $report->header('tsc_error_ppm'))
            . _if_known(', drift up to %s ppm', $report->header('tsc_drift_ppm'))],
        [kernel => $value->('kernel_release') . _if_known(', %s', $report->header('preemption'))],
        [missed => sprintf '%s of %s periods', map { $value->($_) } qw(missed periods)],
        [early  => $value->('early_wakeups') . ' wake-ups came before their due time'],
        [anchor => _if_known('lateness is overstated by %.3f us at most', $report->us('anchor_uncertainty_ns'))
            || 'unknown'],
        defined $explain ? [explain => $explain] : (),
    );
}

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
    return (
        _row('', map { $_->{name} } @measures),
        _row('count', map { $_->{count} } @summaries),
        (map { _time_row($_, @summaries) } qw(min mean sd median mode max)),
        _ladder_rows(map { $_->{distribution} } @measures),
    );
}

sub _time_row {
    my ($name, @summaries) = @_;
    return _row($name, map { defined $_ ? us($_) : '-' } map { $_->{"${name}_us"} } @summaries);
}

sub _ladder_rows {
    my @distributions = grep { $_->n } @_;
    my @thresholds = sort { $a <=> $b } uniqnum map { ladder($_) } @distributions;
    my @rows;
    for my $threshold (@thresholds) {
        my @counts = map { $_->below($threshold) } @distributions;
        push @rows, _row("< $threshold us",
            map { defined $counts[$_] ? percent($counts[$_], $distributions[$_]->n) : '-' } 0 .. $#counts);
    }
    return @rows ? ('', @rows) : ();
}

# Numbers end in one column, whether their unit is " us" or " %".
sub _row {
    my ($label, @cells) = @_;
    my $row = sprintf '  %-*s', LABEL_WIDTH, $label;
    $row .= sprintf ' %*s', CELL_WIDTH, /%$/ ? "$_ " : /us$/ ? $_ : "$_   " for @cells;
    return $row =~ s/\s+$//r;
}

sub _wrapped {
    my ($lead, $text) = @_;
    local $Text::Wrap::columns  = WIDTH + 1;
    local $Text::Wrap::huge     = 'overflow';
    local $Text::Wrap::unexpand = 0;
    return Text::Wrap::wrap($lead, ' ' x length $lead, printable($text));
}

1;
