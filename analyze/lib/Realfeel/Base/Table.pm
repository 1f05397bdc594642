# SPDX-License-Identifier: GPL-2.0-or-later
# Rows and columns, to be written as text, as CSV, or by Show::Blocks as HTML.
package Realfeel::Base::Table;
use Realfeel::Base::Modern;

use List::Util qw(max);
use Realfeel::Base::Units qw(printable width);

use constant GAP => 2;

# %table has columns, each a heading or a hash (below); rows, arrays of cells; and optionally caption, note (below the
# table) and signs, codes of the marks in cells that need an explanation. The first cell of a row is its heading; a row
# without cells is an empty line.
#
# A column has head; title, its heading in HTML if that differs; align, left or right (by default right, left without a
# head); width, the least in text; and room, its width in HTML in letter heights.
#
# A cell is a text or a hash of text; value, which replaces it in HTML; note, small print below it there; html, which
# replaces all of these; class; and colspan.
sub new ($class, %table) {
    my @columns = map { ref ? $_ : { head => $_ } } @{ $table{columns} };
    $_ = { align => $_->{head} eq '' ? 'left' : 'right', %$_ } for @columns;
    return bless { %table, columns => \@columns }, $class;
}

# Lines without newlines, with $gap blanks between columns. A cell that spans columns widens none of them.
sub text ($self, $gap = GAP) {
    my @columns = @{ $self->{columns} };
    my @rows = ((grep { $_->{head} ne '' } @columns) ? [map { $_->{head} } @columns] : (), @{ $self->{rows} });
    my @texts = map { [map { printable((ref ? $_->{text} : $_) // '') } @$_] } @rows;
    my @spans = map { [map { ref && $_->{colspan} } @$_] } @rows;
    my @widths = map {
        my $i = $_;
        max($columns[$i]{width} // 0, map { $spans[$_][$i] ? 0 : width($texts[$_][$i] // '') } 0 .. $#rows);
    } 0 .. $#columns;
    my @lines = map {
        my ($cells, $spans) = ($texts[$_], $spans[$_]);
        join ' ' x $gap, map {
            my $room = ' ' x ($spans->[$_] ? 0 : max(0, $widths[$_] - width($cells->[$_])));
            $columns[$_]{align} eq 'left' ? $cells->[$_] . $room : $room . $cells->[$_];
        } 0 .. $#$cells;
    } 0 .. $#rows;
    return grep { defined } $self->{caption}, (map { s/\s+$//r } @lines), $self->{note};
}

# RFC 4180, but with LF
sub csv ($self) {
    return join '', map {
        my @texts = map { printable((ref ? $_->{text} : $_) // '') } @$_;
        my $line = join ',', @texts;
        $line = join ',', map { /[",]/ ? '"' . s/"/""/gr . '"' : $_ } @texts if $line =~ tr/",// != $#texts;
        "$line\n";     # fast, as most lines need no quotes
    } [map { $_->{head} } @{ $self->{columns} }], @{ $self->{rows} };
}

1;
