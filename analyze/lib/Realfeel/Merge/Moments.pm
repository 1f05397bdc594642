# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Merge::Moments;
use strict;
use warnings;

use List::Util qw(max min sum0);
use Math::BigInt;
use Realfeel::Merge::Bins qw(added_bins);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Merge::Moments - the exact figures of a measure, and their addition

=head1 DESCRIPTION

Minimum, maximum, sum and sum of squares, in nanoseconds and of any length. Adding is exact.

=head1 METHODS

=head2 of($measure, @reports)

Those of all values of the L<Realfeel::Report>s: C<$measure> is C<interval> or C<lateness>. What a header does not hold
comes from the middles and the outer edges of the bins; sums that an open bin leaves unknown are undef.

=cut

sub of {
    my ($class, $measure, @reports) = @_;
    my @parts = grep { $_->{bins}->n } map { _part($_, $measure) } @reports;
    my %self = (n => sum0(map { $_->{bins}->n } @parts), from_bins => scalar grep { $_->{from_bins} } @parts);
    return bless \%self, $class unless @parts;
    $self{min} = min(map { _ns($_->{bins}->min) } @parts);
    $self{max} = max(map { _ns($_->{bins}->max) } @parts);
    @self{qw(sum sumsq)} = _sums_of_bins(map { $_->{bins} } grep { !$_->{is_told} } @parts);
    for my $part (grep { $_->{is_told} } @parts) {
        for my $key (qw(sum sumsq)) {
            $self{$key} = defined $self{$key} && defined $part->{$key} ? $self{$key} + $part->{$key} : undef;
        }
    }
    return bless \%self, $class;
}

# Of the values in an open bin no more is told than what the header holds.
sub _part {
    my ($report, $measure) = @_;
    my ($sum, $sumsq, $mean) = map { $report->header("${measure}_$_") } qw(sum_ns sumsq_ns2 mean_ns);
    my ($bins, $is_exact) = ($report->$measure, defined $sum && defined $sumsq);
    return { bins => $bins, from_bins => 1 } unless $is_exact || defined $bins->open_from;
    $sum //= _product($mean, $bins->n) if defined $mean;
    return {
        bins      => $bins,
        from_bins => !$is_exact || ($report->header('moments') // '') ne '',
        is_told   => 1,
        sum       => defined $sum   ? Math::BigInt->new($sum)   : undef,
        sumsq     => defined $sumsq ? Math::BigInt->new($sumsq) : undef,
    };
}

sub _ns {
    my ($us) = @_;
    return 0 + sprintf '%.0f', $us * NS_PER_US;
}

# The sum, as near as a mean with three decimals tells it.
sub _product {
    my ($mean, $n) = @_;
    my $thousandths = Math::BigInt->new(sprintf('%.3f', $mean) =~ s/\.//r);
    return _rounded($thousandths * $n, 1000);
}

# Each bin adds whole numbers, so that the order in which bins are added is of no account.
sub _sums_of_bins {
    my @distributions = @_;
    my ($sum, $sumsq) = (Math::BigInt->new(0), Math::BigInt->new(0));
    for (added_bins(map { [$_->columns] } @distributions)) {
        my ($low, $high, $count) = @$_;
        my $value = Math::BigInt->new(_ns(($low + $high) / 2));
        $sum   += $value * $count;
        $sumsq += $value * $value * $count;
    }
    return ($sum, $sumsq);
}

=head2 from_bins

Whether the bins had to answer.

=cut

sub from_bins { return $_[0]{from_bins} }

=head2 header($measure)

The lines of a header as a list of key and value, empty where there are no values.

=cut

sub header {
    my ($self, $measure) = @_;
    my $n = $self->{n} or return;
    my ($sum, $sumsq) = @$self{qw(sum sumsq)};
    my $sd = $n > 1 && defined $sum && defined $sumsq ? _deviation($n, $sum, $sumsq) : undef;
    return map { ("${measure}_$_->[0]" => $_->[1]) } grep { defined $_->[1] } (
        [min_ns => $self->{min}], [max_ns => $self->{max}],
        [mean_ns => defined $sum ? _thousandths(_rounded($sum * 1000, $n)) : undef],
        [sd_ns   => defined $sd  ? _thousandths($sd)                       : undef],
        [sum_ns  => $sum], [sumsq_ns2 => $sumsq],
    );
}

sub _deviation {
    my ($n, $sum, $sumsq) = @_;
    my $spread = $sumsq * $n - $sum * $sum;
    return _root($spread * 1_000_000 / (Math::BigInt->new($n) * ($n - 1)));
}

# A quotient rounded to the nearest whole number, for Math::BigInt rounds it down.
sub _rounded {
    my ($part, $whole) = @_;
    return (2 * $part + $whole) / (2 * Math::BigInt->new($whole));
}

sub _root {
    my ($square) = @_;
    return (Math::BigInt->new(4 * $square)->bsqrt + 1) / 2;
}

sub _thousandths {
    my ($number) = @_;
    my ($sign, $digits) = $number->bstr =~ /^(-?)(\d+)$/;
    return $sign . sprintf('%04s', $digits) =~ s/(?=\d{3}$)/./r;
}

1;
