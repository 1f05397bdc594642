# SPDX-License-Identifier: GPL-2.0-or-later
# What makes the measurement late is named, and nothing else. And the kernel's own timerlat tracer, which PREEMPT_RT has,
# measures what we do.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Beside;
use Cases;
use Explained;
use Recorded;
use Test::More;

subtest stock => \&check_cases, 'explain-stock', 'stock', [explained('stock'), overfull(), recorded()], arguments => ['preempt=none'];
subtest rt => \&check_cases, 'explain-rt', 'rt', [explained('rt'), beside_timerlat()];

done_testing;
