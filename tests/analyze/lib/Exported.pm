# SPDX-License-Identifier: GPL-2.0-or-later
package Exported;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(export exported json);

use Analyzer;
use JSON::PP ();
use RunCommand qw(run);
use Test::More;

# Reports in the formats of other programs, as "realfeel-analyze export" writes them.

# A format, and more arguments. Returns what run() does.
sub export { return run($analyze, 'export', "--format=$_[0]", @_[1 .. $#_]) }

# One test: a file is exported without a word. Returns the text.
sub exported {
    my ($format, $file) = @_;
    my ($status, $out, $err) = export($format, $file);
    is("$status $err", '0 ', "$format of $file");
    return $out;
}

sub json { return JSON::PP->new->utf8->decode(exported(@_)) }

1;
