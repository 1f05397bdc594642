# SPDX-License-Identifier: GPL-2.0-or-later
# What realfeel(5) says about a report: the keys of its header, the columns of its data sets, and the types of both.
package Realfeel::Input::Keys;
use Realfeel::Base::Modern;
use feature 'state';

use Realfeel::Base::Units qw(cut);

use constant QUOTED => 60;      # columns of a value that is refused
use constant TIME => '\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,18})?Z';
# The series that measure latency: since due or else asked, since due, since asked. The first that a report has is its
# latency.
use constant LATENCIES => qw(delay lateness wakeup);
use constant PARTS => qw(expiry waking switch again stamp);     # of a lateness, in the order of time
use constant SETS => qw(runs slices slice_bins events parts parts_by_lateness records);     # behind the histogram
use constant SERIES => qw(min_ns:signed::- max_ns:signed::- mean_ns:signed::- sd_ns:number::- sum_ns:whole::-
    sumsq_ns2:whole::-);
use constant MOMENTS => map { s/:.*//r } SERIES;
use constant RECORDS => qw(expire waking switch_out switch_in irq_entry irq_exit softirq_entry softirq_exit vector_entry
    vector_exit lost);

# At most as many digits as 64 bits always hold, so that no number is infinite: 31 years in ns. Sums of squares have
# more.
use constant COUNT  => '\d{1,18}';
use constant NUMBER => '\d{1,18}(?:\.\d{1,18})?';
use constant EDGE => '\d{1,18}(?:\.\d\d|\.\d|)';            # of a bin; two decimals first, for most have them
use constant SECONDS => '\d{1,9}(?:\.\d{1,18})?';

# The keys in the order of realfeel(5), each as key:type:rule:line after its class. A setting was requested or found; a
# source is a setting that other programs record, too; a result is what the run did, or differs with every run; a hidden
# key is no longer shown. Without a type any text will do. The rule, a name in Model::Header, says how unequal values
# are merged; without one, texts become "several" and numbers are dropped. The line of stats that shows the key is =NAME
# if it shows only this key, NAME if others, too, and is put together in Show::Figures; /v: only -v shows it. Keys
# without a line go to "Environment" on a page, those with line "-" elsewhere. A series is one key for each of MOMENTS.
use constant HEADER => <<'END' =~ s/(\w+_)\*/join ' ', map { "$1$_" } SERIES/ger;
result  part:part status::status:status verdict::verdict:- remarks::remarks:=remarks/v latency_p50_us:signed::-
result  latency_p99_us:signed::- latency_p99_9_us:signed::- latency_max_us:signed:greatest:- label command:::-
setting version
result  started:word:first duration_s:seconds:seconds:status
source  source:::source
result  thread:thread::thread
setting thread_name:::thread thread_siblings:positive:dropped:thread thread_policy:::thread
setting thread_priority:count:dropped:thread thread_cpus:::thread
result  threads_asleep:::thread
setting stamp
result  threads_begun:::thread thread_ended_s:seconds::thread sleepless_s:seconds::-
result  inferred_period_ns:number::woken/v inferred_missed:count:counts:woken/v inferred_sleep_ns:number::rate
result  inferred_rate_hz:number::rate
source  frequency_hz:number::source period_ns:number
setting processes:positive::ring array_bytes:count::ring
result  hop_overhead_ns:numbers:ends:lmbench anchor_uncertainty_ns:number:greatest:anchor/v
setting phases
result  phase_ns:number
setting clock:::clock/v
result  tsc_hz:number::clock/v tsc_error_ppm:number:greatest:clock/v tsc_drift_ppm:number:greatest:clock/v
result  schedule::schedule
setting explain:::explain
result  explain_with_ns:known_number explain_without_ns:known_number explain_wakings:known_share:shares
result  explain_switches:known_share:shares explain_traced:known_share:shares
setting own_processes:processes:words
result  limit max_ns:number::max/v max::exceeded:max/v break_ns:number::break trace
setting load:::load load_cpus
result  load_exit:::load load_ended_by:::load load_ended_s samples:count:added:- periods:known_count:added:missed/v
result  missed:known_count:added:missed/v matched:count:counts:matched/v unmatched:count:counts:matched/v
result  unasked:count:counts:matched/v timed:count:counts:woken/v slack_mean_ns:number::-
result  preempted:count:counts:preempted preempted_max_ns:number:greatest:- lmbench_us:signed:least:lmbench
result  lmbench_overhead_us:signed::lmbench lmbench_doubtful::remarks:lmbench early_wakeups:known_count:added:early
source  return_code lateness_of
result  lacking:count:counts moments
source  bins::first
result  slices_joined:positive interval_* lateness_* wakeup_* delay_* stamp_interval_* parts_matched:count:counts
result  parts_unknown:count:counts trace_lost:count:counts parts_lateness_sum_ns:whole::- expiry_* waking_* switch_*
result  again_* stamp_*
setting dma_latency_us waker:::waker/v waker_cpu:::waker/v policy priority
result  memory_locked_kb
setting cpu timer_slack_ns preflight
result  suspended_s:known_seconds:seconds clock_step_s:known_signed:seconds rtc_gap_s steal_ms:known_count:added
result  smis:known_count:added rt_throttled::yes migrations:known_count:added stopped_ms:known_count:added frozen::yes
setting hostname kernel_release:::kernel kernel_version distribution machine board bios cpu_model cpus_online
setting clocksource kernel_command_line
result  boot_id
setting preemption:::kernel preemption_from sched_ext isolcpus nohz_full rcu_nocbs microcode smt smt_siblings
setting mitigations idle_driver idle_states_us governor frequency_khz boost rt_runtime_us rt_period_us cgroup
setting tuned_profile hypervisor container
hidden  deduced
END

# For each type of value a pattern, and its name for people
use constant TYPE => {
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
};

# The columns of each data set in order, as name:type, and :which for those that not every report has. due and asked:
# where it is known when a wake-up was due or requested; both: where both are; either: where each wake-up has one of
# them; merged: reports of several runs; counted: machines that count it; explained: realfeel --explain; old: realfeel
# 0.1, and skipped.
use constant COLUMNS => {
    map { my ($name, @columns) = split; $name => [map { [split /:/] } @columns] } split /\n(?! )/, <<'END' };
histogram from_us:edge to_us:open interval:count:due early:count:due delay:count:either lateness:count:due
    wakeup:count:asked
runs run:positive started:word duration_s:known_seconds samples:count periods:known_count missed:known_count
    verdict:word
slices run:positive:merged start_s:seconds seconds:seconds wakeups:count periods:count missed:count
    delay_max_us:signed:either lateness_max_us:signed:due interval_max_us:signed:due wakeup_max_us:signed:asked
    smis:known_count:counted
slice_bins run:positive:merged start_s:seconds seconds:seconds from_us:edge to_us:open delay:count:either
    lateness:count:due wakeup:count:asked
events run:positive:merged at_s:seconds utc:time period:positive delay_us:signed:either lateness_us:signed:due
    interval_us:signed:due wakeup_us:signed:asked periods:positive cpu_before:known_count cpu:known_count
    wakeup_us:known_signed:both run_delay_us:known_number:old switches:known_count:old faults:known_count:old
    interrupts:known_count:old smis:known_count:explained counting_us:known_number:explained
    expiry_us:known_signed:explained waking_us:known_signed:explained switch_us:known_signed:explained
    again_us:known_signed:explained stamp_us:known_signed:explained
parts from_us:edge to_us:open expiry:count waking:count switch:count again:count stamp:count
parts_by_lateness from_us:edge to_us:open wakeups:count expiry:signed waking:signed switch:signed again:signed
    stamp:signed
records event:count at_us:signed cpu:known_id kind:record name:word id:known_id priority:priority detail:word
    stack:word
END

use constant OLD => { map { $_->[0] => 1 } grep { ($_->[2] // '') eq 'old' } map { @$_ } values %{ +COLUMNS } };

# For each key of HEADER its place there, class, type and merge rule; line (undef if none); alone (whether that line has
# no other); and is_long (whether only -v shows it)
use constant KEYS => do {
    my ($place, %keys) = 0;
    for my $line (split /\n/, HEADER) {
        my ($class, @keys) = split ' ', $line;
        for (@keys) {
            my ($key, $type, $rule, $shown) = split /:/;
            my ($alone, $line, $is_long) = ($shown // '') =~ m{^(=?)([^/]+)(/v)?$};
            $keys{$key} = { place => $place++, class => $class, type => $type || undef, rule => $rule || undef,
                line => $line, alone => $alone, is_long => $is_long };
        }
    }
    \%keys;
};

# What the table says about a key. One of another version is a setting, or a result if it ends in _after.
sub key ($key) {
    return KEYS->{$key} // { class => $key =~ /_after$/ ? 'result' : 'setting' };
}

# In the order of realfeel(5), then those that it lacks
sub ordered (@keys) {
    my $last = keys %{ KEYS() };
    my %place = map { $_ => (KEYS->{ s/_after$//r } // { place => $last })->{place} } @keys;
    return sort { $place{$a} <=> $place{$b} || $a cmp $b } @keys;
}

# A hash from the keys that have a merge rule to the rule's name
sub merge_rules {
    return map { $_ => KEYS->{$_}{rule} } grep { KEYS->{$_}{rule} } keys %{ KEYS() };
}

# What is wrong with a value of that type, by default that of the header key; undef if nothing
sub fault ($name, $value, $type = key($name)->{type}) {
    return undef unless defined $type;
    my ($pattern, $meaning) = @{ TYPE->{$type} };
    state %whole;
    $whole{$type} //= qr/\A(?:$pattern)\z/;
    return $value =~ $whole{$type} ? undef : "$name is '" . cut($value, QUOTED) . "', not $meaning";
}

# The columns of $set that every report has or that are in %$is_there, in order. Wake-up latency takes the place of
# lateness if that is missing, else it follows lateness and delay.
sub in_order ($set, $is_there) {
    my $elsewhere = $is_there->{lateness_us} || $is_there->{delay_us} ? 'asked' : 'both';
    return grep { !$_->[2] || $is_there->{ $_->[0] } && ($set ne 'events' || $_->[2] ne $elsewhere) }
        @{ COLUMNS->{$set} };
}

# Rows as a hash from names to arrays of values, for all columns or those wanted
sub columns ($names, $text, @wanted) {
    my %is_wanted = map { $_ => 1 } @wanted ? @wanted : @$names;
    my @fields = split ' ', $text;
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
