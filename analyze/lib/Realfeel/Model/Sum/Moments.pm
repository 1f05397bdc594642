# SPDX-License-Identifier: GPL-2.0-or-later
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

=head1 NAME

Realfeel::Model::Sum::Moments - the sums of values and of their squares that bins tell, in ns

=head1 FUNCTIONS

=head2 sums($bins, \%told)

The two of a L<Realfeel::Stat::Distribution>, of which each value stands in the middle of its bin. If C<sum_ns> or
C<mean_ns> is told, they are moved to it, so that the deviation stays what it is. Where one bin is open there is no sum
of squares, and no sum either unless it is told.

=head2 rounded($part, $whole)

A quotient of numbers of L<Math::BigInt> rounded to the nearest whole number; by itself it is rounded down.

=cut

sub sums ($bins, $told) {
    my ($n, $mean_ns) = ($bins->n, $told->{mean_ns});
    my $sum = $told->{sum_ns} // (defined $mean_ns ? _product($mean_ns, $n) : undef);
    return $sum if defined $bins->open_from;
    my ($sum_of_bins, $squares) = _sums_of_bins($bins);
    return ($sum_of_bins, $squares) unless defined $sum;
    $sum = Math::BigInt->new($sum);
    return ($sum, $squares + rounded($sum * $sum - $sum_of_bins * $sum_of_bins, $n));
}

# The sum, as near as a mean with three decimals tells it.
sub _product ($mean, $n) {
    my $thousandths = Math::BigInt->new(sprintf('%.3f', $mean) =~ s/\.//r);
    return rounded($thousandths * $n, 1000);
}

# Each bin adds whole numbers, so that the order in which bins are added is of no account. Far out, where squares are
# large, bins are wide and their middles multiples of FAR_NS. What is still too large for Perl's own integers is left to
# Math::BigInt, which is slow.
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

sub rounded ($part, $whole) {
    return (2 * $part + $whole) / (2 * Math::BigInt->new($whole));
}

1;
