# SPDX-License-Identifier: GPL-2.0-or-later
# Every sentence of the analyzer by its code, ordered by verb: stats and what all share, compare, table, explain, try,
# judge, trend, audit. Words of pages are in Words::Page, of pictures in Words::Pictures, headings in Words::Labels, and
# names of measures in Model::Report, as lower rooms need them.
#
# Values stand in braces, {name}; {wakeups:wake-up} is a number with its noun, "1 wake-up" or "12 wake-ups". Errors are
# not here: they name a file and a remedy, and stand where they are raised, in lower rooms.
package Realfeel::Show::Words;
use Realfeel::Base::Modern;

use Carp qw(croak);
use Exporter 'import';
our @EXPORT_OK = qw(words);

use Realfeel::Base::Units qw(counted);
use Realfeel::Show::Words::Labels;
use Realfeel::Show::Words::Page;
use Realfeel::Show::Words::Pictures;

use constant SENTENCES => {
    %{ Realfeel::Show::Words::Labels::WORDS() },
    %{ Realfeel::Show::Words::Page::WORDS() },
    %{ Realfeel::Show::Words::Pictures::WORDS() },

    # stats: what a measure is called, where its name alone would mislead.
    'measure.signed'              => 'signed {measure}',
    'measure.absolute'            => '{measure} without its sign',
    'measure.lateness_of_wakeups' => 'lateness of wake-ups',
    'measure.wakeup_of_wakeups'   => 'latency of wake-ups',
    'note.early_as_0'             => '(early = 0)',
    'note.unreliable'             => '(unreliable)',
    'above.interval'              => 'is above',
    'more.interval'               => 'greater',

    # stats: why a percentile has no value, or no interval, and what it needs.
    'lack.bins'    => 'at least {from}',
    'lack.samples' => 'needs {needed} samples',
    'lack.short'   => 'needs {needed}',
    'short'        => 'too short for intervals: measure a minute',
    'needs'        => 'needs {more}',
    'needs.short'  => 'needs {more}, {time}',
    'needs.long'   => 'needs {more}, {time} at this rate',

    # stats: above, in and below the figures.
    'no_verdict'      => 'no verdict in the file',
    'no_samples'      => 'no samples',
    'figures'         => '{name} in us, with 95 % confidence intervals',
    'figures.short'   => '{name} in us; {short}',
    'percentiles'     => 'percentiles in us, each with its 95 % confidence interval',
    'cpus'            => '{name} in us of each CPU, worst first',
    'threads'         => '{name} in us of each thread, worst first',
    'needs.histogram' => 'beyond the histogram, {from}',
    'roughly'         => '~{value}',
    'and_more'        => 'and {more} more (-v)',
    'more'            => 'more with -v',
    'more.why'        => 'more with -v; {why}',
    'more.explained'  => 'more with -v; next: realfeel-analyze explain {file}',

    # stats: the worst wake-ups, and why nobody knows why they were late.
    'worst'           => 'worst wake-ups by {name}: {listed} of {of}',
    'worst.signed'    => 'worst wake-ups by {name}: {listed} of {of}; interval errors signed',
    'worst.parts'     => 'the parts of their lateness in us',
    'worst.spent'     => 'where the time went',
    'worst.waited'    => 'waiting to run took {share} of their lateness',
    'worst.waited_of' => 'waiting to run took {share} of their lateness (known for {known} of {of})',
    'worst.refused'   => 'no explanation: {reason}',
    'worst.not_asked' => 'run with --explain to see why they were late',
    'why.no_records'  => 'no records were kept',
    'why.refused'     => 'no explanation: {reason}',
    'why.not_asked'   => 'run with --explain to see why the worst was late',

    # stats: on its screen, beside the figures and below them.
    'screen.interval' => '{low} to {high}',
    'worst.at'        => 'at {seconds} s',
    'worst.at_of_run' => 'at {seconds} s of run {run}',
    'worst.utc'       => '{time} UTC',
    'worst.on_cpu'    => 'on CPU {cpu}',
    'worst.why'       => '{place}: {reason}',

    # stats and report: the result.
    'result.percentile' => 'p{percentile} {value}',
    'result.roughly'    => 'p{percentile} ~{value}',
    'result.from'       => 'p{percentile} {value} or more',
    'result.max'        => 'max {value}',
    'result.max_below'  => 'max < {value}',
    'result.verdict'    => '{verdict}: {reason}',
    'result.valid'      => '{verdict}; {remark}',
    'result.remark'     => 'remark: {remark}',
    'result.remarks'    => 'remark: {remark}, and {more} more',

    # stats: intervals, those of a ladder and others.
    'below'      => '< {threshold} us',
    'bracketed'  => '{value} [{low}, {high}]',
    'open.less'  => 'less',
    'open.more'  => 'more',

    # stats: signs in tables.
    'sign.roughly' => '~ marks a percentile beyond which there are too few samples.',
    'sign.lacking' => 'A dash takes the place of what the data do not support.',

    # stats: how the run went.
    'not_known'        => 'not known',
    'several'          => 'more than one',
    'cpus.several'     => 'several CPUs',
    'format.2002'      => 'of 2002, in buckets 100 us wide',
    'moments.2002'     => 'estimated from bucket midpoints; minimum and maximum are outer edges',
    'moments.bins'     => 'estimated from the bins, as the header lacks some',
    'moments.programs' => 'as reported by the programs, otherwise from the bins',
    'moments.program'  => 'minimum, maximum and mean as reported by {source}, the others from the bins',
    'missed.of'        => '{missed} of {periods}',
    'missed.counted'   => 'not known; the counts include it',
    'missed.lacking'   => 'not known; {lacking:cycle} fewer than its duration and rate give',
    'missed.once'      => 'not known; each {value} counts once, however late',
    'early'            => '{early:wake-up} before their due time',
    'early.one'        => '{early:wake-up} before its due time',
    'smis.slices'      => '{count}, in {some} of {slices:slice}',
    'smis.none'        => 'none',
    'anchor'           => 'lateness is overstated by at most {most}',
    'thread'           => '{thread} {thread_name}, {thread_policy} {thread_priority}, CPUs {thread_cpus}',
    'woken'            => '{timed} of {samples} times by its own timer',
    'woken.slack'      => ', which the kernel may delay by {slack} us',
    'preempted'        => 'after {preempted} of these wake-ups, for {most} us at most',
    'woken.period'     => ', apparently every {period} us, {missed} missed',
    'stamps'           => 'intervals are off by {least} to {most}',
    'stamps.sd'        => 'intervals are off by {least} to {most}, sd {sd}',
    'since_stamp'      => 'since the stamp: {figures}',
    'phases.spread'    => '{cpus}, due one after the other',
    'phases.aligned'   => '{cpus}, due at the same instant',
    'duration'         => '{seconds} s',
    'rate'             => '{hz} Hz',
    'source.rate'      => '{source} at {hz} Hz',
    'cpu'              => 'CPU {cpu}',
    'cpu.relative'     => '{cpu} CPU',
    'limit'            => '{us} us, {was}',
    'limit.share'      => '{us} us @ {percentile}, {was}',
    'limit.break'      => '{us} us',
    'counted.kept'     => 'pass (counted)',
    'counted.exceeded' => 'FAIL (counted)',
    'counted.unknown'  => 'unknown',
    'unknown'          => 'unknown',
    'at.mean'          => 'mean {value}',
    'at.percentile'    => 'p{percentile} {value} us',
    'at.max'           => 'max {value}',
    'delays'           => 'each wake-up is {delay}',
    'delay'            => 'about {more} us later',
    'delay.none'       => 'no later',

    # stats: the figure of lat_ctx for a ring, and why it is unreliable, which table says, too.
    'lmbench'          => '{value} us',
    'lmbench.overhead' => ' net of {value} us overhead',
    'lmbench.doubtful' => '; unreliable: {why}',
    'lmbench.nothing'  => 'nothing is left after subtracting it',
    'lmbench.little'   => 'the overhead exceeds what is left',
    'lmbench.varied'   => 'the overhead varied by more than a tenth of what is left',

    # stats: what is added to such a circumstance where it is known.
    'known.started'            => ', from {value} UTC',
    'known.on_host'            => ' on {value}',
    'known.on_cpu'             => ' on CPU {value}',
    'known.tsc_hz'             => ' at {value} Hz',
    'known.tsc_error_ppm'      => ' +- {value} ppm',
    'known.tsc_drift_ppm'      => ', drift up to {value} ppm',
    'known.processes'          => '{value} processes',
    'known.array_bytes'        => ', arrays of {value} bytes',
    'known.matched'            => '{value} events',
    'known.unmatched'          => ', {value} unmatched',
    'known.unasked'            => ', {value} unasked',
    'known.thread_ended_s'     => '; ended after {value} s',
    'known.trace'              => '; trace: {value}',
    'known.load_ended_by'      => '; ended by {value}',
    'known.load_exit'          => ': {value}',

    # stats: why the figures are in doubt.
    'objection.verdict'      => '{reason}',
    'objection.contradicted' => 'the schedule is contradicted: {reason}',

    # stats: whether the run was long enough.
    'later'  => 'a {more} one comes less than once in {time} (95 %)',
    'longer' => 'a run of {time} stays below {max} us (90 %), if nothing changes',
    'enough.later'  => 'no {value} {is_above} {max}; {later}',
    'enough.limit'  => '{values} {is_above} the limit of --max, {limit}',
    'enough.limit_sure' => '{values} {is_above} the limit of --max, {limit}; at most 1 in {one_in} (95 %)',
    'enough.bins'   => 'from p{percentile} on, percentiles lie beyond the histogram: {reason}',
    'enough.needs'  => 'p{percentile} {needs}',
    'enough.slice'  => 'worst slice: {told}',
    'slice'         => 'from {start} s on for {seconds} s',
    'slice.of_run'  => 'run {run}, from {start} s on for {seconds} s',
    'slice.smis'    => '{smis:SMI}',
    'missed'        => '{missed} of {periods} missed',

    # compare: what comes of it. {file} and {base} are what the runs are called, {percentile} is 99.9.
    'compare.identical' => 'Identical runs.',
    'compare.identical_text' => 'Identical runs: the files hold the same figures, and nothing is judged.',
    'compare.of_runs' => '{file}: ',
    'compare.of_these_runs' => '{file}, in these runs alone: ',
    'compare.differs' => 'p{percentile} is {factor} {direction} ({known})',
    'compare.differs_too' => 'p{percentile} {factor} {direction}',
    'compare.interval' => '{interval}',
    'compare.values' => '{file}, was {base}',
    'compare.from_to' => '{least} to {most}',
    'compare.or_more' => '{least} or more',
    'compare.up_to' => 'up to {most}',
    'compare.unknown_up_to' => 'not known up to p{percentile} ({possible} there)',
    'compare.unknown_at' => 'not known at p{percentile} ({possible})',
    'compare.unknown' => 'p{percentile}: not known ({possible})',
    'compare.possible' => '{low} to {high}',
    'compare.is_lower' => '{by} lower',
    'compare.is_higher' => '{by} higher',
    'compare.none_judged' => 'no percentile can be judged',
    'compare.none_judged_short' => 'no percentile can be judged, as {name} is too short',
    'compare.unjudged_open' => '{percentiles}: not judged, as an end of the interval is open',
    'compare.unjudged_zero' => '{percentiles}: not judged, as a value is 0',
    'compare.too_few_samples' => 'p{percentile}: too few samples{in}',
    'compare.too_few_bins' => 'p{percentile}: beyond the last bin{in}',
    'compare.in' => ' in {name}',
    'compare.and' => '{names} and {last}',
    'compare.maximum_equal' => 'Maximum: equal',
    'compare.maximum_unknown' => 'Maximum: not known',
    'compare.maximum_base' => 'Maximum: lower than in each of {pieces} parts of {base}',
    'compare.maximum_file' => 'Maximum: higher in each of {pieces} parts',

    # compare: what it rests on. {side} is BASE or FILE.
    'compare.errors_absolute' => 'absolute {measure}',
    'compare.errors_early_as_0' => '{measure}, early as 0',
    'compare.title' => '{measure}: FILE compared with BASE',
    'compare.title_per_cpu' => '{measure}: FILE compared with BASE, CPU by CPU',
    'compare.pooled_threads' => '{cpus} threads pooled',
    'compare.pooled' => '{cpus} CPUs pooled; --per-cpu compares them one by one',
    'compare.ratios_of_cpus' => 'ratio of FILE to BASE on each CPU; * beyond chance',
    'compare.by_itself' => 'each CPU is judged by itself: of 50 equal ones, 1 gets a star by chance',
    'compare.caution' => 'caution: {doubt}',
    'compare.doubt_unlike' => 'the {settings} differ: {base} and {file}',
    'compare.doubt_unlike_unknown' => 'the {settings} may differ: {file} does not tell',
    'compare.doubt_explain' => 'the {settings} differ: {base} and {file}, and recording delays wake-ups',
    'compare.doubt_counted' => '{file} counts one lateness per wake-up, the other one per period',
    'compare.doubt_buckets' =>
        '{file} is of 2002: both are compared in buckets of 100 us, early wake-ups in the first',
    'compare.doubt_shared' => '{runs:run} in common, which makes them more alike',
    'compare.doubt_repeated' => '{file} holds copies of its own runs: {runs}',
    'compare.doubt_verdict' => '{file} is {verdict}',
    'compare.doubt_contradicted' =>
        'the lateness of {file} is unreliable, as its schedule is contradicted ({reason}); use --measure=interval',
    'compare.doubt_break' => '{file} ended at its first {latency} above --break',
    'compare.lacks_samples' => '{side} needs {needed} samples',
    'compare.lacks_both_samples' => 'needs {needed} samples',
    'compare.lacks_bins' => '{side} is at least {open}',
    'compare.ratio_or_more' => '{least} and more',
    'compare.significant' => '* beyond chance',
    'compare.no_intervals' => '{file}: {short}.',
    'compare.of_samples' =>
        'Intervals take each sample of {files} as independent, without slices: too narrow if late wake-ups come in '
        . 'bursts.',
    'compare.of_units' =>
        'Runs differ beyond chance where their intervals, from the spread of the {units}, do not overlap.',
    'compare.units_fifths' => 'fifths of each run',
    'compare.units_runs' => 'merged runs',
    'compare.units_both' => 'fifths of one run and the runs of the other',
    'compare.unknown_interval' => 'An interval is unknown if a bin starts at 0.',
    'compare.repeat' => 'The intervals do not cover differences between runs of the same kernel: repeat the runs.',
    'compare.parts_none' => 'not compared: {why}.',
    'compare.parts_unlike' =>
        'they were traced with --explain={base} and --explain={file}, and each delays wake-ups by its own time',
    'compare.parts_several' =>
        'both were merged from runs that differ in --explain, and each delays wake-ups by its own time',
    'compare.parts_few' => '{side} has fewer than {needed} wake-ups whose parts are known',
    'compare.parts_unknown' => 'in {side}, the parts of {share} of the wake-ups are unknown',
    'compare.parts_no_median' => '{side} has no median lateness',
    'compare.parts_alike' =>
        'in these runs, none differs by more than it varies within a run and by a twentieth of the lateness or more.',
    'compare.parts_all' => 'by the medians of these runs, with {file} {first}{others} than with {base}.',
    'compare.parts_some' =>
        'by the medians of these runs, with {file} {first}{others} than with {base}; the other parts differ less, or '
        . 'no more than they vary within a run.',
    'compare.part_first' => "'{name}' is {by} us {way} ({from} -> {to})",
    'compare.part_more' => ", '{name}' {by} us {way} ({from} -> {to})",
    'compare.longer' => 'longer',
    'compare.shorter' => 'shorter',
    'compare.environment_alike' => 'No differences in machine, rights or settings.',
    'compare.environment_told' =>
        'Machine, rights and settings: no differences in what both files record, {keys}.',
    'compare.environment_unknown' =>
        'Machine, rights and settings cannot be compared: not every file records them.',
    'compare.environment' => 'environment differences (BASE -> FILE)',
    'compare.environment_brief' => 'environment differs: {keys}{more} (-v)',
    'compare.environment_more' => ' and {more} more',
    'compare.one_order' => 'one order',
    'compare.another_order' => 'another',
    'compare.left_out_no_cell' => '{name} is not compared, for the table of {of} has no such cell',
    'compare.left_out_no_cpu' => '{name}: CPU {cpus} is not compared, for {of} lacks it',
    'compare.left_out_refused' => '{reason}',
    'compare.limit_fail' => 'limit {limit} at p{percentile}: FAIL (the ratio is {interval}, 95 %).',
    'compare.limit_pass' => 'limit {limit} at p{percentile}: pass (the ratio is {interval}, 95 %).',
    'compare.limit_not_yet' => 'limit {limit} at p{percentile}: NOT YET (the ratio is {interval}, 95 %).',
    'compare.limit_unjudged' => 'limit {limit} at p{percentile}: cannot be judged, {reason}.',
    'compare.limit_complaint' => '{file}: p{percentile} cannot be judged: {reason}; {remedy}',
    'compare.limit_identical' => 'identical runs',
    'compare.limit_short' => '{side} is too short for intervals',
    'compare.limit_zero' => 'a value is 0',
    'compare.limit_open' => 'an end of its interval is open',
    'compare.limit_remedy_other_run' => 'name another run',
    'compare.limit_remedy_lower' => 'name a lower percentile',
    'compare.limit_remedy_longer' => 'measure longer',
    'compare.limit_remedy_minute' => 'measure a minute',
    'compare.limit_remedy_finer' => 'measure in finer steps',

    # table: above it, and what the signs below it mean.
    'table.title'    => '{measured} in us{statistic}',
    'table.judged'   => '{verdict}: {runs}; stats tells why',
    'table.open'     => '{value} [open]',
    'table.all'      => 'all',
    'table.of'       => '{runs} of {of}',
    'table.doubt'    => 'unreliable: {reason}',
    'table.lack'     => 'not supported by the data',
    'table.mixed'    => 'caution: lateness counts from the due time of a period, wake-up latency from its request',
    'table.differ'   => 'caution: the runs also differ in {facts}',

    # explain: what has to be known before the parts are believed.
    'finding.self_test' =>
        'self-test failed: the kernel traced {traced} of {counted} context switches, so records of tasks have gaps',
    'finding.lost'      => '{records:trace record} lost',
    'finding.unknown'   => 'the parts of {wakeups} of {samples:wake-up} are unknown',
    'finding.earlier'   =>
        'written by realfeel 0.1 or 0.2, whose account of the worst wake-ups is no longer read; measure again',

    # explain: where there is nothing to explain.
    'unexplained.earlier'   => 'was explained by an earlier realfeel, which knew no parts; measure again',
    'unexplained.merged'    => 'was merged from runs with --explain and others; explain those by themselves',
    'unexplained.refused'   => 'has nothing to explain: {reason}; measure again where --explain can be had',
    'unexplained.thread' =>
        'is of a thread of another program, which is not explained; run realfeel -s nanosleep --explain on its CPU',
    'unexplained.not_asked' => 'was measured without realfeel --explain; measure again with it',

    # explain: what the explanation rests on.
    'explained.matched'   => '{matched} of {samples:wake-up} with what the kernel traced; {lost:record} lost',
    'explained.all'       => '{matched} of {samples:wake-up} with what the kernel traced; no records lost',
    'explained.self_test' => '{traced} of {counted} context switches traced',
    'explained.cost'      =>
        'with --explain each wake-up is {delay}: the median was {with} with it, {without} without',

    # explain: above its sections.
    'explain.none'        => 'none of the worst wake-ups was twice as late as the median, or more',
    'explain.why'         => 'why the worst wake-ups were late',
    'explain.thread'      => '{thread}, {scheduling}: {most} late at worst',
    'explain.traced'      => 'why the worst wake-ups were late, as the kernel traced it',
    'explain.remedies'    => 'what can be done about it',
    'explain.more'        => 'and {more} more with -v',
    'explain.parts'       => 'the parts of the {latency} in us, and their share',
    'explain.parts_above' => 'the parts of the {latency} in us, and their share, also beyond percentiles',
    'explain.culprits'    => 'who had the CPU while the {worst} were late',
    'explain.culprit'     => 'who had the CPU while the {worst} was late',
    'explain.culprits_of' => 'who had the CPU while {told} of the {worst} were late',
    'explain.culprit_of'  => 'who had the CPU while {told} of the {worst} was late',
    'explain.worst'       => '{worst} worst wake-ups',
    'explain.worst_one'   => 'worst wake-up',
    'explain.title'       => '{file}: {level}, {verdict}',
    'explain.see'         => 'see {source}',
    'explain.try'         => 'try it: {try}',
    'explain.remedy'      => '{culprit}: {text}',
    'explain.trace'       => 'the last {last} of {all} records before the break; us since the wake-up was due',

    # explain: why a wake-up was late. {who} ran, for {lapse}; {doubt} is empty, or tells it in parentheses.
    'cause.interrupts_off' => 'the timer interrupt was {lapse} late while {who} ran{doubt}',
    'cause.timer_late' => 'the timer was {lapse} late while {who} ran, though other interrupts came',
    'cause.before_waking' => '{who} ran {lapse} before {self} was woken',
    'cause.unpreemptible' => '{who} was not preempted for {lapse}',
    'cause.outranked' => '{who} ran {lapse}',
    'cause.ran' => '{who} ran {lapse}',
    'cause.taken' => '{who} took the CPU away for {lapse}',
    'cause.throttled' => 'the CPU went to others, or idle, for {lapse} although {self} was ready{doubt}',
    'cause.blocked' => '{who} ran {lapse} while {self} was blocked again',
    'cause.awaited' => '{self} waited {lapse} to be woken by {who}',
    'cause.stopped' => '{self} was stopped for {lapse} by a signal (SIGSTOP, ^Z)',
    'cause.traced' => '{self} was stopped for {lapse} by a debugger',
    'cause.frozen' => '{self} was frozen for {lapse} with its control group',
    'cause.idle' => 'woke from idle, {lapse}',
    'cause.stalled' => 'the CPU was idle for {lapse}, and why is not known',
    'cause.interrupt' => '{who} {lapse}',
    'cause.softirq' => '{who} {lapse}',
    'cause.at_work' => '{self} itself was still at work for {lapse}',
    'cause.overran' => '{self} itself ran for {lapse} after it was due: its own work overran the period',
    'cause.self' => '{self} itself ran {lapse}',
    'cause.no-record' => '{lapse} without any record{doubt}',
    'cause.lost' => '{lapse} unknown: not fully recorded',
    'cause.ring-ends' => 'the records begin {lapse} after {since}',

    # explain: who that was; {task} is one of the first three.
    'who.task'        => "'{name}'",
    'who.load'        => "the load's '{name}'",
    'who.own'         => "realfeel's own {role}",
    'who.with'        => '{task} ({priority})',
    'who.lent'        => '{task} ({priority}, lent)',
    'who.given_up'    => '{task} ({priority}, lent or given up)',
    'who.no_priority' => 'priority unknown',
    'who.irq'         => "interrupt '{name}' (irq {number})",
    'who.softirq'     => 'softirq {name}',
    'who.softirq_in'  => 'softirq {name} in {thread}',
    'who.idle'        => 'the idle task',
    'who.unknown'     => 'time without any record',
    'who.self'        => 'realfeel',

    # explain: in doubt, what it may have been.
    'doubt.throttled'         => 'throttled?',
    'doubt.cpu_max'           => 'cpu.max?',
    'doubt.off'               => 'interrupts off',
    'doubt.off_or_taken'      => 'interrupts off, or the CPU taken away',
    'doubt.smis'              => '{smis:SMI}',
    'doubt.no_smi'            => 'and no SMI',
    'doubt.smi'               => 'SMI?',
    'doubt.hypervisor'        => 'hypervisor?',
    'doubt.hypervisor_or_smi' => 'hypervisor or SMI?',

    # explain: a sentence for each wake-up, or for all that have a cause.
    'why.late'       => '{lapse} late: {reason}',
    'why.after'      => '{lapse} after the request: {reason}',
    'why.rest'       => 'the rest {lapse}',
    'since.due'      => 'due',
    'since.asked'    => 'the request',
    'place.in'       => 'in {functions}',
    'place.kept_off' => 'which {who} kept off the CPU',
    'place.may_have_kept_off' => 'which {who} may have kept off the CPU',
    'place.until'    => 'until {functions}',
    'causes.of'      => '{wakeups} of {of}',
    'causes.most'    => 'up to {most}',
    'causes.mostly'  => 'mostly, as far as known, {cause}; {unknown} is unknown',
    'causes.others'  => '{causes:other cause}, up to {most}',
    'causes.rest'    => 'less than twice as late as the median',
    'culprits.idle'  => 'idle',
    'culprits.more'  => 'and {more} more',

    # explain: what can be done about it.
    'remedy.hypervisor' => 'the hypervisor may have had the CPU: give the virtual CPU one of its own on the host',
    'remedy.firmware' => 'the firmware had the CPU (SMI): turn off monitoring and power management in its setup',
    'remedy.hwlat' => 'the firmware may have had the CPU (SMI): a tracer can tell',
    'remedy.interrupts_rt' => 'interrupts were off: a PREEMPT_RT kernel rarely turns them off',
    'remedy.stacks' => '--explain=stacks tells where in the kernel that is',
    'remedy.preempt_full' => 'let the kernel be preempted, by a boot parameter',
    'remedy.preempt_rt' => 'if the kernel could not be preempted there: a PREEMPT_RT kernel can be, almost everywhere',
    'remedy.timers_rt' => 'timers of others: a PREEMPT_RT kernel expires them in a thread',
    'remedy.softirqs_rt' => 'soft interrupts cannot be preempted: on a PREEMPT_RT kernel they can',
    'remedy.thread_interrupts' =>
        'let interrupts be handled in threads, which real-time processes go before: a boot parameter',
    'remedy.move_interrupt' => 'move the interrupt to CPUs that are not measured',
    'remedy.move_softirq' =>
        'soft interrupts: move the interrupts that raise them (/proc/interrupts) to CPUs that are not measured',
    'remedy.rcu' => 'RCU callbacks: let other CPUs run them, by a boot parameter',
    'remedy.workqueue' => 'a work queue: keep those that are not bound to a CPU on the CPUs that are not measured',
    'remedy.isolate' =>
        'work that other CPUs or timers asked for: isolate the CPU in a cpuset partition, measure from the same '
        . 'shell, and boot with nohz_full={measured} (the kernel leaves out the CPU that it boots on)',
    'remedy.isolate_at_boot' =>
        'work that other CPUs or timers asked for: isolate the CPU, by boot parameters; nohz_full leaves out the '
        . 'CPU that the kernel boots on',
    'remedy.wait' =>
        'work that other CPUs asked for, as when one goes on or off line or code is patched: wait until that is '
        . 'done',
    'remedy.deadline' => 'a deadline task runs before all priorities: keep it on other CPUs',
    'remedy.lower' => 'its priority is not below ours: if it can wait, lower it below ours',
    'remedy.ordinary' =>
        'it is real-time, and no real-time priority is below ours: if it can wait, make it an ordinary process, '
        . 'or measure with a higher --priority',
    'remedy.real_time' => 'realfeel was not real-time: let it go before ordinary processes',
    'remedy.lower_thread' => 'its priority is not below that of the thread: if it can wait, lower it',
    'remedy.ordinary_thread' =>
        'it is real-time, and no real-time priority is below that of the thread: if it can wait, make it an '
        . 'ordinary process, or give the thread a higher priority',
    'remedy.real_time_thread' => 'the thread is not real-time: let it go before ordinary processes',
    'remedy.overrun_thread' =>
        'the thread may have used up its runtime as a deadline task, to which interrupts may be charged, too: give '
        . 'it more',
    'remedy.waiter' =>
        'its priority is lent by a task that waits for its lock; to lower its own does not help: lower that of '
        . 'the task that waits, or keep it from sharing the lock',
    'remedy.waiter_unknown' =>
        'a task that waits for its lock lent it this priority, or it lowered its own meanwhile: lower the priority of '
        . 'the task that waits, or the one that it starts with',
    'remedy.timer_thread' =>
        'it goes before the thread in which this timer expires: put that thread above it, or measure with '
        . '--source=nanosleep',
    'remedy.other_timer' =>
        'this timer expires in a thread, which may wait for locks: use a timer that needs no thread',
    'remedy.unthrottle' =>
        'the kernel may have throttled real-time processes: allow them all of the CPU time; then one that never '
        . 'sleeps hangs its CPU',
    'remedy.fair_server' =>
        'the kernel may have given the CPU to ordinary processes, 50 ms of each second: turn that off; then a '
        . 'real-time process that never sleeps hangs its CPU',
    'remedy.overrun' =>
        'it may have used up its runtime as a deadline task, to which interrupts may be charged, too: measure with '
        . 'a policy without runtime',
    'remedy.cpu_max' => 'its control group may have used up its CPU time: allow it more',
    'remedy.idle_states' => 'the CPU slept: keep it out of deep idle states',
    'remedy.same_pages' => 'the kernel searched for equal pages of memory: have it leave that',
    'remedy.huge_pages' => 'the kernel made huge pages: have it make none',
    'remedy.frequency' => 'the CPU was slow to wake: let it run at its full frequency',
    'remedy.overran' =>
        'its own work took longer than its period: find out what takes the time; do less, or do it less often',
    'remedy.inherit' =>
        'if the thread waited for its lock: use a mutex with priority inheritance (PTHREAD_PRIO_INHERIT), so that no '
        . 'task of a priority between the two keeps it off the CPU',
    'remedy.holder' => 'the thread waited for it, as for a lock: shorten what it does meanwhile, or decouple the two',
    'remedy.stopped' => 'a signal stopped it, as ^Z or kill -STOP does: let nothing do that during a run',
    'remedy.traced' => 'a debugger or tracer held it: let none be attached during a run',
    'remedy.frozen' => 'its control group was frozen, as containers and suspend do: let nothing do that during a run',

    # try: what the ready experiments do, and why one cannot be made.
    'ready.governor' => 'run the measured CPUs at their highest frequency',
    'ready.idle-states' => 'keep the measured CPUs awake, so that they need no time to leave an idle state',
    'ready.dma-latency' => 'keep all CPUs awake, as realfeel does unless told otherwise',
    'ready.preempt-full' => 'let the kernel be preempted almost everywhere',
    'ready.rt-throttling' =>
        'allow real-time processes all of the CPU time, before Linux 6.12; one that never sleeps hangs its CPU then',
    'ready.fair-server' => 'the same from Linux 6.12 on: give ordinary processes no part of a CPU that is busy',
    'ready.irqbalance' => 'stop the daemon that moves interrupts from CPU to CPU',
    'ready.irq-affinity' => 'move interrupts to CPUs that are not measured',
    'ready.workqueue-cpus' => 'keep work queues that are not bound to a CPU on CPUs that are not measured',
    'ready.huge-pages' => 'have the kernel make no huge pages, for which it copies and clears memory',
    'ready.timer-migration' => "keep idle CPUs from leaving their timers to busy ones",
    'ready.same-page-merging' => 'stop the search for equal pages of memory',
    'ready.swappiness' => 'swap only when memory is all but used up; try it with a load that needs memory',
    'lacking.all_measured' => 'all CPUs are measured; measure fewer, with -a',
    'lacking.already' => 'it is {value} already',
    'lacking.debugfs' => '{folder} is not mounted; mount -t debugfs debugfs {folder}',
    'lacking.idle_states' => 'CPU {cpu} has only one idle state',
    'lacking.irqbalance' => 'irqbalance is not running',
    'lacking.locked' => 'another run has changed {file}; wait until it ends',
    'lacking.no_file' => 'there is no {file}',
    'lacking.no_interrupt' => 'no interrupt comes to a measured CPU',
    'lacking.odd' => "{file} says '{value}'",
    'lacking.swap' => 'there is no swap space in use',
    'lacking.unreadable' => '{file}: {error}',

    # try: what a change does. {name} is the change, {statistic} one like p99.9.
    'try.missed'         => 'the share of missed periods',
    'try.differs'        => '{name}: {statistic} is {factor} {direction} ({known}){beside}; {pairs}.',
    'try.none'           => '{name}: {statistic} is 0, was {base}{beside}; {pairs}.',
    'try.from_none'      => '{name}: {statistic} is {variant}, was 0{beside}; {pairs}.',
    'try.unknown'        =>
        '{name}: cannot tell; a difference of less than {unseen} at {statistic} would not have been seen; {pairs}.',
    'try.unknown_any'    => '{name}: cannot tell whether {statistic} differs, it takes more pairs; {pairs}.',
    'try.beside'         => ', {statistic} {factor} {direction}',
    'try.beside_unknown' => ', no difference known at {statistic}',
    'try.pairs'          => '{pairs:pair}',
    'try.pairs_in'       => '{pairs:pair} in {time}',
    'try.either_way'     => '{less} lower to {more} higher',
    'try.in_a_million'   => '{count} in a million',
    'try.left_out'       => '{name}: {pairs:pair} left out: {why}',
    'try.lacks_invalid'  => 'a run is invalid',
    'try.lacks_contradicted' => 'the schedule of a run is contradicted',
    'try.lacks_samples'  => 'a run has fewer than the {needed} samples that this percentile needs',
    'try.lacks_bins'     => 'the percentile is beyond the histogram of a run',
    'try.lacks_empty'    => 'a run has no samples',
    'try.lacks_unknown'  => 'a run did not count them',
    'try.begins'         => 'order of --seed={seed}; each block is kept as {file}',
    'try.any'            => 'any',
    'try.found'          => 'found: {output}',
    'try.restored'       => 'found again at the end: {output}',
    'try.not_restored'   => 'at the end it is not what was found, but: {output}',
    'try.no_change'      =>
        '{name}: at the end of its block the setting is still {output}: the change has no effect, or something '
        . 'else reverts it',
    'try.show_late'      => "show '{command}' did not end within 10 s; give one that does",
    'try.show_long'      => "show '{command}' printed more than 64 KiB; have it print only the setting",
    'try.show_stopped'   => "show '{command}' was stopped, so it is not known whether the setting is restored",
    'try.progress'       => 'pair {pair}: {effects}; at most {time} more',
    'try.so_far'         => '{name} {factor} {direction} at {statistic} ({known})',
    'try.so_far_alike'   => '{name} equal at {statistic}',
    'try.so_far_open'    => '{name} not known at {statistic}',
    'try.open'           => 'any is possible yet',
    'try.script'         => '# Undoes {name}, which an experiment of realfeel-try has changed.',
    'try.undone'         => '{name} is undone',
    'try.guard_replaced' => 'the process that undoes changes was killed; another takes its place',
    'try.killed_undone'  => 'the experiment was killed; its change is undone',
    'try.killed_changed' => 'the experiment was killed and its change could not be undone; run sh {script}',
    'try.interrupted'    => 'the experiment was interrupted',

    # judge: whether a limit is kept. {decides} is the interval of its percentile, else {counted}, how many were above.
    'judge.pass' => 'pass',
    'judge.fail' => 'FAIL',
    'judge.not_yet' => 'NOT YET',
    'judge.told' => '{answer}: {why}',
    'judge.told_of' => '{answer}: {place}: {why}',
    'judge.worst_of' => 'the worst of {of}',
    'judge.left_out' => '{file}: threads with fewer than ten wake-ups are not judged: {threads}',
    'judge.row' => '{above} of {values}',
    'judge.limit' => '{time} @ {percentile}',
    'judge.above_delay' => '{above} of {values} took longer than {limit}',
    'judge.above_lateness' => '{above} of {values} later than {limit}',
    'judge.above_wakeup' => '{above} of {values} took longer than {limit}',
    'judge.interval' => 'p{percentile} is {value} ({low} to {high}); the limit, {limit}, lies {where}',
    'judge.interval_open' => 'p{percentile} is {value} ({low} or more); the limit, {limit}, lies {where}',
    'judge.below' => 'below',
    'judge.above' => 'above',
    'judge.between' => 'within',
    'judge.sure' => '; at most 1 in {of} (95 %)',
    'judge.later' => ' A {more} one comes less than once in {time} (95 %).',
    'judge.longer' => ' {longer}.',
    'judge.more' => 'measure {time}',
    'judge.more_about' => 'measure about {time}',
    'judge.too_long' => 'no run of a practical length would tell',
    'judge.keeps' => ' The run keeps {keeps}.',
    'judge.reason' => ' ({reason})',
    'judge.doubt_suspect' => ' The run is suspect{reason}.',
    'judge.doubt_break' => ' --break ended the run.',
    'judge.remedy' => 'Measure again.',
    'judge.remedy_steal_ms' => 'Measure where the hypervisor takes no CPU time.',
    'judge.remedy_clock_step_s' => 'Measure while nothing sets the clock.',
    'judge.remedy_suspended_s' => 'Measure while the machine stays awake.',
    'judge.remedy_stopped_ms' => 'Measure without stopping realfeel.',
    'judge.remedy_imported' => 'Measure with realfeel.',
    'judge.why_kept' => '{decides}.{later}',
    'judge.why_exceeded' => '{decides}{sure}.{keeps}{doubt}',
    'judge.why_between' => '{decides}: {more}.',
    'judge.why_short' => '{counted}. Too short to know p{percentile}: {more}.',
    'judge.why_bin' => '{counted}: the limit lies inside a bin. Take {from} or {to}.',
    'judge.why_empty' => 'nothing was measured.',
    'judge.why_invalid' => '{decides}, but the run is invalid{reason}. Measure again.',
    'judge.why_suspect' => '{decides}, but the run is suspect{reason}, so it cannot pass. {remedy}',
    'judge.why_contradicted' => '{decides}, but the schedule is contradicted{reason}. Measure again.',
    'judge.why_break' => '{decides}, but --break ended the run. Measure without it.',

    # trend: many runs of a machine.
    'trend.caption' => '{name}: {runs:run}',
    'trend.caption_failing' => '{name}: {runs:run}, {failing} FAIL {limit}',
    'trend.too_few' => '{runs:run}; at least {needed} are needed to detect a change',
    'trend.too_few_valid' =>
        '{runs:run}, and {invalid} invalid; at least {needed} are needed to detect a change',
    'trend.none' => 'no level has changed',
    'trend.none_above' => 'no level has changed by more than {least} %',
    'trend.step' => '{date} (run {run}): {changes}; detected at run {found}',
    'trend.step_found_to' => '{date} (run {run}): {changes}; detected at runs {found} to {found_last}',
    'trend.change' => '{statistic} {before} -> {after}',
    'trend.change_missed' => '{statistic} {before} -> {after} per million {counted}s',
    'trend.us' => ' us',
    'trend.smaller' => 'smaller steps, which --least=0 tells: {statistics}',
    'trend.independent' =>
        'of 100 series of 100 runs without a change at most {series} show one, if no run depends on the one before it',
    'trend.drifting' =>
        'each run resembles the one before it ({likeness} of 1), as on a machine that drifts: of 100 such series of '
        . '100 runs without a change about {series} show one',
    'trend.likeness' => '{statistic} {likeness}',
    'trend.digest' => '{name}: {verdict}',
    'trend.kernel' => '{kernel}',
    'trend.new_kernel' => '{kernel} (new)',
    'trend.last' => 'last run: {figures}',
    'trend.usual' => 'usual:    {figures}',
    'trend.usual_unknown' => 'usual:    not known, there is no run before it',
    'trend.figures' => 'p50 {p50_us}, p99 {p99_us}, p99.9 {p999_us}, max {max_us}, missed {missed}',
    'trend.worse' => 'worse:    {steps}',
    'trend.worse_since' => '{changes} higher since {date}',
    'trend.worse_by' => '{statistic} {by}',
    'trend.not_worse' => 'no level has risen in {runs:run}',
    'trend.report' => 'report:   {file}',
    'trend.own_limit' => 'its limit',
    'trend.marks' => '^ higher than before, v lower',

    # trend: its picture.
    'trend.title'   => '{name}, {runs:run}',
    'trend.higher'  => 'higher since {found}',
    'trend.later'   => '; and later',
    'trend.kernels' => 'kernel {kernels}',

    # audit: what the file of another program leaves out.
    'audit.period'          => 'a period of {period} us',
    'audit.ours'            => 'It was exported by realfeel, which counts the periods that it missed.',
    'audit.cannot_tell'     =>
        'How many periods were skipped, and how many samples are lacking, cannot be told without the period and the '
        . 'duration; give --period and --duration.',
    'audit.none_skipped'    => 'No wake-up was a whole period late, so no period is known to have been skipped.',
    'audit.skipped'         =>
        'At least {skipped:period} passed while a wake-up was late. A program that skips them, as cyclictest does, has '
        . 'them in no percentile.',
    'audit.lacking_unknown' =>
        'How many samples are lacking cannot be told without the duration; give --duration.',
    'audit.none_lacking'    => 'No sample is lacking.',
    'audit.lacking'         =>
        '{lacking:sample} fewer than expected. The file does not say why: the run may have been shorter than planned, '
        . 'threads may have started late or ended early, and samples may have been skipped, or lie beyond the '
        . 'histogram.',
    'audit.beyond'          =>
        '{beyond:sample} of {total} beyond the histogram: of these only the maximum is known.',
    'audit.beyond_left_out' =>
        'At least {beyond:sample} of {total} beyond the histogram: of these only the maximum is known.',
    'audit.contradiction'   => 'Contradiction: {part} {number}: {reason}.',
    'audit.note'            => 'Note: {reason}.',
};

# Fills in %values, of which unused ones may be there. Dies for an unknown code or a missing value.
sub words ($code, %values) {
    my $sentence = SENTENCES->{$code} // croak "no words for '$code'";
    return $sentence =~ s/\{(\w+)(?::([^{}]+))?\}/_value($code, $1, $values{$1}, $2)/ger;
}

sub _value ($code, $name, $value, $noun) {
    croak "the words for '$code' lack the value of '$name'" unless defined $value;
    return defined $noun ? counted($value, $noun) : $value;
}

1;
