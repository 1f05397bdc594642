# SPDX-License-Identifier: GPL-2.0-or-later
package PageTables;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(plain tables unbalanced);

# The text of a piece of HTML, a line break for each <br>.
sub plain {
    my ($html) = @_;
    my %entity = (lt => '<', gt => '>', amp => '&', quot => '"', '#39' => q('), ne => "\xe2\x89\xa0");
    return $html =~ s/<br>/\n/gr =~ s/<[^>]*>//gr =~ s/&(#?\w+);/$entity{$1} \/\/ die "&$1;"/ger;
}

# The tables of a page: hashes of the section they are in, caption, and rows of cells, the first being the heads.
sub tables {
    my ($page) = @_;
    my @tables;
    for my $section (split /(?=<h2>)/, $page) {
        my ($title) = $section =~ m{<h2>(.*?)</h2>} or next;
        while ($section =~ m{<table>\s*<caption>(.*?)</caption>(.*?)</table>}gs) {
            my ($caption, $rows) = ($1, $2);
            my @rows = map { [map { plain($_) } m{<t[hd][^>]*>(.*?)</t[hd]>}gs] } $rows =~ m{<tr>(.*?)</tr>}gs;
            push @tables, { section => plain($title), caption => plain($caption), rows => \@rows };
        }
    }
    return @tables;
}

# The first tag that does not close what it should, or the empty string.
sub unbalanced {
    my ($page) = @_;
    my %is_void = map { $_ => 1 } qw(meta link br img source);
    my @open;
    while ($page =~ m{<(/?)([A-Za-z]\w*)((?:[^<>"']|"[^"]*"|'[^']*')*?)(/?)>}g) {
        my ($end, $name, $empty) = ($1, $2, $4);
        next if $empty || $is_void{$name};
        if (!$end) { push @open, $name }
        elsif (($open[-1] // '') eq $name) { pop @open }
        else { return "</$name> in <@open>" }
    }
    return "@open";
}

1;
