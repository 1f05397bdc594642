#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The project has one home, which the release sets in all packages: nothing else names one.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Find qw(find);
use RunCommand qw(contents);
use Test::More;

my ($home) = contents('packaging/debian/control') =~ /^Homepage: (\S+)$/m;
like($home, qr{^https://\S+[^/]$}, 'Debian names the home');

my %names;
find({no_chdir => 1, wanted => sub {
    return $File::Find::prune = 1 if m{^\./(?:\.git|tests|build[^/]*)$};
    my $path = $_;
    $names{$_}{$path} = 1 for -f $path ? contents($path) =~ m{(\w+://[\w./-]*realfeel[\w./-]*)}g : ();
}}, '.');
my @strange = grep { !m{^\Q$home\E(?:\.git|/releases\b.*)?$} && $_ ne 'https://realfeel.invalid' } sort keys %names;
is("@strange", '', 'nothing names another home');
my @elsewhere = grep { !m{^\./packaging/} } map { keys %$_ } values %names;
is("@elsewhere", './Makefile', 'Makefile alone names the home outside of packages');

done_testing();
