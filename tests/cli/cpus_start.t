# SPDX-License-Identifier: GPL-2.0-or-later
# A run on two CPUs of which not all can be begun: between what is checked at the start and the meters something happens.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use File::Temp qw(tempdir);
use POSIX qw(mkfifo);
use Program;
use Report;
use RunCommand qw(start finish contents wait_until);
use Test::More;

my @CPUS = allowed_cpus();
plan skip_all => 'there is one CPU only' if @CPUS < 2;

# A run whose keeper waits for the load before it forks the meters, for the load waits to be offered to the OOM killer.
sub waiting {
    my ($options, @load) = @_;
    my $root = tempdir(CLEANUP => 1);
    my $gate = "$root/proc/self/oom_score_adj";
    put("$root/proc/self", undef);
    mkfifo($gate, 0600) or die $!;
    my @fake = calm(root => $root, OFFLINE => $CPUS[1]);
    my $run = start(@fake, realfeel(qw(-s nanosleep -f 1000 -o report -a), "$CPUS[0],$CPUS[1]", @$options, '--', @load));
    my $pid = $run->{pid};
    wait_until(sub { -e "/proc/$pid/fd" && has_begun($pid, 0) && children((children($pid))[0]) });    # the standby's: the load
    return {%$run, root => $root, gate => $gate};
}

# Let the load begin, and the meters with it. Returns the handle that the load writes to.
sub go_on {
    my ($run) = @_;
    open my $gate, '+<', $run->{gate} or die $!;
    return $gate;
}

workspace();

subtest 'a CPU goes offline' => sub {
    plan skip_all => 'no right to real-time scheduling: run as root' if !has_rights();
    my $run = waiting([qw(-n 50)], qw(sleep 1000));
    put("$run->{root}/offline", '');
    my $gate = go_on($run);
    my ($status, $out, $err) = finish($run);
    my @parts = whole_parts(contents('report'));
    is($status, 1, 'exit status');
    is_deeply([map { "$_->{part} of CPU $_->{cpu}: $_->{status}" } @parts],
        ["1 of 2 of CPU $CPUS[0]: complete", "2 of 2 of CPU $CPUS[1]: interrupted"], 'the other goes on to its end');
    is_deeply([map { $_->{samples} } @parts], [50, 0], 'samples');
    my $reason = "the measuring process ended before it could measure: bind to CPU $CPUS[1]: Invalid argument";
    is($parts[1]{verdict}, "invalid: nothing was measured; $reason", 'its verdict says why');
    unlike($parts[0]{verdict}, qr/ended|bind/, 'that of the other does not');
    is($parts[1]{started}, $parts[0]{started}, 'the run has started all the same');
    like($err, qr/^realfeel: bind to CPU $CPUS[1]: Invalid argument: .*; .*use --best-effort$/m, 'told at once');
    like($err, qr/^run       INVALID: CPU $CPUS[1]: nothing was measured, and \d+ more; interrupted after \d+\.\d s$/m, 'and at the end');
};

subtest 'a CPU goes offline, and best effort will do' => sub {
    unlink 'report';
    my $run = waiting([qw(-n 50 --best-effort)], qw(sleep 1000));
    put("$run->{root}/offline", '');
    my $gate = go_on($run);
    my ($status, $out, $err) = finish($run);
    my @parts = whole_parts(contents('report'));
    is($status, 0, 'exit status') or diag $err;
    is_deeply([map { "$_->{status} $_->{samples}" } @parts], [('complete 50') x 2], 'both are measured');
    like($parts[1]{verdict}, qr/^invalid: not real-time: .*bind to CPU $CPUS[1]: Invalid argument/, 'but one not where it should');
};

subtest 'no meter can be forked' => sub {
    unlink 'report';
    my $run = waiting([qw(-d 1h)], qw(env -u LD_PRELOAD sh -c), 'exec 2>/dev/null; sleep 1000 & sleep 1000 & touch ready; wait');
    mkfifo("$run->{root}/full", 0600) or die $!;
    put("$run->{root}/proc/self/mounts", 'none /limited cgroup2 rw 0 0');
    put("$run->{root}/limited/memory.events", 'oom 1');
    put("$run->{root}/limited/pids.events", 'max 3');
    my $gate = go_on($run);
    wait_until(sub { -e 'ready' });
    open my $full, '>', "$run->{root}/full" or die $!;
    my ($status, $out, $err) = finish($run);    # when the load has ended, too
    is($status, 1, 'exit status');
    my $remedy = qr/raise pids\.max of the control group \S+, which was reached/;
    like(said($err), qr/\Arealfeel: start a measuring process: Resource temporarily unavailable; $remedy\n\z/, 'what it says');
    ok(!-e 'report', 'no report');
};

done_testing;
