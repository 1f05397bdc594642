# SPDX-License-Identifier: GPL-2.0-or-later
# What only this kernel shows of what happens during the run: a meter that is meddled with, and perf's counter of SMIs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(run start finish contents);
use Test::More;

workspace();

subtest 'somebody meddles' => sub {
    plan skip_all => 'real-time rights are refused here' if !has_rights();
    my @needed = ([qw(which chrt)], [qw(taskset -c 0 true)], [qw(taskset -c 1 true)]);
    plan skip_all => 'chrt or taskset not found, or CPU 0 or 1 is not ours' if grep { (run(@$_))[0] } @needed;
    my $run = start(no_rtc(), calm(), program(qw(-s nanosleep -f 100 -a 0 --force -o report)));
    wait_for_sample($run, 'report');
    my ($meter) = grep { (run('chrt', '-p', $_))[1] =~ /priority: 95/ } children($run->{pid});
    run(qw(taskset -cp 1), $meter);
    run(qw(chrt -f -p 10), $meter);
    wait_for_sample($run, 'report');
    kill INT => $run->{pid};
    finish($run);
    my $report = whole_report(contents('report'));
    like($report->{verdict}, qr/^suspect: .*policy changed: fifo 95 -> fifo 10/, 'with the priority');
    like($report->{verdict}, qr/no longer bound to CPU 0/, 'with the CPU');
    SKIP: {
        skip 'this kernel does not count migrations', 1 if $report->{migrations} eq 'unknown';
        like($report->{verdict}, qr/migrated (?:once|\d+ times) while bound to CPU 0/, 'which is seen in the migrations');
    }
};

# In its place, the switches of tasks on that CPU, of which each wake-up makes one or more.
subtest "perf's counter of SMIs" => sub {
    my $perf = '/sys/bus/event_source/devices/msr';
    my @files = ("$perf/type" => 1, "$perf/events/smi" => 'event=0x3', '/proc/cpuinfo' => "vendor_id : GenuineIntel\nflags : fpu");
    my @options = (qw(-s nanosleep -P other --best-effort -d 2500ms -q -o - -a), (allowed_cpus())[0]);
    my ($status, $out, $err) = run(fake_root(@files), program(@options));
    is($status, 0, 'exit status') or diag $err;
    my $report = whole_report($out);
    plan skip_all => 'perf counts nothing here' if $report->{smis} eq 'unknown';
    my @slices = @{ $report->{sets}{slices} };
    is((grep { $_->{smis} < $_->{wakeups} / 2 } @slices), 0, 'goes before the register');
    is($report->{smis}, sum0(map { $_->{smis} } @slices), 'the header has its sum');
};

done_testing;
