# SPDX-License-Identifier: GPL-2.0-or-later
# The static program measures on a board that has busybox alone, and realfeel-analyze reads its report elsewhere.
# REALFEEL=FILE in the environment: that static program, such as one with another C library.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Debian qw(find_program);
use Measuring;
use RunCommand qw(run file_of);
use Test::More;

my $ROOT    = "$FindBin::Bin/../..";
my $program = $ENV{REALFEEL} // "$ROOT/build/static/realfeel";

sub check_alone {
    my ($left) = @_;
    is($left->{found}, '', 'no C library, no loader, no Perl are there');
    like($left->{stderr}, qr/^lateness  p50 \d/m, 'the figures are printed there');
    like($left->{stderr}, qr/^run       \w/m, 'and the verdict');
    my $report = file_of("$ROOT/build/guest/alone.hist", $left->{report});
    my ($status, $said, $error) = run("$ROOT/analyze/realfeel-analyze", $report);
    is($status, 0, 'it is analyzed elsewhere') or diag $error;
    like($said, qr/\b20,?480\b/, 'all of it');
}

my @found = qw(libc.* libc-* ld-* ld.* perl*);
my $find  = join ' -o ', map { "-name '$_'" } @found;
check_cases('alone', 'stock', [measuring(),
    ['alone', "realfeel -s rtc -n 20480 -o report; status=\$?; find / -xdev $find >found; exit \$status", 0, \&check_alone]],
    alone => [$program, find_program('busybox')]);

done_testing;
