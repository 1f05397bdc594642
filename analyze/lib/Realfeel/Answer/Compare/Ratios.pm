# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Ratios;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(maxima ratios);

use List::Util qw(all max);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Base::Typed qw(number truth);

use constant { INFINITY => 9**9**9, FIFTHS => 5 };

=head1 NAME

Realfeel::Answer::Compare::Ratios - whether percentiles and maxima of two runs differ beyond chance, and by how much

=head1 FUNCTIONS

=head2 ratios($base, $file)

Of two runs, each a hash of C<report>, C<measure> and C<distribution>, the percentiles, a list of hashes.

Each has C<percentile> and C<judgement>: C<lower>, C<higher>, where the intervals of the two do not overlap, so that
FILE differs beyond chance; C<unknown>, where they do; where that cannot be judged, what is too few in the one or the
other, C<samples>; C<short>, where one of the runs is; C<bins>, where a value lies in an open bin; C<zero>, where one is
0; C<open>, where both ends of the ratio are. For C<samples> and C<bins> C<lacking> says which lacks more, C<base>,
C<file>, or C<both> as much; and there are C<needed>, the samples it takes, or C<from_us>, where the open bin begins.
Else there are C<base_us> and C<file_us>, and of all but C<short> and C<zero> C<ratio>, between C<low> and C<high>, from
the ends of the intervals, C<high> undef where it is open, and C<differs>, whether they do not overlap.

=cut

sub ratios {
    my ($base, $file) = map { [percentiles($_->{distribution}, $_->{report}->pieces, $_->{measure})] } @_;
    return map { _judged($base->[$_], $file->[$_]) } 0 .. $#$base;
}

# What keeps two percentiles from being judged, and which of them lacks more of it, where one has no value. What lies in
# an open bin no number of values can tell.
sub _lack (@sides) {
    my ($most) = sort { ($sides[$b]{more} // INFINITY) <=> ($sides[$a]{more} // INFINITY) }
        grep { $sides[$_]{lack} } 0, 1;
    return ($sides[$most]{lack}, $most) if defined $most;
    return (grep { $_->{open} } @sides) ? 'short' : (grep { $_->{value_us} <= 0 } @sides) ? 'zero' : undef;
}

sub _judged (@sides) {
    my ($lack, $lacking) = _lack(@sides);
    my %row = (percentile => number($sides[0]{percentile}), judgement => $lack);
    return { %row, _lacking(@sides[$lacking, 1 - $lacking], (qw(base file))[$lacking]) } if defined $lacking;
    @row{qw(base_us file_us)} = map { number($_->{value_us}) } @sides;
    return defined $lack ? \%row : { %row, _ratio(@sides) };
}

sub _ratio ($base, $file) {
    my $low = defined $base->{high_us} ? number($file->{low_us} / $base->{high_us}) : 0;
    my $high = defined $file->{high_us} && $base->{low_us} > 0 ? number($file->{high_us} / $base->{low_us}) : undef;
    my $judgement = $low >= 1 ? 'higher' : defined $high && $high <= 1 ? 'lower'
        : $low > 0 || defined $high ? 'unknown' : 'open';
    return (ratio => $file->{value_us} / $base->{value_us}, low => $low, high => $high, judgement => $judgement,
        differs => $judgement =~ /er$/ ? truth(1) : undef);
}

# Of samples that do not reach, both lack the same.
sub _lacking ($side, $other, $name) {
    my $is_of_both = $side->{lack} eq 'samples' && ($other->{lack} // '') eq 'samples';
    return (lacking => $is_of_both ? 'both' : $name, %$side{grep { exists $side->{$_} } qw(needed from_us)});
}

=head2 maxima($base, $file, $measure)

A hash: C<larger>, which is C<base>, C<file> or undef when they are equal; C<pieces>, into how many the run with the
larger one was cut, undef where it has fewer slices; and C<differ>, whether the maximum of each piece exceeds that of
the other run.

Each maximum is a single observation. But of two runs that do not differ, one has in each of its fifths a greater
maximum than the other in any once in 126 times: five of ten fifths are the greatest, and all are of one run. A run that
is longer than the other is cut into more pieces, each as long as a fifth of the other.

=cut

sub maxima ($base, $file, $measure) {
    my $order = $file->{distribution}->max <=> $base->{distribution}->max;
    return { larger => undef, pieces => undef, differ => truth(0) } unless $order;
    my ($larger, $other) = $order > 0 ? ($file, $base) : ($base, $file);
    my $pieces = sprintf '%.0f', FIFTHS * max(1, $larger->{distribution}->n / $other->{distribution}->n);
    my @maxima = _maxima_of($pieces, $larger->{report}->columns('slices'), "${measure}_max_us");
    return {
        larger => $order > 0 ? 'file' : 'base',
        pieces => number(@maxima ? $pieces : undef),
        differ => truth(@maxima && all { $_ > $other->{distribution}->max } @maxima),
    };
}

# None where there are fewer slices than pieces.
sub _maxima_of ($pieces, $slices, $column) {
    my @maxima = @{ $slices->{$column} // [] };
    return if @maxima < $pieces;
    my @first = map { int($_ * @maxima / $pieces) } 0 .. $pieces;
    return map { max(@maxima[$first[$_] .. $first[$_ + 1] - 1]) } 0 .. $pieces - 1;
}

1;
