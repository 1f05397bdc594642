#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The program is built without a warning as distributions and embedded systems may do, and measures.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use RunCommand qw(contents run);
use Test::More;

# Variables of another make are not for this one.
delete @ENV{grep { /^(?:MAKE|CFLAGS|LDFLAGS|CPPFLAGS)/ } keys %ENV};
my $folder = tempdir(CLEANUP => 1);
chomp(my $cpus = `nproc`);

sub builds {
    my ($path, @make) = @_;
    my ($status, undef, $err) = run(qw(make -s WERROR=1 -j), $cpus, @make);
    is($status, 0, 'the program is built') or diag $err;
    my ($measured, $report) = run($path, qw(-q --best-effort -s nanosleep -n 200 -o -));
    is($measured, 0, 'the program measures');
    like($report, qr/^# samples: 200$/m, 'the program reports');
}

for (['gcc', '-O0 -g'], ['gcc', '-O3 -flto=auto'], ['clang', '-O1']) {
    my ($compiler, $cflags) = @$_;
  SKIP: {
        my $build = "$folder/" . "$compiler $cflags" =~ s/\W+/_/gr;
        skip "$compiler is missing: it is another compiler", 1 if (run($compiler, '--version'))[0];
        subtest "$compiler $cflags" => \&builds, "$build/realfeel", "build=$build", "CC=$compiler", "CFLAGS=$cflags",
            "$build/realfeel";
    }
}

# As README tells for a board.
my $static = "$folder/static/realfeel";
subtest 'make static' => \&builds, $static, 'static', "build=$folder", 'LDLIBS=-lm';
like((run('readelf', '-ldS', $static))[1], qr/no dynamic section/, 'a static program needs no library');
unlike((run('readelf', '-S', $static))[1], qr/\.symtab|\.debug/, 'a static program is stripped');

done_testing();
