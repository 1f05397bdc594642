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
use Realfeel::Show::Words::Pictures;

use constant SENTENCES => {
    %{ Realfeel::Show::Words::Pictures::WORDS() },

    # stats: why a percentile has no value, or no interval, and what it needs.
    'short'        => 'too short for intervals: measure a minute',
    'needs'        => 'needs {more}',

    # stats: above, in and below the figures.
    'figures'         => '{name} in us, with 95 % confidence intervals',
    'percentiles'     => 'percentiles in us, each with its 95 % confidence interval',
    'roughly'         => '~{value}',
    'more'            => 'more with -v',

    # stats: intervals, those of a ladder and others.
    'below'      => '< {threshold} us',

    # stats: how the run went.
    'several'          => 'more than one',
    'early'            => '{early:wake-up} before their due time',
    'thread'           => '{thread} {thread_name}, {thread_policy} {thread_priority}, CPUs {thread_cpus}',
    'woken'            => '{timed} of {samples} times by its own timer',
    'duration'         => '{seconds} s',
    'cpu'              => 'CPU {cpu}',
    'limit'            => '{us} us, {was}',
    'counted.kept'     => 'pass (counted)',
    'counted.exceeded' => 'FAIL (counted)',
    'counted.unknown'  => 'unknown',
    'unknown'          => 'unknown',
    'delay'            => 'about {more} us later',

    # stats: the figure of lat_ctx for a ring, and why it is unreliable, which table says, too.
    'lmbench'          => '{value} us',

    # stats: whether the run was long enough.
    'later'  => 'a {more} one comes less than once in {time} (95 %)',
    'longer' => 'a run of {time} stays below {max} us (90 %), if nothing changes',
    'slice'         => 'from {start} s on for {seconds} s',
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
