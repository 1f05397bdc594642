# SPDX-License-Identifier: GPL-2.0-or-later
# Work that the kernel defers: what is needed to request it. tests/machine has what the kernel then does.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use POSIX qw(:errno_h);
use Program;
use RunCommand qw(run);
use Test::More;

my @SOURCES = qw(workqueue:global workqueue:unbound workqueue:private tasklet kthread);
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

for my $source (@SOURCES) {
    my ($status, $out, $err) = run(fake_root(@NAMES), program('-s', $source, qw(-P other --explain -n 5 -o -)));
    is("$status $out", '1 ', "--explain is refused for $source");
    like($err, qr/^realfeel: --explain: --source=$source measures the kernel's work, .*; leave --explain out$/m, 'and why');
}

done_testing;
