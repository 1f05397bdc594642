# SPDX-License-Identifier: GPL-2.0-or-later
# The words of pictures, of plot and on pages, by code: a part of Show::Words.
package Realfeel::Show::Words::Pictures;
use Realfeel::Base::Modern;

use constant WORDS => {
    # plot: the title. Of kernels and sources there are one, up to three, or more.
    'title.2002'           => 'kernel and source not recorded (file of 2002)',
    'title.kernel'         => 'Linux {names}',
    'title.kernel_unknown' => 'kernel unknown',
    'title.kernels'        => '{number} kernels',
    'title.models'         => '{number} preemption models',
    'title.source'         => '{names}',
    'title.listed'         => '{names} and {last}',
    'title.source_unknown' => 'source unknown',
    'title.sources'        => '{number} sources',
    'title.rate'           => '{rate} Hz',

    # plot: below the title.
    'invalid'           => 'INVALID: {told}',
    'invalid.no_reason' => 'no reason given',
    'invalid.runs'      => '{invalid} of {of} runs, as they are marked',
    'invalid.cpus'      => '{invalid} of {of} CPUs',
    'invalid.both'      => '{invalid} of {of} CPUs and runs',

    'note.rest'         => ' ... (stats -v has all)',

    # plot: along the axes; {counted} is sample, period, request or wake-up.
    'axis.unit'          => '{label} ({unit})',
    'axis.delay'         => '{measure} since due or woken',
    'axis.lateness'      => '{measure}',
    'axis.wakeup'        => '{measure} since the request',
    'axis.interval'      => '{measure}, early or late, without its sign',
    'axis.early'         => '{measure}, early ones as 0',
    'counted.delay'      => 'wake-up',
    'counted.lateness'   => 'period',
    'counted.wakeups'    => 'wake-up',
    'counted.wakeup'     => 'request',
    'counted.interval'   => 'sample',
    'axis.counts'        => '{counted}s per bin (20 a decade)',
    'axis.counts_2002'   => '{counted}s per 0.1 ms bucket',
    'axis.shares'        => '% of the {counts}',
    'axis.percentile'    => 'percentile (%), by the number of nines',
    'axis.share_above'   => 'share of the {counted}s above',
    'axis.cpu'           => 'CPU',
    'axis.share_of_cpu'  => "% of a CPU's {counted}s",
    'axis.time_of_run'   => 'time since the first wake-up ({unit})',
    'axis.rate'          => '{counted}s a second',
    'axis.percentile_of' => 'percentile of the {latency} (%), by the number of nines',
    'axis.share_of'      => 'share of the {latency} (%)',
    'axis.up_to_stamp'   => 'time up to the stamp, each wake-up by itself',
    'axis.started'       => 'started (UTC)',
    'axis.run'           => 'run',
    'axis.pair'          => 'pair',
    'axis.effect'        => 'times the base',
    'axis.statistic'     => '{statistic} of the {measure} ({unit})',
    'axis.missed_ppm'    => 'missed periods in a million',
    'parts.delay'        => 'delay',
    'parts.lateness'     => 'lateness',
    'parts.wakeup'       => 'latency',

    # plot: the key.
    'key.max'               => 'max {max}',
    'key.max_below'         => 'max < {max}',
    'key.no_max'            => 'no maximum',
    'key.contradicted'      => 'schedule contradicted',
    'key.upper_bound'       => 'upper bound of the share, 95 % confidence',
    'key.max_of_cpu'        => 'maximum of each CPU',
    'key.percentile_of_cpu' => 'p99.9 of each CPU, where ten values lie beyond it',
    'key.most_of_each'      => 'the {most} of each stretch',
    'key.most_of_all'       => 'the {most} of all',
    'key.run_begins'        => 'another run begins',
    'key.smis'              => 'at the top: the firmware had the CPU (SMI)',
    'key.rest'              => 'thin: fewer than ten beyond; ends at the maximum',
    'key.interval'          => '95 % confidence interval of a percentile',
    'key.part'              => '{name}: p50 {median}, max {max}',
    'key.last'              => '{statistic}: {time} {unit} in the last run',
    'key.last_unknown'      => '{statistic}: unknown in the last run',
    'key.change'            => 'from here on higher; upside down: lower',
    'key.missed'            => 'missed, up to {most} of a million',
    'key.missed_runs'       => 'runs that missed some, up to {most} of a million',

    # try: the pairs, and in the key the effect.
    'pairs.base'         => 'base',
    'pairs.any'          => 'any',
    'pairs.legend'       => 'circles: pairs; line: all so far, dots: known; shade: 95 % sure',
    'pairs.legend_terminal' => '-: the ends of the 95 % confidence interval',
    'key.effect_none'    => '{name}: no ratio to a base of 0; {pairs:pair}',
    'key.effect_open'    => '{name}: {ratio} times the base so far; {pairs:pair}',
    'key.effect'         => '{name}: {ratio} times the base ({low} to {high}); {pairs:pair}',

    # plot: a line of text for each run.
    'sketch.each'   => '{label}: {most} each',
    'sketch.up_to'  => '{label}: {least} to {most} each',
    'sketch.scales' => 'both scales logarithmic: the same times for all, heights by the peak of each',
    'sketch.worst'  => 'worst',

    # plot: who had the CPU.
    'timeline.from_delay'     => 'due',
    'timeline.from_lateness'  => 'due',
    'timeline.from_wakeup'    => 'asked',
    'timeline.to'             => 'stamp',
    'timeline.task'           => 'a task',
    'timeline.idle'           => 'idle',
    'timeline.interrupt'      => 'an interrupt',
    'timeline.self'           => 'the measuring process',
    'timeline.softirq'        => 'a softirq',
    'timeline.unknown'        => 'unknown',
    'timeline.ring-ends'      => 'not recorded',
    'timeline.no-record'      => 'no record',
    'timeline.lost'           => 'records lost',
    'timeline.start_delay'    => 'the timer expired',
    'timeline.start_lateness' => 'the timer expired',
    'timeline.start_wakeup'   => 'the request was made',
    'timeline.woken'          => 'the measuring process was woken',

    # plot: the end of the key.
    'timeline.wider'  => 'less than {least} % is drawn wider',
    'parts.known'     => '{all:wake-up}',
    'parts.unknown'   => '{all:wake-up}; the parts of {unknown} are unknown',
    'cpus.starred'    => '* {doubts}',
    'cpus.doubted'    => '{verdict}: CPU {cpus}',
    'cpus.none_drawn' => 'no CPU is drawn by itself{invalid}',
    'cpus.not_drawn'  => 'not drawn: {others} of {cpus:CPU} (lower p99.9{invalid})',
    'cpus.invalid'    => '; {invalid} INVALID',
};

1;
