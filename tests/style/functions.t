#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions tell a story: half of them have at least MEDIAN lines between their braces, and none of two lines is static
# and called once, where its body would say as much.
# tests/style/functions.t --print lists all, the shortest first: lines, uses, file and name.
use strict;
use warnings;
use Test::More;

use constant { MEDIAN => 9, SHORT => 2 };

# Whose name is a law
my %LAW = map { $_ => 1 } qw(magnitude_of);

# The lines of a file without comments and texts
sub code {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    my $code = join '', <$file>;
    $code =~ s{/\*.*?\*/|//[^\n]*}{ $& =~ tr/\n//cdr }gse;
    return [split /\n/, $code =~ s/"(?:[^"\\\n]|\\.)*"/""/gr];
}

my %code = map { $_ => code($_) } glob 'src/*.c src/*/*.[ch]';

# A function begins with a brace in the first column, below its head, and ends with another.
sub functions {
    my ($path) = @_;
    my ($lines, $open, @functions) = ($code{$path});
    for my $i (0 .. $#$lines) {
        $open = $i if $lines->[$i] eq '{';
        next unless defined $open && $lines->[$i] eq '}';
        my ($head) = grep { $lines->[$_] =~ /^\w/ } reverse 0 .. $open - 1;
        my ($name) = $lines->[$head] =~ /(\w+)\(/ or next;
        push @functions, { path => $path, name => $name, lines => $i - $open - 1, is_static => $lines->[$head] =~ /^static\b/ ? 1 : 0 };
        undef $open;
    }
    return @functions;
}

# How often it is named in bodies; a function that has a pointer to it is called through that any number of times
sub uses {
    my ($function) = @_;
    my @within = $function->{is_static} && $function->{path} =~ /\.c$/ ? $function->{path} : keys %code;
    my ($calls, $pointers) = (0, 0);
    for my $line (grep { !/^\w/ } map { @{ $code{$_} } } @within) {
        $1 ? $calls++ : $pointers++ while $line =~ /\b$function->{name}\b(\()?/g;
    }
    return $pointers ? 9 : $calls;
}

my @functions = sort { $a->{lines} <=> $b->{lines} } map { functions($_) } sort keys %code;
if ("@ARGV" eq '--print') {
    printf "%3d %d %s %s\n", $_->{lines}, uses($_), @$_{qw(path name)} for @functions;
    exit;
}
cmp_ok($functions[@functions / 2]{lines}, '>=', MEDIAN, 'half of the functions have this many lines');
my @idle = grep { $_->{is_static} && $_->{lines} <= SHORT && !$LAW{ $_->{name} } && uses($_) == 1 } @functions;
is_deeply([map { "$_->{path}: $_->{name}" } @idle], [], 'no static function of two lines is called once');

my %is_there = map { $_->{name} => 1 } @functions;
is_deeply([grep { !$is_there{$_} } sort keys %LAW], [], 'each function that is excepted exists');

done_testing();
