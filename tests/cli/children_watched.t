# SPDX-License-Identifier: GPL-2.0-or-later
# What somebody does to the waker, or to a member of a ring, is told; and nobody is believed to be dead because of a signal.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use RunEnd;
use Test::More;
use Time::HiRes qw(sleep);

plan skip_all => 'no right to real-time scheduling here' if !has_rights();
plan skip_all => 'needs chrt and taskset: apt-get install util-linux' if grep { (run('which', $_))[0] } qw(chrt taskset);

my @CPUS = allowed_cpus();

# The options of a source, what its child is called, how many a meter has, and what it has of the scheduler.
my @SOURCES = (
    [[qw(-s thread -f 1000)], 'the waker', 1, 'fifo 96'],
    [[qw(-s ring --processes=4)], 'a process of the ring', 3, 'other 0'],
);

# A run that has measured a little, with its meter and the last of its children.
sub measuring {
    my ($options, $count) = @_;
    unlink 'report';
    my $run = start(program(@$options, qw(-C 0 -d 1h -o report -a), $CPUS[0]));
    wait_until(sub { has_begun($run->{pid}) });
    my (undef, $meter) = children($run->{pid});
    wait_until(sub { children($meter) == $count });
    my $child = (children($meter))[-1];
    wait_for_samples($run, 50);
    return {%$run, meter => $meter, child => $child};
}

# That of a checkpoint summed up since now. The first one that comes may have been summed up before, and written since.
sub verdict_now {
    my ($run) = @_;
    my $part = parse_report(contents('report'));
    ($part) = wait_for_samples($run, 1 + $part->{samples}) for 1 .. 2;
    return $part->{verdict};
}

# Interrupts the run. Returns its verdict.
sub ended {
    my ($run) = @_;
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 3, 'exit status') or diag $err;
    is_over($run);
    return whole_report(contents('report'))->{verdict};
}

workspace();

for (@SOURCES) {
    my ($options, $child, $count, $began) = @$_;

    subtest "$child is left alone" => sub {
        my $run = measuring($options, $count);
        unlike(verdict_now($run), qr/\Q$child/, 'a checkpoint');
        unlike(ended($run), qr/\Q$child/, 'the report');
    };

    subtest "$child is stopped, and goes on" => sub {
        my $run = measuring($options, $count);
        stop(@$run{qw(child meter)});
        sleep 0.3;
        kill CONT => $run->{child};
        my $told = qr/^suspect: .*stopped: a signal stopped \Q$child\E for (\d+\.\d{3}) s/;
        like(verdict_now($run), $told, 'a checkpoint');
        my ($for_s) = ended($run) =~ $told;
        cmp_ok($for_s, '>=', 0.3, 'the report');
    };

    subtest "$child is stopped for longer than any source would sleep" => sub {
        my $run = measuring($options, $count);
        stop(@$run{qw(child meter)});
        sleep 8;
        kill CONT => $run->{child};
        verdict_now($run);
        like(ended($run), qr/^suspect: stopped: a signal stopped \Q$child\E for (?:[89]|\d\d)\.\d+ s(?:;|\z)/, 'the run goes on');
    };

    subtest "$child is stopped when the run ends" => sub {
        my $run = measuring($options, $count);
        stop(@$run{qw(child meter)});
        sleep 0.1;
        like(ended($run), qr/^suspect: .*stopped: a signal stopped \Q$child\E for/, 'the report');
    };

    subtest "$child gets another policy" => sub {
        my $run = measuring($options, $count);
        is((run(qw(chrt -f -p 1), $run->{child}))[0], 0, 'as root can');
        my $told = qr/^suspect: .*\Q$child\E: policy changed: $began -> fifo 1/;
        like(verdict_now($run), $told, 'a checkpoint');
        like(ended($run), $told, 'the report');
    };

    subtest "$child is moved" => sub {
        plan skip_all => 'there is one CPU only' if @CPUS < 2;
        my $run = measuring($options, $count);
        run(qw(taskset -cp), $CPUS[1], $run->{child});
        like(ended($run), qr/^suspect: .*\Q$child\E: no longer bound to CPU $CPUS[0]/, 'the report');
    };
}

# Of each source, one that forks nobody among them.
for my $options ([qw(-s nanosleep -f 1000)], map { $_->[0] } @SOURCES) {
    subtest "@$options: signals that say what is not so" => sub {
        unlink 'report';
        my $run = start(program(@$options, qw(-q -C 0 -d 1h -o report -a), $CPUS[0]));
        wait_until(sub { has_begun($run->{pid}) });
        my (undef, $meter) = children($run->{pid});
        my ($before) = wait_for_samples($run, 1);
        for (1 .. 20) { kill $_ => $meter for qw(CHLD ALRM); sleep 0.01 }
        my ($after) = wait_for_samples($run, $before->{samples} + 500);
        is($after->{status}, 'checkpoint', 'the run goes on');
        my $verdict = ended($run);
        unlike($verdict, qr/killed/, 'and nobody is said to be dead');
    };
}

subtest 'the time of a run, and a signal before it is over' => sub {
    unlink 'report';
    my $run = start(program(qw(-s nanosleep -q -C 0 -d 3s -o report -a), $CPUS[0]));
    wait_until(sub { -e 'report' || has_begun($run->{pid}) });
    my (undef, $meter) = children($run->{pid});
    wait_for_samples($run, 1);
    kill ALRM => $meter if $meter;    # else it is over already
    is((finish($run))[0], 0, 'exit status');
    my $report = whole_report(contents('report'));
    cmp_ok($report->{duration_s}, '>', 2.5, 'it lasts as long as was asked for');
    is($report->{status}, 'complete', 'status');
};

done_testing;
