# SPDX-License-Identifier: GPL-2.0-or-later
# Threads that are late for a known reason, ten times of ten: their own work, what has the CPU, the holder of a lock, a late
# timer. In virtual time.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Lagging;
use Test::More;

subtest stock => \&check_cases, 'late-stock', 'stock', [lagging()];
subtest rt => \&check_cases, 'late-rt', 'rt', [lagging()];

done_testing;
