#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What is installed works from where it is installed, and is gone when it is uninstalled.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Find qw(find);
use File::Temp qw(tempdir);
use RunCommand qw(run contents);
use Test::More;

my $destination = tempdir(CLEANUP => 1);
my @where = ("DESTDIR=$destination", 'prefix=/opt/rt');

sub files {
    my @files;
    find(sub { push @files, $File::Find::name =~ s/^\Q$destination\E//r if -f }, $destination);
    return sort @files;
}

is((run(qw(make -s install), @where))[0], 0, 'make install');
my @installed = files();
is((grep { !m{^/opt/rt/} } @installed), 0, 'everything is below the prefix');
for my $page (qw(man1/realfeel-analyze.1 man5/realfeel.5 man8/realfeel.8)) {
    ok((grep { m{/share/man/\Q$page\E$} } @installed), $page);
}

for my $name (qw(stress-kernel.job schema.json)) {
    ok((grep { m{/share/realfeel/\Q$name\E$} } @installed), $name);
}

my ($status, $out) = run("$destination/opt/rt/bin/realfeel", '--version');
is($status, 0, 'the program runs');
my @data = glob 'tests/analyze/data/low-latency*.hist';
($status, $out) = run("$destination/opt/rt/bin/realfeel-analyze", '--classic', @data);
is($status, 0, 'the analyzer finds its modules');
like($out, qr/^\s+maximum latency: 1\.3ms$/m, 'and works');
is((run("$destination/opt/rt/bin/realfeel-analyze", qw(export --format=csv), @data))[0], 0, 'and those in folders');
my $text = 'tests/analyze/data/import/cyclictest.txt';
is((run("$destination/opt/rt/bin/realfeel-analyze", qw(import --format=cyclictest), $text))[0], 0, 'of imports, too');
for (['compare', @data, @data], ['merge', '--period=488281ns', @data, @data], ['tail', 'tests/analyze/data/tail.hist'],
    ['report', @data]) {
    my ($command, @arguments) = @$_;
    is((run("$destination/opt/rt/bin/realfeel-analyze", $command, @arguments))[0], 0, $command);
}

is((run(qw(make -s uninstall), @where))[0], 0, 'make uninstall');
is_deeply([files()], [], 'nothing is left');

my ($version) = contents('Makefile') =~ /^VERSION = (\S+)$/m;
like(contents('packaging/realfeel.spec'), qr/^Version:\s+\Q$version\E$/m, 'the package has the version of the program');

done_testing();
