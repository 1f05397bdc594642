# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Student;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(t_within);

use constant {
    FREEDOM_MAX => 100,         # beyond, t is within 1.3 % of that of the normal distribution
    PRECISION   => 1e-7,
    PI          => 4 * atan2(1, 1),
};

=head1 NAME

Realfeel::Student - Student's t distribution

=head1 FUNCTIONS

=head2 t_within($confidence, $freedom)

How many standard errors on either side hold the true value with this confidence: 2.228 for 0.95 and 10 degrees of
freedom. These are taken as between 1 and 100; between whole ones the logarithm is interpolated.

=cut

sub t_within {
    my ($confidence, $freedom) = @_;
    my $within = $freedom < 1 ? 1 : $freedom > FREEDOM_MAX ? FREEDOM_MAX : $freedom;
    my $part = $within - int $within;
    my $t = _whole($confidence, int $within);
    return $part ? $t * (_whole($confidence, 1 + int $within) / $t)**$part : $t;
}

sub _whole {
    my ($confidence, $whole) = @_;
    my ($low, $high) = (0, 1);
    ($low, $high) = ($high, 2 * $high) while _within($high, $whole) < $confidence;
    while ($high - $low > PRECISION * (1 + $low)) {
        my $middle = ($low + $high) / 2;
        if   (_within($middle, $whole) < $confidence) { $low  = $middle }
        else                                          { $high = $middle }
    }
    return $high;
}

# The probability of values from -t to t, by the finite series for whole degrees of freedom.
sub _within {
    my ($t, $freedom) = @_;
    my $angle = atan2($t, sqrt $freedom);
    my ($sine, $square) = (sin $angle, cos($angle)**2);
    my $odd = $freedom % 2;
    my ($term, $sum) = (1, 0);
    for my $i (1 .. ($freedom - $odd) / 2) {
        $sum += $term;
        $term *= $square * (2 * $i - 1 + $odd) / (2 * $i + $odd);
    }
    return $odd ? 2 / PI * ($angle + $sine * cos($angle) * $sum) : $sine * $sum;
}

1;
