# SPDX-License-Identifier: GPL-2.0-or-later
# The report so far is saved while the run goes on, each time whole, in place of the last one.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;

sub measuring {
    my $run = start(fake_rtc(log => 'log', stall_every => 100, stall_periods => 3), realfeel('-f', 1000, @_));
    wait_for_reads('log', 50);
    return $run;
}

sub ended {
    my ($run, $signal) = @_;
    kill $signal => $run->{pid};
    my @result = finish($run);
    unlink 'log';
    return @result;
}

# Saves the report so far until it has that many samples, for a meter that gets no CPU has left none yet. Returns it.
sub checkpoint {
    my ($run, $samples) = @_;
    my $report;
    wait_until(sub {
        my $before = (stat 'report')[1] // 0;
        kill USR1 => $run->{pid};
        wait_until(sub { ((stat 'report')[1] // 0) != $before });
        $report = whole_report(contents('report'), 'a whole checkpoint');
        return $report->{samples} >= $samples;
    });
    return $report;
}

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); $test->() };
}

in_workspace 'every second' => sub {
    my $run = measuring(qw(-C 1s -o report));
    wait_until(sub { -e 'report' });
    my $first = whole_report(contents('report'), 'the first one');
    wait_until(sub { parse_report(contents('report'))->{samples} > $first->{samples} });
    my $second = whole_report(contents('report'), 'the second one, which goes on from it');
    is("$first->{status} $second->{status}", 'checkpoint checkpoint', 'status');
    unlike($first->{verdict}, qr/killed/, 'verdict');
    is($second->{events}, $first->{events}, 'header');
    my ($status) = ended($run, 'INT');
    my $last = whole_report(contents('report'), 'the last one');
    is("$status $last->{status}", '0 complete', 'status of the last one');
    cmp_ok($last->{samples}, '>=', $second->{samples}, 'goes on from it');
    is_deeply([glob '*'], ['report'], 'no other file is left');
};

in_workspace 'on demand' => sub {
    my $run = measuring(qw(-C 0 -o report));
    wait_for_reads('log', 1500);
    ok(!-e 'report', 'none is saved unasked');
    my $first = checkpoint($run, 1000);    # all but the last moments
    my $second = checkpoint($run, 1 + $first->{samples});
    is($second->{status}, 'checkpoint', 'status');
    my $bins = sum0(map { $_->{lateness} } grep { $_->{from_us} >= 1000 } @{$second->{sets}{histogram}});
    cmp_ok($bins, '>', 0, 'stalls are counted');
    ok(scalar(grep { $_->{periods} >= 4 } @{$second->{sets}{events}}), 'and are among the worst wake-ups');
    ended($run, 'INT');
};

in_workspace 'what a checkpoint has, no later kill can take' => sub {
    my $run = measuring(qw(-C 0 -o report));
    wait_for_reads('log', 1500);
    my $saved = checkpoint($run, 1000);
    my @children = children($run->{pid});
    kill STOP => $run->{pid}, @children;
    kill KILL => @children, $run->{pid};
    is((finish($run))[0], 128 + 9, 'all are killed');
    is_deeply(whole_report(contents('report')), $saved, 'the report is that of the checkpoint');
};

in_workspace 'a file that comes up is left alone' => sub {
    my $run = measuring(qw(-C 0 -o x.hist));
    open my $other, '>', 'x.hist' or die $!;
    kill USR1 => $run->{pid};
    wait_until(sub { -e 'x-2.hist' });
    rename 'x-2.hist', 'taken-away';
    my ($status, undef, $err) = ended($run, 'INT');
    is($status, 1, 'exit status');
    is(() = $err =~ /appeared during/g, 1, 'the user is told once');
    is(-s 'x.hist', 0, 'it is as it was');
    whole_report(contents($_), $_) for qw(taken-away x-2.hist);
};

in_workspace 'a checkpoint that cannot be saved' => sub {
    plan skip_all => 'prlimit not found: apt-get install util-linux' if (run(qw(which prlimit)))[0];
    my $run = measuring(qw(-C 0 -o report));
    kill USR1 => $run->{pid};
    wait_until(sub { -e 'report' });
    limit_files($run, '4096:');    # less than a report, and more than is printed
    for (1 .. 2) {
        kill USR1 => $run->{pid};
        wait_for_reads('log', 100 + @{[events('log')]});
    }
    wait_until(sub { contents($run->{err}) =~ /not saved/ });    # the keeper may come to it late
    whole_report(contents('report'), 'the last checkpoint stays');
    limit_files($run, 'unlimited:');
    my ($status, undef, $err) = ended($run, 'INT');
    is($status, 0, 'exit status');
    is(() = $err =~ m{write report: File too large; the report so far is not saved}g, 1, 'told once');
    is(whole_report(contents('report'))->{status}, 'complete', 'the report is saved where it was asked for');
};

in_workspace 'the folder is away for a while' => sub {
    mkdir 'folder';
    my $run = measuring(qw(-C 0 -o folder/report));
    kill USR1 => $run->{pid};
    wait_until(sub { -e 'folder/report' });
    rename 'folder', 'away';
    my $before = (stat 'away/report')[1];
    wait_until(sub { kill USR1 => $run->{pid}; (stat 'away/report')[1] != $before });
    whole_report(contents('away/report'), 'the next checkpoint is where the folder is');
    rename 'away', 'folder';
    my ($status, undef, $err) = ended($run, 'INT');
    is($status, 0, 'exit status');
    unlike($err, qr/moved|not saved/, 'nothing is to be told');
    is(whole_report(contents('folder/report'))->{status}, 'complete', 'the report is saved where it was asked for');
};

in_workspace 'standard output is written to at the end only' => sub {
    my $run = measuring(qw(-C 1s -o -));
    kill USR1 => $run->{pid};
    wait_for_reads('log', 1500);
    my ($status, $out) = ended($run, 'INT');
    is($status, 0, 'exit status');
    whole_report($out);
};

done_testing;
