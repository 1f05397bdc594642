# SPDX-License-Identifier: GPL-2.0-or-later
# What a load is started as, with whose rights, and what it leaves: tests/sim/load.t has how it ends.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use List::Util qw(first);
use Program;
use Report;
use RunCommand qw(run start finish contents file_of wait_until);
use Test::More;

# The last words of a command: a load that does what the shell is told. All that comes of it carries this in its environment,
# and our processes do not.
my $MARK = "REALFEEL_TEST_LOAD=$$";

sub load { return ('--', 'env', $MARK, 'sh', '-c', $_[0]) }

# One test, after which none is left.
sub none_is_left {
    my @left = grep { (eval { contents("$_/environ") } // '') =~ /(?:^|\0)$MARK\0/ } glob '/proc/[0-9]*';
    is("@left", '', 'nothing of the load is left');
    kill KILL => map { m{(\d+)$} } @left;
}

# A run with a load, under a command when one is given, that has begun to measure, when the load has said that it is
# ready, in a file.
sub measuring {
    my ($options, $script, @under) = @_;
    unlink qw(ready log report);
    my $run = start(@under, fake_rtc(log => 'log'), realfeel('-f', 1000, '-o', 'report', @$options, load($script)));
    my $meter = wait_for_reads('log', 20);
    wait_until(sub { -e 'ready' || -e 'report' });    # a short run may end before the load has come so far
    my $standby = first { comm_of($_) eq 'realfeel' && $_ != $meter } children($run->{pid});
    return {%$run, keeper => $run->{pid}, meter => $meter, standby => $standby};
}

sub comm_of {
    my ($pid) = @_;
    return (eval { contents("/proc/$pid/comm") } // '') =~ s/\n//r;
}

sub ended {
    my ($run, $status) = @_;
    my ($got, undef, $err) = finish($run);
    is($got, $status, 'exit status') or diag $err;
    none_is_left();
    return (whole_report(contents('report')), $err);
}

sub interrupt {
    my ($run) = @_;
    kill INT => $run->{keeper};
    return $run;
}

sub interrupted {
    my ($run) = @_;
    return ended(interrupt($run), 3);
}

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); $test->() };
}

my $SLEEP = 'touch ready; while :; do sleep 0.1; done';

in_workspace 'signals that were ignored stay so for the load' => sub {
    my ($status, undef, $err) = run('sh', '-c', q(trap '' HUP; exec "$@"), 'sh', no_rtc(),
        realfeel(qw(-s nanosleep -o report -- grep -E), '^Sig(Ign|Blk)', '/proc/self/status'));
    my %signals = $err =~ /^(Sig\w+):\s*(\w+)$/mg;
    is(hex(substr $signals{SigIgn}, -8) & 0x3f, 1, 'SIGHUP, and none of those that end a program');
    is($signals{SigBlk}, '0' x 16, 'the load has no signal blocked');
};

in_workspace 'a load is an ordinary process' => sub {
    my $script = 'cat /proc/self/stat >stat; ls -l /proc/self/fd >fd; cat /proc/self/status >status; '
        . 'cat /proc/self/oom_score_adj >oom; chrt -p $$ >policy; echo to stdout; touch ready; sleep 1000';
    my ($cpu) = contents('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
    my $run = measuring(['-a', $cpu], $script);
    my $group = getpgrp $run->{keeper};
    my ($report, $err) = interrupted($run);
    my %status = contents('status') =~ /^(\w+):\s*(.*)$/mg;
    my @stat = split ' ', contents('stat') =~ s/^.*\) //r;
    my @descriptors = grep { !m{/proc/\d+/fd$} } map { / -> (.*)/ ? $1 : () } split /\n/, contents('fd');
    is($report->{load}, join(' ', (load("'$script'"))[1 .. 5]), 'the report has its command line');
    isnt($stat[2], $group, 'a process group of its own');
    like(contents('policy'), qr/SCHED_OTHER/, 'an ordinary policy');
    is($status{VmLck} =~ s/\s*kB//r, 0, 'nothing locked');
    is($status{SigBlk}, '0' x 16, 'no signal blocked');
    is(contents('oom'), "1000\n", 'the first to go when memory runs out');
    isnt($status{Cpus_allowed_list}, $cpu, 'other CPUs than the one measured') if allowed_cpus() > 1;
    is($report->{load_cpus}, $status{Cpus_allowed_list}, 'the load has the CPUs that the report says');
    is((grep { /rtc|timerfd|memfd|socket|signalfd|report/ } @descriptors), 0, 'no descriptor of ours') or diag "@descriptors";
    like($err, qr/^to stdout$/m, 'standard output goes to standard error');
};

in_workspace 'the load runs as the user behind sudo' => sub {
    plan skip_all => 'only root can become another user: run as root' if $>;
    chmod 0755, '.';
    my @command = (qw(env SUDO_UID=65534 SUDO_GID=65534), no_rtc(), realfeel(qw(-s nanosleep -o report -- id)));
    my ($status, undef, $err) = run(@command);
    like($err, qr/^uid=65534\S* gid=65534\S* groups=65534\S*$/m, 'user and groups of the load');
    is((stat 'report')[4], 0, 'owner of the report');
};

# Waits until the standby has given up all capabilities but these.
sub keeps_rights {
    my ($run, $kept) = @_;
    no warnings 'portable';    # 64 bits
    wait_until(sub { contents("/proc/$run->{standby}/status") =~ /^CapPrm:\s*(\w+)/m && !(hex($1) & ~$kept) });
}

in_workspace 'the standby may only signal processes and put the rate back' => sub {
    plan skip_all => 'only root has rights to give up: run as root' if $>;
    my $run = measuring([qw(-d 1h)], $SLEEP);
    keeps_rights($run, 1 << 5 | 1 << 24);    # CAP_KILL, CAP_SYS_RESOURCE
    pass('capabilities of the standby');
    interrupted($run);
};

in_workspace 'a load is ended where the processes of others are hidden' => sub {
    plan skip_all => 'only root can hide them: run as root' if $>;
    my @hidden = (qw(unshare -m sh -c), 'mount -t proc -o hidepid=2,gid=65533 proc /proc && exec "$@"', 'sh');
    plan skip_all => 'a mount namespace or hidepid is not to be had here' if (run(@hidden, 'true'))[0];
    chmod 0777, '.';
    mkdir 'roots' or die $!;    # so the standby does not become the user
    my $run = measuring([qw(-d 1h -o roots/report)], "setsid sleep 1000 & $SLEEP", @hidden, qw(env SUDO_UID=65534 SUDO_GID=65534));
    keeps_rights($run, 1 << 1 | 1 << 5 | 1 << 24);    # CAP_DAC_OVERRIDE, too, to write the report
    is((finish(interrupt($run)))[0], 3, 'exit status');
    none_is_left();
    my $report = whole_report(contents('roots/report'));
    is("$report->{load_exit}, by $report->{load_ended_by}", 'signal 15, by the run', 'how the load ended');
};

# That a file can be run by root says nothing of the user behind sudo, whose the load is.
in_workspace 'a load that the user behind sudo may not run is refused' => sub {
    plan skip_all => 'only root can have another user behind it: run as root' if $>;
    chmod 0700, file_of('mine', "#!/bin/sh\n") or die $!;
    chmod 0755, '.' or die $!;
    local @ENV{qw(SUDO_UID SUDO_GID)} = (12345, 12345);
    my (undef, undef, $err) = run(no_rtc(), realfeel(qw(-s nanosleep -n 1 -o report -- ./mine)));
    like($err, qr/^realfeel: start \.\/mine: Permission denied; /m, 'a load that may not be run is refused with the reason');
};

done_testing;
