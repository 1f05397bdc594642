#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# There is one version, that of the analyzer's Options; what has to write it down in a form of its own has the same.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use RunCommand qw(run contents);
use Test::More;

my ($version) = (run('analyze/realfeel-analyze', '--version'))[1] =~ /^realfeel-analyze (\d+\.\d+)$/;
is((run('./realfeel', '--version'))[1], "realfeel $version\n", 'the program has the version');

# The first mention in each.
my @FORMS = (
    ['CHANGES' => qr/^(\S+), \d{4}-\d\d-\d\d$/m],
    ['packaging/debian/changelog' => qr/\Arealfeel \((\S+)-\d+\) /],
    ['packaging/realfeel.spec' => qr/^Version:\s+(\S+)$/m],
    ['packaging/alpine/APKBUILD' => qr/^pkgver=(.*)$/m],
    ['packaging/buildroot/realfeel.hash' => qr/ realfeel-(.*)\.tar\.gz$/m],
    ['packaging/buildroot/realfeel.mk' => qr/^REALFEEL_VERSION = (.*)$/m],
    ['packaging/openwrt/Makefile' => qr/^PKG_VERSION:=(.*)$/m],
    ['packaging/realfeel.spec' => qr/^%changelog\n\* .* - (\S+)-\d+$/m],
);

for (@FORMS) {
    my ($path, $form) = @$_;
    is((contents($path) =~ $form)[0], $version, $path);
}
is(join(' ', glob 'packaging/yocto/*.bb'), "packaging/yocto/realfeel_$version.bb", 'the recipe of Yocto has the version in its name');

done_testing();
