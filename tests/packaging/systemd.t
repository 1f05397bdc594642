#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A run every night: the units are what systemd takes, and their script keeps reports as it says.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use POSIX qw(uname);
use RunCommand qw(run contents file_of);
use Test::More;

my $units = abs_path("$FindBin::Bin/../../packaging/systemd");
my $night = "$units/realfeel-night";
my $host  = (uname)[1];
my $dir   = tempdir(CLEANUP => 1);
chdir $dir or die $!;

subtest 'units' => sub {
    plan skip_all => 'systemd-analyze is missing: apt-get install systemd' if (run('systemd-analyze', '--version'))[0];
    for my $name ('realfeel@.service', 'realfeel@.timer') {
        file_of("$dir/$name", contents("$units/$name") =~ s{/usr/share/realfeel/}{$units/}r);
    }
    for my $unit ('realfeel@idle.service', 'realfeel@idle.timer') {
        my ($status, $out, $err) = run('systemd-analyze', '--man=no', 'verify', "$dir/$unit");
        is("$status $out", '0 ', "$unit is verified");
        is(join('', grep { /realfeel/ } split /^/, $err), '', 'without a word about it');
    }
};

# In place of realfeel: its report has 300 kB, and tells how it was called.
mkdir $_ or die $! for qw(bin reports);
file_of('bin/realfeel', <<'END');
#!/bin/sh
for word; do case $word in --output=*) file=${word#--output=} ;; esac; done
[ ! -e "$file" ] || exit 1
{ echo "$*"; head -c 300000 /dev/zero; } >"$file"
exit 3
END
chmod 0755, 'bin/realfeel' or die $!;
@ENV{qw(PATH STATE_DIRECTORY)} = ("$dir/bin:$ENV{PATH}", "$dir/reports");
delete $ENV{KEEP_MB};

sub kept { return map { s{^reports/}{}r } sort glob 'reports/*' }

subtest 'reports' => sub {
    my ($status, $out, $err) = run($night, '-d', '8h', '--label=a b');
    is("$status $out$err", '3 ', 'it ends as realfeel does');
    my ($name) = kept();
    like($name, qr/^\Q$host\E-\d{4}-\d\d-\d\dT\d{6}Z\.hist$/, 'host and date');
    like(contents("reports/$name"), qr/^--quiet --output=\S+ -d 8h --label=a b\n/, 'with all options');
    is((run($night))[0], 3, 'another one') for 1 .. 3;
    is(scalar(kept()), 4, 'nothing is overwritten');
};

subtest 'size' => sub {
    unlink glob 'reports/*';
    my @old = map { "$host-2026-01-0${_}T010000Z.hist" } 1 .. 9;
    my @others = ("$host-b-2026-01-01T010000Z.hist", 'note.txt', "$host.hist");
    file_of("reports/$_", 'x' x 300_000) for @old, @others;
    local $ENV{KEEP_MB} = 2;
    is((run($night))[0], 3, 'it measures');
    my %kept = map { $_ => 1 } kept();
    ok($kept{$_}, "$_ is not its own, and stays") for @others;
    my @left = grep { $kept{$_} } @old;
    cmp_ok(scalar @left, '>', 0, 'some are left');
    cmp_ok(scalar @left, '<', 6, 'not all');
    is_deeply(\@left, [@old[@old - @left .. $#old]], 'the oldest are gone');
    local $ENV{KEEP_MB} = 100;
    run($night);
    is(scalar(kept()), 1 + keys %kept, 'none goes where there is room');
};

done_testing();
