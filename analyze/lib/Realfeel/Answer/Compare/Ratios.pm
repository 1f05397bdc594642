# SPDX-License-Identifier: GPL-2.0-or-later
# Whether percentiles and maxima of two runs differ beyond chance, and by how much.
package Realfeel::Answer::Compare::Ratios;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(maxima ratios);

use List::Util qw(all max);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Base::Typed qw(number truth);

use constant { INFINITY => 9**9**9, FIFTHS => 5 };

# Takes two hashes of report, measure and distribution. Returns for each percentile a hash of percentile and judgement:
#
#   lower, higher   the intervals do not overlap: FILE differs beyond chance
#   unknown         they overlap
#   samples         too few samples for a value
#   short           a run is too short for intervals
#   bins            a value lies in an open bin
#   zero            a value is 0
#   open            both ends of the ratio are open
#
# For samples and bins there are lacking, the side with the greater lack (base, file or both), and needed samples, or
# from_us, where the open bin begins. Else there are base_us and file_us, and unless short or zero, ratio with its
# interval low to high (undef if open), from the ends of the intervals, and differs, true if they do not overlap, or
# undef.
sub ratios {
    my ($base, $file) = map { [percentiles($_->{distribution}, $_->{report}->pieces, $_->{measure})] } @_;
    return map { _judged($base->[$_], $file->[$_]) } 0 .. $#$base;
}

# What keeps two percentiles from being judged, and which side lacks more, if either has no value. No number of samples
# helps in an open bin.
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

# Samples that both lack are lacking equally
sub _lacking ($side, $other, $name) {
    my $is_of_both = $side->{lack} eq 'samples' && ($other->{lack} // '') eq 'samples';
    return (lacking => $is_of_both ? 'both' : $name, %$side{grep { exists $side->{$_} } qw(needed from_us)});
}

# A hash of larger, "base" or "file", undef if equal; pieces, into how many the run with the larger one was cut, undef
# with too few slices; and differ, whether the maximum of each piece exceeds that of the other run.
#
# A maximum is a single observation. But if two runs do not differ, the fifths of one all have greater maxima than those
# of the other only once in 126 times: five of ten fifths are the greatest, all from one run. A longer run is cut into
# more pieces, as long as a fifth of the other.
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

# Empty with fewer slices than pieces
sub _maxima_of ($pieces, $slices, $column) {
    my @maxima = @{ $slices->{$column} // [] };
    return if @maxima < $pieces;
    my @first = map { int($_ * @maxima / $pieces) } 0 .. $pieces;
    return map { max(@maxima[$first[$_] .. $first[$_ + 1] - 1]) } 0 .. $pieces - 1;
}

1;
