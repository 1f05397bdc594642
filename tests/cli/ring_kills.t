# SPDX-License-Identifier: GPL-2.0-or-later
# However a table of rings ends while the second cell is measured, what was measured is reported and no process is left.
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
use Time::HiRes qw(sleep);

my $KILLED = 128 + 9;
my $NOT_BEGUN = 'invalid: nothing was measured; not begun: its turn did not come before the end';

# The turn of the second cell lasts a hundred times as long as the others, by the work of its members: of this many hops
# about half a minute, which no pause between its first ones and a signal comes to. The run that goes on to its end has less.
my ($HOPS, $FEW_HOPS) = (20_000, 3000);
my @CELLS = ('--processes=4', '--array=0,16384k,1k');

# Starts a table of three cells and waits until the second is in a checkpoint. Returns the run with its processes.
sub measuring {
    my ($hops) = (@_, $HOPS);
    unlink glob '*';
    my $run = start(calm(), program(qw(-s ring -C 0 -o report), -n => $hops, @CELLS));
    my @parts;
    wait_until(sub { has_begun($run->{pid}) });
    wait_until(sub {
        kill USR1 => $run->{pid};
        sleep 0.05;
        @parts = -e 'report' ? parse_parts(contents('report')) : ();
        return @parts == 3 && $parts[1]{samples} > 100;
    });
    is_deeply([map { $_->{status} } @parts], [qw(complete checkpoint checkpoint)], 'the second turn');
    like($parts[2]{verdict}, qr/not begun: its turn is yet to come$/, 'and not the third');
    is($parts[2]{migrations}, 'unknown', 'of which there is no process that could migrate');
    my ($standby, $meter) = children($run->{pid});
    my @members = children($meter);
    is(@members, 3, 'the meter has started the three others');
    return {%$run, keeper => $run->{pid}, standby => $standby, meter => $meter, member => $members[1], stopped => $members[0]};
}

# Checks how a run ends: its exit status, and each part as "status: reason".
sub ended {
    my ($run, $status, @expected) = @_;
    my ($got, $out, $err) = finish($run);
    is($got, $status, 'exit status') or diag $err;
    is_over($run);
    my @parts = whole_parts(contents('report'));
    is_deeply([map { "$_->{status}: $_->{verdict}" } @parts], \@expected, 'the parts');
    cmp_ok($parts[$_]{samples}, '>', 100, 'samples of a turn that was begun') for 0, 1;
    is($parts[2]{samples}, 0, 'none of the last one');
    is_deeply([glob '*'], ['report'], 'and no other file');
}

workspace();

my @INTERRUPTED = ('complete: valid', 'interrupted: valid', "interrupted: $NOT_BEGUN");

subtest 'interrupted' => sub {
    my $run = measuring();
    kill INT => $run->{keeper};
    ended($run, 3, @INTERRUPTED);
};

subtest 'all of the group are' => sub {
    my $run = measuring();
    kill TERM => -$run->{keeper};
    ended($run, 3, @INTERRUPTED);
};

subtest 'keeper killed' => sub {
    my $run = measuring();
    kill KILL => $run->{keeper};
    ended($run, $KILLED, @INTERRUPTED);
};

subtest 'meter killed' => sub {
    my $run = measuring();
    kill KILL => $run->{meter};
    ended($run, 3, 'complete: valid', 'interrupted: suspect: the measuring process was killed', "interrupted: $NOT_BEGUN");
};

subtest 'member killed' => sub {
    my $run = measuring();
    kill KILL => $run->{member};
    ended($run, 3, 'complete: valid', 'interrupted: suspect: a process of the ring was killed', "interrupted: $NOT_BEGUN");
};

subtest 'member stopped, meter killed' => sub {
    my $run = measuring();
    kill STOP => $run->{stopped};
    kill KILL => $run->{meter};
    ended($run, 3, 'complete: valid', 'interrupted: suspect: the measuring process was killed', "interrupted: $NOT_BEGUN");
};

subtest 'standby killed' => sub {
    my $run = measuring($FEW_HOPS);
    kill KILL => $run->{standby};
    my ($status, $out, $err) = finish($run);
    is($status, 0, 'exit status') or diag $err;
    is_deeply([map { "$_->{status}: $_->{verdict}" } whole_parts(contents('report'))], [('complete: valid') x 3], 'the run goes on');
    is_over($run);
};

subtest 'all but the standby killed' => sub {
    my $run = measuring();
    kill STOP => $run->{keeper};
    kill KILL => @$run{qw(meter keeper)};
    my ($status, $out, $err) = finish($run);
    is_over($run);
    is((whole_parts(contents('report')))[1]{verdict}, 'suspect: the measuring process was killed', 'the reason');
};

done_testing;
