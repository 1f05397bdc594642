# SPDX-License-Identifier: GPL-2.0-or-later
# What happens to the machine during the run is in the header and in the verdict.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Report;
use RunCommand qw(file_of);
use Sim;
use Test::More;

my $STAT    = '/proc/stat';
my $EPOCH   = '/sys/class/rtc/rtc0/since_epoch';
my $RUNTIME = '/proc/sys/kernel/sched_rt_runtime_us';
my $SCHED   = '/proc/self/sched';
my @KEYS    = qw(suspended_s clock_step_s rtc_gap_s steal_ms rt_throttled migrations smis frozen);

# A machine on which nothing happens, whose RTC's clock is read only where it is given; and what the header has then.
my %QUIET = ($STAT => "cpu  1 0 1 9 0 0 0 700 0 0\ncpu0 1 0 1 9 0 0 0 700 0 0", $RUNTIME => -1, $SCHED => 'se.nr_migrations : 4');
my %NOTHING = (
    suspended_s => '0.000000', clock_step_s => '0.000000', rtc_gap_s => 'unknown', steal_ms => 0, rt_throttled => 'no',
    migrations => 0, smis => 'unknown', frozen => 'no',
);

# A run of two seconds unless the options say otherwise; what happens in it; what the machine has; what is other in the
# header; how it ends.
sub shows {
    my ($name, $options, $script, $files, $header, @outcome) = @_;
    my $run = simulate([qw(-s nanosleep -f 100 -o report), $options =~ /-[nd] / ? () : qw(-n 200), split ' ', $options],
        script => $script, files => { %QUIET, %$files });
    my ($report) = ends_so($name, $run, @outcome);
    is_deeply({ map { $_ => $report->{$_} } @KEYS }, { %NOTHING, %$header }, "$name: header");
    return $report;
}

sub is_well { my ($name, $options, $script, $files, $header) = @_; return shows(@_, 'exit 0', 'complete 200, valid') }

sub doubts {
    my ($name, $options, $script, $files, $header, $doubt) = @_;
    return shows($name, $options, $script, $files, $header, 'exit 0', "complete 200, suspect: $doubt");
}

is_well('nothing', '', [], {}, {});
shows('nothing, and a clock that stands still', '-n 20', [], { $EPOCH => 1000 }, { rtc_gap_s => 0 }, 'exit 0', 'complete 20, valid');
doubts('-P other', '-P other', [], {}, {}, 'not real-time: the policy is other, as requested');
is_well('what cannot be known', '', [], { $RUNTIME => undef, $STAT => undef, $SCHED => 'nothing' },
    { map { $_ => 'unknown' } qw(steal_ms rt_throttled migrations) });
doubts('the machine sleeps', '', ['1 sleep 5.25'], {}, { suspended_s => '5.250000' }, 'the machine was suspended for 5.250 s');

# Forth and back add up. What is little beside the run is a remark.
doubts('the wall clock is set', '', ['0.5 step 1.5', '1.5 step -1.5'], {}, { clock_step_s => '3.000000' },
    'the wall clock was changed by 3.000000 s');
my $report = shows('the wall clock is set once', '-n 300', ['1 step 1.5'], {}, { clock_step_s => '1.500000' },
    'exit 0', 'complete 300, valid');
is($report->{remarks}, 'the wall clock was changed by 1.500000 s', 'a wall clock that is set once is a remark');

# Whether it is known that the kernel held off nothing.
my %UNKNOWN = (rt_throttled => 'unknown');
is_well('throttling is on', '', [], { $RUNTIME => 950000 }, \%UNKNOWN);
doubts('throttling is switched on', '', ["1 put $RUNTIME 950000"], {}, \%UNKNOWN, 'rt_runtime_us changed: -1 -> 950000');
doubts('throttling is switched off', '', ["1 put $RUNTIME -1"], { $RUNTIME => 950000 }, \%UNKNOWN, 'rt_runtime_us changed: 950000 -> -1');
is_well('a kernel with another guard', '', ['set release 6.12.1'], {}, \%UNKNOWN);
is_well('the last without it', '', ['set release 6.11.10'], {}, {});

# A hypervisor takes time: of all CPUs, or of the one that is measured. One that never did may not say.
my $TAKEN = "1 put $STAT cpu  1 0 1 9 0 0 0 712 0 0";
my %NEVER = ($STAT => 'cpu  1 0 1 9 0 0 0 0 0 0', '/proc/cpuinfo' => 'flags : hypervisor x');
doubts('a hypervisor takes time', '', [$TAKEN], {}, { steal_ms => 120 }, 'the hypervisor took 120 ms of CPU time');
doubts('a hypervisor takes time of the CPU', '-a 0', ["1 put $STAT cpu0 1 0 1 9 0 0 0 705 0 0"], {}, { steal_ms => 50 },
    'the hypervisor took 50 ms of CPU time');
is_well('a hypervisor that never took any', '', [], \%NEVER, { steal_ms => 'unknown' });
doubts('a hypervisor takes time for the first time', '', [$TAKEN], \%NEVER, { steal_ms => 7120 },
    'the hypervisor took 7120 ms of CPU time');

# A virtual machine is paused. The clock of the RTC that wakes us is asked, whatever its name, or the first one.
my $folder = tempdir(CLEANUP => 1);
symlink file_of("$folder/rtc1", ''), "$folder/link" or die $!;
for (['', 0], ['/dev/rtc', 0], ['/dev/rtc0', 0], ['/dev/rtc1', 1], ["$folder/link", 1]) {
    my ($device, $number) = @$_;
    my %clocks = map { ("/sys/class/rtc/rtc$_/since_epoch" => $_ == $number ? 1000 : 5000) } 0, 1;
    my @script = (("set rtc $device") x ($device ne ''), "1 put /sys/class/rtc/rtc$number/since_epoch 4600");
    doubts("the clock of '@{[$device =~ s{.*/}{}r]}'", $device ? "-s rtc -D $device" : '', \@script, \%clocks, { rtc_gap_s => 3598 },
        "the hardware clock moved +3598 s against the kernel's: the virtual machine was paused, or the hardware clock was set");
}

# Somebody meddles with the meter.
is_well('migrations', '', ["1 put $SCHED se.nr_migrations     :   7"], {}, { migrations => 3 });
doubts('migrations of one that is bound', '-a 0', ["1 put $SCHED se.nr_migrations : 7"], {}, { migrations => 3 },
    'migrated 3 times while bound to CPU 0');
doubts('taskset and chrt', '-a 0', ['1 policy meter0 fifo 10', '1 bind meter0 1', "1 put $SCHED se.nr_migrations : 5"], {},
    { migrations => 1 }, 'policy changed: fifo 95 -> fifo 10; no longer bound to CPU 0; migrated once while bound to CPU 0');

# A checkpoint has it already: the meter's own, and the machine's.
shows('a checkpoint', '', ['1 put /proc/meter0/sched se.nr_migrations : 9', $TAKEN, '1.5 USR1 keeper', '1.6 KILL keeper standby meter0'],
    { '/proc/meter0/sched' => $QUIET{$SCHED} }, { steal_ms => 120, migrations => 5 },
    'exit 137', 'checkpoint 149, suspect: the hypervisor took 120 ms of CPU time');

# The meter is frozen, longer than a source may be silent: in the group in which it was, or to which it was moved.
my $FROZEN = 'frozen: the control group of the measuring process was frozen';
my $EVENTS = '/sys/fs/cgroup/a/cgroup.events';
my %GROUP = ('/proc/self/mounts' => 'none /sys/fs/cgroup cgroup2 rw 0 0', '/proc/self/cgroup' => '0::/a', $EVENTS => 'frozen 0');
my %MOVED = (%GROUP, '/proc/self/cgroup' => '0::/', '/proc/meter0/cgroup' => '0::/');
my @FREEZE = ('1 FREEZE meter0', "1 put $EVENTS frozen 1");
my @THAW = ('9 THAW meter0', "9 put $EVENTS frozen 0");
shows('frozen', '', [@FREEZE, @THAW], \%GROUP, { frozen => 'yes' }, 'exit 0', "complete 200 + 800 missed, suspect: $FROZEN");
shows('frozen for good', '-d 3s', ['1 FREEZE meter0', "1 put $EVENTS frozen 1"], \%GROUP, { frozen => 'yes', migrations => 'unknown' },
    'exit 3', 'the measuring process is frozen and does not end; killing it',
    "interrupted 98, suspect: the measuring process was killed; $FROZEN");
shows('moved and frozen', '', ['0.5 put /proc/meter0/cgroup 0::/a', @FREEZE, @THAW], \%MOVED, { frozen => 'yes' },
    'exit 0', "complete 200 + 800 missed, suspect: $FROZEN");
shows('moved', '', ['0.5 put /proc/meter0/cgroup 0::/a'], \%MOVED, {}, 'exit 0', 'complete 200, valid');
shows('a checkpoint of a frozen one', '', ['0.5 USR1 keeper', @FREEZE, '3 USR1 keeper', '4 KILL keeper standby meter0'], \%GROUP,
    { frozen => 'yes' }, 'exit 137', "checkpoint 49, suspect: $FROZEN");

# System management interrupts, once a slice: the register has the next of these counts each time that it is read.
sub registers {
    my ($vendor, @counts) = @_;
    my $bytes = "\0" x 0x34 . pack '(L<L<)*', map { ($_, 0) } @counts;
    return { '/proc/cpuinfo' => "vendor_id\t: $vendor\nflags\t\t: fpu", '/dev/cpu/0/msr' => $bytes };
}

my @AROUND = map { 0xffff_fffe + 3 * $_ & 0xffff_ffff } 0 .. 99;
for (
    ['SMIs', '-a 0', registers('GenuineIntel', @AROUND), 6, 3, 3],
    ['no SMIs', '-a 0', registers('GenuineIntel', (5) x 100), 0, 0, 0],
    ['another vendor', '-a 0', registers('AuthenticAMD', 1 .. 99), 'unknown', undef, undef],
    ['no register', '-a 0', registers('GenuineIntel'), 'unknown', undef, undef],
    ['on any CPU', '', registers('GenuineIntel', 1 .. 99), 'unknown', undef, undef],
) {
    my ($name, $options, $files, $smis, @of_slices) = @$_;
    $report = is_well($name, $options, [], $files, { smis => $smis });
    is_deeply([map { $_->{smis} } @{ $report->{sets}{slices} }], \@of_slices, "$name: of the slices");
}

done_testing;
