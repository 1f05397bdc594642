# SPDX-License-Identifier: GPL-2.0-or-later
# What a run with --explain tells on standard error: that the kernel does not record all, before it begins; and in the end
# who had the CPU longest in the worst wake-up, which is a reason.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Errno qw(EPERM);
use FakeRoot;
use Hog;
use Listing;
use Program;
use Report;
use RunCommand qw(run contents start finish wait_until);
use Test::More;

plan skip_all => explain_refusal() if explain_refusal();
plan skip_all => 'real-time rights are refused here' unless has_rights();
plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];

my $CPU = (allowed_cpus())[0];

# Kernels where perf records nothing of a tracepoint, or all but switches of tasks; the first lets nobody load programs.
my @BLIND        = fake_root(perf_blind   => 1, bpf_errno => EPERM);
my @SWITCH_BLIND = fake_root(switch_blind => 1);
my @ALL_BLIND    = fake_root(perf_blind   => 1);
my $MISSES = qr/the kernel records only 0 of \d+ wakings and \d+ of \d+ task switches on CPU $CPU: wake-ups /
    . qr/that it misses will stay unexplained; measure another CPU \(--cpu\)/;

workspace();

# By a hog that is above the meter, for longer than half of what the kernel's guard of real-time processes takes. Returns
# what is told, and whether the worst wake-up was late by the hog: a shared machine may hold something else that is worse.
sub stalled {
    my (@words) = @_;
    my $run = start(@words);
    wait_for_sample($run, 'report');
    my @stalls = hog($CPU, qw(60 5 40));
    kill INT => $run->{pid};
    my $err = (finish($run))[2];
    my ($worst) = @{ whole_report(contents('report'))->{sets}{events} };
    return ($err, stalled_us($worst, @stalls) > $worst->{lateness_us} / 2);
}

# How long each task had the CPU between the due time of the worst wake-up and its stamp, but for interrupts, in ms by its
# name and number: by the records of the report. Where a switch is missing, nobody had it.
sub had_ms {
    my ($report) = @_;
    my ($late_us) = column($report, 'events', 'lateness_us');
    my ($from_us, $stay_us, $depth, $in, %ms) = (0, 0, 0);
    for my $record (grep { $_->{event} == 1 && $_->{at_us} <= $late_us } @{ $report->{sets}{records} }) {
        my ($at_us, $kind, $task) = ($record->{at_us}, $record->{kind}, "$record->{name} $record->{id}");
        $stay_us += $at_us - $from_us if $at_us > $from_us && !$depth;
        $from_us = $at_us if $at_us > $from_us;
        $ms{$task} += $stay_us / 1000 if $kind eq 'switch_out' && $task eq ($in // $task);
        ($stay_us, $depth) = (0, 0) if $kind =~ /^switch|^lost/;
        $in = $kind eq 'lost' ? '' : $task if $kind =~ /^switch_in|^lost/;
        $depth++ if $kind =~ /_entry$/;
        $depth-- if $kind =~ /_exit$/ && $depth;
    }
    return %ms;
}

my @EXPLAIN = qw(-s nanosleep -p 50 -o report --force --explain -a);
my $SAID    = qr/\d+\.\d{3} ms late: '[^']+' \(\w+ \d+\) had the CPU for \d+\.\d{3} ms/;

subtest 'a kernel that does not record all' => sub {
    my ($status, $last, @lines) = check(@BLIND, realfeel(qw(-s nanosleep --explain --check -a), $CPU));
    like("@{[of_area('explain', @lines)]}", qr/\A$MISSES\z/, '--check tells, and does not call it well');
    is($status, 1, 'exit status');
    my ($measured, undef, $err) = run(@BLIND, program(@EXPLAIN, $CPU, qw(-n 50)));
    is($measured, 0, 'it is measured all the same');
    like($err, qr/^realfeel: warning: --explain: $MISSES\n(?:.*\n)*run /m, 'after a warning');
    my $report = whole_report(contents('report'));
    is($report->{explain_wakings}, '0 of 256', 'the report has what was recorded of how many');
    like($report->{remarks}, qr/50 of 50 wake-ups are unexplained/, 'and a remark, that it explains none');
    is((run(@BLIND, program(@EXPLAIN, $CPU, qw(-n 50 -q))))[2], '', 'who asks for quiet has it');
    unlike((run(program(@EXPLAIN, $CPU, qw(-n 50))))[2], qr/records only 0 of \d+ wakings/, 'and a kernel that sees well is not blamed');
};

# Whether it records what of tasks, or nothing at all, programs do it instead.
for my $case (['the switches of tasks', @SWITCH_BLIND], ['anything', @ALL_BLIND]) {
    my ($what, @blind) = @$case;
    subtest "a kernel of which perf does not record $what" => sub {
        my (undef, undef, @lines) = check(@blind, realfeel(qw(-s nanosleep --explain --check -a), $CPU));
        my ($found) = of_area('explain', @lines);
        my ($status, undef, $err) = run(@blind, program(@EXPLAIN, $CPU, qw(-n 3000)));
        my ($share) = "$found $err" =~ /only (\d+ of \d+) wakings/;
        plan skip_all => "of the wakings only $share are recorded here" if $share;
        like($found, qr/^ok: the kernel records \d+ of \d+ task switches, perf alone 0$/, '--check tells how they are recorded');
        is($status, 0, 'it is measured');
        my $report = whole_report(contents('report'));
        my ($recorded, $all) = $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
        is($report->{explain_traced}, "0 of $all", 'who reads the report is told as well');
        cmp_ok($recorded, '>=', 0.5 * $all, 'that programs record them');
        cmp_ok($report->{parts_matched}, '>=', 0.9 * $report->{samples}, 'parts are known');
        my ($meter) = $report->{own_processes} =~ /meter:(\d+)/;
        my @ours = grep { $_->{kind} eq 'switch_in' && $_->{id} == $meter } @{ $report->{sets}{records} };
        cmp_ok(scalar @ours, '>', 0, 'and when we had the CPU');
        is_deeply([grep { $_ ne 'realfeel rt:50' } map { "$_->{name} $_->{priority}" } @ours], [], 'with our name and priority');
    };
}

subtest 'a hog' => sub {
    my ($err, $is_ours);
    wait_until(sub { ($err, $is_ours) = stalled(program(@EXPLAIN, $CPU)); $is_ours });
    my ($told) = $err =~ /($SAID)/;
    my $report = whole_report(contents('report'));
    my ($recorded, $all) = $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
    plan skip_all => "of the switches of tasks only $report->{explain_switches} are recorded here" if $recorded < 0.99 * $all;
    like($told // '', qr/late: 'hog' \(rt 60\) had the CPU/, 'is named in the result') or diag($err);
    my ($late_ms, $hog_ms) = ($told // '') =~ /([\d.]+) ms/g;
    is($late_ms, sprintf('%.3f', (column($report, 'events', 'lateness_us'))[0] / 1000), 'with the lateness of the worst');
    my %had_ms = had_ms($report);
    my ($hog) = sort { $had_ms{$b} <=> $had_ms{$a} } keys %had_ms;
    like($hog, qr/^hog /, 'in which it had the CPU longest by the records');
    cmp_ok(abs($hog_ms - $had_ms{$hog}), '<', 0.002, 'for as long as is told') or diag("told: $hog_ms, recorded: $had_ms{$hog}");
    cmp_ok($hog_ms, '<=', $late_ms, 'which is no longer than the wake-up was late');
};

subtest 'no reason is known' => sub {
    my (undef, undef, $err) = run(program(qw(-s nanosleep -n 50 -o report --force --explain=parts -a), $CPU));
    unlike($err, qr/^worst/m, 'where nothing is recorded of who had the CPU');
};

subtest 'on a terminal' => sub {
    plan skip_all => 'script not found: apt-get install bsdutils' if (run(qw(which script)))[0];
    local $ENV{TERM} = 'dumb';
    my $command = join ' ', map { "'$_'" } program(@EXPLAIN, $CPU, qw(-n 500));
    my $said = (run('script', '-qec', $command, '/dev/null'))[1];
    like($said,
        qr/lateness  .*\r\n(?:worst  .*\r\n)?missed  .*\r\n/s, 'the result');
    like($said, qr/\r\nreport    report   next: realfeel-analyze explain report\r\nrun /,
        'the next step is to have it explained');
};

done_testing;
