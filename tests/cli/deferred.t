# SPDX-License-Identifier: GPL-2.0-or-later
# Work that the kernel defers: what is needed to request it, and that nothing of it is left, whichever process is killed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use POSIX qw(:errno_h);
use Program;
use Report;
use RunCommand qw(run contents finish start wait_until);
use RunEnd;
use Test::More;
use Time::HiRes qw(sleep);

my @SOURCES = qw(workqueue:global workqueue:unbound workqueue:private tasklet kthread);
my @CPUS    = allowed_cpus();
my %FUNCTION = ('workqueue:global' => 'aio_fsync_work', 'workqueue:unbound' => 'flush_to_ldisc', tasklet => 'kbd_bh',
    'workqueue:private' => 'loop_workfn');

# The source, what differs on the machine, the exit status, and the message.
my @TRACEFS = ('/sys/kernel/tracing' => undef, '/sys/kernel/debug/tracing' => undef);
my @NAMES   = ('/proc/kallsyms' => join "\n", map { "ffffffff81000010 t $_" } values %FUNCTION);
my @REFUSED = (
    ['workqueue', {'/proc/kallsyms' => '0000000000000000 t aio_fsync_work'}, 1,
        q{name the kernel's functions: their addresses are hidden; run as root with sysctl kernel.kptr_restrict=1}],
    ['tasklet', {'/proc/kallsyms' => 'ffffffff81000010 t another'}, 4,
        'the kernel has no kbd_bh; use a kernel that has CONFIG_VT, outside containers'],
    ['workqueue', {@NAMES, aio_errno => ENOSYS}, 4, 'io_setup: Function not implemented; use a kernel that has CONFIG_AIO'],
    ['workqueue', {@NAMES, aio_errno => EAGAIN}, 1, 'io_setup: Resource temporarily unavailable; raise fs.aio-max-nr, or .*'],
    ['workqueue:unbound', {@NAMES, '/dev/ptmx' => 'a file'}, 1, 'open a pseudo-terminal at /dev/ptmx: .*; mount devpts, or .*'],
    ['workqueue:private', {'/proc/kallsyms' => 'ffffffff81000010 t another'}, 4,
        'the kernel has no loop_rootcg_workfn; modprobe loop, outside containers, on Linux 5.14 or newer'],
    ['workqueue:private', {@NAMES, '/dev/loop-control' => 'a file'}, 1, 'open a loop device: .*; run as root, or raise fs.aio-max-nr'],
    ['tasklet', {@NAMES, '/dev/tty0' => 'a file'}, 1, 'the keyboard lights of /dev/tty0: .*; run as root'],
    ['kthread', {uring_errno => ENOSYS}, 4,
        'open an io_uring that polls: Function not implemented; use a kernel that has CONFIG_IO_URING'],
    ['kthread', {uring_errno => EPERM}, 1,
        'open an io_uring that polls: Operation not permitted; run as root with kernel.io_uring_disabled=0, .*'],
    ['workqueue', {@NAMES, @TRACEFS, tracefs_errno => ENODEV}, 4, 'the kernel has no tracefs; use one that has CONFIG_EVENT_TRACING'],
    ['workqueue', {@NAMES, @TRACEFS, tracefs_errno => ENOSYS}, 1, 'mount tracefs: .*; mount -t tracefs tracefs /sys/kernel/tracing'],
    ['workqueue', {@NAMES, '/sys/kernel/tracing/events' => undef}, 4, 'the kernel has no tracepoint workqueue/workqueue_queue_work; .*'],
);

sub refused {
    my ($source, $machine, $status, $line) = @_;
    my ($got, $out, $err) = run(fake_root(%$machine), program('-s', $source, qw(-P other -q -n 5 -o -)));
    is("$got $out", "$status ", 'nothing is measured');
    like($err, qr/\A(?:realfeel: lock memory.*\n)?realfeel: --source=$source(?::global)?: $line\n\z/, 'it is said why');
}

# Returns why the source is refused here, or ''.
sub refusal {
    my ($source) = @_;
    my ($status, undef, $err) = run(program('-s', $source, '-a', $CPUS[0], qw(-q -n 1 -o -)));
    return $status == 0 || $status == 2 ? '' : "--source=$source is refused here: $err" =~ s/\n.*//sr;
}

sub measures {
    my ($source) = @_;
    my ($status, $out, $err) = run(program('-s', $source, '-a', $CPUS[0], qw(-q -n 30 -o -)));
    is("$status $err", '0 ', 'it is measured');
    my $report = whole_report($out);
    is("$report->{samples} $report->{matched}", '30 30', 'by pairs of records');
    is($report->{source}, $source, 'the report names the source');
    cmp_ok($report->{unmatched}, '<=', 5, 'of which hardly any is missing');
    cmp_ok($report->{wakeup_min_ns}, '>', 0, 'the work is done after it was queued');
}

# Each meter matches its own requests only.
sub measures_several {
    my ($source) = @_;
    my ($status, $out, $err) = run(program('-s', $source, '-a', join(',', @CPUS[0, 1]), qw(-q -n 30 -o -)));
    is("$status $err", '0 ', 'on two CPUs');
    is_deeply([map { "$_->{cpu} $_->{matched}" } whole_parts($out)], [map { "$_ 30" } @CPUS[0, 1]], 'each has its pairs');
}

# The loop devices that these processes have open.
sub loops_of {
    my %open = map { $_ => 1 } grep { m{^/dev/loop\d+\z} } map { readlink // '' } map { glob "/proc/$_/fd/*" } @_;
    return keys %open;
}

# Those of runs that no process has open. Each disappears soon after its last descriptor is closed; another run has its own.
sub loops_left {
    my @of_runs = grep { (eval { contents("/sys/block/$_/loop/backing_file") } // '') =~ /realfeel/ }
        map { m{(loop\d+)/loop\z} } glob '/sys/block/loop*/loop';
    my %open = map { $_ => 1 } @of_runs ? loops_of('[0-9]*') : ();
    return grep { !$open{"/dev/$_"} } @of_runs;
}

# What each meter takes of the kernel's limits leaves enough for forty. Here these share the CPUs.
sub measures_many {
    my ($source) = @_;
    my ($status, $out, $err) = run(fake_root(CPUS => 40), program('-s', $source, qw(-a 0-39 -q -n 3 -f 10 -o -)));
    is("$status $err", '0 ', 'on forty CPUs');
    is_deeply([map { $_->{matched} } whole_parts($out)], [(3) x 40], 'each has its pairs');
}

# How many perf events a process has open.
sub events_of {
    my ($pid) = @_;
    return scalar grep { (readlink // '') =~ /perf_event/ } glob "/proc/$pid/fd/*";
}

# Where work is executed on any CPU, all meters share one event for each CPU, and each has one more for what it queues, and
# where perf counts SMIs, another for these.
sub records_together {
    my ($source) = @_;
    my $run = start(program('-s', $source, '-a', join(',', @CPUS[0, 1]), qw(-q -d 1h -o report)));
    wait_until(sub { has_begun($run->{pid}, 2) });
    my (undef, @meters) = children($run->{pid});
    wait_for_samples($run, 1, 1);
    my $common = events_of($run->{pid});
    my $own = -e '/sys/bus/event_source/devices/msr/events/smi' ? 2 : 1;
    cmp_ok($common, '>=', 2, 'the keeper has one of each CPU open');
    is_deeply([map { events_of($_) } @meters], [($common + $own) x 2], "and each meter $own more");
    kill INT => $run->{pid};
    finish($run);
    unlink 'report';
}

# Which process is killed, and what the verdict says. A run holds nothing of the kernel's but open files and threads of its
# processes: when these are gone, nothing is left. On a busy machine the meter may be late.
my %KILLED = (
    meter  => qr/the measuring process was killed/,
    keeper => qr/^(?!.*the measuring process(?! was(?: \d+\.\d ms)? late))/,
);

sub survives {
    my ($source, $whom) = @_;
    my $run = start(program('-s', $source, '-a', $CPUS[0], qw(-q -o), "$source-$whom"));
    wait_until(sub { has_begun($run->{pid}) });
    my ($standby, $meter) = children($run->{pid});
    wait_until(sub { kill USR1 => $run->{pid}; sleep 0.1; -e "$source-$whom" });
    is(scalar loops_of($run->{pid}, $standby, $meter), $source =~ /private/ ? 1 : 0, 'loop devices');
    my @threads = map { m{(\d+)\z} } glob "/proc/$meter/task/*";
    kill KILL => $whom eq 'meter' ? $meter : $run->{pid};
    finish($run);
    wait_until(sub { !grep { -e "/proc/$_" } $meter, $standby });
    is_deeply([grep { -e "/proc/$_" } @threads], [], 'no thread is left');
    wait_until(sub { !loops_left() });
    my $report = whole_report(contents("$source-$whom"));
    is($report->{status}, 'interrupted', "the $whom is killed");
    like($report->{verdict}, $KILLED{$whom}, 'the verdict');
    cmp_ok($report->{samples}, '>', 0, 'what was measured is kept');
}

# The state of the keyboard's lights.
sub lights {
    my $flags = "\0";
    open my $console, '<', '/dev/tty0' or return '';
    ioctl $console, 0x4b64, $flags;    # KDGKBLED
    return unpack 'C', $flags;
}

# All processes are killed at once, while they open what they need, and later.
sub leaves_nothing {
    my ($source) = @_;
    my $lights = lights();
    for my $after_s (0.02, 0.05, 0.1, 0.2, 0.4) {
        my $run = start(program('-s', $source, '-a', $CPUS[0], qw(-q -f 500 -o -)));
        sleep $after_s;
        wait_until(sub { kill KILL => -$run->{pid} });    # a command that was delayed has no process group yet
        finish($run);
        is_over($run);
    }
    wait_until(sub { !loops_left() });
    is(lights(), $lights, 'the lights are as they were');
}

workspace();

for (@REFUSED) {
    my @refused = @$_;
    subtest "$refused[0]: $refused[3]" => \&refused, @refused;
}

subtest 'what does not go together' => sub {
    my $of_all = 'one of auto, .*, workqueue\[:global\|unbound\|private\], tasklet, kthread, task\[:ID\|NAME\]';
    my @WRONG = (
        [[qw(-s workqueue:other)],   "--source=workqueue:other: unknown; $of_all"],
        [[qw(-s work)],              "--source=work: unknown; $of_all"],
        [[qw(-s kthread -f 2048)],   '--frequency=2048: --source=kthread takes 1 to 1000 Hz; .*'],
        [[qw(-s kthread -D /dev/x)], '--device=/dev/x: --source=kthread has no device; leave one of the two out'],
        [['-s', 'tasklet', '-a', '0,1'], '--source=tasklet: only one process may have it, and 2 CPUs need one each; .*'],
    );
    for (@WRONG) {
        my ($options, $line) = @$_;
        my ($status, undef, $err) = run(fake_root(cpus => 2), program(@$options, qw(-P other -n 5 -o -)));
        is($status, 1, "@$options");
        like($err, qr/^realfeel: $line$/m, 'why');
    }
};

subtest 'in a PID namespace' => sub {
    my @inside = qw(unshare --pid --fork --mount-proc);
    plan skip_all => refusal('workqueue') if refusal('workqueue');
    plan skip_all => 'no right to a PID namespace: run as root' if (run(@inside, 'true'))[0];
    my ($status, undef, $err) = run(@inside, program(qw(-s workqueue -n 5 -o - -a), $CPUS[0]));
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: --source=workqueue:global: in this PID namespace .*; run outside it, .*\n\z/, 'it is said why');
};

for my $source (@SOURCES) {
    my $refusal = refusal($source);
    subtest $source => sub {
        plan skip_all => $refusal if $refusal;
        measures($source);
        measures_several($source) if @CPUS > 1 && $source ne 'tasklet';
        records_together($source) if @CPUS > 1 && $source =~ /unbound|private/;
        measures_many($source) if $source !~ /tasklet|kthread/;
        survives($source, $_) for qw(meter keeper);
        leaves_nothing($source);
        my ($status, undef, $err) = run(program('-s', $source, '-a', $CPUS[0], qw(--explain -n 5 -o -)));
        is($status, 1, '--explain is refused');
        like($err, qr/^realfeel: --explain: --source=$source measures the kernel's work, .*; leave --explain out$/m, 'and why');
    };
}

done_testing;
