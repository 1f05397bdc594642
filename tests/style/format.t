#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What a reader trips over: long lines, long functions, stray blanks, notes to oneself.
use strict;
use warnings;
use Test::More;
use Text::Tabs qw(expand);

# Tables of tests may be wider than code. A manual at the end of a program is as long as it has to be. A module of the
# analyzer is a whole subject.
use constant { MAX_COLUMNS => 120, MAX_TEST_COLUMNS => 140, MAX_FUNCTION => 60, MAX_FILE => 350, MAX_MODULE => 600 };

sub lines { my ($path) = @_; open my $file, '<', $path or die "$path: $!"; return <$file> }

# Lengths of C functions, by the name on the line before the opening brace in column 1.
sub functions {
    my @lines = @_;
    my (%length, $start);
    for my $i (0 .. $#lines) {
        $start = $i if $lines[$i] =~ /^\{/;
        next unless $lines[$i] =~ /^\}\s*$/ && defined $start;
        $length{ $lines[ $start - 1 ] =~ s/\s+\z//r } = $i - $start - 1;
        undef $start;
    }
    return %length;
}

my @c = sort glob 'src/*.[ch] src/*/*.[ch] tests/*/*.[ch]';
my @perl = sort glob 'analyze/realfeel-* analyze/lib/Realfeel/*.pm analyze/lib/Realfeel/*/*.pm analyze/lib/Realfeel/*/*/*.pm'
    . ' tests/*/*.t tests/lib/*.pm tests/*/lib/*.pm tests/guest/lab tests/packaging/installed plots/gallery/figure';

for my $path (@c, @perl, 'Makefile') {
    my @lines = lines($path);
    my @code = split /^(?=__END__$)/m, join '', @lines;
    cmp_ok($code[0] =~ tr/\n//, '<=', $path =~ m{^analyze/} ? MAX_MODULE : MAX_FILE, "$path is one thing");
    my $columns = $path =~ m{^tests/} ? MAX_TEST_COLUMNS : MAX_COLUMNS;
    my @long = grep { chomp(my $line = $lines[$_]); length expand($line) > $columns } 0 .. $#lines;
    my @blank = grep { $lines[$_] =~ /[ \t]\n\z/ } 0 .. $#lines;
    my @notes = grep { $lines[$_] =~ /\b(?:TO[D]O|FIX[M]E|XX[X])\b/ } 0 .. $#lines;
    is("@{[map { $_ + 1 } @long]}", '', "$path has no line of more than $columns columns");
    is("@{[map { $_ + 1 } @blank]}", '', "$path has no blanks at the end of a line");
    is("@{[map { $_ + 1 } @notes]}", '', "$path is finished");
}

for my $path (@c) {
    my @lines = lines($path);
    my @spaces = grep { $lines[$_] =~ /^ +[^ *]/ } 0 .. $#lines;
    is("@{[map { $_ + 1 } @spaces]}", '', "$path is indented with tabs");
    my %length = functions(@lines);
    my @long = grep { $length{$_} > MAX_FUNCTION } sort keys %length;
    is("@long", '', "$path has no function of more than @{[MAX_FUNCTION]} lines");
}

done_testing();
