# SPDX-License-Identifier: GPL-2.0-or-later
# The ready experiments, on files like those of a machine: what changes, what is put back, and what is missing there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use Fcntl qw(LOCK_EX LOCK_NB LOCK_UN);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

use Realfeel::Try::Changes qw(listing measured_cpus names ready);
use RunCommand qw(contents file_of finish run start wait_until);

my $CPU = '/sys/devices/system/cpu';

# Each experiment: what its files say before, and with the change, on CPUs 1 and 2 of four.
my %FILES = (
    governor        => { map { ("$CPU/cpu$_/cpufreq/scaling_governor" => ['schedutil', 'performance']) } 1, 2 },
    'idle-states'   => { map { ("$CPU/cpu$_/power/pm_qos_resume_latency_us" => [$_ == 1 ? 0 : 20, 'n/a']) } 1, 2 },
    'preempt-full'  => { '/sys/kernel/debug/sched/preempt' => ['none (voluntary) full', 'full', 'voluntary'] },
    'rt-throttling' => { '/proc/sys/kernel/sched_rt_runtime_us' => [950_000, -1] },
    'fair-server'   => { map { ("/sys/kernel/debug/sched/fair_server/cpu$_/runtime" => [50_000_000, 0]) } 1, 2 },
    'irq-affinity'  => { map { ("/proc/irq/$_->[0]/smp_affinity_list" => $_->[1]) }
        [1, ['0', '0']], [8, ['0-3', '0,3']], [9, ['1', '0,3']], [24, ['0-3', '0,3']] },
    'workqueue-cpus'    => { '/sys/devices/virtual/workqueue/cpumask' => ['f', '9'] },
    'huge-pages'        => { '/sys/kernel/mm/transparent_hugepage/enabled' => ['always [madvise] never', 'never', 'madvise'] },
    'same-page-merging' => { '/sys/kernel/mm/ksm/run' => [1, 0] },
);

sub saved {
    my ($path, $text) = @_;
    make_path(dirname($path));
    file_of($path, $text);
}

sub machine {
    my $root = tempdir(CLEANUP => 1);
    saved("$root$CPU/online", "0-3\n");
    saved("$root$CPU/cpu$_/cpuidle/state1/name", "C1\n") for 0 .. 3;
    saved("$root/dev/cpu_dma_latency", pack 'l', 2_000_000_000);
    for my $files (values %FILES) { saved("$root$_", "$files->{$_}[0]\n") for keys %$files }
    return (root => $root, cpus => [1, 2]);
}

sub state_of { my ($root, $files) = @_; return { map { $_ => contents("$root$_") =~ s/\n\z//r } keys %$files } }

sub shell { my ($command) = @_; return run('sh', '-c', $command) }

for my $name (sort keys %FILES) {
    subtest $name => sub {
        my %here = machine();
        my %files = %{ $FILES{$name} };
        my $experiment = ready($name, %here);
        is($experiment->{lacking}, undef, 'the change can be made');
        like(ready($name, %here)->{lacking}, qr{\Aanother run has changed \Q$here{root}\E/\S+; wait until it ends\z},
            'a change is made by one run at a time');
        delete $experiment->{locks};
        is_deeply([shell($experiment->{change})], [0, '', ''], 'the change says nothing');
        is_deeply(state_of($here{root}, \%files), { map { $_ => $files{$_}[1] } keys %files }, 'the change is made');
        is(ready($name, %here)->{lacking}, $name eq 'irq-affinity' ? 'no interrupt comes to a measured CPU'
            : "it is $files{(sort keys %files)[0]}[1] already", 'a change that is made cannot be made again');
        my ($status, $shown) = shell($experiment->{show});
        is($status, 0, 'the change can be shown');
        is_deeply([grep { $shown !~ m{^\Q$here{root}$_:$files{$_}[1]\E$}m } grep { $files{$_}[0] ne $files{$_}[1] } keys %files], [],
            'each changed file is shown');
        is_deeply([shell($experiment->{undo})], [0, '', ''], 'what undoes it says nothing');
        is_deeply(state_of($here{root}, \%files), { map { $_ => $files{$_}[2] // $files{$_}[0] } keys %files },
            'the undo restores the former values');
        unlike($experiment->{$_}, qr/[{}\n]|ARRAY|HASH/, "$_ is one line") for qw(change undo show);
    };
}

subtest 'a limit that realfeel has set until it ends' => sub {
    my %here = machine();
    my $file = "$here{root}$CPU/cpu2/power/pm_qos_resume_latency_us";
    open my $realfeel, '+<', $file or die $!;
    flock $realfeel, LOCK_EX or die $!;
    is(ready('idle-states', %here)->{lacking}, "another run has changed $file; wait until it ends",
        'a limit that realfeel has set is not taken for the usual one');
    like(listing($here{root}, qw(realfeel -a 1-2)), qr/^idle-states: .*\n    not here  another run has changed /m,
        'the list says that another run has set a limit');
    flock $realfeel, LOCK_UN;
    my $experiment = ready('idle-states', %here);
    ok(defined $experiment->{change} && !flock($realfeel, LOCK_EX | LOCK_NB), 'realfeel finds a limit locked by an experiment');
    undef $experiment;
    ok(flock($realfeel, LOCK_EX | LOCK_NB), 'the lock of a limit ends with the experiment');
};

subtest 'what can be done by options' => sub {
    my %here = machine();
    my $experiment = ready('dma-latency', %here);
    is_deeply([@$experiment{qw(always options change undo)}], [['--dma-latency=off'], ['--dma-latency=0'], undef, undef],
        'an option makes the change');
    like((shell($experiment->{show}))[1], qr/^ *2000000000$/, 'what was is shown');
    is_deeply(ready('idle-states', %here)->{always}, ['--dma-latency=off'], 'the option that would hide the change is turned off');
};

subtest 'one measured CPU' => sub {
    my %here = (machine(), cpus => [2]);
    my $experiment = ready('idle-states', %here);
    my $file = "$here{root}$CPU/cpu2/power/pm_qos_resume_latency_us";
    is_deeply([@$experiment{qw(change undo show)}], ["echo n/a >$file", "echo 20 >$file", "grep -H . $file"],
        'the commands for one CPU have no loop');
};

# The kernel has files that not even root may write.
subtest 'an interrupt that cannot be moved' => sub {
    my %here = (machine(), cpus => [0]);
    my $file = "$here{root}/proc/irq/0/smp_affinity_list";
    make_path(dirname($file));
    symlink "$CPU/online", $file or die $!;
    my $experiment = ready('irq-affinity', %here);
    is_deeply([shell($experiment->{change})], [0, '', ''], 'an interrupt that cannot be moved does not stop the change');
    is(contents("$here{root}/proc/irq/8/smp_affinity_list"), "1-3\n", 'an interrupt that can be moved is moved');
    is_deeply([shell($experiment->{undo})], [0, '', ''], 'an interrupt that cannot be moved does not stop the undo');
    is(contents("$here{root}/proc/irq/8/smp_affinity_list"), "0-3\n", 'an interrupt that was moved is back');
    undef $experiment;
    unlink glob "$here{root}/proc/irq/[1-9]*/smp_affinity_list";
    is((shell(ready('irq-affinity', %here)->{change}))[0], 1, 'where none can, the change fails');
};

subtest 'a file that cannot be restored' => sub {
    my %here = machine();
    my $experiment = ready('idle-states', %here);
    my ($one, $other) = map { "$here{root}$CPU/cpu$_/power" } 1, 2;
    shell($experiment->{change});
    rename $one, "$one.gone" or die $!;
    my ($status, undef, $complaint) = shell($experiment->{undo});
    is($status, 1, 'a file that is gone makes the undo fail');
    like($complaint, qr{cpu1/power}, 'the undo names the file that is gone');
    is(contents("$other/pm_qos_resume_latency_us"), "20\n", 'the undo restores the other files');
};

subtest 'irqbalance is stopped while it is measured' => sub {
    my %here = machine();
    is(ready('irqbalance', %here)->{lacking}, 'irqbalance is not running', 'irqbalance has to run');
    my $daemon = start(qw(tail -f /dev/null));
    my $pid = $daemon->{pid};
    saved("$here{root}/proc/1/comm", "init\n");
    saved("$here{root}/proc/$pid/comm", "irqbalance\n");
    symlink "/proc/$pid/status", "$here{root}/proc/$pid/status" or die $!;
    my $experiment = ready('irqbalance', %here);
    my $is = sub { my ($state) = @_; wait_until(sub { (shell($experiment->{show}))[1] =~ /State:\s+$state/ }) };
    shell($experiment->{change});
    ok($is->('T'), 'the change stops the daemon');
    shell($experiment->{undo});
    ok($is->('S'), 'the undo lets the daemon go on');
    kill TERM => $pid;
    is((finish($daemon))[0], 128 + 15, 'the daemon is still the same process');
};

subtest 'what is missing' => sub {
    my %here = machine();
    my $lacks = sub { my ($name, @here) = @_; return ready($name, %here, @here)->{lacking} =~ s/\Q$here{root}\E//gr };
    is($lacks->($_, cpus => [0 .. 3]), 'all CPUs are measured; measure fewer, with -a', "$_: other CPUs")
        for qw(irq-affinity workqueue-cpus);
    is($lacks->('idle-states', cpus => [4]), 'CPU 4 has only one idle state', 'a CPU with one idle state leaves nothing to try');
    is($lacks->('governor', cpus => [3]), "there is no $CPU/cpu3/cpufreq/scaling_governor",
        'a governor that is missing leaves nothing to try');
    unlink "$here{root}/dev/cpu_dma_latency";
    is($lacks->('dma-latency'), 'there is no /dev/cpu_dma_latency', 'a device that is missing leaves nothing to try');
    file_of("$here{root}/sys/kernel/mm/ksm/run", "1; reboot\n");
    is($lacks->('same-page-merging'), "/sys/kernel/mm/ksm/run says '1; reboot'", 'a value that can be put back');
    rename "$here{root}/sys/kernel/mm", "$here{root}/mm" or die $!;
    file_of("$here{root}/sys/kernel/mm", '');
    is($lacks->('huge-pages'), '/sys/kernel/mm/transparent_hugepage/enabled: Not a directory', 'what can be read');
    unlink "$here{root}/sys/kernel/debug/sched/preempt";
    is($lacks->('preempt-full'), 'there is no /sys/kernel/debug/sched/preempt', 'an old kernel has no mode of preemption to try');
    rename "$here{root}/sys/kernel/debug/sched", "$here{root}/sched" or die $!;
    is($lacks->($_), '/sys/kernel/debug is not mounted; mount -t debugfs debugfs /sys/kernel/debug', "$_: debugfs")
        for qw(preempt-full fair-server);
    is_deeply([grep { exists ready('governor', %here, cpus => [3])->{$_} } qw(change undo show)], [],
        'what cannot be tried has no commands');
};

subtest 'the list has all experiments' => sub {
    my %here = machine();
    my $list = listing($here{root}, qw(-- realfeel -a 1-2));
    is_deeply([$list =~ /^([\w-]+): /mg], [names()], 'each experiment is in the list');
    is_deeply([sort { $a cmp $b } names()], [sort keys %FILES, qw(dma-latency irqbalance)], 'each experiment has a test');
    is(scalar(() = $list =~ m{^    source    Documentation/[\w/.-]+\.(?:rst|txt)$}mg), scalar names(), 'each experiment names its source');
    like($list, qr{^    not here  irqbalance is not running$}m, 'the list says what is missing here');
    like($list, qr{^    change    echo -1 >\S+/sched_rt_runtime_us\n    undo      echo 950000 >}m, 'the list has the commands');
    like($list, qr{ for n in 1 2; do }, 'the commands in the list name the measured CPUs');
    like($list, qr{^    change    realfeel --dma-latency=0$}m, 'the list has options that make a change');
};

subtest 'the measured CPUs' => sub {
    my %here = machine();
    for (['-a 1' => 1], ['-a0-2' => 0, 1, 2], ['--cpu=3,1' => 3, 1], ['-n 5 -qa 2 -o x' => 2], ['-a all' => 0 .. 3],
        ['-d 5s' => 0 .. 3], ['-a nonsense' => 0 .. 3], ['--load=kernel --cpu 2' => 2], ['-d 1m -- stress -a 1' => 0 .. 3],
        ['-- taskset 2 realfeel -a 1 -- stress -a 2' => 1]) {
        my ($options, @due) = @$_;
        is_deeply([measured_cpus($here{root}, split / /, $options)], \@due, $options);
    }
};

done_testing;
