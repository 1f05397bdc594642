# SPDX-License-Identifier: GPL-2.0-or-later
# Latencies over the time of the run, and the latest of each stretch.
package Realfeel::Draw::Slices;
use Realfeel::Base::Modern;

use List::Util qw(first max min);
use POSIX qw(ceil);
use Realfeel::Draw::Runs;
use Realfeel::Draw::Words qw(words);

use constant {
    COLUMNS   => 200,
    LEAST_US  => 0.005,          # a logarithmic axis has no 0
    STEPS     => [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8],
    TOLERANCE => 1e-9,
    # Units of the time axis: name, seconds, and up to how many
    TIMES     => [['ms', 0.001, 1000], ['s', 1, 300], ['min', 60, 180], ['h', 3600, 100], ['days', 86_400, 9e99]],
};

# Neighbouring slices are joined if there are more than can be distinguished; merged runs follow each other. Slices with
# SMIs are marked.
sub plan ($runs) {
    my ($report, $measure) = ($runs->reports, $runs->measure);
    my @slices = _slices($measure, $report->columns('slices'));
    my @columns = _columns(@slices) or die Realfeel::Draw::Runs::NOTHING;
    my @later = _later_runs(@slices);
    my @boxes = _boxes($measure, \@columns, $report->columns('slice_bins'));
    my ($unit, undef, $y) = $runs->log_axis(min((map { $_->[2] } @boxes), map { $_->{max} } @columns),
        max(1.05 * max(LEAST_US, $runs->max), $runs->limits));
    my ($time, $seconds) = @{ +first { $columns[-1]{end} <= $_->[1] * $_->[2] } @{ TIMES() } };
    my $most = $report->latency_words('most');
    my $had_smis = grep { $_->{smis} } @columns;
    my @rates = @boxes ? map { $_->[4] } @boxes : 1;
    return {
        unit      => $unit,
        data      => _data($seconds, $unit->{us}, \@boxes, \@columns, @later),
        time_axis => 'y',
        x         => [0, $columns[-1]{end} / $seconds],
        y         => $y,
        label     => words('axis.time_of_run', unit => $time),
        texts     => {
            shade_text => words('axis.rate', counted => $runs->counted),
            of_each    => words('key.most_of_each', most => $most),
            of_all     => words('key.most_of_all', most => $most),
            of_run     => words('key.run_begins'),
            of_smis    => words('key.smis'),
        },
        numbers   => { shade_low => min(@rates), shade_high => max(@rates), has_runs => @later ? 1 : 0,
            has_smis => $had_smis ? 1 : 0 },
    };
}

# Hashes of name, start, end, max and whether there were SMIs; later runs follow those before
sub _slices ($measure, $set) {
    my ($offset, $run, @slices) = (0, '');
    for my $i (0 .. $#{ $set->{start_s} }) {
        my ($start, $seconds) = ($set->{start_s}[$i], $set->{seconds}[$i]);
        my $of = $set->{run} ? $set->{run}[$i] : '';
        $offset = $slices[-1]{end} if @slices && $of ne $run;
        $run = $of;
        push @slices, { name => "$of $start", run => $of, start => $offset + $start,
            end => $offset + $start + max($seconds, 1e-6), max => max(LEAST_US, $set->{"${measure}_max_us"}[$i]),
            smis => $set->{smis} && $set->{smis}[$i] =~ /[1-9]/ ? 1 : 0 };
    }
    return @slices;
}

sub _columns (@slices) {
    my $size = ceil(@slices / COLUMNS);
    my @columns;
    for my $slice (@slices) {
        push @columns, { %$slice, names => [], smis => 0 }
            if !@columns || @{ $columns[-1]{names} } == $size || $columns[-1]{run} ne $slice->{run};
        push @{ $columns[-1]{names} }, $slice->{name};
        @{ $columns[-1] }{qw(end max)} = ($slice->{end}, max($columns[-1]{max}, $slice->{max}));
        $columns[-1]{smis} ||= $slice->{smis};
    }
    return @columns;
}

# Rows [start, end, low, high, values per second]
sub _boxes ($measure, $columns, $set) {
    return unless $set;
    my %column = map { my $i = $_; map { $_ => $i } @{ $columns->[$i]{names} } } 0 .. $#$columns;
    my @edges = _edges();
    my (%cell, @count);
    for my $i (0 .. $#{ $set->{start_s} }) {
        my $column = $column{ ($set->{run} ? $set->{run}[$i] : '') . " $set->{start_s}[$i]" } // next;
        my $us = $set->{from_us}[$i] * (1 + TOLERANCE);
        my $cell = $cell{$us} //= first { !$_ || $edges[$_] <= $us } reverse 0 .. $#edges - 1;
        $count[$column][$cell] += $set->{$measure}[$i];
    }
    return map {
        my ($start, $end, $count) = (@{ $columns->[$_] }{qw(start end)}, $count[$_]);
        map { [$start, $end, $edges[$_] || $edges[$_ + 1] / 2, $edges[$_ + 1], $count->[$_] / ($end - $start)] }
            grep { defined $count->[$_] } 0 .. $#$count;
    } grep { $count[$_] } 0 .. $#$columns;
}

# They cut no bin, which has two digits, or one below 0.1 us
sub _edges {
    my @edges = (0);
    for my $exponent (-2 .. 9) {
        push @edges, map { 0 + "${_}e$exponent" } grep { $exponent > -2 || $_ == int $_ } @{ STEPS() };
    }
    return @edges;
}

sub _later_runs (@slices) {
    return map { $slices[$_]{start} } grep { $slices[$_]{run} ne $slices[$_ - 1]{run} } 1 .. $#slices;
}

# Boxes; the latest of each column, [start, end, latest]; the latest of all, in the middle of its column; where later
# runs begin; and columns with SMIs, [start, end]
sub _data ($seconds, $us, $boxes, $columns, @later) {
    my $max = max(map { $_->{max} } @$columns);
    my $worst = first { $_->{max} == $max } @$columns;
    return [
        [map { [$_->[0] / $seconds, $_->[1] / $seconds, $_->[2] / $us, $_->[3] / $us, $_->[4]] } @$boxes],
        [map { [$_->{start} / $seconds, $_->{end} / $seconds, $_->{max} / $us] } @$columns],
        [[($worst->{start} + $worst->{end}) / 2 / $seconds, $max / $us]],
        [map { [$_ / $seconds] } @later],
        [map { [$_->{start} / $seconds, $_->{end} / $seconds] } grep { $_->{smis} } @$columns],
    ];
}

1;
