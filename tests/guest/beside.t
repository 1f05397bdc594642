# SPDX-License-Identifier: GPL-2.0-or-later
# What runs beside the measurement, on a CPU of a thousand million instructions a second.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Report qw(whole_report);
use Test::More;

# A shell goes on, whatever the priority and however often it is interrupted.
sub usable {
    my ($source) = @_;
    my $count = 'for i in $(seq 50000); do :; done';
    my $script = "uptime_s >t0; $count; uptime_s >t1; start -s $source -f 8192 -p 99 -d 1h; uptime_s >t2; $count; uptime_s >t3; "
        . 'kill -INT $keeper; end';
    return ["usable-$source", $script, 3, sub {
        my ($left) = @_;
        my $report = whole_report($left->{report} // '');
        is($report->{frequency_hz}, 8192, 'as often as an RTC can');
        is($report->{status}, 'interrupted', 'it measured all the time');
        my ($alone_s, $beside_s) = ($left->{t1} - $left->{t0}, $left->{t3} - $left->{t2});
        note("$alone_s s alone, $beside_s s beside the measurement, which missed $report->{missed} of $report->{periods}");
        cmp_ok($beside_s, '<', 3 * $alone_s, 'a shell keeps a third of its speed');
    }];
}

# When memory runs out, it is not the measurement that the kernel kills.
sub outlives_its_load {
    my $script = 'start -s nanosleep -d 5s -- tail /dev/zero; end; s=$?; dmesg >dmesg; (exit $s)';
    return ['memory', $script, 0, sub {
        my ($left) = @_;
        like($left->{dmesg}, qr/Out of memory: Killed process \d+ \(tail\)/, 'the kernel killed the load');
        my $report = whole_report($left->{report} // '');
        is($report->{status}, 'complete', 'status of the report');
        like($report->{verdict}, qr/the load failed after .*: signal 9/, 'verdict');
        cmp_ok($report->{duration_s}, '>', 4.9, 'the run went on without it');
    }];
}

my @CASES = ((map { usable($_) } qw(rtc nanosleep)), outlives_its_load());

subtest $_ => \&check_cases, "beside-$_", $_, \@CASES, memory => 192, shift => 0 for qw(stock rt);

done_testing;
