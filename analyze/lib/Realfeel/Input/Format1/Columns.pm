# SPDX-License-Identifier: GPL-2.0-or-later
# The keys and columns of version 1 of the report, and their types.
package Realfeel::Input::Format1::Columns;
use Realfeel::Base::Modern;
use feature 'state';

use Exporter 'import';
our @EXPORT_OK = qw(COLUMNS HEADER LATENCIES PARTS SETS TYPE columns fault fields in_order unescaped);

use Realfeel::Base::Units qw(cut);

use constant QUOTED => 60;      # columns of a value that is refused
use constant TIME => '\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,18})?Z';
# The series that measure latency: since due or else asked, since due, since asked. The first that a report has is its
# latency.
use constant LATENCIES => qw(delay lateness wakeup);            # since due or else asked, since due, since asked
# The parts of a lateness in order of time
use constant PARTS => qw(expiry waking switch again stamp);     # of a lateness, in the order of time
# The data sets behind the histogram, in order
use constant SETS => qw(runs slices slice_bins events parts parts_by_lateness records);
use constant RECORDS => qw(expire waking switch_out switch_in irq_entry irq_exit softirq_entry softirq_exit vector_entry
    vector_exit lost);

# At most as many digits as 64 bits always hold, so that no number is infinite: 31 years in ns. Sums of squares have
# more.
use constant COUNT  => '\d{1,18}';
use constant NUMBER => '\d{1,18}(?:\.\d{1,18})?';
use constant EDGE => '\d{1,18}(?:\.\d\d|\.\d|)';            # of a bin; two decimals first, for most have them
use constant SECONDS => '\d{1,9}(?:\.\d{1,18})?';

use constant {
    # For each type of value a pattern, and its name for people
    TYPE => {
        count        => [COUNT,                'a whole number of 0 or more'],
        positive     => ['[1-9]\d{0,17}',      'a whole number of 1 or more'],
        number       => [NUMBER,               'a number of 0 or more'],
        signed       => ['-?' . NUMBER,        'a number'],
        whole        => ['-?\d{1,60}',         'a whole number'],
        seconds      => [SECONDS,              'a number of seconds below 1000000000'],
        edge         => [EDGE,                 'a number of 0 or more with two decimals'],
        open         => [EDGE . '|inf',        'a number of 0 or more with two decimals'],
        time         => [TIME,                 'a time like 2026-11-20T23:05:57.123456Z'],
        known_count  => [COUNT . '|unknown',   "a whole number of 0 or more, nor 'unknown'"],
        known_number => [NUMBER . '|unknown',  "a number of 0 or more, nor 'unknown'"],
        known_seconds => [SECONDS . '|unknown', "a number of seconds below 1000000000, nor 'unknown'"],
        known_signed => ["-?${\NUMBER}|unknown", "a number, nor 'unknown'"],
        known_share  => ["${\COUNT} of ${\COUNT}|unknown", "two numbers like '18178 of 18181', nor 'unknown'"],
        numbers      => [NUMBER . '(?: ' . NUMBER . '){0,63}', "numbers like '212.1 213.0'"],
        thread       => ['0|[1-9]\d{0,9}|several', "the number of a thread, nor 'several'"],
        part         => ['[1-9]\d{0,5} of [1-9]\d{0,5}', "a part like '2 of 4'"],
        word         => ['\S+',                'a word'],
        priority     => ['rt:\d{1,2}|nice:-?\d{1,2}|deadline|-', "a priority like 'rt:97' or 'nice:-5'"],
        known_id     => ['\d{1,10}|-',         "a whole number, nor '-'"],
        record       => [join('|', RECORDS),   'one of ' . join(', ', RECORDS)],
        processes    => ['[a-z]+:\d{1,10}(?: [a-z]+:\d{1,10})*', "processes like 'keeper:123 meter:124'"],
    },

    # The columns of each data set in order: name, type, and for those that not every report has, which ones do. due and
    # asked: where it is known when a wake-up was due or asked for; both: where both are; either: where each wake-up has
    # one of them; merged: reports of several runs; counted: machines that count it; explained and old: realfeel
    # --explain, now and formerly.
    COLUMNS => {
        histogram => [
            [from_us => 'edge'], [to_us => 'open'],
            (map { [$_ => 'count', 'due'] } qw(interval early)), [delay => 'count', 'either'],
            [lateness => 'count', 'due'], [wakeup => 'count', 'asked'],
        ],
        runs => [
            [run => 'positive'], [started => 'word'], [duration_s => 'known_seconds'],
            [samples => 'count'], (map { [$_ => 'known_count'] } qw(periods missed)), [verdict => 'word'],
        ],
        slices => [
            [run => 'positive', 'merged'],
            [start_s => 'seconds'], [seconds => 'seconds'],
            [wakeups => 'count'],  [periods => 'count'], [missed => 'count'],
            [delay_max_us => 'signed', 'either'], (map { ["${_}_max_us" => 'signed', 'due'] } qw(lateness interval)),
            [wakeup_max_us => 'signed', 'asked'],
            [smis => 'known_count', 'counted'],
        ],
        slice_bins => [
            [run => 'positive', 'merged'],
            [start_s => 'seconds'], [seconds => 'seconds'],
            [from_us => 'edge'], [to_us => 'open'],
            [delay => 'count', 'either'], [lateness => 'count', 'due'], [wakeup => 'count', 'asked'],
        ],
        events => [
            [run => 'positive', 'merged'],
            [at_s => 'seconds'], [utc => 'time'], [period => 'positive'],
            [delay_us => 'signed', 'either'], (map { [$_ => 'signed', 'due'] } qw(lateness_us interval_us)),
            [wakeup_us => 'signed', 'asked'],
            [periods => 'positive'], (map { [$_ => 'known_count'] } qw(cpu_before cpu)),
            [wakeup_us => 'known_signed', 'both'],
            [run_delay_us => 'known_number', 'old'],
            (map { [$_ => 'known_count', 'old'] } qw(switches faults interrupts)),
            [smis => 'known_count', 'explained'], [counting_us => 'known_number', 'explained'],
            (map { ["${_}_us" => 'known_signed', 'explained'] } PARTS),
        ],
        parts => [[from_us => 'edge'], [to_us => 'open'], map { [$_ => 'count'] } PARTS],
        parts_by_lateness => [
            [from_us => 'edge'], [to_us => 'open'], [wakeups => 'count'], map { [$_ => 'signed'] } PARTS,
        ],
        records => [
            [event => 'positive'], [at_us => 'signed'], [cpu => 'known_id'], [kind => 'record'], [name => 'word'],
            [id => 'known_id'], [priority => 'priority'], [detail => 'word'], [stack => 'word'],
        ],
    },
    # The type of each header key that has one
    HEADER => {
        part    => 'part',
        started => 'word',
        samples => 'count',
        started => 'word',
        (map { $_ => 'known_count' } qw(periods missed early_wakeups steal_ms smis migrations
            stopped_ms)),
        duration_s => 'seconds',
        (map { $_ => 'number' } qw(frequency_hz period_ns phase_ns anchor_uncertainty_ns max_ns break_ns
            tsc_hz tsc_error_ppm tsc_drift_ppm)),
        suspended_s => 'known_seconds', clock_step_s => 'known_signed', slices_joined => 'positive',
        (map { $_ => 'known_number' } qw(explain_with_ns explain_without_ns)),
        (map { $_ => 'known_share' } qw(explain_wakings explain_switches explain_traced)),
        (map { $_ => 'count' } qw(parts_matched parts_unknown trace_lost)),
        parts_lateness_sum_ns => 'whole',
        processes => 'positive', array_bytes => 'count',
        own_processes => 'processes',
        hop_overhead_ns => 'numbers',
        (map { $_ => 'signed' } qw(lmbench_us lmbench_overhead_us)),
        (map { $_ => 'count' } qw(lacking matched unmatched unasked timed preempted
            inferred_missed thread_priority)),
        thread => 'thread', thread_siblings => 'positive',
        (map { $_ => 'number' } qw(inferred_period_ns slack_mean_ns preempted_max_ns)), thread_ended_s => 'seconds',
        (map { ("latency_${_}_us" => 'signed') } qw(p50 p99 p99_9 max)),
        (map { my $of = $_; (map { ("${of}_${_}_ns" => 'signed') } qw(min max mean)), "${of}_sd_ns" => 'number',
            "${of}_sum_ns" => 'whole', "${of}_sumsq_ns2" => 'whole' } qw(interval stamp_interval), LATENCIES, PARTS),
    },
};

# What is wrong with a value of that type; undef if nothing
sub fault ($name, $type, $value) {
    my ($pattern, $meaning) = @{ TYPE->{$type} };
    state %whole;
    $whole{$type} //= qr/\A(?:$pattern)\z/;
    return $value =~ $whole{$type} ? undef : "$name is '" . cut($value, QUOTED) . "', not $meaning";
}

# The columns of $set that every report has or that are in %$is_there, in order. Wake-up latency takes the place of
# lateness if that is missing, else it stands behind it, and behind delay.
sub in_order ($set, $is_there) {
    my $elsewhere = $is_there->{lateness_us} || $is_there->{delay_us} ? 'asked' : 'both';
    return grep { !$_->[2] || $is_there->{ $_->[0] } && ($set ne 'events' || $_->[2] ne $elsewhere) }
        @{ COLUMNS->{$set} };
}

# The fields of a row, whose last column may be a text up to the end of the line
sub fields ($names, $row) {
    return split ' ', $row, _ends_in_text($names) ? @$names : 0;
}

sub _ends_in_text ($names) { return $names->[-1] =~ /^(?:sentence|text)$/ }

# Rows as a hash from names to arrays of values, for all columns or those wanted
sub columns ($names, $text, @wanted) {
    my %is_wanted = map { $_ => 1 } @wanted ? @wanted : @$names;
    my @fields = _ends_in_text($names) ? map { fields($names, $_) } split(/\n/, $text) : split(' ', $text);
    my @starts = map { $_ * @$names } 0 .. @fields / @$names - 1;
    my %columns;
    for my $i (grep { $is_wanted{ $names->[$_] } } 0 .. $#$names) {
        $columns{ $names->[$i] } = [@fields[map { $_ + $i } @starts]];
    }
    return \%columns;
}

# The original of an escaped name; undef if there is none
sub unescaped ($word) {
    return $word eq '-' ? undef : $word =~ s/\\(?:(\\)|x([0-9a-fA-F]{2}))/$1 || chr hex $2/ger;
}

1;
