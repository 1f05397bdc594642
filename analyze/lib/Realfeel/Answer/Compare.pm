# SPDX-License-Identifier: GPL-2.0-or-later
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
use Realfeel::Model::Report::Measures qw(common measure_name);

use constant SINCE => {
    delay => 'since a thread was due or woken', lateness => 'since a wake-up was due', wakeup => 'since a request',
};
use constant REMEDIES => { bins => 'lower', zero => 'finer', samples => 'longer', short => 'minute' };
use constant NOTHING_JUDGED => (doubts => [], percentiles => [], map { $_ => undef } qw(summary maxima composition));

=head1 NAME

Realfeel::Answer::Compare - the figures of two runs, side by side

=head1 FUNCTIONS

=head2 compare($base, $file, $measure)

Compares two L<Realfeel::Model::Report>s by C<delay>, C<lateness>, C<wakeup> or C<interval>; without a measure by the
first of them that both have. Dies with one line when they have no measure in common, or one of them no samples. Returns
a hash:

C<measure>; C<interval_errors>, how these count: C<absolute>, C<early as 0> where a file is of 2002, undef for latency;
C<names>, a pair; C<identical>, whether the files hold the same run, of which nothing else is said then; C<doubts>, as
of L<Realfeel::Answer::Compare::Environment>; C<base> and C<file>, each C<report>, C<file>, C<count>, C<max_us>,
C<runs>, how many were merged, C<units>, how many pieces of it say how far its percentiles may be off, C<unit>, what
these are, and C<is_short>, whether it is too short for that; C<percentiles> and C<maxima>, as of
L<Realfeel::Answer::Compare::Ratios>; C<summary>, as of L<Realfeel::Answer::Compare::Summary>; C<composition>, as of
L<Realfeel::Answer::Compare::Composition>, of the latency that is explained; C<environment>, as of
L<Realfeel::Answer::Compare::Environment>; and C<environment_told>, the keys of which both reports tell.

=cut

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

# A run and its copy: all figures that both hold are the same. Few pairs need them written out, which takes long.
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

=head2 limit($comparison, $percentile, $ratio)

Whether the ratio at this percentile is above a limit beyond chance: a hash of C<percentile>, C<limit>, the ends of the
interval, C<low> and C<high>, and C<exceeded>, true when the whole interval is above the limit, as a star says of 1.
Where an end of it is open that could be above, or there is none, C<exceeded> is undef, and there are C<code>, why:
C<identical>, C<samples>, C<bins>, C<short>, C<zero> or C<open>; and C<remedy>: C<other_run>, C<lower>, C<longer>,
C<minute> or C<finer>.

=cut

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

# Why a ratio cannot be judged, and what to do about that.
sub _unjudged ($row, $limit) {
    my ($why, $low, $high) = @$row{qw(judgement low high)};
    return ($why, REMEDIES->{$why}) if REMEDIES->{$why};
    return if $low > $limit || defined $high && ($low > 0 || $high <= $limit);
    return ('open', $low > 0 ? 'longer' : 'finer');
}

1;
