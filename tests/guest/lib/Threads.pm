# SPDX-License-Identifier: GPL-2.0-or-later
package Threads;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use List::Util qw(first sum);
use Test::More;
use Answered qw(answered interrupted);
use Report qw(column whole_parts whole_report);
use RunCommand qw(run);

our @EXPORT = qw(threads_of);

use constant HZ => 200;

=head1 NAME

Threads - cases: which threads of another program are measured, what delays them, and how the run ends

=head2 threads_of()

The program is F<tests/lib/sleeper.c>.

=cut

# begin NAME KIND POLICY HZ THREADS: the sleeper, by that name; its number is in $sleeper, that of its first thread in $one.
# finish: it ends, and its stamps are in own; nothing else may have descriptor 3 open.
my $SHELL = <<'EOS';
begin()
{
	ln -sf /bin/sleeper "/tmp/$1"
	rm -f open
	mkfifo open
	"/tmp/$1" "$2" "$3" "$4" "$5" <open >own &
	sleeper=$!
	exec 3>open
	rm open
	usleep 200000
	echo "$sleeper $(head -n 1 own)" >numbers
	read -r _ one _ <numbers
}
finish()
{
	exec 3>&-
	wait "$sleeper"
}
EOS

sub threads_of {
    return (chosen(), loops(), delayed(), sleepless(), ended(), policies(), stopped(), unrecorded());
}

sub numbers { return split ' ', $_[0]{numbers} }

sub list { return join ' ', map { $_->{thread} } @_ }

# Those of a process, by its number or name; those that are named; and one by its number.
sub chosen {
    return ['chosen', $SHELL . <<"EOS", 1, \&check_chosen];
begin many nanosleep other @{[HZ]} 5
read -r _ one two three four _ <numbers
realfeel -s task:\$sleeper -d 1s -o process 2>said
realfeel -q -s task:many -d 1s -o name
realfeel -q -s task:\$two -d 1s -o one
realfeel -q -s task:\$two --threads=all -d 1s -o all
realfeel -q -s task:\$sleeper --threads=\$four,\$one -d 1s -o some
/tmp/many nanosleep other @{[HZ]} 1 </dev/zero >/dev/null &
realfeel -q -s task:many -n 1 -o two
status=\$?
kill \$!
finish
(exit \$status)
EOS
}

sub check_chosen {
    my ($left) = @_;
    my ($pid, @threads) = numbers($left);
    my %parts = map { $_ => [whole_parts($left->{$_} // '')] } qw(process name one all some);
    my @process = @{ $parts{process} };
    is(list(@process), "@threads", 'all threads of a process that wake up');
    is_deeply([grep { "$_->{thread_name} $_->{thread_policy}" ne 'many other' } @process], [], 'each with its name and policy');
    is_deeply([grep { $_->{threads_asleep} ne "$pid many" } @process], [], 'the one that sleeps is named');
    like($left->{said}, qr/^ +thread +policy +samples /m, 'a table lists the threads');
    like($left->{said}, qr/^thread +the worst of 6: (?:@{[join '|', @threads]}) many, other, on CPU 0$/m, 'the worst is named');
    is(list(@{ $parts{name} }), "@threads", 'by the name of the process');
    is(list(@{ $parts{one} }), $threads[1], 'one alone by its number');
    is(list(@{ $parts{all} }), "@threads", 'all by the number of one');
    is(list(@{ $parts{some} }), "@threads[0, 3]", 'some by a list');
    is_deeply([map { $_->{threads_asleep} } @{ $parts{some} }], [undef, undef], 'no other is named then');
    my @missing = map { $_->{duration_s} * HZ - $_->{samples} - $_->{unmatched} } map { @$_ } values %parts;
    is_deeply([grep { abs > 1 } @missing], [], 'each with all its wake-ups');
    is_deeply([grep { ($_->{inferred_period_ns} // 0) != 1e9 / HZ } map { @$_ } values %parts], [], 'and its period');
    like($left->{stderr}, qr/: 2 processes have that name or a thread of that name: $pid, \d+; give the number of one$/m,
        'a name that two processes have is refused');
}

# One that sleeps for its period from when it is done, and one that others wake, too.
sub loops {
    return ['loops', $SHELL . <<"EOS", 0, \&check_loops];
for kind in relative events; do
	begin \$kind \$kind fifo @{[HZ]} 1
	realfeel -q -s task:\$one -d 2s -o \$kind
	finish
done
EOS
}

sub check_loops {
    my ($left) = @_;
    my ($relative, $events) = map { whole_report($left->{$_} // '', $_) } qw(relative events);
    my ($samples, $timed, $unmatched) = @$events{qw(samples timed unmatched)};
    my ($rate_hz, $sleep_ns) = @$relative{qw(inferred_rate_hz inferred_sleep_ns)};
    ok(0.9 * HZ < $rate_hz && $rate_hz < HZ, "a loop that sleeps from when it is done is slower than it asks for: $rate_hz a second");
    cmp_ok(abs($sleep_ns / (1e9 / HZ) - 1), '<', 0.01, "and sleeps as long as it asks for: $sleep_ns ns");
    cmp_ok($timed, '>', HZ, 'the timer of an event loop woke it in most of its periods');
    cmp_ok($samples - $timed, '>', HZ, 'another thread woke it in between');
    cmp_ok($unmatched, '<=', $samples / 100, "next to none of $samples wake-ups of an event loop is unmatched");
}

# A hog takes the CPU from the thread eight times, at each eighth of its period.
sub delayed {
    my $run = sub {
        my ($name, $options) = @_;
        return "realfeel -s task:\$one -d 1h -o $name $options & run=\$!; sleep 2; hog 60 8 20 0 125 >/dev/null; ";
    };
    my $interrupted = 'kill -INT $run; wait $run';
    return ['delayed', join("\n", "${SHELL}begin sleeper nanosleep fifo 1000 1", $run->('blame', '--explain') . $interrupted,
        $run->('parts', '--explain=parts') . $interrupted, $run->('break', '--explain --break=15ms') . 'wait $run', 'status=$?; finish',
        '(exit $status)'), 2, \&check_delayed];
}

sub check_delayed {
    my ($left) = @_;
    my ($thread) = (numbers($left))[1];
    my %report = map { $_ => whole_report($left->{$_} // '', $_) } qw(blame parts break);
    my $blame = $report{blame};
    is_deeply([map { $report{$_}{explain} } qw(blame parts break)], [qw(blame parts blame)], 'the level');
    is("$blame->{again_sum_ns} $blame->{stamp_sum_ns}", '0 0', 'the measurement ends with the switch');
    is($blame->{parts_unknown}, 0, 'the parts of each wake-up are known');
    my @late = grep { /^\d\d\.\d+ ms/ } map { $_->{sentence} } answered($left->{blame});
    is(scalar @late, 8, 'it was late eight times');
    is_deeply([grep { !/ late: 'hog' \(rt 60\) (?:ran for|took the CPU away for) / } @late], [], 'by the hog, each time');
    my @switches = grep { $_->{event} == 1 && $_->{kind} eq 'switch_in' } @{ $blame->{sets}{records} };
    is("$switches[-1]{name} $switches[-1]{id}", "sleeper $thread", 'the last record before its stamp gives it the CPU');
    check_advice();
    ok(!exists $report{parts}{sets}{records}, 'parts alone: there are no records');
    cmp_ok($report{parts}{switch_max_ns}, '>', 15e6, 'the wait for the CPU is a part');
    is($report{break}{status}, 'break', 'a break ends the run');
    cmp_ok((column($report{break}, 'events', 'delay_us'))[0], '>', 15_000, 'by the worst wake-up');
    ok((first { $_->{event} == 1 && $_->{name} eq 'hog' } @{ $report{break}{sets}{records} }), 'whose records lead up to it');
}

sub check_advice {
    my ($file) = glob "$FindBin::Bin/../../build/guest/task-*/files/delayed/blame";
    my (undef, $why) = run("$FindBin::Bin/../../analyze/realfeel-analyze", 'explain', $file);
    my ($number, $lowered) = $why =~ /^ *grep -qxF hog \/proc\/(\d+)\/comm && chrt -f -p 49 (\d+)$/m;
    is($number // 'none', $lowered, 'the analyzer says how to lower the hog');
    like($why =~ s/\s+/ /gr, qr/not below the thread's; lower it if the task can wait grep /, 'the analyzer says what helps');
    unlike($why, qr/realfeel (?:was|itself)|--policy|\bours\b/, 'and does not take the thread for our own');
}

# What interrupts a thread that never sleeps: the tick of Debian's kernels, 250 times a second, and a hog, whose own time
# stamps say for how long.
sub sleepless {
    return ['sleepless', <<'EOS', 0, \&check_sleepless];
sh -c 'while :; do :; done' & spin=$!
usleep 100000
realfeel -s task:$spin -d 1s --explain -o report & run=$!
usleep 700000
hog 60 4 10 >stalls
wait $run
status=$?
kill $spin
(exit $status)
EOS
}

sub check_sleepless {
    my ($left) = @_;
    like($left->{stderr}, qr/because the thread never slept \(what interrupted it: realfeel-analyze explain\)$/m, 'the verdict');
    my $found = interrupted($left->{report});
    my %culprit = map { $_->{name} => $_ } @{ $found->{culprits} };
    my ($hog, $tick) = @culprit{'hog', 'timer interrupt'};
    my @stalls = sort { $b <=> $a } map { my ($from, $to) = split; ($to - $from) / 1000 } split /\n/, $left->{stalls};
    cmp_ok(abs($hog->{most_us} - $stalls[0] - 50), '<=', 50, "hog had the CPU for $hog->{most_us} us; its longest stall: $stalls[0] us");
    cmp_ok($hog->{us}, '>=', sum(@stalls), "hog's time includes all its stalls");
    cmp_ok($tick->{times}, '>=', int 250 * $found->{seconds} - 1, "each tick of $found->{seconds} s is counted");
}

# A thread that ends ends the run. The only wake-up of the second is its end.
sub ended {
    return ['ended', $SHELL . <<'EOS', 0, \&check_ended];
begin sleeper nanosleep other 1000 1
realfeel -s task:$one -d 1h -o awake 3>&- & run=$!
sleep 2
finish
wait $run || exit
/bin/sleep 60 & asleep=$!
realfeel -s task:$asleep -d 1h --best-effort -o asleep & run=$!
sleep 2
kill -KILL $asleep
wait $run
EOS
}

sub check_ended {
    my ($left) = @_;
    my $report = whole_report($left->{awake} // '');
    is($report->{status}, 'complete', 'the run is complete');
    cmp_ok($report->{thread_ended_s}, '<=', $report->{duration_s}, 'the report has when the thread ended');
    like($left->{stderr}, qr/^thread +\d+ sleeper \(one of \d of its process\), other, on CPU 0; ended after \d/m, 'and the row');
    like($left->{stderr}, qr/^thread +\d+ \w+, .*; ended$/m, 'of one that slept it is not known after how long');
    unlike($left->{asleep}, qr/^# thread_ended_s/m, 'nor has the report that');
}

# The thread is not touched; a policy that the program would not take for itself is named.
sub policies {
    return ['policies', $SHELL . <<'EOS', 0, \&check_policies];
begin sleeper nanosleep other 1000 1
state() { chrt -a -p $sleeper; grep Cpus_allowed: /proc/$sleeper/status; }
state >before
realfeel -q -s task:$one -n 50 -o other
state >after
for policy in batch idle; do
	chrt --$policy -a -p 0 $sleeper
	realfeel -q -s task:$one -n 5 -o $policy
done
finish
EOS
}

sub check_policies {
    my ($left) = @_;
    is($left->{after}, $left->{before}, 'the thread is as before');
    my %policy = map { $_ => whole_report($left->{$_} // '', $_)->{thread_policy} } qw(other batch idle);
    is_deeply(\%policy, { map { $_ => $_ } keys %policy }, 'each policy is named');
}

# No wake-up is counted that was not, none twice, none later than the thread has seen it.
sub stopped {
    return ['stopped', $SHELL . <<'EOS', 0, \&check_stopped];
begin sleeper nanosleep fifo 1000 1
realfeel -q -s task:$one -d 2s -o report & run=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do usleep 100000; kill -STOP $sleeper; usleep 30000; kill -CONT $sleeper; done
wait $run
status=$?
finish
(exit $status)
EOS
}

sub check_stopped {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    my @own_us = sort { $b <=> $a } map { ($_->[3] - $_->[1]) / 1000 } grep { @$_ == 4 } map { [split] } split /\n/, $left->{own};
    cmp_ok($report->{samples} + $report->{unmatched}, '<=', @own_us + 2, 'none is counted twice');
    cmp_ok($report->{samples}, '>', 1500, 'most are matched');
    my @late_us = column($report, 'events', 'delay_us');
    is_deeply([grep { $late_us[$_] > $own_us[$_] } 0 .. $#late_us], [], 'none is later than the thread has seen it');
    cmp_ok($report->{lateness_min_ns}, '>=', 0, 'none is before it is due');
}

# Where perf records nothing, programs do; if there can be none, wake-ups are counted.
sub unrecorded {
    return ['unrecorded', $SHELL . <<'EOS', 0, \&check_unrecorded];
begin sleeper nanosleep other 1000 1
blind="env LD_PRELOAD=/lib/fake_root.so FAKE_PERF_BLIND=1"
FAKE_BPF_ERRNO=1 $blind realfeel --check -s task:$one >check
FAKE_BPF_ERRNO=1 $blind realfeel -s task:$one -d 500ms -o none
$blind realfeel -q -s task:$one -d 500ms --explain -o programs
status=$?
finish
(exit $status)
EOS
}

sub check_unrecorded {
    my ($left) = @_;
    my $misses = qr/the kernel records only 0 of \d+ wakings and 0 of \d+ task switches on CPU 0: wake-ups that it misses /
        . qr/will stay unmatched; run the threads on another CPU \(taskset\)/;
    like($left->{check}, qr/^source: $misses$/m, '--check says what is not recorded');
    like($left->{stderr}, qr/^realfeel: warning: --source=task: $misses$/m, 'a run does, too');
    my ($none, $programs) = map { whole_report($left->{$_} // '', $_) } qw(none programs);
    is($none->{samples}, 0, 'nothing is guessed');
    cmp_ok($none->{unmatched}, '>', 400, 'all wake-ups are counted');
    cmp_ok($programs->{samples}, '>=', 499, 'programs record them');
    cmp_ok($programs->{unmatched}, '<=', 1, 'all of them');
    my ($thread) = (numbers($left))[1];
    my %gets = map { $_->{name} => 1 } grep { $_->{kind} eq 'switch_in' && $_->{id} == $thread } @{ $programs->{sets}{records} };
    is_deeply([keys %gets], ['sleeper'], 'and what has the CPU');
}

1;
