# SPDX-License-Identifier: GPL-2.0-or-later
# However a run ends, what was measured is in a whole report, the machine is as before, and no process is left.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(sum0);
use Report;
use Sim;
use Test::More;

my $HEIR    = 'the keeper was killed; the standby writes the report';
my $KILLED  = 'suspect: the measuring process was killed';
my $ONLINE  = 'cpus_online changed: 0-3 -> 0,2,3';
my $STOPPED = 'suspect: stopped: a signal stopped the measuring process';

my %RTC = (script => ['set rtc /dev/rtc0']);

runs([qw(-f 100 -d 3s)], \%RTC,
    ['1 INT keeper' => 'exit 3', 'interrupted 98, valid'],
    ['1 TERM keeper' => 'exit 3', 'interrupted 98, valid'],
    ['1 HUP keeper' => 'exit 3', 'interrupted 98, valid'],
    ['1 QUIT keeper' => 'exit 3', 'interrupted 98, valid'],
    ['1 INT keeper standby meter0' => 'exit 3', 'interrupted 98, valid'],
    ['1 TERM meter0' => 'exit 3', 'interrupted 98, valid'],
    ['1 KILL meter0' => 'exit 3', "interrupted 98, $KILLED"],
    ['1 KILL standby' => 'exit 0', 'complete 298, valid'],
    ['1 KILL keeper' => 'exit 137', $HEIR, 'interrupted 98, valid'],
    ['meter0:prctl:1 KILL keeper' => 'exit 137'],
    ['meter0:prctl:2 KILL keeper' => 'exit 137', $HEIR, 'interrupted 0, invalid: nothing was measured'],
    ['1 KILL meter0 keeper' => 'exit 137', $HEIR, "interrupted 98, $KILLED"],
    ['1 KILL meter0 standby' => 'exit 3', "interrupted 98, $KILLED"],
    ['1 KILL standby keeper' => 'exit 137'],
    ['1 KILL meter0 standby keeper' => 'exit 137'],
    ['1 KILL keeper; 1.0005 TERM meter0' => 'exit 137', $HEIR, 'interrupted 98, valid'],
    ['0.505 silence; 1 KILL keeper' => 'exit 137', $HEIR, 'interrupted 50, valid'],
    ['0.505 silence' => 'exit 0', 'complete 50, valid'],
    ['0.505 rush' =>
        'exit 3', 'interrupted 101, suspect: the wait returned without waiting; the schedule is contradicted: lateness is unreliable'],
    ['1 STOP keeper; 2.5 CONT keeper' => 'exit 0', 'complete 298, valid'],
    ['1 STOP meter0; 1.5 CONT meter0' => 'exit 0', "complete 248 + 50 missed, $STOPPED for 0.510 s"],
    ['1 STOP meter0; 5 INT keeper' => 'exit 3', "interrupted 98, $STOPPED for 4.010 s"],
    ['1 STOP meter0; 2 KILL keeper' => 'exit 137', $HEIR, "interrupted 98, $STOPPED for 1.010 s"],
    ['1 STOP meter0' => 'exit 0', "complete 98, $STOPPED for 6.017 s"],
    ['1 TSTP keeper standby meter0; 1.5 CONT keeper standby meter0' => 'exit 0', "complete 248 + 50 missed, $STOPPED for 0.510 s"],
    ['1 TTIN meter0; 1.5 CONT meter0' => 'exit 0', "complete 248 + 50 missed, $STOPPED for 0.510 s"],
    ['1 CONT meter0' => 'exit 0', 'complete 298, valid'],
    ['1 ALRM meter0; 1.1 CHLD meter0' => 'exit 0', 'complete 298, valid'],
    ['meter0:timer_create:1 EAGAIN' => 'exit 1', 'set a timer for --duration: Resource temporarily unavailable; use --samples'],
    ['keeper:fork:1 EAGAIN' => 'exit 1', 'start a second process: Resource temporarily unavailable; end some others'],
    ['keeper:fork:2 EAGAIN' => 'exit 1', 'start a measuring process: Resource temporarily unavailable; end some others'],
    ['keeper:socketpair:1 EMFILE' =>
        'exit 1', 'prepare to measure 1 CPU: Too many open files; free some memory, or raise the limit on open files (ulimit -n)'],
);

like(simulate([qw(-f 100 -d 3s -o report)], script => ['set rtc /dev/rtc0', 'meter0:prctl:1 KILL keeper'])->{log},
    qr/^0\.0\d+ meter0 ends/m, 'a meter ends at once if its keeper died before it followed');

# What ends the run is what the user meant, if the run has no limit.
runs([qw(-f 100)], \%RTC,
    ['1 INT keeper' => 'exit 0', 'complete 98, valid'],
    ['1 TERM keeper' => 'exit 0', 'complete 98, valid'],
    ['1 HUP keeper' => 'exit 0', 'complete 98, valid'],
    ['1 QUIT keeper' => 'exit 0', 'complete 98, valid'],
    ['1 KILL meter0' => 'exit 3', "interrupted 98, $KILLED"],
    ['1 KILL keeper' => 'exit 137', $HEIR, 'interrupted 98, valid'],
    ['20 STOP keeper; 28 CONT keeper; 31 INT keeper' => 'exit 0', 'complete 3098, valid'],
    ['0.505 silence' => 'exit 3', 'interrupted 50, suspect: the source stopped waking the process'],
    ['0.505 silence; meter0:read:52 KILL keeper' => 'exit 137', $HEIR, 'interrupted 50, valid'],    # as it begins to wait
);

runs([qw(-f 100 -n 200)], \%RTC, ['1 INT keeper' => 'exit 3', 'interrupted 98, valid']);

# A shell in the background leaves its commands with signals ignored. HUP stays so, for nohup.
for ([2, 'INT'], [15, 'TERM'], [3, 'QUIT'], [17, 'INT']) {
    my ($ignored, $signal) = @$_;
    runs([qw(-f 100 -d 3s)], { %RTC, under => ["ignore=$ignored"] }, ["1 $signal keeper" => 'exit 3', 'interrupted 98, valid']);
}
runs([qw(-f 100)], { %RTC, under => ['ignore=1'] }, ['1 HUP keeper; 2 INT keeper' => 'exit 0', 'complete 198, valid']);

# Of two CPUs the other one is measured on.
my @TWO = (qw(-s nanosleep -f 100 -a), '0,1');
runs([@TWO, qw(-d 3s -C 1s)], {},
    ['1.5 INT keeper standby meter0 meter1' => 'exit 3', 'interrupted 148, valid', 'interrupted 148, valid'],
    ['1.5 KILL standby; 2 INT keeper' => 'exit 3', 'interrupted 198, valid', 'interrupted 198, valid'],
    ['1.5 KILL meter0' => 'exit 3', "interrupted 148, $KILLED", 'complete 298, valid'],
    ['1.5 KILL meter1' => 'exit 3', 'complete 298, valid', "interrupted 148, $KILLED"],
    ['1.5 KILL standby meter0' => 'exit 3', "interrupted 148, $KILLED", 'complete 298, valid'],
    ['1.5 KILL meter0 meter1' => 'exit 3', "interrupted 148, $KILLED", "interrupted 148, $KILLED"],
    ['1.5 KILL keeper' => 'exit 137', $HEIR, 'interrupted 148, valid', 'interrupted 148, valid'],
    ['1.5 KILL meter0 keeper' => 'exit 137', $HEIR, "interrupted 148, $KILLED", 'interrupted 148, valid'],
    ['1.5 KILL meter1 keeper' => 'exit 137', $HEIR, 'interrupted 148, valid', "interrupted 148, $KILLED"],
    ['1.5 KILL meter0 meter1 keeper' => 'exit 137', $HEIR, "interrupted 148, $KILLED", "interrupted 148, $KILLED"],
    ['1.5 KILL standby keeper' => 'exit 137', 'checkpoint 100, valid', 'checkpoint 99, valid'],
    ['1.5 KILL standby keeper meter0' => 'exit 137', 'checkpoint 100, valid', 'checkpoint 99, valid'],
    ['1.5 STOP keeper standby; 1.5 KILL standby keeper meter0 meter1' => 'exit 137', 'checkpoint 100, valid', 'checkpoint 99, valid'],
    ['1 STOP meter0; 2.5 CONT meter0' => 'exit 0', "complete 148 + 150 missed, $STOPPED for 1.510 s", 'complete 298, valid'],
    ['1 STOP meter1' => 'exit 0', 'complete 298, valid', "complete 98, $STOPPED for 6.058 s"],
    ['1 STOP meter0; 5 INT keeper' => 'exit 3', "interrupted 98, $STOPPED for 4.010 s", 'complete 298, valid'],
    ['1 STOP meter0; 2.5 KILL keeper' => 'exit 137', $HEIR, "interrupted 98, $STOPPED for 1.510 s", 'interrupted 248, valid'],
    ['1 offline 1' =>
        'exit 0', "complete 298, suspect: $ONLINE", "complete 298, suspect: no longer bound to CPU 1; $ONLINE"],
);
runs([@TWO, qw(-n 250)], {}, ['1.5 KILL meter0' => 'exit 3', "interrupted 148, $KILLED", 'complete 250, valid']);

runs([qw(-s ring --processes=4 -d 400ms)], {},
    ['0.2 INT keeper' => 'exit 3', 'interrupted 1683, valid'],
    ['0.2 TERM keeper standby meter0 child0 child1 child2' => 'exit 3', 'interrupted 1683, valid'],
    ['0.2 KILL keeper' => 'exit 137', $HEIR, 'interrupted 1683, valid'],
    ['0.2 KILL meter0' => 'exit 3', "interrupted 1683, $KILLED"],
    ['0.2 KILL child1' => 'exit 3', 'interrupted 1683, suspect: a process of the ring was killed'],
    ['0.2 STOP child1; 0.3 CONT child1' =>
        'exit 0', 'complete 2983, suspect: stopped: a signal stopped a process of the ring for 0.100 s'],
    ['0.2 STOP child0; 0.3 KILL meter0' => 'exit 3', "interrupted 1687, $KILLED"],
    ['0.2 KILL standby' => 'exit 0', 'complete 3975, valid'],
    ['0.2 KILL keeper meter0' => 'exit 137', $HEIR, "interrupted 1683, $KILLED"],
    ['0.2 KILL keeper standby' => 'exit 137'],
);

runs([qw(-s thread -f 100 -d 3s)], {},
    ['1 INT keeper standby meter0 child0' => 'exit 3', 'interrupted 98, valid'],
    ['1 KILL child0' => 'exit 3', 'interrupted 98, suspect: the waker was killed'],
    ['1 KILL meter0' => 'exit 3', "interrupted 98, $KILLED"],
    ['1 KILL keeper' => 'exit 137', $HEIR, 'interrupted 98, valid'],
    ['1 KILL meter0 keeper' => 'exit 137', $HEIR, "interrupted 98, $KILLED"],
    ['1 KILL standby' => 'exit 0', 'complete 298, valid'],
    ['1 KILL keeper standby' => 'exit 137'],
    ['1 STOP child0; 1.5 CONT child0' => 'exit 0', 'complete 248 + 50 missed, suspect: stopped: a signal stopped the waker for 0.500 s'],
    ['child0:clock_nanosleep:50 STOP child0; 1 CONT child0' =>
        'exit 0', 'complete 248 + 50 missed, suspect: stopped: a signal stopped the waker for 0.510 s'],
    ['1 STOP child0; 1 KILL meter0' => 'exit 3', "interrupted 98, $KILLED"],
    ['1 STOP meter0; 1.5 CONT meter0' => 'exit 0', "complete 249 + 49 missed, $STOPPED for 0.510 s"],
);
runs([qw(-s thread -f 100 -d 3s -a), '0,1'], {},
    ['1 KILL child1' => 'exit 3', 'interrupted 98, suspect: the waker was killed', 'complete 298, valid'],
    ['1 KILL child0; 1.5 KILL standby' => 'exit 3', 'complete 298, valid', 'interrupted 98, suspect: the waker was killed'],
);

# Each request has waited for the meter for a time of its own: 510 ms, 500 ms, and so on.
my ($part) = parse_parts(simulate([qw(-s thread -f 100 -d 3s -o report)], script => ['1 STOP meter0', '1.505 CONT meter0'])->{report});
is(sum0(map { $_->{wakeup} } grep { $_->{from_us} >= 100_000 } @{ $part->{sets}{histogram} }), 41, 'no request is lost');

like(simulate([@TWO, qw(-d 3s -o report)], script => ['1 KILL meter1'])->{err},
    qr/^run       SUSPECT: CPU 1: the measuring process was killed   interrupted after 1\.0 s of 3 s$/m, 'the CPU is named');

done_testing;
