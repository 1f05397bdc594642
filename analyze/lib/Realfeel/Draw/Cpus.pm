# SPDX-License-Identifier: GPL-2.0-or-later
# The latencies of each CPU, in rows.
package Realfeel::Draw::Cpus;
use Realfeel::Base::Modern;

use List::Util qw(first max min);
use POSIX qw(ceil);
use Realfeel::Draw::Histogram qw(log_cells);
use Realfeel::Draw::Words qw(words);
use Realfeel::Model::Cpus qw(cpu_list);

use constant {
    PERCENT => 100,
    ONE_IN  => 1000,            # p99.9
    BEYOND  => 10,              # so many values beyond make a percentile
    ALL     => 40,              # a picture has room for a label at each of so many rows
    SOME    => 20,              # and where there are more, and thinner ones, for so many
    STEPS   => [1, 2, 4, 8, 16, 32, 64, 128, 256],
};

# The first run is all CPUs together, for the key; the others are rows. Shares have one scale. p99.9 is marked if ten
# values lie beyond; a star marks a CPU whose verdict, in the remark, is not valid.
sub plan ($runs) {
    my (undef, @values) = $runs->values;
    my (undef, @cells) = log_cells($runs);
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    my ($unit, $low, $x) = $runs->log_axis(min(@edges), max(@edges, $runs->limits));
    my @boxes = map {
        my ($row, $n) = ($_ + 1, $values[$_]->n);
        map { [$row, @$_[0, 1], PERCENT * $_->[2] / $n] } @{ $cells[$_] };
    } 0 .. $#cells;
    my @shares = map { $_->[3] } @boxes;
    return {
        unit    => $unit,
        data    => _data($unit->{us}, $low, \@values, @boxes),
        x       => $x,
        y       => [@values + 0.5, 0.5],
        label   => words('axis.cpu'),
        numbers => { shade_low => min(@shares), shade_high => max(@shares) },
        keys    => [($runs->keys($unit))[0]],
        texts   => {
            shade_text => words('axis.share_of_cpu', counted => $runs->counted), of_maximum => words('key.max_of_cpu'),
            of_percentile => words('key.percentile_of_cpu'),
            row => _labels(@values <= ALL ? scalar @values : SOME, $runs),
        },
        remark  => _remark($runs),
    };
}

# Boxes [row, low, high, share]; p99.9 of each CPU, [row, value]; and the maxima
sub _data ($us, $low, $values, @boxes) {
    my @known = grep { $values->[$_]->n >= BEYOND * ONE_IN } 0 .. $#$values;
    my @highest = map { [$_ + 1, max($low, $values->[$_]->quantile(ONE_IN)) / $us] } @known;
    my @maxima = map { [$_ + 1, max($low, $values->[$_]->max) / $us] } grep { $values->[$_]->n } 0 .. $#$values;
    my @scaled = map { [$_->[0], $_->[1] / $us, $_->[2] / $us, $_->[3]] } @boxes;
    return [\@scaled, \@highest, \@maxima];
}

# Of the rows; some are empty if there are many
sub _labels ($room, $runs) {
    my (undef, @reports) = $runs->reports;
    my $step = first { @reports / $_ <= $room } @{ STEPS() };
    return [map { $_ % $step ? '' : $reports[$_]->cpu . (_doubt($reports[$_]) ? '*' : '') } 0 .. $#reports];
}

sub _doubt ($report) {
    my $verdict = $report->verdict // 'valid';
    return $verdict eq 'valid' ? '' : uc $verdict;
}

sub _remark ($runs) {
    my (undef, @reports) = $runs->reports;
    my %cpus;
    push @{ $cpus{ _doubt($_) } }, $_ for grep { _doubt($_) } @reports;
    return '' unless %cpus;
    return words('cpus.starred', doubts => join '; ',
        map { words('cpus.doubted', verdict => $_, cpus => cpu_list(@{ $cpus{$_} })) } sort keys %cpus);
}

1;
