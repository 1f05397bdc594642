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
# and no more. Returns what it was given, for each picture an object: a hash of texts and numbers by their names, an array
# for an array, and "points", the data.
sub given_by {
    my ($function) = @_;
    my @given;
    no warnings 'redefine';
    local *Realfeel::Draw::Gnuplot::_run = sub {
        for my $script (split /^reset session\n/m, contents($_[1])) {
            my %set = settings($script);
            $set{points} = contents($set{data});
            push @given, bless \%set;
            file_of($set{picture}, $given[-1]->picture);
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

# The texts that are drawn, but for those that a template draws or not: in the order of an SVG, and then the names in the data.
sub texts {
    my ($self) = @_;
    my @first = qw(title_text note key remark);
    my %is_none = map { $_ => 1 } @first, qw(data format picture points style);
    my @texts = map { ref ? @$_ : split /\n/ } @$self{ @first, grep { !$is_none{$_} } sort keys %$self };
    return (@texts, map { s/\\(.)/$1/gr } $self->{points} =~ /"(.*?)"/g);
}

sub picture {
    my ($self) = @_;
    my %entity = ('<' => 'lt', '>' => 'gt', '&' => 'amp');
    my @texts = map { '<text>' . s/([<>&])/&$entity{$1};/gr . '</text>' } $self->texts;
    return join "\n", '<svg width="800" height="610" xmlns="http://www.w3.org/2000/svg">', @texts, "</svg>\n";
}

1;
