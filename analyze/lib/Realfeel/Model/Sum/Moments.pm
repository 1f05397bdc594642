# SPDX-License-Identifier: GPL-2.0-or-later
# Sums and sums of squares of a histogram, in ns.
package Realfeel::Model::Sum::Moments;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(rounded sums);

use Math::BigInt;

use constant {
    EXACT     => 1 << 62,         # two integers of Perl that are less have an exact sum
    FAR_NS    => 50_000,
    NS_PER_US => 1000,
};

# Both for a distribution whose values stand in the middles of their bins, moved to match sum_ns or mean_ns of %$told,
# if known, without changing the deviation. With an open bin there is no sum of squares, and no sum unless told.
sub sums ($bins, $told) {
    my ($n, $mean_ns) = ($bins->n, $told->{mean_ns});
    my $sum = $told->{sum_ns} // (defined $mean_ns ? _product($mean_ns, $n) : undef);
    return $sum if defined $bins->open_from;
    my ($sum_of_bins, $squares) = _sums_of_bins($bins);
    return ($sum_of_bins, $squares) unless defined $sum;
    $sum = Math::BigInt->new($sum);
    return ($sum, $squares + rounded($sum * $sum - $sum_of_bins * $sum_of_bins, $n));
}

# The sum, as precisely as a mean with three decimals allows
sub _product ($mean, $n) {
    my $thousandths = Math::BigInt->new(sprintf('%.3f', $mean) =~ s/\.//r);
    return rounded($thousandths * $n, 1000);
}

# Every bin adds whole numbers, so that the order of bins does not matter. Where squares get large, bins are wide and
# their middles multiples of FAR_NS; what still exceeds Perl's integers is left to Math::BigInt, which is slow.
sub _sums_of_bins ($distribution) {
    my @all = map { Math::BigInt->new(0) } 1 .. 2;
    my $take = sub ($unit, @sums) {
        $all[0] += Math::BigInt->new($sums[0]) * $unit;
        $all[1] += Math::BigInt->new($sums[1]) * $unit * $unit;
    };
    my %sums = map { $_ => [0, 0] } 1, FAR_NS;
    $distribution->each_block(sub ($low, $high, $count) {
        for my $bin (0 .. $#$count) {
            my ($ns, $n) = (0 + sprintf('%.0f', ($low->[$bin] + $high->[$bin]) / 2 * NS_PER_US), $count->[$bin]);
            my $unit = $ns % FAR_NS ? 1 : FAR_NS;
            my ($value, $near) = ($ns / $unit, $sums{$unit});
            if ($value * $value * $n < EXACT) {
                $near->[0] += $value * $n;
                $near->[1] += $value * $value * $n;
            } else {
                $take->($unit, map { Math::BigInt->new($_) * $n } $value, Math::BigInt->new($value) * $value);
            }
            $take->($unit, splice @$near, 0, 2, 0, 0) if $near->[1] >= EXACT;
        }
    });
    $take->($_, @{ $sums{$_} }) for keys %sums;
    return @all;
}

# Rounds a quotient of Math::BigInt, which would round it down, to the nearest
sub rounded ($part, $whole) {
    return (2 * $part + $whole) / (2 * Math::BigInt->new($whole));
}

1;
