# SPDX-License-Identifier: GPL-2.0-or-later
# How values are distributed: histograms overlaid, side by side and as text; percentiles; and the share of values above
# each. Functions return a plan for Draw::Plot. A cell is [low, high, count].
package Realfeel::Draw::Curves;
use Realfeel::Base::Modern;

use List::Util qw(first max min sum);
use POSIX qw(ceil floor);
use Realfeel::Answer::Stats ();
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(DIGITS counted cut cut_middle lapse width);
use Realfeel::Draw::Runs qw(LINEAR_UP_TO NAME_LEAST TOLERANCE limit_name);
use Realfeel::Stat::Intervals qw(BEYOND);

use constant {
    PERCENT      => 100,

    # For cells.
    PER_DECADE   => 20,
    FINEST_US    => 0.01,
    COARSEST_US  => 1e10,

    # For axes of counts and shares.
    ONE          => 0.7,        # the axis begins below 1, that of shares below that of one value of the longest run
    LOW          => 7,          # but not above this
    TOP          => 150,
    LEAST_TOP    => 5,          # of an axis of counts
    ROOM         => 1.2,        # above the largest count

    # For histograms side by side.
    ROOM_ABOVE   => 10,         # for what is written there, and as much again where histograms are narrow or low
    WIDE         => 2,          # columns at most
    HIGH         => 4,          # rows at most
    COLUMNS      => 4,          # of more, each would be too narrow

    # For percentiles.
    LEAST_US     => 0.005,      # a logarithmic axis has no 0
    INTERVALS    => 4,          # of more runs, confidence intervals would hide each other
    BOUNDS       => 2,          # and bounds, which are curves, of more than two
    ALL          => 0.99,       # share of the values above its beginning
    POINTS       => 100,        # of a curve, in a decade
    LINEAR       => 20,         # times the least median, up to which an axis begins at 0
    ABOVE        => 1.05,       # of a maximum

    # For the share above.
    LEAST_2002   => 50,
    STEP         => 1.03,       # from one point of the curve to the next, to either side
    WIDE_BIN     => 1.02,       # a bin is wide if its upper edge is more than this times the lower
    ROOM_RIGHT   => 1.5,        # beyond the maximum, for its bound
    BOUND        => 12,
    TOP_SHARE    => 1.5,        # the axis ends above the share of all
    BULK         => 0.5,        # of larger shares the bound is left out: it takes long and cannot be seen

    # For text.
    CELLS        => 24,         # as realfeel draws at its end, and so are their heights
    LINE         => 79,
    GAPS         => 8,          # between five columns
    LEAST_TEXT   => 0.01,       # in us; what is less has no logarithm to speak of
    STEP_US      => 0.001,
    MEDIAN       => 50,
    PLAIN        => [split //, ' .:-=+*#@'],
    BLOCKS       => [' ', map { "\xe2\x96" . chr } 0x81 .. 0x88],
};

# Both axes are logarithmic. With room for $room times the largest count; or counts as shares of their run, for runs of
# different lengths.
sub histogram ($runs, $is_share = 0, $room = ROOM) {
    my @values = @{ $runs->{values} };
    my @cells = log_cells($runs);
    for my $i ($is_share ? 0 .. $#cells : ()) { $_->[2] *= PERCENT / $values[$i]->n for @{ $cells[$i] } }
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    my ($unit, $low, $x) = $runs->log_axis(min(@edges), max(@edges, $runs->limits));
    my @heights = map { @$_ ? $_->[-1][2] : 0 } @cells;
    my $counts = $runs->{counted_as} . ($runs->{of_2002} ? 's per 0.1 ms bucket' : 's per bin (20 a decade)');
    return {
        unit  => $unit,
        data  => [(map { _steps($low, $unit->{us}, @$_) } @cells), $runs->maxima($unit->{us}, @heights)],
        x     => $x,
        y     => $is_share ? [min(LOW, ONE * PERCENT / $runs->{most}), TOP, 'log'] : counts_axis(\@cells, $room),
        texts => { x_text => $runs->label($unit), y_text => $is_share ? "% of the $counts" : $counts },
    };
}

# An array of cells for each run, 20 to a decade, or the buckets of 2002 as they are. There is no 0 on the axis, so a
# first cell from 0 begins in its middle. Drawn cells never cut a report's bin: a cell ends at the nearest bin edge at
# least a step further on. Coarse bins, below 0.1 us, are drawn as they are.
sub log_cells ($runs) {
    my ($edge, @edges) = (FINEST_US, 0, FINEST_US);
    while ($edge < COARSEST_US) {
        my $least = $edge * 10**(1 / PER_DECADE);
        my $width = max(FINEST_US, 10**(floor(log($least) / log(10)) - DIGITS + 1));
        push @edges, $edge = 0 + sprintf '%.2f', $width * ceil($least / $width - TOLERANCE);
    }
    my @cells = map {
        my $i = 0;
        my $cell = sub ($value) {
            $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
            return @edges[$i, $i + 1];
        };
        [$runs->{of_2002} ? $_->cells : $_->regroup($cell)->cells];
    } @{ $runs->{values} };
    for my $first (map { $_->[0] // () } @cells) { $first->[0] ||= $first->[1] / 2 }
    return @cells;
}

sub counts_axis ($cells, $room = ROOM) {
    my @counts = map { $_->[2] } map { @$_ } @$cells;
    return [ONE, _decade_above($room * max(LEAST_TOP, @counts)), 'power'];
}

# The smallest power of 10 at or above $value
sub _decade_above ($value) { return 10**ceil(log($value) / log(10) - TOLERANCE) }

# Rows of [edge, count up to the next edge]. Each group of cells lies between edges with count 0, so that no line
# crosses empty ones; without cells there is one such edge.
sub _steps ($least, $us, @cells) {
    my (@steps, $edge);
    for (@cells) {
        my ($low, $high, $count) = @$_;
        push @steps, [$edge, 0] if defined $edge && $low > $edge;
        push @steps, [$low, 0] if !defined $edge || $low > $edge;
        push @steps, [$low, $count];
        $edge = $high;
    }
    return [map { [$_->[0] / $us, $_->[1]] } @steps, [$edge // $least, 0]];
}

# A small histogram for each run, all on one scale. Up to four runs are stacked, which is easiest to compare; more go
# into up to four columns, row by row.
sub matrix ($runs) {
    my $look = $runs->{look};
    my $columns = min(COLUMNS, ceil(@{ $runs->{reports} } / HIGH));
    my $rows = ceil(@{ $runs->{reports} } / $columns);
    my $plan = histogram($runs, 0, ROOM_ABOVE**(1 + ($columns > WIDE) + ($rows > HIGH)));
    my @facts = $runs->facts($plan->{unit});
    my %texts = (
        %{ $plan->{texts} },
        name    => [map { cut($_->{name}, int($look->{width} / $columns)) } @facts],
        count   => [map { $_->{count} } @facts],
        maximum => [map { $_->{max} // 'no maximum' } @facts],
        doubt   => [map { join ', ', @{ $_->{doubts} } } @facts],
        cpu     => [map { $_->{cpus} // '' } @facts],
    );
    return { %$plan, keys => [], texts => \%texts, numbers => { rows => $rows, columns => $columns } };
}

# The value that at most one in N exceeds; each curve is split where fewer than ten values lie beyond
sub percentiles ($runs) {
    my @values = @{ $runs->{values} };
    my $scale = _scale($runs);
    my @maxima = map { [@$_[1, 0, 2]] } @{ $runs->maxima($scale->{unit}{us}, map { $_->n } @values) };
    my @intervals = @values <= INTERVALS ? map { _intervals($_, $scale, $runs) } 0 .. $#values : ();
    return {
        unit      => $scale->{unit},
        data      => [(map { _curve($scale, $_) } @values), \@maxima, \@intervals],
        time_axis => 'y',
        x         => [1, max(10, _decade_above($runs->{most}))],
        y         => $scale->{y},
        texts     => {
            x_text => 'percentile (%), by the number of nines', y_text => $runs->label($scale->{unit}),
            of_rest => 'thin: fewer than ten beyond; ends at the maximum',
            of_interval => '95 % confidence interval of a percentile',
        },
        numbers   => { has_intervals => (grep { $_->[2] < $_->[3] } @intervals) ? 1 : 0 },
    };
}

# Linear from 0 if that shows the tail, else logarithmic. A linear one ends at a multiple of a tenth of a 1, 2 or 5 of a
# decade, so that at most half of the picture is empty.
sub _scale ($runs) {
    my $high = max($runs->{max_us}, $runs->limits);
    my @medians = map { $_->median } @{ $runs->{some} };
    if (@medians == grep { defined && $high <= LINEAR * $_ } @medians) {
        my $unit = $runs->unit($high >= LINEAR_UP_TO);
        my $end = ABOVE * max($high / $unit->{us}, FINEST_US);
        my $decade = _decade_above($end) / 10;
        my $step = first { $_ * 10 >= $end * (1 - TOLERANCE) } map { $_ * $decade / 10 } 1, 2, 5, 10;
        return { unit => $unit, y => [0, $step * ceil($end / $step - TOLERANCE)], least => 0 };
    }
    my $least = max(LEAST_US, min(map { ($_->beyond(ALL * $_->n))[1] } @{ $runs->{some} }));
    my ($unit, undef, $y) = $runs->log_axis($least / 1.1, 1.1 * $high);
    return { unit => $unit, y => $y, least => LEAST_US };
}

# The corners of the curve that can be told apart: two blocks of [one in, value], split where fewer than ten values lie
# beyond; a value holds up to the next N
sub _curve ($scale, $values) {
    my $n = $values->n or return ([[1, $scale->{y}[0]]]) x 2;
    my (undef, $high, $count) = $values->columns;
    my ($beyond, $drawn, $step, @points) = ($n, 1, 10**(1 / POINTS));
    for my $i (0 .. $#$count) {
        $beyond -= $count->[$i];
        my $one_in = $n / max(1, $beyond);
        next if $i && $i < $#$count && $one_in < $drawn * $step;
        my $value = max($scale->{least}, min($high->[$i], $values->max)) / $scale->{unit}{us};
        push @points, [$drawn, $value], [$one_in, $value];
        $drawn = $one_in;
    }
    my $sure = max(1, $n / BEYOND);
    my @first = grep { $_->[0] <= $sure } @points;
    my $split = [$sure, $first[-1][1]];
    return ([@first, $split], [$split, grep { $_->[0] > $sure } @points]);
}

# [one in, value, low, high, run] for each percentile. A missing bound is the end of the axis; with neither, only the
# value.
sub _intervals ($i, $scale, $runs) {
    my ($values, $report) = ($runs->{values}[$i], $runs->{reports}[$i]);
    my @known = grep { defined $_->{value_us} }
        Realfeel::Answer::Stats::percentiles($values, $report->pieces, $runs->{measure});
    return map {
        my ($value, $low, $high) = map { defined $_ ? max($scale->{least}, $_) / $scale->{unit}{us} : undef }
            @$_{qw(value_us low_us high_us)};
        my @ends = defined $low || defined $high ? ($low // $scale->{y}[0], $high // $scale->{y}[1]) : ($value) x 2;
        [100 / (100 - $_->{percentile}), $value, @ends, $i + 1];
    } @known;
}

# Both axes are logarithmic. The observed shares, and for few runs their 95 % bounds.
sub exceedance ($runs) {
    my @values = @{ $runs->{values} };
    my $most = max(LEAST_US, $runs->{max_us});
    my $least = max($runs->{of_2002} ? LEAST_2002 : LEAST_US,
        min(map { ($_->beyond(ALL * $_->n))[0] } @{ $runs->{some} }));
    my ($unit, $low, $x) = $runs->log_axis($least, max(ROOM_RIGHT * $most, $runs->limits));
    my $us = $unit->{us};
    my @curves = map { _falling($low, $us, $_) } @values;
    my @bounds = map { @values <= BOUNDS ? _bound($low, $us, $runs, $_) : [] } 0 .. $#values;
    my @heights = map { @$_ > 1 ? $_->[-2][1] : 0 } @curves;
    my $one = 10**floor(log(ONE / $runs->{most}) / log(10) + TOLERANCE);
    return {
        unit    => $unit,
        data    => [@curves, @bounds, $runs->maxima($us, @heights)],
        x       => $x,
        y       => [min(0.1, $one), TOP_SHARE, 'power'],
        texts   => {
            x_text => $runs->label($unit), y_text => "share of the $runs->{counted_as}s above",
            of_bound => 'upper bound of the share, 95 % confidence',
        },
        numbers => { has_bound => (grep { @$_ > 1 } @bounds) ? 1 : 0 },
    };
}

# The corners [value, share] that can be told apart: the share falls within a narrow bin, and stays between bins
sub _falling ($left, $us, $values) {
    my $n = $values->n or return [[$left / $us, 0]];
    my ($low, $high, $count) = $values->columns;
    my ($beyond, $drawn, $drawn_beyond) = ($n, 0, $n);
    my @points = ([$left / $us, 1]);
    for my $i (0 .. $#$count) {
        my $value = max($left, min($high->[$i], $values->max));
        my $above = $beyond - $count->[$i];
        if ($i == $#$count || $value > $drawn * STEP || $above * STEP < $drawn_beyond) {
            push @points, [max($left, $low->[$i]) / $us, $beyond / $n];
            push @points, [$value / $us, $beyond / $n] if $high->[$i] > $low->[$i] * WIDE_BIN;
            push @points, [$value / $us, ($above || $beyond) / $n];
            ($drawn, $drawn_beyond) = ($value, $above);
        }
        $beyond = $above;
    }
    return [@points, [$points[-1][0], 0]];
}

# [value, share] at some upper edges of bins: the bound holds up to the next value, and from the last to the maximum
sub _bound ($left, $us, $runs, $i) {
    my ($values, $report) = ($runs->{values}[$i], $runs->{reports}[$i]);
    my $intervals = Realfeel::Answer::Stats::intervals($values, $report->pieces, $runs->{measure});
    my (undef, $high, $count) = $values->columns;
    my ($beyond, $edge, @rows) = ($values->n, 0);
    for my $bin ($intervals ? 0 .. $#$high - 1 : ()) {
        $beyond -= $count->[$bin];
        next if $beyond > BULK * $values->n || $high->[$bin] < $left;
        next if $edge && $high->[$bin] <= $edge * 10**(1 / BOUND);
        $edge = $high->[$bin];
        my $one_in = $intervals->sure_one_in($edge);
        push @rows, [$edge / $us, 1 / $one_in] if $one_in;
    }
    return [@rows, [($values->max // $left) / $us, @rows ? $rows[-1][1] : 0]];
}

# A line of text for each run: histogram, median and maximum, all on one logarithmic scale with its ends printed above.
# Heights are logarithms of counts relative to the fullest cell of the run, in block characters under a UTF-8 locale,
# else in .:-=+*#@.
sub sketches ($runs, $title, $note) {
    my $least = max(LEAST_TEXT, min(map { $_->min } @{ $runs->{some} }));
    my @scale = ($least, max($least + STEP_US, $runs->{max_us}, $runs->limits));
    my @heads = map { lapse($_) } @scale;
    my $table = Realfeel::Base::Table->new(
        columns => [
            { head => '', align => 'left' },
            { head => $heads[0] . ' ' x (CELLS - length join '', @heads) . $heads[1], align => 'left' },
            'p50', 'max', { head => '', align => 'left' },
        ],
        rows => [
            (map { [limit_name($_, 'us'), ' ' x _cell_of(\@scale, $_) . '|', '', '', ''] } $runs->limits),
            _rows($runs, \@scale),
        ],
    );
    my @counts = map { $_->n } @{ $runs->{values} };
    my ($fewest, $each) = (min(@counts), counted($runs->{most}, $runs->{counted_as}) . ' each');
    return join '', map { "$_\n" } $title, $note eq '' ? () : $note,
        $runs->label . ': ' . ($fewest < $runs->{most} ? "$fewest to " : '') . $each,
        'both scales logarithmic: the same times for all, heights by the peak of each', '', $table->text;
}

sub _cell_of ($scale, $us) {
    my ($least, $most) = @$scale;
    return $us <= $least ? 0 : int min(CELLS - 1, CELLS * log($us / $least) / log($most / $least));
}

# Doubts and names are truncated if a line has no room
sub _rows ($runs, $scale) {
    my @values = @{ $runs->{values} };
    my @facts = $runs->facts({ us => 1, symbol => 'us' });
    my $worst = @values == 1 ? -1 : first { $values[$_]->n && $values[$_]->max == $runs->{max_us} } 0 .. $#values;
    my @rows = map {
        my ($values, $fact) = ($values[$_], $facts[$_]);
        my $most = $values->n ? ($values->max_is_exact ? '' : '<') . lapse($values->max) : '-';
        my @marks = ($_ == $worst ? 'worst' : (), reverse @{ $fact->{doubts} });
        [join(', ', $fact->{name}, $fact->{cpus} // ()), _sketch($scale, $values), _median($runs, $_), $most,
            join ', ', @marks];
    } 0 .. $#values;
    my $room = LINE - GAPS - CELLS - sum(map { my $i = $_; max(map { width($_->[$i]) } @rows) } 2, 3);
    $_->[4] = cut($_->[4], $room - NAME_LEAST) for @rows;
    my $marks = max(map { width($_->[4]) } @rows);
    $_->[0] = cut_middle($_->[0], $room - $marks) for @rows;
    return @rows;
}

sub _sketch ($scale, $values) {
    my ($low, undef, $count) = $values->columns;
    my @counts = (0) x CELLS;
    $counts[_cell_of($scale, $low->[$_])] += $count->[$_] for 0 .. $#$low;
    my $peak = max(@counts);
    my $letters = ${^UTF8LOCALE} ? BLOCKS : PLAIN;
    # The first letter for none, the second for one, the last for the peak
    return join '', map {
        $letters->[!$_ ? 0 : $_ == $peak ? $#$letters : int(1 + ($#$letters - 1) * log($_) / log($peak))];
    } @counts;
}

sub _median ($runs, $i) {
    my ($median) = Realfeel::Answer::Stats::percentiles($runs->{values}[$i], undef, $runs->{measure}, MEDIAN);
    my ($value, $roughly, $from) = @$median{qw(value_us roughly_us from_us)};
    return defined $value ? lapse($value) : defined $roughly ? '~' . lapse($roughly)
        : defined $from ? '>=' . lapse($from) : '-';
}

1;
