# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel records of a process that sleeps, in our rings: tests/machine/perf_ring_kernel.c and perf_ring_program.c.
package Records;
use strict;
use warnings;

use Built qw(built);
use Kernel;
use RunCommand qw(run);
use Tries;

sub properties {
    return (
        { name => 'records of perf',     cases => [{ name => '', lacks => sub { lacking(qw(perf switches)) },
            try => sub { recorded('perf_ring_kernel') } }] },
        { name => 'records of programs', cases => [{ name => '', lacks => sub { lacking(qw(perf programs)) },
            try => sub { recorded('perf_ring_program') } }] },
    );
}

sub recorded {
    my ($name) = @_;
    my ($status, $out, $err) = run(built("machine/$name"));
    my @faults = $out =~ /^not ok \d+ - (.*)/mg;
    return @faults ? @faults : differs('exit status', "$status $err", '0 ');
}

1;
