# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Names;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(different names together);

use File::Basename qw(basename);
use List::Util qw(min uniq);

use constant PART => qr{(?:CPU|part)[ ]\d+|\d+x\d+k?(?:,[ ]CPU[ ]\d+)?};  # of a run, or of a ring's table
use constant {
    WORD      => qr{[^-_\s/]+},
    # Whether a file is compressed tells nothing of its run; which report of it is meant, and which part, does.
    EXTENSION => qr{(?<=[^/.])(\.[A-Za-z]\w*?)(?:\.gz)?((?:#\d+)?(?:,[ ]${\PART})?)\z},
    PACKED    => qr{.\K\.gz(?=(?:,[ ]${\PART})?\z)},
};

=head1 NAME

Realfeel::Model::Names - short names for runs, made of what they do not have in common

=head1 FUNCTIONS

=head2 names(@reports)

A name for each L<Realfeel::Model::Report>, which no other has: its label, else what tells its file from the others. A
single run without a label is named by its file, compressed or not.

=cut

sub names (@reports) {
    my @labels = map { my $label = $_->header('label') // ''; $label =~ /\S/ ? $label : undef } @reports;
    my @files = _of_files(map { $_->file } @reports);
    my @names = map { $labels[$_] // $files[$_] } 0 .. $#reports;
    my %runs = _counts(@names);
    return _numbered(map {
        $runs{ $names[$_] } > 1 && defined $labels[$_] ? "$labels[$_], $files[$_]" : $names[$_]
    } 0 .. $#names);
}

sub _of_files (@paths) {
    my @files = map { basename($_) } @paths;
    return different(_without_extension(uniq(@files) == @files ? @files : @paths));
}

# Where several have the same one, and names that differ do not become one.
sub _without_extension (@files) {
    my @extensions = map { /${\EXTENSION}/ ? $1 : '' } @files;
    return map { s/${\PACKED}//sr } @files if @files < 2;
    return @files if uniq(@extensions) > 1;
    my @names = map { s/${\EXTENSION}/$2/r } @files;
    return uniq(@names) == uniq(@files) ? @names : @files;
}

sub _counts {
    my %count;
    $count{$_}++ for @_;
    return %count;
}

sub _numbered (@names) {
    my %count = _counts(@names);
    return map { $count{ $names[$_] } > 1 ? "$names[$_] (" . ($_ + 1) . ')' : $names[$_] } 0 .. $#names;
}

=head2 different(@texts)

The texts without the words that all begin with and without those that all end with; texts that are all equal stay what
they are. None becomes empty or a mere number for that.

=cut

sub different (@texts) {
    my ($first, $last) = _common(@texts) or return @texts;
    return map { _part($_, $first, $last) } @texts;
}

=head2 together(@texts)

The different texts as one, with what they have in common once: C<6.1.0-{cloud,rt}-amd64>; side by side where they have
nothing in common.

=cut

sub together {
    my @texts = uniq @_;
    my ($first, $last) = _common(@texts) or return join ' / ', @texts;
    my @different = map { _part($_, $first, $last) } @texts;
    return join ' / ', @texts unless $first || $last;
    my $at = index $texts[0], $different[0], _start($texts[0], $first);
    return substr($texts[0], 0, $at) . '{' . join(',', @different) . '}' . substr $texts[0], $at + length $different[0];
}

# How many words at the beginning and at the end all have in common; nothing where there is no choice.
sub _common {
    my @words = map { [/${\WORD}/g] } @_;
    return if uniq(@_) < 2 || grep { !@$_ } @words;
    my $least = min(map { scalar @$_ } @words);
    my $first = _agree($least - 1, sub { $_[0][ $_[1] ] }, @words);
    my $last  = _agree($least - 1 - $first, sub { $_[0][-1 - $_[1]] }, @words);
    $first-- if $first && grep { $#$_ - $last == $first && $_->[$first] =~ /^\d{1,3}\z/ } @words;
    return ($first, $last);
}

sub _agree ($most, $word, @words) {
    my $n = 0;
    $n++ while $n < $most && uniq(map { $word->($_, $n) } @words) == 1;
    return $n;
}

sub _part ($text, $first, $last) {
    my @ends;
    push @ends, pos $text while $text =~ /${\WORD}/g;
    my $start = _start($text, $first);
    my $end = $last ? $ends[-1 - $last] : length $text;
    return substr $text, $start, $end - $start;
}

# Where the word of this number begins; the first begins with the text.
sub _start ($text, $number) {
    return 0 unless $number;
    my @starts;
    push @starts, $-[0] while $text =~ /${\WORD}/g;
    return $starts[$number];
}

1;
