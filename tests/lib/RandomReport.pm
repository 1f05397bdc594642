# SPDX-License-Identifier: GPL-2.0-or-later
package RandomReport;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(random_report report_of);

use List::Util qw(max min sum0);
use Math::BigInt;

# Reports of runs that never took place, and all their samples.

use constant { PERIOD_NS => 488_281, SQUARABLE => 1e9 };
use constant SOURCES => { due => 'nanosleep', asked => 'thread', both => 'alsa /dev/snd/timer' };

# The edges in us of the bin of that many significant digits that holds a time in ns.
sub bin {
    my ($ns, $digits) = @_;
    $ns = 0 if $ns < 0;
    my $width = max(10, 10**(length($ns) - $digits));
    my $from = int($ns / $width) * $width;
    return ($from / 1000, ($from + $width) / 1000);
}

# Perl's own integers are exact below 2**63, and much faster.
sub exact_sum {
    my ($sum, $part) = (Math::BigInt->new(0), 0);
    for (@_) {
        if (ref)                 { $sum += $_ }
        elsif (abs($part) < 4e18) { $part += $_ }
        else                     { $sum += $part; $part = $_ }
    }
    return $sum + $part;
}

sub moments {
    my ($measure, @ns) = @_;
    return () unless @ns;
    my ($sum, $sumsq) = (exact_sum(@ns), exact_sum(map { abs($_) > SQUARABLE ? Math::BigInt->new($_) * $_ : $_ * $_ } @ns));
    my $mean = sum0(@ns) / @ns;
    my @sd = @ns > 1 ? sprintf '%.3f', sqrt(sum0(map { ($_ - $mean)**2 } @ns) / (@ns - 1)) : ();
    return (
        ["${measure}_min_ns" => min(@ns)], ["${measure}_max_ns" => max(@ns)], ["${measure}_mean_ns" => sprintf '%.3f', $mean],
        (map { ["${measure}_sd_ns" => $_] } @sd), ["${measure}_sum_ns" => "$sum"], ["${measure}_sumsq_ns2" => "$sumsq"],
    );
}

# The report of wake-ups, a list of slices, each a list of [interval error in ns, periods served, lateness in ns]. What
# is measures => 'asked' has wake-up latency in place of lateness, 'both' has it beside.
sub report_of {
    my ($slices, %more) = @_;
    my $measures = delete $more{measures} // 'due';
    my @wakeups = map { @$_ } @$slices;
    my @late = map { latenesses($_) } @wakeups;
    my $missed = @late - @wakeups;
    my %series = series($measures, @wakeups);
    my @header = (
        [status => 'complete'], [verdict => 'valid'], [started => '2026-11-20T23:05:57Z'],
        [duration_s => sprintf '%.6f', sum0(map { $_->[0] + PERIOD_NS } @wakeups) / 1e9],
        [source => SOURCES->{$measures}], [frequency_hz => 2048], [period_ns => PERIOD_NS], [clock => 'monotonic'],
        [samples => scalar @wakeups], [periods => scalar @late], [missed => $missed],
        $measures eq 'asked' ? () : ([schedule => 'kept'], [early_wakeups => scalar grep { $_->[2] < 0 } @wakeups]),
        (map { moments($_, @{ $series{$_} }) } grep { $series{$_} } qw(interval lateness wakeup stamp_interval)),
    );
    my %header = ((map { @$_ } @header), %more);
    my %is_known = map { $_->[0] => 1 } @header;
    return {
        header => \%header,
        keys   => [(map { $_->[0] } @header), sort grep { !$is_known{$_} } keys %more],
        histogram => histogram(\%series),
        slices($measures, $slices),
        events => events($measures, @wakeups),
    };
}

# What was measured of wake-ups: a list of values for each.
sub series {
    my ($measures, @wakeups) = @_;
    my @late = map { latenesses($_) } @wakeups;
    my @asked = map { since_asked($measures, $_) } @late;
    my @stamps = map { $late[$_] - $asked[$_] } 0 .. $#late;
    my %series = (interval => [map { $_->[0] } @wakeups], lateness => \@late, wakeup => \@asked,
        stamp_interval => [map { $stamps[$_] - $stamps[$_ - 1] } 0 .. $#stamps]);
    my @known = @{ { due => [qw(interval lateness)], asked => ['wakeup'], both => [keys %series] }->{$measures} };
    return map { $_ => $series{$_} } @known;
}

# The kernel's stamp is some of the lateness after the time that was due.
sub since_asked {
    my ($measures, $late) = @_;
    return $measures eq 'both' ? $late - int($late / 7) : $late;
}

sub latenesses {
    my ($wakeup) = @_;
    return map { $wakeup->[2] - $_ * PERIOD_NS } 0 .. $wakeup->[1] - 1;
}

sub histogram {
    my ($series) = @_;
    my %bins;
    for my $measure (keys %$series) {
        $bins{join ' ', bin(abs $_, 4)}{$measure eq 'interval' && $_ < 0 ? 'early' : $measure}++ for @{ $series->{$measure} };
    }
    my @names = grep { $series->{s/early/interval/r} } qw(interval early lateness wakeup);
    my @rows = sort { $a->[0] <=> $b->[0] } map { [split, map { $_ // 0 } @{ $bins{$_} }{@names}] } keys %bins;
    return columns([qw(from_us to_us), @names], grep { sum0(@$_[2 .. $#$_]) } @rows);
}

sub columns {
    my ($names, @rows) = @_;
    return {map { my $i = $_; $names->[$i] => [map { $_->[$i] } @rows] } 0 .. $#$names};
}

sub slices {
    my ($measures, $slices) = @_;
    my @maxima = @{ { due => [qw(lateness interval)], asked => ['wakeup'], both => [qw(lateness interval wakeup)] }->{$measures} };
    my ($start, @rows, @bins) = 0;
    for my $wakeups (grep { @$_ } @$slices) {
        my @late = map { latenesses($_) } @$wakeups;
        my $seconds = sum0(map { $_->[0] + PERIOD_NS } @$wakeups) / 1e9;
        my @when = map { sprintf '%.6f', $_ } $start, $seconds;
        my %series = series($measures, @$wakeups);
        push @rows, [@when, scalar @$wakeups, scalar @late, @late - @$wakeups,
            map { sprintf '%.3f', max(@{ $series{$_} }) / 1000 } @maxima];
        my %bins;
        $bins{join ' ', bin($_, 2)}++ for @late;
        push @bins, map { [@when, split(' '), $bins{$_}] } sort { (split ' ', $a)[0] <=> (split ' ', $b)[0] } keys %bins;
        $start += $seconds;
    }
    return (
        slices     => columns([qw(start_s seconds wakeups periods missed), map { "${_}_max_us" } @maxima], @rows),
        slice_bins => columns([qw(start_s seconds from_us to_us), $maxima[0]], @bins),
    );
}

sub events {
    my ($measures, @wakeups) = @_;
    my ($at, @rows) = 0;
    for (@wakeups) {
        my ($interval, $periods, $late) = @$_;
        $at += ($interval + PERIOD_NS) / 1e9;
        my ($late_us, $interval_us, $asked_us) = map { sprintf '%.3f', $_ / 1000 } $late, $interval, since_asked($measures, $late);
        my @latency = $measures eq 'asked' ? $asked_us : ($late_us, $interval_us);
        push @rows, [sprintf('%.6f', $at), '2026-11-20T23:05:58.000000Z', scalar(@rows) + 1, @latency, $periods, 0, 0,
            $measures eq 'both' ? $asked_us : ()];
    }
    @rows = sort { $b->[3] <=> $a->[3] || $a->[0] <=> $b->[0] } @rows;
    my @names = $measures eq 'asked' ? 'wakeup_us' : qw(lateness_us interval_us);
    return columns([qw(at_s utc period), @names, qw(periods cpu_before cpu), $measures eq 'both' ? 'wakeup_us' : ()],
        splice @rows, 0, 32);
}

# A report of one to that many wake-ups, some with missed periods, in slices of any length; of 0, of none. Returns it and
# its slices.
sub random_report {
    my ($most, %more) = @_;
    my @slices = map { [map { random_wakeup() } 1 .. int rand $most / 4] } 1 .. 4;
    push @{ $slices[0] }, random_wakeup() if $most;
    return (report_of(\@slices, %more), \@slices);
}

sub random_wakeup {
    my $interval = max(-PERIOD_NS, int((rand() - 0.5) * 10**(2 + rand 4)));    # no wake-up comes before the last
    return [$interval, 1, int 10**(3 + rand 2)] if rand() > 0.05;
    my $periods = 2 + int rand 8;
    return [$interval + ($periods - 1) * PERIOD_NS, $periods, int(($periods - 1 + rand) * PERIOD_NS)];
}

1;
