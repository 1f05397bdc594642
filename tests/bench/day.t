# SPDX-License-Identifier: GPL-2.0-or-later
# However long a run on 128 CPUs is, its report and the keeper stay within bounds: a day of it, simulated, beside one CPU;
# 36.39 hours, just before neighbouring slices are added together, when there are most of them; and 40 hours.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Test::More;

my $ROOT  = "$FindBin::Bin/../..";
my $BUILD = $ENV{BUILD} // 'build';

use constant { HEADER => 4000, MB => 1e6 };

plan skip_all => 'the sanitizers are in the program' if is_sanitized();

is(system(qw(make -s -C), $ROOT, "build=$BUILD", "$BUILD/bench/day"), 0, 'the simulation is built');
for ([128, 24, 40, 512], [128, 36.39, 40, 512], [128, 40, 40, 512], [1, 24, 10, 32], [1, 40, 10, 32]) {
    my ($cpus, $hours, $file_mb, $keeper_mb) = @$_;
    my ($bytes, $resident_kb, $print_s, $add_s) = split ' ', qx{$ROOT/$BUILD/bench/day $cpus $hours};
    is($?, 0, "$hours hours, CPUs: $cpus");
    cmp_ok(($bytes + HEADER * $cpus) / MB, '<', $file_mb, "is a file of less than $file_mb MB");
    cmp_ok($resident_kb * 1024 / MB, '<', $keeper_mb, "and a keeper of less than $keeper_mb MB");
    note "$bytes bytes, $resident_kb kB resident; $print_s s of CPU time to print it, $add_s s for the buffers of a second";
}

done_testing;
