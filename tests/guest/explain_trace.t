# SPDX-License-Identifier: GPL-2.0-or-later
# The parts of wake-ups beside the kernel's own trace of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Beside;
use Cases;
use Test::More;

my @CASES = map { beside_the_trace($_) } qw(nanosleep rtc);

subtest $_ => \&check_cases, "explain-trace-$_", $_, \@CASES, shift => 0 for qw(stock rt);

done_testing;
