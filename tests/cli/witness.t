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
my $LOG     = '/dev/kmsg';
my $RTC     = '/sys/class/rtc/rtc0/since_epoch';
my $RUNTIME = '/proc/sys/kernel/sched_rt_runtime_us';
my $SCHED   = '/proc/self/sched';

my $FIRST     = '5,0,0,-;Linux version 6.1.0';
my $THROTTLED = '4,612,99,-;sched: RT throttling activated';

# A machine on which nothing happens.
my %QUIET = (
    $STAT => "cpu  1 0 1 9 0 0 0 700 0 0\ncpu0 1 0 1 9 0 0 0 700 0 0", $LOG => $FIRST, $RTC => 1000, release => '6.1.0',
    $RUNTIME => 950000, '/proc/cpuinfo' => "flags\t: fpu",
);

sub children {
    my ($pid) = @_;
    return split ' ', contents("/proc/$pid/task/$pid/children");
}

# A run of so many seconds, on a machine with these files and settings, of which some change when it has begun.
sub report_of {
    my ($seconds, $machine, $change, @options) = @_;
    my $root = 'root';
    system 'rm', '-rf', $root;
    my @command = (no_rtc(), fake_root(root => $root, %QUIET, %$machine),
        program(qw(-s nanosleep --best-effort -f 100 --force -o report), '-d', "${seconds}s", @options));
    my $run = start(@command);
    if ($change) {
        wait_until(sub { children($run->{pid}) });
        sleep 1;
        put("$root$_", $change->{$_}) for keys %$change;
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
    my $report = report_of(1, {$LOG => undef, $RTC => undef, $STAT => undef, $SCHED => 'nothing'}, undef);
    is_deeply([@$report{qw(rtc_gap_s steal_ms rt_throttled migrations)}], [('unknown') x 4], 'is unknown');
    unlike($report->{verdict}, qr/unknown|throttled|hypervisor/, 'and no reason');
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

# What is there when the run begins, what changes, the throttling.
my @LOGS = (
    ['a message that comes',            {}, {$LOG => "$FIRST\n$THROTTLED"}, 'yes'],
    ['one that was there before',       {$LOG => "$FIRST\n$THROTTLED"}, undef, 'unknown'],
    ['a log without its beginning',     {$LOG => '5,17,0,-;usb'}, undef, 'unknown'],
    ['no log',                          {$LOG => undef}, undef, 'unknown'],
    ['no log, and none to hold it off', {$LOG => undef, $RUNTIME => -1}, undef, 'no'],
    ['a kernel that does not say',      {release => '6.12.1'}, undef, 'unknown'],
);

for (@LOGS) {
    my ($name, $machine, $change, $throttled) = @$_;
    subtest "throttling: $name" => sub {
        my $report = report_of($change ? 3 : 0.5, $machine, $change);
        is($report->{rt_throttled}, $throttled, 'header');
        like($report->{verdict}, qr/real-time processes were throttled/, 'verdict') if $throttled eq 'yes';
    };
}

subtest 'a hypervisor takes time' => sub {
    my $taken = {$STAT => "cpu  1 0 1 9 0 0 0 712 0 0\ncpu0 1 0 1 9 0 0 0 705 0 0"};
    my $report = report_of(3, {}, $taken);
    is($report->{steal_ms}, 120, 'of all CPUs');
    like($report->{verdict}, qr/the hypervisor took 120 ms/, 'verdict');
    SKIP: {
        skip 'CPU 0 is not ours', 1 if (run(qw(taskset -c 0 true)))[0];
        is(report_of(3, {}, $taken, qw(-a 0))->{steal_ms}, 50, 'of the CPU that was measured');
    }
    my %never = ($STAT => "cpu  1 0 1 9 0 0 0 0 0 0\ncpu0 1 0 1 9 0 0 0 0 0 0", '/proc/cpuinfo' => "flags\t: hypervisor x");
    is(report_of(0.5, \%never, undef)->{steal_ms}, 'unknown', 'or does not say');
};

subtest 'a virtual machine is paused' => sub {
    my $report = report_of(3, {}, {$RTC => 1063});
    like($report->{rtc_gap_s}, qr/^(?:59|60|61)$/, 'header');
    like($report->{verdict}, qr/hardware clock went \+\d+ s against .* paused/, 'verdict');
};

subtest 'migrations' => sub {
    my $report = report_of(3, {$SCHED => 'se.nr_migrations     :   4'}, {$SCHED => 'se.nr_migrations     :   7'});
    is($report->{migrations}, 3, 'header');
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
    like($report->{verdict}, qr/not bound to CPU 0 any more/, 'with the CPU');
    SKIP: {
        skip 'this kernel does not count migrations', 1 if $report->{migrations} eq 'unknown';
        like($report->{verdict}, qr/migrated \d+ times, although bound to CPU 0/, 'which is seen in the migrations');
    }
};

done_testing;
