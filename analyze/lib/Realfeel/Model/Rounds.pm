# SPDX-License-Identifier: GPL-2.0-or-later
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

=head1 NAME

Realfeel::Model::Rounds - the reports of an experiment, put into its rounds by their names

=head1 FUNCTIONS

=head2 block_name($prefix, $round, $name)

The file of a block, C<PREFIX-01-NAME.hist>; that of the base has the name C<BASE>.

=head2 is_experiment(@files)

Whether these are, by their names, blocks of one experiment, of its base and of changes.

=head2 rounds_of(@reports)

A hash: C<prefix>; C<names>, those of the variants; C<rounds>, an array for each round of the L<Realfeel::Model::Report>
of the base and of each variant, undef where there is none that reached its end. The reports are of all CPUs of a run.
Dies with one line where they are not all of one experiment.

=cut

sub block_name ($prefix, $round, $name) {
    return sprintf '%s-%02d-%s.hist', $prefix, $round, $name;
}

sub is_experiment {
    my @blocks = map { [/${\BLOCK}/] } @_;
    my $bases = grep { ($_->[2] // '') eq BASE } @blocks;
    return $bases && $bases < @blocks && uniqstr(map { $_->[0] // '' } @blocks) == 1;
}

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

=head2 seconds(@rounds)

From the first start to the last end; undef where a report lacks its start or its duration.

=cut

sub seconds {
    my @reports = grep { defined } map { @$_ } @_;
    my @starts = map { epoch($_->header('started')) // return undef } @reports or return undef;
    my @lengths = map { $_->header('duration_s') // return undef } @reports;
    return max(map { $starts[$_] + $lengths[$_] } 0 .. $#reports) - min(@starts);
}

1;
