#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The threads of another program, measured at once: which they are, that each has its part, and what is told of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IPC::Open2 qw(open2);
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(contents finish run start);
use RunEnd;
use Sleeper;
use Test::More;

use constant { THREADS => 5, HZ => 200, MANY => $ENV{CHECK_ALL} ? 200 : 50, MANY_HZ => 20 };

# Before other ordinary threads, or it would miss periods beside them. One more of its threads, the first, sleeps meanwhile.
sub sleeper {
    my ($kind, $name, $hz, $threads) = @_;
    symlink $SLEEPER, $name or die "$name: $!\n";
    $hz //= HZ;
    my $pid = open2(my $out, my $in, qw(nice -n -15), "./$name", $kind, 'other', $hz, $threads // THREADS);
    return {pid => $pid, hz => $hz, in => $in, out => $out, threads => [sort { $a <=> $b } split ' ', <$out> // '']};
}

# Returns how often each of its threads woke up, and how often it did not sleep until one period after the last time.
sub ended {
    my ($sleeper) = @_;
    close $sleeper->{in};
    my $out = $sleeper->{out};
    my @lines = <$out>;
    waitpid $sleeper->{pid}, 0;
    return ((woken(@lines))[0], irregular(1e9 / $sleeper->{hz}, @lines));
}

sub measured {
    my ($target, @options) = @_;
    my ($status, $out) = run(program('-s', "task:$target", qw(-q -o -), @options));
    is($status, 0, "$target @options: it is measured");
    return whole_parts($out);
}

# The same, with what was said first, until so many threads have a part: a thread has one when it was seen to wake up twice.
sub chosen {
    my ($count, $target, @options) = @_;
    unlink 'report';
    my $run = start(program('-s', "task:$target", qw(-d 1h -o report), @options));
    wait_for_sample($run, 'report');
    wait_for_samples($run, (1) x $count);
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 3, "$target @options: it is measured");
    return ($err, whole_parts(contents('report')));
}

sub threads { return join ' ', map { $_->{thread} } @_ }

sub chooses {
    my ($sleeper, $name) = @_;
    my ($pid, @threads) = ($sleeper->{pid}, @{ $sleeper->{threads} });
    my ($err, @parts) = chosen(THREADS, $pid);
    is(threads(@parts), "@threads", 'all threads of a process that wake up');
    is_deeply([grep { "$_->{thread_name} $_->{thread_policy}" ne "$name other" } @parts], [], 'each with its name and policy');
    is_deeply([grep { $_->{threads_asleep} ne "$pid $name" } @parts], [], 'the other one is told');
    like($err, qr/^ +thread +samples /m, 'there is a table of threads');
    like($err, qr/^thread +the worst of 6: (?:@{[join '|', @threads]}) $name, other, on CPUs? [-\d,]+$/m, 'the worst is told');
    is(threads((chosen(THREADS, $name))[1 .. THREADS]), "@threads", 'by the name of the process');
    is(threads((chosen(1, $threads[1]))[1]), $threads[1], 'one alone by its number');
    is(threads((chosen(THREADS, $threads[1], '--threads=all'))[1 .. THREADS]), "@threads", 'and all by the number of one');
    my (undef, @some) = chosen(2, $pid, "--threads=$threads[3],$threads[0]");
    is(threads(@some), "@threads[0, 3]", 'some by a list');
    is_deeply([map { $_->{threads_asleep} } @some], [undef, undef], 'which are all that were asked for');
}

# No wake-up may be counted twice, or for another thread.
sub counts {
    my ($kind) = @_;
    my $sleeper = sleeper($kind, $kind);
    my @parts = measured($sleeper->{pid}, qw(-d 1s));
    my ($woken, $irregular) = ended($sleeper);
    is_deeply([grep { $_->{samples} + $_->{unmatched} > $woken->{ $_->{thread} } } @parts], [], 'no more than its wake-ups each');
    is_deeply([grep { $_->{timed} < 0.9 * $_->{samples} } @parts], [], 'nearly all by their own timers');
    is_deeply([wrong_periods(1e9 / HZ, $irregular, @parts)], [], 'each has its period');
}

# Of so many threads all records are read. Each wake-up has its place on the grid of the thread.
sub takes_many {
    my $sleeper = sleeper('nanosleep', 'many', MANY_HZ, MANY);
    my @parts = measured($sleeper->{pid}, qw(-d 3s -P fifo -p 90));     # or a load may keep it from reading
    my ($woken) = ended($sleeper);
    is(scalar @parts, MANY, 'each has a part');
    is_deeply([grep { $_->{samples} + $_->{unmatched} > $woken->{ $_->{thread} } } @parts], [], 'no more than its wake-ups each');
    my $due = sum0(map { $_->{duration_s} * MANY_HZ } @parts);
    cmp_ok(sum0(map { $_->{samples} + ($_->{inferred_missed} // 0) } @parts), '>', 0.9 * $due, 'and nearly all of them');
}

# As on a disk that is full.
sub needs_room {
    my ($sleeper) = @_;
    my @limited = ('sh', '-c', 'ulimit -f 16384; exec "$@"', 'sh', program('-s', "task:$sleeper->{pid}", qw(-d 1d -o large)));
    my ($status, undef, $err) = run(@limited);
    is($status, 1, 'exit status');
    like($err, qr/^realfeel: write large: File too large; make room for \d\d MB, /m, 'the reports of all threads need room');
}

sub refuses_two {
    my ($name, @sleepers) = @_;
    my ($status, undef, $err) = run(program('-s', "task:$name", qw(-q -n 1 -o -)));
    is($status, 1, 'a name that two processes have is refused');
    my $numbers = join ', ', sort { $a <=> $b } map { $_->{pid} } @sleepers;
    like($err, qr/: 2 processes have that name or a thread of that name: $numbers; give the number of one$/, 'with their numbers');
}

# A name may hold any byte but a slash and 0.
sub is_hostile {
    my $name = "\e]0;x\a\x9b1m\xc2\x9b";
    my $sleeper = sleeper('nanosleep', $name, HZ, 2);
    my ($err, @parts) = chosen(2, $sleeper->{pid});
    my $shown = '\x1b]0;x\x07\x9b1m\xc2\x9b';
    like($err, qr/^[ >] +\d+ \Q$shown\E +\d/m, 'in the table');
    like($err, qr/^thread .* \Q$shown\E, other, on/m, 'and in its row');
    unlike($err, qr/[^\x20-\x7e\n]/, 'nothing steers the terminal');
    is_deeply([grep { $_->{thread_name} ne $shown } @parts], [], 'nor is it in the report');
    ended($sleeper);
}

workspace();
my (undef, undef, $refusal) = run(program('-s', "task:$$", qw(-q -d 10ms -o -)));
SKIP: {
    skip "--source=task is refused here: $1" if $refusal =~ /\Arealfeel: --source=task: (.*)/;
    my $sleeper = sleeper('nanosleep', 'manythreads');
    subtest 'room' => sub { needs_room($sleeper) };
    subtest 'which they are' => sub { chooses($sleeper, 'manythreads') };
    unlink 'manythreads';
    my $other = sleeper('nanosleep', 'manythreads');
    subtest 'two of that name' => sub { refuses_two('manythreads', $sleeper, $other) };
    ended($_) for $sleeper, $other;
    subtest 'many threads' => \&takes_many;
    subtest 'a name that steers terminals' => \&is_hostile;
    subtest $_ => sub { counts($_) } for qw(nanosleep timerfd posix);
}

done_testing;
