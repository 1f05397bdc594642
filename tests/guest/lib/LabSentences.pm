# SPDX-License-Identifier: GPL-2.0-or-later
package LabSentences;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use LabTable qw(statistics);
use Realfeel::Compare qw(compare);
use Realfeel::Compare::Conclusion qw(conclusion);
use Realfeel::Report;
use Text::Wrap qw(wrap);

our @EXPORT_OK = qw(sentences);

use constant { COLUMNS => 79, SEED => 1 };

=head1 NAME

LabSentences - what the results of the laboratory come to, in words

=cut

# Which kernel is compared with which.
my @PAIRS = (['none', 'voluntary'], ['voluntary', 'full'], ['full', 'rt'], ['arm64-voluntary', 'arm64-rt']);

=head2 sentences(@rows)

The comparisons of the kernels under load, and what the RTC's timer costs, as text. The rows are those of the table (see
LabTable); of those without a report nothing is said.

=cut

sub sentences {
    my @rows = grep { $_->{load} eq 'loaded' && $_->{failure} eq '' } @_;
    my %file = map { ("$_->{kernel} $_->{source}" => $_->{file}) } @rows;
    return join '', map { paragraph(@$_) } (map { comparisons($_, \%file) } qw(rtc nanosleep)), timer_costs(\%file);
}

sub comparisons {
    my ($source, $file) = @_;
    return map {
        my @files = grep { defined } map { $file->{"$_ $source"} } @$_;
        @files == 2 ? ["$source, $_->[0] and $_->[1]", compared($_, @files)] : ();
    } @PAIRS;
}

sub compared {
    my ($kernels, @files) = @_;
    my $comparison = compare((map { Realfeel::Report->read($_) } @files), undef, SEED);
    return conclusion({%$comparison, names => $kernels});
}

sub timer_costs {
    my ($file) = @_;
    my @both = grep { defined $file->{"$_ rtc"} && defined $file->{"$_ nanosleep"} } qw(rt arm64-rt);
    return map {
        my $kernel = $_;
        my ($rtc, $nanosleep) = map { statistics($file->{"$kernel $_"})->{p50} } qw(rtc nanosleep);
        [$kernel, sprintf 'the median is %.1f us with the RTC, whose timer expires in a thread there, and %.1f us with nanosleep, '
            . 'whose timer expires in the interrupt.', $rtc, $nanosleep];
    } @both;
}

sub paragraph {
    my ($subject, $text) = @_;
    local $Text::Wrap::columns = COLUMNS;
    return wrap('', '    ', "$subject: $text") . "\n";
}

1;
