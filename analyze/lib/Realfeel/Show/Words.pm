# SPDX-License-Identifier: GPL-2.0-or-later
# Every sentence of the analyzer by its code, ordered by verb: stats and what all share, compare, table, explain, try,
# judge, trend, audit. Words of pictures are in Words::Pictures, headings in Words::Labels, and
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
use Realfeel::Show::Words::Pictures;

use constant SENTENCES => {
    %{ Realfeel::Show::Words::Labels::WORDS() },
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
