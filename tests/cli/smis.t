# SPDX-License-Identifier: GPL-2.0-or-later
# System management interrupts, once a slice: of perf's counter, of the CPU's register, and where there is neither.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(run);
use Test::More;

my $CPU = (allowed_cpus())[0];
my $PERF = '/sys/bus/event_source/devices/msr';
my @NO_PERF = ("$PERF/type" => '');

# The registers of a CPU. That of SMIs has the next of these counts each time that it is read.
sub registers {
    my ($vendor, @counts) = @_;
    my $bytes = "\0" x 0x34 . pack '(L<L<)*', map { ($_, 0) } @counts;
    return ('/proc/cpuinfo' => "vendor_id\t: $vendor\nflags\t\t: fpu", "/dev/cpu/$CPU/msr" => \$bytes);
}

sub report_of {
    my ($files, @options) = @_;
    my ($status, $out, $err) = run(fake_root(@$files), program(qw(-s nanosleep -P other --best-effort -d 2500ms -q -o -), @options));
    die $err if $status;
    return whole_report($out);
}

sub of_slices { return map { $_->{smis} } @{ $_[0]{sets}{slices} } }

sub is_unknown {
    my ($report) = @_;
    is($report->{smis}, 'unknown', 'the header says so');
    is((grep { defined } of_slices($report)), 0, 'slices have no such column');
}

workspace();

subtest 'the register' => sub {
    my $report = report_of([@NO_PERF, registers('GenuineIntel', map { 0xffff_fffe + 3 * $_ & 0xffff_ffff } 0 .. 99)],
        '-a', $CPU, qw(-d 4s));
    my @of = of_slices($report);
    is_deeply(\@of, [(3) x @of], 'is read once a slice, which has what came in it');
    cmp_ok(scalar @of, '>=', 2, 'of several');
    is($report->{smis}, 3 * @of, 'the header has their sum');
    unlike($report->{verdict}, qr/SMI/, 'which is a result, and no reason to doubt it');
};

subtest 'a firmware that keeps still' => sub {
    my $report = report_of([@NO_PERF, registers('GenuineIntel', (5) x 100)], '-a', $CPU);
    is_deeply([$report->{smis}, sum0(of_slices($report))], [0, 0], 'is known to');
};

subtest 'what is not known' => sub {
    is_unknown(report_of([@NO_PERF, registers('AuthenticAMD', 1 .. 99)], '-a', $CPU));
    is_unknown(report_of([@NO_PERF, registers('GenuineIntel')], '-a', $CPU));
    is_unknown(report_of([@NO_PERF, registers('GenuineIntel', 1 .. 99)])) if allowed_cpus() > 1;
};

# In its place, the switches of tasks on that CPU, of which each wake-up makes one or more.
subtest "perf's counter" => sub {
    my $report = report_of(["$PERF/type" => 1, "$PERF/events/smi" => 'event=0x3', registers('GenuineIntel')], '-a', $CPU);
    plan skip_all => 'perf counts nothing here' if $report->{smis} eq 'unknown';
    is((grep { $_->{smis} < $_->{wakeups} / 2 } @{ $report->{sets}{slices} }), 0, 'goes before the register');
    is($report->{smis}, sum0(of_slices($report)), 'the header has its sum');
};

done_testing;
