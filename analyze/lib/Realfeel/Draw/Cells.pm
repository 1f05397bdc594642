# SPDX-License-Identifier: GPL-2.0-or-later
# One run as boxes: the latencies of each CPU, and over the course of the run; the parts of lateness by percentile; and
# what had the CPU before the worst wake-ups. Functions return a plan for Draw::Plot.
package Realfeel::Draw::Cells;
use Realfeel::Base::Modern;

use List::Util qw(any first max min sum0 uniq);
use POSIX qw(ceil);
use Realfeel::Base::Units qw(counted cut decimal width);
use Realfeel::Draw::Curves qw(LEAST_US PERCENT log_cells);
use Realfeel::Draw::Runs qw(LINEAR_UP_TO NOTHING US_PER_MS four_digits rounded);
use Realfeel::Model::Cpus qw(cpu_list);
use Realfeel::Model::Explain qw(by_lateness counts findings);
use Realfeel::Show::Figures qw(finding_words);
use Realfeel::Stat::Intervals qw(BEYOND);

use constant {
    # For CPUs.
    ONE_IN     => 1000,         # p99.9
    ALL        => 40,           # rows up to which each has a label
    SOME       => 20,           # labels if there are more rows than that

    # For the time of the run.
    COLUMNS    => 200,
    # They cut no bin: bins have two digits, or one below 0.1 us
    EDGES      => [0, map {
        my $exponent = $_;
        map { 0 + "${_}e$exponent" } grep { $exponent > -2 || $_ == int $_ } 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8;
    } -2 .. 9],
    TOLERANCE  => 1e-9,
    # Units of the time axis: name, seconds, and the longest run, in this unit, that is drawn with it
    TIMES      => [['ms', 0.001, 1000], ['s', 1, 300], ['min', 60, 180], ['h', 3600, 100], ['days', 86_400, 9e99]],

    # For parts.
    FEW        => 0.01,         # of the wake-ups
    STEP       => 1.1,          # how much rarer a column is, at least, than the one before
    DECADES    => 15,
    SPARSE     => 6,            # decades, of more every second has its lateness written
    GAP        => 5,            # factor by which the largest, written in the middle of its column, is rarer
    MIDDLE     => sqrt 2,

    # For the picture of what had the CPU.
    ROWS       => 32,
    LEAST      => 0.8,          # of a row, in %: what took less is drawn as wide as this
    SHORT_ONES => 40,           # of a row, in %, for all of these together at most
    NAME_MOST  => 48,           # letters of a name; those of Linux have 15, but one that is escaped may have more
    SMALL      => 1.3,          # how many more letters of names than of the axes have room in a row
    COLOURS    => [0xe69f00, 0x56b4e9, 0xcc79a7, 0xf0e442],     # of what had the CPU longest
    OTHERS     => 0xc0c0c0,
    UNKNOWN    => { 'ring-ends' => 'not recorded', 'no-record' => 'no record', lost => 'records lost' },
};

# The same in each picture: name in the key, and colour
use constant FIXED => {
    idle => ['idle', 0xf4f4f4], self => ['measuring process', 0x009e73], unknown => ['unknown', 0xd55e00],
};

# A row for each CPU; the first run is all CPUs together, for the key. Shares have one scale. p99.9 is marked if ten
# values lie beyond; a star marks a CPU whose verdict, in the remark, is not valid.
sub cpus ($runs) {
    my (undef, @reports) = @{ $runs->{reports} };
    my (undef, @values) = @{ $runs->{values} };
    my (undef, @cells) = log_cells($runs);
    my @edges = map { @$_[0, 1] } map { @$_ } @cells;
    my ($unit, $low, $x) = $runs->log_axis(min(@edges), max(@edges, $runs->limits));
    my $us = $unit->{us};
    my $mark = sub ($i, $value) { [$i + 1, max($low, $value) / $us] };
    my @boxes = map {
        my ($row, $n) = ($_ + 1, $values[$_]->n);
        map { [$row, $_->[0] / $us, $_->[1] / $us, PERCENT * $_->[2] / $n] } @{ $cells[$_] };
    } 0 .. $#cells;
    my @highest = map { $mark->($_, $values[$_]->quantile(ONE_IN)) }
        grep { $values[$_]->n >= BEYOND * ONE_IN } 0 .. $#values;
    my @maxima = map { $mark->($_, $values[$_]->max) } grep { $values[$_]->n } 0 .. $#values;
    my @shares = map { $_->[3] } @boxes;
    return {
        unit    => $unit,
        data    => [\@boxes, \@highest, \@maxima],
        x       => $x,
        y       => [@values + 0.5, 0.5],
        numbers => { shade_low => min(@shares), shade_high => max(@shares) },
        keys    => [($runs->keys($unit))[0]],
        texts   => {
            x_text => $runs->label($unit), y_text => 'CPU', row => [_cpu_labels(@reports)],
            shade_text => "% of a CPU's " . "$runs->{counted_as}s", of_maximum => 'maximum of each CPU',
            of_percentile => 'p99.9 of each CPU, where ten values lie beyond it',
        },
        remark  => _starred(@reports),
    };
}

# If there are many, only some have a label
sub _cpu_labels (@reports) {
    my $step = 1;
    $step *= 2 while @reports > ALL && @reports / $step > SOME;
    return map { $_ % $step ? '' : $reports[$_]->{cpu} . (_doubt($reports[$_]) ? '*' : '') } 0 .. $#reports;
}

sub _doubt ($report) {
    my $verdict = $report->{verdict} // 'valid';
    return $verdict eq 'valid' ? '' : uc $verdict;
}

sub _starred (@reports) {
    my %cpus;
    push @{ $cpus{ _doubt($_) } }, $_ for grep { _doubt($_) } @reports;
    return %cpus ? '* ' . join '; ', map { "$_: CPU " . cpu_list(@{ $cpus{$_} }) } sort keys %cpus : '';
}

# The latencies over the time of the run, and the worst of each column. Neighbouring slices are joined if there are more
# than can be distinguished; merged runs follow each other. Slices with SMIs are marked.
sub slices ($runs) {
    my ($report, $measure) = ($runs->{reports}[0], $runs->{measure});
    my @slices = _slices($measure, $report->columns('slices'));
    my @columns = _columns(@slices) or die NOTHING;
    my @later = map { $slices[$_]{start} } grep { $slices[$_]{run} ne $slices[$_ - 1]{run} } 1 .. $#slices;
    my @boxes = _boxes($measure, \@columns, $report->columns('slice_bins'));
    my ($unit, undef, $y) = $runs->log_axis(min((map { $_->[2] } @boxes), map { $_->{max} } @columns),
        max(1.05 * max(LEAST_US, $runs->{max_us}), $runs->limits));
    my ($time, $seconds) = @{ +first { $columns[-1]{end} <= $_->[1] * $_->[2] } @{ TIMES() } };
    my $most = $report->latency_words('most');
    my @rates = @boxes ? map { $_->[4] } @boxes : 1;
    return {
        unit      => $unit,
        data      => _slice_data($seconds, $unit->{us}, \@boxes, \@columns, @later),
        time_axis => 'y',
        x         => [0, $columns[-1]{end} / $seconds],
        y         => $y,
        texts     => {
            x_text => "time since the first wake-up ($time)", y_text => $runs->label($unit),
            shade_text => "$runs->{counted_as}s a second", of_each => "the $most of each slice",
            of_all => "the $most of all", of_run => 'another run begins',
            of_smis => 'at the top: the firmware had the CPU (SMI)',
        },
        numbers   => { shade_low => min(@rates), shade_high => max(@rates), has_runs => @later ? 1 : 0,
            has_smis => (any { $_->{smis} } @columns) ? 1 : 0 },
    };
}

# Hashes of name, start, end, max and whether there were SMIs; later runs follow earlier ones
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
    my @edges = @{ EDGES() };
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

# Boxes; the worst of each column, [start, end, worst]; the worst of all, in the middle of its column; where later
# runs begin; and columns with SMIs, [start, end]
sub _slice_data ($seconds, $us, $boxes, $columns, @later) {
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

# The share of each part in the lateness, by percentile. Columns are as wide as their wake-ups are rare, so that few of
# them, which differ by chance, do not fill the picture. Parts that are negative, because wake-ups were early, have no
# share.
sub parts ($runs) {
    my $report = $runs->{reports}[0];
    my $look = $runs->{look};
    my $counts = counts($report) or die "its header says that the run was not explained; give another report\n";
    my @parts = Realfeel::Model::Explain::parts($report);
    my @columns = _shares([map { $_->{key} } @parts], by_lateness($report))
        or die "no wake-up has known parts; give another report\n";
    my ($name, $latency) = ($report->{latency_name}, $report->latency_words);
    my ($matched, $unknown) = @$counts{qw(matched unknown)};
    # A few unknown wake-ups only get a remark
    my $is_grave = { self_test => 1, lost => 1, unknown => $unknown > FEW * $matched };
    my ($grave) = grep { $is_grave->{ $_->{code} } } findings($report);
    return {
        x       => [1, $columns[-1]{to}],
        y       => [0, PERCENT],
        data    => [[map { ([$_->{from}, @{ $_->{shares} }], [$_->{to}, @{ $_->{shares} }]) } @columns],
            _heads($look, $runs->{max_us}, @columns)],
        keys    => [map { _part_key($look, $_) } @parts],
        texts   => {
            x_text => "percentile of the $latency (%), by the number of nines", y_text => "share of the $latency (%)",
            above_text => $name eq 'wakeup' ? 'latency' : $name,
        },
        remark  => counted($matched + $unknown, 'wake-up') . ($unknown ? "; the parts of $unknown are unknown" : ''),
        finding => $grave && finding_words($grave),
    };
}

# Hashes of from and to, as one in N; shares in %, cumulative; and high, which no lateness of the column exceeds. The
# last ends at half a wake-up.
sub _shares ($keys, @rows) {
    my $n = sum0(map { $_->{wakeups} } @rows);
    my ($beyond, $from, @columns) = ($n, 1);
    my @sum = (0) x @$keys;
    for my $row (@rows) {
        $beyond -= $row->{wakeups};
        $sum[$_] += $row->{wakeups} * $row->{ $keys->[$_] } for 0 .. $#sum;
        my $to = $beyond > 0 ? $n / $beyond : 2 * $n;
        next if $beyond > 0 && $to < STEP * $from || !grep { $_ > 0 } @sum;
        my @parts = map { max(0, $_) } @sum;
        my ($all, $below) = (sum0(@parts), 0);
        my @shares = map { PERCENT * ($below += $_) / $all } @parts;
        push @columns, { from => $from, to => $to, shares => \@shares, high => $row->{to_us} };
        ($from, @sum) = ($to, (0) x @sum);
    }
    return @columns;
}

# What to write above, and where: the lateness at some percentiles, and the largest
sub _heads ($look, $max, @columns) {
    my $end = $columns[-1]{to};
    my $each = $end > 10**SPARSE ? 2 : 1;
    my @places = grep { $_ * GAP <= $end } 2, map { 10**($each * $_) } 1 .. DECADES;
    my @heads = map { my $place = $_; [$place, (first { $_->{to} > $place } @columns)->{high}] } @places;
    return [map { [$_->[0], \rounded($look, min($max, $_->[1]))] } @heads, [$end / MIDDLE, $columns[-1]{high}]];
}

sub _part_key ($look, $part) {
    my ($name, $values) = @$part{qw(name distribution)};
    return $name unless $values && $values->n;
    my ($median, $max) = map {
        my ($unit, $time) = abs $_ < US_PER_MS ? ('us', $_) : ('ms', $_ / US_PER_MS);
        four_digits($time) . " $look->{symbol}{$unit}";
    } $values->quantile(2), $values->max;
    return cut("$name: p50 $median, max $max", $look->{room});
}

# A row for each wake-up, from due to stamp. Rows fill the width, so that 60 ms and 60 us are both visible; the length
# is shown at the left. Short segments are widened to be visible.
sub timeline ($runs) {
    my $report = $runs->{reports}[0];
    my @events = @{ $report->events // [] };
    require Realfeel::Answer::Why;      # no other picture needs it
    my @late = grep { $_->{late_us} > 0 } Realfeel::Answer::Why::wakeups($report, ROWS);
    my @rows = map { _row($_, $events[$_->{number} - 1]) } @late
        or die "no late wake-up has a record of what had the CPU; give another report\n";
    my $unit = $runs->unit($rows[0]{us} >= LINEAR_UP_TO);
    my $is_asked = $report->{latency_name} eq 'wakeup';
    my @boxes = map { @{ $_->{boxes} } } @rows;
    my ($colours, @key) = _coloured(@boxes);
    my ($failed) = grep { $_->{code} eq 'self_test' } findings($report);
    return {
        x       => [0, PERCENT],
        y       => [@rows + 0.5, 0.5],
        data    => _timeline_data($runs->{look}, $colours, @rows),
        keys    => [map({ $_->[0] } @key), $is_asked ? 'request made' : 'timer expired', 'woken'],
        numbers => { shade => [map { $_->[1] } @key],
            has_taken => (any { $_->{segment}{wait} eq 'taken' } @boxes) ? 1 : 0 },
        texts   => {
            x_text => 'each wake-up by itself; less than ' . LEAST . ' % is drawn wider',
            y_text => $report->latency_words . " ($unit->{symbol})",
            from_text => $is_asked ? 'asked' : 'due', to_text => 'stamp',
            row => [map { decimal($_->{us} / $unit->{us}, 3) } @rows],
        },
        finding => $failed && finding_words($failed),
    };
}

# A hash of us, the lateness; boxes, hashes of from and to in % and segment; and expiry and waking, places, undef if
# unknown
sub _row ($wakeup, $event) {
    my ($us, $expiry, $waking) = ($wakeup->{late_us}, @$event{qw(expiry_us waking_us)});
    my @marks = map { min($us, max(0, $_)) } defined $waking ? ($expiry, $expiry + $waking) : ();
    my @segments = _joined(@{ $wakeup->{segments} });
    my %place = _places(0, @marks, map { $_->{to_us} } @segments);
    my ($expired, $woken) = @marks ? @place{ map { _ns($_) } @marks } : ();
    my @boxes = map {
        { from => $place{ _ns($_->{from_us}) }, to => $place{ _ns($_->{to_us}) }, segment => $_ }
    } @segments;
    return { us => $us, boxes => \@boxes, expiry => $expired, waking => $woken };
}

# A hash of colours by name, of a few that had the CPU longest; and all lines of the key, [text, colour]
sub _coloured (@boxes) {
    my ($kept, @names) = (0, map { $_->[0] } _by_time(grep { !FIXED->{ $_->{segment}{kind} } } @boxes));
    my @key = map { [$_, COLOURS->[$kept++]] } splice @names, 0, @{ COLOURS() };
    my %kinds = map { $_->{segment}{kind} => 1 } @boxes;
    return ({ map { @$_ } @key }, @key, @names ? ['others', OTHERS] : (),
        @{ FIXED() }{ grep { $kinds{$_} } sort keys %{ FIXED() } });
}

# One box for what had the CPU, no matter what the process was waiting for, unless the CPU was taken away from it
sub _joined {
    my @joined;
    for my $segment (@_) {
        my $who = join "\0", $segment->{wait} eq 'taken', map { $_ // '' } @$segment{qw(kind name priority detail)};
        push @joined, { %$segment, who => $who } unless @joined && $joined[-1]{who} eq $who;
        $joined[-1]{to_us} = $segment->{to_us};
    }
    return @joined;
}

# Maps these times to % of the row
sub _places {
    my @times = sort { $a <=> $b } uniq map { _ns($_) } @_;
    my @widths = map { PERCENT * ($times[$_] - $times[$_ - 1]) / $times[-1] } 1 .. $#times;
    my $least = min(LEAST, SHORT_ONES / @widths);
    my @long = grep { $_ >= $least } @widths;
    my $scale = (PERCENT - $least * (@widths - @long)) / (sum0(@long) || 1);
    my ($at, %place) = (0, shift @times, 0);
    for my $i (0 .. $#widths) {
        $at += $widths[$i] < $least ? $least : $scale * $widths[$i];
        $place{ $times[$i] } = $at;
    }
    return %place;
}

sub _ns ($us) { return sprintf '%.3f', $us }

# Two data sets of boxes, all and those to be hatched; two of names, on plain boxes and on paper; and two of marks
sub _timeline_data ($look, $colours, @rows) {
    my $letter = PERCENT / ($look->{letters} * SMALL);
    my (@boxes, @names, @marks);
    for my $number (1 .. @rows) {
        my $row = $rows[$number - 1];
        for my $box (@{ $row->{boxes} }) {
            my $segment = $box->{segment};
            my $colour = (FIXED->{ $segment->{kind} } // [])->[1] // $colours->{ _who($segment) } // OTHERS;
            push @{ $boxes[$_] }, [$number, @$box{qw(from to)}, $colour] for 0, $segment->{wait} eq 'taken' ? 1 : ();
        }
        push @{ $names[$_->{is_over} ? 1 : 0] }, [$number, $_->{at}, \$_->{text}]
            for _row_of_names($look, $letter, $row);
        my @at = @$row{qw(expiry waking)};
        push @{ $marks[$_] }, [$number, $at[$_]] for grep { defined $at[$_] } 0, 1;
    }
    return [map { $_ // [] } @boxes[0, 1], @names[0, 1], @marks[0, 1]];
}

# Each name in its box, if it fits. If no box of the culprit that had the CPU longest has room for its name, this goes
# to the middle, and names that would overlap it are left out.
sub _row_of_names ($look, $letter, $row) {
    my @names = map { _name($look, $letter, $_) } @{ $row->{boxes} };
    my ($longest) = _by_time(grep { $_->{segment}{kind} ne 'self' } @{ $row->{boxes} });
    my ($main, $us) = @{ $longest // return @names };
    return @names if any { $_->{name} eq $main } @names;
    my $text = "$main " . rounded($look, $us);
    my ($at, $half) = (PERCENT / 2, $letter * (width($text) + 1) / 2);
    return ((grep { abs($_->{at} - $at) >= $_->{half} + $half } @names), { text => $text, at => $at, is_over => 1 });
}

# What had the CPU and for how long, the longest first: [name, us] each
sub _by_time (@boxes) {
    my %us;
    $us{ _who($_) } += $_->{to_us} - $_->{from_us} for map { $_->{segment} } @boxes;
    return map { [$_, $us{$_}] } sort { $us{$b} <=> $us{$a} || $a cmp $b } keys %us;
}

# The name with its time, if that fits, else without, else nothing: a hash of text, name, middle, half width, and
# whether it needs paper below it, as on a hatched box
sub _name ($look, $letter, $box) {
    my ($segment, $room) = ($box->{segment}, ($box->{to} - $box->{from}) / $letter);
    my $name = _who($segment);
    my $time = rounded($look, $segment->{to_us} - $segment->{from_us});
    my $text = first { width($_) + 1 < $room } "$name $time", $name or return;
    return { text => $text, name => $name, at => ($box->{from} + $box->{to}) / 2, half => $letter * width($text) / 2,
        is_over => $segment->{wait} eq 'taken' };
}

sub _who ($segment) {
    return UNKNOWN->{ $segment->{detail} // '' } // 'unknown' if $segment->{kind} eq 'unknown';
    return cut($segment->{name} // '-', NAME_MOST);
}

1;
