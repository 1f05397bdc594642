# SPDX-License-Identifier: GPL-2.0-or-later
# The words of pages, by code: a part of Show::Words.
package Realfeel::Show::Words::Page;
use Realfeel::Base::Modern;

use constant WORDS => {
    # report: the headline of several runs.
    'headline.neither'      => 'Neither missed a {value}.',
    'headline.both'         => 'Missed {value}s: {base} {of_base}, {file} {of_file}.',
    'headline.no_common'    => 'The runs have no measure in common.',
    'headline.all_none'     => 'The runs hold no samples.',
    'headline.only'         => 'Only {name} holds samples.',
    'headline.no_percentile' => 'No percentile is supported by all runs.',
    'headline.of_runs'      => '{missed} of {runs} runs missed {what}.',
    'headline.ends_in'      =>
        'At p{percentile} the {measure} is lowest in {best}, {low} us, and highest in {worst}, {high} us.',

    # report: in the place of a picture, and below it.
    'picture.none' => 'No picture: {reason}.',
    'picture.alt' => '{kind} of {names}',
    'picture.title' => 'Figure {number}{of}. {caption}',
    'picture.histogram' =>
        'The number of values of each size. Both axes are logarithmic, so that a single late wake-up is visible '
        . 'beside millions of others.',
    'picture.overlay' => 'The share of each run at each size. Both axes are logarithmic; a symbol marks the maximum.',
    'picture.percentiles' =>
        'The value that each percentage does not exceed. Each step to the right leaves a tenth of the values '
        . 'beyond it; where a line is thin, fewer than ten.',
    'picture.exceedance' => 'The share of values above each value; of one or two runs also its upper bound, dotted.',
    'picture.slices' => 'The run over time: how often each latency occurred, and the largest of each stretch.',
    'picture.cpus' =>
        'Each CPU in a row. The brighter a cell, the larger its share of the values of that CPU. Lines mark the '
        . 'maximum and, if ten values lie beyond it, p99.9.',
    'picture.matrix' => 'Each run by itself, all on one scale.',
    'picture.parts' =>
        'What the latencies were made of. Each step to the right leaves a tenth of the wake-ups beyond it; above '
        . 'stand the latencies.',
    'picture.timeline' =>
        'Who had the CPU before the worst wake-ups. Each row is the whole time of one of them, up to its stamp; '
        . 'what was short is drawn wider.',

    # report: the page, above its answer and below all.
    'page.title' => 'realfeel: {title}',
    'page.about' => 'realfeel: how late a real-time process was woken',
    'page.runs' => '{runs:run}',
    'page.footer' =>
        'Made by realfeel-analyze {version}. Its manual page, realfeel-analyze(1), explains the figures. Times are in '
        . 'microseconds (us).',
    'fact.date' => 'date',
    'fact.host' => 'host',
    'fact.kernel' => 'kernel',
    'fact.load' => 'load',
    'fact.source' => 'source',
    'fact.cpus' => 'cpus',
    'fact.unknown' => 'not recorded',
    'fact.several' => '{values} different',
    'fact.no_load' => 'no load',
    'fact.rate' => '{source} at {rate} Hz',
    'fact.from_to' => '{first} to {last}',
    'verdict.valid' => 'valid',
    'verdict.suspect' => 'suspect',
    'verdict.invalid' => 'invalid',
    'verdict.none' => 'no verdict',
    'verdicts.valid' => '{runs} valid',
    'verdicts.suspect' => '{runs} suspect',
    'verdicts.invalid' => '{runs} invalid',
    'verdicts.none' => '{runs} without verdict',

    # report: its sections, {measure} where there are several runs, and what heads their tables.
    'page.cpus' => 'CPUs',
    'page.percentiles' => 'Percentiles',
    'page.percentiles_of' => 'Percentiles of the {measure}',
    'page.figures' => 'Figures',
    'page.figures_of' => 'Figures of the {measure}',
    'page.enough' => 'Is it enough?',
    'page.shares' => 'Shares',
    'page.worst' => 'Worst wake-ups',
    'page.try' => 'Try it:',
    'page.why' => 'Why it was late',
    'page.pictures' => 'More pictures',
    'page.circumstances' => 'Circumstances',
    'page.environment' => 'Environment',
    'page.repeat' => 'To repeat it',
    'caption.of_measure' => '{measure}: {caption}',
    'caption.percentiles' => 'each with its 95 % confidence interval below it',
    'caption.short' => ', if it has one; {short}',
    'caption.figures' => 'count, moments and extremes',
    'caption.shares' => 'share of the values below each threshold',
    'caption.circumstances' => 'How the runs went',
    'caption.settings' => 'Machine, rights and settings',
    'caption.found' => 'What was found during the runs',
    'caption.marked' => '{caption}; what differs is marked',
    'head.run' => 'run',
    'head.verdict' => 'verdict',
    'head.value' => 'value',
    'head.ratio' => 'ratio',
    'head.interval' => '95 % interval of the ratio',
    'head.percentile' => '{percentile} %',
    'head.below' => '< {threshold} us',
    'head.count' => 'count',
    'head.missed' => 'missed',
    'head.min' => 'minimum',
    'head.mean' => 'mean',
    'head.sd' => 'standard deviation',
    'head.mode' => 'mode',
    'head.max' => 'maximum',
    'between.ends' => '{low} to {high}',
    'between.or_more' => '{low} to more',
    'between.up_to' => 'less to {high}',
    'repeat.runs' => 'The runs, each on the machine that is described above:',
    'repeat.figures' => 'The figures, and this page:',

    # report: the comparison.
    'page.comparison' => 'Comparison',
    'page.comparison_by' => 'Comparison by {measure}',
    'page.not_compared' => '{name} is not compared: {reason}',
    'page.compared' => '{file} (FILE) compared with {base} (BASE); a ratio below 1 means less late',
    'page.ratios' =>
        'Ratio of each percentile of a run (FILE) to that of {base} (BASE), and its 95 % interval; below 1 is less '
        . 'late',
    'page.each_alone' => 'Each run is compared with {base} alone. Of 50 equivalent runs, one may differ by chance.',
    'page.parts' => 'Parts: {parts}',
};

1;
