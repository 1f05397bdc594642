# SPDX-License-Identifier: GPL-2.0-or-later
# All that is known of some runs, as one HTML file.
package Realfeel::Show::Page;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(page);

use List::Util qw(first uniq);
use Realfeel::Base::Units qw(refusal);
use Realfeel::Model::Explain qw(level);
use Realfeel::Show::Page::Environment qw(environment repeat);
use Realfeel::Show::Page::Html qw(as_html css element paragraph picture prose section text);
use Realfeel::Show::Page::Pictures qw(pictures);
use Realfeel::Show::Page::Runs qw(badges heading headline runs title);
use Realfeel::Show::Page::Statistics qw(cpus events more statistics);
use Realfeel::Show::Words qw(words);

# A browser must neither fetch nor run anything, whatever a file holds; an empty icon is not requested
use constant HEAD => <<'HTML';
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
HTML

# HTML that needs no other file, followed by lines, without newlines, on pictures that could not be drawn. %$asked has
# templates, the folder of gnuplot's; measure, undef for the default; options, with which the page was made; version;
# and experiment, undef unless the runs are its blocks, of which the first round is shown in detail. Dies with one line
# if the runs make no page.
sub page ($asked, @runs) {
    my ($title, $complaints, @body) = $asked->{experiment} ? _of_experiment($asked, $asked->{experiment})
        : _of_runs($asked, runs(\@runs));
    return (_document($title, @body, _footer($asked->{version})), uniq @$complaints);
}

sub _of_runs ($asked, @runs) {
    my ($conclusions, $comparison) = @runs > 1 ? _compared($asked->{measure}, @runs) : [];
    my ($complaints, @all) = _all($asked, $comparison, @runs);
    return (title(@runs), $complaints, heading(@runs), headline(\@runs, @$conclusions), @all,
        repeat($asked->{options}, @runs));
}

# The conclusions, for two runs, and the section. A single run loads nothing of this.
sub _compared ($measure, @runs) {
    require Realfeel::Show::Page::Comparison;
    my @comparisons = Realfeel::Show::Page::Comparison::comparisons($measure, @runs);
    my @conclusions = @runs > 2 || $comparisons[0]{reason} ? ()
        : Realfeel::Show::Page::Comparison::conclusions(@comparisons, @runs);
    return (\@conclusions, Realfeel::Show::Page::Comparison::comparison_section(@comparisons));
}

# Verdicts, and a sentence for each change; picture and figures; and the runs of the first complete round
sub _of_experiment ($asked, $experiment) {
    require Realfeel::Show::Trial;
    my ($trial, @rounds) = ($experiment->{trial}, @{ $experiment->{rounds} });
    my @names = ('base', @{ $experiment->{names} });
    my $round = (first { @names == grep { defined } @$_ } @rounds)
        or die "no round of this experiment is whole; measure longer\n";
    my @runs = runs([map { { reports => [$_], of => 1 } } @$round], @names);
    my ($complaints, @all) = _all($asked, undef, @runs);
    my @sentences = Realfeel::Show::Trial::sentences($trial, $experiment->{seconds});
    my $caption = 'what was measured, and how many times that of the base it is';
    return (title(@runs), $complaints, heading(@runs), element('p', { class => 'headline' },
            badges(map { { report => $_ } } grep { defined } map { @$_ } @rounds), ' ', prose("@sentences")) . "\n",
        section('The effect', as_html([picture => _pairs($asked->{templates}, $experiment)],
            Realfeel::Show::Trial::figures($trial, $caption))),
        section('The first round in detail', paragraph(
            'What follows is about the first round. For others, give their files to realfeel-analyze report.')), @all);
}

sub _pairs ($templates, $experiment) {
    require Realfeel::Draw::Pairs;
    my ($svg, $wide) = eval { Realfeel::Draw::Pairs::inline_svgs($templates, $experiment) };
    my $reason = defined $svg ? undef : refusal($@);
    my $alt = 'pairs of the base and ' . join ', ', @{ $experiment->{names} };
    return ('pairs', 'On the left a line for each pair of runs, on the right the effect as the pairs came in, and '
        . 'between which it lies.', defined $svg ? picture($svg, $alt, $wide) : undef, $reason);
}

# All about each of these runs
sub _all ($asked, $comparison, @runs) {
    my ($of_cpus, $first_picture, $pictures, $explaining, @complaints)
        = pictures(@$asked{qw(templates measure)}, @runs);
    return (\@complaints, $of_cpus, cpus(@runs), $first_picture, statistics(@runs), $comparison // (), $pictures,
        _explained($explaining, @runs), more(@runs), events(@runs), environment(@runs));
}

sub _explained ($figures, @runs) {
    return unless grep { defined level($_->{report}) } @runs;
    require Realfeel::Show::Why;
    return section(words('page.why'), as_html(Realfeel::Show::Why::of_page(@runs)),
        @$figures ? element('div', { class => 'pictures' }, "\n", @$figures) : ());
}

sub _footer ($version) {
    return element('footer', {}, paragraph(words('page.footer', version => $version)));
}

sub _document ($title, @body) {
    return join '', HEAD, element('title', {}, text(words('page.title', title => $title))),
        "\n<style>\n", css(), "</style>\n</head>\n<body>\n", @body, "\n</body>\n</html>\n";
}

1;
