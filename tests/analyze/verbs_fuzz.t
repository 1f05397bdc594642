# SPDX-License-Identifier: GPL-2.0-or-later
# Every command, given reports that were damaged at random: it answers or refuses within ten seconds and 500 MB, without a
# warning of Perl, and nothing that it prints steers a terminal. MUTATIONS=N in the environment: N reports;
# SEED=N repeats a run, and CASE=N one of its reports, which is then kept.
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

my $count = $ENV{CASE} ? 1 : $ENV{MUTATIONS} // ($ENV{CHECK_ALL} ? 500 : 50);

# A process that ends, for want of memory or otherwise, is followed by another one.
my $dir = tempdir(CLEANUP => !$ENV{CASE});
my $seed = seed();
my $next = $ENV{CASE} // 1;
my ($last, @faults) = ($next + $count - 1);
while ($next <= $last) {
    my @command = ($^X, "$FindBin::Bin/lib/mutated", $next, $last, $seed, $dir);
    open my $in, '-|', 'sh', '-c', 'ulimit -v "$1"; shift; exec "$@"', 'sh', KB, @command or die $!;
    while (<$in>) {
        $next = $1 if /^case (\d+)/;
        push @faults, $_ if /^fault/;
    }
    push @faults, "fault $next: the process ended with status $?\n" unless close $in;
    $next++;
}
is(join('', @faults[0 .. min(TOLD, scalar @faults) - 1]), '', 'each is answered or refused');
diag scalar(@faults) . ' faults' if @faults;
diag "the report is $dir/x.hist" if $ENV{CASE};
done_testing;
