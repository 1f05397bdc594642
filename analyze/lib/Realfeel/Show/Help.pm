# SPDX-License-Identifier: GPL-2.0-or-later
# What --help prints, from the manual, a POD in $file. The first list of DESCRIPTION has an item for each command, if
# any; that of the section on plot one for each kind. The first sentence of an item is its summary.
package Realfeel::Show::Help;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Pod::Text;

use constant {
    WIDTH    => 80,
    INDENT   => 2,
    NAME     => 13,
    EXAMPLES => 5,
};

# How to call the command, what it does, its @options as named for Getopt::Long, and up to five examples. Without a
# command the same for the program, or, if that has commands, a line for each command and each kind of plot.
sub text ($file, $command, @options) {
    my $sections = _sections($file);
    my ($program) = $sections->{NAME}[0] =~ /\A(\S+)/;
    return _overview($program, $sections) if !defined $command && _items(@{ $sections->{DESCRIPTION} });
    return _explained($program, $command, $sections, @options);
}

sub _overview ($program, $sections) {
    return join '', "Usage: $program [COMMAND] [OPTION]... FILE...\n",
        "\nCommands:\n", _summaries(@{ $sections->{DESCRIPTION} }),
        "\nKinds of plots:\n", _summaries(@{ $sections->{'DESCRIPTION/plot'} }),
        "\n'$program COMMAND --help' explains one command and its options.\n";
}

sub _summaries {
    return map {
        my ($name, $first) = map { _plain($_) } $_->[0], $_->[1] =~ /\A(.*?)\.(?:\s|\z)/s;
        sprintf("  %-*s %s\n", NAME, $name, $first) =~ s/ +\n\z/\n/r;
    } _items(@_);
}

sub _plain ($pod) { return $pod =~ s/[A-Z]<([^<>]*)>/$1/gr =~ s/\s+/ /gr }

sub _explained ($program, $command, $sections, @options) {
    my $name = $command // '';
    my @usage = grep { !defined $command || /\AB<$program> \[?B<\Q$name\E>/ } @{ $sections->{SYNOPSIS} };
    my %is_taken = map { (length > 1 ? "--$_" : "-$_") => 1 } map { split /\|/, s/=.*//r } @options;
    my @known = grep { grep { $is_taken{$_} } $_->[0] =~ /B<(-[^<>]+)>/g } _items(@{ $sections->{OPTIONS} });
    my ($does) = map { $_->[1] } grep { $_->[0] eq "B<$name>" } _items(@{ $sections->{DESCRIPTION} });
    $does //= $sections->{DESCRIPTION}[0];
    my @kinds = $name eq 'plot' ? ("Kinds of plots:\n", _summaries(@{ $sections->{'DESCRIPTION/plot'} }), "\n") : ();
    return join '', _text('=head1 Usage:', @usage, $does =~ s/\.\s.*/./sr), @kinds,
        _text('=head1 Options:', '=over', (map { _of_command($name, @$_) } @known), '=back'),
        _examples($program, $name, @{ $sections->{EXAMPLES} }), "The manual, $program(1), says more.\n";
}

# The first sentence of an option. Paragraphs that begin with names of commands and a colon only apply to these.
sub _of_command ($command, $head, @paragraphs) {
    my $names = qr/\A((?:B<[a-z]+>(?:, | and )?)+):\s/;
    my ($first) = grep { !/$names/ || $1 =~ /B<\Q$command\E>/ } @paragraphs;
    return ("=item $head", ucfirst $first =~ s/$names//r =~ s/\.\s.*/./sr);
}

sub _examples ($program, $command, @paragraphs) {
    my $called = $command eq 'stats' ? qr/(?:--json |)(?:[^\s-]\S*\.hist|'.*')/
        : $command ne '' ? qr/\Q$command\E\b/ : qr//;
    my @calls = grep { /^$program $called/ } map { split /^(?! )/m, s/^    //gmr . "\n" } grep { /\A / } @paragraphs;
    splice @calls, EXAMPLES if @calls > EXAMPLES;
    return @calls ? ("Examples:\n", (map { s/^/  /gmr } @calls), "\n") : ();
}

sub _text {
    my @pod = map { s/[IF]<([^<>]*)>/$1/gr } @_;
    my $parser = Pod::Text->new(width => WIDTH, indent => INDENT);
    $parser->output_string(\my $text);
    $parser->parse_string_document(join("\n\n", '=pod', @pod) . "\n");
    return $text =~ s/\n+\z/\n\n/r;
}

# The paragraphs of each section; second-level sections are named "FIRST SECOND"
sub _sections ($file) {
    open my $in, '<', $file or die "$file: $!; install the program again\n";
    my ($pod) = do { local $/; <$in> } =~ /^__END__\n(.*)/ms;
    my ($first, $section, %paragraphs) = ('', '');
    for (split /\n{2,}/, $pod) {
        if    (/\A=head1 (.*)/) { $section = $first = $1 }
        elsif (/\A=head2 (.*)/) { $section = "$first/$1" }
        else                    { push @{ $paragraphs{$section} }, $_ }
    }
    return \%paragraphs;
}

# Of lists not inside other lists: [name, paragraphs...]
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
