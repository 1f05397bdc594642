#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The program is built without a warning as distributions and embedded systems may do, and measures.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use RunCommand qw(run);
use Test::More;

# Other makes, and what they were told, are not ours.
delete @ENV{grep { /^(?:MAKE|CFLAGS|LDFLAGS|CPPFLAGS)/ } keys %ENV};
my $folder = tempdir(CLEANUP => 1);

for (['gcc', '-O0 -g', '-static'], ['gcc', '-O3 -flto=auto', ''], ['clang', '-O1', '']) {
    my ($compiler, $cflags, $ldflags) = @$_;
  SKIP: {
        my $build = "$compiler $cflags $ldflags" =~ s/\W+/_/gr;
        skip "$compiler is missing: it is another compiler", 1 if (run($compiler, '--version'))[0];
        subtest "$compiler $cflags $ldflags" => sub {
            my ($status, undef, $err) = run(qw(make -s WERROR=1), "build=$folder/$build", "CC=$compiler", "CFLAGS=$cflags",
                "LDFLAGS=$ldflags", "$folder/$build/realfeel");
            is($status, 0, 'built') or diag $err;
            my ($measured, $report) = run("$folder/$build/realfeel", qw(-q --best-effort -s nanosleep -n 200 -o -));
            is($measured, 0, 'measures');
            like($report, qr/^# samples: 200$/m, 'and reports');
        };
    }
}

done_testing();
