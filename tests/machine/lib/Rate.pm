# SPDX-License-Identifier: GPL-2.0-or-later
# How often a property fails, by how often it failed in a number of tries, and from how many failures on that is an alarm.
package Rate;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(at_least interval limit);

use List::Util qw(first sum0);

use constant {
    USUAL       => 0.02,        # a property that holds may fail in so many tries: what else runs on a machine
    FALSE_ALARM => 0.0005,      # the chance of an alarm that such a property may give
    TAIL        => 0.025,       # on either side of a 95 % interval
    STEPS       => 50,          # of a bisection
};

# The chance that $failures or more of $tries fail, where each does with this chance, independently.
sub at_least {
    my ($failures, $tries, $chance) = @_;
    my ($ways, @terms) = (1);
    for my $k (0 .. $tries) {
        push @terms, $ways * $chance**$k * (1 - $chance)**($tries - $k);
        $ways *= ($tries - $k) / ($k + 1);
    }
    return sum0(@terms[$failures .. $tries]);
}

# The chance of a failure, between two bounds with 95 % confidence, after Clopper and Pearson.
sub interval {
    my ($failures, $tries) = @_;
    return (
        $failures ? chance_by(TAIL, $failures, $tries) : 0,
        $failures < $tries ? chance_by(1 - TAIL, $failures + 1, $tries) : 1,
    );
}

# With which chance of a failure there are that many or more with this probability.
sub chance_by {
    my ($probability, $failures, $tries) = @_;
    my ($low, $high) = (0, 1);
    for (1 .. STEPS) {
        my $middle = ($low + $high) / 2;
        at_least($failures, $tries, $middle) < $probability ? $low = $middle : ($high = $middle);
    }
    return $low;
}

# The least number of failures that is an alarm; one more than there are tries if none is.
sub limit {
    my ($tries) = @_;
    return first { at_least($_, $tries, USUAL) <= FALSE_ALARM } 1 .. $tries + 1;
}

1;
