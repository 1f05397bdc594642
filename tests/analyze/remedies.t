# SPDX-License-Identifier: GPL-2.0-or-later
# What can be done about a culprit, for each kind of one; and nothing is advised where nobody stood out.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp ();
use Test::More;

use Realfeel::Explain::Remedies qw(remedies);
use Realfeel::Report;
use RunCommand;

my $good = contents("$FindBin::Bin/data/explained.hist");

# Who had the CPU before the worst: kind, name, priority, detail; what else the report says; and what is advised.
my @CASES = (
    ['task hog rt:97 pid:12', {}, 'chrt -f -p 94 12', 'sched(7)'],
    ['task hog rt:95 pid:12', {}, 'chrt -f -p 94 12', 'sched(7)'],
    ['task hog deadline pid:12', {}, undef, 'sched-deadline'],
    ['task hog rt:50 pid:12', {preemption => 'PREEMPT_RT', source => 'rtc /dev/rtc0'},
        'pgrep ktimers/ | xargs -n 1 chrt -f -p 95', 'real-time/differences'],
    ['task sh rt:1 pid:12', {preemption => 'PREEMPT_RT', source => 'rtc /dev/rtc0'},
        'realfeel --source=nanosleep', 'real-time/differences'],
    ['task sh nice:0 pid:12', {preemption => 'none (PREEMPT_DYNAMIC)'}, 'preempt=full', 'kernel-parameters'],
    ['task sh nice:0 pid:12', {preemption => 'full (PREEMPT_DYNAMIC)'}, undef, 'real-time/differences'],
    ['task sh nice:0 pid:12', {preemption => 'PREEMPT_RT'}, undef, 'realfeel(8)'],
    ['task irq/9-eth0 rt:50 pid:12', {}, 'echo CPUS >/proc/irq/9/smp_affinity_list', 'per-CPU-kthreads'],
    ['task kworker/1:2 nice:-20 pid:90', {}, 'echo MASK >/sys/devices/virtual/workqueue/cpumask', 'per-CPU-kthreads'],
    ['task rcuc/1 rt:1 pid:12', {}, 'rcu_nocbs=1', 'per-CPU-kthreads'],
    ['task ksoftirqd/1 nice:0 pid:12', {}, 'echo CPUS >/proc/irq/NUMBER/smp_affinity_list', 'per-CPU-kthreads'],
    ['task migration/1 rt:99 pid:12', {}, undef, 'per-CPU-kthreads'],
    ['interrupt eth0 - irq:9', {}, 'echo CPUS >/proc/irq/9/smp_affinity_list', 'irq-affinity'],
    ['interrupt timer\x20interrupt - -', {preemption => 'full'}, 'isolcpus=1 nohz_full=1', 'real-time/differences'],
    ['interrupt reschedule\x20IPI - -', {}, 'isolcpus=1 nohz_full=1', 'no_hz'],
    ['softirq NET_RX - -', {}, 'echo CPUS >/proc/irq/NUMBER/smp_affinity_list', 'per-CPU-kthreads'],
    ['softirq RCU - -', {}, 'rcu_nocbs=1', 'per-CPU-kthreads'],
    ['softirq SCHED - -', {}, 'isolcpus=1 nohz_full=1', 'per-CPU-kthreads'],
    ['softirq BLOCK - -', {}, 'echo CPUS >/proc/irq/NUMBER/smp_affinity_list', 'per-CPU-kthreads'],
    ['idle idle - -', {dma_latency_us => 'off'}, 'realfeel --dma-latency=0', 'cpuidle'],
    ['idle idle - -', {dma_latency_us => '0'}, 'cpupower frequency-set -g performance', 'cpufreq'],
    ['unknown - - no-record', {hypervisor => 'kvm'}, undef, 'real-time/hardware'],
    ['unknown - - no-record', {}, 'echo hwlat >/sys/kernel/tracing/current_tracer', 'hwlat'],
);

# The report, with that in its header, and with a worst wake-up that was late by one culprit.
sub report_of {
    my ($who, %header) = @_;
    my $text = $good;
    my $blame = "1 0.000 463.100 $who\n1 463.100 474.113 self realfeel rt:95 pid:1200\n";
    $text =~ s/^(# blame\n# [^\n]*\n).*(?=^# end )/$1$blame/ms or die 'no blame';
    $text =~ s/^# \Q$_\E: .*\n//m, $text =~ s/^(?=# frequency_hz)/# $_: $header{$_}\n/m for sort keys %header;
    my $file = File::Temp->new;
    print {$file} $text;
    close $file;
    return Realfeel::Report->read("$file");
}

for (@CASES) {
    my ($who, $header, $command, $source) = @$_;
    my @advice = remedies(report_of($who, %$header));
    my $name = join ', ', $who, map { "$_: $header->{$_}" } sort keys %$header;
    is(scalar @advice, 1, "$name: one remedy") or next;
    is($advice[0]{command}, $command, 'its command');
    like($advice[0]{source}, qr/\Q$source\E/, 'what says so');
    unlike(join('', grep { defined } values %{$advice[0]}), qr/[{}]/, 'everything is filled in');
}

my @advice = remedies(Realfeel::Report->read("$FindBin::Bin/data/explained.hist"));
is($advice[0]{culprit}, "'hog' (rt 97)", 'who took most time comes first');
is_deeply([remedies(report_of('unknown - - ring-ends'))], [], 'nothing is advised about what is not known');
is_deeply([remedies(report_of('self realfeel rt:95 pid:1200'))], [], 'nor about the program itself');

done_testing;
