# SPDX-License-Identifier: GPL-2.0-or-later
# An answer is a list of blocks, [kind, what...]; as_text shows them on a terminal, as_html of Page::Html on a page:
#
#   [head => $text]                    what follows is about; the first of an answer is its title
#   [text => $text, ...]               a paragraph
#   [list => $item, ...]               an item is a text, or an array of texts
#   [facts => [$label, $text], ...]
#   [table => $table]                  a Base::Table
#   [picture => $class, $caption, $picture, $reason]      what figure of Page::Html takes; not on terminals
#
# A block without contents is left out. Among the texts of a paragraph or an item, a reference to text is a command,
# which is shown as it is.
package Realfeel::Show::Blocks;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(as_text with_contents);

use Realfeel::Base::Units qw(printable wrapped);

use constant LINES => {
    head    => sub ($text) { '  ' . printable($text) },
    text    => sub (@texts) { _texts('  ', @texts) },
    list    => sub (@items) { map { _texts('  * ', ref ? @$_ : $_) } @items },
    facts   => sub (@facts) { map { wrapped(sprintf('  %-9s ', $_->[0]), $_->[1]) } @facts },
    table   => sub ($table) { map { s/^(?=.)/  /r } $table->text },
    picture => sub { },
};

# Indented by two, but for the title; an empty line between blocks, but not below a head
sub as_text (@blocks) {
    my ($text, $above) = ('', 'head');
    for (with_contents(@blocks)) {
        my ($kind, @what) = @$_;
        $text .= join '', $above eq 'head' ? () : "\n", map { "$_\n" } LINES->{$kind}->(@what);
        $above = $kind;
    }
    return @blocks && $blocks[0][0] eq 'head' ? substr $text, 2 : $text;
}

sub with_contents { return grep { defined $_->[1] } @_ }

# The first behind $lead, the others below it
sub _texts ($lead, $first, @others) {
    my $indent = ' ' x length $lead;
    return (wrapped($lead, $first), map { ref ? _command($indent, $$_) : wrapped($indent, $_) } @others);
}

sub _command ($indent, $lines) { return map { "$indent  " . printable($_) } split /\n/, $lines }

1;
