# SPDX-License-Identifier: GPL-2.0-or-later
# How often two runs of one kernel are said to differ. The values of a slice are alike, for each slice has a level and bursts
# of its own, and so are those of neighbouring slices, for load comes and goes. Where an interval of 95 % leaves out the
# ratio 1, that is a false alarm; and so is, of a conclusion, whatever it says to differ.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use List::Util qw(max min);
use Test::More;
use Time::HiRes qw(time);

use MadeReport ();
use Realfeel::Compare::Bootstrap qw(grouped spread spread_of_samples);
use Realfeel::Distribution;
use Realfeel::Compare::Maxima qw(maxima);
use Realfeel::Compare::Ratio qw(beyond_chance ratios);
use Realfeel::Random qw(generator);

use constant {
    SLICES_KNOWN => 500,        # that are drawn from
    VALUES       => 200,        # in each
    RESAMPLES    => 200,
    SECONDS      => $ENV{SECONDS} // 2.5,
    TWO_PI       => 8 * atan2(1, 1),
};

my $seed = $ENV{SEED} // 20_020_701;    # fixed, for chance alone would make it fail now and then
srand $seed;
note "SEED=$seed";

sub normal { return sqrt(-2 * log(1 - rand)) * cos(TWO_PI * rand) }

# Slices to draw from, by their load: of each its values in bins of four digits, numbered over all slices, and in those of
# two. Most values are near 20 us, some in bursts near 300 us; three digits are kept, for the fewer bins the faster.
sub known_slices {
    my ($bursts) = @_;
    my @slices = map { [late($bursts, $_)] } sort { $a <=> $b } map { normal() } 1 .. SLICES_KNOWN;
    my $all = MadeReport::bins(4, map { @$_ } @slices);
    my $from = $all->{from_us};
    my %number = map { $from->[$_] => $_ } 0 .. $#$from;
    return { low => $from, high => $all->{to_us}, slices => [map { known_slice(\%number, @$_) } @slices] };
}

sub late {
    my ($bursts, $load) = @_;
    my ($level, $burst) = (20 * exp(0.1 * $load), 300 * exp(0.3 * normal()));
    my $share = rand() < $bursts ? -0.04 * exp(0.3 * $load) * log(1 - rand) : 0.001;
    return map { sprintf '%.3g', rand() < $share ? $burst * exp(0.5 * normal()) : $level * exp(0.2 * normal()) } 1 .. VALUES;
}

sub known_slice {
    my ($number, @late) = @_;
    my ($fine, $coarse) = map { MadeReport::bins($_, @late) } 4, 2;
    return {
        numbers => [@$number{ @{ $fine->{from_us} } }],
        counts  => $fine->{lateness},
        coarse  => { map { $coarse->{from_us}[$_] => $coarse->{lateness}[$_] } 0 .. $#{ $coarse->{from_us} } },
        max     => max(@late),
    };
}

# So many slices, each as much like the one before as $alike says: 0 is not at all. The logistic function is near enough to
# that of the normal distribution to come upon all known slices, more or less as often.
sub drawn_slices {
    my ($known, $slices, $alike) = @_;
    my $load = normal();
    return map {
        $load = $alike * $load + sqrt(1 - $alike**2) * normal();
        $known->{slices}[SLICES_KNOWN / (1 + exp(-1.702 * $load))];
    } 1 .. $slices;
}

sub run_of {
    my ($known, $slices, $alike, $one_in, $random) = @_;
    my @slices = drawn_slices($known, $slices, $alike);
    my @count = (0) x @{ $known->{low} };
    for my $slice (@slices) {
        my ($numbers, $counts) = @$slice{qw(numbers counts)};
        $count[$numbers->[$_]] += $counts->[$_] for 0 .. $#$numbers;
    }
    my @kept = grep { $count[$_] } 0 .. $#count;
    my @shares = map { 1 - 1 / $_ } @$one_in;
    my $drawn = { unit => 'slices', blocks => [grouped(map { $_->{coarse} } @slices)] };
    my @spread = spread($drawn, \@shares, RESAMPLES, $random);
    return {
        spread       => { map { $one_in->[$_] => $spread[$_] } 0 .. $#spread },
        distribution => Realfeel::Distribution->new(count => [@count[@kept]], max => max(map { $_->{max} } @slices),
            map { $_ => [@{ $known->{$_} }[@kept]] } qw(low high)),
        report       => { slices => { lateness_max_us => [map { $_->{max} } @slices] } },
    };
}

# Independent samples without slices, as of 2002.
sub samples {
    my ($samples, $one_in) = @_;
    my $bins = MadeReport::bins(3, map { 20 * exp(0.5 * normal()) } 1 .. $samples);
    my @spread = spread_of_samples($samples, [map { 1 - 1 / $_ } @$one_in]);
    return {
        spread       => { map { $one_in->[$_] => $spread[$_] } 0 .. $#spread },
        distribution => Realfeel::Distribution->new(
            low => $bins->{from_us}, high => $bins->{to_us}, count => $bins->{lateness}),
    };
}

# How often there was a false alarm: for each percentile, any of all, the maxima, and the conclusion.
sub alarms {
    my ($one_in, @draw) = @_;
    my ($end, $drawings, %alarm) = (time + SECONDS, 0);
    while (time < $end || $drawings < 20) {
        my @runs = map { $_->() } @draw;
        my @ratios = ratios(@runs, @$one_in);
        my ($any, $max) = (scalar(grep { $_->{differs} } @ratios), maxima(@runs, 'lateness')->{differ});
        $alarm{"1 in $one_in->[$_]"} += 0 != beyond_chance($ratios[$_]) for 0 .. $#ratios;
        $alarm{any} += $any > 0;
        $alarm{max} += $max;
        $alarm{conclusion} += $any || $max ? 1 : 0;
        $drawings++;
    }
    return ($drawings, %alarm);
}

# The most of so many drawings that happens by chance once in 10000 times, when the rate is 5 %.
sub most {
    my ($drawings) = @_;
    return 0.05 * $drawings + 3.72 * sqrt(0.05 * 0.95 * $drawings) + 1;
}

sub judge {
    my ($name, $drawings, %alarm) = @_;
    my @names = sort keys %alarm;
    note "$drawings drawings, $name: ", join ', ', map { sprintf '%s %.1f %%', $_, 100 * $alarm{$_} / $drawings } @names;
    my @many = grep { $alarm{$_} > most($drawings) } @names;
    is("@many", '', "$name: at most 5 % false alarms, as far as $drawings drawings can tell");
}

my $random = generator($seed);
my %known = map { $_ => known_slices($_) } 1, 0.2;
for my $case (
    [1,   0,   [2, 10, 100],   20,  20],
    [0.2, 0,   [2, 10, 100],   60,  60],
    [1,   0.5, [2, 10, 100],   20,  60],
    [1,   0.8, [2, 10, 100],   60,  60],
    [1,   0.8, [2, 100, 1000], 300, 300],
) {
    my ($bursts, $alike, $one_in, @slices) = @$case;
    my @draw = map { my $slices = $_; sub { run_of($known{$bursts}, $slices, $alike, $one_in, $random) } } @slices;
    judge(sprintf('bursts in %.0f %% of the slices, neighbours alike by %s, %s', 100 * $bursts, $alike, join ' and ', @slices),
        alarms($one_in, @draw));
}
judge('samples for themselves', alarms([2, 10, 100], (sub { samples(3000, [2, 10, 100]) }) x 2));

done_testing;
