# SPDX-License-Identifier: GPL-2.0-or-later
package FakeRoot;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(fake_root);

use Built qw(built);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use RunCommand qw(file_of);

# To be put before a command, and behind fake_rtc(): it finds these files, and all others as they are. What is undef is
# a directory, and the bytes of a reference get no newline. Without a slash in front, a key is a setting of tests/cli/fake_root.c:
# fake_root('/proc/sys/kernel/x' => 1, cpus => 2).
sub fake_root {
    my %machine = @_;
    my $root = delete $machine{root} // tempdir(CLEANUP => 1);
    my %setting = (root => $root);
    for my $key (keys %machine) {
        if ($key =~ m{^/}) { put("$root$key", $machine{$key}) }
        else               { $setting{$key} = $machine{$key} }
    }
    return (
        'env', 'ASAN_OPTIONS=verify_asan_link_order=0', (map { "FAKE_\U$_\E=$setting{$_}" } sort keys %setting),
        'sh', '-c', 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"', built('fake_root.so'),
    );
}

sub put {
    my ($path, $content) = @_;
    make_path(defined $content ? dirname($path) : $path);
    file_of($path, ref $content ? $$content : "$content\n") if defined $content;
}

1;
