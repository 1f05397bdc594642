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

my (@big, @wide, @blanks, @notes, @spaces, @long);

for my $path (@c, @perl, 'Makefile') {
    my @lines = lines($path);
    my $place = sub { my ($fault) = @_; return map { "$path:" . ($_ + 1) } grep { $lines[$_] =~ $fault } 0 .. $#lines };
    my ($code) = split /^(?=__END__$)/m, join '', @lines;
    push @big, $path if $code =~ tr/\n// > ($path =~ m{^analyze/} ? MAX_MODULE : MAX_FILE);
    my $columns = $path =~ m{^tests/} ? MAX_TEST_COLUMNS : MAX_COLUMNS;
    push @wide, map { "$path:" . ($_ + 1) } grep {
        length($lines[$_]) + 7 * ($lines[$_] =~ tr/\t//) > $columns && length(expand($lines[$_]) =~ s/\n//r) > $columns
    } 0 .. $#lines;
    push @blanks, $place->(qr/[ \t]\n\z/);
    push @notes, $place->(qr/\b(?:TO[D]O|FIX[M]E|XX[X])\b/);
    next if $path !~ /\.[ch]\z/;
    push @spaces, $place->(qr/^ +[^ *]/);
    my %length = functions(@lines);
    push @long, map { "$path: $_" } grep { $length{$_} > MAX_FUNCTION } sort keys %length;
}

cmp_ok(@c + @perl, '>', 400, 'more than 400 sources are looked at');
is("@big", '', 'each file is one thing');
is("@wide", '', 'no line has more than ' . MAX_COLUMNS . ' columns, in a test ' . MAX_TEST_COLUMNS);
is("@blanks", '', 'no line ends in blanks');
is("@notes", '', 'each file is finished');
is("@spaces", '', 'C is indented with tabs');
is("@long", '', 'no function of C has more than ' . MAX_FUNCTION . ' lines');

done_testing();
