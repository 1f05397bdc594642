# SPDX-License-Identifier: GPL-2.0-or-later
# How the processes of a run are scheduled: a measured CPU is left to its meter, and so are the other threads of its core.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Sim;
use Test::More;

my @LOAD  = actor('sleep=1000');
my @ENDED = ('exit 0', 'complete 200, valid; load: signal 15, by the run');

# One test: how keeper, standby, meter and load are scheduled, on a core of these CPUs, and how the run ends.
sub placed {
    my ($name, $options, $given, $siblings, $places, @warning) = @_;
    my $run = simulate([qw(-s nanosleep -f 100 -n 200 -o report), split(' ', $options), @LOAD],
        script => [$given || (), '1 show keeper standby meter0 load0'],
        files => { '/sys/devices/system/cpu/cpu0/topology/thread_siblings_list' => $siblings });
    my @places = $run->{log} =~ /^\S+ \w+: (\w+ \d+ on \S+)$/mg;
    is_deeply([\@places, outcome($run), faults_of($run)], [[split /; /, $places], $ENDED[0], @warning, $ENDED[1]], $name)
        or diag $run->{err}, $run->{log};
}

my $SHARED = 'warning: own processes: siblings of measured CPUs are used by keeper, standby and load on CPU';
my $SLOWED = 'which slows wake-ups; measure one CPU of each core, and leave a core without any (--cpu), or boot with nosmt';
placed('no CPU is measured', '', '', 0, join '; ', map { "$_ on 0,1,2,3" } 'other 0', 'other 0', 'fifo 95', 'other 0');
placed('CPU 0 is measured', '-a 0', '', 0, 'other 0 on 1,2,3; other 0 on 1,2,3; fifo 95 on 0; other 0 on 1,2,3');
placed('CPU 3 is on the core of CPU 0', '-a 0', '', '0,3', 'other 0 on 1,2; other 0 on 1,2; fifo 95 on 0; other 0 on 1,2');
placed('all CPUs are on one core', '-a 0', '', '0-3', 'other 0 on 1,2,3; other 0 on 1,2,3; fifo 95 on 0; other 0 on 1,2,3',
    "${SHARED}s 1-3, $SLOWED");
placed('both CPUs that may be used are on one core', '-a 0', 'set allowed 0,2', '0,2',
    'other 0 on 2; other 0 on 2; fifo 95 on 0; other 0 on 2', "$SHARED 2, $SLOWED");
placed('one CPU may be used', '-a 0', 'set allowed 0', 0, 'other 0 on 0; other 0 on 0; fifo 95 on 0; other 0 on 0');
placed('two CPUs may be used', '', 'set allowed 0,2', 0, join '; ', map { "$_ on 0,2" } 'other 0', 'other 0', 'fifo 95', 'other 0');

done_testing;
