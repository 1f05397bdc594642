# SPDX-License-Identifier: GPL-2.0-or-later
# The wake-ups of the threads of another program, seen from outside, beside their own stamps, each one; which threads are
# measured, and what delays them. In virtual time: an instruction takes a nanosecond.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Seen;
use Test::More;
use Threads;

# How the threads sleep, their policy, and how many they are.
my @THREADS = (
    (map { [nanosleep => $_, 1] } qw(fifo other deadline)), (map { [$_ => 'fifo', 1] } qw(timerfd cond epoll posix)),
    [nanosleep => 'rr', 50], [posix => 'other', 8],
);

for my $flavour (qw(stock rt)) {
    my @cases = ((map { seen($flavour, @$_) } @THREADS), threads_of());
    subtest $flavour => \&check_cases, "task-$flavour", $flavour, \@cases, shift => 0, memory => 1024;
}

done_testing;
