#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What a command starts, measured from its start on: all of its threads and processes, each of their wake-ups, and its end.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report;
use RunCommand qw(contents run);
use Sleeper;
use Test::More;

use constant { THREADS => 3, HZ => 200 };

plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];

# By a meter that reads in time beside a load. The sleeper ends with the command before the pipe. Its stamps are in the file.
sub measured {
    my ($command, @options) = @_;
    my ($status, $out, $err) = run(program(qw(-s task -P fifo -p 90 -o -), @options, '--', 'sh', '-c', $command));
    is("$status", 0, "$command: it is measured");
    return ($err, whole_parts($out));
}

# On the first CPU, whose idle task kernels trace that do not trace all of them; before other ordinary threads, or it would
# miss periods beside them.
sub sleeper { return 'nice -n -15 taskset -c ' . (allowed_cpus())[0] . " $SLEEPER $_[0] other " . HZ . ' ' . THREADS }

# Its threads are the last that began. None of their wake-ups may be missing, counted twice, or for another thread.
sub counts {
    my ($kind) = @_;
    unlink 'stamps';
    my (undef, @parts) = measured('(until [ -s stamps ]; do sleep 0.2; done; sleep 0.5) | ' . sleeper($kind) . ' >stamps', '-q');
    my ($most, $least) = woken(split /\n/, contents('stamps'));
    my @threads = keys %$most;
    my %part = map { $_->{thread} => $_ } @parts;
    is_deeply([grep { !$part{$_} } @threads], [], 'each of its threads has a part');
    is_deeply([map { $part{$_}{thread_name} } @threads], [('sleeper') x THREADS], 'with its name');
    my %count = map { $_ => $part{$_}{samples} + $part{$_}{unmatched} } @threads;
    my @wrong = grep { $count{$_} < $least->{$_} - 3 || $count{$_} > $most->{$_} + 3 } @threads;
    is_deeply([map { "$count{$_}, not $least->{$_} to $most->{$_}" } @wrong], [], 'and all of its wake-ups');
    is_deeply([grep { $_ > 2 } map { $part{$_}{unmatched} } @threads], [], 'of which hardly any is unmatched');
    my @late = grep { my $part = $part{$_}; $part->{timed} < 0.9 * $part->{samples} } @threads;
    is_deeply(\@late, [], 'nearly all by its own timer');
    is(scalar(grep { $_->{status} ne 'complete' } @parts), 0, 'and the run is complete');
}

sub ends_with_it {
    my ($err, @parts) = measured('sleep 0.1; sleep 0.1; sleep 0.2; exit 0', qw(-d 1h));
    unlike($err, qr/goes on without/, 'the run ends with the command');
    is($parts[0]{load}, q{sh -c 'sleep 0.1; sleep 0.1; sleep 0.2; exit 0'}, 'which is in the header');
    (undef, @parts) = measured('sleep 0.1; sleep 0.1; sleep 0.1; exit 3', '-q');
    like($parts[0]{verdict}, qr/\bsh failed: exit status 3/, 'how it failed is in the verdict');
    my ($status, undef, $refusal) = run(program(qw(-s task -q -o -), '--', './none'));
    is($status, 1, 'one that is not there is refused');
    like($refusal, qr/start \.\/none: .*; name a program that can be run/, 'in one line');
}

workspace();
my (undef, undef, $refusal) = run(program('-s', "task:$$", qw(-q -d 10ms -o -)));
SKIP: {
    skip "--source=task is refused here: $1" if $refusal =~ /\Arealfeel: --source=task: (.*)/;
    subtest $_ => sub { counts($_) } for qw(nanosleep timerfd);
    subtest 'the end' => \&ends_with_it;
}

done_testing;
