# SPDX-License-Identifier: GPL-2.0-or-later
package SeriesTable;

use strict;
use warnings;
use Exporter 'import';
use Series qw(features outcomes series version);

our @EXPORT_OK = qw(expected table);

=head1 NAME

SeriesTable - the table of what works on which series of the kernel

=head2 table(@runs)

The text of the table: a row for each series that was run, whose hash has the C<run>, too; what works is a C<+>, what is
refused has a letter, and what each letter stands for is below.

=cut

my $NAME = '%-9s';
my $VERSION = '%-11s';

sub table {
    my (@series) = @_;
    my (%letter, @rows);
    my $next = 'a';
    for my $series (@series) {
        my %outcome = outcomes($series->{run});
        my @marks = map { $_ eq 'works' ? '+' : ($letter{$_} //= $next++) } @outcome{features()};
        push @rows, sprintf("$NAME $VERSION %s", $series->{name}, version($series->{run}), join ' ', @marks) . "\n";
    }
    my %meaning = reverse %letter;
    return join '', heading(), @rows, "\n", map { "$_  $meaning{$_}\n" } sort keys %meaning;
}

# The names stand on end, each over its column.
sub heading {
    my @names = features();
    my ($height) = sort { $b <=> $a } map { length } @names;
    my @lines = map { my $row = $_; join ' ', map { substr sprintf("%${height}s", $_), $row, 1 } @names } 0 .. $height - 1;
    return map { sprintf("$NAME $VERSION %s", '', '', $_) =~ s/ +$//r . "\n" } @lines;
}

=head2 expected($text, $name)

What a text that has such a table says of a series: a hash as from outcomes() (see Series).

=cut

sub expected {
    my ($text, $name) = @_;
    my ($marks) = $text =~ /^ *\Q$name\E +\d\S* +((?:\S ?)+)$/m or return;
    my %meaning = ('+' => 'works', $text =~ /^ *([a-z])  (.*)$/mg);
    my @marks = split ' ', $marks;
    my @names = features();
    return map { ($names[$_] => $meaning{$marks[$_]}) } 0 .. $#names;
}

1;
