# SPDX-License-Identifier: GPL-2.0-or-later
# Turns another program's file into reports. Input::Json and Input::Text have a function for each format, read_NAME, of
# the Lines of a file and, for formats that do not tell it, the unit in ns. It dies with one line or returns a hash:
#
#   source   the program
#   unit_ns  the unit of the numbers below, if the file tells it
#   width    of a bucket
#   edge     values left out of the buckets are not less; by default the end of the last bucket
#   parts    a hash from the number of a thread or CPU to a part, see below
#   part     what a part is called
#   header   further lines of the report's header, a hash, if any
#   reasons  why the verdict is suspect, a list, if any
#   ours     what realfeel-analyze exported there, lateness or wakeup; by default lateness
#   of       what was counted, by default wake-ups
#
# A part is a hash:
#
#   total    how many samples it has
#   min, max, mean, sd      if known
#   bins     the counts of buckets by number; or instead
#   cells    a list of [from, to, count] in ns, with edges that a report can have
#   edge     as above, if it differs
#   expected how many samples it should have
#   cpu, duration_s, early_wakeups, slices, slice_bins      if known
#   is_exact whether the figures are
#   is_least whether more samples may lie beyond than the total tells
package Realfeel::Input::Import;
use Realfeel::Base::Modern;

use List::Util qw(max sum0 uniq);
use Realfeel::Base::Units qw(decimal);
use Realfeel::Input::Lines;

# The module that reads each format, what its files begin with, if that tells, and the unit of their times in ns if the
# file does not tell it; 0 if the user has to
use constant FORMATS => {
    cyclictest     => ['Text', qr/^# Histogram\s*$/m, 1000],
    jitterdebugger => ['Json', qr/\A\s*\{.*"resolution_in_ns"\s*:.*"cpu"\s*:\s*\{/s],
    osadl          => ['Json', qr/\A\s*\{.*"RT Dataset"/s],
    rtla           => ['Text', qr/^# RTLA |^# Time unit is \w+ \(/m],
    'rt-tests'     => ['Json', qr/\A\s*\{.*"(?:rt_test_version:?|file_version)"\s*:/s],
    values         => ['Text', undef, 0],
};

use constant {
    EDGE_NS     => 10,      # the edges of a report are multiples of this
    NS_PER_US   => 1000,
    NS_PER_S    => 1e9,
    LENGTH_MAX  => 18,      # of a count, in digits
    TIME_MAX    => 1e15,    # ns: eleven days
    OF          => { lateness => 'periods', wakeup => 'requests' },
};

sub formats { return sort keys %{ FORMATS() } }

# The format of a file that begins like this; undef if the beginning does not show it
sub recognised ($head) {
    return (grep { FORMATS->{$_}[1] && $head =~ FORMATS->{$_}[1] } formats())[0];
}

# The reports of the parts, as Output::Writer takes them, one each. %$option has format, by default recognised; label;
# thread, the only part to take; and unit_ns, period_ns and duration_s, used where the file does not tell. $path may be
# an Input::Lines. A part becomes the report of its CPU, or of its thread if several parts share one. Dies with one
# line.
sub imported ($path, $option) {
    return _reports(foreign($path, $option), $option->{label});
}

# The checked run of a file, as above, but with parts as a list ordered by number. Each part also has its number, cells,
# the histogram; beyond, the samples beyond it; lacking, how many fewer than expected, undef if unknown; and
# contradiction, if any.
sub foreign ($path, $option) {
    my $lines = ref $path ? $path : Realfeel::Input::Lines->open($path);
    my ($format, $asked_ns) = ($option->{format} // _format_of($lines), $option->{unit_ns});
    my ($module, undef, $default_ns) = @{ FORMATS->{$format} };
    $lines->fail(0, 'tells the unit of its times; leave out --unit') if $asked_ns && !defined $default_ns;
    $lines->fail(0, 'does not tell the unit of its times; give --unit=us, or ns, ms or s')
        unless $asked_ns || ($default_ns // 1);
    require "Realfeel/Input/$module.pm";
    my $unit_ns = $asked_ns // $default_ns;
    my $run = "Realfeel::Input::$module"->can('read_' . $format =~ tr/-/_/r)->($lines, $unit_ns);
    return _checked($lines, { unit_ns => $unit_ns, %$run }, $option);
}

sub _format_of ($lines) {
    my $head = $lines->head;
    $lines->fail(0, 'is a report of realfeel; name the file of another program') if $head =~ /^# realfeel \d/;
    return recognised($head)
        // $lines->fail(0, 'is of no format that its beginning tells; name one with --format: ' . join ', ', formats());
}

sub _checked ($lines, $run, $option) {
    my @parts = _chosen($lines, $run, $option->{thread});
    my $period_ns = _only($lines, 'period', 'ns', $run->{period_ns}, $option->{period_ns});
    for my $part (@parts) {
        $part->{duration_s} = _only($lines, 'duration', 's', $part->{duration_s}, $option->{duration_s});
        _check_figures($lines, $run, $part);
        _add_cells($run, $part);
        my $expected = $part->{expected}
            // ($part->{duration_s} && $period_ns ? int($part->{duration_s} * NS_PER_S / $period_ns) : undef);
        next if !defined $expected || $run->{ours};
        @$part{qw(expected lacking)} = ($expected, max(0, $expected - $part->{total}));
    }
    return { %$run, parts => \@parts, period_ns => $period_ns };
}

sub _chosen ($lines, $run, $number) {
    my $parts = $run->{parts};
    my @numbers = sort { $a <=> $b } keys %$parts;
    $lines->fail(0, "holds no $run->{part}; take another copy") unless @numbers;
    $lines->fail(0, "has no $run->{part} $number; choose one of " . join ', ', @numbers)
        if defined $number && !$parts->{$number};
    return map { +{ %{ $parts->{$_} }, number => $_ } } $number // @numbers;
}

# The file's own value, or the user's if the file has none
sub _only ($lines, $name, $unit, $told, $asked) {
    $lines->fail(0, "gives the $name as $told $unit; leave out --$name") if $asked && $told && $asked != $told;
    return $told || $asked;
}

sub _check_figures ($lines, $run, $part) {
    $lines->fail(0, 'holds more samples than can be counted; the file is damaged')
        if length $part->{total} > LENGTH_MAX;
    my ($far) = grep { defined && abs $_ >= TIME_MAX / $run->{unit_ns} } @$part{qw(min max mean sd)},
        max(keys %{ $part->{bins} // {} });
    $lines->fail(0, "gives a latency of $far; the file is damaged, take another copy") if defined $far;
}

# Whole buckets with edges that can be written; the open one takes all that reach into it
sub _add_cells ($run, $part) {
    return $part->{beyond} = 0 if $part->{cells};
    my ($unit_ns, $bins) = ($run->{unit_ns}, $part->{bins});
    my $cell = my $width_ns = $unit_ns * $run->{width};
    $cell += $width_ns while $cell % EDGE_NS;       # edges have to be multiples of what can be written
    my $floor = sub ($ns) { $ns - $ns % $cell };
    my ($end, %count) = ($unit_ns * ($part->{edge} // $run->{edge} // 0));
    for my $bucket (grep { $bins->{$_} } keys %$bins) {
        $count{ $floor->($unit_ns * $bucket) } += $bins->{$bucket};
        $end = max($end, $unit_ns * ($bucket + $run->{width}));
    }
    my $beyond = $part->{total} - sum0(values %count);
    my $edge = $beyond ? $floor->($end) : undef;
    my @from = sort { $a <=> $b } grep { !defined $edge || $_ < $edge } keys %count;
    my @cells = map { [$_, $_ + $cell, delete $count{$_}] } @from;
    @$part{qw(beyond cells)} = ($beyond, [@cells, $beyond ? [$edge, 'inf', $beyond + sum0(values %count)] : ()]);
    $part->{contradiction} = "of $beyond samples beyond the histogram, which ends at " . $end / $unit_ns
        . ", none can be if the maximum is $part->{max}"
        if $beyond && defined $part->{max} && $part->{max} * $unit_ns < $end;
}

sub _reports ($run, $label) {
    my @parts = @{ $run->{parts} };
    my $has_cpus = @parts == uniq grep { defined } map { $_->{cpu} } @parts;
    my $has_threads = !$has_cpus && @parts > 1 && $run->{part} eq 'thread';
    return map {
        my %place = (cpu => $has_cpus ? $_->{cpu} : undef, thread => $has_threads ? $_->{number} : undef);
        _report({ %$run, label => $label }, { %$_, %place });
    } @parts;
}

sub _report ($run, $part) {
    my ($latency, $period_ns) = ($run->{ours} // 'lateness', $run->{period_ns});
    my %header = (
        status => 'unknown',
        verdict => _verdict($run, $part),
        (map { $_ => $run->{$_} } qw(label source period_ns)),
        frequency_hz => $period_ns ? decimal(NS_PER_S / $period_ns, 3) =~ s/\.?0+$//r : undef,
        samples => $part->{total},
        (map { $_ => 'unknown' } qw(periods missed)),
        early_wakeups => $part->{early_wakeups} // 'unknown',
        lacking       => $part->{lacking},
        lateness_of => OF->{ $run->{ours} // '' } // $run->{of} // 'wake-ups',
        moments     => $part->{is_exact} ? undef : 'from the bins',
        %{ $run->{header} // {} }, (map { $_ => $part->{$_} } qw(duration_s thread cpu)),
        # What the program computed itself
        (map { ("${latency}_${_}_ns" => /^m(?:in|ax)$/ ? sprintf('%.0f', $part->{$_} * $run->{unit_ns})
            : decimal($part->{$_} * $run->{unit_ns}, 3))
        } grep { $part->{total} && defined $part->{$_} } qw(min max mean sd)),
    );
    my $sets = { map { $_ => $part->{$_} } grep { $part->{$_} } qw(slices slice_bins) };
    delete @header{ grep { !defined $header{$_} } keys %header };
    my @cells = @{ $part->{cells} };
    my %histogram = (
        from_us  => [map { $_->[0] / NS_PER_US } @cells],
        to_us    => [map { $_->[1] eq 'inf' ? 'inf' : $_->[1] / NS_PER_US } @cells],
        $latency => [map { $_->[2] } @cells],
    );
    return { header => \%header, histogram => \%histogram, %$sets };
}

sub _verdict ($run, $part) {
    my ($samples, $of) = ($part->{total}, OF->{ $run->{ours} // '' });
    my @reasons = (
        "imported from $run->{source}: validity of the run and missed periods are not known",
        $part->{contradiction} // (),
        $part->{beyond} ? ($part->{is_least} ? 'at least ' : '')
            . "$part->{beyond} of $samples samples lie beyond the histogram" : (),
        @{ $run->{reasons} // [] },
        $of ? "written by realfeel: counts are of $of, including missed ones, not of wake-ups" : (),
    );
    return ($samples ? 'suspect: ' : 'invalid: nothing was measured; ') . join '; ', @reasons;
}

1;
