# SPDX-License-Identifier: GPL-2.0-or-later
# An answer is a list of blocks, [kind, what...]; as_text shows them on a terminal, as_html on a page:
#
#   [head => $text]                    topic of what follows; the first of an answer is its title
#   [text => $text, ...]               a paragraph
#   [list => $item, ...]               an item is a text, or an array of texts
#   [facts => [$label, $text], ...]
#   [table => $table]                  a Base::Table
#
# A block without contents is left out. Among the texts of a paragraph or an item, a reference to text is a command,
# which is shown as it is. The other parts of a page are here, too: all functions escape everything, all but css return
# HTML in UTF-8.
package Realfeel::Show::Blocks;
use Realfeel::Base::Modern;

use List::Util qw(first sum0 uniq);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(printable wrapped);

use constant LINES => {
    head    => sub ($text) { '  ' . printable($text) },
    text    => sub (@texts) { _texts('  ', @texts) },
    list    => sub (@items) { map { _texts('  * ', ref ? @$_ : $_) } @items },
    facts   => sub (@facts) { map { wrapped(sprintf('  %-9s ', $_->[0]), $_->[1]) } @facts },
    table   => sub ($table) { map { s/^(?=.)/  /r } $table->text },
};

# Answers and verdicts in the colours of the program
use constant {
    PAINT  => { pass => 32, valid => 32, FAIL => 31, INVALID => 31, 'NOT YET' => 33, SUSPECT => 33 },
    JUDGED => qr/^(?:  (?:run|limit) +)?\K(?:pass|valid)\b|(?<![\w.\/'-])(?:FAIL|INVALID|NOT YET|SUSPECT)(?=[\s:,;)])/m,
};

# Indented by two, but for the title; an empty line between blocks, but not below a head
sub as_text (@blocks) {
    my ($text, $above) = ('', 'head');
    for (grep { defined $_->[1] } @blocks) {
        my ($kind, @what) = @$_;
        $text .= join '', $above eq 'head' ? () : "\n", map { "$_\n" } LINES->{$kind}->(@what);
        $above = $kind;
    }
    return coloured(@blocks && $blocks[0][0] eq 'head' ? substr $text, 2 : $text);
}

# Coloured only on terminals that support it
sub coloured ($text) {
    return $text if !-t STDOUT || ($ENV{NO_COLOR} // '') ne '' || ($ENV{TERM} || 'dumb') eq 'dumb';
    return $text =~ s/${\JUDGED}/\e[1;@{[PAINT->{$&}]}m$&\e[0m/gr;
}

# The first after $lead, the others below it
sub _texts ($lead, $first, @others) {
    my $indent = ' ' x length $lead;
    my $command = sub ($lines) { map { "$indent  " . printable($_) } split /\n/, $lines };
    return (wrapped($lead, $first), map { ref ? $command->($$_) : wrapped($indent, $_) } @others);
}

use constant {
    ENTITY  => { '<' => '&lt;', '>' => '&gt;', '&' => '&amp;', '"' => '&quot;', q(') => '&#39;' },
    LONG    => 16,            # a word that may be broken
    # Widths of columns in letter heights, and the class of a table by its width
    WIDTH   => { head => 9, left => 11, right => 6 },
    CLASSES => [[18, 'any'], [29, 'small'], [45, 'middle'], [59, 'large'], [66, 'broad'], [75, 'wide'], [9e9, 'huge']],
};

# The page width, in rem, up to which tables of each class do not fit
use constant NO_ROOM => ([small => 30], [middle => 48], [large => 62], [broad => 69], [wide => 76]);

use constant HTML => {
    head    => sub ($text) { element('h3', {}, prose(ucfirst $text)) . "\n" },
    text    => sub (@texts) { map { ref ? _command('pre', $$_) . "\n" : paragraph($_) } @texts },
    list    => \&list,
    facts   => sub (@facts) { list(map { join ': ', @$_ } @facts) },
    table   => sub ($table) { retold(ucfirst($table->{caption} // ''), $table) },
};

# Empty text if there are no blocks
sub as_html {
    return join '', map { my ($kind, @what) = @$_; HTML->{$kind}->(@what) } grep { defined $_->[1] } @_;
}

# Escapes HTML; characters that print nothing and bytes that are not UTF-8 become \xHH
sub text ($bytes) {
    return printable($bytes) =~ s/([<>&"'])/ENTITY->{$1}/ger;
}

# Writes us with the micro sign
sub micro ($text)  { return $text =~ s/(?:(?<=\d )|(?<=\bin )|(?<=\())us\b/\xc2\xb5s/gr }
# A sentence of ours, with the micro sign
sub prose ($text)  { return text(micro($text)) }

# Attributes are text; those that are undef are left out
sub element ($name, $attributes, @html) {
    my @attributes = map { sprintf ' %s="%s"', $_, text($attributes->{$_}) }
        grep { defined $attributes->{$_} } sort keys %$attributes;
    return join '', "<$name", @attributes, '>', @html, "</$name>";
}

# $title is for readers who cannot see the picture; $wide, if given, replaces $svg on wide pages. As an image, it can
# neither run nor fetch anything.
sub picture ($svg, $title, $wide = undef) {
    my $image = sprintf qq{<img src="%s" width="%d" height="%d" alt="%s">}, _data($svg), text($title);
    return "$image\n" unless defined $wide;
    return sprintf qq{<picture><source media="(min-width: 64rem)" srcset="%s" width="%d" height="%d">%s</picture>\n},
        _data($wide), $image;
}

# A data URL, width and height. MIME::Base64 is not in Debian's perl-base; lines of uuencoded text begin with their
# length.
sub _data ($svg) {
    my ($base64, $padding) = (join('', map { substr $_, 1 } split /\n/, pack 'u', $svg), -length($svg) % 3);
    $base64 =~ tr{`!-_}{A-Za-z0-9+/};
    substr $base64, length($base64) - $padding, $padding, '=' x $padding;
    return ("data:image/svg+xml;base64,$base64", $svg =~ /<svg[^>]*?\swidth="(\d+)" height="(\d+)"/);
}

# The picture, or the reason why there is none, and its caption
sub figure ($class, $caption, $picture, $reason = undef) {
    chomp $reason if defined $reason;
    $picture //= element('p', { class => 'missing' }, text("No picture: $reason."));
    return element('figure', { class => $class }, "\n", $picture, element('figcaption', {}, text($caption))) . "\n";
}

# Empty without @html
sub section ($title, @html) {
    return @html ? element('section', {}, "\n", element('h2', {}, text($title)), "\n", @html) . "\n" : ();
}

# A collapsible section; empty without @html
sub folded ($title, @html) {
    my $summary = element('summary', {}, element('h2', {}, text($title)));
    return @html ? element('details', {}, $summary, "\n", @html) . "\n" : ();
}

sub paragraph ($text) { return element('p', {}, prose($text)) . "\n" }

# Takes the items of a block; empty without any
sub list {
    my @items = map { join '<br>', map { ref ? _command('code', $$_) : prose($_) } ref ? @$_ : $_ } @_ or return;
    return element('ul', {}, map { element('li', {}, $_) } @items) . "\n";
}

sub _command ($element, $lines) { return element($element, {}, join "\n", map { text($_) } split /\n/, $lines) }

# A printed table as HTML; %others override its parts
sub retold ($caption, $table, %others) {
    my @rows = map { [map { ref ? $_ : micro($_ // '-') } @$_] } @{ $table->{rows} };
    return table(caption => micro($caption // ''), note => ucfirst($table->{note} // '') || undef,
        columns => $table->{columns}, rows => \@rows, %others);
}

# Takes what Base::Table takes; unknown cells become dashes. On narrow pages each row becomes a list with the headings
# before its cells.
sub table {
    my $table = Realfeel::Base::Table->new(@_);
    my @columns = map { {
        title => micro($_->{head} =~ s/ +\z//r), class => $_->{align} eq 'left' ? 'words' : undef, %$_,
    } } @{ $table->{columns} };
    my $html = element('table', {}, "\n", element('caption', {}, text($table->{caption} // '')), "\n",
        element('thead', {}, element('tr', {}, _head($columns[0]->{title}), map { _head($_->{title}, $_->{class}) }
            @columns[1 .. $#columns])), "\n",
        element('tbody', {}, "\n", map {
            my ($head, @cells) = @$_;
            element('tr', {}, element('th', { scope => 'row' }, _content($head)),
                map { _cell($columns[$_ + 1], $cells[$_]) } 0 .. $#cells) . "\n";
        } grep { @$_ } @{ $table->{rows} }));
    my $width = WIDTH->{head} + sum0(map { $_->{room} // WIDTH->{ $_->{align} } } @columns[1 .. $#columns]);
    my $class = (first { $width <= $_->[0] } @{ CLASSES() })->[1];
    return element('div', { class => "table $class" }, $html) . "\n"
        . join '', map { paragraph($_) } $table->{note} // ();
}

# Aligned like the cells below
sub _head ($title, $class = undef) {
    my $classes = join ' ', $class // (), $title =~ /\S{${\LONG}}/ ? 'long' : ();
    return element('th', { scope => 'col', class => $classes || undef }, text($title));
}

# A cell over several columns has no heading of its own
sub _cell ($column, $cell) {
    my ($class, $colspan) = ref $cell ? @$cell{qw(class colspan)} : ();
    my $classes = join ' ', uniq grep { defined } $class, $column->{class};
    return element('td', { class => $classes || undef, colspan => $colspan,
        'data-head' => $colspan ? undef : $column->{title} }, _content($cell));
}

sub _content ($cell) {
    return text(($cell // '-') =~ s/ +\z//r) unless ref $cell;
    return $cell->{html} // join '<br>', map({ text(s/ +\z//r) } $cell->{value} // $cell->{text} // ()),
        defined $cell->{note} ? element('small', {}, text($cell->{note})) : ();
}

# Tables that do not fit become lists, by the rules between LISTS and END: the head of each row, then each cell after
# the heading of its column
sub css {
    open my $file, '<', __FILE__ =~ s/Blocks\.pm\z/page.css/r
        or die "the page style cannot be read: $!; install realfeel again\n";
    my ($before, $list, $after) = split m{^/\* (?:LISTS|END)\b.*\n}m, join '', <$file>;
    # :is() takes no ::before
    my $rules = sub ($class) { $list =~ s/^(\S.*?)((?:::\w+)?) \{/  .$class :is($1)$2 {/mgr };
    my @narrow = map { ["screen and (max-width: $_->[1]rem)", $_->[0]] } NO_ROOM;
    return join('', $before, (map { "\@media $_->[0] {\n" . $rules->($_->[1]) . "}\n" } @narrow, map { [print => $_] }
        qw(broad wide)), $rules->('huge'), $after) =~ s{^/\*.*\*/\n}{}mgr;
}

1;
