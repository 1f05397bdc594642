# SPDX-License-Identifier: GPL-2.0-or-later
# Short names for runs, made of what distinguishes them; and the names of an experiment's blocks, by which their reports
# are sorted into rounds.
package Realfeel::Model::Names;
use Realfeel::Base::Modern;

use File::Basename qw(basename);
use List::Util qw(max min uniq);
use Realfeel::Base::Units qw(epoch printable);

use constant PART => qr{(?:CPU|part)[ ]\d+|\d+x\d+k?(?:,[ ]CPU[ ]\d+)?};  # of a run, or of a ring's table
use constant {
    WORD      => qr{[^-_\s/]+},
    # Compression says nothing about the run, but #2 or a part of the file does
    EXTENSION => qr{(?<=[^/.])(\.[A-Za-z]\w*?)(?:\.gz)?((?:#\d+)?(?:,[ ]${\PART})?)\z},
    PACKED    => qr{.\K\.gz(?=(?:,[ ]${\PART})?\z)},
    BASE  => 'base',
    BLOCK => qr{\A(.*)-(\d{2,6})-([A-Za-z][\w.-]*)\.hist(?:\.gz)?\z}s,
    WHOLE => { map { $_ => 1 } qw(complete break) },
};

# A unique name for each report: its label, else what tells its file from the others. A single run without a label is
# named by its file, without .gz.
sub names (@reports) {
    my @labels = map { my $label = $_->header('label') // ''; $label =~ /\S/ ? $label : undef } @reports;
    my @paths = map { $_->{file} } @reports;
    my @short = map { basename($_) } @paths;
    my @files = different(_without_extension(uniq(@short) == @short ? @short : @paths));
    my @names = map { $labels[$_] // $files[$_] } 0 .. $#reports;
    my (%runs, %count);
    $runs{$_}++ for @names;
    for my $i (0 .. $#names) {
        $names[$i] = "$labels[$i], $files[$i]" if $runs{ $names[$i] } > 1 && defined $labels[$i];
    }
    $count{$_}++ for @names;
    return map { $count{ $names[$_] } > 1 ? "$names[$_] (" . ($_ + 1) . ')' : $names[$_] } 0 .. $#names;
}

# If all have the same extension, and names stay different without it
sub _without_extension (@files) {
    my @extensions = map { /${\EXTENSION}/ ? $1 : '' } @files;
    return map { s/${\PACKED}//sr } @files if @files < 2;
    return @files if uniq(@extensions) > 1;
    my @names = map { s/${\EXTENSION}/$2/r } @files;
    return uniq(@names) == uniq(@files) ? @names : @files;
}

# The texts without the words that all begin with and that all end with. Equal texts stay; none becomes empty or a
# number.
sub different (@texts) {
    my ($first, $last) = _common(@texts) or return @texts;
    return map { (_part($_, $first, $last))[1] } @texts;
}

# The different texts in one, common parts once: "6.1.0-{cloud,rt}-amd64"; side by side if they have nothing in common
sub together {
    my @texts = uniq @_;
    my ($first, $last) = _common(@texts);
    return join ' / ', @texts unless $first || $last;
    my @different = map { (_part($_, $first, $last))[1] } @texts;
    my ($at) = _part($texts[0], $first, $last);
    return substr($texts[0], 0, $at) . '{' . join(',', @different) . '}' . substr $texts[0], $at + length $different[0];
}

# How many words all have in common at the start and at the end; empty unless there are two different texts
sub _common {
    my @words = map { [/${\WORD}/g] } @_;
    return if uniq(@_) < 2 || grep { !@$_ } @words;
    my ($first, $last, $most) = (0, 0, min(map { $#$_ } @words));
    $first++ while $first < $most && uniq(map { $_->[$first] } @words) == 1;
    $last++ while $last < $most - $first && uniq(map { $_->[-1 - $last] } @words) == 1;
    $first-- if $first && grep { $#$_ - $last == $first && $_->[$first] =~ /^\d{1,3}\z/ } @words;
    return ($first, $last);
}

# Where the part without these words begins, and the part; the first word begins with the text
sub _part ($text, $first, $last) {
    my @places;
    push @places, [$-[0], $+[0]] while $text =~ /${\WORD}/g;
    my $start = $first ? $places[$first][0] : 0;
    my $end = $last ? $places[-1 - $last][1] : length $text;
    return ($start, substr $text, $start, $end - $start);
}

# PREFIX-01-NAME.hist; the base is called BASE
sub block_name ($prefix, $round, $name) {
    return sprintf '%s-%02d-%s.hist', $prefix, $round, $name;
}

# Whether the names are blocks of one experiment, of the base and of changes
sub is_experiment {
    my @blocks = map { [/${\BLOCK}/] } @_;
    my $bases = grep { ($_->[2] // '') eq BASE } @blocks;
    return $bases && $bases < @blocks && uniq(map { $_->[0] // '' } @blocks) == 1;
}

# A hash of prefix; names of the variants; and rounds, arrays of the reports of the base and each variant, undef if none
# ended normally. Each report covers all CPUs. Dies with one line unless all belong to one experiment.
sub rounds_of (@reports) {
    my (%rounds, @prefixes);
    my %place = (BASE, 0);
    for my $report (@reports) {
        my ($prefix, $round, $name) = $report->{file} =~ BLOCK or die printable($report->{file})
            . ": is not a block of an experiment; give its files, PREFIX-*.hist\n";
        push @prefixes, $prefix;
        $place{$name} = keys %place unless exists $place{$name};
        $rounds{ 0 + $round }[$place{$name}] = WHOLE->{ $report->header('status') // '' } ? $report : undef;
    }
    my ($prefix, $other) = uniq @prefixes;
    die printable("$prefix and $other are two experiments; give the files of one") . "\n" if defined $other;
    my @names = sort { $place{$a} <=> $place{$b} } grep { $_ ne BASE } keys %place;
    die printable("$prefix: has no block of a change; give all of its files, $prefix-*.hist") . "\n" unless @names;
    return { prefix => $prefix, names => \@names, rounds => [@rounds{ sort { $a <=> $b } keys %rounds }] };
}

# From the first start to the last end; undef if a report lacks its start or duration
sub seconds {
    my @reports = grep { defined } map { @$_ } @_;
    my @starts = map { epoch($_->header('started')) // return undef } @reports or return undef;
    my @lengths = map { $_->header('duration_s') // return undef } @reports;
    return max(map { $starts[$_] + $lengths[$_] } 0 .. $#reports) - min(@starts);
}

1;
