# SPDX-License-Identifier: GPL-2.0-or-later
# The reports of an experiment, sorted into rounds by name.
package Realfeel::Model::Rounds;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(BASE block_name is_experiment rounds_of seconds);

use List::Util qw(max min uniqstr);
use Realfeel::Base::Units qw(epoch printable);

use constant {
    BASE  => 'base',
    BLOCK => qr{\A(.*)-(\d{2,6})-([A-Za-z][\w.-]*)\.hist(?:\.gz)?\z}s,
    WHOLE => { map { $_ => 1 } qw(complete break) },
};

# PREFIX-01-NAME.hist; the base is called BASE
sub block_name ($prefix, $round, $name) {
    return sprintf '%s-%02d-%s.hist', $prefix, $round, $name;
}

# Whether the names are blocks of one experiment, of the base and of changes
sub is_experiment {
    my @blocks = map { [/${\BLOCK}/] } @_;
    my $bases = grep { ($_->[2] // '') eq BASE } @blocks;
    return $bases && $bases < @blocks && uniqstr(map { $_->[0] // '' } @blocks) == 1;
}

# A hash of prefix; names of the variants; and rounds, arrays of the reports of the base and each variant, undef if none
# ended normally. Each report covers all CPUs. Dies with one line unless all belong to one experiment.
sub rounds_of (@reports) {
    my (%rounds, @prefixes);
    my %place = (BASE, 0);
    for my $report (@reports) {
        my ($prefix, $round, $name) = $report->file =~ BLOCK or die printable($report->file)
            . ": is no block of an experiment; name its files, PREFIX-*.hist\n";
        push @prefixes, $prefix;
        $place{$name} = keys %place unless exists $place{$name};
        $rounds{ 0 + $round }[$place{$name}] = WHOLE->{ $report->header('status') // '' } ? $report : undef;
    }
    my ($prefix, $other) = uniqstr @prefixes;
    die printable("$prefix and $other are two experiments; name the files of one") . "\n" if defined $other;
    my @names = sort { $place{$a} <=> $place{$b} } grep { $_ ne BASE } keys %place;
    die printable("$prefix: has no block of a change; name all of its files, $prefix-*.hist") . "\n" unless @names;
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
