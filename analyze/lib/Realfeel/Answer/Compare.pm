# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the figures of two runs.
package Realfeel::Answer::Compare;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(compare limit);

use List::Util qw(all any first);
use Realfeel::Answer::Compare::Composition qw(composition);
use Realfeel::Answer::Compare::Environment qw(differences doubts names of_2002 told_by_both);
use Realfeel::Answer::Compare::Ratios qw(maxima ratios);
use Realfeel::Answer::Compare::Summary qw(summed_up);
use Realfeel::Base::Typed qw(number text truth);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Report qw(common measure_name);

use constant SINCE => {
    delay => 'since a thread was due or woken', lateness => 'since a wake-up was due', wakeup => 'since a request',
};
use constant REMEDIES => { bins => 'lower', zero => 'finer', samples => 'longer', short => 'minute' };
use constant NOTHING_JUDGED => (doubts => [], percentiles => [], map { $_ => undef } qw(summary maxima composition));

# Takes two reports and delay, lateness, wakeup or interval, by default the first that both have. Dies with one line if
# they have no measure in common, or one has no samples. Returns a hash:
#
#   measure
#   interval_errors   "absolute", or "early as 0" if a file is of 2002; undef for latency
#   names             a pair
#   identical         the same run; then nothing else is set
#   doubts            see Compare::Environment
#   base, file        report, file, count, max_us; runs, how many were merged; units, the pieces on which intervals
#                     rest; unit, what these are; is_short, too short for intervals
#   percentiles, maxima      see Compare::Ratios
#   summary           see Compare::Summary
#   composition       see Compare::Composition; of the latency that is explained
#   environment       see Compare::Environment
#   environment_told  the keys that both reports have
sub compare ($base, $file, $wish = undef) {
    my $measure = _measure($wish, $base, $file);
    my $is_old = of_2002($base, $file);
    my ($b, $f) = map { _run($measure, $is_old, $_) } $base, $file;
    my $is_identical = _identical($b, $f);
    my @differences = differences($base, $file);
    return {
        measure     => text($measure),
        interval_errors => $measure ne 'interval' ? undef : $is_old ? 'early as 0' : 'absolute',
        names       => [names($base, $file, @differences)],
        identical   => truth($is_identical),
        base        => _side($b),
        file        => _side($f),
        $is_identical ? NOTHING_JUDGED : _judged($measure, $b, $f),
        environment => \@differences,
        environment_told => [told_by_both($base, $file)],
    };
}

sub _judged ($measure, @runs) {
    my @reports = map { $_->{report} } @runs;
    my @percentiles = ratios(@runs);
    my $is_explained = all { $_->latency_name eq $measure } @reports;
    return (
        doubts      => [doubts($measure, @reports)],
        percentiles => \@percentiles,
        summary     => summed_up(@percentiles),
        maxima      => maxima(@runs, $measure),
        composition => $is_explained ? composition(@reports) : undef,
    );
}

# Whether all figures that both hold are equal. Written out in full only if simpler figures agree, as that takes long.
sub _identical ($base, $file) {
    return 0 if any { $base->{distribution}->$_ != $file->{distribution}->$_ } qw(n bins max);
    my ($one, $other) = map { $_->{report} } $base, $file;
    my @sets = grep { $one->has($_) && $other->has($_) } qw(histogram slices slice_bins events runs);
    return all { _written($one->columns($_)) eq _written($other->columns($_)) } @sets;
}

sub _written ($columns) {
    return join "\n", map { join ' ', $_, map { $_ // 'unknown' } @{ $columns->{$_} } } sort keys %$columns;
}

sub _measure ($measure, @reports) {
    my $common = common(@reports);
    my $wanted = $measure // $common // 'interval';
    my ($without) = grep { !$_->$wanted } @reports or return $wanted;
    _refuse_other(@reports) unless defined $measure || grep { !$_->latency } @reports;
    my $remedy = defined $common ? "use --measure=$common" : 'compare files with a common measure';
    die printable($without->file) . ": has no @{[measure_name($wanted)]}; $remedy\n";
}

sub _refuse_other {
    my @files = map { printable($_->file) . ' measures ' . $_->latency_words . ', ' . SINCE->{ $_->latency_name } } @_;
    die join(', but ', @files) . "; compare files with a common measure\n";
}

sub _run ($measure, $is_old, $report) {
    my $distribution = $is_old && $measure eq 'interval' ? $report->in_buckets : $report->measured($measure);
    die printable($report->file) . ": holds no samples; compare runs that do\n" unless $distribution->n;
    return { report => $report, measure => $measure, distribution => $distribution };
}

sub _side ($run) {
    my $pieces = $run->{report}->pieces;
    return {
        file    => text($run->{report}->file),
        report  => $run->{report},
        count   => number($run->{distribution}->n),
        max_us  => number($run->{distribution}->max),
        units   => number($pieces->count),
        unit    => text($pieces->unit),
        runs    => number($run->{report}->runs // 1),
        is_short => truth(defined $pieces->unknown),
    };
}

# Whether the ratio at $percentile is above $limit beyond chance: a hash of percentile, limit, the interval low to high,
# and exceeded, true if the whole interval is above the limit. If an open end or a missing interval leaves this unknown,
# exceeded is undef, code is the reason (identical, samples, bins, short, zero, open), and remedy what to do (other_run,
# lower, longer, minute, finer).
sub limit ($comparison, $percentile, $limit) {
    my $row = first { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
    my ($code, $remedy) = $comparison->{identical} ? qw(identical other_run) : _unjudged($row, $limit);
    return {
        percentile => number($percentile),
        limit      => number($limit),
        low        => $row->{low},
        high       => $row->{high},
        exceeded   => defined $code ? undef : truth($row->{low} > $limit),
        code       => $code,
        remedy     => $remedy,
    };
}

# Why a ratio cannot be judged, and what to do about it
sub _unjudged ($row, $limit) {
    my ($why, $low, $high) = @$row{qw(judgement low high)};
    return ($why, REMEDIES->{$why}) if REMEDIES->{$why};
    return if $low > $limit || defined $high && ($low > 0 || $high <= $limit);
    return ('open', $low > 0 ? 'longer' : 'finer');
}

1;
