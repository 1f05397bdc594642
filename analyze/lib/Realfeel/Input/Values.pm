# SPDX-License-Identifier: GPL-2.0-or-later
# Reads plain values, or pairs of a time in seconds and a value, one per line, separated by blanks, a comma or a
# semicolon; lines that begin with # are skipped. Pairs have to be in order of time and give slices of a second, or of
# 2, 4 and so on, so that there are no more than a run may have. Negative values count in the first bin, like early
# wake-ups.
package Realfeel::Input::Values;
use Realfeel::Base::Modern;

use List::Util qw(max min sum0);

use constant {
    NUMBER      => qr/[-+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,2})?/,
    NS_PER_US   => 1000,
    NS_MAX      => 1e15,        # eleven days
    EDGE_NS     => 10,          # the edges of a report are multiples of this
    DIGITS      => 4,           # of a report's bins
    SLICES_MAX  => 1024,
    SLICE_S     => 1,
    LEAST_S     => 1e-6,
    SLICE_DIGITS => 2,
    TIME_MAX_S  => 1e12,
};

# Two columns may be anything
sub recognises ($head) { return 0 }

sub run ($lines, $unit_ns) {
    my $all = { bins => {}, sum => 0, squares => 0, early => 0, slice_s => SLICE_S, slices => {} };
    while (defined(my $line = $lines->line)) {
        if ($line !~ /^\s*(?:#.*)?$/) {
            my ($first, $second) = $line =~ /^\s*(${\NUMBER})(?:[\s,;]\s*(${\NUMBER}))?\s*$/
                or $lines->fail($lines->number, 'neither a value nor a time and a value; remove what is none');
            $lines->fail($lines->number, 'some lines have a time and others none; keep those of one kind')
                if defined $second != ($all->{has_time} //= defined $second);
            my $ns = sprintf '%.0f', ($second // $first) * $unit_ns;
            $lines->fail($lines->number, "a value of $ns ns is out of reach; correct --unit") if abs $ns >= NS_MAX;
            _count($all, 0 + $ns);
            _place($lines, $all, $first, $ns) if defined $second;
        }
        $lines->pass;
    }
    $lines->fail(0, 'holds no value; name a file of values') unless defined $all->{has_time};
    return _run($all);
}

# Negative values go to the first bin
sub _count ($all, $ns) {
    $all->{bins}{ (_bin($ns, DIGITS))[0] }++;
    $all->{sum} += $ns;
    $all->{squares} += $ns * $ns;
    $all->{min} = min($ns, $all->{min} // $ns);
    $all->{max} = max($ns, $all->{max} // $ns);
    $all->{early}++ if $ns < 0;
}

# The edges of the bin with $digits digits that holds the value
sub _bin ($ns, $digits) {
    my $least = max(0, $ns);
    my $width = max(EDGE_NS, 10**(length($least) - $digits));
    my $from = $least - $least % $width;
    return ($from, $from + $width);
}

sub _place ($lines, $all, $at_s, $ns) {
    $lines->fail($lines->number, "the time $at_s is out of reach; give seconds") if abs $at_s >= TIME_MAX_S;
    $lines->fail($lines->number, "the time $at_s is before that of the line before; sort the lines by time")
        if $at_s < ($all->{last_s} // $at_s);
    $all->{last_s} = $at_s;
    my $since_s = $at_s - ($all->{first_s} //= $at_s);
    _join($all) while $since_s / $all->{slice_s} >= SLICES_MAX;
    my $slice = $all->{slices}{ int($since_s / $all->{slice_s}) } //= {};
    _add($slice, { max => $ns, bins => { (_bin($ns, SLICE_DIGITS))[0] => 1 } });
}

# Joins pairs of slices
sub _join ($all) {
    my %joined;
    _add($joined{ $_ >> 1 } //= {}, $all->{slices}{$_}) for keys %{ $all->{slices} };
    $all->{slices} = \%joined;
    $all->{slice_s} *= 2;
}

sub _add ($slice, $more) {
    $slice->{max} = max($more->{max}, $slice->{max} // $more->{max});
    $slice->{bins}{$_} += $more->{bins}{$_} for keys %{ $more->{bins} };
}

sub _run ($all) {
    my ($bins, $sum) = @$all{qw(bins sum)};
    my $n = sum0(values %$bins);
    return {
        source => 'values',
        unit_ns => 1,
        of     => 'values',
        part   => 'value',
        parts  => { 0 => {
            cells => [map { [_bin($_, DIGITS), $bins->{$_}] } sort { $a <=> $b } keys %$bins],
            total => $n, (map { $_ => $all->{$_} } qw(min max)), mean => $sum / $n, is_exact => 1,
            sd => $n < 2 ? undef : sqrt(max(0, ($all->{squares} - $sum * $sum / $n) / ($n - 1))),
            early_wakeups => $all->{early},
            $all->{has_time} ? (duration_s => sprintf('%.6f', $all->{last_s} - $all->{first_s}), _slices($all)) : (),
        } },
    };
}

# The data sets slices and slice_bins. The last slice ends with the last value.
sub _slices ($all) {
    my ($slices, $seconds) = @$all{qw(slices slice_s)};
    my (%slices, %bins);
    for my $number (sort { $a <=> $b } keys %$slices) {
        my ($slice, $count, $start_s) = ($slices->{$number}, 0, $number * $seconds);
        my $left_s = $all->{last_s} - $all->{first_s} - $start_s;
        my @time = (start_s => $start_s, seconds => sprintf('%.6f', max(LEAST_S, min($seconds, $left_s))));
        for my $from (sort { $a <=> $b } keys %{ $slice->{bins} }) {
            $count += $slice->{bins}{$from};
            _push(\%bins, @time, from_us => $from / NS_PER_US, to_us => (_bin($from, SLICE_DIGITS))[1] / NS_PER_US,
                lateness => $slice->{bins}{$from});
        }
        _push(\%slices, @time, wakeups => $count, periods => $count, missed => 0,
            lateness_max_us => $slice->{max} / NS_PER_US);
    }
    return (slices => \%slices, slice_bins => \%bins);
}

sub _push ($columns, %row) {
    push @{ $columns->{$_} }, $row{$_} for keys %row;
}

1;
