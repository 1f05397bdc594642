# SPDX-License-Identifier: GPL-2.0-or-later
# Why wake-ups were late and what can be done, on the page.
package Realfeel::Show::Page::Explanation;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(explanation);

use Realfeel::Answer::Why qw(causes wakeups);
use Realfeel::Answer::Why::Remedies qw(remedies);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Explain qw(findings);
use Realfeel::Show::Explain qw(culprits_table facts parts_table);
use Realfeel::Show::Figures qw(finding_words);
use Realfeel::Show::Page::Html qw(element list paragraph prose retold section text titled);
use Realfeel::Show::Why qw(causes_told remedy);
use Realfeel::Show::Words qw(words);

# The section on explained runs: grounds, causes and remedies, parts of the lateness, culprits, and @$figures, HTML.
# Sentences stand with the worst wake-ups.
sub explanation ($figures, @runs) {
    return section(words('page.why'), (map { _rests_on($_) } @runs), (map { _causes($_) } @runs),
        (map { _remedies($_) } @runs), (map { _tables($_) } @runs),
        @$figures ? element('div', { class => 'pictures' }, "\n", @$figures) : ());
}

sub _rests_on ($run) {
    my $lead = defined $run->{called} ? "$run->{called}: " : '';
    return list(map { $lead . $_ } (map { finding_words($_) } findings($run->{report})),
        map { "$_->[0]: $_->[1]" } facts($run->{report}));
}

sub _causes ($run) {
    my @wakeups = wakeups($run->{report});
    my @told = causes_told([causes(@wakeups)], scalar @wakeups) or return;
    return _heading($run, 'explain.why') . list(map { "$_->[0]: " . printable($_->[1]) } @told);
}

sub _heading ($run, $code) {
    return element('h3', {}, text(titled($run->{called}, words($code)))) . "\n";
}

sub _remedies ($run) {
    my @remedies = map { remedy($_) } remedies(wakeups($run->{report})) or return;
    return _heading($run, 'explain.remedies')
        . element('ul', {}, map { element('li', {}, _remedy(%$_)) } @remedies) . "\n";
}

sub _remedy (%remedy) {
    my ($text, $command, $source, $try) = @remedy{qw(text command source try)};
    my @lines = map { text($_) } split /\n/, $command // '';
    return join ' ', prose("$remedy{culprit}: $text" . (@lines ? ':' : '')),
        @lines ? element('code', {}, join "\n", @lines) : (), defined $source ? text("(see $source)") : (),
        defined $try ? (text(words('page.try')), element('code', {}, text($try))) : ();
}

sub _tables ($run) {
    my $report = $run->{report};
    return map { retold(titled($run->{called}, $_->caption), $_) } grep { defined } parts_table($report),
        culprits_table($report, wakeups($report));
}

1;
