# SPDX-License-Identifier: GPL-2.0-or-later
# 64 meters, on the CPUs that there are: every sum is right. SECONDS=60 in the environment: for a minute, not some seconds.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use List::Util qw(max min sum0 uniq);
use POSIX qw(sysconf _SC_CLK_TCK);
use Program;
use Report;
use RunCommand qw(start finish contents wait_until);
use Test::More;
use Time::HiRes qw(sleep time);

my $METERS  = 64;
my $HZ      = 16;
my $SECONDS = $ENV{SECONDS} // 8;
my $LOCKED_KB = 5.5 * 1024;    # the most that a meter may lock

# A value of /proc/PID/status in kB; 0 where it is not told, or the process has ended.
sub kb {
    my ($pid, $key) = @_;
    return (eval { contents("/proc/$pid/status") } // '') =~ /^$key:\s*(\d+) kB/m ? $1 : 0;
}

# The processor time of a process in seconds.
sub cpu_s {
    my ($pid) = @_;
    my @stat = split ' ', contents("/proc/$pid/stat") =~ s/^.*\) //sr;
    return ($stat[11] + $stat[12]) / sysconf(_SC_CLK_TCK);
}

workspace();
my $SAMPLES = $HZ * $SECONDS;
my @cpus = ('-a', '0-' . ($METERS - 1));
my $run = start(fake_root(CPUS => $METERS), realfeel(qw(-s nanosleep -f), $HZ, @cpus, '-n', $SAMPLES, qw(-o report)));
my $keeper = $run->{pid};
my @begun;    # the first may have ended before the last begins
wait_until(sub { @begun = uniq(@begun, children($keeper)) if has_begun($keeper); @begun > $METERS || -e 'report' });
my (undef, @meters) = @begun;
is(scalar @meters, $METERS, 'a meter for each');

# How often a process has waited for something; 0 where it has ended.
sub waits {
    my ($pid) = @_;
    return (eval { contents("/proc/$pid/status") } // '') =~ /^voluntary_ctxt_switches:\s*(\d+)/m ? $1 : 0;
}

# The last that is seen before it ends; and how often the keeper wakes while all meters measure, the first second of each
# left out.
my (%locked, %keeper, @wakes);
while (my $rss = kb($keeper, 'VmRSS')) {
    %keeper = (cpu_s => cpu_s($keeper), rss => $rss, shared => kb($keeper, 'RssShmem'));
    my @wake = (time, waits($keeper));
    my @kb = map { kb($_, 'VmLck') } @meters;
    $locked{$meters[$_]} = max($locked{$meters[$_]} // 0, $kb[$_]) for 0 .. $#meters;
    push @wakes, \@wake if !grep { waits($_) < $HZ || !kb($_, 'VmRSS') } @meters;
    sleep 0.2;
}
my ($seconds, $wakes) = map { @wakes ? $wakes[-1][$_] - $wakes[0][$_] : 0 } 0, 1;
cmp_ok($wakes, '<=', 2 * $seconds + 2, 'the keeper wakes for all at once');
my @locked = values %locked;
cmp_ok(max(@locked), '<=', $LOCKED_KB, 'memory that each locks, in kB');
my ($status, $out, $err) = finish($run);
is($status, 0, 'exit status') or diag $err;

my $text = contents('report');
my @parts = parse_parts($text);
is(scalar @parts, $METERS, 'as many parts');
is_deeply([map { my $part = $_; map { "$part->{part}: $_" } Report::faults($part) } @parts], [], 'every one whole');
is_deeply([map { $_->{part} } @parts], [map { "$_ of $METERS" } 1 .. $METERS], 'in order');
my $period = $parts[0]{period_ns};
is_deeply([map { $_->{phase_ns} } @parts], [map { int $_ * $period / $METERS } 0 .. $METERS - 1], 'spread over the period');
is_deeply([map { "$_->{status} $_->{samples}" } @parts], [("complete $SAMPLES") x $METERS], 'with the samples that were wanted');
my ($samples, $missed) = map { my $key = $_; sum0(map { $_->{$key} } @parts) } qw(samples missed);
my $periods = $samples + $missed;
like($err, qr/^missed    $missed of $periods periods of nanosleep .* on $METERS CPUs$/m, 'the result adds them up');

note(sprintf '%d samples, %d missed; %d to %d kB locked a meter; report of %d bytes; keeper: %.2f s of CPU, %d wake-ups in %.1f s, '
        . '%d kB resident, %d of them shared',
    $samples, $missed, min(@locked), max(@locked), length $text, $keeper{cpu_s}, $wakes, $seconds, @keeper{qw(rss shared)});

# Kills some of its processes while they measure, by their place: the keeper is 0, the standby 1. Returns what is wrong.
sub killed {
    my @places = @_;
    unlink 'report';
    my $run = start(fake_root(CPUS => $METERS), realfeel(qw(-s nanosleep -f), $HZ, @cpus, qw(-d 1h -o report)));
    wait_until(sub { has_begun($run->{pid}, $METERS) });
    my @pids = ($run->{pid}, children($run->{pid}));
    wait_until(sub { kill USR1 => $run->{pid}; sleep 0.2; -e 'report' });
    kill KILL => @pids[@places];
    kill INT => $run->{pid};
    finish($run);
    my @parts = parse_parts(contents('report'));
    return @parts == $METERS ? (map { my $part = $_; map { "$part->{part}: $_" } Report::faults($part) } @parts)
        : @parts . ' parts';
}

for (['the keeper' => 0], ['the standby' => 1], ['a meter' => 2 + $METERS / 2], ['the keeper and the last meter' => 0, 1 + $METERS]) {
    my ($whom, @places) = @$_;
    is_deeply([killed(@places)], [], "kill -9 of $whom: all parts are there, and whole");
}
done_testing;
