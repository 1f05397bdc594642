#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# make tells what it does in a line for each file; who wants to see the commands gets them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use RunCommand qw(contents file_of run);
use Test::More;

# Variables of another make are not for this one.
delete @ENV{grep { /^(?:MAKE|CFLAGS|LDFLAGS|CPPFLAGS)/ } keys %ENV};
my $build = tempdir(CLEANUP => 1);

# What it prints: nothing is compiled.
sub made {
    return run('make', @_, "build=$build", 'CC=true', "$build/base/units.o");
}

is_deeply([made()], [0, "CC src/base/units.c\n", ''], 'a line for a file');
is_deeply([made('-j2')], [0, "CC src/base/units.c\n", ''], 'make -j2 prints a line for a file');
is_deeply([made('-s')], [0, '', ''], 'make -s prints nothing');
like((made('V=1'))[1], qr/^\S+ .* -c -o \S+ src\/base\/units\.c$/m, 'V=1: the command');


# How others call a compiler, and name a library of theirs.
sub told { return (run(qw(make -n V=1 --always-make), "build=$build", @_))[1] }

like(told('CROSS_COMPILE=arm-', "$build/main.o"), qr/^arm-gcc .* -c /m, 'CROSS_COMPILE prefixes gcc');
like(told('CROSS_COMPILE=arm-', 'CC=tcc', "$build/main.o"), qr/^tcc .* -c /m, 'CC is not prefixed by CROSS_COMPILE');
like(told('CROSS_COMPILE=arm-', "$build/program.a"), qr/^arm-ar rcs /m, 'CROSS_COMPILE: ar, too');
like(told(qw(LDFLAGS=-L/there LDLIBS=-lown), "$build/realfeel"), qr{ -L/there -o .* -lown$}m, 'LDFLAGS, LDLIBS');

file_of("$build/calls.t", "use Test::More; is(`make -s build=$build $build/man/realfeel-try.1 2>&1`, '', 'no warning'); done_testing;\n");
is((run(qw(make -sj2 check unit_tests=), "programs=$build/man/realfeel-try.1", "build=$build", "tests=$build/calls.t"))[0], 0,
    'a test calls make in make -j2 check');

my $none = qr/^\t(?!\$\(call told,|\$\(if \$\(filter 1,\$\(V\)).*\$\((?:all|test)_cflags\)/m;
unlike($_, $none, 'no rule compiles without telling so') for map { contents($_) }
    qw(Makefile tests/bench/rules.mk tests/statistics/rules.mk);

done_testing;
