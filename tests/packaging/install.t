#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What is installed works from where it is installed, and is gone when it is uninstalled.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use RunCommand qw(run contents file_of);
use Test::More;

my $destination = tempdir(CLEANUP => 1);
my $prefix = "$destination/opt/rt";
my @where = ("DESTDIR=$destination", 'prefix=/opt/rt');

# The files and folders that are there.
sub all_there {
    my @all;
    find(sub { push @all, $File::Find::name =~ s/^\Q$destination\E//r }, $destination);
    return sort @all;
}

# Folders that every system has, and some of one's own that have the names of ours.
make_path(map { "$prefix/$_" } qw(bin/lib libexec plots etc lib/systemd/system),
    map { "share/$_" } qw(man/man1 man/man5 man/man7 man/man8 bash-completion/completions));
my @before = all_there();

is((run(qw(make -s install-program), @where))[0], 0, 'make install-program');
is_deeply([grep { -f "$destination$_" } all_there()], [map { "/opt/rt/$_" } qw(bin/realfeel
    share/man/man5/realfeel.5 share/man/man7/realfeel-sources.7 share/man/man8/realfeel.8)], 'the program and its three pages, alone');
my (undef, $commands) = run(qw(make -n --always-make install-program), @where);
like($commands, qr/ -c -o /, 'the dry run builds and installs');
unlike($commands, qr/perl|pod2man/, 'no Perl is asked for');

is((run(qw(make -s install), @where))[0], 0, 'make install');
my @installed = grep { -f "$destination$_" } all_there();
is((grep { !m{^/opt/rt/} } @installed), 0, 'everything is below the prefix');

is((run(qw(make -s install-tests), @where))[0], 0, 'make install-tests');
my ($status, $out, $err) = run("$prefix/libexec/realfeel-tests/installed", $prefix);
is($status, 0, 'the installed test passes') or diag $out, $err;

subtest 'what the manual says' => sub {
    my $pages = join '', map { contents($_) } glob "$prefix/share/man/man?/realfeel*";
    my %named = map { $_ => 1 } grep { m{/realfeel/} } $pages =~ m{(/(?:opt|usr|etc)/[\w/.*]*\w)}g;
    is(join(' ', grep { !(() = glob "$destination$_") } sort keys %named), '', 'the manual names only files that exist');
    ok($named{$_},
        "the manual names $_") for map { "/opt/rt/$_" } qw(etc/realfeel/night.conf share/realfeel/schema.json share/realfeel/*.job);
};

# What needs modules in folders, and data.
my $analyze = "$prefix/bin/realfeel-analyze";
my @data = glob 'tests/analyze/data/low-latency*.hist';
like((run($analyze, '--classic', @data))[1], qr/^\s+maximum latency: 1\.3ms$/m, 'a file of 2002');
for (['import', '--format=cyclictest', 'tests/analyze/data/import/cyclictest.txt'], ['compare', @data, @data],
    ['merge', '--period=488281ns', @data, @data],
    ['explain', 'tests/analyze/data/explained.hist']) {
    is((run($analyze, @$_))[0], 0, $_->[0]);
}

is((run(qw(make -s uninstall), @where))[0], 0, 'make uninstall');
is_deeply([all_there()], \@before, 'nothing is left');

my $options = "$prefix/etc/realfeel/night.conf";
make_path("$prefix/etc/realfeel");
file_of($options, "OPTIONS=\n");
is((run('make', '-s', $_, @where))[0], 0, "make $_, where a run has options of one's own") for qw(install uninstall);
is(contents($options), "OPTIONS=\n", 'the options of a run are left');

done_testing();
