# SPDX-License-Identifier: GPL-2.0-or-later
package Seed;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(USUAL cases seed);

use Test::More ();

use constant USUAL => 20_020_701;

# Seeds rand, prints the seed and returns it. It is SEED of the environment; else $fixed, for bounds that fail now and
# then by chance; else the time if CHECK_ALL is set, and otherwise always the same. Create temporary folders before:
# File::Temp draws their names, and draws again if another test has the same.
sub seed {
    my ($fixed) = @_;
    my $seed = $ENV{SEED} // $fixed // ($ENV{CHECK_ALL} ? time : USUAL);
    srand $seed;
    Test::More::diag("SEED=$seed");
    return $seed;
}

# The cases of a random test, each the seed that it is to call srand with, and to name where it fails: 1 to $few, and
# those that have @found a defect; $many others, if CHECK_ALL is set; or SEED of the environment alone.
sub cases {
    my ($few, $many, @found) = @_;
    return $ENV{SEED} if defined $ENV{SEED};
    return (1 .. $few, @found, $ENV{CHECK_ALL} ? map { 1_000_000 * (1 + time % 1000) + $_ } 1 .. $many : ());
}

1;
