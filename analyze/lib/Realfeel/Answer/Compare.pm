# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(compare limit);

use List::Util qw(all first);
use Realfeel::Answer::Compare::Composition qw(composition);
use Realfeel::Answer::Compare::Environment qw(differences doubts names of_2002 told_by_both);
use Realfeel::Answer::Compare::Finding qw(finding);
use Realfeel::Answer::Compare::Maxima qw(maxima);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Base::Typed qw(number text truth);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Report::Measures qw(common measure_name);
use Realfeel::Stat::Intervals qw(ratio);

use constant {
    INFINITY  => 9**9**9,
    CONFIDENCE => 0.95,

    # Of pairs of equivalent runs, how many have no percentile that is said to differ. In 1 % the maxima are said to,
    # which makes 5 %.
    TOGETHER  => 0.96,
    SINCE     => {
        lateness => 'lateness, since a wake-up was due', wakeup => 'wake-up latency, since a request',
    },
};

=head1 NAME

Realfeel::Answer::Compare - the figures of two runs, side by side

=head1 FUNCTIONS

=head2 compare($base, $file, $measure, $at)

Compares two L<Realfeel::Model::Report>s by C<lateness>, C<wakeup> or C<interval>; without a measure by the first of
them that both have. Dies with one line when they have no measure in common, or one of them no samples. With C<$at> that
percentile alone is judged. Returns a hash:

C<measure>; C<interval_errors>, how these count: C<absolute>, C<early as 0> where a file is of 2002, undef for latency;
C<names>, a pair; C<identical>, whether the files hold the same run, of which nothing else is said then; C<doubts>, as
of L<Realfeel::Answer::Compare::Environment>; C<base> and C<file>, each C<report>, C<file>, C<count>, C<max_us>,
C<runs>, how many were merged, C<units>, how many pieces of it tell how far its percentiles may be off, C<unit>, what
these are, and C<no_interval>, why there is none; C<percentiles>, a list of hashes, see below; C<finding>, as of
L<Realfeel::Answer::Compare::Finding>; C<maxima>, as of L<Realfeel::Answer::Compare::Maxima>; C<composition>, as of
L<Realfeel::Answer::Compare::Composition>; C<environment>, as of L<Realfeel::Answer::Compare::Environment>; and
C<environment_told>, the keys of which both reports tell.

A percentile has C<percentile> and C<judgement>: C<lower>, C<higher>, where FILE differs beyond chance, C<alike>, where
it does not; where that cannot be judged, what is too few in the one or the other, C<samples>, C<wakeups> or C<slices>;
C<bins>, where a value lies in an open bin; C<zero>, where one is 0; C<open>, where an end of the interval is. For
C<samples>, C<wakeups> and C<bins> C<lacking> says which lacks more, C<base>, C<file>, or C<both> as much; and there are
C<needed>, the samples or wake-ups it takes, C<wakeups>, those there are, or C<from_us>, where the open bin begins.
Else there are C<base_us> and C<file_us>, and of all but C<slices> and C<zero> C<ratio>, C<low>, C<high>, as of
L<Realfeel::Stat::Intervals>, and C<differs>, whether it does. The percentiles of a table are judged together (Sidak).

=cut

sub compare {
    my ($base, $file, $wish, $at) = @_;
    my $measure = _measure($wish, $base, $file);
    my $old = of_2002($base, $file);
    my ($b, $f) = _runs($measure, $old, $base, $file);
    my @differences = differences($base, $file);
    my $identical = _identical($b, $f);
    my %judged = $identical ? (doubts => [], percentiles => [], map { $_ => undef } qw(finding maxima composition))
        : _judged($measure, $at, $b, $f);
    return {
        %judged,
        measure     => text($measure),
        interval_errors => $measure ne 'interval' ? undef : $old ? 'early as 0' : 'absolute',
        names       => [names($base, $file, @differences)],
        identical   => truth($identical),
        base        => _side($b),
        file        => _side($f),
        environment => \@differences,
        environment_told => [told_by_both($base, $file)],
    };
}

sub _judged {
    my ($measure, $at, @runs) = @_;
    my @percentiles = _percentiles($at, @runs);
    return (
        doubts      => [doubts($measure, map { $_->{report} } @runs)],
        percentiles => \@percentiles,
        finding     => finding(@percentiles),
        maxima      => maxima(@runs, $measure),
        composition => _composition($measure, map { $_->{report} } @runs),
    );
}

# Of the latency that is explained.
sub _composition {
    my ($measure, @reports) = @_;
    return (all { $_->latency_name eq $measure } @reports) ? composition(@reports) : undef;
}

# A run and its copy: all figures that both hold are the same. Few pairs need them written out, which takes long.
sub _identical {
    my ($base, $file) = @_;
    return 0 if grep { $base->{distribution}->$_ != $file->{distribution}->$_ } qw(n bins max);
    my ($one, $other) = map { $_->{report} } $base, $file;
    my @sets = grep { $one->has($_) && $other->has($_) } qw(histogram slices slice_bins events runs);
    return (all { _same($one->columns($_), $other->columns($_)) } @sets) ? 1 : 0;
}

sub _same {
    my ($one, $other) = @_;
    my @names = sort keys %$one;
    return "@names" eq join(' ', sort keys %$other) && (all { _figures($one->{$_}) eq _figures($other->{$_}) } @names);
}

sub _figures {
    my ($column) = @_;
    return join ' ', map { $_ // 'unknown' } @$column;
}

sub _measure {
    my ($measure, @reports) = @_;
    my $common = common(@reports);
    my $wanted = $measure // $common // 'interval';
    my ($without) = grep { !$_->$wanted } @reports or return $wanted;
    _refuse_other(@reports) unless defined $measure || grep { !$_->latency } @reports;
    my $remedy = defined $common ? "use --measure=$common" : 'compare files with a common measure';
    die printable($without->file) . ": has no @{[measure_name($wanted)]}; $remedy\n";
}

sub _refuse_other {
    my @files = map { printable($_->file) . ' measures ' . SINCE->{ $_->latency_name } } @_;
    die join(', but ', @files) . "; compare files with a common measure\n";
}

sub _runs {
    my ($measure, $old, @reports) = @_;
    my @runs = map {
        { report => $_, measure => $measure, distribution => _distribution($measure, $old, $_) }
    } @reports;
    my ($empty) = grep { !$_->{distribution}->n } @runs;
    die printable($empty->{report}->file) . ": holds no samples; compare runs that do\n" if $empty;
    return @runs;
}

sub _distribution {
    my ($measure, $old, $report) = @_;
    return $old && $measure eq 'interval' ? $report->in_buckets : $report->measured($measure);
}

sub _side {
    my ($run) = @_;
    my $pieces = $run->{report}->pieces;
    return {
        file    => text($run->{report}->file),
        report  => $run->{report},
        count   => number($run->{distribution}->n),
        max_us  => number($run->{distribution}->max),
        units   => number($pieces->count),
        unit    => text($pieces->unit),
        runs    => number($run->{report}->runs // 1),
        no_interval => text($pieces->unknown),
    };
}

sub _percentiles {
    my ($at, @runs) = @_;
    my ($b, $f) = map { [percentiles($_->{distribution}, $_->{report}->pieces, $_->{measure})] } @runs;
    my @pairs = grep { !defined $at || $_->[0]{percentile} == $at } map { [$b->[$_], $f->[$_]] } 0 .. $#$b;
    my $judged = grep { !defined _lack(@$_) } @pairs;
    return map { _row($judged, @$_) } @pairs;
}

# What keeps two percentiles from being judged.
sub _lack {
    my @sides = @_;
    my $lacking = _lacking(@sides);
    return defined $lacking ? $sides[$lacking]{lack}
        : (grep { !$_->{bounds} } @sides) ? 'slices' : (grep { $_->{value_us} <= 0 } @sides) ? 'zero' : undef;
}

sub _row {
    my ($judged, @sides) = @_;
    my ($lack, $lacking) = (_lack(@sides), _lacking(@sides));
    my %row = (percentile => number($sides[0]{percentile}), judgement => $lack);
    return { %row, _refused($lacking, @sides) } if defined $lacking;
    @row{qw(base_us file_us)} = map { number($_->{value_us}) } @sides;
    return \%row if defined $lack;
    my @bounds = map { $_->{bounds} } @sides;
    my ($usual, $together) = map { ratio(@bounds, $_) } CONFIDENCE, TOGETHER**(1 / $judged);
    my $differs = $together->{low} >= 1 ? 'higher'
        : defined $together->{high} && $together->{high} <= 1 ? 'lower' : undef;
    my $is_open = $usual->{low} == 0 || !defined $usual->{high};
    my $judgement = $differs // ($is_open ? 'open' : 'alike');
    return { %row, %$usual, differs => truth(defined $differs), judgement => $judgement };
}

# Which of two that lack something lacks more: what lies in an open bin no number of values can tell.
sub _lacking {
    my @sides = @_;
    my @refused = grep { $sides[$_]{lack} } 0, 1;
    return (sort { ($sides[$b]{more} // INFINITY) <=> ($sides[$a]{more} // INFINITY) } @refused)[0];
}

# Of samples that do not reach, both lack the same.
sub _refused {
    my ($lacking, @sides) = @_;
    my ($side, $other) = @sides[$lacking, 1 - $lacking];
    my $lack = $side->{lack};
    my $both = $lack ne 'bins' && ($other->{lack} // '') eq $lack
        && ($lack eq 'samples' || $other->{wakeups} == $side->{wakeups});
    return (
        lacking => $both ? 'both' : (qw(base file))[$lacking],
        %$side{grep { exists $side->{$_} } qw(needed wakeups from_us)},
    );
}

=head2 limit($comparison, $percentile, $ratio)

Whether the ratio at this percentile is above a limit beyond chance: a hash of C<percentile>, C<limit>, the ends of the
interval, C<low> and C<high>, and C<exceeded>, true when the whole interval is above the limit. Where an end of it is
open that could be above, or there is none, C<exceeded> is undef, and there are C<code>, why: C<identical>, C<samples>,
C<wakeups>, C<bins>, C<slices>, C<zero> or C<open>; and C<remedy>: C<other_run>, C<lower>, C<longer> or C<finer>. The
end of the interval decides, for a check that fails on a ratio which chance alone takes above the limit fails every
other time.

=cut

sub limit {
    my ($comparison, $percentile, $limit) = @_;
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
sub _unjudged {
    my ($row, $limit) = @_;
    my $why = $row->{judgement};
    return ($why, 'lower')  if $why eq 'bins';
    return ($why, 'finer')  if $why eq 'zero';
    return ($why, 'longer') if grep { $why eq $_ } qw(samples wakeups slices);
    return if $row->{low} > $limit || defined $row->{high} && ($row->{low} > 0 || $row->{high} <= $limit);
    return ('open', $row->{low} > 0 ? 'longer' : 'finer');
}

1;
