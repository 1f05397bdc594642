# SPDX-License-Identifier: GPL-2.0-or-later
# The reports that are kept as examples are of the runs in the laboratory's table, and the pictures of the gallery are of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib", "$FindBin::Bin/../lib";
use File::Basename qw(basename);
use LabTable qw(digits range statistics);
use Realfeel::Model::Report;
use RunCommand qw(contents);
use Test::More;

my $ROOT   = "$FindBin::Bin/../..";
my $readme = contents("$ROOT/tests/lab/README");

my @examples = glob "$ROOT/tests/lab/examples/*.hist.gz";
cmp_ok(scalar @examples, '>=', 6, 'six examples or more are kept');
for my $file (@examples) {
    my ($kernel, $load, $source) = basename($file) =~ /^(\w+)-(idle|loaded)-(\w+)\.hist\.gz$/ or fail("$file: its name");
    my $statistics = statistics($file);
    my $heading = "$kernel: Linux $statistics->{kernel_release}, preemption $statistics->{preemption}";
    my ($section) = $readme =~ /^ *\Q$heading\E\n((?:     .*\n)*)/m;
    my ($line) = ($section // '') =~ /^ *$load +$source +(.*)$/m;
    subtest basename($file) . ' is in the table' => sub { in_the_table($line // '', $file, $statistics) };
}

# Of the runs the table has the range. The percentiles of all of them together lie in it.
sub in_the_table {
    my ($line, $file, $statistics) = @_;
    my ($missed, @cells) = split ' ', $line;
    my $max = pop @cells;
    is($missed, range('%d', @{Realfeel::Model::Report->read($file)->columns('runs')->{missed}}),
        'the table has the range of missed periods');
    is($max, digits($statistics->{max}[0]), 'the table has the maximum');
    for my $percentile (qw(p50 p99 p99.9)) {
        my ($median, $range) = splice @cells, 0, 2;
        my ($low, $high) = split /-/, $range // '0-0';
        my $value = digits($statistics->{$percentile}[0]);
        cmp_ok($low, '<=', $_, "$percentile: $_ is in the range") && cmp_ok($_, '<=', $high,
            "$percentile: $_ is not above the range") for $median, $value;
    }
}

my $draw = contents("$ROOT/plots/gallery/draw");
my %picture = map { $_ => 1 } $draw =~ /^\s*(?:draw|figure) "?([\w-]+?)-?"?(?:\$kind"?)? /mg;
my @pictures = map { basename($_, '.png') } glob "$ROOT/plots/gallery/*.png";
is_deeply([grep { my $name = $_; !grep { $name =~ /^\Q$_\E/ } keys %picture } @pictures], [], 'each picture is drawn');
cmp_ok(scalar(grep { /^figure[1-7]-/ } @pictures), '==', 7, 'seven figures');
cmp_ok($_, '<', 200_000, 'a picture is small') for map { -s } glob "$ROOT/plots/gallery/*.png";
my %folder = (today => 'tests/lab/examples', old => 'tests/analyze/data');
while ($draw =~ m{\$(today|old)/([\w.-]+\.hist(?:\.gz)?)}g) {
    ok(-e "$ROOT/$folder{$1}/$2", "$2 is there to be drawn");
}

# Of 2002, one kernel alone or two over each other, and all four; and as many of today.
my %of_2002 = $draw =~ m{^(\w+)=\$old/(\S+)-2\.4\.17\.hist$}mg;
is_deeply([sort values %of_2002], [qw(low-latency preempt preempt-lolat vanilla)], 'the four runs of 2002');
my @figures = $draw =~ /^figure figure\d-.*\\\n\t(.*)/mg;
is_deeply([map { scalar(() = /\$(?!today\/)\w+/g) } @figures], [1, 1, 1, 2, 1, 2, 1], 'each figure has as many curves as in 2002');
is_deeply([map { scalar(() = /\$today\//g) } @figures],          [1, 1, 1, 2, 1, 2, 1], 'each figure has as many curves of today');
is_deeply([grep { my $run = $_; !grep { /\$$run / } @figures } sort keys %of_2002], [], 'each run of 2002 is in a figure');

done_testing;
