# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(estimate);

use List::Util qw(max min uniqnum);
use Realfeel::Chance qw(generator);
use Realfeel::Tail::Blocks qw(blocks);
use Realfeel::Tail::ExtremeValue qw(cdf draw endpoint excesses gev_by_moments gev_fit gpd_fit intensity level);
use Realfeel::Tail::GoodnessOfFit qw(anderson_darling chance dip gap);
use Realfeel::Tail::Profile qw(interval);
use Realfeel::Tail::Stationarity qw(halves neighbours runs_differ trend);
use Realfeel::Tail::Doubts qw(doubts);
use Realfeel::Units qw(printable);

use constant {
    INFINITY      => 9**9**9,
    TIMES_THE_RUN => [10, 100],
    MOST          => 1e12,
    DIGITS        => 4,         # an extrapolation has no more
    LEAST_BLOCKS  => 2,
    WILDEST_SHAPE => 5,
    PEAKS_ONE_IN  => 10,
    LEAST_PEAKS   => 20,
    NORMAL_95     => 1.959964,
    RANKS         => [1, 2, 5, 10, 20, 50],
};

=head1 NAME

Realfeel::Tail - an estimate of what was not measured: the latencies of a longer run

=head1 FUNCTIONS

=head2 estimate($report, measure => $name, periods => $n, duration_s => $seconds, seed => $whole_number)

Fits the generalized extreme value distribution to the maxima of the blocks of a L<Realfeel::Report>, and asks whether
that can be believed. The measure is C<lateness> or C<interval>, by default lateness where it is known. Return levels
are given for the run itself and for the periods, or the duration, that are asked for, else for ten and a hundred times
the run. Dies with one line where there is nothing to be estimated from.

Returns a hash whose keys end in their units: C<measure>, C<seed>, C<believable>, C<doubts> (texts), C<run>, C<blocks>,
C<fit>, C<levels>, C<peaks> (undef where there are too few), C<checks> and C<maxima>, the largest of the block maxima
beside those that the fit expects. Estimates have four significant digits.

=cut

sub estimate {
    my ($report, %asked) = @_;
    my $measure = _measure($report, $asked{measure});
    my $blocks  = blocks($report, $measure);
    my @maxima  = sort { $a <=> $b } map { @$_ } @{ $blocks->{series} };
    _check_maxima($report, @maxima);
    my $run = _run($report, $measure, $blocks);
    my @horizons = _horizons($report, $run, $blocks, %asked);
    my $fit = gev_fit(@maxima);
    _refuse($report, 'the fit does not converge; measure for longer') unless abs $fit->{shape} <= WILDEST_SHAPE;

    my $peaks = _peaks($blocks);
    my $seed  = 0 + ($asked{seed} // 1);
    my %estimate = (
        measure => $measure, seed => $seed, run => $run, blocks => _described($blocks), fit => _fit($fit),
        levels => [map { _level($_, $run, $blocks, $fit, $peaks, @maxima) } @horizons],
        peaks  => $peaks && _described_peaks($peaks),
        checks => _checks($blocks, $fit, $run, $seed, @maxima),
        maxima => [_beside_the_fit($fit, @maxima)],
    );
    my @doubts = doubts($report, \%estimate);
    return { %estimate, doubts => \@doubts, believable => @doubts ? 0 : 1 };
}

sub _refuse {
    my ($report, $what) = @_;
    die printable($report->file . ": $what") . "\n";
}

sub _measure {
    my ($report, $asked) = @_;
    my $measure = $asked // ($report->lateness ? 'lateness' : 'interval');
    return $measure if $report->$measure;
    _refuse($report, $measure eq 'lateness' ? 'does not know lateness; take --measure=interval'
        : 'does not know interval errors; take --measure=lateness');
}

# Many equal values make the likelihood of a needle infinite.
sub _check_maxima {
    my ($report, @maxima) = @_;
    my $values = uniqnum @maxima;
    _refuse($report, sprintf 'the maxima of its %d blocks have no more than %d value%s; measure what resolves them',
        scalar @maxima, $values, $values == 1 ? '' : 's') if 2 * $values < @maxima;
}

sub _run {
    my ($report, $measure, $blocks) = @_;
    return {
        periods    => _sum_of($report, 'periods'),
        duration_s => _sum_of($report, 'seconds'),
        max_us     => max(map { $_ // () } $report->us("${measure}_max_ns"), map { @$_ } @{ $blocks->{series} }),
    };
}

sub _sum_of {
    my ($report, $column) = @_;
    my $sum = 0;
    $sum += $_ for @{ $report->columns('slices')->{$column} };
    return $sum;
}

sub _horizons {
    my ($report, $run, $blocks, %asked) = @_;
    my $rate = $blocks->{periods} / $blocks->{seconds};
    my @periods
        = defined $asked{periods}    ? $asked{periods}
        : defined $asked{duration_s} ? $asked{duration_s} * $rate
        :                              map { $_ * $run->{periods} } @{ TIMES_THE_RUN() };
    for (@periods) {
        _refuse($report, sprintf 'a return level is of %.0f periods or more, two blocks; stats gives percentiles',
            LEAST_BLOCKS * $blocks->{periods}) if $_ < LEAST_BLOCKS * $blocks->{periods};
    }
    return map { { periods => 0 + sprintf('%.0f', $_), duration_s => _rounded($_ / $rate),
        times_the_run => _rounded($_ / $run->{periods}) } } $run->{periods}, @periods;
}

sub _rounded {
    my ($number) = @_;
    return defined $number && abs $number < INFINITY ? 0 + sprintf '%.*g', DIGITS, $number : undef;
}

sub _described {
    my ($blocks) = @_;
    return {
        count => $blocks->{count}, periods => _rounded($blocks->{periods}), duration_s => _rounded($blocks->{seconds}),
        (map { $_ => 0 + $blocks->{$_} } qw(least_periods most_periods)),
        slices => $blocks->{slices_each}, slices_left_out => $blocks->{left_out}, runs => scalar @{ $blocks->{series} },
    };
}

sub _fit {
    my ($fit) = @_;
    my $error = $fit->{errors};
    return {
        location_us => _rounded($fit->{location}), location_error_us => _rounded($error->{location}),
        scale_us    => _rounded($fit->{scale}),    scale_error_us    => _rounded($error->{scale}),
        shape       => _rounded($fit->{shape}),    shape_error       => _rounded($error->{shape}),
        tail        => _tail($fit),
        endpoint_us => _tail($fit) eq 'bounded' ? _rounded(endpoint($fit)) : undef,
    };
}

# What the sign of the shape says, where chance does not explain it.
sub _tail {
    my ($fit) = @_;
    my $error = $fit->{errors}{shape};
    return 'not known' if !defined $error || abs $fit->{shape} < NORMAL_95 * $error;
    return $fit->{shape} < 0 ? 'bounded' : 'heavy';
}

sub _level {
    my ($horizon, $run, $blocks, $fit, $peaks, @maxima) = @_;
    my $n = $horizon->{periods} / $blocks->{periods};
    my ($low, $high) = interval($fit, $n, @maxima);
    my %level = (%$horizon,
        level_us => _rounded(level($fit, $n)), low_us => _rounded($low), high_us => _rounded($high));
    my $number = $peaks ? $n * $peaks->{per_block} : 0;
    return \%level unless $number > 1;
    @level{qw(peaks_us peaks_low_us peaks_high_us)} = map { _rounded($_) }
        level($peaks->{fit}, $number), interval($peaks->{fit}, $number, @{ $peaks->{excesses} });
    return \%level;
}

# The second opinion: the slices above a high threshold, of neighbours the highest, undef where they are too few.
sub _peaks {
    my ($blocks) = @_;
    my @descending = sort { $b <=> $a } map { @$_ } @{ $blocks->{slices} };
    my $threshold = $descending[@descending / PEAKS_ONE_IN];
    my @excesses = excesses($threshold, map { _clusters($threshold, @$_) } @{ $blocks->{slices} });
    return undef if (uniqnum @excesses) < LEAST_PEAKS;
    return { fit => gpd_fit($threshold, @excesses), excesses => \@excesses, per_block => @excesses / $blocks->{count},
        slices => scalar(grep { $_ > $threshold } @descending) };
}

sub _clusters {
    my ($threshold, @slices) = @_;
    my ($above, @peaks) = (0);
    for my $slice (@slices) {
        if ($slice > $threshold && $above) { $peaks[-1] = max($peaks[-1], $slice) }
        elsif ($slice > $threshold)        { push @peaks, $slice }
        $above = $slice > $threshold;
    }
    return @peaks;
}

sub _described_peaks {
    my ($peaks) = @_;
    my $fit = $peaks->{fit};
    return {
        threshold_us => 0 + $fit->{location}, count => scalar @{ $peaks->{excesses} }, slices_above => $peaks->{slices},
        scale_us => _rounded($fit->{scale}), shape => _rounded($fit->{shape}),
        shape_error => _rounded($fit->{errors}{shape}),
    };
}

# Each a statistic and its p value: how often chance alone makes it as large.
sub _checks {
    my ($blocks, $fit, $run, $seed, @maxima) = @_;
    my @series = @{ $blocks->{series} };
    my %check = (trend => [trend(@series)], halves => [halves(@series)], neighbours => [neighbours(@series)],
        (@series > 1 ? (runs => [runs_differ(@series)]) : ()), _simulated($seed, @maxima),
        maximum => [$run->{max_us}, _chance_of($fit, $run->{max_us}, $run->{periods} / $blocks->{periods})]);
    return { map { my $name = $_; $name => { value => _rounded($check{$name}[0]), p => _rounded($check{$name}[1]) } }
        keys %check };
}

# That the largest of so many blocks reaches a value.
sub _chance_of {
    my ($fit, $value, $blocks) = @_;
    return 1 - exp(-$blocks * intensity($fit, $value));
}

# Samples are drawn from the fit by L-moments, and fitted anew: that is done fast enough for hundreds of them. All
# statistics look at the same samples.
sub _simulated {
    my ($seed, @maxima) = @_;
    my ($fit, $random) = (gev_by_moments(@maxima), generator($seed));
    my %statistic = (
        fit   => sub { my $own = gev_by_moments(@_); anderson_darling(map { cdf($own, $_) } @_) },
        modes => \&dip,
        gap   => sub { my $own = gev_by_moments(@_); gap(map { _reduced($own, $_) } @_) },
    );
    my @samples;
    my $judged = sub {
        my ($statistic) = @_;
        my ($next, $value) = (0, $statistic->(@maxima));
        return [$value, chance($value, sub {
            $statistic->(@{ $samples[ $next++ ] //= [sort { $a <=> $b } map { draw($fit, $random->()) } @maxima] });
        })];
    };
    return map { $_ => $judged->($statistic{$_}) } sort keys %statistic;
}

# On the scale on which the tail of the fit is exponential.
sub _reduced {
    my ($fit, $x) = @_;
    return -log min(MOST, max(1 / MOST, intensity($fit, $x)));
}

# The k-th largest is compared to what k - 0.35 of n values are expected to exceed, after Hosking.
sub _beside_the_fit {
    my ($fit, @maxima) = @_;
    my $n = @maxima;
    return map { { rank => $_, measured_us => 0 + $maxima[-$_],
        fitted_us => _rounded(level($fit, -1 / log(1 - ($_ - 0.35) / $n))) } }
        grep { $_ <= $n } @{ RANKS() };
}

1;
