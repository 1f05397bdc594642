#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The program builds, and its unit tests pass, for machines of 32 and 64 bits and of either byte order.
use strict;
use warnings;
use Test::More;

# How the emulator and the compiler name each.
my @machines = (
    [aarch64 => 'aarch64-linux-gnu'],
    [riscv64 => 'riscv64-linux-gnu'],
    [ppc64le => 'powerpc64le-linux-gnu'],
    [s390x   => 's390x-linux-gnu'],       # big-endian
    [arm     => 'arm-linux-gnueabihf'],
    [i386    => 'i686-linux-gnu'],
);

# Static, for there need not be a C library to run with; that dlopen() then finds less is no news. A test's own
# clock_gettime() meets the library's, and goes before it.
my $ldflags = '-static -Wl,--no-warnings,-z,muldefs';

chomp(my $cpus = `nproc`);

sub missing { return grep { system "command -v $_ >/dev/null" } @_ }

for my $machine (@machines) {
    my ($name, $triplet) = @$machine;
    my ($compiler, $emulator, $build) = ("$triplet-gcc", "qemu-$name", "build/cross/$name");
    my @make = (
        'make', '-s', '-j', $cpus, "CC=$compiler", "LDFLAGS=$ldflags", "build=$build", "PROVE=prove -j $cpus -e $emulator",
    );
  SKIP: {
        if (my @missing = missing($compiler, $emulator)) {
            fail("$name: @missing must be installed in CI") if $ENV{CI};
            skip "$name: not installed: @missing", 2;
        }
        is(system(@make, "$build/realfeel"), 0, "$name: the program builds");
        is(system(@make, 'check-unit'), 0, "$name: its unit tests pass");
    }
}

done_testing();
