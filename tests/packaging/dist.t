#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A release is the same bytes wherever it is packed, holds all that is in the commit, and names the one version.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use RunCommand qw(run contents file_of);
use Test::More;

plan skip_all => 'git is missing: apt-get install git' if system 'command -v git >/dev/null';

my $folder = tempdir(CLEANUP => 1);
$ENV{HOME} = $ENV{XDG_CONFIG_HOME} = $folder;
delete @ENV{grep { /^(?:GIT_|MAKE)/ } keys %ENV};
my ($version) = (run('./realfeel', '--version'))[1] =~ /^realfeel (\S+)$/;
my $name = "realfeel-$version";

# Runs a shell command, which has to succeed, and returns what it prints.
sub shell {
    my ($command) = @_;
    my ($status, $out, $err) = run('/bin/sh', '-ec', $command);
    is($status, 0, $command) or diag $err;
    return $out;
}

sub dist { my ($where, @set) = @_; return run('make', '-sC', "$folder/$where", 'dist', @set) }

subtest 'a repository of these sources, and a clone whose owner likes it otherwise' => sub {
    shell("mkdir $folder/one && tar -c --exclude-vcs --exclude='./build*' . | tar -C $folder/one -x && cp .gitignore $folder/one");
    shell("cd $folder/one && git init -q && git add . && git -c user.name=x -c user.email=x\@y commit -q -m x");
    shell("umask 077; git clone -q $folder/one $folder/two");
    shell("cd $folder/two && git config core.autocrlf true && git config tar.umask 0077 && find . -exec touch -d 2001-01-01 {} +");
    file_of("$folder/attributes", "*.c export-ignore\n");
    file_of("$folder/.gitconfig", "[core]\n\tattributesFile = $folder/attributes\n");
};

subtest 'releases of the same bytes' => sub {
    is((dist('one'))[0], 0, 'a repository is packed');
    local @ENV{qw(TZ GZIP LANG)} = ('Asia/Tokyo', '-1', 'de_DE.UTF-8');
    is((dist('two'))[0], 0, 'a clone is packed');
    my ($one, $two) = map { contents("$folder/$_/$name.tar.gz") } qw(one two);
    ok($one eq $two, 'both releases are the same');
    cmp_ok(length $one, '>', 500_000, 'a release has some size');
    is(shell("cd $folder/one && git status --porcelain"), '', 'packing leaves nothing else');
};

subtest 'a release that is unpacked' => sub {
    shell("tar -C $folder -xpf $folder/one/$name.tar.gz");
    shell("cd $folder/$name && find . -type f | cut -c 3- | LC_ALL=C sort >../unpacked");
    shell("cd $folder/one && git ls-files | LC_ALL=C sort | diff - ../unpacked");
    is(shell("find $folder/$name ! -perm 755 ! -perm 644"), '', 'all modes are the usual ones');
    my ($status, undef, $err) = dist($name);
    isnt($status, 0, 'a release that is no commit is not packed');
    like($err, qr/^make dist: a release is a commit; /m, 'a release that is no commit is refused');
    shell("cd $folder && git init -q");
    isnt((dist($name))[0], 0, 'a release inside of another repository is not packed');
};

subtest 'a release with a home' => sub {
    is((dist('two', 'HOMEPAGE=https://example.org/rf'))[0], 0, 'a release with a home is packed');
    shell("mkdir $folder/home && tar -C $folder/home -xf $folder/two/$name.tar.gz");
    my @named = map { s{^\Q$folder/home/$name\E/}{}r } split /\n/, shell("grep -rl https://example.org/rf $folder/home/$name/packaging");
    is_deeply([sort @named], [sort grep { contents("$folder/$name/$_") =~ /realfeel\.invalid/ } map { s{^\Q$folder/$name\E/}{}r }
        split /\n/, shell("find $folder/$name/packaging -type f")], 'all packages name the home');
    cmp_ok(scalar @named, '>', 2, 'several packages name a home');
    is(shell("! grep -rl realfeel.invalid $folder/home/$name/packaging"), '', 'no package names another home');
};

subtest 'changed since' => sub {
    file_of("$folder/one/README", "Read me not.\n");
    unlink "$folder/one/$name.tar.gz";
    like((dist('one'))[2], qr/^make dist: a release is a commit; /m, 'what is in no commit is not packed');
    ok(!-e "$folder/one/$name.tar.gz", 'a release that is not packed leaves nothing');
};

done_testing();
