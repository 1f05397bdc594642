# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment on the page: effects, and the pairs as a picture. It is one that Answer::Trial has answered.
package Realfeel::Show::Page::Trial;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(first_round trial_headline trial_section);

use List::Util qw(first);
use Realfeel::Base::Units qw(refusal);
use Realfeel::Draw::Series;
use Realfeel::Show::Page::Html qw(element figure list micro paragraph picture prose section table);
use Realfeel::Show::Page::Runs qw(badges runs);
use Realfeel::Show::Trial qw(effects left_out sentences);
use Realfeel::Show::Words qw(words);

# The runs of the first complete round, as Page::Runs makes them
sub first_round ($experiment) {
    my @names = ('base', @{ $experiment->{names} });
    my $round = (first { @names == grep { defined } @$_ } @{ $experiment->{rounds} })
        or die words('trial.no_round') . "\n";
    return runs([map { { reports => [$_], of => 1 } } @$round], @names);
}

# Verdicts, and a sentence for each change
sub trial_headline ($experiment) {
    my @reports = map { { report => $_ } } grep { defined } map { @$_ } @{ $experiment->{rounds} };
    return element('p', { class => 'headline' }, badges(@reports), ' ',
        prose(join ' ', sentences(@$experiment{qw(trial seconds)}))) . "\n";
}

# Picture, figures, pairs left out, and what the rest of the page is about
sub trial_section ($templates, $experiment) {
    my $trial = $experiment->{trial};
    my $effects = effects($trial);
    my ($svg, $wide) = eval { Realfeel::Draw::Series::pairs_svgs($templates, $experiment) };
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
