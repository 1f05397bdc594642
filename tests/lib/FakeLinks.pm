# SPDX-License-Identifier: GPL-2.0-or-later
package FakeLinks;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(fake_links);

use Built qw(built);

# To be put before a command, and behind other fakes: the settings are those of tests/cli/fake_links.c, in lower case and
# without the prefix, as in fake_links(errno => EPERM).
sub fake_links {
    my %setting = @_;
    return (
        'env', 'ASAN_OPTIONS=verify_asan_link_order=0', (map { "FAKE_LINKS_\U$_\E=$setting{$_}" } sort keys %setting),
        'sh', '-c', 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"', built('fake_links.so'),
    );
}

1;
