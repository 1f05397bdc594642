# SPDX-License-Identifier: GPL-2.0-or-later
# Where --explain cannot be had, the run does not begin, and is told what helps; with --best-effort it does without.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use Listing;
use POSIX qw(:errno_h);
use Program;
use Report;
use RunCommand qw(run contents);
use Test::More;

my @CPUS = allowed_cpus();
my $CPU  = $CPUS[0];

my $EVENT   = 'timer/hrtimer_expire_entry';
my @TRACEFS = ('/sys/kernel/tracing' => undef, '/sys/kernel/debug/tracing' => undef);    # directories without anything
my @EVENTS  = ("/sys/kernel/tracing/events/$EVENT/format" => "name: hrtimer_expire_entry\nID: 77\n");
my @CONFIDENTIAL = ('/sys/kernel/security/lockdown' => 'none integrity [confidentiality]');
my @POWERFUL     = ('/proc/self/status' => "CapEff:\t000001ffffffffff");
my @POWERLESS    = ('/proc/self/status' => "CapEff:\t0000000000000000", '/proc/sys/kernel/perf_event_paranoid' => 4);
my @NAMELESS     = ('/proc/kallsyms' => '0000000000000000 T _text');

# What is other on the machine, options, and the line.
my $SECCOMP = q(look for a seccomp filter or a security module, such as a container's);
my $CONFIG  = 'use one that has CONFIG_EVENT_TRACING';
my $OLD     = "record $EVENT: the kernel is too old for it; use Linux 4.8 or newer";
my @REFUSED = (
    [{'/sys/devices/system/cpu/nohz_full' => "0-$CPU"}, [],
        "CPU $CPU is one of nohz_full, whose timers expire elsewhere; measure another CPU, or boot without nohz_full"],
    [{@TRACEFS, tracefs_errno => ENODEV}, [], "the kernel has no tracefs; $CONFIG"],
    [{@TRACEFS, tracefs_errno => ENOSYS}, [], 'mount tracefs: .*; mount -t tracefs tracefs /sys/kernel/tracing'],
    [{@TRACEFS, @POWERFUL, tracefs_errno => EPERM}, [], "mount tracefs: Operation not permitted; $SECCOMP"],
    [{@TRACEFS, @POWERLESS, tracefs_errno => EPERM}, [], 'mount tracefs: Operation not permitted; run .*'],
    [{@TRACEFS, @CONFIDENTIAL, tracefs_errno => EPERM}, [],
        'mount tracefs: the kernel is locked down for confidentiality; boot it with lockdown=integrity'],
    [{'/sys/kernel/tracing/events' => undef}, [], "the kernel has no tracepoint $EVENT; use one that has CONFIG_EVENT_TRACING"],
    [{@EVENTS, perf_errno => ENOSYS}, [], "record $EVENT: the kernel has no performance events; use one that has CONFIG_PERF_EVENTS"],
    [{@EVENTS, @POWERFUL, perf_errno => EACCES}, [], "record $EVENT: Permission denied; $SECCOMP"],
    [{@EVENTS, @POWERLESS, perf_errno => EACCES}, [], "record $EVENT with kernel.perf_event_paranoid=4: Permission denied; run .*"],
    [{@EVENTS, @POWERFUL, @CONFIDENTIAL, perf_errno => EPERM}, [],
        "record $EVENT: the kernel is locked down for confidentiality; boot it with lockdown=integrity"],
    [{@EVENTS, perf_errno => EINVAL}, [], $OLD],
    [{@EVENTS, perf_errno => E2BIG}, [], $OLD],
    [{@EVENTS, perf_errno => ENODEV}, [], "record $EVENT: the CPU is offline; measure another CPU"],
    [{@EVENTS, perf_errno => EAGAIN}, [], "record $EVENT: too little memory may be locked; raise the limit \\(ulimit -l\\)"],
    [{@EVENTS, perf_errno => EOVERFLOW}, [],
        "record $EVENT: kernel.perf_event_max_stack is less than 16; set it to 16, or use --explain=blame"],
    [{@EVENTS, perf_errno => EMFILE}, [], "record $EVENT: Too many open files; raise the limit \\(ulimit -n\\)"],
    [{@TRACEFS, tracefs_errno => EMFILE}, [], 'mount tracefs: Too many open files; raise the limit \(ulimit -n\)'],
    [{@TRACEFS, tracefs_errno => ENOMEM}, [], 'mount tracefs: Cannot allocate memory; free some memory'],
    [{@NAMELESS}, ['--explain=stacks'],
        q(name the kernel's functions: their addresses are hidden; .* kernel.kptr_restrict=1, or use --explain=blame)],
);

# The command begins with these words. The same line each time: in the list of --check, on standard error, and without
# its remedy in the report of a run that does without.
sub refused {
    my ($words, $options, $line) = @_;
    my @command = (@$words, realfeel(qw(-s nanosleep --explain), @$options));
    my ($reason) = $line =~ /^(.*?); /;
    my ($status, $last, @lines) = check(@command, '--check');
    like("@{[of_area('explain', @lines)]}", qr/\A$line, or use --best-effort\z/, '--check');
    is($status, 1, 'exit status');

    my @strict = (@$words, program(qw(-s nanosleep --explain -P other), @$options));
    ($status, my ($out, $err)) = run(@strict, qw(-q -n 5 -o -));
    is("$status $out", '1 ', 'nothing is measured');
    like($err, qr/\A(?:realfeel: (?!--explain).*\n)*realfeel: --explain: $line, or use --best-effort\n\z/, 'and it is said why');

    ($status, $out, $err) = run(@strict, qw(-q --best-effort -n 5 -o -));
    is("$status $err", '0 ', 'with --best-effort it is');
    for my $report (whole_parts($out)) {
        like($report->{explain}, qr/\Aoff \($reason\)\z/, 'and the report says why nothing is explained');
        is_deeply([grep { exists $report->{$_} } qw(explain_with_ns parts_matched)], [], 'by nothing');
    }
}

workspace();

for (@REFUSED) {
    my ($files, $options, $line) = @$_;
    subtest $line => sub { refused([fake_root(%$files)], ['-a', $CPU, @$options], $line) };
}

subtest 'no CPU is named' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS == 1;
    plan skip_all => explain_refusal() if explain_refusal();
    my @few = program(qw(-s nanosleep -P other --explain=parts -n 5 -o -));
    my ($status, $out, $err) = run(@few);
    my ($cpu) = $err =~ /^realfeel: --explain watches one CPU: CPU (\d+), where it runs now; -a names another$/m;
    is($status, 0, 'it is measured on one');
    is(whole_report($out)->{cpu}, $cpu, 'the one that is printed');
    is((run(@few, '-q'))[2], '', 'unless nothing is to be');
    my @others = ([@few, "--cpu=$CPU"], ['taskset', '-c', $CPU, @few], [program(qw(-s nanosleep -P other -n 5 -o -))]);
    unlike((run(@$_))[2], qr/watches/, 'nor where the CPU is known, or nothing is recorded') for @others;
    like((run(program(qw(-s thread --explain --waker), $CPU)))[2], qr/: --explain: the waker runs on CPU $CPU, and only the CPU /,
        'a CPU for the waker alone is refused on any');
};

subtest 'in a PID namespace' => sub {
    my @inside = qw(unshare --pid --fork --mount-proc);
    plan skip_all => explain_refusal() if explain_refusal();
    plan skip_all => 'no right to a PID namespace: run as root' if (run(@inside, 'true'))[0];
    refused([@inside], ['-a', $CPU],
        q(in this PID namespace processes have other numbers than in the kernel's records; run outside it, as with docker run --pid=host));
};

subtest 'it was not asked for' => sub {
    my ($status, $out, $err) = run(fake_root(@TRACEFS, tracefs_errno => ENODEV), realfeel(qw(-s nanosleep -q -n 5 -o -)));
    is("$status $err", '0 ', 'all is well');
    is(whole_report($out)->{explain}, 'off', 'and the report has no reason');
};

done_testing;
