# SPDX-License-Identifier: GPL-2.0-or-later
# The pieces of a run that show how far its percentiles may be off: five equal parts of it, or the runs of a merged
# report. A wake-up that serves forty periods makes forty late ones, each a period less late, so the histogram still
# shows how many wake-ups there were.
package Realfeel::Stat::Pieces;
use Realfeel::Base::Modern;

use List::Util qw(max sum0);

use constant WIDENING => 1.3;       # for fifths that depend on each other; tests/statistics/run says what it is worth

# Takes latency, the distribution of measure (lateness or wakeup); period in us, undef if no wake-up serves several;
# unit, fifths or runs; bins, for each piece a hash from the lower edge of a bin to its count; and unknown, why it is
# unknown how far values depend on each other: "short", less than a minute or five slices. Without bins there are no
# pieces, and values are taken as independent.
sub new ($class, %self) {
    return bless { bins => [], %self }, $class;
}

# By how much fifths of a run understate the error, compared with independent pieces
sub widening ($self) { return ($self->{unit} // '') eq 'fifths' ? WIDENING : 1 }

# For each piece, what share of the whole run lies beyond the piece's one-in-$one_in value. Within a bin, pieces are
# taken to be spread like the whole run.
sub shares ($self, $one_in) {
    my ($n, $all, @pieces) = @{ $self->{beyond} //= _counted(@{ $self->{bins} }) };
    return map { _beyond($_, $one_in, $all) / $n } @pieces;
}

# The number of latencies in all pieces; and how many of all, and of each piece, lie in the highest bin, in the two
# highest, and so on
sub _counted {
    my %sum;
    for my $bins (@_) { $sum{$_} += $bins->{$_} for keys %$bins }
    my @edges = sort { $b <=> $a } keys %sum;
    return [sum0(values %sum), map { my ($bins, $sum) = ($_, 0); [map { $sum += $bins->{$_} // 0 } @edges] } \%sum, @_];
}

# How many of all values lie beyond that value of a piece
sub _beyond ($piece, $one_in, $all) {
    my ($low, $high, $left) = (0, scalar @$piece, $piece->[-1] / $one_in);
    while ($low < $high) {
        my $probe = ($low + $high) >> 1;
        $piece->[$probe] > $left ? $high = $probe : ($low = $probe + 1);
    }
    return $all->[-1] if $low == @$piece;
    my ($beyond, $passed) = $low ? ($all->[$low - 1], $piece->[$low - 1]) : (0, 0);
    return $beyond + ($all->[$low] - $beyond) * ($left - $passed) / ($piece->[$low] - $passed);
}

# How many values above $value (one in $one_in) come from the same wake-up, on average; $measure is lateness, wakeup,
# wakeups or interval. Slices do not hold wake-up latency beside lateness, so it is taken to cluster like the worst
# periods.
sub together ($self, $measure, $distribution, $value, $one_in) {
    my $latency = $self->{latency};
    return 1 unless $latency && $self->{period} && ($measure eq 'lateness' || $measure eq 'wakeup');
    my ($edge) = $measure eq $self->{measure} ? $value : $latency->beyond($latency->n / $one_in);
    $edge //= $latency->max;
    # Without those for which another is exactly one period later
    my $wakeups = $latency->above($edge) - $latency->above($edge + $self->{period});
    return max(1, $latency->above($edge) / max(1, $wakeups));
}

1;
