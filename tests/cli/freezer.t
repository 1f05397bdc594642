# SPDX-License-Identifier: GPL-2.0-or-later
# A control group is frozen and thawed during the run: the wake-ups that are late for it are not the kernel's.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(start finish contents file_of wait_until);
use Test::More;
use Time::HiRes qw(sleep);

my $REASON = qr/frozen: the control group of the measuring process was frozen/;

my $group = new_group() // plan skip_all => 'no cgroup with a freezer can be made here';

END {
    if ($group) {
        eval { put('cgroup.freeze', 0) };
        kill KILL => split ' ', eval { contents("$group/cgroup.procs") } // '';
        eval { wait_until(sub { rmdir $group }) };
    }
}

sub put { my ($file, $word) = @_; return file_of("$group/$file", "$word\n") }

# A new group of version 2, or nothing where none can be made.
sub new_group {
    my ($mount) = contents('/proc/mounts') =~ /^\S+ (\S+) cgroup2 /m or return;
    my $made = "$mount/realfeel-test-$$";
    mkdir $made or return;
    return $made if -e "$made/cgroup.freeze";
    rmdir $made;
    return;
}

sub freeze {
    my ($on) = @_;
    put('cgroup.freeze', $on);
    wait_until(sub { contents("$group/cgroup.events") =~ /^frozen $on$/m });
}

# Starts a run in the group, or whose meter alone goes into it. Returns it when it has measured a little.
sub measuring {
    my ($whole) = @_;
    unlink qw(report log);
    my @enter = $whole ? ('sh', '-c', 'echo $$ >$0/cgroup.procs && exec "$@"', $group) : ();
    my $run = start(@enter, fake_rtc(log => 'log'), realfeel(qw(-f 1000 -d 1h -o report)));
    my $meter = wait_for_reads('log', 50);
    put('cgroup.procs', $meter) if !$whole;
    return $run;
}

sub ended {
    my ($run) = @_;
    wait_for_reads('log', 10 + grep { $_->{event} eq 'read' } events('log'));
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 3, 'exit status') or diag $err;
    my $report = whole_report(contents('report'));
    cmp_ok($report->{missed}, '>', 0, 'it missed periods');
    return $report;
}

sub checkpoint_says {
    my ($run, $pattern) = @_;
    wait_until(sub { kill USR1 => $run->{pid}; -e 'report' && contents('report') =~ $pattern });
}

workspace();

subtest 'the meter alone' => sub {
    my $run = measuring(0);
    checkpoint_says($run, qr/^# status: checkpoint$/m);    # without samples there is none
    freeze(1);
    checkpoint_says($run, qr/^# verdict: .*$REASON/m);
    sleep 7;    # longer than a source may be silent
    freeze(0);
    my $report = ended($run);
    is($report->{frozen}, 'yes', 'header');
    like($report->{verdict}, $REASON, 'verdict');
    unlike($report->{verdict}, qr/stopped waking/, 'the source is not taken for dead');
};

subtest 'all of the run' => sub {
    my $run = measuring(1);
    freeze(1);
    sleep 0.1;
    freeze(0);
    my $report = ended($run);
    is($report->{frozen}, 'yes', 'header');
    like($report->{verdict}, $REASON, 'verdict');
};

done_testing;
