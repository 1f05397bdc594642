# SPDX-License-Identifier: GPL-2.0-or-later
# The table of figures is whole, and says of what is counted rather than timed what it must.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Test::More;

my $ROOT  = "$FindBin::Bin/../..";
my $BUILD = $ENV{BUILD} // 'build';

my @FIGURES = (
    'instructions a sample', 'time added to the wait, ns', 'page faults in the loop', 'voluntary switches a sample',
    'memory locked, MB', 'memory resident, MB', 'exit status, 8 MiB lockable', 'run of one sample, ms',
    'interrupt to report, ms', 'periods 1 ms late and more', 'median lateness, us',
);

plan skip_all => 'cyclictest not found: apt-get install rt-tests' if !grep { -x "$_/cyclictest" } split /:/, $ENV{PATH};
plan skip_all => 'no right to real-time scheduling: run as root' if system 'chrt -f 99 true 2>/dev/null';
plan skip_all => 'the sanitizers are in the program'             if is_sanitized();
plan skip_all => 'instructions are only counted on x86-64'       if `uname -m` ne "x86_64\n";

# Rows by their labels: the values of cyclictest, (bare), monotonic, (tsc), which is "-" where the counter is not to be trusted.
sub figures {
    my ($table) = @_;
    return map { /^(\S.*?)\s{2,}(\S+)\s+(\S+)\s+(\S+)\s+(\S+)/ ? ($1 => [$2, $3, $4, $5]) : () } split /\n/, $table;
}

is(system(qw(make -s -C), $ROOT, "build=$BUILD", 'bench-tools'), 0, 'the helpers are built');
my $table = qx{$ROOT/tests/bench/run --quick};
is($?, 0, 'exit status') or BAIL_OUT('no table');
note $table;
my %figure = figures($table);
for my $name (@FIGURES) {
    my ($cyclictest, undef, $monotonic) = @{$figure{$name} // []};
    like($_ // 'nothing', qr/^-?\d+(?:\.\d+)?$/, "$name: a number") for $cyclictest, $monotonic;
}
is($figure{'page faults in the loop'}[2], 0, 'no page fault');
cmp_ok($figure{'instructions a sample'}[2], '<', $figure{'instructions a sample'}[0], 'fewer instructions than cyclictest');

SKIP: {
    my $explain = qx{$ROOT/tests/bench/explain --quick 2>&1};
    chomp(my $reason = $explain);
    skip $reason, 3 if $? >> 8 == 4;
    is($?, 0, 'exit status of what --explain costs');
    my $number = qr/ +[-+]?\d+\.\d/;
    like($explain, qr/^median lateness here, us$number{4}$/m, 'the median lateness at each level');
    like($explain, qr/^  - off, by its own report$number{3}$/m, 'what each adds');
    note $explain;
}

SKIP: {
    my ($gawk) = grep { -x "$_/gawk" } split /:/, $ENV{PATH};
    $gawk or $ENV{CI} or skip 'gawk not found: apt-get install gawk', 1;
    my $analysis = qx{$ROOT/tests/bench/analysis --quick};
    is($?, 0, 'exit status of the figures of the analysis');
    my @rows = $analysis =~ /^ *\S.*? +(?:\d+\.\d\d|-) +\d+(?:\.\d\d)? .* (?:met|missed)$/mg;
    is(scalar @rows, 13, 'each figure has its mark') or diag $analysis;
}

done_testing;
