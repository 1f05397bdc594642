# SPDX-License-Identifier: GPL-2.0-or-later
# What checkpoints cost the measurement on a CPU of a thousand million instructions a second, when one is written each
# second: on PREEMPT_RT nothing that can be seen. There the RTC's timer expires in a thread that waits for other soft
# interrupts, those of a disk as well, so what that costs is noted only, and so is what a stock kernel does.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases qw(image left_by run_cases);
use Guest qw(make_disk);
use List::Util qw(max min);
use Report qw(whole_report);
use Test::More;

use constant { DISK_MIB => 64, LEAST_US => 1 };

# Runs without checkpoints, by the flavour: as many as tell how much they differ, where this is needed.
my %PLAIN = (stock => [1], rt => [1 .. 5]);
my @SAVED = qw(tmp disk);    # a tmpfs, and a disk

my %UNSEEN = (nanosleep => ['tmp', 'disk'], rtc => ['tmp']);

my $MEASURE = 'realfeel -f 2048 -n 20480 -q';

# The lateness that all but one in a thousand periods have at most, by the bins.
sub p999_us {
    my ($report) = @_;
    my $left = $report->{periods} / 1000;
    my @bins = reverse @{$report->{sets}{histogram}};
    shift @bins while ($left -= $bins[0]{lateness}) >= 0;
    return $bins[0]{to_us};
}

sub cases {
    my ($source, @plain) = @_;
    return (
        (map { ["$source-$_", "$MEASURE -s $source -C 0 -o report"] } @plain),
        (map { ["$source-$_", "$MEASURE -s $source -C 1s -o /$_/report && mv /$_/report ."] } @SAVED),
    );
}

for my $flavour (qw(stock rt)) {
    subtest $flavour => sub {
        my @plain = @{$PLAIN{$flavour}};
        my $disk = make_disk(image("overhead-$flavour"), DISK_MIB);
        my @cases = (['0-mount', 'mount -t ext4 /dev/vda /disk'], map { cases($_, @plain) } qw(nanosleep rtc));
        my $run = run_cases("overhead-$flavour", $flavour, \@cases, disk => $disk, shift => 0);
        for my $source (qw(nanosleep rtc)) {
            my %report = map { $_ => whole_report(left_by($run, "$source-$_")->{report} // '', "$source-$_") } @plain, @SAVED;
            my %us = map { $_ => p999_us($report{$_}) } keys %report;
            note("$source: p99.9 and maximum in us");
            note(sprintf '%6s %8.2f %8.2f', $_, $us{$_}, $report{$_}{lateness_max_ns} / 1000) for @plain, @SAVED;
            my $most = max(max(@us{@plain}), min(@us{@plain}) + LEAST_US);
            for my $where ($flavour eq 'rt' ? @{$UNSEEN{$source}} : ()) {
                cmp_ok($us{$where}, '<=', $most, "$source: p99.9 with checkpoints on $where is as without");
            }
        }
    };
}

done_testing;
