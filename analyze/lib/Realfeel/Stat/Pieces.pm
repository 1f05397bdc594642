# SPDX-License-Identifier: GPL-2.0-or-later The pieces of a run that show how far its percentiles may be off: five equal
# parts of it, or the runs of a merged report. A wake-up that serves forty periods makes forty late ones, each a period
# less late, so the histogram still shows how many wake-ups there were.
package Realfeel::Stat::Pieces;
use Realfeel::Base::Modern;

use List::Util qw(max sum0);

use constant WIDENING => 1.3;       # for fifths that depend on each other; tests/statistics/run says what it is worth

# Takes latency, the distribution of measure (lateness or wakeup); period in us, undef if no wake-up serves several;
# unit, fifths or runs; bins, for each piece a hash from the lower edge of a bin to its count; and unknown, see below.
# Without bins there are no pieces, and values are taken as independent.
sub new ($class, %self) {
    return bless { bins => [], %self }, $class;
}

sub none ($class) { return $class->new }

sub count ($self)    { return scalar @{ $self->{bins} } }
# "fifths" or "runs"; undef without slices
sub unit ($self)     { return $self->{unit} }
# Why it is unknown how far values depend on each other: "short", less than a minute or five slices; else undef
sub unknown ($self)  { return $self->{unknown} }
# By how much fifths of a run understate the error, compared with independent pieces
sub widening ($self) { return ($self->{unit} // '') eq 'fifths' ? WIDENING : 1 }

# For each piece, which share of the whole run lies beyond what one in $one_in of its own exceeds. Within a bin, pieces
# are taken to be spread like the whole run.
sub shares ($self, $one_in) {
    my $all = $self->{all} //= _sum(@{ $self->{bins} });
    return map { _beyond($_, $one_in, @{ $all->{bins} }) / $all->{n} } @{ $self->{bins} };
}

# The number of latencies in all pieces, and the bins with their counts, the highest first
sub _sum {
    my %sum;
    for my $bins (@_) { $sum{$_} += $bins->{$_} for keys %$bins }
    return { n => sum0(values %sum), bins => [map { [$_, $sum{$_}] } sort { $b <=> $a } keys %sum] };
}

# How many of all lie beyond that value of a piece
sub _beyond ($piece, $one_in, @bins) {
    my ($left, $beyond) = (sum0(values %$piece) / $one_in, 0);
    for (@bins) {
        my ($bin, $all) = @$_;
        my $count = $piece->{$bin} // 0;
        return $beyond + $all * $left / $count if $count > $left;
        $left -= $count;
        $beyond += $all;
    }
    return $beyond;
}

# How many values above $value (one in $one_in) come from the same wake-up, on average; $measure is lateness, wakeup,
# wakeups or interval. Slices do not hold wake-up latency beside lateness, so that is taken to cluster like the worst
# periods.
sub together ($self, $measure, $distribution, $value, $one_in) {
    my $latency = $self->{latency};
    return 1 unless $latency && $self->{period} && ($measure eq 'lateness' || $measure eq 'wakeup');
    my ($edge) = $measure eq $self->{measure} ? $value : $latency->beyond($latency->n / $one_in);
    $edge //= $latency->max;
    return max(1, $latency->above($edge) / max(1, $self->_wakeups_above($edge)));
}

# Periods later than $value, without those for which another is exactly one period later
sub _wakeups_above ($self, $value) {
    my $latency = $self->{latency};
    return $latency->above($value) - $latency->above($value + $self->{period});
}

1;
