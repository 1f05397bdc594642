# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Moments;
use strict;
use warnings;

use List::Util qw(max min sum0);
use Math::BigInt;
use Realfeel::Bins qw(added_bins);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Moments - the exact figures of a measure, and their addition

=head1 DESCRIPTION

Minimum, maximum, sum and sum of squares, in nanoseconds and of any length. Adding is exact.

=head1 METHODS

=head2 of($measure, @reports)

Those of all values of the L<Realfeel::Report>s: C<$measure> is C<interval> or C<lateness>. What a header does not hold
comes from the middles and the outer edges of the bins.

=cut

sub of {
    my ($class, $measure, @reports) = @_;
    my @parts = grep { $_->{bins}->n } map { _part($_, $measure) } @reports;
    my @without = map { $_->{bins} } grep { !defined $_->{sum} } @parts;
    my %self = (n => sum0(map { $_->{bins}->n } @parts), from_bins => scalar grep { $_->{from_bins} } @parts);
    return bless \%self, $class unless @parts;
    $self{min} = min(map { _ns($_->{bins}->min) } @parts);
    $self{max} = max(map { _ns($_->{bins}->max) } @parts);
    @self{qw(sum sumsq)} = _sums_of_bins(@without);
    for my $part (grep { defined $_->{sum} } @parts) {
        $self{$_} += $part->{$_} for qw(sum sumsq);
    }
    return bless \%self, $class;
}

sub _part {
    my ($report, $measure) = @_;
    my ($sum, $sumsq) = map { $report->header("${measure}_$_") } qw(sum_ns sumsq_ns2);
    return { bins => $report->$measure, from_bins => 1 } unless defined $sum && defined $sumsq;
    return {
        bins      => $report->$measure,
        from_bins => ($report->header('moments') // '') ne '',
        sum       => Math::BigInt->new($sum),
        sumsq     => Math::BigInt->new($sumsq),
    };
}

sub _ns {
    my ($us) = @_;
    return 0 + sprintf '%.0f', $us * NS_PER_US;
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
    my $spread = $sumsq * $n - $sum * $sum;
    my $sd = $n > 1 ? _root($spread * 1_000_000 / (Math::BigInt->new($n) * ($n - 1))) : undef;
    return map { ("${measure}_$_->[0]" => $_->[1]) } grep { defined $_->[1] } (
        [min_ns => $self->{min}], [max_ns => $self->{max}],
        [mean_ns => _thousandths(_rounded($sum * 1000, $n))], [sd_ns => defined $sd ? _thousandths($sd) : undef],
        [sum_ns => $sum->bstr], [sumsq_ns2 => $sumsq->bstr],
    );
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
