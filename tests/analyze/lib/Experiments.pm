# SPDX-License-Identifier: GPL-2.0-or-later
# Experiments in folders of their own, with a program that reports what the setting makes of it.
package Experiments;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($ON $OFF UNKNOWN change experiment folder is_undone);

use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use MadeReport;
use RunCommand;
use Seed;

use constant { POOL => 23, UNKNOWN => 5 };

our ($ON, $OFF) = ('echo on >setting', 'echo off >setting');
my @OPTIONS = qw(--at=50 --settle=0s);
my $top = tempdir(CLEANUP => 1);
my $number = 0;

# While it measures, it does what the file "meanwhile" says.
chdir $top or die $!;
seed(USUAL);    # chance decides what is reported
file_of('realfeel', <<'SCRIPT');
#!/bin/sh
[ "$1" = -o ] && out=$2
echo "$*" >>calls
read -r setting <setting
[ ! -e meanwhile ] || . ./meanwhile
n=0
while read -r _; do n=$(((n + 1) % 23)); done <calls
cp "../pool/$setting-$n" "$out"
SCRIPT
chmod 0755, 'realfeel';
mkdir 'pool';
for my $n (0 .. POOL - 1) {
    my $level = 1 + rand;
    my %when = (started => sprintf('2026-11-20T23:%02d:00Z', $n), duration_s => 10);
    made("pool/off-$n", [map { [map { $level * (20 + $_ / 100) } 1 .. 300] } 1 .. 2], %when);
    made("pool/on-$n", [map { [map { $level * (9 + $_ / 200) } 1 .. 300] } 1 .. 2], %when);
}

# Each experiment has a folder.
sub folder {
    my $folder = "$top/" . $number++;
    mkdir $folder or die $!;
    chdir $folder or die $!;
    file_of('setting', "off\n");
    file_of('calls', '');
}

sub experiment { return ($try, @OPTIONS, @_, qw(-- ../realfeel -f 1024)) }
sub change { return experiment("--change=$ON", "--undo=$OFF", @_) }

sub is_undone {
    my ($when) = @_;
    is(contents('setting'), "off\n", "$when: the change is undone");
    ok(!-e 'try-undo.sh', "$when: the script has gone");
}

1;
