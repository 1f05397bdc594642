# SPDX-License-Identifier: GPL-2.0-or-later
# Two CPUs are measured at once. They mean real time, and so nothing is said of latencies here, and a run lasts until what
# is done to it is done.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Report qw(whole_parts);
use Test::More;

my $CPU = '/sys/devices/system/cpu/cpu1/online';
my $BOTH = "echo 1 >$CPU";    # a case before may have taken it away

my $KILLED = qr/the measuring process was killed/;
my $MOVED = qr/no longer bound to CPU 1|migrated/;
my $WELL = qr/^(?!.*(?:$KILLED|$MOVED))/;

# Name, what is done to the run (see init; $others is the meter of CPU 1), exit status that the shell sees, and what the
# verdicts of CPU 0 and of CPU 1 are like. A keeper that is stopped does not act between two kills.
my @ENDINGS = (
    ['end',               'kill -INT $keeper',                                  3,       $WELL,   $WELL],
    ['offline',           "echo 0 >$CPU; sleep 3; kill -INT \$keeper",          3,       $WELL,   $MOVED],
    ['kill-meter',        'kill -KILL $others; sleep 3; kill -INT $keeper',     3,       $WELL,   $KILLED],
    ['kill-meters',       'kill -KILL $meter $others',                          3,       $KILLED, $KILLED],
    ['kill-keeper',       'kill -KILL $keeper',                                 128 + 9, $WELL,   $WELL],
    ['kill-meter-keeper', 'kill -STOP $keeper; kill -KILL $meter $keeper',      128 + 9, $KILLED, $WELL],
    ['kill-standby',      'kill -KILL $standby; sleep 1; kill -INT $keeper',    3,       $WELL,   $WELL],
);

sub ending {
    my ($name, $action, $status, @verdicts) = @_;
    my $script = "$BOTH; start -s nanosleep -f 256 -a all -d 1h; begun 2; sleep 1; $action; end";
    return [$name, $script, $status, sub {
        my ($left) = @_;
        my @parts = whole_parts($left->{report} // '');
        is_deeply([map { $_->{part} } @parts], ['1 of 2', '2 of 2'], 'a part for each CPU') or return;
        is_deeply([map { $_->{cpu} } @parts], [0, 1], 'the CPUs that were measured');
        is_deeply([map { $_->{status} } @parts], [('interrupted') x 2], 'status of the parts');
        like($parts[$_]{verdict}, $verdicts[$_], "verdict of CPU $_") for 0, 1;
        my $ahead_s = $parts[0]{duration_s} - $parts[1]{duration_s};
        is($ahead_s > 1.5, $name eq 'kill-meter', 'both are measured to the end, if they can be');
    }];
}

# Only one process may have the RTC.
my @RTC = (
    ['rtc', "$BOTH; realfeel -s rtc -a all -d 1s -o report", 1, sub {
        my ($left) = @_;
        like($left->{stderr}, qr/only one process may have it/, 'the reason');
        is($left->{report}, undef, 'no report');
    }],
    ['auto', "$BOTH; realfeel -a all -f 256 -d 1s -o report", 0, sub {
        my ($left) = @_;
        is_deeply([map { $_->{source} } whole_parts($left->{report} // '')], [('nanosleep') x 2], 'source of the parts');
    }],
);

for my $flavour (qw(stock rt)) {
    subtest $flavour => sub { check_cases("cpus-$flavour", $flavour, [@RTC, map { ending(@$_) } @ENDINGS], cpus => 2) };
}

done_testing;
