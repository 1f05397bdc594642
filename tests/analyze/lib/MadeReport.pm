# SPDX-License-Identifier: GPL-2.0-or-later
package MadeReport;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(made made_cpus written);

use List::Util qw(max min sum0);

use Realfeel::Base::File qw(save);
use ReportText;

use constant HEADER => (
    status => 'complete', verdict => 'valid', source => 'nanosleep', frequency_hz => 1024, clock => 'monotonic',
    policy => 'fifo', priority => 95, hostname => 'box', kernel_release => '6.1.0', preemption => 'full',
);

# Writes a report whose slices hold the given latenesses in microseconds, each an array; one second a slice.
sub made {
    my ($path, $slices, %header) = @_;
    save(report_text(contents($slices, %header)), $path, 1);
    return $path;
}

# The same of a run on several CPUs: a hash from the CPU to its slices. A header value that is a hash from the CPU to a
# value is for these CPUs alone.
sub made_cpus {
    my ($path, $slices_of, %header) = @_;
    save(parts_text(map {
        my $cpu = $_;
        my %of = (cpu => $cpu, map { $_ => ref $header{$_} ? $header{$_}{$cpu} : $header{$_} } keys %header);
        contents($slices_of->{$cpu}, map { $_ => $of{$_} } grep { defined $of{$_} } keys %of);
    } sort { $a <=> $b } keys %$slices_of), $path, 1);
    return $path;
}

my %binned;    # of slices, by their reference: the reference, which so is of no others, and their bins

sub contents {
    my ($slices, %header) = @_;
    my (undef, $histogram, $slice_bins) = @{ $binned{$slices} //= [$slices, bins(4, @$slices), slice_bins(@$slices)] };
    my $samples = sum0(map { scalar @$_ } @$slices);
    my %all = (HEADER, samples => $samples, periods => $samples, missed => 0, moments($slices), %header);
    return {
        header     => \%all,
        keys       => [sort keys %all],
        histogram  => $histogram,
        slices     => slices(@$slices),
        slice_bins => $slice_bins,
    };
}

# The text of a report that was read or made.
sub written {
    my ($report) = @_;
    return report_text({
        header => { map { $_ => $report->header($_) } $report->keys },
        keys   => [$report->keys],
        map { $_ => $report->columns($_) } 'histogram', grep { $report->has($_) } qw(runs slices slice_bins events),
    });
}

sub moments {
    my ($slices) = @_;
    return unless @$slices;
    my ($least, $most) = (min(map { min(@$_) // () } @$slices), max(map { max(@$_) // () } @$slices));
    return (lateness_min_ns => sprintf('%.0f', 1000 * $least), lateness_max_ns => sprintf('%.0f', 1000 * $most));
}

# The bins of slices, of so many significant digits. Those that are one array are binned once.
sub bins {
    my ($digits, @slices) = @_;
    my (%times, @cells, %count, %to);
    my @width = map { max(0.01, 10**($_ - $digits)) } 0 .. 15;    # of numbers with so many digits before the point
    $times{$_}++ for @slices;
    for my $slice (values %{ { map { $_ => $_ } @slices } }) {
        my ($times, $least, $end, $width, $cells) = ($times{$slice}, 0, 0);
        for my $us (@$slice) {
            if ($us < $least || $us >= $end) {
                my $before = $us < 1 ? 0 : length int $us;
                ($least, $end) = ($before && 10**($before - 1), 10**$before);
                ($width, $cells) = ($width[$before], $cells[$before] //= {});
            }
            $cells->{int($us / $width + 1e-6)} += $times;
        }
    }
    for my $before (grep { $cells[$_] } 0 .. $#cells) {
        my ($width, $cells) = ($width[$before], $cells[$before]);
        for my $cell (keys %$cells) {
            my $from = sprintf '%.2f', $width * $cell;
            $count{$from} += $cells->{$cell};
            $to{$from} = $from + $width;
        }
    }
    my @from = sort { $a <=> $b } keys %count;
    return { from_us => \@from, to_us => [@to{@from}], lateness => [@count{@from}] };
}

sub slices {
    my @slices = @_;
    my @most = map { sprintf '%.3f', max(@$_) // 0 } @slices;
    my @size = map { scalar @$_ } @slices;
    return {
        start_s => [0 .. $#slices], seconds => [(1) x @slices], wakeups => \@size, periods => \@size,
        missed => [(0) x @slices], lateness_max_us => \@most, interval_max_us => \@most,
    };
}

sub slice_bins {
    my @slices = @_;
    my %rows = map { $_ => [] } qw(start_s seconds from_us to_us lateness);
    my %bins;
    for my $i (0 .. $#slices) {
        my $bins = $bins{ $slices[$i] } //= bins(2, $slices[$i]);
        my $n = @{ $bins->{from_us} };
        push @{ $rows{start_s} }, ($i) x $n;
        push @{ $rows{seconds} }, (1) x $n;
        push @{ $rows{$_} }, @{ $bins->{$_} } for keys %$bins;
    }
    return \%rows;
}

1;
