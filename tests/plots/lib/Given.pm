# SPDX-License-Identifier: GPL-2.0-or-later
package Given;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(given_by settings);

use Analyzer;
use Realfeel::Draw::Gnuplot ();
use RunCommand;

# Calls a function, in which this process starts no gnuplot, but writes its pictures: SVGs of the texts that it was given,
# each with the name of what it is. Returns what it was given, a hash for each picture: a text or a number by its name, an
# array for an array, and "points", the data.
sub given_by {
    my ($function) = @_;
    my @given;
    no warnings 'redefine';
    local *Realfeel::Draw::Gnuplot::_run = sub {
        for my $script (split /^reset session\n/m, contents($_[1])) {
            my %set = settings($script);
            $set{points} = contents($set{data});
            push @given, \%set;
            file_of($set{picture}, picture_of(%set));
        }
        return '';
    };
    $function->();
    return @given;
}

# The variables that a script sets, as such a hash.
sub settings {
    my ($script) = @_;
    my %set;
    for (split /\n/, $script) {
        if (/^array (\w+)\[\d+\](?: = \[(.*)\])?; /) { $set{$1} = [map { value($_) } split /, /, $2 // ''] }
        elsif (/^(\w+) = (.*)$/)                     { $set{$1} = value($2) }
    }
    return %set;
}

sub value {
    my ($written) = @_;
    return $written =~ /^"(.*)"$/ ? $1 =~ s/\\(\d{3})/chr oct $1/ger : 0 + $written;
}

sub picture_of {
    my (%set) = @_;
    my %entity = ('<' => 'lt', '>' => 'gt', '&' => 'amp');
    my @names = map { s/\\(.)/$1/gr } $set{points} =~ /"(.*?)"/g;
    my @texts = map { ref ? @$_ : split /\n/ } @set{ grep { !/^(?:data|picture|points|style)$/ } sort keys %set };
    @texts = map { "<text>" . s/([<>&])/&$entity{$1};/gr . "</text>" } @texts, @names;
    return join "\n", '<svg width="800" height="610" xmlns="http://www.w3.org/2000/svg">', @texts, "</svg>\n";
}

1;
