# SPDX-License-Identifier: GPL-2.0-or-later
package MarkedLoad;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(load processes_of_load none_is_left);

use RunCommand qw(contents);
use Test::More;

# The last words of a command: a load that does what the shell is told. All that comes of it carries this in its
# environment, and our processes do not.
sub load {
    my ($script) = @_;
    return ('--', 'env', mark(), 'sh', '-c', $script);
}

sub mark { return "REALFEEL_TEST_LOAD=$$" }

sub processes_of_load {
    my $mark = mark();
    return grep { (eval { contents("$_/environ") } // '') =~ /(?:^|\0)$mark\0/ } glob '/proc/[0-9]*';
}

# One test, after which none is left.
sub none_is_left {
    my @left = processes_of_load();
    is("@left", '', 'nothing of the load is left');
    kill KILL => map { m{(\d+)$} } @left;
}

1;
