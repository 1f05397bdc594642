# SPDX-License-Identifier: GPL-2.0-or-later
package Built;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(built);

use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $ROOT = abs_path(dirname(__FILE__) . '/../..');
my %path;

# What the tests need beside the program, such as hog or fake_rtc.so: where it is. It is made when it is not there or out
# of date; what BUILT of the environment lists, as "make check" has it, was made just now.
sub built {
    my ($name) = @_;
    return $path{$name} if $path{$name};
    my $path = ($ENV{BUILD} // 'build') . "/$name";
    grep { $_ eq $path } split ' ', $ENV{BUILT} // '' or system(qw(make -s -C), $ROOT, $path) == 0 or die "make $path failed\n";
    return $path{$name} = "$ROOT/$path";
}

1;
