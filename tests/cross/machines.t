#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The program builds, and its unit tests pass, for machines of 32 and 64 bits and of either byte order, for one without
# atomic operations of 64 bits, and with another C library.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use RunCommand qw(contents);
use Test::More;

# What commands print is no TAP of this test, which has a handle of its own, although it may look so.
open STDOUT, '>&', \*STDERR or die "cannot redirect the output of commands: $!\n";

# What Debian's musl-gcc looks for in vain. It takes argp from .ci/argp.
my $scratch = tempdir(CLEANUP => 1);
chomp(my $multiarch = `gcc -print-multiarch`);
symlink "/usr/include/$_", "$scratch/" . s{.*/}{}r for qw(linux asm-generic sound), "$multiarch/asm";

# The name, the compiler, the emulator, and more arguments for make.
my @machines = (
    [aarch64 => 'aarch64-linux-gnu-gcc', 'qemu-aarch64'],
    [riscv64 => 'riscv64-linux-gnu-gcc', 'qemu-riscv64'],
    [ppc64le => 'powerpc64le-linux-gnu-gcc', 'qemu-ppc64le'],
    [s390x   => 's390x-linux-gnu-gcc', 'qemu-s390x'],    # big-endian
    [arm     => 'arm-linux-gnueabihf-gcc', 'qemu-arm'],
    [i386    => 'i686-linux-gnu-gcc', 'qemu-i386'],
    [armel   => 'arm-linux-gnueabi-gcc', 'qemu-arm'],    # its atomic operations of 64 bits are those of libatomic
    [musl    => 'musl-gcc', '', "CPPFLAGS=-idirafter $scratch"],
);

# Static, for there need not be a C library to run with; that dlopen() then finds less is no news. A test's own
# clock_gettime() meets the library's, and goes before it.
my $ldflags = '-static -Wl,--no-warnings,-z,muldefs';

chomp(my $cpus = `nproc`);

sub missing { return grep { system "command -v $_ >/dev/null" } @_ }

for my $machine (@machines) {
    my ($name, $compiler, $emulator, @more) = @$machine;
    my $build = "build/cross/$name";
    my $tools = $compiler =~ /^(.*-linux-.*-)gcc$/ ? "CROSS_COMPILE=$1" : "CC=$compiler";
    my @make = (
        'make', '-s', '-j', $cpus, $tools, "LDFLAGS=$ldflags", "build=$build",
        "PROVE=prove --failures --comments -j $cpus -e '$emulator'", @more,
    );
  SKIP: {
        if (my @missing = missing(grep { $_ } $compiler, $emulator)) {
            fail("$name: @missing must be installed in CI") if $ENV{CI};
            skip "$name: not installed: @missing", 2;
        }
        is(system(@make, "$build/realfeel"), 0, "$name: the program builds");
        is(system(@make, 'check-unit'), 0, "$name: its unit tests pass");
    }
}

# As one file, without symbols.
SKIP: {
    my $program = 'build/cross/musl/realfeel';
    skip 'musl: not built', 1 if !-e $program;
    system('strip', '-o', "$scratch/stripped", $program) == 0 or die "cannot strip $program\n";
    my ($mb) = contents('README') =~ /one file \(.*; musl: ([\d.]+)\)/;
    cmp_ok(abs((-s "$scratch/stripped") / 1e6 - $mb), '<', 0.1 * $mb, 'musl: as large as README says');
}

done_testing();
