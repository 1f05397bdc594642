# SPDX-License-Identifier: GPL-2.0-or-later
# The pictures of a page.
package Realfeel::Show::Page::Pictures;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(pictures);

use Realfeel::Draw::Plot qw(inline_svgs);
use Realfeel::Model::Explain qw(is_blamed);
use Realfeel::Show::Page::Html qw(element figure picture section);
use Realfeel::Show::Page::Runs qw(cpus_of);
use Realfeel::Show::Words qw(words);

use constant {
    EXPLAINING  => { parts => 1, timeline => 1 },
    OF_EACH_MAX => 2,           # so that a page of many runs can still be mailed
    OF_ALL_MAX  => 12,          # runs that one drawing holds
    WIDE        => { cpus => 1, percentiles => 1 },
};

# Returns the picture of the CPUs, for runs on several; the picture that comes first of the others; the section of
# these; an array of those that explain; and lines, without newlines, on what is wrong with gnuplot. That there is
# nothing to draw, only the page says.
sub pictures ($templates, $measure, @runs) {
    my @kinds = _kinds(@runs);
    my @wide = grep { WIDE->{ $kinds[$_][0] } } 0 .. $#kinds;
    my @drawn = inline_svgs($templates, (map { _wish($measure, undef, @$_) } @kinds),
        map { _wish($measure, 'wide', @$_) } @kinds[@wide]);
    my %wide = map { $wide[$_] => $drawn[@kinds + $_][0] } 0 .. $#wide;
    my @complaints = map { $_->[2] ? $_->[1] =~ s/\n\z//r : () } @drawn;
    my @figures = map { _figure($_ + 1, $drawn[$_], $wide{$_}, @{ $kinds[$_] }) } 0 .. $#kinds;
    my @of_cpus = splice @figures, 0, scalar grep { $_->[0] eq 'cpus' } @kinds;
    my @explaining = splice @figures, @figures - grep { EXPLAINING->{ $_->[0] } } @kinds;
    my ($first, @others) = @figures;
    my $others = @others ? section(words('page.pictures'), element('div', { class => 'pictures' }, "\n", @others)) : '';
    return (join('', @of_cpus), $first, $others, \@explaining, @complaints);
}

sub _wish ($measure, $format, $kind, @runs) {
    my $cpus = $kind eq 'cpus' ? undef : 'together';
    return [$kind, $measure, [map { $_->{run} } @runs], [map { $_->{name} } @runs], $cpus, $format];
}

# The kind of each picture, and its runs
sub _kinds (@runs) {
    my @each = @runs > OF_EACH_MAX ? () : @runs;
    my @of_cpus = map { ['cpus', $_] } grep { cpus_of($_) && !grep { !defined $_->cpu } cpus_of($_) } @each;
    my @kinds = @runs > OF_ALL_MAX ? () : ('percentiles', @runs == 1 ? 'histogram' : 'overlay', 'exceedance');
    push @kinds, 'matrix' if @runs > OF_EACH_MAX;
    return (@of_cpus, (map { [$_, @runs] } @kinds), (map { ['slices', $_] } grep { _has_slices($_) } @each),
        (map { ['parts', $_] } grep { _has_parts($_) } @each),
        (map { ['timeline', $_] } grep { $_->{report}->latency && is_blamed($_->{report}) } @each));
}

sub _has_slices ($run) {
    return $run->{report}->has('slices') && $run->{report}->has('slice_bins') && $run->{report}->latency;
}

# Whether there is a row to draw
sub _has_parts ($run) {
    return $run->{report}->latency && (($run->{report}->rows('parts'))[1] // '') ne '';
}

sub _figure ($number, $drawn, $wide, $kind, @runs) {
    my ($svg, $reason) = @$drawn;
    my $caption = words('picture.title', number => $number, of => @runs == 1 ? ", $runs[0]{name}" : '',
        caption => words("picture.$kind"));
    my $alt = words('picture.alt', kind => $kind, names => join ', ', map { $_->{name} } @runs);
    return figure($kind, $caption, defined $reason ? undef : picture($svg, $alt, $wide), $reason);
}

1;
