# SPDX-License-Identifier: GPL-2.0-or-later
package FakeTime;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(fake_time);

use Built qw(built);

# To be put before realfeel itself, with one meter: it has the time of tests/cli/fake_time.c, and wakes up as late as
# this seed says.
sub fake_time {
    my ($seed) = @_;
    return ('env', 'LD_PRELOAD=' . built('fake_time.so'), 'ASAN_OPTIONS=verify_asan_link_order=0', "FAKE_TIME_SEED=$seed");
}

1;
