# SPDX-License-Identifier: GPL-2.0-or-later
# Processes die at each call that they make. However that hits, the report is whole, and the machine is as before.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Sim;
use Test::More;

my $HEIR   = 'the keeper was killed; the standby writes the report';
my $EARLY  = 'the standby process was killed before it could start the load; start again';
my $EMPTY  = 'invalid: nothing was measured';
my $UNBORN = 'the measuring process ended before it could measure';
my $KILLED = 'suspect: the measuring process was killed';
my $ENDED  = 'load: signal 15, by the run';
my $LOST   = ': the standby was killed; load: unknown, by the kill of the standby';

# Runs of these options and this script, in which "PROCESS dies", or "PROCESS gets SIGNAL", happens at the first call of
# the process, at its second, and so on, until it has no more: the different outcomes, as ends_so() has them, and the faults.
sub outcomes {
    my ($options, $script, $of) = @_;
    my ($victim, $signal) = $script =~ /(\w+) (?:dies|gets (\w+))/;
    $signal //= 'KILL';
    my (@outcomes, @faults, $end);
    for (my $number = 1; !$end; $number++) {
        my $run = simulate([@$options, '-o', $of->{at} // 'report', @{ $of->{load} // [] }], %$of,
            script => [@{ $of->{script} // [] }, split /; /, $script =~ s/$victim (?:dies|gets \w+)/$victim:any:$number $signal $victim/r]);
        my ($calls) = $run->{log} =~ /^\S+ $victim (?:ends|is killed) after (\d+) calls/m;
        $end = ($calls // 0) < $number;
        my $outcome = join '; ', outcome($run);
        push @outcomes, $outcome if !@outcomes || $outcomes[-1] ne $outcome;
        push @faults, map { "call $number: $_" } faults_of($run, 1);
    }
    return (\@outcomes, \@faults);
}

# One test: the outcomes are these, in this order, without a fault.
sub at_each_call {
    my ($options, $script, $of, @expected) = @_;
    my ($outcomes, $faults) = outcomes($options, $script, $of);
    is_deeply([@$outcomes, @$faults], [map { join '; ', @$_ } @expected], "@$options: $script");
}

# One test: the run comes to an end, and a process that was stopped is made to.
sub ends_at_each_call {
    my ($options, $script, $of) = @_;
    my ($outcomes, $faults) = outcomes($options, $script, $of);
    is_deeply($faults, [], "@$options: $script") or diag join "\n", @$outcomes;
}

my @RTC = (script => ['set rtc /dev/rtc0']);
my @TWO = (qw(-s nanosleep -f 10 -a), '0,1');
my @LOAD = (load => [actor(qw(fork sleep=1000))]);

at_each_call([qw(-f 10 -d 2s -C 1s)], 'keeper dies', {@RTC, @LOAD},
    ['exit 137'],
    ['exit 137', $HEIR, "interrupted 0, $EMPTY; $ENDED"],
    ['exit 137', $HEIR, "interrupted 9, valid; $ENDED"],
    ['exit 137', $HEIR, "interrupted 11, valid; $ENDED"],
    ['exit 137', $HEIR, "complete 18, valid; $ENDED"],
    ['exit 137', "complete 18, valid; $ENDED"],
    ['exit 0', "complete 18, valid; $ENDED"],
);
# What was printed is not printed again.
at_each_call([qw(-f 10 -d 1s)], 'keeper dies', {@RTC, at => '-'},
    ['exit 137'],
    ['exit 137', $HEIR, "interrupted 0, $EMPTY"],
    ['exit 137', $HEIR, 'complete 8, valid'],
    ['exit 137', 'complete 8, valid'],
    ['exit 0', 'complete 8, valid'],
);
at_each_call([@TWO, qw(-d 2s -C 1s)], 'keeper dies', {},
    ['exit 137'],
    ['exit 137', $HEIR, ("interrupted 0, $EMPTY") x 2],
    ['exit 137', $HEIR, 'interrupted 9, valid', 'interrupted 8, valid'],
    ['exit 137', $HEIR, 'interrupted 11, valid', 'interrupted 10, valid'],
    ['exit 137', $HEIR, ('complete 18, valid') x 2],
    ['exit 137', ('complete 18, valid') x 2],
    ['exit 0', ('complete 18, valid') x 2],
);
at_each_call([qw(-f 10 -d 500ms)], 'meter0 dies', {@RTC},
    ['exit 1', 'the measuring process was killed before it could measure; start again'],
    ['exit 1', "interrupted 0, $EMPTY; the measuring process was killed"],
    (map { ['exit 3', "interrupted $_, $KILLED"] } 1 .. 3),
    ['exit 0', 'complete 3, valid'],
);
at_each_call([@TWO, qw(-d 500ms)], 'meter1 dies', {},
    ['exit 1', 'complete 3, valid', "interrupted 0, $EMPTY; $UNBORN"],
    ['exit 1', 'complete 3, valid', "interrupted 0, $EMPTY; the measuring process was killed"],
    (map { ['exit 3', 'complete 3, valid', "interrupted $_, $KILLED"] } 1 .. 3),
    ['exit 0', ('complete 3, valid') x 2],
);
at_each_call([qw(-f 10 -d 500ms)], 'standby dies', {@RTC, @LOAD},
    ['exit 1', $EARLY],
    ['exit 0', 'the load has ended: unknown; the run goes on without it',
        "complete 3, suspect: the load was ended before the first wake-up$LOST"],
    ['exit 0', "complete 3, suspect: the load was ended after the last wake-up$LOST"],
    ['exit 0', "complete 3, valid; $ENDED"],
);

# Two die: of these the standby in the place of the keeper.
at_each_call([qw(-f 10 -d 1s -a 1)], '0.5 KILL keeper; standby dies', {@RTC},
    ['exit 1', $EARLY],
    ['exit 137'],
    ['exit 137', $HEIR],
    ['exit 137', $HEIR, 'interrupted 3, valid'],
);
at_each_call([@TWO, qw(-d 1s)], '0.5 KILL keeper; standby dies', {},
    ['exit 1', $EARLY],
    ['exit 137'],
    ['exit 137', $HEIR],
    ['exit 137', $HEIR, ('interrupted 3, valid') x 2],
);
at_each_call([@TWO, qw(-d 1s)], '0.5 KILL meter0 keeper; standby dies', {},
    ['exit 1', $EARLY],
    ['exit 137'],
    ['exit 137', $HEIR],
    ['exit 137', $HEIR, "interrupted 3, $KILLED", 'interrupted 3, valid'],
);
at_each_call([qw(-f 10 -d 1s)], '0.5 KILL keeper; meter0 dies', {@RTC},
    ['exit 1', 'the measuring process was killed before it could measure; start again'],
    ['exit 1', "interrupted 0, $EMPTY; the measuring process was killed"],
    (map { ['exit 3', "interrupted $_, $KILLED"] } 1 .. 3),
    ['exit 137', $HEIR, "interrupted 3, $KILLED"],
    ['exit 137', $HEIR, 'interrupted 3, valid'],
);
at_each_call([qw(-f 10 -d 1s)], '0.5 KILL meter0; keeper dies', {@RTC},
    ['exit 137'],
    ['exit 137', $HEIR, "interrupted 0, $EMPTY"],
    ['exit 137', $HEIR, "interrupted 3, $KILLED"],
    ['exit 137', "interrupted 3, $KILLED"],
    ['exit 3', "interrupted 3, $KILLED"],
);
at_each_call([qw(-f 10 -d 1s)], '0.5 KILL standby; keeper dies', {@RTC},
    ['exit 137'],
    ['exit 137', $HEIR, "interrupted 0, $EMPTY"],
    ['exit 137'],
    ['exit 137', 'complete 8, valid'],
    ['exit 0', 'complete 8, valid'],
);

# Nobody continues what is stopped.
ends_at_each_call([qw(-f 10 -d 300ms)], $_, {@RTC}) for 'meter0 gets STOP', '0.2 KILL keeper; meter0 gets STOP';
ends_at_each_call([@TWO, qw(-d 300ms)], 'meter1 gets STOP', {});
ends_at_each_call([qw(-s thread -f 10 -d 300ms)], $_, {}) for 'meter0 gets STOP', 'child0 gets STOP';

# It is asked to end: the RTC is as it was.
at_each_call([qw(-f 10 -n 5)], 'keeper gets INT', {@RTC},
    ['exit 130'],
    ['exit 1', 'interrupted before the first wake-up; no report is written'],
    ['exit 1', "interrupted 0, $EMPTY"],
    ['exit 0', 'complete 5, valid'],
);
at_each_call([qw(-f 10 --check)], "keeper gets $_->[0]", {@RTC}, ["exit $_->[1]"], ['exit 0'])
    for ['INT', 130], ['TERM', 143], ['HUP', 129];

done_testing;
