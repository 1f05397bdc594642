# SPDX-License-Identifier: GPL-2.0-or-later
# --explain: a process of higher priority takes the CPU away, and the report says that this is what was waited for.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path);
use List::Util qw(first sum0);
use Program;
use Report;
use RunCommand qw(run contents start finish);
use Test::More;
use Time::HiRes qw(CLOCK_MONOTONIC CLOCK_REALTIME clock_gettime);
use Time::Local qw(timegm);

# Not all, for a shared machine may delay the hog as well.
use constant { STALLS => 20, SEEN => 15, STALL_US => 20_000, PERIOD_US => 488.281 };

plan skip_all => 'real-time rights are refused here' unless has_rights();
my ($cpu) = (run('taskset', '-pc', $$))[1] =~ /(\d+)$/ or plan skip_all => 'taskset not found: apt-get install util-linux';

my $BUILD = $ENV{BUILD} // 'build';
system(qw(make -s), "$BUILD/hog") == 0 or die "make $BUILD/hog failed\n";
my $HOG = abs_path("$BUILD/hog");

# A report of a run on the CPU while the hog stalls it, and the events that were these stalls: a shared machine has
# delays of its own.
sub stalled {
    my @options = @_;
    my $run = start(program(qw(-s nanosleep -p 50 -q -o report --force), '-a', $cpu, @options));
    wait_for_sample($run, 'report');
    my (undef, $stalls) = run(qw(taskset -c), $cpu, $HOG, 60, STALLS);
    kill INT => $run->{pid};
    my ($status) = finish($run);
    is($status, 0, 'exit status');
    my $report = whole_report(contents('report'));
    my @ends = map { (split)[1] / 1e9 } split /\n/, $stalls;
    my @events = grep { $_->{lateness_us} > STALL_US - 2 * PERIOD_US } @{ $report->{sets}{events} };
    return ($report, grep { my $at = monotonic($_->{utc}); first { abs($at - $_) < 0.005 } @ends } @events);
}

# The time on the clock that the hog reads.
sub monotonic {
    my ($year, $month, $day, $hour, $minute, $second) = split /[-T:Z]/, $_[0];
    my $utc = timegm(0, $minute, $hour, $day, $month - 1, $year) + $second;
    return $utc - clock_gettime(CLOCK_REALTIME) + clock_gettime(CLOCK_MONOTONIC);
}

workspace();

subtest 'explained' => sub {
    my ($report, @stalls) = stalled('--explain');
    cmp_ok(scalar @stalls, '>=', SEEN, 'the stalls are the worst events');
    my $waited = sum0(map { $_->{run_delay_us} } @stalls);
    cmp_ok($waited / sum0(map { $_->{lateness_us} } @stalls), '>=', 0.9, '90 % of their lateness is waiting to run');
    is((grep { $_->{periods} < (STALL_US / PERIOD_US) - 1 } @stalls), 0, 'each served every period of the stall');
    is((grep { $_->{cpu} ne $cpu } @stalls), 0, 'on the CPU that was asked for');
    like($report->{explain}, qr/^on, \d+\.\d\d us a sample$/, 'the report states what it cost');
};

subtest 'not explained' => sub {
    my ($report, @stalls) = stalled();
    cmp_ok(scalar @stalls, '>=', SEEN, 'the stalls are the worst events');
    for my $figure (qw(run_delay_us switches faults interrupts smis)) {
        is((grep { $_->{$figure} ne 'unknown' } @stalls), 0, "$figure is unknown, not 0");
    }
    is($report->{explain}, 'off', 'the report says so');
};

done_testing;
