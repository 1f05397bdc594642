# SPDX-License-Identifier: GPL-2.0-or-later
# What happens to the machine during the run is in the header and in the verdict.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use Program;
use Report;
use RunCommand qw(run start finish wait_until contents);
use Test::More;

my $STAT    = '/proc/stat';
my $RTC     = '/sys/class/rtc/rtc0/since_epoch';
my $RUNTIME = '/proc/sys/kernel/sched_rt_runtime_us';
my $SCHED   = '/proc/self/sched';

# A machine on which nothing happens.
my %QUIET = (
    $STAT => "cpu  1 0 1 9 0 0 0 700 0 0\ncpu0 1 0 1 9 0 0 0 700 0 0", $RTC => 1000, release => '6.1.0',
    $RUNTIME => -1, '/proc/cpuinfo' => "flags\t: fpu",
);

# A run of so many seconds, on a machine with these files and settings; or until some of them have changed, which they do
# when there is a sample.
sub report_of {
    my ($seconds, $machine, $change, @options) = @_;
    my $root = 'root';
    system 'rm', '-rf', $root;
    my @command = (no_rtc(), fake_root(root => $root, %QUIET, %$machine),
        program(qw(-s nanosleep --best-effort -f 100 --force -o report), $change ? () : ('-d', "${seconds}s"), @options));
    unlink 'report';
    my $run = start(@command);
    if ($change) {
        wait_until(sub { has_begun($run->{pid}) });
        wait_until(sub { kill USR1 => $run->{pid}; -e 'report' });
        put("$root$_", $change->{$_}) for keys %$change;
        kill INT => $run->{pid};
    }
    my ($status, undef, $err) = finish($run);
    is($status, 0, 'exit status') or diag $err;
    return whole_report(contents('report'));
}

workspace();

subtest 'nothing' => sub {
    my $report = report_of(1, {}, undef, '-P', 'other');
    my %expected = (suspended_s => '0.000000', clock_step_s => '0.000000', rtc_gap_s => 0, steal_ms => 0, rt_throttled => 'no');
    is_deeply({map { $_ => $report->{$_} } keys %expected}, \%expected, 'header');
    like($report->{verdict}, qr/^(?:suspect|invalid): not real-time: [^;]*$/, 'verdict');
};

subtest 'what cannot be known' => sub {
    my $report = report_of(1, {$RUNTIME => undef, $RTC => undef, $STAT => undef, $SCHED => 'nothing'}, undef);
    is_deeply([@$report{qw(rtc_gap_s steal_ms rt_throttled migrations)}], [('unknown') x 4], 'is unknown');
    unlike($report->{verdict}, qr/unknown|hypervisor/, 'and no reason');
};

subtest 'the machine sleeps' => sub {
    my $report = report_of(2, {sleep_ms => 5250}, undef);
    like($report->{suspended_s}, qr/^5\.2[45]\d{4}$/, 'for how long');
    is($report->{clock_step_s}, '0.000000', 'the wall clock was not set');
    like($report->{verdict}, qr/suspended for 5\.2[45]\d s/, 'verdict');
};

subtest 'the wall clock is set' => sub {
    my $report = report_of(3.5, {step_ms => 1500}, undef);
    cmp_ok($report->{clock_step_s}, '>', 2.9, 'forth and back add up');
    is($report->{suspended_s}, '0.000000', 'the machine did not sleep');
    like($report->{verdict}, qr/the wall clock was set by \d/, 'verdict');
};

# What is there when the run begins, what changes, and whether it is then known that nothing was held off.
my @GUARDS = (
    ['the guard is off',              {},                    undef,               'no'],
    ['it is on',                      {$RUNTIME => 950_000}, undef,               'unknown'],
    ['it is switched on in the run',  {},                    {$RUNTIME => 950_000}, 'unknown'],
    ['it is switched off in the run', {$RUNTIME => 950_000}, {$RUNTIME => -1},    'unknown'],
    ['a kernel with another guard',   {release => '6.12.1'}, undef,               'unknown'],
    ['the last without it',           {release => '6.11.10'}, undef,              'no'],
);

for (@GUARDS) {
    my ($name, $machine, $change, $throttled) = @$_;
    subtest "throttling: $name" => sub {
        is(report_of(0.5, $machine, $change)->{rt_throttled}, $throttled, 'header');
    };
}

subtest 'a hypervisor takes time' => sub {
    my $taken = {$STAT => "cpu  1 0 1 9 0 0 0 712 0 0\ncpu0 1 0 1 9 0 0 0 705 0 0"};
    my $report = report_of(undef, {}, $taken);
    is($report->{steal_ms}, 120, 'of all CPUs');
    like($report->{verdict}, qr/the hypervisor took 120 ms/, 'verdict');
    SKIP: {
        skip 'CPU 0 is not ours', 1 if (run(qw(taskset -c 0 true)))[0];
        is(report_of(undef, {}, $taken, qw(-a 0))->{steal_ms}, 50, 'of the CPU that was measured');
    }
    my %never = ($STAT => "cpu  1 0 1 9 0 0 0 0 0 0\ncpu0 1 0 1 9 0 0 0 0 0 0", '/proc/cpuinfo' => "flags\t: hypervisor x");
    is(report_of(0.5, \%never, undef)->{steal_ms}, 'unknown', 'or does not say');
    is(report_of(undef, \%never, $taken)->{steal_ms}, 7120, 'the first time that it takes is told');
};

subtest 'a virtual machine is paused' => sub {
    my $report = report_of(undef, {}, {$RTC => 1063});
    like($report->{rtc_gap_s}, qr/^(?:[45]\d|6[0-3])$/, 'header');
    like($report->{verdict}, qr/hardware clock moved \+\d+ s against .* paused/, 'verdict');
};

subtest 'migrations' => sub {
    my $report = report_of(undef, {$SCHED => 'se.nr_migrations     :   4'}, {$SCHED => 'se.nr_migrations     :   7'});
    is($report->{migrations}, 3, 'header');
};

subtest 'a checkpoint tells it already' => sub {
    my $root = 'so-far';
    my @command = (fake_rtc(log => 'reads'), fake_root(root => $root, %QUIET, $SCHED => 'se.nr_migrations : 4'),
        program(qw(-f 1000 -C 0 --best-effort -o so-far.hist)));
    my $run = start(@command);
    wait_for_reads('reads', 1500);
    my $meter = (events('reads'))[-1]{pid};
    put("$root$STAT", "cpu  1 0 1 9 0 0 0 712 0 0\ncpu0 1 0 1 9 0 0 0 705 0 0");
    put("$root/proc/$meter/sched", 'se.nr_migrations : 9');
    kill USR1 => $run->{pid};
    wait_until(sub { -e 'so-far.hist' });
    my $report = whole_report(contents('so-far.hist'));
    is("@$report{qw(status steal_ms rt_throttled migrations rtc_gap_s)}", 'checkpoint 120 no 5 unknown', 'header');
    like($report->{verdict}, qr/the hypervisor took 120 ms/, 'verdict');
    unlike($report->{verdict}, qr/policy changed/, 'the meter is as it was');
    kill INT => $run->{pid};
    is((finish($run))[0], 0, 'exit status');
};

subtest 'somebody meddles' => sub {
    plan skip_all => 'real-time rights are refused here' if !has_rights();
    my @needed = ([qw(which chrt)], [qw(taskset -c 0 true)], [qw(taskset -c 1 true)]);
    plan skip_all => 'chrt or taskset not found, or CPU 0 or 1 is not ours' if grep { (run(@$_))[0] } @needed;
    my $run = start(no_rtc(), fake_root(%QUIET), program(qw(-s nanosleep -f 100 -d 3s -a 0 --force -o report)));
    my $meter;
    wait_until(sub { ($meter) = grep { (run('chrt', '-p', $_))[1] =~ /priority: 95/ } children($run->{pid}) });
    sleep 1;
    run(qw(taskset -cp 1), $meter);
    run(qw(chrt -f -p 10), $meter);
    finish($run);
    my $report = whole_report(contents('report'));
    like($report->{verdict}, qr/^suspect: .*policy changed: fifo 95 -> fifo 10/, 'with the priority');
    like($report->{verdict}, qr/no longer bound to CPU 0/, 'with the CPU');
    SKIP: {
        skip 'this kernel does not count migrations', 1 if $report->{migrations} eq 'unknown';
        like($report->{verdict}, qr/migrated \d+ times while bound to CPU 0/, 'which is seen in the migrations');
    }
};

done_testing;
