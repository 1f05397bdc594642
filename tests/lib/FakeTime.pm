# SPDX-License-Identifier: GPL-2.0-or-later
package FakeTime;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(fake_time);

use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $ROOT = abs_path(dirname(__FILE__) . '/../..');
my $library;

# To be put before realfeel itself, with one meter: it has the time of tests/cli/fake_time.c, and wakes up as late as
# this seed says.
sub fake_time {
    my ($seed) = @_;
    return ('env', 'LD_PRELOAD=' . library(), 'ASAN_OPTIONS=verify_asan_link_order=0', "FAKE_TIME_SEED=$seed");
}

# The library itself, made when it is not there or out of date.
sub library {
    return $library if $library;
    my $path = ($ENV{BUILD} // 'build') . '/fake_time.so';
    system(qw(make -s -C), $ROOT, $path) == 0 or die "make $path failed\n";
    return $library = "$ROOT/$path";
}

1;
