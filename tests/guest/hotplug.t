# SPDX-License-Identifier: GPL-2.0-or-later
# The CPU that is measured is taken away. A guest of two CPUs runs in the host's time, so no latency is asserted here. The run
# lasts until the end of what is done to it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Report qw(whole_report);
use Test::More;

my $CPU = '/sys/devices/system/cpu/cpu1/online';

sub offlined {
    my ($source) = @_;
    my $script = "echo 1 >$CPU; start -s $source -a 1 -d 1h; begun; echo 0 >$CPU; cp $CPU online; sleep 3; kill -INT \$keeper; end";
    return [$source, $script, 3, sub {
        my ($left) = @_;
        is($left->{online}, "0\n", 'the CPU was taken away');
        my $report = whole_report($left->{report} // '');
        is($report->{status}, 'interrupted', 'status of the report');
        is($report->{cpu}, 1, 'the CPU that was measured');
        like($report->{verdict}, qr/cpus_online changed/, 'the verdict names it');
        like($report->{verdict}, qr/no longer bound to CPU 1|migrated/, 'and what became of the measurement');
        cmp_ok($report->{duration_s}, '>', 2, 'the run went on without it');
    }];
}

for my $flavour (qw(stock rt)) {
    subtest $flavour => sub { check_cases("hotplug-$flavour", $flavour, [map { offlined($_) } qw(nanosleep rtc)], cpus => 2) };
}

done_testing;
