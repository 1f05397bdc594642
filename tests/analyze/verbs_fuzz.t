# SPDX-License-Identifier: GPL-2.0-or-later
# Every command, given reports that were damaged at random: it answers or refuses within ten seconds and 500 MB, without a
# warning of Perl, and nothing that it prints steers a terminal. With SEED=N the report of that case is kept.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(min);
use Seed;
use Test::More;

use constant {
    KB    => 500_000,
    TOLD  => 5,
};

# A process that ends, for want of memory or otherwise, is followed by another one.
my $dir = tempdir(CLEANUP => !defined $ENV{SEED});
my @cases = cases(60, 500);
my @faults;
while (@cases) {
    my $case;
    open my $in, '-|', 'sh', '-c', 'ulimit -v "$1"; shift; exec "$@"', 'sh', KB, $^X, "$FindBin::Bin/lib/mutated", $dir, @cases
        or die $!;
    while (<$in>) {
        $case = shift @cases if /^case/;
        push @faults, $_ if /^fault/;
    }
    push @faults, "fault ${\ ($case // shift @cases)}: the process ended with status $?\n" unless close $in;
}
is(join('', @faults[0 .. min(TOLD, scalar @faults) - 1]), '', 'each damaged report is answered or refused');
diag scalar(@faults) . ' faults' if @faults;
diag "the report is $dir/x.hist" if defined $ENV{SEED};
done_testing;
