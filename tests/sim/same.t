# SPDX-License-Identifier: GPL-2.0-or-later
# A simulated run is the same each time: what it prints, its report, and each event to the nanosecond. RUNS=500 of the
# environment repeats it that many times.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(uniq);
use Sim;
use Test::More;

my $RUNS = $ENV{RUNS} // 20;

# With all that there is to go wrong: several meters, two kinds of source, a load, kills, a stop, the RTC.
my %RUN = (
    'two CPUs, the keeper killed' =>
        [[qw(-s nanosleep -f 500 -d 2s -C 1s -o report -a), '0,1'], 'set seed 7', '1.5 KILL keeper'],
    'a ring with a load, the standby killed' =>
        [[qw(-s ring --processes=3 -d 200ms -o report), actor(qw(fork session sleep=1 again))], 'set seed 3', '0.1 KILL standby'],
    'the RTC, stopped' =>
        [[qw(-f 512 -d 2s -o report)], 'set rtc /dev/rtc0', 'set seed 5', '0.5 STOP meter0', '1 CONT meter0'],
    'a waker, and who comes first is drawn' =>
        [[qw(-s thread -f 500 -d 1s -o report)], 'set seed 5', 'set order 9', '0.5 KILL meter0'],
);

for my $name (sort keys %RUN) {
    my ($options, @script) = @{ $RUN{$name} };
    my @runs = map { simulate($options, script => \@script) } 1 .. $RUNS;
    for my $what (qw(status out err report log)) {
        is(scalar(uniq(map { $_->{$what} } @runs)), 1, "$name: one $what");
    }
}

my ($one, $other) = map { simulate([qw(-s nanosleep -n 100 -o report)], script => ["set seed $_"]) } 1, 2;
isnt($one->{report}, $other->{report}, 'two seeds make two reports');

done_testing;
