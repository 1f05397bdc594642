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
use RunCommand qw(run start finish wait_until contents file_of);
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

# A short run, on a machine with these files and settings; or one until some of the files have changed, which they do when
# there is a sample.
sub report_of {
    my ($machine, $change, @options) = @_;
    my $root = 'root';
    system 'rm', '-rf', $root;
    my @command = (no_rtc(), fake_root(root => $root, %QUIET, %$machine),
        program(qw(-s nanosleep --best-effort -f 100 --force -o report), $change ? () : qw(-n 20), @options));
    unlink 'report';
    my $run = start(@command);
    if ($change) {
        wait_for_sample($run, 'report');
        put("$root$_", $change->{$_}) for keys %$change;
        kill INT => $run->{pid};
    }
    my ($status, undef, $err) = finish($run);
    is($status, 0, 'exit status') or diag $err;
    return whole_report(contents('report'));
}

workspace();

subtest 'nothing' => sub {
    my ($report, $begun);
    for (1 .. 5) {    # the faked clock stands still, which is seen in a run of two seconds
        $begun = time;
        $report = report_of({}, undef, '-P', 'other');
        last if time - $begun < 2;
    }
    my %expected = (suspended_s => '0.000000', clock_step_s => '0.000000', rtc_gap_s => 0, steal_ms => 0, rt_throttled => 'no');
    is_deeply({map { $_ => $report->{$_} } keys %expected}, \%expected, 'header');
    like($report->{verdict}, qr/^(?:suspect|invalid): not real-time: [^;]*$/, 'verdict');
};

subtest 'what cannot be known' => sub {
    my $report = report_of({$RUNTIME => undef, $RTC => undef, $STAT => undef, $SCHED => 'nothing'}, undef);
    is_deeply([@$report{qw(rtc_gap_s steal_ms rt_throttled migrations)}], [('unknown') x 4], 'is unknown');
    unlike($report->{verdict}, qr/unknown|hypervisor/, 'and no reason');
};

subtest 'the machine sleeps' => sub {
    my $report = report_of({sleep_ms => 5250}, {'/slept' => ''});
    like($report->{suspended_s}, qr/^5\.2[45]\d{4}$/, 'for how long');
    is($report->{clock_step_s}, '0.000000', 'the wall clock was not set');
    like($report->{verdict}, qr/suspended for 5\.2[45]\d s/, 'verdict');
};

subtest 'the wall clock is set' => sub {
    my $run = start(no_rtc(), fake_root(root => 'stepped', %QUIET, step_ms => 1500),
        program(qw(-s nanosleep --best-effort -f 100 --force -o report)));
    wait_for_sample($run, 'report');
    put('stepped/stepped', '');
    wait_until(sub { wait_for_sample($run, 'report'); contents('report') =~ /^# clock_step_s: 1\.[45]/m });
    unlink 'stepped/stepped';
    kill INT => $run->{pid};
    is((finish($run))[0], 0, 'exit status');
    my $report = whole_report(contents('report'));
    cmp_ok($report->{clock_step_s}, '>', 2.9, 'forth and back add up');
    is($report->{suspended_s}, '0.000000', 'the machine did not sleep');
    like("$report->{verdict} @{[$report->{remarks} // '']}", qr/the wall clock was set by \d/, 'verdict, or a remark');
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
        is(report_of($machine, $change)->{rt_throttled}, $throttled, 'header');
    };
}

subtest 'a hypervisor takes time' => sub {
    my $taken = {$STAT => "cpu  1 0 1 9 0 0 0 712 0 0\ncpu0 1 0 1 9 0 0 0 705 0 0"};
    my $report = report_of({}, $taken);
    is($report->{steal_ms}, 120, 'of all CPUs');
    like($report->{verdict}, qr/the hypervisor took 120 ms/, 'verdict');
    SKIP: {
        skip 'CPU 0 is not ours', 1 if (run(qw(taskset -c 0 true)))[0];
        is(report_of({}, $taken, qw(-a 0))->{steal_ms}, 50, 'of the CPU that was measured');
    }
    my %never = ($STAT => "cpu  1 0 1 9 0 0 0 0 0 0\ncpu0 1 0 1 9 0 0 0 0 0 0", '/proc/cpuinfo' => "flags\t: hypervisor x");
    is(report_of(\%never, undef)->{steal_ms}, 'unknown', 'or does not say');
    is(report_of(\%never, $taken)->{steal_ms}, 7120, 'the first time that it takes is told');
};

subtest 'a virtual machine is paused' => sub {
    my $begun = time;
    my $report = report_of({}, {$RTC => 4600});
    cmp_ok($report->{rtc_gap_s}, '<=', 3600, 'header: no more than it moved');
    cmp_ok($report->{rtc_gap_s}, '>=', 3600 - (time - $begun) - 1, 'and no less than but for the time of the run');
    like($report->{verdict}, qr/hardware clock moved \+\d+ s against .* paused/, 'verdict');
};

# The clock of the one that wakes us is asked, whatever its name, and the first one where none does.
for my $case (['/dev/rtc1', 1], ['/dev/rtc0', 0], ['/dev/rtc', 0], ['link', 1]) {
    my ($device, $number) = @$case;
    subtest "the hardware clock of $device" => sub {
        my ($root, $log) = map { "$_$number-" . $device =~ s{/}{}gr } 'root', 'log';
        unlink 'report', 'link';
        symlink file_of('rtc1', ''), 'link';
        my %clocks = map { ("/sys/class/rtc/rtc$_/since_epoch" => $_ == $number ? 1000 : 5000) } 0, 1;
        my @command = (fake_rtc(paths => $device, log => $log), fake_root(root => $root, %QUIET, %clocks),
            program(qw(--best-effort -f 1024 -o report -D), $device));
        my $run = start(@command);
        wait_for_reads($log, 10);
        put("$root/sys/class/rtc/rtc$number/since_epoch", 4600);
        kill INT => $run->{pid};
        my ($status, undef, $err) = finish($run);
        is($status, 0, 'exit status') or diag $err;
        cmp_ok(whole_report(contents('report'))->{rtc_gap_s}, '>', 1800, 'header');
    };
}

subtest 'migrations' => sub {
    my $report = report_of({$SCHED => 'se.nr_migrations     :   4'}, {$SCHED => 'se.nr_migrations     :   7'});
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
    my @told = @$report{qw(status steal_ms rt_throttled migrations clock_step_s rtc_gap_s)};
    is("@told", 'checkpoint 120 no 5 0.000000 unknown', 'header');
    like($report->{verdict}, qr/the hypervisor took 120 ms/, 'verdict');
    unlike($report->{verdict}, qr/policy changed/, 'the meter is as it was');
    kill INT => $run->{pid};
    is((finish($run))[0], 0, 'exit status');
};

subtest 'somebody meddles' => sub {
    plan skip_all => 'real-time rights are refused here' if !has_rights();
    my @needed = ([qw(which chrt)], [qw(taskset -c 0 true)], [qw(taskset -c 1 true)]);
    plan skip_all => 'chrt or taskset not found, or CPU 0 or 1 is not ours' if grep { (run(@$_))[0] } @needed;
    my $run = start(no_rtc(), fake_root(%QUIET), program(qw(-s nanosleep -f 100 -a 0 --force -o report)));
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
        like($report->{verdict}, qr/migrated \d+ times while bound to CPU 0/, 'which is seen in the migrations');
    }
};

done_testing;
