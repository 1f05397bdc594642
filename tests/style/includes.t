#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The architecture: the rooms of the program, and which of them a room may include. main.c may include all.
# tests/style/includes.t --print draws it: each room with its files, and what they include of others.
use strict;
use warnings;
use Test::More;

my @ROOMS = (
    [base    => ''],                                            # words for the user, numbers, lists, what was asked for
    [host    => 'base'],                                        # what the kernel says of itself, and what we ask of it
    [load    => 'base host'],                                   # the program that runs beside the measurement
    [measure => 'base host'],                                   # what is counted, and the loop that counts it
    [trace   => 'base host measure'],                           # the kernel's records
    [source  => 'base host measure trace'],                     # what wakes the meter, one file a kind
    [explain => 'base host measure trace'],                     # of what a wake-up was made, and what was recorded
    [report  => 'base host load measure trace source explain'], # the report, the verdict, what a terminal shows
    [run     => 'base host load measure trace source explain report'],  # the processes, and what they prepare
);

my %may_include = map { my ($room, $rooms) = @$_; $room => {map { $_ => 1 } $room, split ' ', $rooms} } @ROOMS;
my @files = sort glob 'src/*/*.[ch]';

sub lines { my ($path) = @_; open my $file, '<', $path or die "$path: $!"; return <$file> }

sub included { my ($path) = @_; return map { m{^#include "(.+)\.h"} ? $1 : () } lines($path) }

sub room { my ($path) = @_; return $path =~ m{^(?:src/)?(\w+)/} ? $1 : 'none' }

sub print_rooms {
    for my $room (map { $_->[0] } @ROOMS) {
        my %others;
        for my $path (grep { room($_) eq $room } @files) {
            push @{ $others{ $path =~ s{^src/\w+/|\.[ch]$}{}gr } }, grep { room($_) ne $room } included($path);
        }
        print "$room\n", map { my %seen; sprintf "    %-20s %s\n", $_, join ' ', grep { !$seen{$_}++ } sort @{ $others{$_} } }
            sort keys %others;
    }
}

if ("@ARGV" eq '--print') {
    print_rooms();
    exit;
}

is_deeply([sort map { m{^src/(.*)} } glob 'src/*'], [sort 'main.c', keys %may_include], 'src is these rooms and main.c');
for my $path (@files) {
    my @wrong = grep { !$may_include{ room($path) }{ room($_) } } included($path);
    is("@wrong", '', "$path includes only what its room may");
}

# A room stands on others, and none of these stands on it.
for my $i (0 .. $#ROOMS) {
    my %later = map { $_->[0] => 1 } @ROOMS[$i .. $#ROOMS];
    is_deeply([grep { $later{$_} } split ' ', $ROOMS[$i][1]], [], "$ROOMS[$i][0] stands on rooms below it");
}

my @main = lines('src/main.c');
my ($start) = grep { $main[$_] =~ /^int main/ } 0 .. $#main;
my ($end) = grep { $_ > $start && $main[$_] =~ /^}/ } 0 .. $#main;
cmp_ok($end - $start, '<=', 60, 'main fits on a screen');

my @assembly = grep { my $path = $_; grep { /__asm__|\basm\b/ } lines($path) } @files;
is("@assembly", 'src/measure/tsc.h', 'all assembly is in one header');

my @by_name = grep { my $path = $_; grep { /source_(?:rtc|nanosleep|timerfd|alsa|thread|ring)\b/ } lines($path) }
    grep { room($_) ne 'source' } @files;
is("@by_name", '', 'the registry alone knows the sources by name');

done_testing();
