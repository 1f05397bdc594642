# SPDX-License-Identifier: GPL-2.0-or-later
package MakeReport;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(make_parts make_report);

use List::Util qw(sum0);
use RunCommand qw(file_of);

# Writes a report. Of %run, lateness and interval are arrays of bins [from, to, count]; without interval all errors are
# 0; lateness_max and interval_max, interval_min are in us; header is a hash of more header lines; slices and slice_bins
# are arrays of rows; sets are further data sets, [name, columns, row, row, ...].
sub make_report {
    my ($file, %run) = @_;
    file_of($file, _text(%run));
}

# Writes a run on several CPUs, of each a hash like %run. They are CPU 0, 1 and so on unless the header tells another.
sub make_parts {
    my ($file, @cpus) = @_;
    file_of($file, join '', map {
        my %header = (cpu => $_, %{ $cpus[$_]{header} // {} });
        my $part = '# part: ' . ($_ + 1) . ' of ' . @cpus . "\n";
        _text(%{ $cpus[$_] }, header => \%header) =~ s/^# realfeel 1\n\K/$part/r;
    } 0 .. $#cpus);
}

sub _text {
    my (%run) = @_;
    my $periods = sum0(map { $_->[2] } @{ $run{lateness} });
    my @interval = map { [@$_, 0] } @{ $run{interval} // [] };
    my @early    = map { [@$_, 1] } @{ $run{early} // [] };
    my $samples = @interval + @early ? sum0(map { $_->[2] } @interval, @early) : $periods;
    @interval = (['0.00', '0.01', $samples, 0]) if !@interval && !@early && $samples;
    my %header = (
        verdict => 'valid', source => 'nanosleep', frequency_hz => 2048, period_ns => 488281, kernel_release => '6.1.0-rt7',
        samples => $samples, periods => $periods, missed => $periods - $samples,
        (map { defined $run{$_} ? ("${_}_ns" => sprintf '%.0f', 1000 * $run{$_}) : () }
            qw(lateness_min lateness_max interval_min interval_max)),
        %{ $run{header} // {} },
    );
    my @sets = (
        [histogram => 'from_us to_us interval early lateness', _bins($run{lateness}, @interval, @early)],
        $run{slices} ? [slices => 'start_s seconds wakeups periods missed lateness_max_us interval_max_us'
            . (@{ $run{slices}[0] // [] } > 7 ? ' smis' : ''), @{ $run{slices} }] : (),
        $run{slice_bins} ? [slice_bins => 'start_s seconds from_us to_us lateness', @{ $run{slice_bins} }] : (),
        @{ $run{sets} // [] },
    );
    my $head = join '', "# realfeel 1\n", map { "# $_: $header{$_}\n" } sort keys %header;
    return join("\n\n", $head, map { my ($name, $columns, @rows) = @$_; join '', "# $name\n# $columns\n", map { "@$_\n" } @rows } @sets)
        . "# end samples=$samples\n";
}

# The bins of all columns together.
sub _bins {
    my ($lateness, @interval) = @_;
    my %row;
    for ([2, map { [@$_, 2] } @$lateness], map { [$_->[3], $_] } @interval) {
        my ($column, @bins) = @$_;
        ($row{ $_->[0] } //= [@$_[0, 1], 0, 0, 0])->[ 2 + $column ] += $_->[2] for @bins;
    }
    return sort { $a->[0] <=> $b->[0] } values %row;
}

1;
