# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Pictures;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(pictures);

use Realfeel::Page::Html qw(element section text);
use Realfeel::Page::Svg qw(inline);
use Realfeel::Plot qw(inline_svg takes_measure);

use constant {
    CAPTIONS => {
        histogram => 'The number of values of each size. Both axes are logarithmic, so that a single late wake-up is '
            . 'visible beside millions of others.',
        overlay => 'The share of each run at each size. Both axes are logarithmic; a symbol marks the maximum.',
        percentiles => 'The value that each percentage does not exceed. Each step to the right leaves a tenth of the '
            . 'values beyond it; where a line is thin, fewer than ten.',
        exceedance => 'The share of values above each value. Dotted: its upper bound with 95 % confidence, also beyond '
            . 'the maximum.',
        slices => 'The run over time: how often each lateness occurred, and the latest wake-up of each stretch.',
        'early-late' => 'The signed interval error: a late wake-up is followed by one that seems early.',
        matrix => 'Each run by itself, all on one scale.',
    },
    OF_EACH_MAX => 2,           # so that a page of many runs can still be mailed
};

=head1 NAME

Realfeel::Page::Pictures - the pictures of a page

=head1 FUNCTIONS

=head2 pictures($templates, $measure, @runs)

The picture that stands first; the section of the others; and a list of lines, without their end, that say what is
wrong with gnuplot. Where the runs hold nothing to draw, only the page says so.

=cut

sub pictures {
    my ($templates, $measure, @runs) = @_;
    my (@figures, @complaints);
    for my $picture (_kinds(@runs)) {
        my $svg = eval { _drawn($templates, $measure, scalar @figures, @$picture) };
        my $reason = $svg ? undef : $@ =~ s/\n\z//r;
        push @complaints, grep { defined && /^gnuplot / } $reason;
        push @figures, _figure(scalar @figures, $svg, $reason, @$picture);
    }
    my ($first, @others) = @figures;
    return ($first, section('More pictures', element('div', { class => 'pictures' }, "\n", @others)), @complaints);
}

# Of each picture the kind, and the runs that it shows.
sub _kinds {
    my @runs = @_;
    my @of_each = @runs > OF_EACH_MAX ? () : map { ['slices', $_] } grep { _has_slices($_) } @runs;
    my @kinds = ('percentiles', @runs == 1 ? 'histogram' : 'overlay', 'exceedance');
    push @kinds, 'early-late' if @runs == 1 && ($runs[0]{report}->interval_errors // '') eq 'signed';
    push @kinds, 'matrix' if @runs > OF_EACH_MAX;
    return ((map { [$_, @runs] } @kinds), @of_each);
}

sub _has_slices {
    my ($run) = @_;
    return $run->{report}->has('slices') && $run->{report}->has('slice_bins') && $run->{measures}{lateness};
}

sub _drawn {
    my ($templates, $measure, $number, $kind, @runs) = @_;
    my $wish = takes_measure($kind) ? $measure : undef;
    my $svg = inline_svg($kind, $templates, $wish, map { $_->{report} } @runs);
    return inline($svg, "picture$number-", "$kind of " . join ', ', map { $_->{name} } @runs);
}

sub _figure {
    my ($number, $svg, $reason, $kind, @runs) = @_;
    my $of = @runs == 1 ? ", $runs[0]{name}" : '';
    my $caption = element('figcaption', {}, text('Figure ' . ($number + 1) . "$of. " . CAPTIONS->{$kind}));
    my $picture = $svg // element('p', { class => 'missing' }, text("No picture: $reason."));
    return element('figure', { class => $kind }, "\n", $picture, $caption) . "\n";
}

1;
