# SPDX-License-Identifier: GPL-2.0-or-later
package Drawing;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($analyze $data $plots drawn given picture);

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use Given ();
use RunCommand;
use Svg;

# What the tests of pictures share. They are skipped where there is no gnuplot, and run in a folder of their own.

my $root = abs_path(dirname(__FILE__) . '/../../..');
our $data    = "$root/tests/analyze/data";
our $plots   = "$root/plots";

plan skip_all => 'gnuplot is not installed' unless grep { -x "$_/gnuplot" } split /:/, $ENV{PATH};
chdir tempdir(CLEANUP => 1) or die $!;

# The bytes of x.FORMAT: a picture of that kind, which is drawn without a word.
sub picture {
    my ($format, $kind, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'plot', $kind, '-o', "x.$format", @arguments);
    is("$status $out$err", '0 ', "$kind.$format of @arguments: drawn without a word");
    return contents("x.$format");
}

# An SVG, to be read back.
sub drawn { return Svg->new(picture('svg', @_)) }

# What gnuplot would get to draw that: an object of Given, which has its texts, too.
sub given {
    my @arguments = @_;
    return (Given::given_by(sub { picture('svg', @arguments) }))[0];
}

1;
