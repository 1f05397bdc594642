# SPDX-License-Identifier: GPL-2.0-or-later
# However a ring ends, what was measured is reported and no process is left.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use Program;
use Report;
use RunCommand qw(start finish contents wait_until);
use RunEnd;
use Test::More;

my $KILLED = 128 + 9;

# Starts a ring and waits until it is in a checkpoint. Returns the run with its processes.
sub measuring {
    my @end = (@_, '-d', '1h');
    unlink glob '*';
    my $run = start(calm(), program(qw(-s ring -C 0 -o report --processes=4), @end[0, 1]));
    wait_until(sub { has_begun($run->{pid}) });
    wait_for_samples($run, 100);
    my ($standby, $meter) = children($run->{pid});
    my @members = children($meter);
    is(@members, 3, 'the meter has started the three others');
    return {%$run, keeper => $run->{pid}, standby => $standby, meter => $meter, member => $members[1], stopped => $members[0]};
}

# Checks how a run ends: its exit status, and the report as "status: reason".
sub ended {
    my ($run, $status, $expected) = @_;
    my ($got, $out, $err) = finish($run);
    is($got, $status, 'exit status') or diag $err;
    is_over($run);
    my $report = whole_report(contents('report'));
    is("$report->{status}: $report->{verdict}", $expected, 'the report');
    cmp_ok($report->{samples}, '>', 100, 'has what was measured');
    is_deeply([glob '*'], ['report'], 'and no other file');
}

workspace();

subtest 'interrupted' => sub {
    my $run = measuring();
    kill INT => $run->{keeper};
    ended($run, 3, 'interrupted: valid');
};

subtest 'all of the group are' => sub {
    my $run = measuring();
    kill TERM => -$run->{keeper};
    ended($run, 3, 'interrupted: valid');
};

subtest 'keeper killed' => sub {
    my $run = measuring();
    kill KILL => $run->{keeper};
    ended($run, $KILLED, 'interrupted: valid');
};

subtest 'meter killed' => sub {
    my $run = measuring();
    kill KILL => $run->{meter};
    ended($run, 3, 'interrupted: suspect: the measuring process was killed');
};

subtest 'member killed' => sub {
    my $run = measuring();
    kill KILL => $run->{member};
    ended($run, 3, 'interrupted: suspect: a process of the ring was killed');
};

subtest 'member stopped, meter killed' => sub {
    my $run = measuring();
    kill STOP => $run->{stopped};
    kill KILL => $run->{meter};
    ended($run, 3, 'interrupted: suspect: the measuring process was killed');
};

subtest 'standby killed' => sub {
    my $run = measuring('-d', '3s');
    kill KILL => $run->{standby};
    ended($run, 0, 'complete: valid');
};

subtest 'all but the standby killed' => sub {
    my $run = measuring();
    kill STOP => $run->{keeper};
    kill KILL => @$run{qw(meter keeper)};
    my ($status, $out, $err) = finish($run);
    is_over($run);
    is(whole_report(contents('report'))->{verdict}, 'suspect: the measuring process was killed', 'the reason');
};

done_testing;
