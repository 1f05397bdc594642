# SPDX-License-Identifier: GPL-2.0-or-later
# The reports that are kept as examples are those of README's table, and the pictures of the gallery are of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib", "$FindBin::Bin/../lib";
use File::Basename qw(basename);
use LabTable qw(table);
use RunCommand qw(contents);
use Test::More;

my $ROOT   = "$FindBin::Bin/../..";
my $readme = contents("$ROOT/README");

my @examples = glob "$ROOT/tests/lab/examples/*.hist";
cmp_ok(scalar @examples, '>=', 6, 'the examples');
for my $file (@examples) {
    my ($kernel, $load, $source) = basename($file) =~ /^(\w+)-(idle|loaded)-(\w+)\.hist$/ or fail("$file: its name");
    my $table = table({kernel => $kernel, load => $load, source => $source, file => $file, failure => ''});
    my (undef, $heading, $line) = split /\n/, $table;
    my ($section) = $readme =~ /^ *\Q$heading\E\n((?:     .*\n)*)/m;
    like($section // '', qr/^ *\Q$line\E$/m, basename($file) . ' is in the table');
}

my ($drawn) = contents("$ROOT/plots/gallery/draw") =~ /^(draw .*)/ms;
my %picture = map { $_ => 1 } $drawn =~ /^\s*draw "?([\w-]+?)-?"?(?:\$kind"?)? /mg;
my @pictures = map { basename($_, '.png') } glob "$ROOT/plots/gallery/*.png";
is_deeply([grep { my $name = $_; !grep { $name =~ /^\Q$_\E/ } keys %picture } @pictures], [], 'each picture is drawn');
cmp_ok(scalar(grep { /^figure[1-7]-/ } @pictures), '==', 7, 'seven figures');
cmp_ok($_, '<', 200_000, 'a picture is small') for map { -s } glob "$ROOT/plots/gallery/*.png";
for my $file (map { "$ROOT/tests/lab/examples/$_" } $drawn =~ m{\$today/([\w.-]+)}g) {
    ok(-e $file, basename($file) . ' is there to be drawn');
}

done_testing;
