# SPDX-License-Identifier: GPL-2.0-or-later
package Sleeper;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($SLEEPER woken irregular wrong_periods);

use Built qw(built);

use constant IN_A_ROW => 17;

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

# How often each thread did not sleep until one period after the last time.
sub irregular {
    my ($period_ns, @lines) = @_;
    my (%irregular, %expected_ns);
    for (grep { /^\d+ \d+ \d+ \d+$/ } @lines) {
        my ($thread, $due_ns, $before_ns) = split;
        $irregular{$thread} += $due_ns != ($expected_ns{$thread} // $due_ns) || $before_ns >= $due_ns;
        $expected_ns{$thread} = $due_ns + $period_ns;
    }
    return \%irregular;
}

# Whether so many samples of a thread must have followed each other by its period that this is inferred. There may be no
# such row where other work takes the CPU.
sub regular {
    my ($part, $irregular) = @_;
    return $part->{samples} >= IN_A_ROW * (2 + $part->{unmatched} + $irregular->{ $part->{thread} });
}

# What is inferred of threads of this period, and is wrong. One that is not regular may seem to have none, or a multiple.
sub wrong_periods {
    my ($period_ns, $irregular, @parts) = @_;
    return map { $_->{inferred_period_ns} // 'none' } grep {
        my $inferred_ns = $_->{inferred_period_ns} // 0;
        regular($_, $irregular) ? $inferred_ns != $period_ns : $inferred_ns % $period_ns;
    } @parts;
}

1;
