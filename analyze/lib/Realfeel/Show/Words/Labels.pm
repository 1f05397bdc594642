# SPDX-License-Identifier: GPL-2.0-or-later
# Headings of lines, columns and rows by code: the part of Show::Words without sentences.
package Realfeel::Show::Words::Labels;
use Realfeel::Base::Modern;

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
    'label.parts'     => 'parts',

    # What heads the columns of tables, and their rows.
    'column.CPU'        => 'CPU',
    'column.count'      => 'count',
    'column.min'        => 'min',
    'column.mean'       => 'mean',
    'column.sd'         => 'sd',
    'column.mode'       => 'mode',
    'column.p50'        => 'p50',
    'column.max'        => 'max',
    'column.delay'      => 'delay',
    'column.lateness'   => 'lateness',
    'column.interval'   => 'interval',
    'column.wakeup'     => 'wake-up',
    'column.ratio'      => 'ratio',
    'column.confidence' => '95 % interval',
};

1;
