# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Html;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(element list micro number paragraph prose section table text words);

use List::Util qw(first sum0);
use Realfeel::Plot::Words qw(shown);
use Realfeel::Units qw(decimal);

use constant {
    ENTITY   => { '<' => '&lt;', '>' => '&gt;', '&' => '&amp;', '"' => '&quot;', q(') => '&#39;' },
    NOT_KNOWN => '-',
    DECIMALS  => 3,
    LONG      => 16,            # a word that may be broken
    # How wide the columns of a table are, in the height of a letter, and up to which width a table is of which class.
    WIDTH     => { head => 9, words => 11, number => 6 },
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

An element with its content; the values of the attributes are text.

=cut

sub element {
    my ($name, $attributes, @html) = @_;
    my @attributes = map { sprintf ' %s="%s"', $_, text($attributes->{$_}) } sort keys %$attributes;
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

A cell of a table: a time in microseconds, to the nanosecond, or a dash. A cell that is a plain string is a number as it
stands.

=head2 words($text)

A cell of text, which is set to the left.

=cut

sub number {
    my ($us) = @_;
    return defined $us ? decimal($us, DECIMALS) : NOT_KNOWN;
}

sub words { return { html => text($_[0] // NOT_KNOWN), class => 'words' } }

=head2 table($caption, \@head, @rows)

A table. Each row begins with the text that heads it, and the first of the heads stands over these. Where the page is
too narrow, each row becomes a list of its own, in which the heads stand before the cells.

=cut

sub table {
    my ($caption, $head, @rows) = @_;
    my @below = map { $rows[0][$_] // $rows[0][-1] } 0 .. $#$head;
    my @heads = map { _head($head->[$_], $below[$_]) } 0 .. $#$head;
    my $table = element('table', {}, "\n", element('caption', {}, text($caption)), "\n",
        element('thead', {}, element('tr', {}, @heads)), "\n",
        element('tbody', {}, "\n", map { _row($head, @$_) } @rows));
    return element('div', { class => 'table ' . _class(@below) }, $table) . "\n";
}

sub _class {
    my (undef, @cells) = @_;
    my $width = WIDTH->{head} + sum0(map { WIDTH->{ _is_words($_) ? 'words' : 'number' } } @cells);
    return (first { $width <= $_->[0] } @{ CLASSES() })->[1];
}

sub _is_words { return ref $_[0] && ($_[0]{class} // '') eq 'words' }

# It stands as the cells below it do.
sub _head {
    my ($text, $cell) = @_;
    my @classes = (_is_words($cell) ? 'words' : (), $text =~ /\S{${\LONG}}/ ? 'long' : ());
    return element('th', { scope => 'col', @classes ? (class => "@classes") : () }, text($text));
}

sub _row {
    my ($heads, $head, @cells) = @_;
    my $first = element('th', { scope => 'row' }, ref $head ? $head->{html} : text($head));
    return element('tr', {}, $first, map { _cell($heads->[$_ + 1], $cells[$_]) } 0 .. $#cells) . "\n";
}

# A cell over several columns belongs to all of them.
sub _cell {
    my ($head, $cell) = @_;
    $cell = { html => text($cell) } unless ref $cell;
    my %attributes = map { $_ => $cell->{$_} } grep { defined $cell->{$_} } qw(class colspan);
    $attributes{'data-head'} = $head unless $attributes{colspan};
    return element('td', \%attributes, $cell->{html});
}

1;
