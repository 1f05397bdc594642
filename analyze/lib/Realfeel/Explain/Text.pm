# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Explain::Text;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(facts text);

use Realfeel::Explain qw(cost counts delay findings level);
use Realfeel::Explain::Remedies qw(remedies);
use Realfeel::Explain::Tables qw(culprits_table parts_table sentence_lines sentences trace_table);
use Realfeel::Units qw(counted printable shown us wrapped);

use constant FACT_WIDTH => 10;

=head1 NAME

Realfeel::Explain::Text - the text that C<realfeel-analyze explain> prints

=head1 FUNCTIONS

=head2 text($report)

What a L<Realfeel::Report> tells of why wake-ups were late, and what can be done about it. Dies with one line when it
was measured without C<--explain>.

=cut

sub text {
    my ($report) = @_;
    my $level = level($report) // die printable($report->file . ': ' . _refusal($report)) . "\n";
    my @findings = map { wrapped('  * ', $_) } findings($report);
    my @sections = (
        [map { wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } facts($report)],
        (map { [map { "  $_" } $_->text] } grep { defined } parts_table($report), culprits_table($report)),
        [_worst($report)],
        [map { "  $_" } map { $_->text } grep { defined } trace_table($report)],
        [_remedies($report)],
    );
    return join "\n", printable($report->file . ": $level, " . ($report->verdict // 'no verdict')),
        @findings, @findings ? '' : (), (map { (@$_, '') } grep { @$_ } @sections);
}

sub _refusal {
    my ($report) = @_;
    my $explain = $report->header('explain') // 'off';
    return 'was explained by an earlier realfeel, which knew no parts; measure again' if $explain =~ /^on\b/;
    return 'was merged from runs with --explain and others; explain those by themselves' if $explain eq 'several';
    my ($reason) = $explain =~ /^off \((.*)\)$/s;
    return defined $reason ? "has nothing to explain: $reason; measure again where --explain can be had"
        : 'was measured without --explain; measure again with it';
}

=head2 facts($report)

What the explanation rests on: arrays C<[name, text]>.

=cut

sub facts {
    my ($report) = @_;
    my ($count, $cost) = (counts($report), cost($report));
    my ($matched, $lost, $traced, $counted) = @$count{qw(matched lost traced counted)};
    my $of = counted($report->header('samples'), 'wake-up');
    my $records = $lost ? counted($lost, 'record') : 'no records';
    return (
        [matched => "$matched of $of with what the kernel traced; $records lost"],
        defined $traced ? ['self-test' => "$traced of $counted context switches traced"] : (),
        $cost ? [cost => _cost($cost)] : (),
    );
}

sub _cost {
    my ($cost) = @_;
    my ($with, $without) = map { us($_) } @$cost{qw(with_us without_us)};
    return "with --explain each wake-up is @{[delay($cost)]}: the median was $with with it, $without without";
}

sub _worst {
    my ($report) = @_;
    my $table = sentences($report) or return;
    return map { "  $_" } sentence_lines($table);
}

sub _remedies {
    my ($report) = @_;
    my @remedies = remedies($report) or return;
    return ('  what can be done about it', map { _remedy(%$_) } @remedies);
}

sub _remedy {
    my (%remedy) = @_;
    return (
        wrapped('  * ', shown("$remedy{culprit}: $remedy{text}")),
        defined $remedy{command} ? printable("        $remedy{command}") : (),
        defined $remedy{source} ? printable("      see $remedy{source}") : (),
    );
}

1;
