# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Words::Labels;
use strict;
use warnings;

=head1 NAME

Realfeel::Show::Words::Labels - what heads the lines, columns and rows of a text, by its code

=head1 DESCRIPTION

C<WORDS> is the part of the table of L<Realfeel::Show::Words> that holds no sentences.

=cut

use constant WORDS => {
    # What stands before a line or a paragraph: in stats and report, explain, compare.
    'label.status'    => 'status',
    'label.max'       => 'limit',
    'label.break'     => 'break',
    'label.load'      => 'load',
    'label.source'    => 'source',
    'label.waker'     => 'waker',
    'label.ring'      => 'ring',
    'label.lmbench'   => 'lmbench',
    'label.matched'   => 'matched',
    'label.stamps'    => 'stamps',
    'label.wakeup'    => 'wake-up',
    'label.clock'     => 'clock',
    'label.kernel'    => 'kernel',
    'label.cpus'      => 'cpus',
    'label.missed'    => 'missed',
    'label.early'     => 'early',
    'label.anchor'    => 'anchor',
    'label.smis'      => 'SMIs',
    'label.explain'   => 'explain',
    'label.remarks'   => 'remarks',
    'label.format'    => 'format',
    'label.moments'   => 'moments',
    'label.delay'     => 'delay',
    'label.thread'    => 'thread',
    'label.woken'     => 'woken',
    'label.preempted' => 'preempted',
    'label.lateness'  => 'lateness',
    'label.runs'      => 'runs',
    'label.worst'     => 'worst',
    'label.verdict'   => 'run',
    'label.why'       => 'why',
    'label.self_test' => 'self-test',
    'label.cost'      => 'cost',
    'label.parts'     => 'parts',

    # What heads the columns of tables, and their rows.
    'column.CPU'        => 'CPU',
    'column.thread'     => 'thread',
    'column.all'        => 'all',
    'column.count'      => 'count',
    'column.samples'    => 'samples',
    'column.min'        => 'min',
    'column.mean'       => 'mean',
    'column.sd'         => 'sd',
    'column.mode'       => 'mode',
    'column.p50'        => 'p50',
    'column.max'        => 'max',
    'column.max_us'     => 'max us',
    'column.missed'     => 'missed',
    'column.run'        => 'run',
    'column.limit'      => 'limit',
    'column.above'      => 'above',
    'column.verdict'    => 'verdict',
    'column.no_verdict' => 'none',
    'column.at_us'      => 'at us',
    'column.at_s'       => 'at s',
    'column.cpu'        => 'cpu',
    'column.utc'        => 'utc',
    'column.times'      => '{name} us',
    'column.values'     => '{value}s',
    'column.delay'      => 'delay',
    'column.lateness'   => 'lateness',
    'column.interval'   => 'interval',
    'column.wakeup'     => 'wake-up',
    'column.waiting'    => 'waiting to run',
    'column.switches'   => 'switches',
    'column.faults'     => 'faults',
    'column.interrupts' => 'interrupts',
    'column.smis'       => 'smis',
    'column.expiry'     => 'expiry',
    'column.waking'     => 'waking',
    'column.switch'     => 'switch',
    'column.again'      => 'again',
    'column.stamp'      => 'stamp',
    'column.kind'       => 'kind',
    'column.name'       => 'name',
    'column.wakeups'    => 'wake-ups',
    'column.us'         => 'us',
    'column.share'      => 'share',
    'column.event'      => 'event',
    'column.text'       => 'text',
    'column.ratio'      => 'ratio',
    'column.low'        => '{column} low',
    'column.high'       => '{column} high',
    'column.confidence' => '95 % interval',
    'column.started'    => 'started',
    'column.kernel'     => 'kernel',
    'column.expected'   => 'expected',
    'column.lacking'    => 'lacking',
    'column.skipped'    => 'skipped',
    'column.beyond'     => 'beyond',
    'column.base'       => 'base',
    'column.tried'      => 'changed',
    'column.pairs'      => 'pairs',
    'column.lower'      => 'lower',
    'column.higher'     => 'higher',

    # In HTML, where a heading may be longer.
    'html.at_s'  => 'at (s)',
    'html.utc'   => 'time of day (UTC)',
    'html.times' => '{name} ({unit})',
};

1;
