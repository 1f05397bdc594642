# SPDX-License-Identifier: GPL-2.0-or-later
# An hour in which nothing happens: no one is blamed for what did not happen.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Explained;
use Test::More;

check_cases('explain-quiet', 'stock', [quiet('hour', '-s nanosleep -f 16 -d 1h')]);

done_testing;
