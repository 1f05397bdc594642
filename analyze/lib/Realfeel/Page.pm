# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(page);

use List::Util qw(uniq);
use Realfeel::Cpus qw(runs_of);
use Realfeel::Page::Comparison qw(comparison_section comparisons);
use Realfeel::Page::Environment qw(environment repeat);
use Realfeel::Page::Explanation qw(explanation);
use Realfeel::Page::Html qw(css element paragraph text);
use Realfeel::Page::Pictures qw(pictures);
use Realfeel::Page::Runs qw(heading headline objections_to runs title);
use Realfeel::Page::Statistics qw(cpus events more statistics);

use constant RUNS_MAX => 12;

# A reader's program shall fetch nothing and run nothing, whatever a file holds; an empty icon is not asked for.
use constant HEAD => <<'HTML';
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
HTML

=head1 NAME

Realfeel::Page - all that there is to say of some runs, as one file to send around

=head1 FUNCTIONS

=head2 page(\%asked, @reports)

The page as bytes of HTML, which needs no other file; and a list of lines, without their end, that say which pictures
could not be drawn. C<%asked> has C<templates>, the folder of gnuplot's; C<seed>; C<measure> or undef; C<options>, an
array of what the page was made with; and C<version>. Dies with one line when there are too many reports.

=cut

sub page {
    my ($asked, @reports) = @_;
    my @several = runs_of(@reports);
    my $reports = @several == @reports ? 'reports' : 'runs';
    die @several . " $reports are too many for one page; name at most " . RUNS_MAX . "\n" if @several > RUNS_MAX;
    my @runs = runs(@several);
    my @comparisons = comparisons(@$asked{qw(measure seed)}, @runs);
    my ($of_cpus, $first_picture, $pictures, $explaining, @complaints)
        = pictures(@$asked{qw(templates measure)}, @runs);
    my @body = (
        heading(@runs), headline(\@runs, [grep { !$_->{reason} } @comparisons]),
        @runs == 1 ? objections_to(@runs) : (), $of_cpus, cpus(@runs), $first_picture,
        statistics(@runs), comparison_section(@comparisons), $pictures,
        explanation($explaining, @runs), more(@runs), events(@runs),
        environment(@runs), repeat($asked->{options}, @runs), _footer($asked->{version}),
    );
    return (_document('realfeel: ' . title(@runs), @body), uniq @complaints);
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
