# SPDX-License-Identifier: GPL-2.0-or-later
# The C files that the gate does not run compile as well.
use strict;
use warnings;
use Test::More;

my @OPTIONS = (qw(-fsyntax-only -fmax-errors=1 -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -Isrc -Itests/unit), '-DVERSION="0"');

for my $path (sort glob 'tests/{machine,bench}/*.c') {
    is(scalar(qx{exec 2>&1; exec \${CC:-cc} @{[map { "'$_'" } @OPTIONS]} $path}), '', "$path compiles");
}

done_testing;
