# SPDX-License-Identifier: GPL-2.0-or-later
# Several CPUs at once.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use Listing;
use Program;
use Report;
use RunCommand;
use Test::More;
use WellMachine;

workspace();

subtest 'each CPU is looked at' => sub {
    my @several = program('--check', '-s', 'nanosleep', '--dma-latency=off', '-p', 50, '-a', "$CPU,1023");
    my $other = '/sys/devices/system/cpu/cpu1023';
    my (undef, undef, @lines) = check(machine(), @several);
    like((of_area($_, @lines))[0], qr/^ok: /, "$_: all is well") for 'governor', 'idle states';
    like((of_area('rights', @lines))[0], qr/^bind to CPU 1023: Invalid argument: .*; leave it out, as --cpu=all does, or use/,
        'the one that cannot be had is named');

    my %flawed = ("$other/cpufreq/scaling_governor" => 'powersave', "$other/cpuidle/state0/latency" => 200);
    (undef, undef, @lines) = check(machine(%flawed), @several);
    like((of_area('governor', @lines))[0], qr/^powersave on CPU 1023, /, 'the governor of each is looked at');
    like((of_area('idle states', @lines))[0], qr{takes 200 us .*\($other/cpuidle/state0\)}, 'and the idle states');

    my @cpus = fake_root('/sys/devices/system/cpu/present' => '0-1022', '/sys/devices/system/cpu/online' => '0-99,1021');
    (undef, undef, @lines) = check(@cpus, program(qw(--check -s nanosleep -a 1020-1023)));
    is((of_area('rights', @lines))[0], 'bind to CPUs 1020-1023: Invalid argument: the machine has CPUs 0-1022, and 1020,1022 '
        . 'are offline, and 1021 is not in the cpuset of this process; leave them out, as --cpu=all does, or use --best-effort',
        'all that cannot be had are in one line, each with its reason');
    (undef, undef, @lines) = check(@cpus, program('--check', '-s', 'nanosleep', '-a', '1020,1022'));
    like((of_area('rights', @lines))[0], qr/^bind to CPUs 1020,1022: Invalid argument: they are offline; /, 'for one reason');
    (undef, undef, @lines) = check(program(qw(--check -s nanosleep -a all)));
    is(scalar(grep { /^bind/ } of_area('rights', @lines)), 0, 'all are those that can be had');
};

subtest 'the RTC is for one CPU' => sub {
    my $refused = 'only one process may have it, and 2 CPUs need one each; use --source=nanosleep, or name one CPU';
    my (undef, undef, @lines) = check(program(qw(--check -s alsa -a 0-1)));
    is("@{[of_area('source', @lines)]}", "--source=alsa: $refused", 'as is the timer of the sound system');
    (undef, undef, @lines) = check(fake_rtc(log => 'log'), program(qw(--check -s rtc -a 0-1)));
    my $reason = "--source=rtc: $refused";
    is("@{[of_area('source', @lines)]}", $reason, 'it is refused to two');
    (undef, undef, @lines) = check(fake_rtc(log => 'log'), program(qw(--check -D /dev/rtc0 -a 0-1)));
    is("@{[of_area('source', @lines)]}", $reason, 'also where its device is named');
    (undef, undef, @lines) = check(fake_rtc(log => 'log'), program(qw(--check -a 0-1)));
    is("@{[of_area('source', @lines)]}", 'ok: nanosleep at 2048 Hz', 'auto finds another');
    ok(!-e 'log', 'and leaves it alone');

    my @refused = (fake_rtc(), program(qw(-n 1 -a 0-1 -o nowhere/report)));
    unlike((run(@refused))[2], qr/--source/, 'which is nothing to be told');
};

my @ALLOWED = allowed_cpus();

# The parts of a run on all of them.
sub measure {
    my ($status, $out, $err) = run(realfeel(qw(-a all -f 1000 -n 20 -o -), @_));
    is($status, 0, "exit status of @_") or diag $err;
    return whole_parts($out);
}

sub on_each {
    my ($source, $phases, @options) = @_;
    my @parts = measure('-s', $source, @options);
    is_deeply([map { $_->{cpu} } @parts], \@ALLOWED, 'a part for each, in order');
    is_deeply([map { $_->{part} } @parts], [map { "$_ of @{[scalar @ALLOWED]}" } 1 .. @ALLOWED], 'numbered');
    is_deeply([map { "$_->{source} $_->{samples} $_->{status}" } @parts], [("$source 20 complete") x @ALLOWED], 'complete');
    is_deeply([map { $_->{phases} } @parts], [($phases) x @ALLOWED], 'phases');
    my @due = map { $phases eq 'aligned' ? 0 : int $_ * 1000000 / @ALLOWED } 0 .. $#ALLOWED;
    is_deeply([map { $_->{phase_ns} } @parts], \@due, 'when in the period each is due');
    is_deeply([map { $_->{command} } @parts], [($parts[0]{command}) x @ALLOWED], 'one command');
}

SKIP: {
    skip 'there is one CPU only', 1 if @ALLOWED < 2;
    subtest "$_->[0], $_->[1]" => \&on_each, @$_
        for [qw(nanosleep spread)], [qw(nanosleep aligned --aligned)], [qw(timerfd spread)], [qw(timerfd aligned --aligned)];
}

subtest 'a list of one CPU' => sub {
    my ($status, $out) = run(no_rtc(), realfeel('-a', $CPU, qw(--aligned -n 5 -o -)));
    my $report = whole_report($out);
    is($report->{cpu}, $CPU, 'cpu');
    is(scalar(grep { exists $report->{$_} } qw(part phases phase_ns)), 0, 'is no part, and has no phase');
};

is_deeply([glob '*'], [], 'no file is made');
done_testing;
