# SPDX-License-Identifier: GPL-2.0-or-later
package LabSentences;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use LabTable qw(median range);
use Realfeel::Answer::Compare qw(compare);
use Realfeel::Model::Report;
use Realfeel::Show::Compare qw(conclusion);
use Text::Wrap qw(wrap);

our @EXPORT_OK = qw(sentences);

use constant { COLUMNS => 79, SEED => 1 };
use constant SOURCES => qw(rtc nanosleep);

=head1 NAME

LabSentences - what the results of the laboratory come to, in words

=cut

# Which kernel is compared with which.
my @PAIRS = (['none', 'voluntary'], ['voluntary', 'full'], ['full', 'rt'], ['arm64-voluntary', 'arm64-rt']);

=head2 sentences(@rows)

The comparisons of the kernels under load, the periods that they miss, and what the RTC's timer costs, as text. The rows
are those of the table (see LabTable), with C<file>, the report of all the runs together; of those without a report
nothing is said.

=cut

sub sentences {
    my @rows = grep { $_->{load} eq 'loaded' && $_->{failure} eq '' } @_;
    my %row = map { ("$_->{kernel} $_->{source}" => $_) } @rows;
    return join '', map { paragraph(@$_) } (map { comparisons($_, \%row) } SOURCES), (map { missed($_, @rows) } SOURCES),
        timer_costs(\%row);
}

sub comparisons {
    my ($source, $row) = @_;
    return map {
        my @files = map { $_->{file} } grep { defined } map { $row->{"$_ $source"} } @$_;
        @files == 2 ? ["$source, beside $_->[0], " . compared($_, @files)] : ();
    } @PAIRS;
}

sub compared {
    my ($kernels, @files) = @_;
    my $comparison = compare((map { Realfeel::Model::Report->read($_) } @files));
    return conclusion({%$comparison, names => $kernels});
}

sub missed {
    my ($source, @rows) = @_;
    my @missed = map { "$_->{kernel} " . range('%d', @{$_->{statistics}{missed}}) }
        grep { $_->{source} eq $source } @rows;
    return @missed ? ["$source, missed periods a run", join(', ', @missed) . '.'] : ();
}

sub timer_costs {
    my ($row) = @_;
    my @both = grep { defined $row->{"$_ rtc"} && defined $row->{"$_ nanosleep"} } qw(rt arm64-rt);
    return map {
        my $kernel = $_;
        my ($rtc, $nanosleep) = map { medians(@{$row->{"$kernel $_"}{statistics}{p50}}) } qw(rtc nanosleep);
        [$kernel, "the median is $rtc us with the RTC, whose timer expires in a thread there, and $nanosleep us with "
            . 'nanosleep, whose timer expires in the interrupt.'];
    } @both;
}

# Of the runs: their median, and their range.
sub medians {
    return sprintf '%.1f (%s)', median(@_), range('%.1f', @_);
}

sub paragraph {
    my @clauses = @_;
    local $Text::Wrap::columns = COLUMNS;
    return wrap('', '    ', join ': ', @clauses) . "\n";
}

1;
