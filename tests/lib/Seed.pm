# SPDX-License-Identifier: GPL-2.0-or-later
package Seed;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(USUAL seed);

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

1;
