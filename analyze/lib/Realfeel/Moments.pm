# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Moments;
use strict;
use warnings;

use List::Util qw(max min sum0);
use Math::BigInt;

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Moments - the exact figures of a measure, and their addition

=head1 DESCRIPTION

Minimum, maximum, sum and sum of squares, in nanoseconds and of any length. Adding is exact.

=head1 METHODS

=head2 of($report, $measure)

Those of a L<Realfeel::Report>: C<$measure> is C<interval> or C<lateness>. What the header does not hold comes from the
middles and the outer edges of the bins.

=cut

sub of {
    my ($class, $report, $measure) = @_;
    my $distribution = $report->$measure;
    my %self = (n => $distribution->n, from_bins => 0);
    return bless \%self, $class unless $self{n};
    my ($sum, $sumsq) = map { $report->header("${measure}_${_}") } qw(sum_ns sumsq_ns2);
    $self{from_bins} = ($report->header('moments') // '') ne '' || !defined $sum || !defined $sumsq ? 1 : 0;
    ($sum, $sumsq) = _of_bins($distribution) unless defined $sum && defined $sumsq;
    @self{qw(sum sumsq)} = map { Math::BigInt->new($_) } $sum, $sumsq;
    @self{qw(min max)} = map { _ns($distribution->$_) } qw(min max);
    return bless \%self, $class;
}

sub _ns {
    my ($us) = @_;
    return 0 + sprintf '%.0f', $us * NS_PER_US;
}

# Each bin adds whole numbers, so that the order in which bins are added is of no account.
sub _of_bins {
    my ($distribution) = @_;
    my ($sum, $sumsq) = (Math::BigInt->new(0), Math::BigInt->new(0));
    for ($distribution->cells) {
        my ($low, $high, $count) = @$_;
        my $value = Math::BigInt->new(_ns(($low + $high) / 2));
        $sum   += $value * $count;
        $sumsq += $value * $value * $count;
    }
    return ($sum, $sumsq);
}

=head2 added(@moments)

The moments of all values together.

=cut

sub added {
    my ($class, @moments) = @_;
    my @some = grep { $_->{n} } @moments;
    return bless { n => 0, from_bins => 0 }, $class unless @some;
    return bless {
        n         => sum0(map { $_->{n} } @some),
        from_bins => max(map { $_->{from_bins} } @some),
        min       => min(map { $_->{min} } @some),
        max       => max(map { $_->{max} } @some),
        map { my $key = $_; my $sum = Math::BigInt->new(0); $sum += $_->{$key} for @some; $key => $sum } qw(sum sumsq),
    }, $class;
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
