# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Tail;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(estimate);

use List::Util qw(max min sum sum0 uniqnum);
use Realfeel::Base::Typed qw(number text truth);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Copies qw(repeated);
use Realfeel::Model::Likeness qw(several);
use Realfeel::Model::Report::Measures qw(common measure_name);

use constant {
    TIMES_THE_RUN => [10, 100],
    FEWEST        => 40,        # blocks; fewer say too little of the tail
    WANTED        => 100,
    WHOLE         => 0.9,       # a slice that is shorter than that is left out at the end of a run
    SHARES        => [0.1, 0.3],    # of the maxima, the greatest
    LEAST_FITTED  => 5,
    NONE_SEEN     => 3,         # times a run of which none was later, 95 % (the rule of three)
    DEVIATIONS    => 1.6449,    # 95 %, one-sided
    UNEQUAL       => 1.5,
    TREND         => 1 / 3,     # more is neither chance nor a load that comes and goes
    FURTHEST      => 1000,
};

=head1 NAME

Realfeel::Answer::Tail - an estimate of what was not measured: the latencies of a longer run

=head1 FUNCTIONS

=head2 estimate($report, measure => $name, periods => $n, duration_s => $seconds)

An upper limit of what is exceeded once on average in a longer run, by the maxima of the blocks of a
L<Realfeel::Model::Report>, and why that must not be believed, where something speaks against it. The measure is
C<lateness>, C<wakeup> or C<interval>, by default the report's latency where that is known. Limits are given for the run
itself and for the periods, or the duration, that are asked for, else for ten and a hundred times the run. Dies with one
line where there is nothing to be estimated from.

A block is a slice, or as many neighbours as leave 100 blocks or more; the last slice of a run is left out when it is
shorter than nine tenths of the others.

Once in C<N> times the run is no more than C<max * (3 N)**exponent>. Of the greatest maximum alone it is known that
there are not three times a run's worth of later ones (95 %); and a tail like a power is exceeded a tenth as often where
it is C<10**exponent> times as late. The exponent is the upper limit of Hill's estimator; a tail that falls faster than
any power has less, so the limit is too high rather than too low.

Returns a hash whose keys end in their units: C<measure>, C<believable>, C<doubts>, see below, C<run>, C<blocks>,
C<tail>, which has C<exponent>, by how many maxima it was C<fitted>, and C<threshold_us>, which these exceed, and
C<levels>, each C<periods>, C<duration_s>, C<times_the_run> and C<high_us>, undef where it is beyond all numbers.

A doubt is a hash of C<code>: C<not_valid>, so many C<runs> C<of> all; C<no_verdict>; C<verdict>, which is C<verdict>;
C<contradicted>, the schedule; C<break>, which ended the run; C<unlike>, the C<keys> in which the runs are; C<repeated>,
so many C<runs> are copies; C<unequal>, blocks of C<least> to C<most> periods; C<rising> and C<falling>, the maxima, by
C<tau>; C<infinite>, a limit; and C<too_far>, more than so many C<times> the run.

=cut

sub estimate {
    my ($report, %asked) = @_;
    my $measure = _measure($report, $asked{measure});
    my ($blocks, @maxima) = _blocks($report, "${measure}_max_us");
    my $run = _run($report, "${measure}_max");
    my $tail = _tail($report, @maxima);
    my $rate = $blocks->{periods} / $blocks->{duration_s};
    my @levels = map { _level($run, $rate, $tail, $_) } $run->{periods}, _asked($report, $run, $rate, %asked);
    my @doubts = (_of_the_report($report, $measure), _of_the_blocks($blocks), _of_the_levels(@levels));
    return {
        measure => text($measure), run => $run, blocks => $blocks, tail => $tail, levels => \@levels,
        doubts => \@doubts, believable => truth(!@doubts),
    };
}

# Few of the greatest tell how the far tail goes on, more tell it with less chance. Either limit holds, so the lower
# does.
sub _tail {
    my ($report, @maxima) = @_;
    my @greatest = sort { $b <=> $a } @maxima;
    my @tails = map { _hill(max(LEAST_FITTED, int $_ * @greatest), @greatest) } @{ SHARES() };
    _refuse($report, 'too few of its maxima are above 0; take another --measure') if grep { !$_ } @tails;
    return (sort { $a->{exponent} <=> $b->{exponent} } @tails)[0];
}

# The mean of the logarithms of so many by that of the next, and the upper limit of 95 %: twice their sum by the true
# exponent is a chi-square of twice as many degrees of freedom (after Wilson and Hilferty).
sub _hill {
    my ($n, @greatest) = @_;
    my $threshold = $greatest[$n];
    return undef unless $threshold > 0;
    my $spread = 2 / (9 * 2 * $n);
    my $least = 2 * $n * (1 - $spread - DEVIATIONS * sqrt $spread)**3;
    return { fitted => $n, threshold_us => $threshold,
        exponent => 2 * sum(map { log($_ / $threshold) } @greatest[0 .. $n - 1]) / $least };
}

sub _refuse {
    my ($report, $what) = @_;
    die printable($report->file . ": $what") . "\n";
}

sub _measure {
    my ($report, $asked) = @_;
    my $measure = $asked // ($report->latency ? $report->latency_name : 'interval');
    return $measure if $report->$measure;
    my $other = common($report);
    _refuse($report, "has no @{[measure_name($measure)]}" . (defined $other ? "; take --measure=$other" : ''));
}

# What they are, and their maxima in the order of time.
sub _blocks {
    my ($report, $column) = @_;
    my @all = _slices_of_runs($report, $column);
    my @runs = grep { @$_ } map { _whole(@$_) } @all;
    my $length = @runs ? _length(@runs) : 0;
    my @blocks = map { _grouped($length, @$_) } @runs;
    _refuse($report, sprintf 'a tail estimate needs %d blocks, and this report has %d; measure for longer',
        FEWEST, scalar @blocks) if @blocks < FEWEST;
    my @maxima = map { $_->{max} } @blocks;
    _check_maxima($report, @maxima);
    my $used = sum(map { $_->{slices} } @blocks);
    return {
        count           => scalar @blocks,
        periods         => sum(map { $_->{periods} } @blocks) / @blocks,
        duration_s      => sum(map { $_->{seconds} } @blocks) / @blocks,
        least_periods   => 0 + min(map { $_->{periods} } @blocks),
        most_periods    => 0 + max(map { $_->{periods} } @blocks),
        slices          => max(map { $_->{slices} } @blocks),
        slices_left_out => sum(map { scalar @$_ } @all) - $used,
        runs            => scalar @runs,
        trend           => _trend(@maxima),
    }, @maxima;
}

sub _slices_of_runs {
    my ($report, $column) = @_;
    my $slices = $report->columns('slices') or _refuse($report, 'holds no slices; name a report that realfeel wrote');
    my %run;
    for my $i (grep { $slices->{periods}[$_] > 0 } 0 .. $#{ $slices->{start_s} }) {
        push @{ $run{ $slices->{run} ? $slices->{run}[$i] : 1 } },
            { periods => $slices->{periods}[$i], seconds => $slices->{seconds}[$i], max => 0 + $slices->{$column}[$i] };
    }
    return map { $run{$_} } sort { $a <=> $b } keys %run;
}

sub _whole {
    my @slices = @_;
    pop @slices if $slices[-1]{periods} < WHOLE * _median_periods(@slices);
    return \@slices;
}

sub _median_periods {
    my @sorted = sort { $a <=> $b } map { $_->{periods} } @_;
    return $sorted[$#sorted / 2];
}

# The periods in a block: those of a slice where it is longest, times what leaves as many blocks as are wanted.
sub _length {
    my @runs = @_;
    my $longest = max(map { _median_periods(@$_) } @runs);
    my $slices = sum(map { $_->{periods} } map { @$_ } @runs) / $longest;
    return $longest * max(1, int($slices / WANTED + 1e-9));
}

sub _grouped {
    my ($length, @slices) = @_;
    my $each = min(scalar @slices, max(1, int($length / _median_periods(@slices) + 0.5)));
    my @blocks;
    while (@slices >= $each) {
        my @block = splice @slices, 0, $each;
        push @blocks, { slices => $each, max => max(map { $_->{max} } @block),
            (map { my $key = $_; $key => sum(map { $_->{$key} } @block) } qw(periods seconds)) };
    }
    return @blocks;
}

# Kendall's tau of the maxima with the time: 1 where all rise, -1 where all fall.
sub _trend {
    my @maxima = @_;
    my $score = 0;
    for my $later (1 .. $#maxima) {
        $score += $maxima[$later] <=> $_ for @maxima[0 .. $later - 1];
    }
    return 2 * $score / @maxima / $#maxima;
}

# Maxima that the clock does not tell apart have a tail that ends there.
sub _check_maxima {
    my ($report, @maxima) = @_;
    my @greatest = (sort { $b <=> $a } @maxima)[0 .. SHARES->[-1] * @maxima];
    my $values = uniqnum @greatest;
    _refuse($report, sprintf 'the greatest maxima of its %d blocks have no more than %d value%s; measure what resolves '
        . 'them', scalar @maxima, $values, $values == 1 ? '' : 's') if 2 * $values < @greatest;
}

sub _run {
    my ($report, $maximum) = @_;
    my $slices = $report->columns('slices');
    return {
        periods    => sum0(@{ $slices->{periods} }),
        duration_s => sum0(@{ $slices->{seconds} }),
        max_us     => number(max(map { $_ // () } $report->us("${maximum}_ns"), @{ $slices->{"${maximum}_us"} })),
    };
}

# The periods of the longer runs.
sub _asked {
    my ($report, $run, $rate, %asked) = @_;
    my @periods
        = defined $asked{periods}    ? $asked{periods}
        : defined $asked{duration_s} ? $asked{duration_s} * $rate
        :                              map { $_ * $run->{periods} } @{ TIMES_THE_RUN() };
    _refuse($report, sprintf 'a limit is of %.0f periods or more, those of the run; stats gives percentiles',
        $run->{periods}) if min(@periods) < $run->{periods};
    return @periods;
}

sub _level {
    my ($run, $rate, $tail, $periods) = @_;
    my $times = $periods / $run->{periods};
    return {
        periods       => 0 + sprintf('%.0f', $periods),
        duration_s    => number($periods / $rate),
        times_the_run => number($times),
        high_us       => number($run->{max_us} * (NONE_SEEN * $times)**$tail->{exponent}),
    };
}

# What speaks against it.
sub _of_the_report {
    my ($report, $measure) = @_;
    my @several = several($report);
    my $repeated = repeated($report);
    return (
        _of_the_verdict($report),
        $measure eq 'lateness' && defined $report->contradiction ? { code => 'contradicted' } : (),
        ($report->header('status') // '') eq 'break' ? { code => 'break' } : (),
        @several ? { code => 'unlike', keys => [@several] } : (),
        $repeated ? { code => 'repeated', runs => number($repeated) } : (),
    );
}

sub _of_the_verdict {
    my ($report) = @_;
    my @bad_runs = grep { $_ ne 'valid' } @{ ($report->columns('runs') // {})->{verdict} // [] };
    return { code => 'not_valid', runs => scalar @bad_runs, of => number($report->runs) } if @bad_runs;
    my $verdict = $report->verdict // return { code => 'no_verdict' };
    return $verdict eq 'valid' ? () : { code => 'verdict', verdict => text($verdict) };
}

sub _of_the_blocks {
    my ($blocks) = @_;
    my ($least, $most, $trend) = @$blocks{qw(least_periods most_periods trend)};
    return (
        $most > UNEQUAL * $least ? { code => 'unequal', least => $least, most => $most } : (),
        abs $trend > TREND ? { code => $trend > 0 ? 'rising' : 'falling', tau => $trend } : (),
    );
}

sub _of_the_levels {
    my @levels = @_;
    return (
        (grep { !defined $_->{high_us} } @levels) ? { code => 'infinite' } : (),
        (grep { $_->{times_the_run} > FURTHEST } @levels) ? { code => 'too_far', times => FURTHEST } : (),
    );
}

1;
