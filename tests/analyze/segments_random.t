# SPDX-License-Identifier: GPL-2.0-or-later
# Random schedules in which what had the CPU at each moment is known: what is reported must agree.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(any max min);
use Test::More;

use Realfeel::Answer::Segments qw(segments);
use Realfeel::Model::Explain qw(task);
use Seed;

use constant { SCHEDULES => 1000, STEPS => 120, METER => 99 };

seed();

my @TASKS = (task(0, 'idle', 'nice:0'), task(10, 'dd', 'nice:0'), task(11, 'sh', 'nice:0'), task(20, 'hog', 'rt:97'),
    task(15, 'ktimers/0', 'rt:1'), task(METER, 'realfeel', 'rt:95'));
my @VECTORS = qw(TIMER NET_RX RCU);
my @INTERRUPTS = ('eth0', 'timer interrupt', 'reschedule IPI');

my (%cpu, @records, @truth);

sub chance { return rand() < 1 / $_[0] }

sub interrupt { return defined $cpu{inner} ? $cpu{inner} : $cpu{interrupt} }

# Time passes, now and then none.
sub time_passes {
    $cpu{at} += chance(10) ? 0 : int rand 50_000;
    my ($task, $interrupt) = ($TASKS[$cpu{task}]{name}, interrupt());
    my $softirq = $cpu{softirq}[$cpu{task}];
    my $owner = defined $interrupt ? $INTERRUPTS[$interrupt] : defined $softirq ? $VECTORS[$softirq] : $task;
    push @truth, { to => $cpu{at}, owner => $owner, thread => $cpu{is_threaded} && !defined $interrupt ? $task : $owner };
    return $cpu{at};
}

sub record { push @records, { at => time_passes(), stack => [], @_ } }

sub begin_or_end {
    my ($which) = @_;
    my $begins = !defined $cpu{$which};
    my $number = $cpu{$which} // ($which eq 'inner' ? 1 + int rand 2 : int rand 3);
    my $edge = $begins ? 'entry' : 'exit';
    $number ? record(kind => "vector_$edge", id => '-', name => $INTERRUPTS[$number])
        : record(kind => "irq_$edge", id => 9, name => $begins ? 'eth0' : undef);
    $cpu{$which} = $begins ? $number : undef;
}

sub begin_or_end_softirq {
    my $softirq = \$cpu{softirq}[$cpu{task}];
    my $begins = !defined $$softirq;
    my $vector = $$softirq // int rand 3;
    record(kind => 'softirq_' . ($begins ? 'entry' : 'exit'), id => $vector, name => $VECTORS[$vector]);
    $$softirq = $begins ? $vector : undef;
}

sub switch_to {
    my ($task) = @_;
    record(kind => 'switch', prev => $TASKS[$cpu{task}], next => $TASKS[$task], state => (qw(R S T t))[rand 4]);
    $cpu{task} = $task;
}

sub may_switch { return !defined $cpu{interrupt} && ($cpu{is_threaded} || !defined $cpu{softirq}[$cpu{task}]) }

sub step {
    if    (defined $cpu{inner} || ($cpu{interrupt} // 1) == 0 && chance(4)) { begin_or_end('inner') }
    elsif (defined $cpu{interrupt} || chance(3))                           { begin_or_end('interrupt') }
    elsif (may_switch() && chance(2)) { switch_to(($cpu{task} + 1 + int rand @TASKS - 1) % @TASKS) }
    elsif ($cpu{task} && chance(2))   { begin_or_end_softirq() }
    elsif (chance(4))                 { record(kind => 'expire') }
    else                              { record(kind => 'waking', next => $TASKS[-1]) }
}

# In the end the meter has the CPU to itself. Returns when it stamps.
sub schedule {
    %cpu = (is_threaded => chance(2), at => -int rand 2_000_000, task => int rand @TASKS, softirq => []);
    @records = @truth = ();
    step() for 1 .. rand STEPS;
    step() until may_switch();
    switch_to($#TASKS) if $cpu{task} != $#TASKS;
    begin_or_end_softirq() while defined $cpu{softirq}[$cpu{task}];
    return time_passes();
}

sub name_of {
    my ($segment) = @_;
    return $segment->{kind} =~ /^(?:task|idle|self)$/ ? $segment->{task}{name} : $segment->{name};
}

# The end of a handler has only its number. If the beginning of a softirq was lost, and the end is after all records, it
# is its thread that has the time.
sub is_right {
    my ($name, $truth) = @_;
    return $name eq $truth->{owner} || $name eq $truth->{thread} || $name eq 'irq 9' && $truth->{owner} eq 'eth0';
}

# The time in the segment that was another's.
sub wrong_ns {
    my ($segment) = @_;
    my ($wrong, $from) = (0, -9**9**9);
    for my $truth (@truth) {
        my ($first, $last) = (max($from, $segment->{from}), min($truth->{to}, $segment->{to}));
        $wrong += $last - $first if $last > $first && !is_right(name_of($segment), $truth);
        $from = $truth->{to};
    }
    return $wrong;
}

my %sum;

sub check {
    my ($late) = @_;
    my $at = 0;
    my $found = segments(\@records, late => $late, usual_ns => 20_000, meter => task(METER, 'realfeel', undef));
    for my $segment (@{ $found->{segments} }) {
        my $ns = $segment->{to} - $segment->{from};
        $sum{gaps}++ if $segment->{from} != $at || $ns <= 0;
        $sum{total} += $ns;
        # Only the time shows that no runnable task ran, and it is made up here.
        if    ($segment->{kind} ne 'unknown')      { $sum{wrong} += wrong_ns($segment) }
        elsif ($segment->{reason} ne 'no-record') { $sum{unknown} += $ns }
        $at = $segment->{to};
    }
    $sum{gaps}++ if $at != max(0, $late);
}

# Some records give way to one that says so; or to nothing, the oldest ones.
sub lose_some {
    my $first = chance(4) ? 0 : int rand @records + 1;
    my $at = $first ? $records[$first - 1]{at} : undef;
    my @gone = splice @records, $first, rand @records - $first + 1;
    splice @records, $first, 0, { at => $at, kind => 'lost', stack => [] } if $first && @gone;
}

sub reaches_back { return any { $_->{kind} eq 'switch' && $_->{at} < 0 } @records }

%sum = (gaps => 0, total => 0, unknown => 0, wrong => 0);
for (my $told = 0; $told < SCHEDULES;) {
    my $late = schedule();
    next unless reaches_back();
    check($late);
    $told++;
}
is_deeply([@sum{qw(gaps unknown wrong)}], [0, 0, 0], 'without losses there is no gap, and nothing unknown or wrong');
cmp_ok($sum{total}, '>', 0, sprintf '%.3f s', $sum{total} / 1e9);

%sum = (gaps => 0, total => 0, unknown => 0, wrong => 0);
for (1 .. SCHEDULES) {
    my $late = schedule();
    lose_some() for 1 .. 1 + rand 3;
    check($late);
}
is_deeply([@sum{qw(gaps wrong)}], [0, 0], 'with records lost, there is no gap and nothing wrong, either');
cmp_ok($sum{unknown}, '>', 0, sprintf '%.3f s are unknown', $sum{unknown} / 1e9);
cmp_ok($sum{unknown}, '<', $sum{total}, sprintf 'of %.3f s', $sum{total} / 1e9);

done_testing;
