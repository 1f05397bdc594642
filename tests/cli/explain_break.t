# SPDX-License-Identifier: GPL-2.0-or-later
# --break with --explain: a process of higher priority takes the CPU away, and the report holds what the kernel recorded.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Hog;
use Program;
use Report;
use RunCommand qw(run contents start finish wait_until);
use Test::More;

plan skip_all => 'real-time rights are refused here' unless has_rights();
my ($cpu) = (run('taskset', '-pc', $$))[1] =~ /: (\d+)/ or plan skip_all => 'taskset not found: apt-get install util-linux';
my $refusal = explain_refusal('--explain=stacks');
plan skip_all => $refusal if $refusal;

workspace();

# A run that has measured when the hog begins, or that something else has ended before. Returns its exit status, what it told,
# its report, and whether that was the hog's doing.
sub stalled {
    unlink 'report';
    my $run = start(program(qw(-s nanosleep -p 50 -o report --break=15ms --explain=stacks -d 60s), '-a', $cpu));
    wait_until(sub { has_begun($run->{pid}) && kill USR1 => $run->{pid}; -e 'report' });
    my @stalls = hog($cpu, 60, 5);
    my ($status, undef, $err) = finish($run);
    my $report = whole_report(contents('report'));
    return ($status, $err, $report, stalled_us($report->{sets}{events}[0], @stalls) > 15_000);
}

my ($status, $err, $report, $is_ours);
wait_until(sub { ($status, $err, $report, $is_ours) = stalled(); $is_ours });
is($status, 2, 'the exit status says that the limit was exceeded');
like($err, qr/^break     ended at the first above 15 ms   trace: in this report$/m, 'told');
is("$report->{status} $report->{trace}", 'break in this report', 'the report says so');

my @records = grep { $_->{event} == 1 } @{ $report->{sets}{records} };
my ($late_us) = column($report, 'events', 'lateness_us');
is_deeply([grep { $records[$_]{at_us} < $records[ $_ - 1 ]{at_us} } 1 .. $#records], [], 'records are in the order of time');
ok($records[0]{at_us} < -50_000 || @records > 1000, 'they begin long before the wake-up was due')
    or diag(scalar(@records), " records from $records[0]{at_us} us on");

my ($seen, $counted) = $report->{explain_traced} =~ /^(\d+) of (\d+)$/;
SKIP: {
    skip 'perf does not trace each switch of tasks on this CPU', 3 if $seen < 0.99 * $counted;
    my @late = grep { $_->{at_us} > 0 && $_->{at_us} < $late_us } @records;
    my ($at) = grep { $late[$_]{kind} eq 'switch_in' && "@{$late[$_]}{qw(name priority)}" eq 'realfeel rt:50' } reverse 0 .. $#late;
    ok($at, 'we had the CPU before the wake-up');
    cmp_ok(traced_us($report, 'hog'), '>', 0.9 * 15_000, 'and before that the hog had it');
    like($late[ $at - 1 ]{stack}, qr/^[\w.]+\+0x/, 'who made way has a stack');
}

done_testing;
