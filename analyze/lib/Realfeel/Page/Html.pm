# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Html;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(element list micro number paragraph prose section table text);

use List::Util qw(first sum0);
use Realfeel::Table;
use Realfeel::Units qw(decimal shown);

use constant {
    ENTITY   => { '<' => '&lt;', '>' => '&gt;', '&' => '&amp;', '"' => '&quot;', q(') => '&#39;' },
    NOT_KNOWN => '-',
    DECIMALS  => 3,
    LONG      => 16,            # a word that may be broken
    # How wide the columns of a table are, in the height of a letter, and up to which width a table is of which class.
    WIDTH     => { head => 9, left => 11, right => 6 },
    CLASSES   => [[18, 'any'], [29, 'small'], [45, 'middle'], [59, 'large'], [73, 'wide'],
        [9e9, 'huge']],
};

=head1 NAME

Realfeel::Page::Html - pieces of a page, into which nothing gets that was not escaped

=head1 FUNCTIONS

All return HTML as bytes of UTF-8.

=head2 text($bytes)

The string as text: what HTML gives a meaning becomes an entity; characters that print nothing and bytes that are not
UTF-8 become C<\xHH>.

=cut

sub text {
    my ($bytes) = @_;
    return shown($bytes) =~ s/([<>&"'])/ENTITY->{$1}/ger;
}

=head2 micro($text)

The text with the sign of the microsecond.

=head2 prose($text)

A sentence of ours as text, with the sign of the microsecond.

=cut

sub micro { return $_[0] =~ s/(?<=\d) us\b/ \xc2\xb5s/gr }
sub prose { return text(micro($_[0])) }

=head2 element($name, \%attributes, @html)

An element with its content; the values of the attributes are text, undef for one that it does not have.

=cut

sub element {
    my ($name, $attributes, @html) = @_;
    my @attributes = map { sprintf ' %s="%s"', $_, text($attributes->{$_}) }
        grep { defined $attributes->{$_} } sort keys %$attributes;
    return join '', "<$name", @attributes, '>', @html, "</$name>";
}

=head2 section($title, @html)

A part of the page, nothing where it would be empty.

=cut

sub section {
    my ($title, @html) = @_;
    return @html ? element('section', {}, "\n", element('h2', {}, text($title)), "\n", @html) . "\n" : ();
}

=head2 paragraph($text)

A paragraph.

=head2 list(@texts)

A list, which there is not without texts.

=cut

sub paragraph { return element('p', {}, prose($_[0])) . "\n" }

sub list {
    return @_ ? element('ul', {}, map { element('li', {}, prose($_)) } @_) . "\n" : ();
}

=head2 number($us)

A cell of a table: a time in microseconds, to the nanosecond, or a dash.

=cut

sub number {
    my ($us) = @_;
    return defined $us ? decimal($us, DECIMALS) : NOT_KNOWN;
}

=head2 table(%table)

A L<Realfeel::Table> of these parts. Where the page is too narrow, each row becomes a list of its own, in which the
headings stand before the cells.

=cut

sub table {
    my $table = Realfeel::Table->new(@_);
    my @columns = map { { title => $_->{head}, %$_ } } $table->columns;
    my $html = element('table', {}, "\n", element('caption', {}, text($table->caption // '')), "\n",
        element('thead', {}, element('tr', {}, _head($columns[0]->{title}), map { _head($_->{title}, _words($_)) }
            @columns[1 .. $#columns])), "\n",
        element('tbody', {}, "\n", map { _row(\@columns, @$_) } grep { @$_ } $table->rows));
    return element('div', { class => 'table ' . _class(@columns) }, $html) . "\n"
        . join '', map { paragraph($_) } $table->note // ();
}

sub _class {
    my (undef, @columns) = @_;
    my $width = WIDTH->{head} + sum0(map { WIDTH->{ $_->{align} } } @columns);
    return (first { $width <= $_->[0] } @{ CLASSES() })->[1];
}

# It stands as the cells below it do.
sub _head {
    my ($title, $class) = @_;
    my @classes = ($class // (), $title =~ /\S{${\LONG}}/ ? 'long' : ());
    return element('th', { scope => 'col', class => @classes ? "@classes" : undef }, text($title));
}

sub _words { return $_[0]{align} eq 'left' ? 'words' : undef }

sub _row {
    my ($columns, $head, @cells) = @_;
    return element('tr', {}, element('th', { scope => 'row' }, _content($head)),
        map { _cell($columns->[$_ + 1], $cells[$_]) } 0 .. $#cells) . "\n";
}

# A cell over several columns belongs to all of them.
sub _cell {
    my ($column, $cell) = @_;
    my ($class, $colspan) = ref $cell ? @$cell{qw(class colspan)} : ();
    my $title = $colspan ? undef : $column->{title};
    return element('td', { class => $class // _words($column), colspan => $colspan, 'data-head' => $title },
        _content($cell));
}

sub _content {
    my ($cell) = @_;
    return text($cell // NOT_KNOWN) unless ref $cell;
    return $cell->{html} // join '<br>', (defined $cell->{text} ? text($cell->{text}) : ()),
        defined $cell->{note} ? element('small', {}, text($cell->{note})) : ();
}

1;
