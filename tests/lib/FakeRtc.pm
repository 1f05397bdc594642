# SPDX-License-Identifier: GPL-2.0-or-later
package FakeRtc;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(fake_rtc no_rtc events wait_for_reads);

use Built qw(built);
use RunCommand qw(wait_until);

# To be put before a command: it finds a fake RTC, /dev/rtc0 unless "paths" says otherwise. The settings are those of
# tests/cli/fake_rtc.c, in lower case and without the prefix: log => 'log'.
sub fake_rtc {
    my %setting = (paths => '/dev/rtc0', @_);
    return (
        'env', 'LD_PRELOAD=' . built('fake_rtc.so'), 'ASAN_OPTIONS=verify_asan_link_order=0',
        map { "FAKE_RTC_\U$_\E=$setting{$_}" } sort keys %setting,
    );
}

# To be put before a command: it finds none, whatever the machine has.
sub no_rtc {
    return fake_rtc(paths => '');
}

# What happened to the fake RTC: hashes of pid, policy (other, real-time), event (rate, on, read, off, leave), value. A
# line that is being written is none yet.
sub events {
    my ($log) = @_;
    open my $in, '<', $log or return;
    return map { my %event; @event{qw(pid policy event value)} = split; \%event } grep { /\n\z/ } <$in>;
}

# Waits until so many reads have returned. Returns the pid of the process that reads.
sub wait_for_reads {
    my ($log, $count) = @_;
    my @reads;
    wait_until(sub { (@reads = grep { $_->{event} eq 'read' } events($log)) >= $count });
    return $reads[-1]{pid};
}

1;
