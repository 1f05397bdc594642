# SPDX-License-Identifier: GPL-2.0-or-later
# The machine and the report come before a load that may take long to end: it notes how far the run was when it was told to.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(start finish contents wait_until);
use Test::More;

# Whom SIGKILL hits, and what the shell sees then.
my %STATUS = (keeper => 128 + 9, meter => 3);

my $LOAD = q(trap 'cp log log.then; cp report report.then; exit' TERM; touch ready; while :; do sleep 0.1; done);

for my $whom (sort keys %STATUS) {
    subtest "kill of the $whom" => sub {
        workspace();
        my $run = start(fake_rtc(log => 'log'), realfeel(qw(-f 1000 -C 0 -d 1h -o report -- sh -c), $LOAD));
        my %pid = (keeper => $run->{pid}, meter => wait_for_reads('log', 20));
        wait_until(sub { -e 'ready' });
        wait_for_sample($run, 'report');    # as a buffer that is being changed is lost, and may be the only one
        unlink 'report';
        kill KILL => $pid{$whom};
        is((finish($run))[0], $STATUS{$whom}, 'exit status');
        is(join(' ', map { $_->{value} } grep { $_->{event} eq 'rate' } events('log.then')), '1000 1024', 'the rate is put back');
        my $then = whole_report(-e 'report.then' ? contents('report.then') : '');
        cmp_ok($then->{samples} // 0, '>', 0, 'what was measured is saved');
        is($then->{samples}, whole_report(contents('report'))->{samples}, 'all of it');
    };
}

done_testing;
