# SPDX-License-Identifier: GPL-2.0-or-later
package FakeLinks;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(fake_links);

use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $ROOT = abs_path(dirname(__FILE__) . '/../..');
my $library;

# To be put before a command, and behind other fakes: the settings are those of tests/cli/fake_links.c, in lower case and
# without the prefix, as in fake_links(errno => EPERM).
sub fake_links {
    my %setting = @_;
    return (
        'env', 'ASAN_OPTIONS=verify_asan_link_order=0', (map { "FAKE_LINKS_\U$_\E=$setting{$_}" } sort keys %setting),
        'sh', '-c', 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"', library(),
    );
}

# The library itself, made when it is not there or out of date.
sub library {
    return $library if $library;
    my $path = ($ENV{BUILD} // 'build') . '/fake_links.so';
    system(qw(make -s -C), $ROOT, $path) == 0 or die "make $path failed\n";
    return $library = "$ROOT/$path";
}

1;
