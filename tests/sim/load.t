# SPDX-License-Identifier: GPL-2.0-or-later
# A load runs beside the measurement, for as long as it lasts and no longer, whatever becomes of the processes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Report;
use RunCommand qw(contents);
use Sim;
use Test::More;

my $HEIR   = 'the keeper was killed; the standby writes the report';
my $GOES   = 'the run goes on without it';
my $KILLED = 'suspect: the measuring process was killed';
my $ENDED  = 'load: signal 15, by the run';
my $FORCED = 'load: signal 9, by the run';
my $LOST   = 'load: unknown, by the kill of the standby';

# A run for three seconds, beside a load of these words for an actor.
sub beside {
    my ($words, $script, @outcome) = @_;
    measured([qw(-s nanosleep -f 100 -d 3s)], $words, $script, @outcome);
}

sub measured {
    my ($options, $words, $script, @outcome) = @_;
    my $run = simulate([@$options, qw(-o report), actor(split ' ', $words)], script => [split /; /, $script]);
    ends_so(join(' ', "@$options -- $words:", $script), $run, @outcome);
}

my @ENDLESS = qw(-s nanosleep -f 100);
measured([@ENDLESS], 'sleep=1', '', 'exit 0', 'complete 98, valid; load: exit status 0, by itself');
measured([@ENDLESS], 'sleep=10', '1 INT keeper', 'exit 3', "interrupted 98, valid; $ENDED");
for (['exit=3', 'exit status 3'], ['raise=6', 'signal 6'], ['raise=9', 'signal 9']) {
    my ($words, $how) = @$_;
    measured([@ENDLESS], "sleep=1 $words", '',
        'exit 0', "complete 98, suspect: the load failed after the last wake-up: $how; load: $how, by itself");
}
measured([qw(-s nanosleep -f 100 -n 100)], 'sleep=1 again', '', 'exit 0', "complete 100, valid; $ENDED");

unlike(simulate([qw(-s nanosleep -a 9 -o report), actor('sleep=1')])->{log}, qr/load0 begins/,
    'a load waits until the meters have their rights');

# It may end before the meter is let go: sixteen orders in which the processes may run.
my @at_once = map { simulate([@ENDLESS, qw(-o report), actor('exit=0')], script => ["set order $_"]) } 1 .. 16;
is_deeply([grep { !/load: exit status 0, by itself/ } map { (outcome($_))[-1] } @at_once], [], 'a load that ends at once leaves a report');

# It ends too early.
for (['exit=0', 'exit status 0', 'ended'], ['exit=3', 'exit status 3', 'failed'], ['raise=9', 'signal 9', 'failed']) {
    my ($words, $how, $word) = @$_;
    beside("sleep=1 $words", '', 'exit 0', "the load has ended: $how; $GOES",
        "complete 298, suspect: the load $word after 0.990 s of 2.980 s: $how; load: $how, by itself");
}
beside('exit=3', '', 'exit 0', "the load has ended: exit status 3; $GOES",
    'complete 298, suspect: the load failed before the first wake-up: exit status 3; load: exit status 3, by itself');
beside('sleep=1', '1.5 USR1 keeper; 1.6 KILL keeper standby', 'exit 137', "the load has ended: exit status 0; $GOES",
    'checkpoint 149, suspect: the load ended after 0.990 s of 1.490 s: exit status 0; load: exit status 0, by itself');
measured([qw(-f 100 -d 1s)], 'exit=0', 'set rtc /dev/rtc0; 0 silence', 'exit 1', "the load has ended: exit status 0; $GOES",
    'complete 0, invalid: nothing was measured; load: exit status 0, by itself');

# It does not want to end.
beside($_->[0], '', 'exit 0', "complete 298, valid; $_->[1]") for (
    ['ignore=15 sleep=1000', $FORCED],
    ['raise=19 sleep=1000', $ENDED],
    ['fork session fork ignore=15 sleep=1000', $FORCED],
    ['child=0.05 sleep=0.02 again', $ENDED],
);
beside('child=1000 session child=1000 exit=0', '', 'exit 0', "the load has ended: exit status 0; $GOES",
    'complete 298, suspect: the load ended before the first wake-up: exit status 0; load: exit status 0, by itself');

beside('ignore=15 daemon sleep=0.05 again', '', 'exit 0', "the load has ended: exit status 0; $GOES",
    'complete 298, suspect: the load ended before the first wake-up: exit status 0; load: exit status 0, by itself');

# It cannot be ended, and is looked for every 20 ms for 15 seconds.
my $stuck = simulate([qw(-s nanosleep -f 100 -d 3s -o report), actor('sleep=1000')],
    script => ['standby:kill:1+ EPERM', 'set trace standby']);
is_deeply([map { s/process \K\d+/N/r } outcome($stuck), faults_of($stuck)],
    ['exit 0', 'complete 298, suspect: the load has not ended with the run: actor (process N)'], 'a load that cannot be ended');
is(() = $stuck->{log} =~ /^\S+ standby calls \d+ poll$/mg, 753, 'a load that cannot be ended does not cost the CPU');

# It stops its parent, which has yet to say that the load is there, or has just done so, or waits for the load to end.
beside('parent=19 sleep=1000', '', 'exit 0', "complete 298, valid; $ENDED");
beside('sleep=0.001 parent=19 sleep=1000', '', 'exit 0', "complete 298, valid; $ENDED");
beside('ignore=15 sleep=0.05 parent=19 again', '', 'exit 0', "complete 298, valid; $FORCED");

# It kills the keeper, before anything is measured, or later.
beside('grandparent=9 sleep=1000', '', 'exit 137');
beside('sleep=1 grandparent=9 sleep=1000', '', 'exit 137', $HEIR, "interrupted 98, valid; $ENDED");

beside('ignore=15 sleep=1000', @$_) for (
    ['1 INT keeper' => 'exit 3', "interrupted 98, valid; $FORCED"],
    ['1 STOP standby; 2 INT keeper' => 'exit 3', "interrupted 198, valid; $FORCED"],
    ['1 KILL keeper' => 'exit 137', $HEIR, "interrupted 98, valid; $FORCED"],
    ['1 INT keeper; 2 KILL standby' =>
        'exit 3', "interrupted 98, suspect: the load was ended after the last wake-up: the standby was killed; $LOST"],
);

# On two CPUs there is one load.
measured([@ENDLESS, '-a', '0,1'], 'sleep=1', '', 'exit 0', ('complete 98, valid; load: exit status 0, by itself') x 2);
for (
    ['1 KILL meter0' => 'exit 3', "interrupted 98, $KILLED; $FORCED", "complete 298, valid; $FORCED"],
    ['1 KILL meter1' => 'exit 3', "complete 299, valid; $FORCED", "interrupted 98, $KILLED; $FORCED"],
    ['1 KILL meter0 meter1' => 'exit 3', ("interrupted 98, $KILLED; $FORCED") x 2],
    ['1 KILL keeper' => 'exit 137', $HEIR, ("interrupted 98, valid; $FORCED") x 2],
    ['1 KILL meter0 keeper' => 'exit 137', $HEIR, "interrupted 98, $KILLED; $FORCED", "interrupted 98, valid; $FORCED"],
    ['1 KILL standby' => 'exit 0', "the load has ended: unknown; $GOES",
        "complete 299, suspect: the load was ended after 1.030 s of 2.990 s: the standby was killed; $LOST",
        "complete 298, suspect: the load was ended after 1.025 s of 2.980 s: the standby was killed; $LOST"],
    ['1 KILL meter1 standby' => 'exit 3', "the load has ended: unknown; $GOES",
        "complete 299, suspect: the load was ended after 1.030 s of 2.990 s: the standby was killed; $LOST",
        "interrupted 98, $KILLED; the load was ended after the last wake-up: the standby was killed; $LOST"],
    ['1 KILL keeper standby' => 'exit 137'],
) {
    measured([qw(-s nanosleep -f 100 -d 3s -a), '0,1'], 'fork session fork ignore=15 sleep=1000', @$_);
}

# A shell may have started another process, and have become realfeel then.
my $run = simulate([qw(-s nanosleep -f 100 -d 3s -o report), actor('sleep=1000')], under => ['child=1000'],
    script => ['1 KILL standby', '2 INT keeper', '5 KILL trial0']);
ends_so('a child that is none of ours lives on', $run, 'exit 3', "the load has ended: unknown; $GOES",
    "interrupted 198, suspect: the load was ended after 1.010 s of 1.980 s: the standby was killed; $LOST");
like($run->{log}, qr/^5\.0+ trial0 is killed/m, 'a child that is none of ours lives to its own end');

# The machine and the report come before a load that takes five seconds to end.
for (['KILL keeper', 137], ['KILL meter0', 3]) {
    my ($what, $status) = @$_;
    $run = simulate([qw(-f 100 -d 1h -o report), actor(qw(ignore=15 sleep=1000))],
        script => ['set rtc /dev/rtc0', "1 $what", '2 rename report report.then']);
    is($run->{status}, $status, "$what: exit status");
    like($run->{log}, qr/^1\.00\S+ \w+ rtc rate 1024.*^6\.\S+ load0 is killed/ms, "$what: the rate is put back first");
    my @samples = map { whole_report($_)->{samples} } contents('report.then'), $run->{report};
    is("@samples", '98 98', "$what: all that was measured is saved first");
}

done_testing;
