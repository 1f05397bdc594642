# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Explanation;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(explanation);

use Realfeel::Answer::Why qw(causes wakeups);
use Realfeel::Answer::Why::Remedies qw(remedies);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Explain qw(findings level);
use Realfeel::Show::Explain qw(culprits_table facts parts_table);
use Realfeel::Show::Figures qw(finding_words);
use Realfeel::Show::Page::Html qw(element list micro paragraph prose section table text);
use Realfeel::Show::Why qw(causes_told remedy);

use constant US => "\xc2\xb5s";

=head1 NAME

Realfeel::Show::Page::Explanation - why wake-ups were late, and what can be done about it

=head1 FUNCTIONS

=head2 explanation(\@figures, @runs)

The section about the runs that were explained, nothing where none was: what it rests on, what explains the worst
wake-ups and what can be done about it, the parts of the lateness, who had the CPU, and the figures, which are HTML. The
sentences stand with the worst wake-ups.

=cut

sub explanation {
    my ($figures, @runs) = @_;
    my @explained = grep { defined level($_->{report}) } @runs or return;
    my @leads = map { @runs > 1 ? "$_->{name}: " : '' } @explained;
    return section('Why it was late',
        (map { _rests_on($leads[$_], $explained[$_]{report}) } 0 .. $#explained),
        (map { _causes($leads[$_], $explained[$_]{report}) } 0 .. $#explained),
        (map { _remedies($leads[$_], $explained[$_]{report}) } 0 .. $#explained),
        (map { _tables($leads[$_], $explained[$_]{report}) } 0 .. $#explained),
        @$figures ? element('div', { class => 'pictures' }, "\n", @$figures) : ());
}

sub _rests_on {
    my ($lead, $report) = @_;
    return (list(map { $lead . finding_words($_) } findings($report)),
        paragraph($lead . join '; ', map { "$_->[0]: $_->[1]" } facts($report)));
}

sub _causes {
    my ($lead, $report) = @_;
    my @wakeups = wakeups($report);
    my @told = causes_told([causes(@wakeups)], scalar @wakeups) or return;
    my $of = $lead eq '' ? 'Why the worst wake-ups were late' : "${lead}why the worst wake-ups were late";
    return element('h3', {}, text($of)) . "\n" . list(map { "$_->[0]: " . printable($_->[1]) } @told);
}

sub _tables {
    my ($lead, $report) = @_;
    return map { _table($lead, $_) } grep { defined } parts_table($report), culprits_table($report, wakeups($report));
}

sub _table {
    my ($lead, $table) = @_;
    my $caption = micro($table->caption);
    my @columns = map { { %$_, $_->{head} eq 'us' ? (title => US) : () } } $table->columns;
    return table(caption => $lead eq '' ? ucfirst $caption : $lead . $caption, columns => \@columns,
        rows => [$table->rows]);
}

sub _remedies {
    my ($lead, $report) = @_;
    my @remedies = map { remedy($_) } remedies($report, wakeups($report)) or return;
    return element('h3', {}, text($lead eq '' ? 'What can be done' : "${lead}what can be done")) . "\n"
        . element('ul', {}, map { element('li', {}, _remedy(%$_)) } @remedies) . "\n";
}

sub _remedy {
    my (%remedy) = @_;
    my ($text, $command, $source) = @remedy{qw(text command source)};
    return join ' ', prose("$remedy{culprit}: $text" . (defined $command ? ':' : '')),
        defined $command ? element('code', {}, text($command)) : (), defined $source ? text("(see $source)") : ();
}

1;
