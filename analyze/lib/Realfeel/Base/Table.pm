# SPDX-License-Identifier: GPL-2.0-or-later
# Rows and columns, to be written as text, as CSV, or by Show::Blocks as HTML.
package Realfeel::Base::Table;
use Realfeel::Base::Modern;

use List::Util qw(max);
use Realfeel::Base::Units qw(padded printable width);

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

sub caption ($self) { return $self->{caption} }
sub note ($self)    { return $self->{note} }
sub signs ($self)   { return @{ $self->{signs} // [] } }
sub columns ($self) { return @{ $self->{columns} } }
sub rows ($self)    { return @{ $self->{rows} } }

# Lines without newlines, with $gap blanks between columns
sub text ($self, $gap = GAP) {
    my @columns = $self->columns;
    my @heads = map { $_->{head} } @columns;
    my @rows = ((grep { $_ ne '' } @heads) ? \@heads : (), $self->rows);
    my @widths = map { my $i = $_; max($columns[$i]{width} // 0, map { _width($_->[$i]) } @rows) } 0 .. $#columns;
    my $between = ' ' x $gap;
    my @lines = map {
        my $row = $_;
        join $between, map { _aligned($columns[$_]{align}, $widths[$_], $row->[$_]) } 0 .. $#$row;
    } @rows;
    return grep { defined } $self->caption, (map { s/\s+$//r } @lines), $self->note;
}

# A cell that spans columns widens none of them
sub _width ($cell) {
    return ref $cell && $cell->{colspan} ? 0 : width(_text($cell) // '');
}

sub _aligned ($align, $width, $cell) {
    my $text = _text($cell) // '';
    return $text if ref $cell && $cell->{colspan};
    return $align eq 'left' ? padded($text, $width) : ' ' x max(0, $width - width($text)) . $text;
}

sub _text ($cell) {
    my $text = ref $cell ? $cell->{text} : $cell;
    return defined $text ? printable($text) : undef;
}

# RFC 4180, but with LF
sub csv ($self) {
    return join '', map { _csv_line(map { _text($_) // '' } @$_) } [map { $_->{head} } $self->columns], $self->rows;
}

# Fast, as most lines need no quotes
sub _csv_line (@texts) {
    my $line = join ',', @texts;
    return "$line\n" if $line =~ tr/",// == $#texts;
    return join(',', map { /[",]/ ? '"' . s/"/""/gr . '"' : $_ } @texts) . "\n";
}

1;
