#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How many lines each room of the program may have, all its files together. Rooms may trade; a figure falls with its room.
use strict;
use warnings;
use Test::More;

my %LINES = (
    base => 810, host => 2_430, load => 521,
    measure => 3_030, trace => 1_950, source => 4_000,
    explain => 1_110, report => 3_700, run => 3_890,
);

my %count;
for my $path (glob 'src/*/*.[ch]') {
    my ($room) = $path =~ m{^src/(\w+)/};
    open my $file, '<', $path or die "$path: $!";
    $count{$room} += () = <$file>;
}
is_deeply([sort keys %LINES], [sort keys %count], 'each room of src has a budget');
cmp_ok($count{$_}, '<=', $LINES{$_}, "$_ has no more lines than its budget") for sort keys %LINES;

done_testing();
