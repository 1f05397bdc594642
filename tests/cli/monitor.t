# SPDX-License-Identifier: GPL-2.0-or-later
# What only this kernel shows of what happens during the run: perf's counter of SMIs.
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

workspace();

# In its place, the switches of tasks on that CPU, of which each wake-up makes one or more.
subtest "perf's counter of SMIs" => sub {
    my $perf = '/sys/bus/event_source/devices/msr';
    my @files = ("$perf/type" => 1, "$perf/events/smi" => 'event=0x3', '/proc/cpuinfo' => "vendor_id : GenuineIntel\nflags : fpu");
    my @options = (qw(-s nanosleep -P other --best-effort -d 2500ms -q -o - -a), (allowed_cpus())[0]);
    my ($status, $out, $err) = run(fake_root(@files), program(@options));
    is($status, 0, 'exit status') or diag $err;
    my $report = whole_report($out);
    plan skip_all => 'perf counts nothing here' if $report->{smis} eq 'unknown';
    my @slices = @{ $report->{sets}{slices} };
    is((grep { $_->{smis} < $_->{wakeups} / 2 } @slices), 0, 'goes before the register');
    is($report->{smis}, sum0(map { $_->{smis} } @slices), 'the header has its sum');
};

done_testing;
