#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The load that is installed: a stressor for each part of the suite of 2002, in memory, and none that takes the RTC.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use RunCommand qw(run contents);
use Test::More;

my $job = 'packaging/stress-kernel.job';
my $text = contents($job);
my ($settings, @parts) = split /^# (?=[A-Z0-9_-]+: )/m, $text;
my %stressors = map { my ($name, $options) = /^(\S+):.*\n((?:.|\n)*)/; $name => [$options =~ /^(\S+) 1$/mg] } @parts;

is_deeply([sort keys %stressors], [sort qw(NFS-COMPILE TTCP FIFOS_MMAP P3_FPU FS CRASHME)], 'the parts');
is((grep { !@$_ } values %stressors), 0, 'each has a stressor');
like($settings, qr{^run parallel\ntemp-path /dev/shm$}m, 'together, and in memory');
is_deeply([$text =~ /^(rtc\b.*)/mg], [], 'the RTC is left alone');
is_deeply([grep { $_ > 16 } $text =~ /^\S+-bytes (\d+)m$/mg], [], 'files and mappings are small');

SKIP: {
    if (system 'command -v stress-ng >/dev/null 2>&1') {
        fail('stress-ng is installed, as CI needs it') if $ENV{CI};
        skip 'stress-ng is not installed', 2;
    }
    my ($status, $out, $err) = run('stress-ng', '--dry-run', '--job', $job);
    is($status, 0, 'stress-ng takes it');
    my ($dispatched) = "$out$err" =~ /dispatching hogs: (.*)/;
    is_deeply([sort split /, /, $dispatched // ''], [sort map { "1 $_" } map { @$_ } values %stressors], 'with every stressor');
}

done_testing();
