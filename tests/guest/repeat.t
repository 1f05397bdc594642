# SPDX-License-Identifier: GPL-2.0-or-later
# A measurement in virtual time is the same again, also on a host that is busy with other things.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use RunLab;
use Test::More;

# How much the same. On the host where this was written the reports are the same byte for byte.
use constant TOLERANCE => 0.02;

needs_guests('stock', 'rt');

my @GUESTS = qw(rt-loaded full-loaded);
my $directory = "$FindBin::Bin/../../build/guest/repeat";

sub measured {
    my ($when) = @_;
    my ($status, $said) = run_lab('-j', 1, '-n', 4096, '-o', "$directory-$when", @GUESTS);
    is($status, 0, "$when: exit status");
    note($said);
}

sub busy {
    my $pid = fork // die "fork: $!";
    return $pid if $pid;
    alarm 600;
    1 while 1;
}

sub close_to {
    my ($again, $first, $name) = @_;
    cmp_ok(abs($again - $first), '<=', TOLERANCE * $first, "$name: $first, and again $again");
}

measured('first');
my @busy = map { busy() } 1, 2;
measured('busy');
kill KILL => @busy;
waitpid $_, 0 for @busy;

for my $run (map { my $guest = $_; map { "$guest-$_" } qw(rtc nanosleep) } @GUESTS) {
    my ($first, $again) = map { statistics("$directory-$_/$run.hist") } qw(first busy);
    close_to($again->{$_}, $first->{$_}, "$run: $_") for qw(samples missed p50 p99 p99.9 p99.99 max);
}

done_testing;
