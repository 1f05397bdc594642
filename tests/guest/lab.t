# SPDX-License-Identifier: GPL-2.0-or-later
# The laboratory, in small: under load, PREEMPT_RT is ahead of a kernel that does not preempt, by a margin.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use RunLab;
use Test::More;

use constant SAMPLES => 20480;

needs_guests('stock', 'rt');

my $directory = "$FindBin::Bin/../../build/guest/lab";
my ($status, $said) = run_lab('-j', 1, '-n', SAMPLES, '-o', $directory, 'none-loaded', 'rt-loaded');
is($status, 0, 'exit status');
note($said);
$status == 0 or BAIL_OUT('there is nothing to compare');

my %PREEMPTION = (none => 'none (PREEMPT_DYNAMIC)', rt => 'PREEMPT_RT');
my %of;
for my $kernel (qw(none rt)) {
    for my $source (qw(rtc nanosleep)) {
        my $statistics = $of{$kernel}{$source} = statistics("$directory/$kernel-loaded-$source.hist");
        is($statistics->{samples}, SAMPLES, "$kernel, $source: samples");
        is($statistics->{verdict}, 'valid', "$kernel, $source: verdict");
        is($statistics->{preemption}, $PREEMPTION{$kernel}, "$kernel, $source: preemption");
    }
}

for my $source (qw(rtc nanosleep)) {
    my ($none, $rt) = map { $of{$_}{$source} } qw(none rt);
    cmp_ok($rt->{$_}, '<', 0.6 * $none->{$_}, "$source: $_ of RT is far less") for qw(p99 p99.9);
    cmp_ok($rt->{missed}, '<', 0.1 * $none->{missed}, "$source: so are its missed periods");
}

# The RTC's timer expires in a thread there, and the measurement waits for it.
cmp_ok($of{rt}{rtc}{p50}, '>', 2 * $of{rt}{nanosleep}{p50}, 'RT is late by more with the RTC than with nanosleep');
cmp_ok($of{rt}{rtc}{p50}, '>', 1.5 * $of{none}{rtc}{p50}, 'and by more than the other is with the RTC');

done_testing;
