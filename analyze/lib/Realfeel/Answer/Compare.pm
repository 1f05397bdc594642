# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the figures of two runs: whether they differ beyond chance, and by how much, what else differs between the
# runs, and whether like is compared with like.
package Realfeel::Answer::Compare;
use Realfeel::Base::Modern;

use File::Basename qw(basename);
use List::Util qw(all any first max);
use POSIX qw(ceil);
use Realfeel::Answer::Stats qw(identity is_result percentiles typed);
use Realfeel::Base::Typed qw(INFINITY number rounded text truth);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Keys qw(key);
use Realfeel::Model::Copies qw(repeated shared);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Explain qw(counts level parts);
use Realfeel::Model::Likeness qw(differing);
use Realfeel::Model::Report qw(FIFTHS common measure_name);

use constant {
    SIDES    => [qw(base file)],
    SINCE    => {
        delay => 'since a thread was due or woken', lateness => 'since a wake-up was due', wakeup => 'since a request',
    },

    # Judgements of a percentile: without a value, with an interval, and what to do about those without a ratio
    NO_VALUE => { map { $_ => 1 } qw(samples bins) },
    JUDGED   => { map { $_ => 1 } qw(lower higher unknown) },
    REMEDIES => { bins => 'lower', zero => 'finer', samples => 'longer', short => 'minute' },
    OPPOSITE => { lower => 'higher', higher => 'lower' },

    # For the wake-ups whose parts are compared: how many there must be, what share may be unknown, and what share of
    # the median lateness a difference must amount to
    LEAST    => 20,
    UNKNOWN  => 0.1,
    NOTABLE  => 0.05,

    # Keys that change with the kernel, the most telling first
    KERNEL   => [qw(kernel_release preemption kernel_command_line kernel_version)],
    SHORT    => 40,             # a longer value is cut down to what differs
    NAME_LENGTH => 16,
};

# Takes two reports and delay, lateness, wakeup or interval, by default the first that both have. Dies with one line if
# they have no measure in common, or one has no samples. Returns a hash:
#
#   measure
#   interval_errors   "absolute", or "early as 0" if a file is from 2002; undef for latency
#   names             what to call the two
#   identical         the same run; then nothing is judged
#   base, file        identity of Answer::Stats; is_imported; count, max_us; runs, how many were merged; units, the
#                     pieces on which intervals rest; unit, what these are; is_short, too short for intervals
#   doubts            why the runs may not be comparable, see _doubts
#   percentiles       see _judged
#   maxima            see maxima; undef if identical
#   composition       see composition, of the latency that is explained; else undef
#   environment       hashes of key, base and file for the settings, rights and facts of the machine that differ
#   recorded          the keys of settings, rights and facts that both reports have
sub compare ($base, $file, $wish = undef) {
    my $measure = _measure($wish, $base, $file);
    my $is_old = _of_2002($base, $file);
    my @runs = map {
        my $values = $is_old && $measure eq 'interval' ? $_->in_buckets : $_->measured($measure);
        die printable($_->{file}) . ": holds no samples; compare runs that do\n" unless $values->n;
        { report => $_, distribution => $values };
    } $base, $file;
    my @differences = _differences($base, $file);
    my ($of_base, $of_file) = map { [percentiles($_->{distribution}, $_->{report}->pieces, $measure)] } @runs;
    my $is_identical = _identical(@runs);
    my $is_explained = all { $_->{latency_name} eq $measure } $base, $file;
    return {
        measure     => text($measure),
        interval_errors => $measure ne 'interval' ? undef : $is_old ? 'early as 0' : 'absolute',
        names       => [_names($base, $file, @differences)],
        identical   => truth($is_identical),
        base        => _side($runs[0]),
        file        => _side($runs[1]),
        doubts      => $is_identical ? [] : [_doubts($measure, $base, $file)],
        percentiles => $is_identical ? [] : [map { _judged($of_base->[$_], $of_file->[$_]) } 0 .. $#$of_base],
        maxima      => $is_identical ? undef : maxima(@runs, $measure),
        composition => $is_identical || !$is_explained ? undef : composition($base, $file),
        environment => \@differences,
        recorded    => [grep { key($_)->{class} eq 'setting' && defined $file->header($_) } $base->keys],
    };
}

sub _measure ($wish, @reports) {
    my $common = common(@reports);
    my $wanted = $wish // $common // 'interval';
    my ($without) = grep { !$_->measured($wanted) } @reports or return $wanted;
    unless (defined $wish || grep { !$_->latency } @reports) {
        my @files = map {
            printable($_->{file}) . ' measures ' . $_->latency_words . ', ' . SINCE->{ $_->{latency_name} }
        } @reports;
        die join(', but ', @files) . "; compare files with a common measure\n";
    }
    my $remedy = defined $common ? "use --measure=$common" : 'compare files with a common measure';
    die printable($without->{file}) . ": has no @{[measure_name($wanted)]}; $remedy\n";
}

# The reports that have the buckets of 2002
sub _of_2002 { return grep { $_->{format} eq '2002' || ($_->header('bins') // '') =~ /^of 2002/ } @_ }

sub _side ($run) {
    my ($report, $distribution) = @$run{qw(report distribution)};
    my $pieces = $report->pieces;
    return {
        %{ identity($report) },
        is_imported => truth(defined $report->header('lateness_of')),
        count    => number($distribution->n),
        max_us   => number($distribution->max),
        units    => number(scalar @{ $pieces->{bins} }),
        unit     => text($pieces->{unit}),
        runs     => number($report->runs // 1),
        is_short => truth(defined $pieces->{unknown}),
    };
}

# Whether all figures that both have are equal. Compares simple figures first, because writing all out is slow.
sub _identical ($base, $file) {
    my ($one_by, $other_by) = map { $_->{distribution} } $base, $file;
    return 0 if $one_by->{bins} != $other_by->{bins} || any { $one_by->$_ != $other_by->$_ } qw(n max);
    my ($one, $other) = map { $_->{report} } $base, $file;
    my @sets = grep { $one->has($_) && $other->has($_) } qw(histogram slices slice_bins events runs);
    return all { _written($one->columns($_)) eq _written($other->columns($_)) } @sets;
}

sub _written ($columns) {
    return join "\n", map { join ' ', $_, map { $_ // 'unknown' } @{ $columns->{$_} } } sort keys %$columns;
}

# A hash of percentile and judgement:
#
#   lower, higher   the intervals do not overlap: FILE differs beyond chance
#   unknown         they overlap
#   samples         too few samples for a value
#   short           a run is too short for intervals
#   bins            a value lies in an open bin
#   zero            a value is 0
#   open            both ends of the ratio are open
#
# With samples or bins: lacking (the side that lacks more: base, file or both), and needed samples or from_us (where the
# open bin begins). Else: base_us and file_us; unless short or zero, ratio with its interval low to high (undef if
# open), from the ends of the intervals; and differs, true if they do not overlap, or undef.
#
# No number of samples helps in an open bin.
sub _judged (@sides) {
    my ($lacking) = sort { ($sides[$b]{more} // INFINITY) <=> ($sides[$a]{more} // INFINITY) }
        grep { $sides[$_]{lack} } 0, 1;
    my $lack = defined $lacking ? $sides[$lacking]{lack} : (grep { $_->{open} } @sides) ? 'short'
        : (grep { $_->{value_us} <= 0 } @sides) ? 'zero' : undef;
    my %row = (percentile => number($sides[0]{percentile}), judgement => $lack);
    if (defined $lacking) {
        my ($side, $other) = @sides[$lacking, 1 - $lacking];
        my $is_of_both = $side->{lack} eq 'samples' && ($other->{lack} // '') eq 'samples';     # equally
        return { %row, lacking => $is_of_both ? 'both' : SIDES->[$lacking],
            %$side{grep { exists $side->{$_} } qw(needed from_us)} };
    }
    @row{qw(base_us file_us)} = map { number($_->{value_us}) } @sides;
    return defined $lack ? \%row : { %row, _ratio(@sides) };
}

sub _ratio ($base, $file) {
    my $low = defined $base->{high_us} ? $file->{low_us} / $base->{high_us} : 0;
    my $high = defined $file->{high_us} && $base->{low_us} > 0 ? $file->{high_us} / $base->{low_us} : undef;
    my $judgement = $low >= 1 ? 'higher' : defined $high && $high <= 1 ? 'lower'
        : $low > 0 || defined $high ? 'unknown' : 'open';
    return (ratio => rounded($file->{value_us} / $base->{value_us}), low => rounded($low), high => rounded($high),
        judgement => $judgement, differs => OPPOSITE->{$judgement} ? truth(1) : undef);
}

# A hash of larger, "base" or "file", undef if equal; pieces, how many the run with the larger one was cut into, undef
# with too few slices; and differ, whether the maximum of each piece exceeds that of the other run.
#
# A maximum is a single observation. But if two runs do not differ, the maxima of one run's fifths all exceed the
# other's 1 time in 126: the five greatest of the ten must come from one run. A longer run is cut into more pieces, each
# as long as a fifth of the other.
sub maxima ($base, $file, $measure) {
    my $order = $file->{distribution}->max <=> $base->{distribution}->max;
    return { larger => undef, pieces => undef, differ => truth(0) } unless $order;
    my ($larger, $other) = $order > 0 ? ($file, $base) : ($base, $file);
    my $pieces = sprintf '%.0f', FIFTHS * max(1, $larger->{distribution}->n / $other->{distribution}->n);
    my @slices = @{ ($larger->{report}->columns('slices') // {})->{"${measure}_max_us"} // [] };
    my @first = @slices < $pieces ? () : map { int($_ * @slices / $pieces) } 0 .. $pieces;
    my @maxima = map { max(@slices[$first[$_] .. $first[$_ + 1] - 1]) } 0 .. $#first - 1;
    return {
        larger => $order > 0 ? 'file' : 'base',
        pieces => number(@maxima ? $pieces : undef),
        differ => truth(@maxima && all { $_ > $other->{distribution}->max } @maxima),
    };
}

# What the percentiles of a comparison, lowest first, amount to: a hash of code, which is differs (one does beyond
# chance), else unknown, or unjudged (none could be judged); differences (the highest percentile that differs, and the
# highest that differs the other way, if any); unknown (higher ones whose difference is unknown); unjudged (those with
# values that could not be judged); and lacking (the lowest without a value, undef if all have one).
#
# A difference has percentile, direction (lower, higher), factor with its interval least to most, undef if open, base_us
# and file_us.
sub summed_up (@rows) {
    my @judged = grep { JUDGED->{ $_->{judgement} } } reverse @rows;
    my $first = first { $_->{differs} } @judged;
    my $other = $first && first { $_->{judgement} eq OPPOSITE->{ $first->{judgement} } } @judged;
    return {
        code        => !@judged ? 'unjudged' : $first ? 'differs' : 'unknown',
        differences => [map {
            my ($direction, $ratio, $low, $high) = @$_{qw(judgement ratio low high)};
            my ($factor, $least, $most) = $direction eq 'higher' ? ($ratio, $low, $high)
                : (1 / $ratio, 1 / $high, $low > 0 ? 1 / $low : undef);     # the other value divided by the lower one
            +{ direction => $direction, factor => $factor, least => $least, most => $most,
                %$_{qw(percentile base_us file_us)} };
        } grep { defined } $first, $other],
        unknown     => [grep { $_->{judgement} eq 'unknown' && (!$first || $_->{percentile} > $first->{percentile}) }
            @rows],
        unjudged    => [grep { !JUDGED->{ $_->{judgement} } && !NO_VALUE->{ $_->{judgement} } } @rows],
        lacking     => scalar(first { NO_VALUE->{ $_->{judgement} } } @rows),
    };
}

# Which part of the lateness differs. Slices do not cover the parts, so how far their values depend on each other is
# unknown and there is no interval. A weaker statement is possible: the medians lie further apart than the part varies
# within either run, slow changes of the load included.
#
# undef unless both runs have parts; else a hash of reason and parts. reason, undef if they are compared, is a hash of
# code, which is unlike (traced in different ways: base and file), several (both merged from such runs) or, for one
# side, few (fewer wake-ups with parts than needed), unknown (too many without) or no_median.
#
# parts are hashes of part, name, the medians base_us and file_us, and differs: the median of either run lies outside of
# the other's middle half, and they differ by a twentieth of the median lateness or more.
sub composition (@reports) {
    my ($one, $other) = map { level($_) } @reports;
    return undef unless defined $one && defined $other;
    my $reason = $one ne $other ? { code => 'unlike', base => text($one), file => text($other) }
        : $one eq 'several' ? { code => 'several' }
        : first { defined } map { _no_parts($reports[$_], SIDES->[$_]) } 0, 1;
    return { reason => $reason, parts => [] } if $reason;
    my ($base, $file) = map { [parts($_)] } @reports;
    my $notable = NOTABLE * max(map { $_->latency->median } @reports);
    return { reason => undef, parts => [map { _part($notable, $base->[$_], $file->[$_]) } 0 .. $#$base] };
}

sub _no_parts ($report, $side) {
    my %of = (side => $side, map { $_ => counts($report)->{$_} } qw(matched unknown));
    return { %of, code => 'few', needed => LEAST } if $of{matched} < LEAST;
    return { %of, code => 'unknown' } if $of{unknown} > UNKNOWN * ($of{matched} + $of{unknown});
    return defined $report->latency->median ? undef : { %of, code => 'no_median' };
}

# By the medians, and the edges of the middle halves
sub _part ($notable, @parts) {
    my ($base, $file) = map {
        my ($values, $quarter) = ($_->{distribution}, ceil($_->{distribution}->n / 4));
        { median => $values->median, low => ($values->edges($quarter))[0],
            high => ($values->edges($values->n + 1 - $quarter))[1] };
    } @parts;
    my $apart = abs($file->{median} - $base->{median});
    my $is_notable = $apart > 0 && $apart >= $notable;
    my $differs = $is_notable && _outside($base->{median}, $file) && _outside($file->{median}, $base) ? 1 : 0;
    return { part => text($parts[0]{key}), name => text($parts[0]{name}), differs => truth($differs),
        base_us => number($base->{median}), file_us => number($file->{median}) };
}

sub _outside ($median, $other) { return $median < $other->{low} || $median > $other->{high} }

# Keys missing in a report are left out. Long values are reduced to the parts that the other lacks, undef if there are
# none; both are undef if only the order differs. The origin of the preemption model does not matter.
sub _differences ($base, $file) {
    my @both = grep { $_ ne 'preemption_from' && !is_result($_) && defined $file->header($_) } $base->keys;
    return map {
        my ($key, @values) = ($_, $base->header($_), $file->header($_));
        s/^on,.*/on/ for $key eq 'explain' ? @values : ();
        my $is_long = $key eq 'kernel_command_line' || grep { length > SHORT } @values;
        my @unlike = map { typed($key, $_) } $is_long ? _unlike_parts($key, @values) : @values;
        $values[0] eq $values[1] ? () : { key => text($key), base => $unlike[0], file => $unlike[1] };
    } @both;
}

sub _unlike_parts ($key, @values) {
    my ($separator) = $key eq 'kernel_command_line' ? ' ' : grep { "@values" =~ /\Q$_\E/ } ' | ', ', ', '; ';
    return @values unless defined $separator;
    my @parts = map { [split /\Q$separator\E/] } @values;
    return map {
        my %is_other = map { $_ => 1 } @{ $parts[1 - $_] };
        my @own = grep { !$is_other{$_} } @{ $parts[$_] };
        @own ? join $separator, @own : undef;
    } 0, 1;
}

# What to call the two runs: what differs, if that is short and a single thing, either the kernel with all that it
# entails or a setting; else the names of their files; BASE and FILE if these are equal
sub _names ($base, $file, @differences) {
    my %values = map { $_->{key} => [map { printable($_ // '-') } @$_{qw(base file)}] }
        grep { $_->{key} ne 'preflight' } @differences;
    $values{preemption} = [map { printable($_->preemption // 'unknown') } $base, $file] if $values{preemption};
    my @kernel = grep { $values{$_} } @{ KERNEL() };
    my $is_short = sub { all { length $_ <= NAME_LENGTH && !/^(?:unknown\b|-$)/ } @_ };
    my $key = @kernel == keys %values ? first { $is_short->(@{ $values{$_} }) } @kernel
        : keys %values == 1 ? (keys %values)[0] : undef;
    my @names = !defined $key ? () : @kernel ? @{ $values{$key} } : map { "$key $_" } @{ $values{$key} };
    return @names if @names && $names[0] ne $names[1] && all { length $_ <= NAME_LENGTH } @names;
    my @files = map { printable($_->{file}) } $base, $file;
    my @short = map { basename($_) } @files;
    return $files[0] eq $files[1] ? qw(BASE FILE) : $short[0] eq $short[1] ? @files : @short;
}

# Hashes of a code with what it needs. unlike: key, base, file, measured in different ways (Model::Likeness);
# unlike_unknown: file, which lacks key; counted: file counts wake-ups, the other periods; buckets: file, from 2002;
# shared: runs in both; repeated: file, and how many of its runs are copies; verdict: file, with that verdict;
# contradicted: file, whose lateness is unreliable for that reason; break: file, which --break ended. Copies narrow the
# intervals, and shared runs make both alike.
sub _doubts ($measure, @reports) {
    my $shared = shared(@reports);
    my @unlike = map {
        my ($key, $base, $file) = @$_{qw(key base file)};
        defined $base && defined $file ? { code => 'unlike', key => $key, base => text($base), file => text($file) }
            : { code => 'unlike_unknown', key => $key, file => text($reports[defined $base ? 1 : 0]{file}) };
    } differing(@reports);
    my %of_one = (
        counted => [grep { ($_->header('lateness_of') // '') eq 'wake-ups' } @reports],
        buckets => [_of_2002(@reports)],
    );
    return (
        @unlike,
        (map { { code => $_, file => text($of_one{$_}[0]{file}) } } grep { @{ $of_one{$_} } == 1 } qw(counted buckets)),
        $shared ? { code => 'shared', runs => number($shared) } : (),
        (map { { code => 'repeated', file => text($_->{file}), runs => number(repeated($_)) } }
            grep { repeated($_) } @reports),
        map {
            my ($file, $verdict) = (text($_->{file}), $_->header('verdict') // 'valid');
            ($verdict ne 'valid' ? { code => 'verdict', file => $file, verdict => text($verdict) } : (),
                $measure eq 'lateness' && defined $_->{contradiction}
                    ? { code => 'contradicted', file => $file, reason => text($_->{contradiction}) } : (),
                ($_->header('status') // '') eq 'break'
                    ? { code => 'break', file => $file, latency => text($_->{latency_name}) } : ());
        } @reports,
    );
}

# Whether the ratio at $percentile is above $limit beyond chance: a hash of percentile, limit, the interval low to high,
# and exceeded, true if the whole interval is above the limit. If an open end or a missing interval leaves this unknown,
# exceeded is undef, code is the reason (identical, samples, bins, short, zero, open), and remedy what to do (other_run,
# lower, longer, minute, finer).
sub limit ($comparison, $percentile, $limit) {
    my $row = first { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
    my ($why, $low, $high) = @{ $row // {} }{qw(judgement low high)};
    my ($code, $remedy) = $comparison->{identical} ? qw(identical other_run)
        : REMEDIES->{$why} ? ($why, REMEDIES->{$why})
        : $low > $limit || defined $high && ($low > 0 || $high <= $limit) ? ()
        : ('open', $low > 0 ? 'longer' : 'finer');
    return {
        percentile => number($percentile), limit => number($limit), low => $low, high => $high,
        exceeded   => defined $code ? undef : truth($low > $limit), code => $code, remedy => $remedy,
    };
}

# Pairs the first run with each of the others; the cells of a ring's table with the same cells of the other tables. A
# missing cell has an array of three: undef, the cell, and the first of the table without it.
sub pairs (@runs) {
    my @tables;     # a run that is no cell is one of its own
    for my $run (@runs) {
        my ($report) = @{ $run->{reports} };
        my $goes_on = @tables && defined $report->{cell} && ($report->header('part') // '1') !~ /^1\b/;
        $goes_on ? push @{ $tables[-1] }, $run : push @tables, [$run];
    }
    my ($base, @others) = @tables;
    return map { [$base->[0], $_] } map { @$_ } @others if @$base == 1;
    my %cell = map { $_->{reports}[0]{cell} => $_ } @$base;
    return map {
        my $same = $cell{ $_->{reports}[0]{cell} // '' };
        [$same, $_, $same ? () : $base->[0]];
    } map { @$_ } @others;
}

# Compares the pooled CPUs of two runs. base and file have cpus, their number, if a run has several; threads is true if
# these are threads of another program.
sub together ($base, $run, $measure) {
    my $comparison = compare(pooled($base), pooled($run), $measure);
    my %cpus = (base => scalar @{ $base->{reports} }, file => scalar @{ $run->{reports} });
    if (grep { $_ > 1 } values %cpus) { $comparison->{$_}{cpus} = $cpus{$_} for keys %cpus }
    $comparison->{threads} = truth(!grep { !defined $_->{reports}[0]->header('thread') } $base, $run);
    return $comparison;
}

1;
