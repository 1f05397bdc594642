# SPDX-License-Identifier: GPL-2.0-or-later
# Every sentence of the analyzer by its code, ordered by verb: stats and what all share, compare, table, explain, try,
# judge, trend, audit. Words of pages are in Words::Page, of pictures in Words::Pictures, headings in Words::Labels, and
# names of measures in Model::Report::Measures, as lower rooms need them.
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
    'needs.histogram' => 'beyond the histogram, {from}',
    'roughly'         => '~{value}',
    'and_more'        => 'and {more} more (-v)',
    'more'            => 'more with -v',
    'more.why'        => 'more with -v; {why}',
    'more.explained'  => 'more with -v; next: realfeel-analyze explain {file}',

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

    # explain: what has to be known before the parts are believed.
    'finding.self_test' =>
        'self-test failed: the kernel traced {traced} of {counted} context switches, so records of tasks have gaps',
    'finding.lost'      => '{records:trace record} lost',
    'finding.unknown'   => 'the parts of {wakeups} of {samples:wake-up} are unknown',
    'finding.earlier'   =>
        'written by realfeel 0.1 or 0.2, whose account of the worst wake-ups is no longer read; measure again',

    # trend: many runs of a machine.
    'trend.worse_by' => '{statistic} {by}',

    # trend: its picture.
    'trend.title'   => '{name}, {runs:run}',
    'trend.higher'  => 'higher since {found}',
    'trend.later'   => '; and later',
    'trend.kernels' => 'kernel {kernels}',
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
