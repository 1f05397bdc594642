#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The loads that are installed. One has a stressor for each part of the suite of 2002, in memory, and none that takes the
# RTC; the other has ten real-time threads.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use RunCommand qw(run contents);
use Test::More;

my ($suite, $threads) = map { "packaging/$_.job" } qw(kernel rr);
my $text = contents($suite);
my ($settings, @parts) = split /^# (?=[A-Z0-9_-]+: )/m, $text;
my %stressors = map { my ($name, $options) = /^(\S+):.*\n((?:.|\n)*)/; $name => [$options =~ /^(\S+) 1$/mg] } @parts;

is_deeply([sort keys %stressors], [sort qw(NFS-COMPILE TTCP FIFOS_MMAP P3_FPU FS CRASHME)], 'the load has the parts of 2002');
is((grep { !@$_ } values %stressors), 0, 'each part has a stressor');
like($settings, qr{^run parallel\ntemp-path /dev/shm$}m, 'the stressors run together and in memory');
is_deeply([$text =~ /^(rtc\b.*)/mg], [], 'the RTC is left alone');
is_deeply([grep { $_ > 16 } $text =~ /^\S+-bytes (\d+)m$/mg], [], 'files and mappings are small');

SKIP: {
    if (system 'command -v stress-ng >/dev/null 2>&1') {
        fail('stress-ng is installed, as CI needs it') if $ENV{CI};
        skip 'stress-ng is not installed', 4;
    }
    for ([$suite, map { "1 $_" } map { @$_ } values %stressors], [$threads, '10 cpu']) {
        my ($job, @hogs) = @$_;
        my ($status, $out, $err) = run('stress-ng', '--dry-run', '--job', $job);
        skip 'no right to real-time scheduling: run as root', 2 if "$out$err" =~ /cannot set scheduler 'rr': .*\(Operation not permitted\)/;
        is($status, 0, "stress-ng takes $job");
        my ($dispatched) = "$out$err" =~ /dispatching hogs: (.*)/;
        is_deeply([sort split /, /, $dispatched // ''], [sort @hogs], "stress-ng starts every stressor of $job");
    }
}

done_testing();
