# SPDX-License-Identifier: GPL-2.0-or-later
# What programs of tests/machine find: the kernel's records of a process that sleeps, in our rings, and the counter of the CPU
# beside a clock that is slewed.
package Records;
use strict;
use warnings;

use Built qw(built);
use Config;
use HostKernel qw(lacking);
use RunCommand qw(contents run);
use Tries;

my @PROGRAMS = (
    ['records of perf',     'perf_ring_kernel',  sub { lacking(qw(real-time perf switches)) }],
    ['records of programs', 'perf_ring_program', sub { lacking(qw(real-time perf programs)) }],
    ['a slewed clock',      'slew',              \&no_counter],
);

sub properties {
    return map {
        my ($name, $program, $lacks) = @$_;
        { name => $name, cases => [{ name => '', lacks => $lacks, try => sub { found($program) } }] };
    } @PROGRAMS;
}

# The kernel's own clock is one when it trusts it. The test's own clock takes the place of one with 64 bits.
sub no_counter {
    return "$Config{longsize} bytes in a long" if $Config{longsize} < 8;
    my $source = contents('/sys/devices/system/clocksource/clocksource0/current_clocksource') =~ s/\n//r;
    return $source eq 'tsc' || $source eq 'arch_sys_counter' ? '' : "clocksource: $source";
}

sub found {
    my ($name) = @_;
    my ($status, $out, $err) = run(built("machine/$name"));
    my @faults = $out =~ /^not ok \d+ - (.*)/mg;
    return @faults ? @faults : differs('exit status', "$status $err", '0 ');
}

1;
