# SPDX-License-Identifier: GPL-2.0-or-later
package Sleeper;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($SLEEPER woken);

use Built qw(built);

# The program whose threads are measured as those of another: it tells how it is called, and what it prints.
our $SLEEPER = built('sleeper');

# How often each thread woke up, at most and at least: a sleep that began when it was due already may have been none.
sub woken {
    my (%most, %least);
    for (grep { /^\d+ \d+ \d+ \d+$/ } @_) {
        my ($thread, $due_ns, $before_ns) = split;
        $most{$thread}++;
        $least{$thread} += $before_ns < $due_ns;
    }
    return (\%most, \%least);
}

1;
