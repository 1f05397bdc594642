# SPDX-License-Identifier: GPL-2.0-or-later
# A checkpoint that cannot be saved, by the limit of the shell. tests/sim/saving.t has all others.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;

subtest 'larger than a file may be' => sub {
    plan skip_all => 'prlimit not found: apt-get install util-linux' if (run(qw(which prlimit)))[0];
    workspace();
    my $run = start(fake_rtc(log => 'log'), realfeel(qw(-f 1000 -C 0 -o report)));
    wait_for_reads('log', 50);
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
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 0, 'exit status');
    is(() = $err =~ m{write report: File too large; the report so far is not saved}g, 1, 'told once');
    is(whole_report(contents('report'))->{status}, 'complete', 'the report is saved where it was asked for');
};

done_testing;
