#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How many lines each room of the program may have, all its files together, and how many modules, lines of code and lines
# the analyzer, with its schema, its style sheet and its manual pages. Rooms may trade; a figure falls with its room.
use strict;
use warnings;
use Test::More;

my %LINES = (
    base => 703, host => 1_729, load => 488,
    measure => 2_632, trace => 1_627, source => 3_361,
    explain => 613, report => 2_707, run => 3_277,
);

my %ANALYZER = (modules => 64, code => 10_690, lines => 15_810);

my %count;
for my $path (glob 'src/*/*.[ch]') {
    my ($room) = $path =~ m{^src/(\w+)/};
    open my $file, '<', $path or die "$path: $!";
    $count{$room} += () = <$file>;
}
is_deeply([sort keys %LINES], [sort keys %count], 'each room of src has a budget');
cmp_ok($count{$_}, '<=', $LINES{$_}, "$_ has no more lines than its budget") for sort keys %LINES;

my @modules = glob 'analyze/lib/Realfeel/*.pm analyze/lib/Realfeel/*/*.pm';
my %analyzer = (modules => scalar @modules);
for my $path (@modules, glob 'analyze/realfeel-* analyze/schema.json analyze/lib/Realfeel/*/*.css man/realfeel-*.pod') {
    open my $file, '<', $path or die "$path: $!";
    my @lines = <$file>;
    $analyzer{lines} += @lines;
    $analyzer{code} += grep { !/^\s*(?:#|$)/ } @lines if $path =~ m{/realfeel-[a-z]+$|\.pm$};
}
cmp_ok($analyzer{$_}, '<=', $ANALYZER{$_}, "the analyzer has no more $_ than its budget") for sort keys %ANALYZER;

done_testing();
