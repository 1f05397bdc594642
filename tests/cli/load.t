# SPDX-License-Identifier: GPL-2.0-or-later
# A load runs beside the measurement, for as long as it lasts and no longer, whatever becomes of whom.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(getcwd);
use FakeRtc;
use List::Util qw(first);
use MarkedLoad;
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;

my $KILLED = 128 + 9;

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

# Of each a name, what begins a run and its end, and what checks that. They are all begun before the first is checked, for
# a load that does not end when it is told to is given five seconds.
sub in_workspaces {
    my @tests = map { { name => $_->[0], begin => $_->[1], check => $_->[2] } } @_;
    for my $i (0 .. $#tests) {
        local $MarkedLoad::number = $i + 1;
        workspace();
        $tests[$i]{run} = $tests[$i]{begin}->();
        $tests[$i]{directory} = getcwd();
    }
    for my $i (0 .. $#tests) {
        local $MarkedLoad::number = $i + 1;
        chdir $tests[$i]{directory} or die $!;
        subtest $tests[$i]{name} => sub { $tests[$i]{check}->($tests[$i]{run}) };
    }
}

my $SLEEP = 'touch ready; while :; do sleep 0.1; done';

# This one lasts until there are as many reads as are waited for, and a little longer.
my $BRIEF = 'touch ready; until sed -n 40p log | grep -q read; do sleep 0.05; done; sleep 0.2';

in_workspace 'it ends with the run' => sub {
    my ($report) = ended(measuring([qw(-n 300)], $SLEEP), 0);
    is($report->{load}, join(' ', (load("'$SLEEP'"))[1 .. 5]), 'its command line');
    is("$report->{load_exit}, by $report->{load_ended_by}", 'signal 15, by the run', 'how it ended');
    cmp_ok($report->{load_ended_s}, '>=', $report->{duration_s}, 'and when');
    unlike($report->{verdict}, qr/load/, 'verdict');
};

in_workspace 'the run ends with it' => sub {
    my ($report) = ended(measuring([], $BRIEF), 0);
    is("$report->{status}: $report->{load_exit}, by $report->{load_ended_by}", 'complete: exit status 0, by itself', 'how it ended');
    unlike($report->{verdict}, qr/load/, 'verdict');
};

in_workspace 'interrupted before it ends' => sub {
    my ($report) = interrupted(measuring([], $SLEEP));
    is($report->{status}, 'interrupted', 'status');
};

# Until the end of the load has been told, and then for a hundred reads more.
sub wait_for_further {
    my ($run) = @_;
    wait_until(sub { contents($run->{err}) =~ /the load has ended/ });
    my $reads = () = contents('log') =~ /read/g;
    wait_for_reads('log', $reads + 100);
}

my $TIMES = qr/\d+\.\d{3} s of \d+\.\d{3} s/;

# What it does, how it ends, whether it was to last longer.
my @DOUBTFUL = (
    ['exit 0',       'exit status 0', 1],
    ['exit 3',       'exit status 3', 0],
    ['exit 3',       'exit status 3', 1],
    ['kill -SEGV $$', 'signal 11',    0],
    ['kill -KILL $$', 'signal 9',     1],
);
for (@DOUBTFUL) {
    my ($end, $how, $limited) = @$_;
    in_workspace "$end, " . ($limited ? 'too early' : 'at its own time') => sub {
        my $run = measuring([$limited ? qw(-d 1h) : ()], "$BRIEF; $end");
        wait_for_further($run) if $limited;
        my ($report, $err) = $limited ? interrupted($run) : ended($run, 0);
        is("$report->{load_exit}, by $report->{load_ended_by}", "$how, by itself", 'how it ended');
        my $doubt = $limited ? qr/the load (?:ended|failed) after $TIMES: $how/ : qr/the load failed after $TIMES: $how/;
        like($report->{verdict}, $doubt, 'verdict');
        like($err, qr/^realfeel: the load has ended: $how; the run goes on without it$/m, 'told at once') if $limited;
    };
}

in_workspace 'the run goes to its end without it' => sub {
    my ($report) = ended(measuring([qw(-n 3000)], 'touch ready; exit 3'), 0);
    is("$report->{status}, $report->{samples}", 'complete, 3000', 'all is measured');
    is("$report->{load_exit}, by $report->{load_ended_by}", 'exit status 3, by itself', 'how it ended');
    like($report->{verdict}, qr/the load failed (?:before the first wake-up|after $TIMES): exit status 3/, 'verdict');
};

my $CHILDREN = 'setsid sh -c "(touch ready; exec sleep 1000) &" & (trap "" TERM; while :; do sleep 1; done) & sleep 1000';
my %STUBBORN = (
    'it ignores TERM'           => q(trap '' TERM; touch ready; while :; do sleep 0.1; done),
    'it has stopped'            => 'touch ready; kill -STOP $$',
    'sessions of its own'       => $CHILDREN,
    'it has gone, its children have not' => 'setsid sleep 1000 & touch ready; exit 0',
    'children without end'      => 'touch ready; while :; do (sleep 0.05 &) ; sleep 0.01; done',
);

# Whom SIGKILL hits, what the shell sees then, and what the verdict says.
my @KILLS = (
    [[qw(keeper)],       $KILLED, qr/./],
    [[qw(meter)],        3,       qr/the measuring process was killed/],
    [[qw(meter keeper)], $KILLED, qr/the measuring process was killed/],
);

# It does not end when it is told to, so there is time for more to happen.
my $STUBBORN = q(trap 'touch told' TERM; touch ready; while :; do sleep 0.1; done);

sub begin_kill {
    my ($whom) = @_;
    my $run = measuring([qw(-d 1h)], $CHILDREN);
    kill STOP => $run->{keeper} if @$whom > 1;
    kill KILL => @$run{@$whom};
    return $run;
}

sub begin_signal {
    my $run = measuring([qw(-d 1h)], $STUBBORN);
    kill KILL => $run->{keeper};
    wait_until(sub { -e 'told' });
    kill TERM => $run->{meter};
    return $run;
}

in_workspaces(
    (map { my $script = $STUBBORN{$_}; [$_, sub { interrupt(measuring([qw(-d 1h)], $script)) }, sub { ended(@_, 3) }] }
        sort keys %STUBBORN),
    (map {
        my ($whom, $status, $verdict) = @$_;
        ["kill of the @$whom", sub { begin_kill($whom) }, sub { like((ended(@_, $status))[0]{verdict}, $verdict, 'verdict') }];
    } @KILLS),
    ['a signal while the standby, in place of the keeper, ends the load', \&begin_signal, sub {
        my ($report) = ended(@_, $KILLED);
        is("$report->{load_exit}, by $report->{load_ended_by}", 'signal 9, by the run', 'it waits on');
    }],
);

in_workspace 'kill of the standby' => sub {
    my $run = measuring([qw(-d 1h)], $CHILDREN);
    kill KILL => $run->{standby};
    wait_until(sub { !processes_of_load() });
    ok(kill(0 => $run->{meter}), 'the run goes on');
    my ($report) = interrupted($run);
    like($report->{verdict}, qr/the load was ended after $TIMES: the standby was killed/, 'verdict');
};

in_workspace 'kill of the standby while it ends the load' => sub {
    my $run = measuring([qw(-d 1h)], $STUBBORN);
    kill INT => $run->{keeper};
    wait_until(sub { -e 'told' });
    kill KILL => $run->{standby};
    my ($report) = ended($run, 3);
    like($report->{verdict}, qr/the load was ended after $TIMES: the standby was killed/, 'verdict');
};

in_workspace 'the standby was stopped' => sub {
    my $run = measuring([qw(-d 1h)], $SLEEP);
    kill STOP => $run->{standby};
    my ($report) = interrupted($run);
    is("$report->{load_exit}, by $report->{load_ended_by}", 'signal 15, by the run', 'it goes on, and ends the load');
};

in_workspace 'a checkpoint after it has ended' => sub {
    my $run = measuring([qw(-d 1h)], $BRIEF);
    # The first may hold nothing yet that was measured after the load's end.
    wait_until(sub { kill USR1 => $run->{keeper}; -e 'report' && contents('report') =~ /^# verdict: .*the load ended/m });
    my $report = whole_report(contents('report'));
    is($report->{load_exit}, 'exit status 0', 'how it ended');
    like("$report->{status}: $report->{verdict}", qr/^checkpoint: .*the load ended after $TIMES: exit status 0/, 'verdict');
    interrupted($run);
};

in_workspace 'it ends before anything is measured' => sub {
    my ($status, undef, $err) = run(fake_rtc(silent_after => 0), realfeel(qw(-o report -- true)));
    my $report = whole_report(contents('report'));
    is("$report->{load_exit}, by $report->{load_ended_by}", 'exit status 0, by itself', 'how it ended');
    ok(!exists $report->{load_ended_s}, 'and not after the first wake-up');
};

in_workspace 'signals that were ignored stay so' => sub {
    my ($status, undef, $err) = run('sh', '-c', q(trap '' HUP; exec "$@"), 'sh', no_rtc(),
        realfeel(qw(-s nanosleep -o report -- grep -E), '^Sig(Ign|Blk)', '/proc/self/status'));
    my %signals = $err =~ /^(Sig\w+):\s*(\w+)$/mg;
    is(hex(substr $signals{SigIgn}, -8) & 0x3f, 1, 'SIGHUP, and none of those that end a program');
    is($signals{SigBlk}, '0' x 16, 'none is blocked');
};

in_workspace 'what it is started as' => sub {
    my $script = 'cat /proc/self/stat >stat; ls -l /proc/self/fd >fd; cat /proc/self/status >status; '
        . 'cat /proc/self/oom_score_adj >oom; chrt -p $$ >policy; echo to stdout; touch ready; sleep 1000';
    my ($cpu) = contents('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
    my $run = measuring(['-a', $cpu], $script);
    my $group = getpgrp $run->{keeper};
    my ($report, $err) = interrupted($run);
    my %status = contents('status') =~ /^(\w+):\s*(.*)$/mg;
    my @stat = split ' ', contents('stat') =~ s/^.*\) //r;
    my @descriptors = grep { !m{/proc/\d+/fd$} } map { / -> (.*)/ ? $1 : () } split /\n/, contents('fd');
    isnt($stat[2], $group, 'a process group of its own');
    like(contents('policy'), qr/SCHED_OTHER/, 'an ordinary policy');
    is($status{VmLck} =~ s/\s*kB//r, 0, 'nothing locked');
    is($status{SigBlk}, '0' x 16, 'no signal blocked');
    is(contents('oom'), "1000\n", 'the first to go when memory runs out');
    isnt($status{Cpus_allowed_list}, $cpu, 'other CPUs than the one measured') if allowed_cpus() > 1;
    is($report->{load_cpus}, $status{Cpus_allowed_list}, 'as the report says');
    is((grep { /rtc|timerfd|memfd|socket|signalfd|report/ } @descriptors), 0, 'no descriptor of ours') or diag "@descriptors";
    like($err, qr/^to stdout$/m, 'standard output goes to standard error');
};

in_workspace 'the user behind sudo' => sub {
    plan skip_all => 'only root can become another user: run as root' if $>;
    chmod 0755, '.';
    my @command = (qw(env SUDO_UID=65534 SUDO_GID=65534), no_rtc(), realfeel(qw(-s nanosleep -o report -- id)));
    my ($status, undef, $err) = run(@command);
    like($err, qr/^uid=65534\S* gid=65534\S* groups=65534\S*$/m, 'is who it runs as, though the report is root\'s');
    is((stat 'report')[4], 0, 'owner of the report');
};

# Waits until the standby has given up all capabilities but these.
sub keeps_rights {
    my ($run, $kept) = @_;
    no warnings 'portable';    # 64 bits
    wait_until(sub { contents("/proc/$run->{standby}/status") =~ /^CapPrm:\s*(\w+)/m && !(hex($1) & ~$kept) });
}

in_workspace 'what the standby may' => sub {
    plan skip_all => 'only root has rights to give up: run as root' if $>;
    my $run = measuring([qw(-d 1h)], $SLEEP);
    keeps_rights($run, 1 << 5 | 1 << 24);    # CAP_KILL, CAP_SYS_RESOURCE
    pass('no more than to signal any process, and to put the rate back');
    interrupted($run);
};

in_workspace 'the processes of others are hidden' => sub {
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
    is("$report->{load_exit}, by $report->{load_ended_by}", 'signal 15, by the run', 'and the load is found all the same');
};

# The standby of an ordinary user may not signal what has become root's.
in_workspace 'what cannot be killed' => sub {
    plan skip_all => 'only root can make a setuid program: run as root' if $>;
    my ($path) = (run(qw(which setpriv)))[1] =~ /(.+)/;
    plan skip_all => 'setpriv not found: apt-get install util-linux' if !$path;
    chmod 0777, '.';
    run('cp', $path, 'become');
    chmod 04755, 'become';
    my @user = qw(setpriv --reuid=65534 --regid=65534 --clear-groups);
    my @root = qw(./become --reuid=0 --regid=0 --clear-groups);
    plan skip_all => 'another user cannot reach the program here' if (run(@user, 'test', '-r', (program())[-1]))[0];
    plan skip_all => 'setuid does not count here' if (run(@user, @root, 'true'))[0];
    my $run = measuring([qw(--best-effort -d 1h)], "@root sleep 1000 & touch ready; exec sleep 1000", @user);
    my $left;
    wait_until(sub { ($left) = map { m{(\d+)$} } grep { !(stat)[4] && is_sleep($_) } processes_of_load() });
    kill INT => $run->{keeper};
    my ($looks, $err) = (0);
    wait_until(sub {
        $looks = (looks_of($run->{standby}) // $looks);
        ($err) = contents($run->{err}) =~ /^(run .*)$/m;
        return $err;
    });
    kill KILL => $left;
    my ($report) = ended($run, 3);
    my $reason = qr/a process of the load has not ended with the run: sleep \(process $left\)/;
    like($report->{verdict}, $reason, 'is named in the verdict');
    like($err, qr/^run .*(?:: $reason|, and \d+ more)/, 'and counts in what is said');
    cmp_ok($looks, '<', 1000, 'and it was not looked for all the time');
};

sub is_sleep {
    my ($process) = @_;
    return (eval { contents("$process/comm") } // '') eq "sleep\n";
}

# How often a process has waited for something, undef when it has ended.
sub looks_of {
    my ($pid) = @_;
    return (eval { contents("/proc/$pid/status") } // '') =~ /^voluntary_ctxt_switches:\s*(\d+)/m ? $1 : undef;
}

# Which is the standby, that has yet to say that the load is there, or has just done so, or waits for the load to end.
my @when_stopped = map { ["after $_ s", "sleep $_; kill -STOP \$PPID; sleep 1000"] } 0, 0.001, 0.01;
push @when_stopped, ['when it is to end', 'trap "kill -STOP $PPID; exit" TERM; while :; do sleep 0.01; done'];
for (@when_stopped) {
    my ($when, $script) = @$_;
    in_workspace "it stops its parent, $when" => sub {
        my $run = start(no_rtc(), realfeel(qw(-n 200 -f 1000 -o report -- sh -c), $script));
        my ($status, undef, $err) = finish($run);
        is($status, 0, 'exit status') or diag $err;
        is(whole_report(contents('report'))->{load_ended_by}, 'the run', 'which goes on to its end');
    };
}

done_testing;
