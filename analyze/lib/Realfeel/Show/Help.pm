# SPDX-License-Identifier: GPL-2.0-or-later
# What --help prints, from the manual pages, which are PODs in man/. The lists in DESCRIPTION have the commands of the
# program, or the kinds of plot. The first sentence of an item is its summary.
package Realfeel::Show::Help;
use Realfeel::Base::Modern;

use File::Basename qw(dirname);
use List::Util qw(first);
use Pod::Text;

use constant { WIDTH => 80, INDENT => 2, NAME => 13 };

# How to call the command, what it does, its options and examples. Without a command the same for the program or, if
# that has commands, a line for each and for each kind of plot.
sub text ($program, $command = undef) {
    my $page = defined $command ? $command =~ s/^/realfeel-/r : $program;
    my $sections = _sections($page);
    return _overview($program, $sections) if !defined $command && _items(@{ $sections->{DESCRIPTION} });
    my ($does) = $sections->{NAME}[0] =~ / - (.*)/s;
    my @known = map { @{ $_->{OPTIONS} } } $sections, defined $command ? _sections($program) : ();
    my @options = map { ("=item $_->[0]", ucfirst $_->[1] =~ s/\.\s.*/./sr) } _items(@known);
    my @kinds = $page eq 'realfeel-plot' ? ("Kinds of plots:\n", _summaries($sections->{DESCRIPTION}), "\n") : ();
    my @calls = map { s/^ {4}/  /gmr . "\n" } grep { /\A / } @{ $sections->{EXAMPLES} };
    return join '', _text('=head1 Usage:', @{ $sections->{SYNOPSIS} }, ucfirst "$does."), @kinds,
        _text('=head1 Options:', '=over', @options, '=back'),
        @calls ? ("Examples:\n", @calls, "\n") : (), "For more, see $page(1).\n";
}

sub _overview ($program, $sections) {
    my @groups;     # [heading, the paragraphs of its list], where a paragraph that ends with a colon precedes a list
    for (@{ $sections->{DESCRIPTION} }) {
        if (/\A[^=].*:\z/) { push @groups, [$_, []] }
        elsif (@groups)    { push @{ $groups[-1][1] }, $_ }
    }
    return join '', "Usage: $program [COMMAND] [OPTION]... FILE...\n",
        (map { ("\n$_->[0]\n", _summaries($_->[1])) } @groups),
        "\nKinds of plots:\n", _summaries(_sections('realfeel-plot')->{DESCRIPTION}),
        "\n'$program COMMAND --help' explains one command and its options.\n";
}

sub _summaries ($paragraphs) {
    my $line = sub ($name, $text) { sprintf "  %-*s %s\n", NAME, _plain($name), _plain($text =~ s/\.(?:\s.*|\z)//sr) };
    return map { $line->(@$_[0, 1]) } _items(@$paragraphs);
}

sub _plain ($pod) { return $pod =~ s/[A-Z]<([^<>]*)>/$1/gr =~ s/\s+/ /gr }

sub _text {
    my @pod = map { s/[IF]<([^<>]*)>/$1/gr } @_;
    my $parser = Pod::Text->new(width => WIDTH, indent => INDENT);
    $parser->output_string(\my $text);
    $parser->parse_string_document(join("\n\n", '=pod', @pod) . "\n");
    return $text =~ s/\n+\z/\n\n/r;
}

# The paragraphs of each section of a page, which is in the source or installed
sub _sections ($page) {
    my $library = dirname(dirname(dirname(__FILE__)));
    my $file = first { -e } map { "$_/man/$page.pod" } "$library/../..", "$library/..";
    open my $in, '<', $file // "$page.pod" or die "the manual $page.pod is missing: $!; install the program again\n";
    local $/ = '';
    my ($section, %paragraphs) = ('');
    while (my $paragraph = <$in>) {
        chomp $paragraph;
        if ($paragraph =~ /\A=head1 (.*)/) { $section = $1 }
        else                               { push @{ $paragraphs{$section} }, $paragraph }
    }
    return \%paragraphs;
}

# The items of lists that are not inside others: [name, paragraphs...]
sub _items {
    my ($depth, @items) = (0);
    for (@_) {
        $depth++ if /\A=over/;
        $depth-- if /\A=back/;
        if ($depth == 1 && /\A=item (.*)/s) { push @items, [$1] }
        elsif ($depth && !/\A=over/)        { push @{ $items[-1] }, $_ }
    }
    return @items;
}

1;
