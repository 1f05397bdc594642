# SPDX-License-Identifier: GPL-2.0-or-later
# Two CPUs are measured, and explained; and the one that is measured is taken away. A guest of two CPUs runs in the host's
# time, so no latency is asserted here. The run lasts until the end of what is done to it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Report qw(whole_parts whole_report);
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

# Each part has the records of its own CPU.
sub explained {
    return ['explained', 'realfeel -q -s nanosleep -f 256 -n 500 -a 0,1 --explain -o report', 0, sub {
        my ($left) = @_;
        my @parts = whole_parts($left->{report} // '');
        is_deeply([map { "$_->{cpu} $_->{explain}" } @parts], ['0 blame', '1 blame'], 'a part for each CPU');
        is_deeply([grep { $_->{parts_matched} == 0 } @parts], [], 'of which wake-ups are known');
    }];
}

for my $flavour (qw(stock rt)) {
    my @cases = (explained(), map { offlined($_) } qw(nanosleep rtc));
    subtest $flavour => sub { check_cases("two-cpus-$flavour", $flavour, \@cases, cpus => 2) };
}

done_testing;
