# SPDX-License-Identifier: GPL-2.0-or-later
# The values that --check lists, and what only --check looks at: the limits of a machine, and its hypervisor.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use File::Temp qw(tempdir);
use List::Util qw(max);
use Listing;
use Program;
use Report;
use RunCommand qw(run contents start finish);
use Test::More;
use Time::HiRes qw(sleep time);
use WellMachine;

my @CHECK = program('-s', 'nanosleep', '-a', $CPU, '--check');

workspace();

# What --check says of a thing that is well, with its value.
my @VALUES = (
    [{},                               'throttling',  'real-time processes may run 950000 of each 1000000 us'],
    [{$RT_RUNTIME => -1},              'throttling',  'off'],
    [{},                               'hypervisor',  'none'],
    [{},                               'preemption',  'full \(PREEMPT_DYNAMIC\)'],
    [{},                               'scheduler',   "the kernel's own"],
    [{'/sys/kernel/sched_ext/root/ops' => 'scx_lavd'}, 'scheduler', 'scx_lavd, by sched_ext'],
    [{},                               'timers',      'high-resolution'],
    [{},                               'idle states', 'held at 0 us, of C0 0, C1 1, .*'],
    [{'/dev/cpu_dma_latency' => undef}, 'idle states', 'C0 0, C1 1, .*'],
    [{},                               'governor',    'performance'],
    [{},                               'own processes', 'keeper and standby on CPUs? [\d,-]+'],
    [{},                               'siblings',    'none'],
    [{},                               'clocksource', 'tsc'],
    [{},                               'clock',       'monotonic'],
    [{},                               'source',      'nanosleep at 2048 Hz'],
);

subtest 'what is well has its value' => sub {
    for (@VALUES) {
        my ($files, $area, $value) = @$_;
        my (undef, undef, @lines) = check(machine(%$files), @CHECK);
        like("@{[of_area($area, @lines)]}", qr/\Aok: $value\z/, "$area @{[files(%$files)]}");
    }
};

# The limits of a machine are what it is measured for: they are listed, and no run warns of them.
my $DONE_FIRST = 'so a wake-up has to wait until the kernel is done .*; a PREEMPT_RT kernel would bound the tail, and';
my @LIMITS = (
    ['preemption', {$MODELS => '(none) voluntary full'}, "none \\(PREEMPT_DYNAMIC\\), $DONE_FIRST preempt=full at boot would shorten it"],
    ['preemption', {$MODELS => 'none (voluntary) full'}, "voluntary \\(PREEMPT_DYNAMIC\\), $DONE_FIRST .*"],
    ['preemption', {$MODELS => 'none (lazy) full'}, undef],
    ['siblings',   {$SIBLINGS => "$CPU,900,901"},
        "another thread runs on the core of CPU $CPU \\(CPUs 900-901\\), .*; switch it off, as in echo 0 >.*/cpu900/online, or boot .*"],
);

for (@LIMITS) {
    my ($area, $files, $line) = @$_;
    subtest "limit: $area @{[files(%$files)]}" => sub {
        plan skip_all => 'this kernel says PREEMPT_RT of itself' if $area eq 'preemption' && (run(qw(uname -v)))[1] =~ /PREEMPT_RT/;
        plan skip_all => 'real-time rights are refused here' unless has_rights();
        my @command = (machine(%$files), program('-s', 'nanosleep', '-a', $CPU));
        my ($status, $last, @lines) = check(@command, '--check');
        is("$status $last", $line ? '0 no findings, 1 limit of the machine' : '0 all ok', 'it is no finding');
        like("@{[of_area($area, @lines)]}", $line ? qr/\A$line\z/ : qr/\Aok: /, '--check');
        my (undef, $out, $err) = run(@command, qw(-n 5 -o -));
        is(whole_report($out)->{preflight}, 'ok', 'the report');
        unlike($err, qr/^realfeel: /m, 'no warning');
    };
}

subtest 'on a terminal' => sub {
    plan skip_all => 'script not found: apt-get install bsdutils' if (run(qw(which script)))[0];
    my $command = join ' ', map { "'$_'" } machine($GOVERNOR => 'powersave'), @CHECK;
    my (undef, $out) = run('script', '-qec', "stty cols 40 && exec $command", '/dev/null');
    my ($finding) = $out =~ /^(governor: .*\r\n(?: {4}.*\r\n)*)/m;
    is((grep { length > 40 } split /\r\n/, $finding), 0, 'a finding has lines that fit');
    like($finding =~ s/\r\n {4}/ /gr, qr/\Agovernor: powersave on CPU $CPU, .*\r\n\z/, 'wrapped at words');
};

# Both CPUs that are measured are threads of a core, and so is any other that may be used.
subtest 'siblings that are all used' => sub {
    my @cpus = allowed_cpus();
    plan skip_all => 'there is one CPU only' if @cpus < 2;
    my $core = join ',', @cpus;
    my @machine = machine(map { ("/sys/devices/system/cpu/cpu$_/topology/thread_siblings_list" => $core) } @cpus);
    my ($status, $last, @lines) = check(@machine, program(qw(-s nanosleep --check -a), "$cpus[0],$cpus[1]", qw(-- sleep 1)));
    is($status, 1, 'are a finding');
    my $users = 'measuring processes on CPUs \S+, and by keeper, standby and load on CPUs? \S+, which slows wake-ups';
    like("@{[of_area('own processes', @lines)]}", qr/\Asiblings of measured CPUs are used by $users; measure one CPU of each core, .*\z/,
        'that names who uses them');
};

# The time that a hypervisor has taken grows while it is looked at: in ticks, written whole.
subtest 'a hypervisor' => sub {
    my $root = tempdir(CLEANUP => 1);
    my %kvm  = ('/proc/cpuinfo' => 'flags : fpu hypervisor',
        '/sys/devices/system/clocksource/clocksource0/available_clocksource' => 'kvm-clock tsc');
    my $stat = sub { my ($ticks) = @_; join "\n", map { "$_ 1 0 1 9 0 0 0 $ticks 0 0" } 'cpu ', "cpu$CPU" };
        for my $case ([0, 'which does not tell what it takes'], [7, 'nothing taken in the last second']) {
        my ($ticks, $value) = @$case;
        my (undef, undef, @lines) = check(machine(%kvm, '/proc/stat' => $stat->($ticks)), @CHECK);
        is("@{[of_area('hypervisor', @lines)]}", "ok: kvm, $value", "$ticks ticks");
    }

    my @machine = machine(%kvm, '/proc/stat' => $stat->(1), root => $root);
    my ($ticks, $longest_s, $status, $out) = (1);
    for (1 .. 5) {    # nothing is taken in a second in which this test gets no CPU
        my $run = start(@machine, @CHECK);
        my $last = time;
        $longest_s = 0;
        until (contents($run->{out}) =~ /^(?:all ok|no findings|\d+ findings?)\b/m || $ticks > 1000) {
            put("$root/proc/next", $stat->($ticks += 2));
            rename "$root/proc/next", "$root/proc/stat" or die $!;
            sleep 0.05;
            $longest_s = max($longest_s, time - $last);
            $last = time;
        }
        ($status, $out) = finish($run);
        last if $longest_s < 0.5;
    }
    is($status, 1, 'exit status');
    my ($taken_ms) = $out =~ /^hypervisor: kvm, (\d+) ms of CPU time taken in the last second, .*; give .*$/m;
    cmp_ok($taken_ms, '>', 0, 'that takes some') or diag $out;
    is($taken_ms % 20, 0, 'as it tells') if $taken_ms;
};

done_testing;
