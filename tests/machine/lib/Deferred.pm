# SPDX-License-Identifier: GPL-2.0-or-later
# Work that the kernel defers: each request has a pair of records, and nothing is left, whichever process is killed and when.
package Deferred;
use strict;
use warnings;

use FakeRoot;
use HostKernel qw(lacking without);
use Program;
use Report qw(faults parse_parts parse_report);
use RunCommand qw(contents finish run start wait_until);
use RunEnd;
use Time::HiRes qw(sleep);
use Tries;

use constant KDGKBLED => 0x4b64;

my @CPUS = allowed_cpus();
my $CPU  = $CPUS[0];

# What the kernel must have for each.
my %NEEDS = (
    'workqueue:global'  => sub { lacking('queues', 'aio') || without(function => 'aio_fsync_work') },
    'workqueue:unbound' => sub { lacking('queues') || without(file => '/dev/ptmx') || without(function => 'flush_to_ldisc') },
    'workqueue:private' => sub {
        lacking('queues', 'aio') || without(file => '/dev/loop-control') || without(function => 'loop_rootcg_workfn', 'loop_workfn');
    },
    tasklet => sub { without(file => '/dev/tty0') || without(function => 'kbd_bh') },
    kthread => sub { lacking('uring') },
);
my @SOURCES = sort keys %NEEDS;

sub properties {
    return (
        { name => 'deferred work in pairs of records', cases => [map { case($_, \&measured) } @SOURCES] },
        { name => 'deferred work, killed',             cases => [map { case($_, \&killed) } @SOURCES] },
        { name => 'deferred work for several meters',  cases => [
            (map { case($_, \&forty, 'forty meters of ') } grep { /workqueue/ } @SOURCES),
            (map { case($_, \&shared, 'events shared by meters of ') } grep { /unbound|private/ } @SOURCES),
        ] },
    );
}

sub case {
    my ($source, $try, $what) = @_;
    return { name => ($what // '') . $source, try => sub { $try->($source, @_) },
        lacks => sub { $try == \&shared && @CPUS < 2 ? 'one CPU only' : lacking(qw(real-time memory perf)) || $NEEDS{$source}->() } };
}

# Each meter matches its own requests only. There is one keyboard.
sub measured {
    my ($source) = @_;
    my @cpus = @CPUS > 1 && $source ne 'tasklet' ? @CPUS[0, 1] : $CPU;
    my ($status, $out, $err) = run(program('-s', $source, '-a', join(',', @cpus), qw(-q -n 30 -o -)));
    my @parts = parse_parts($out);
    return (
        differs('exit status', "$status $err", '0 '),
        differs('pairs', join(', ', map { "$_->{source} on CPU $_->{cpu}: $_->{matched}" } @parts),
            join(', ', map { "$source on CPU $_: 30" } @cpus)),
        (map { faults($_) } @parts),
        (map { not_within('unmatched', $_->{unmatched}, undef, 5) } @parts),
        (map { not_within('shortest wake-up in ns', $_->{wakeup_min_ns}, 1) } @parts),
    );
}

# What each meter takes of the kernel's limits leaves enough for the others.
sub forty {
    my ($source) = @_;
    my ($status, $out, $err) = run(fake_root(CPUS => 40), program('-s', $source, qw(-a 0-39 -q -n 3 -f 50 -o -)));
    return (differs('exit status', "$status $err", '0 '),
        differs('pairs', join(' ', map { $_->{matched} } parse_parts($out)), join ' ', (3) x 40));
}

sub events_of {
    my ($pid) = @_;
    return scalar grep { (readlink // '') =~ /perf_event/ } glob "/proc/$pid/fd/*";
}

# All meters share one event for each CPU, and have one more for what they queue, and where perf counts SMIs another.
sub shared {
    my ($source) = @_;
    my $run = start(program('-s', $source, '-a', join(',', @CPUS[0, 1]), qw(-q -F -o report)));
    wait_until(sub { has_begun($run->{pid}, 2) });
    my (undef, @meters) = children($run->{pid});
    wait_for_samples($run, 1, 1);
    my ($common, @of_meter) = map { events_of($_) } $run->{pid}, @meters;
    kill INT => $run->{pid};
    finish($run);
    my $own = -e '/sys/bus/event_source/devices/msr/events/smi' ? 2 : 1;
    return (not_within('events of the keeper', $common, 2),
        differs('events of the meters', "@of_meter", join ' ', ($common + $own) x 2));
}

# Of three tries all processes are killed in one, within the first half second, and in the others the meter or the keeper.
sub killed {
    my ($source, $number) = @_;
    my $lights = lights();
    unlink 'report';
    my $run = start(program('-s', $source, '-a', $CPU, qw(-q -f 500 -o report)));
    my @faults = $number % 3 ? killed_one($source, $run, $number % 3 == 1) : killed_all($run, 0.02 + 0.08 * $number);
    wait_until(sub { !processes($run) });
    wait_until(sub { !loops_left() });
    return (@faults, differs('the lights of the keyboard', lights(), $lights));
}

sub killed_all {
    my ($run, $after_s) = @_;
    sleep $after_s;
    wait_until(sub { kill KILL => -$run->{pid} });    # a command that was delayed has no process group yet
    finish($run);
    return;
}

sub killed_one {
    my ($source, $run, $is_meter) = @_;
    wait_for_sample($run, 'report');
    my ($standby, $meter) = children($run->{pid});
    my $loops = () = loops_of($run->{pid}, $standby, $meter);
    my @threads = map { m{(\d+)\z} } glob "/proc/$meter/task/*";
    kill KILL => $is_meter ? $meter : $run->{pid};
    finish($run);
    wait_until(sub { !grep { -e "/proc/$_" } $meter, $standby });
    my $report = parse_report(contents('report'));
    my $is_told = $report->{verdict} =~ /the measuring process was killed/ ? 1 : 0;
    return (
        faults($report),
        differs('loop devices', $loops, $source =~ /private/ ? 1 : 0),
        differs('threads left', scalar(grep { -e "/proc/$_" } @threads), 0),
        differs('status', $report->{status}, 'interrupted'),
        differs('the verdict says that the meter was killed', $is_told, $is_meter ? 1 : 0),
    );
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

# Their state.
sub lights {
    my $flags = "\0";
    open my $console, '<', '/dev/tty0' or return '';
    ioctl $console, KDGKBLED, $flags;
    return unpack 'C', $flags;
}

1;
