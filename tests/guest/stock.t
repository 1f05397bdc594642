# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Deferred;
use Endings;
use Loads;
use Measuring;
use Preflight;
use Starving;
use Tracing;
use Woken;
use Test::More;

check_cases('stock', 'stock', [measuring(), starving(), deferred('softirq'), woken(), endings('rtc', 95, 99), loads(), tracing(),
    preflight(0, qr{^timer thread: ok$}m)]);

done_testing;
