# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(page);

use List::Util qw(uniq);
use Realfeel::Show::Page::Comparison qw(comparison_section comparisons);
use Realfeel::Show::Page::Environment qw(environment repeat);
use Realfeel::Show::Page::Explanation qw(explanation);
use Realfeel::Show::Page::Fleet qw(fleet_headline fleet_sections shown);
use Realfeel::Show::Page::Html qw(css element paragraph text);
use Realfeel::Show::Page::Pictures qw(pictures);
use Realfeel::Show::Page::Runs qw(heading headline objections_to runs title);
use Realfeel::Show::Page::Statistics qw(cpus events more statistics);

# A reader's program shall fetch nothing and run nothing, whatever a file holds; an empty icon is not asked for.
use constant HEAD => <<'HTML';
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
HTML

=head1 NAME

Realfeel::Show::Page - all that there is to say of some runs, as one file to send around

=head1 FUNCTIONS

=head2 page(\%asked, $gathered)

The page as bytes of HTML, which needs no other file; and a list of lines, without their end, that say which pictures
could not be drawn. C<%asked> has C<templates>, the folder of gnuplot's; C<measure> or undef; C<options>, an array of
what the page was made with; and C<version>. The runs are a L<Realfeel::Answer::Fleet>; of a fleet all is told of
the worst and the best alone. Dies with one line when there is no page of these runs.

=cut

sub page {
    my ($asked, $gathered) = @_;
    my @few = $gathered->whole;
    my ($title, $complaints, @body) = @few ? _of_few($asked, runs(@few)) : _of_fleet($asked, $gathered->ranking);
    return (_document("realfeel: $title", @body, _footer($asked->{version})), uniq @$complaints);
}

sub _of_few {
    my ($asked, @runs) = @_;
    my @comparisons = comparisons($asked->{measure}, @runs);
    my ($complaints, @all) = _all($asked, \@comparisons, @runs);
    return (title(@runs), $complaints, heading(@runs), headline(\@runs, [grep { !$_->{reason} } @comparisons]),
        @runs == 1 ? objections_to(@runs) : (), @all, repeat($asked->{options}, @runs));
}

sub _of_fleet {
    my ($asked, $ranking) = @_;
    my @shown = shown($ranking);
    my ($complaints, @all) = @shown ? _all($asked, [], @shown) : [];
    my @rows = @{ $ranking->{rows} };
    return (title(@rows), $complaints, heading(@rows), fleet_headline($ranking),
        fleet_sections($asked->{templates}, $ranking), @all);
}

# What there is to say of each of these runs.
sub _all {
    my ($asked, $comparisons, @runs) = @_;
    my ($of_cpus, $first_picture, $pictures, $explaining, @complaints)
        = pictures(@$asked{qw(templates measure)}, @runs);
    return (\@complaints,
        $of_cpus, cpus(@runs), $first_picture, statistics(@runs), comparison_section(@$comparisons), $pictures,
        explanation($explaining, @runs), more(@runs), events(@runs), environment(@runs));
}

sub _footer {
    my ($version) = @_;
    return element('footer', {}, paragraph("Made by realfeel-analyze $version. Its manual page, realfeel-analyze(1), "
        . "explains the figures. Times are in microseconds (\xc2\xb5s)."));
}

sub _document {
    my ($title, @body) = @_;
    return join '', "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n", HEAD, element('title', {}, text($title)),
        "\n<style>\n", css(), "</style>\n</head>\n<body>\n", @body, "\n</body>\n</html>\n";
}

1;
