# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Base::Table;
use Realfeel::Base::Modern;

use List::Util qw(max);
use Realfeel::Base::Units qw(padded printable width);

use constant GAP => 2;

=head1 NAME

Realfeel::Base::Table - rows and columns, to be written as text or CSV, and as HTML by L<Realfeel::Show::Page::Html>

=head1 SYNOPSIS

    my $table = Realfeel::Base::Table->new(
        caption => 'the worst wake-ups',
        columns => [{ head => 'cpu', align => 'left' }, { head => 'lateness us', width => 12 }, 'periods'],
        rows    => [[0, '492.352', 2], [1, '40.310', 1]],
    );
    print "  $_\n" for $table->text;

=head1 METHODS

=head2 new(%table)

C<rows>, arrays of cells; C<columns>, of each its heading or a hash; and where they are wanted, C<caption> above and
C<note> below; and C<signs>, codes of those that stand in cells and are to be explained. The first cell of a row heads
it.

A column has C<head>; C<title>, its heading in HTML, where that is another; C<align>, C<left> or C<right>, which without
a heading is C<left>, else C<right>; C<width>, the least that it has as text; and C<room>, how wide it is in HTML, in
the height of a letter, where most columns need another.

A cell is a text, which C<printable> makes fit to be shown, or a hash of C<text>; C<note>, what stands small below it in
HTML; C<html>, HTML to take the place of both; C<class>, its class there; and C<colspan>, over how many columns it goes.
A row without cells is an empty line.

=cut

sub new ($class, %table) {
    my @columns = map { ref ? $_ : { head => $_ } } @{ $table{columns} };
    $_ = { align => $_->{head} eq '' ? 'left' : 'right', %$_ } for @columns;
    return bless { %table, columns => \@columns }, $class;
}

=head2 caption

What stands above, or undef.

=head2 note

What stands below, or undef.

=head2 signs

Those that are to be explained: a list.

=head2 columns

A list of hashes, each of which has C<align>.

=head2 rows

A list of arrays of cells.

=cut

sub caption ($self) { return $self->{caption} }
sub note ($self)    { return $self->{note} }
sub signs ($self)   { return @{ $self->{signs} // [] } }
sub columns ($self) { return @{ $self->{columns} } }
sub rows ($self)    { return @{ $self->{rows} } }

=head2 text($gap)

Lines without their ends: the caption, the headings where there are any, the rows and the note. Between the columns are
so many blanks, by default two.

=cut

sub text ($self, $gap = undef) {
    my @columns = $self->columns;
    my @heads = map { $_->{head} } @columns;
    my @rows = ((grep { $_ ne '' } @heads) ? \@heads : (), $self->rows);
    my @widths = map { my $i = $_; max($columns[$i]{width} // 0, map { _width($_->[$i]) } @rows) } 0 .. $#columns;
    my $between = ' ' x ($gap // GAP);
    my @lines = map {
        my $row = $_;
        join $between, map { _aligned($columns[$_]{align}, $widths[$_], $row->[$_]) } 0 .. $#$row;
    } @rows;
    return grep { defined } $self->caption, (map { s/\s+$//r } @lines), $self->note;
}

# What goes over several columns widens none of them.
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

=head2 csv

A line of headings and one for each row, comma-separated as in RFC 4180, but with a newline at the end of each.

=cut

sub csv ($self) {
    return join '', map { _csv_line(map { _text($_) // '' } @$_) } [map { $_->{head} } $self->columns], $self->rows;
}

# Most lines hold nothing that has to be quoted.
sub _csv_line (@texts) {
    my $line = join ',', @texts;
    return "$line\n" if $line =~ tr/",// == $#texts;
    return join(',', map { /[",]/ ? '"' . s/"/""/gr . '"' : $_ } @texts) . "\n";
}

1;
