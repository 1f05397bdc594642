#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# make tells what it does in a line for each file; who wants to see the commands gets them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use RunCommand qw(contents run);
use Test::More;

# Other makes, and what they were told, are not ours.
delete @ENV{grep { /^(?:MAKE|CFLAGS|LDFLAGS|CPPFLAGS)/ } keys %ENV};
my $build = tempdir(CLEANUP => 1);

sub made {
    unlink "$build/base/units.o";
    return run('make', @_, "build=$build", "$build/base/units.o");
}

is_deeply([made()], [0, "CC src/base/units.c\n", ''], 'a line for a file');
is_deeply([made('-j2')], [0, "CC src/base/units.c\n", ''], 'also where files are made side by side');
is_deeply([made('-s')], [0, '', ''], '-s: nothing');
like((made('V=1'))[1], qr/^\S+ .* -c -o \S+ src\/base\/units\.c$/m, 'V=1: the command');

my $none = qr/^\t(?!\$\(call told,|\$\(if \$\(filter 1,\$\(V\)).*\$\(all_cflags\)/m;
unlike($_, $none, 'no rule compiles without telling so') for map { contents($_) }
    qw(Makefile tests/bench/rules.mk tests/statistics/rules.mk);

done_testing;
