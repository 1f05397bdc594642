# SPDX-License-Identifier: GPL-2.0-or-later
# What somebody does to the processes of a run is in the verdict, even if it is undone before the end, and in a checkpoint. A
# signal that says what is not so is not believed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Sim;
use Test::More;

my $SAVED  = '2.5 USR1 keeper; 2.6 KILL keeper standby meter0 child0 child1 child2';
my $EVENTS = '/sys/fs/cgroup/cgroup.events';
my $STAT   = '/sys/fs/cgroup/cpu.stat';
my $TRACER = '/proc/meter0/status';

my $STOPPED   = 'suspect: stopped: a signal stopped';
my $THROTTLED = 'suspect: throttled: the control group of the measuring process was out of CPU quota';

runs([qw(-s thread -f 100 -a 0 -d 12s)], {},
    ['1 STOP child0; 9 CONT child0' => 'exit 0', "complete 398 + 800 missed, $STOPPED the waker for 8.000 s"],
    ['1 STOP child0; 2 INT keeper' => 'exit 3', "interrupted 98, $STOPPED the waker for 1.000 s"],
    ["1 STOP child0; 2 CONT child0; $SAVED" =>
        'exit 137', "checkpoint 149 + 100 missed, $STOPPED the waker for 1.000 s"],
    ['1 policy child0 fifo 1' => 'exit 0', 'complete 1198, suspect: the waker: policy changed: fifo 96 -> fifo 1'],
    ['1 policy child0 fifo 1; 3 policy child0 fifo 96' =>
        'exit 0', 'complete 1198, suspect: a process of the source had another policy, priority or CPU for about 2.0 s'],
    ["1 policy child0 fifo 1; $SAVED" => 'exit 137', 'checkpoint 249, suspect: the waker: policy changed: fifo 96 -> fifo 1'],
    ['1 bind child0 1' => 'exit 0', 'complete 1198, suspect: the waker: no longer bound to CPU 0'],
    ['1 CHLD meter0; 1.1 ALRM meter0; 1.2 CHLD meter0' => 'exit 0', 'complete 1198, valid'],
);
runs([qw(-s ring --processes=4 -a 0 -d 12s)], { script => ['set hop 0.01'] },
    ['1 STOP child2; 9 CONT child2' => 'exit 0', "complete 392, $STOPPED a process of the ring for 8.000 s"],
    ['1 STOP child2; 2 INT keeper' => 'exit 3', "interrupted 63, $STOPPED a process of the ring for 1.000 s"],
    ["1 STOP child2; 2 CONT child2; $SAVED" =>
        'exit 137', "checkpoint 112, $STOPPED a process of the ring for 1.000 s"],
    ['1 policy child2 fifo 1' => 'exit 0', 'complete 1192, suspect: a process of the ring: policy changed: other 0 -> fifo 1'],
    ['1 policy child2 fifo 1; 3 policy child2 other 0' =>
        'exit 0', 'complete 1192, suspect: a process of the source had another policy, priority or CPU for about 1.7 s'],
    ["1 policy child2 fifo 1; $SAVED" => 'exit 137', 'checkpoint 212, suspect: a process of the ring: policy changed: other 0 -> fifo 1'],
    ['1 bind child2 1' => 'exit 0', 'complete 1192, suspect: a process of the ring: no longer bound to CPU 0'],
    ['1 CHLD meter0; 1.1 ALRM meter0; 1.2 CHLD meter0' => 'exit 0', 'complete 1191, valid'],
);

# An ordinary one has a share of the CPU. What its control group had used before the run does not count.
runs([qw(-s ring --processes=4 -a 0 -d 12s)], { script => ['set hop 0.01'],
    files => { '/proc/self/mounts' => 'none /sys/fs/cgroup cgroup2 rw 0 0', $STAT => 'throttled_usec 5000000' } },
    ["1 put $STAT throttled_usec 5300000" =>
        'exit 0', "complete 1192, $THROTTLED for 0.300 s"],
    ["1 put $STAT throttled_usec 5300000; $SAVED" =>
        'exit 137', "checkpoint 212, $THROTTLED for 0.300 s"],
);

runs([qw(-s nanosleep -f 100 -a 0 -d 12s)], { files => { $TRACER => 'TracerPid: 0' } },
    ['1 CHLD meter0; 1.1 ALRM meter0; 1.2 CHLD meter0' => 'exit 0', 'complete 1198, valid'],
    ['1 policy meter0 other 0; 3 policy meter0 fifo 95' =>
        'exit 0', 'complete 1198, suspect: the measuring process had another policy, priority or CPU for about 2.0 s'],
    ["1 policy meter0 other 0; $SAVED" => 'exit 137', 'checkpoint 249, suspect: policy changed: fifo 95 -> other 0'],
    ["1 put $TRACER TracerPid: 7; 3 put $TRACER TracerPid: 0" =>
        'exit 0', 'complete 1198, suspect: another process traced the measuring process for about 2.0 s'],
    ["1 put $TRACER TracerPid: 7; $SAVED" =>
        'exit 137', 'checkpoint 249, suspect: another process traced the measuring process for about 2.0 s'],
);

# All processes are frozen, so only the kernel can say so.
my $ALL = 'keeper standby meter0';
runs([qw(-s nanosleep -f 100 -a 0 -d 12s)],
    { files => { '/proc/self/mounts' => 'none /sys/fs/cgroup cgroup2 rw 0 0', $EVENTS => 'populated 1 frozen 0' } },
    [join('; ', (map { "1 FREEZE $_" } split ' ', $ALL), "1 put $EVENTS populated 1 frozen 1", "2 put $EVENTS populated 1 frozen 0",
        map { "2 THAW $_" } split ' ', $ALL) =>
        'exit 0', 'complete 1098 + 100 missed, suspect: frozen: the control group of the measuring process was frozen'],
);

done_testing;
