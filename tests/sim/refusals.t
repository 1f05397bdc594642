# SPDX-License-Identifier: GPL-2.0-or-later
# What cannot be had is refused before anything is measured: a line for each thing names it, the reason and the remedy. --check
# lists the same lines, and with --best-effort the run does without what it may lack.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX qw(mkfifo);
use RunCommand qw(file_of);
use Sim;
use Test::More;

sub make_files {
    file_of($_, '') for qw(plain program);
    chmod 0755, 'program' or die $!;
    mkdir 'directory' or die $!;
    mkfifo('fifo', 0600) or die $!;
    symlink 'nothing', 'dangling' or die $!;
}

# What is given is lines of a script, files of the machine, or both: the two.
sub given { return ref $_[0] eq 'ARRAY' ? @{ $_[0] } : ref $_[0] ? ('', $_[0]) : ($_[0], {}) }

sub run_of {
    my ($options, $given) = @_;
    my ($script, $files) = given($given);
    return simulate(['-n', 1, ref $options ? @$options : split ' ', $options], script => [split /; /, $script], files => $files,
        prepare => \&make_files);
}

sub name_of {
    my ($options, $given) = @_;
    my ($script, $files) = given($given);
    my @machine = ($script || (), map { "$_ " . (ref $files->{$_} ? ${ $files->{$_} } : $files->{$_} // 'folder') } sort keys %$files);
    return (sprintf '%.60s%s', ref $options ? "@$options" : $options || 'no option', @machine ? ', where ' . join '; ', @machine : '')
        =~ s/\n/\\n/gr;
}

# One test: these lines, and exit status 1 unless another one stands before them.
sub refused {
    my ($options, $given, @lines) = @_;
    unshift @lines, 'exit 1' if $lines[0] !~ /^exit/;
    my $run = run_of($options, $given);
    is_deeply([outcome($run), faults_of($run), $run->{out}], [@lines, ''], name_of($options, $given)) or diag $run->{err};
}

my $WHOLE   = 'not a whole number; give digits only';
my $RATE    = 'out of range; give 0 to 4294967294';
my $UNIT    = 'has none of the units ns, us, ms, s, m, h and d; give one, as in 250us';
my $TIME    = 'not a time; give a number and a unit, as in 250us or 12h';
my $SOON    = 'must be more than 0, as in 150us';
my $SHARE   = 'the percentage is not from 50 to below 100; give one, as in 100us@99.999, or leave it out';
my $SOURCES = 'unknown; use one of auto, rtc, nanosleep, timerfd, alsa, thread, ring, workqueue[:global|unbound|private], tasklet, '
    . 'kthread, task:ID|NAME';
my $CPUS    = 'not a list of CPUs; give numbers and ranges, as in 0-3,6, or all';
my $TASK    = '--source=task: name a thread or process, by its number or name, as in --source=task:1234';
my $NO_TASK = 'there is no such thread; name one that ps -eL lists, by its LWP or its CMD';
my $NO_RING = 'is not a ring; use --source=ring, or leave it out';
my $OTHER   = 'use --source=nanosleep';
my $FOLDER  = 'name another file, in a folder that exists and is yours, with --output';
my $MISSING = "No such file or directory; $FOLDER";

# Options, and the lines. Most of them stand for the option in the row.
refused($_->[0], '', @$_[1 .. $#$_]) for (
    (map { ["-f $_", "--frequency=$_: $RATE"] } -5, '9' x 20),
    (map { [['-f', $_], "--frequency=$_: $WHOLE"] } '3x', ''),
    ['-s nanosleep -f 0', '--frequency=0: --source=nanosleep takes 1 to 100000 Hz'],
    (map { ["-s $_ -P other -f 100001", "--frequency=100001: --source=$_ takes 1 to 100000 Hz"] } qw(timerfd thread)),
    ['-s alsa -f 1001', "--frequency=1001: --source=alsa takes 1 to 1000 Hz; $OTHER for more"],
    ['-s kthread -f 2048', "--frequency=2048: --source=kthread takes 1 to 1000 Hz; $OTHER for more"],
    (map { ["-s $_ -f 100", "--frequency=100: --source=$_ has no rate; leave it out"] } qw(ring task:1)),
    (map { ["-n $_", "--samples=$_: out of range; give 1 to 9223372036854775807"] } qw(0 -5), '9' x 20),
    ['-n +5', "--samples=+5: $WHOLE"],
    ['-d 5', "--duration=5: $UNIT"],
    ['-d 0s', '--duration=0s: must be more than 0, as in 10s'],
    (map { ["-d $_", "--duration=$_: $TIME"] } qw(1e3s -5s nonsense)),
    ['-d 9999999h', '--duration=9999999h: too long; give at most 292 years'],
    ['--dma-latency=5', "--dma-latency=5: $UNIT"],
    ['--dma-latency=2148s', '--dma-latency=2148s: too long; give at most 2147s'],
    (map { ["--dma-latency=$_", "--dma-latency=$_: $TIME"] } 'abc', '-5us', '>', ''),
    (map { ["--$_=0us", "--$_=0us: $SOON"] } qw(max break)),
    ['--max=100', "--max=100: $UNIT"],
    (map { ["--max=$_", "--max=$_: what follows \@ is not a percentage; give one, as in 100us\@99.999"] } '100us@', '100us@99.9%'),
    (map { ["--max=$_", "--max=$_: $SHARE"] } '100us@100', '100us@0', '100us@0.9999', '100us@49.9'),
    (map { ["-s $_", "--source=$_: $SOURCES"] } qw(foo work workqueue:other)),
    ['--clock=foo', '--clock=foo: unknown; use one of auto, monotonic, tsc'],
    (map { ["--policy=$_", "--policy=$_: unknown; use one of fifo, rr, other"] } qw(foo batch)),
    ['-P other -p 3', '--priority=3: --policy=other has none; leave it out'],
    ['-s ring -p 5', '--priority=5: --policy=other has none; leave it out'],
    (map { ["-p $_", "--priority=$_: out of range; give 1 to 99"] } 0, 100),
    ['-s thread -p 99', '--priority=99: the waker needs a higher one, and there is none; use 98 or less'],
    (map { ["-a $_", "--cpu=$_: out of range; give 0 to 1023"] } qw(9999 99999 0-1024)),
    (map { [['-a', $_], "--cpu=$_: $CPUS"] } '0-', ',', 'all,1', ''),
    ['--label -- -a --', "--cpu=--: $CPUS"],
    ['-a 3-1', '--cpu=3-1: a range ends before it begins; give the lower number first, as in 0-3'],
    ['--aligned', '--aligned: no CPUs are given; give --cpu, as in --cpu=all'],
    (map { ["$_ --aligned", '--aligned: --source=' . (split)[1] . ' has no schedule; leave it out'] } '-s ring -a 1', '-s task:1'),
    ['-s tasklet -a 0,1', "--source=tasklet: only one process can open it, but 2 CPUs need a process each; $OTHER, or name one CPU"],
    ['-s ring --explain', '--explain: --source=ring measures several processes, not one; leave it out'],
    (map { ["-s $_ --explain", "--explain: --source=$_ measures the kernel's work, not a wake-up; leave it out"] }
        qw(workqueue tasklet kthread)),
    (map { ["-s thread --waker=$_", "--waker=$_: $WHOLE"] } 'x', '0,1'),
    ['-s nanosleep --waker=0', '--waker=0: --source=nanosleep has no waker; use --source=thread, or leave --waker out'],
    (map { ["-s ring --processes=$_", "--processes=$_: out of range; give 2 to 256"] } qw(1 257 -2)),
    ['-s ring --processes=2k', "--processes=2k: $WHOLE"],
    (map { ["-s ring --array=$_", "--array=$_: not a size; give a multiple of 4 up to 16384k"] } '',
        qw(k 16K 16m 1kk 2 -4 16385k 16777220 18446744073709551616 18014398509481984k)),
    (map { ["-s ring $_", "$_: a list, but a run measures one ring; run once for each"] } '--processes=2,8', '--array=0,16k'),
    ['-s nanosleep --processes=2', "--processes: --source=nanosleep $NO_RING"],
    ['-s auto --array=0', "--array: --source=auto $NO_RING"],
    (map { ["-s $_", $TASK] } qw(task task:), 'task -- true'),
    (map { [['-s', "task:$_"], 'exit 4', "--source=task:$_: $NO_TASK"] } 'no such name', 2 ** 22 + 1),
    ['-s nanosleep --threads=1',
        '--threads=1: --source=nanosleep does not measure threads of another program; use --source=task, or --cpu for each CPU'],
    ['-s task:1 -a 0', '--cpu: --source=task:1 follows the thread to any CPU; leave --cpu out'],
    (map { ["--$_->[0]", "--$_->[0]: unknown; use $_->[1]"] } ['check=3', 'rt'], ['explain=all', 'one of parts, blame, stacks']),
    (map { ["-s $_ -D plain", "--device=plain: --source=$_ has no device; leave one of the two out"] } qw(timerfd thread kthread ring)),
    (map { ["$_ -D missing", 'exit 4', "open missing: No such file or directory; $OTHER"] } '-s auto', '-s alsa'),
    (map { ["-s alsa -D $_", "$_: it is not a timer of the sound system; $OTHER"] } qw(plain directory fifo)),
    (map { ["-D $_", "$_ is not an RTC with a periodic interrupt: Inappropriate ioctl for device; name one with --device"] }
        qw(/dev/null plain directory fifo)),
    (map { ["$_ extra", 'extra: unexpected; a load goes after --, and a report to realfeel-analyze'] } '-F', '-o --'),
    (map { [$_, "no command after --; give a load, or leave out --"] } '-F --', '-o -- --'),
    ['--label=', '--label=: empty; give a text, or leave it out'],
    [['-o', ''], '--output=: the name is empty; name another'],
    ['-o plain', '--output=plain: exists; name another, or overwrite it with --force'],
    ['-o dangling', '--output=dangling: is a link that leads nowhere; name a file'],
    (map { ["$_ directory", '--output=directory: is a directory; name a file in it'] } '-o', '-F -o'),
    (map { ["-o $_", "--output=$_: the name is too long; name another"] } 'x' x 300),
    (map { ["-o $_", "write $_: $MISSING"] } qw(nowhere/report report/)),
    [['-o', "two\nlines/report"], "write two\\x0alines/report: $MISSING"],
    ['-o program/report', "write program/report: Not a directory; $FOLDER"],
    ['--load=nope', '--load=nope: no load or file has that name; --load=list lists the loads, or give a stress-ng job file'],
    ['--load=plain -- true', 'true: --load=plain is already the load; leave one out'],
    ['-o directory -c foo -s timerfd -D plain', '--output=directory: is a directory; name a file in it',
        '--clock=foo: unknown; use one of auto, monotonic, tsc',
        '--device=plain: --source=timerfd has no device; leave one of the two out'],
);

# What helps whoever lacks a capability.
sub root { return $> ? 'run as root' : "run it with CAP_$_[0], which root lacks here" }

my $RTC     = 'set rtc /dev/rtc0';
my $BUSY    = 'open /dev/rtc0: Device or resource busy; end the program that has it open: fuser -v /dev/rtc0';
my $NO_RATE = "$RTC; keeper:ioctl:2 EACCES";
my $USERS   = '/sys/class/rtc/rtc0/max_user_freq';
my $POOR    = 'set capabilities 0; set limit rtprio 0';
my $DENIED  = 'any:sched_setscheduler:1+ EPERM';
my $FIXED   = 'set limit memlock 65536; any:mlockall:1+ ENOMEM';
my $BEST    = ', or use --best-effort';
my $TAKE = "take SCHED_FIFO 95: Operation not permitted; @{[root('SYS_NICE')]}, or raise the rtprio limit (ulimit -r, now 0) to 95$BEST";
my $LOCK    = "lock memory: Cannot allocate memory; raise the limit (ulimit -l, now 64 kB) to 8192 kB$BEST";
my $FILTER  = "look for a seccomp filter or a security module, such as a container's$BEST";
my $BIND    = 'bind to CPU 9: Invalid argument:';
my $CPU     = '/sys/devices/system/cpu';
my $BOX     = '/sys/fs/cgroup/cpu';
my $RUNTIME = "the control group /box has no real-time runtime; write one, such as 100000, to";
my $PARENTS = "and to the same file of each parent group, or start in another group$BEST";

# A control group of version 1, whose real-time processes may run so many of each 1000000 us; and one of version 2.
sub box {
    my ($runtime_us, $folder) = @_;
    return { '/proc/self/cgroup' => "3:memory:/\n2:cpu,cpuacct:/box\n1:cpuset:/\n0::/",
        '/proc/self/mounts' => "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\ncgroup $BOX cgroup rw,cpu,cpuacct 0 0",
        "$folder/cpu.rt_runtime_us" => $runtime_us, "$folder/cpu.rt_period_us" => 1000000 };
}

my $SLICE = { '/proc/self/cgroup' => '0::/user.slice/a', '/proc/self/mounts' => 'cgroup2 /cg cgroup2 rw,nosuid,nsdelegate 0 0' };
sub throttled { return "warning: throttling: real-time processes may run 0 of each 1000000 us, and measuring at 2048 Hz alone "
    . "takes about 10240; echo 950000 >$_[0]/cpu.rt_runtime_us" }

# The same for what a look at the machine finds. --check lists the lines, and with --best-effort the run goes on if each line
# says that it may: the report or a warning has the reasons.
sub found {
    my ($area, $options, $given, @lines) = @_;
    refused($options, $given, @lines);
    my $name = name_of($options, $given);
    my @found = map { /^warning/ ? () : s/^--explain: //r } $lines[0] =~ /^exit/ ? () : 'exit 1', @lines;
    my $run = run_of("--check $options", $given);
    is_deeply(["exit $run->{status}", $run->{out} =~ /^$area: (.*)$/mg], \@found, "--check, $name");
    return if grep { !/^exit|\Q$BEST\E$/ } @found;
    $run = run_of("-o report --best-effort $options", $given);
    my $said = join '', $run->{err}, ($run->{report} // '') =~ /^# (?:verdict|explain): (.*\n)/mg;
    my @reasons = map { /^([^:;]+(?:: [^:;]+)?)/ ? ($area eq 'explain' && 'without --explain: ') . $1 : () } @found[1 .. $#found];
    is_deeply(["exit $run->{status}", grep { index($said, $_) < 0 } @reasons], ['exit 0'], "--best-effort, $name");
}

found('source', @$_) for (
    ['-s rtc', '', 'exit 4', "open /dev/rtc0: No such file or directory; $OTHER"],
    ['-s rtc', "$RTC; keeper:rtc_open:1 ENODEV", 'exit 4', "open /dev/rtc0: No such device; $OTHER"],
    ['-s rtc', "$RTC; keeper:rtc_open:1 EBUSY", $BUSY],
    ['-s rtc', "$RTC; keeper:rtc_open:1 EACCES", "open /dev/rtc0: Permission denied; run as root or as a member of the file's group"],
    ['-s rtc', "$RTC; keeper:rtc_open:1 EIO", "open /dev/rtc0: Input/output error; name another with --device, or $OTHER"],
    ['-s rtc', $NO_RATE, "set 2048 Hz on /dev/rtc0: Permission denied; @{[root('SYS_RESOURCE')]}, or raise $USERS to 2048"],
    ['-s rtc', [$NO_RATE, { $USERS => 64 }],
        "set 2048 Hz on /dev/rtc0: Permission denied; @{[root('SYS_RESOURCE')]}, or raise $USERS (now 64) to 2048"],
    ['-s rtc', [$NO_RATE, { '/proc/self/ns/user' => '' }], 'set 2048 Hz on /dev/rtc0: Permission denied; run it outside this '
        . "container, whose root has no CAP_SYS_RESOURCE on the host, or raise $USERS to 2048"],
    ['-s rtc', ["$RTC; set capabilities 0; keeper:rtc_open:1 EBUSY", { $USERS => 64 }],
        $BUSY, "set 2048 Hz on /dev/rtc0: Permission denied; @{[root('SYS_RESOURCE')]}, or raise $USERS (now 64) to 2048"],
    ['-s rtc -f 8192', $NO_RATE, "set 8192 Hz on /dev/rtc0: Permission denied; @{[root('SYS_RESOURCE')]}"],
    ['-s rtc -f 1000', "$RTC; keeper:ioctl:2 EINVAL",
        "set 1000 Hz on /dev/rtc0: Invalid argument; try another --frequency, or --source=nanosleep"],
    ['-s rtc -f 8193', $RTC, "--frequency=8193: --source=rtc takes 1 to 8192 Hz; $OTHER for more"],
    ['-s rtc -f 0', $RTC, '--frequency=0: --source=rtc takes 1 to 8192 Hz'],
);

found('rights', @$_) for (
    ['', "$FIXED; $POOR; $DENIED", $LOCK, $TAKE],
    ['-P other', $FIXED =~ s/65536/8388608/r, $LOCK =~ s/64 kB\) to 8192/8192 kB) to 16384/r],
    ['', "$POOR; $DENIED", $TAKE],
    ['', "set capabilities 0; set limit rtprio 94; $DENIED", $TAKE =~ s/now 0/now 94/r],
    ['-p 7', "$POOR; $DENIED", $TAKE =~ s/95/7/gr],
    ['-P rr', "$POOR; $DENIED", $TAKE =~ s/FIFO/RR/r],
    ['', ["$POOR; $DENIED", { '/proc/self/ns/user' => '' }], 'take SCHED_FIFO 95: Operation not permitted; run it outside this '
        . "container, whose root has no CAP_SYS_NICE on the host, or raise the rtprio limit (ulimit -r, now 0) to 95$BEST"],
    ['', $DENIED, "take SCHED_FIFO 95: Operation not permitted: neither a missing right nor the control group is the reason; $FILTER"],
    (map { ['', [$DENIED, box(0, $_)], "take SCHED_FIFO 95: Operation not permitted: $RUNTIME $_/cpu.rt_runtime_us $PARENTS",
        throttled($_)] } "$BOX/box", $BOX),
    ['', ["$POOR; $DENIED", box(0, "$BOX/box")], $TAKE,
        "take SCHED_FIFO 95: Operation not permitted: $RUNTIME $BOX/box/cpu.rt_runtime_us $PARENTS", throttled("$BOX/box")],
    ['', ["$POOR; $DENIED", box(950000, "$BOX/box")], $TAKE],
    ['', ["$POOR; $DENIED", { %{ box(0, "$BOX/box") }, '/proc/sys/kernel/sched_rt_runtime_us' => -1 }], $TAKE],
    ['', ["$POOR; $DENIED", $SLICE], $TAKE],
    ['', [$DENIED, $SLICE], 'take SCHED_FIFO 95: Operation not permitted: the control group /user.slice/a may be the reason: it is not '
        . "the root group; leave it (echo \$\$ >/cg/cgroup.procs), or boot a kernel with CONFIG_RT_GROUP_SCHED with rt_group_sched=0$BEST"],
    ['-a 9', '', "$BIND the machine has CPUs 0-3; name one that taskset -cp \$\$ lists$BEST"],
    ['-a 9', { "$CPU/present" => '0-9' }, "$BIND it is offline; switch it on (echo 1 >$CPU/cpu9/online), or name one of 0-3$BEST"],
    ['-a 9', { "$CPU/present" => '0-9', "$CPU/online" => '0-9' },
        "$BIND it is not in the cpuset of this process; name one that taskset -cp \$\$ lists$BEST"],
);
refused('-s thread --waker=9', '', "$BIND the machine has CPUs 0-3; name one that taskset -cp \$\$ lists$BEST");
refused('-s thread -P other', "$POOR; $DENIED", $TAKE =~ s/95/96/gr);
refused('', 'set limit stack 261120', 'the stack is limited to 255 kB; raise the limit (ulimit -s) to 256 kB or more');
refused('-a 9 -P foo -o nowhere/report', $FIXED, "write nowhere/report: $MISSING",
    "$BIND the machine has CPUs 0-3; name one that taskset -cp \$\$ lists$BEST", $LOCK,
    '--policy=foo: unknown; use one of fifo, rr, other');
refused('-s ring -c tsc', { '/proc/cpuinfo' => 'flags : constant_tsc nonstop_tsc' },
    '--clock=tsc: --source=ring stamps with CLOCK_MONOTONIC; leave --clock out');

my $LIMITED = 'raise the limit on open files (ulimit -n, now';
found('files', @$_) for (
    ['-s ring --processes=65', 'set limit nofile 193', "one process may have up to 194 files open; $LIMITED 193)"],
    ['-s nanosleep -a 0-15', 'set cpus 16; set limit nofile 143', "one process may have up to 144 files open; $LIMITED 143)"],
    ['-s ring --processes=256 -a 0-15', 'set cpus 16; set limit nofile 575', "one process may have up to 576 files open; $LIMITED 575)"],
);
refused('-s task:1 --explain', 'set limit nofile 244', "one process may have up to 245 files open; $LIMITED 244)",
    '--source=task:1: there is no such thread; name one that ps -eL lists, by its LWP or its CMD');

# Work that the kernel defers, and what requests it.
sub names { return ('/proc/kallsyms' => join "\n", map { "ffffffff81000010 t $_" } @_) }
my $TRACING = '/sys/kernel/tracing/events';
for my $row (
    ['workqueue:global', { '/proc/kallsyms' => '0000000000000000 t aio_fsync_work' },
        q{look up the kernel's functions: their addresses are hidden; run as root with sysctl kernel.kptr_restrict=1}],
    ['workqueue:global', '', 'exit 4', q{look up the kernel's functions: the kernel does not list them; use one that has CONFIG_KALLSYMS}],
    ['workqueue:global', ['any:io_setup:1+ ENOSYS', { names('aio_fsync_work') }],
        'exit 4', 'io_setup: Function not implemented; use a kernel that has CONFIG_AIO'],
    ['workqueue:global', ['any:io_setup:1+ EAGAIN', { names('aio_fsync_work') }], 'io_setup: Resource temporarily unavailable; raise '
        . q{fs.aio-max-nr, or look for a seccomp filter, such as a container's}],
    ['workqueue:global', ['any:fsopen:1+ ENODEV', { names('aio_fsync_work') }],
        'exit 4', 'the kernel has no tracefs; use one that has CONFIG_EVENT_TRACING'],
    ['workqueue:global', ['any:fsopen:1+ ENOSYS', { names('aio_fsync_work') }],
        'mount tracefs: Function not implemented; mount -t tracefs tracefs /sys/kernel/tracing'],
    ['workqueue:global', { names('aio_fsync_work'), $TRACING => undef },
        'exit 4', 'the kernel has no tracepoint workqueue/workqueue_queue_work; use one that has CONFIG_EVENT_TRACING'],
    ['workqueue:unbound', { names('flush_to_ldisc') }, 'exit 4', 'open a pseudo-terminal at /dev/ptmx: No such file or directory; use a '
        . 'kernel that has CONFIG_UNIX98_PTYS, and mount devpts'],
    ['workqueue:unbound', { names('flush_to_ldisc'), '/dev/ptmx' => '' },
        'open a pseudo-terminal at /dev/ptmx: Inappropriate ioctl for device; mount devpts, or raise kernel.pty.max'],
    ['workqueue:private', { names('another') },
        'exit 4', 'the kernel has no loop_rootcg_workfn; modprobe loop, outside containers, on Linux 5.14 or newer'],
    ['workqueue:private', { names('loop_workfn'), '/dev/loop-control' => '' },
        'open a loop device: Inappropriate ioctl for device; run as root, or raise fs.aio-max-nr'],
    ['tasklet', { names('another') }, 'exit 4', 'the kernel has no kbd_bh; use a kernel that has CONFIG_VT, outside containers'],
    ['tasklet', { names('kbd_bh'), '/dev/tty0' => '' },
        'the keyboard lights of /dev/tty0: Inappropriate ioctl for device; run as root'],
    ['kthread', '', 'exit 4', 'open an io_uring that polls: Function not implemented; use a kernel that has CONFIG_IO_URING'],
    ['kthread', 'any:io_uring_setup:1+ EPERM', 'open an io_uring that polls: Operation not permitted; run as root with '
        . 'kernel.io_uring_disabled=0, on Linux 5.12 or newer, outside containers'],
) {
    my ($source, $given, @lines) = @$row;
    found('source', "-s $source", $given, map { /^exit/ ? $_ : "--source=$source: $_" } @lines);
}

# --explain, and what records.
my $EVENT  = 'timer/hrtimer_expire_entry';
my @EVENT  = ("$TRACING/$EVENT/format" => "name: hrtimer_expire_entry\nID: 77");
my @LOCKED = ('/sys/kernel/security/lockdown' => 'none integrity [confidentiality]');
my $LOCKED = 'the kernel is locked down for confidentiality; boot it with lockdown=integrity';
my $ADMIN  = root('SYS_ADMIN');
my $OLD    = 'the kernel is too old for it; use Linux 4.8 or newer';
found('explain', "-s nanosleep -a 0 --explain$_->[0]", $_->[1], "--explain: $_->[2]$BEST") for (
    ['', { "$CPU/nohz_full" => '0-1' },
        'CPU 0 is one of nohz_full, whose timers expire elsewhere; measure another CPU, or boot without nohz_full'],
    ['', 'any:fsopen:1+ ENODEV', 'the kernel has no tracefs; use one that has CONFIG_EVENT_TRACING'],
    ['', '', 'mount tracefs: Function not implemented; mount -t tracefs tracefs /sys/kernel/tracing'],
    ['', 'any:fsopen:1+ EPERM', 'mount tracefs: Operation not permitted; ' . $FILTER =~ s/\Q$BEST//r],
    ['', 'set capabilities 0; any:fsopen:1+ EPERM', "mount tracefs: Operation not permitted; $ADMIN"],
    ['', ['any:fsopen:1+ EPERM', {@LOCKED}], "mount tracefs: $LOCKED"],
    ['', 'any:fsopen:1+ EMFILE', 'mount tracefs: Too many open files; raise the limit (ulimit -n)'],
    ['', 'any:fsopen:1+ ENOMEM', 'mount tracefs: Cannot allocate memory; free some memory'],
    ['', { $TRACING => undef }, "the kernel has no tracepoint $EVENT; use one that has CONFIG_EVENT_TRACING"],
    ['', {@EVENT}, "record $EVENT: the kernel has no performance events; use one that has CONFIG_PERF_EVENTS"],
    (map { ['', ["any:perf_event_open:1+ $_->[0]", {@EVENT}], "record $EVENT: $_->[1]"] }
        ['EACCES', 'Permission denied; ' . $FILTER =~ s/\Q$BEST//r], ['EINVAL', $OLD], ['E2BIG', $OLD],
        ['ENODEV', 'the CPU is offline; measure another CPU'],
        ['EAGAIN', 'too little memory may be locked; raise the limit (ulimit -l)'],
        ['EOVERFLOW', "kernel.perf_event_max_stack is less than 16; set it to 16, or use --explain=blame"],
        ['EMFILE', 'Too many open files; raise the limit (ulimit -n)']),
    ['', ['set capabilities 0; any:perf_event_open:1+ EACCES', { @EVENT, '/proc/sys/kernel/perf_event_paranoid' => 4 }],
        "record $EVENT with kernel.perf_event_paranoid=4: Permission denied; $ADMIN"],
    ['', ['any:perf_event_open:1+ EPERM', { @EVENT, @LOCKED }], "record $EVENT: $LOCKED"],
    ['=stacks', { '/proc/kallsyms' => '0000000000000000 T _text' },
        "look up the kernel's functions: their addresses are hidden; run as root with sysctl kernel.kptr_restrict=1, or use "
            . '--explain=blame'],
);
found('explain', "-s thread --explain $_->[0]", '',
    "--explain: the waker runs on CPU $_->[1], and only the CPU of the meter is recorded; leave --waker out$BEST") for (
    ['--waker=0', 0], ['-a 0 --waker=1', 1]);

found('load', "-- $_->[0]", '', "start $_->[0]: $_->[1]; name a program that can be run, after --") for (
    ['./nosuch', 'No such file or directory'], ['/', 'Permission denied'], ['./plain', 'Permission denied']);
done_testing;
