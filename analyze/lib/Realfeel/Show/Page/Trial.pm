# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Trial;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(first_round trial_headline trial_section);

use List::Util qw(first);
use Realfeel::Base::Units qw(refusal);
use Realfeel::Draw::Pairs qw(inline_svgs);
use Realfeel::Show::Page::Html qw(element figure list micro paragraph picture prose section table);
use Realfeel::Show::Page::Runs qw(badges runs);
use Realfeel::Show::Trial qw(effects left_out sentences);
use Realfeel::Show::Words qw(words);

=head1 NAME

Realfeel::Show::Page::Trial - what the page says of an experiment: the effects, and the pairs as a picture

=head1 FUNCTIONS

An experiment is one that L<Realfeel::Answer::Trial> has answered. All but the first function return HTML.

=head2 first_round($experiment)

The runs of the first round that has all, as L<Realfeel::Show::Page::Runs> has them.

=cut

sub first_round ($experiment) {
    my @names = (words('pairs.base'), @{ $experiment->{names} });
    my $round = (first { @names == grep { defined } @$_ } @{ $experiment->{rounds} })
        or die words('trial.no_round') . "\n";
    return runs([map { { reports => [$_], of => 1 } } @$round], @names);
}

=head2 trial_headline($experiment)

How many reports have which verdict, and a sentence for each change.

=cut

sub trial_headline ($experiment) {
    my @reports = map { { report => $_ } } grep { defined } map { @$_ } @{ $experiment->{rounds} };
    return element('p', { class => 'headline' }, badges(@reports), ' ',
        prose(join ' ', sentences(@$experiment{qw(trial seconds)}))) . "\n";
}

=head2 trial_section($templates, $experiment)

The picture, the figures, and which pairs are left out; and what all that follows is about.

=cut

sub trial_section ($templates, $experiment) {
    my $trial = $experiment->{trial};
    my $effects = effects($trial);
    my ($svg, $wide) = eval { inline_svgs($templates, $experiment) };
    my $reason = defined $svg ? undef : refusal($@);
    my $names = join ', ', @{ $experiment->{names} };
    my $picture = defined $svg ? picture($svg, words('trial.alt', names => $names), $wide) : undef;
    my $table = table(caption => words('trial.table'), columns => [$effects->columns],
        rows => [map { [map { micro($_) } @$_] } $effects->rows]);
    return (
        section(words('trial.title'), figure('pairs', words('trial.picture'), $picture, $reason), $table,
            list(left_out($trial))),
        section(words('trial.in_detail'), paragraph(words('trial.about'))),
    );
}

1;
