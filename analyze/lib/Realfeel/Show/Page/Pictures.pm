# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Pictures;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(inline pictures);

use Realfeel::Draw::Plot qw(inline_svgs);
use Realfeel::Model::Explain qw(is_blamed);
use Realfeel::Show::Page::Html qw(element section text);
use Realfeel::Show::Page::Runs qw(cpus_of);

use constant {
    CAPTIONS => {
        histogram => 'The number of values of each size. Both axes are logarithmic, so that a single late wake-up is '
            . 'visible beside millions of others.',
        overlay => 'The share of each run at each size. Both axes are logarithmic; a symbol marks the maximum.',
        percentiles => 'The value that each percentage does not exceed. Each step to the right leaves a tenth of the '
            . 'values beyond it; where a line is thin, fewer than ten.',
        exceedance => 'The share of values above each value. Dotted: its upper bound with 95 % confidence.',
        slices => 'The run over time: how often each latency occurred, and the largest of each stretch.',
        'early-late' => 'The signed interval error: a late wake-up is followed by one that seems early.',
        cpus => 'Each CPU in a row. The brighter a cell, the larger its share of the values of that CPU. Lines mark '
            . 'the maximum and, if ten values lie beyond it, p99.9.',
        matrix => 'Each run by itself, all on one scale.',
        parts => 'What the latencies were made of. Each step to the right leaves a tenth of the wake-ups beyond it; '
            . 'above stand the latencies.',
        timeline => 'Who had the CPU before the worst wake-ups. Each row is the whole time of one of them, up to its '
            . 'stamp; what was short is drawn wider.',
    },
    EXPLAINING  => { parts => 1, timeline => 1 },
    OF_EACH_MAX => 2,           # so that a page of many runs can still be mailed
};

# What of an SVG draws.
use constant {
    ELEMENT => { map { $_ => 1 } qw(svg g defs path line polyline polygon rect circle ellipse text tspan use clipPath
        filter feFlood feComposite linearGradient radialGradient stop pattern) },
    ATTRIBUTE => { map { $_ => 1 } qw(
        viewBox id class d x y x1 y1 x2 y2 dx dy cx cy r rx ry width height points transform offset
        fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin
        color opacity clip-path filter filterUnits in in2 operator result flood-color flood-opacity stop-color
        stop-opacity gradientUnits patternUnits shape-rendering font-family font-size font-weight font-style
        text-anchor xml:space xlink:href) },
    COLOUR  => { black => '#000000', white => '#ffffff' },
};

use constant VALUE => qr/"[^"<]*"|'[^'<]*'/;
use constant PAIR => qr/[\w:-]+\s*=\s*${\VALUE}/;
use constant COLOURED => qr/^(?:fill|stroke|color|.*-color)$/;
use constant NUMBERS => qr/\A[-\d.,\s]*\z/;
use constant LINES => qr/^\s*(?:[ML]\s*-?[\d.]+,-?[\d.]+\s*|z\s*)*$/;
use constant TAG   => qr{^<(/?)([A-Za-z]+)((?:\s+${\PAIR})*)\s*(/?)>$};

=head1 NAME

Realfeel::Show::Page::Pictures - the pictures of a page

=head1 FUNCTIONS

=head2 pictures($templates, $measure, @runs)

Those of the CPUs of runs on several, as one text; the picture that stands first of the others; the section of these;
an array of those that explain; and a list of lines, without their end, that say what is wrong with gnuplot. Where the
runs hold nothing to draw, only the page says so.

=cut

sub pictures {
    my ($templates, $measure, @runs) = @_;
    my @kinds = _kinds(@runs);
    my @drawn = inline_svgs($templates, map { _wish($measure, @$_) } @kinds);
    my (@figures, @complaints);
    for my $number (0 .. $#kinds) {
        my $html = eval { _fit($number, $drawn[$number], @{ $kinds[$number] }) };
        my $reason = $html ? undef : $@ =~ s/\n\z//r;
        push @complaints, $reason if $drawn[$number][2];
        push @figures, _figure($number, $html, $reason, @{ $kinds[$number] });
    }
    my @of_cpus = splice @figures, 0, scalar grep { $_->[0] eq 'cpus' } @kinds;
    my @explaining = splice @figures, @figures - grep { EXPLAINING->{ $_->[0] } } @kinds;
    my ($first, @others) = @figures;
    my $others = section('More pictures', element('div', { class => 'pictures' }, "\n", @others));
    return (join('', @of_cpus), $first, $others, \@explaining, @complaints);
}

sub _wish {
    my ($measure, $kind, @runs) = @_;
    my $cpus = $kind eq 'cpus' ? undef : 'together';
    return [$kind, $measure, [map { $_->{run} } @runs], [map { $_->{name} } @runs], $cpus];
}

# Of each picture the kind, and the runs that it shows.
sub _kinds {
    my @runs = @_;
    my @each = @runs > OF_EACH_MAX ? () : @runs;
    my @of_cpus = map { ['cpus', $_] } grep { cpus_of($_) && !grep { !defined $_->cpu } cpus_of($_) } @each;
    my @kinds = ('percentiles', @runs == 1 ? 'histogram' : 'overlay', 'exceedance');
    push @kinds, 'early-late' if @runs == 1 && ($runs[0]{report}->interval_errors // '') eq 'signed';
    push @kinds, 'matrix' if @runs > OF_EACH_MAX;
    return (@of_cpus, (map { [$_, @runs] } @kinds), (map { ['slices', $_] } grep { _has_slices($_) } @each),
        (map { ['parts', $_] } grep { _has_parts($_) } @each),
        (map { ['timeline', $_] } grep { $_->{report}->latency && is_blamed($_->{report}) } @each));
}

sub _has_slices {
    my ($run) = @_;
    return $run->{report}->has('slices') && $run->{report}->has('slice_bins') && $run->{report}->latency;
}

# Whether there is a row to draw.
sub _has_parts {
    my ($run) = @_;
    return $run->{report}->latency && (($run->{report}->rows('parts'))[1] // '') ne '';
}

sub _fit {
    my ($number, $drawn, $kind, @runs) = @_;
    my ($svg, $reason) = @$drawn;
    die $reason if defined $reason;
    return inline($svg, "picture$number-", "$kind of " . join ', ', map { $_->{name} } @runs);
}

sub _figure {
    my ($number, $html, $reason, $kind, @runs) = @_;
    my $of = @runs == 1 ? ", $runs[0]{name}" : '';
    my $caption = element('figcaption', {}, text('Figure ' . ($number + 1) . "$of. " . CAPTIONS->{$kind}));
    my $picture = $html // element('p', { class => 'missing' }, text("No picture: $reason."));
    return element('figure', { class => $kind }, "\n", $picture, $caption) . "\n";
}

=head2 inline($svg, $prefix, $title)

The picture as an element of HTML. Only elements and attributes that draw are let through; an element that is not known
makes it die with one line. Names begin with C<$prefix>, so that several pictures can stand in one page; there are only
those that the picture itself refers to, and it refers to nothing else. Colours are written C<#rrggbb>. It has no size
of its own, and C<$title> for those who cannot see it.

=cut

sub inline {
    my ($svg, $prefix, $title) = @_;
    $svg =~ s/<\?.*?\?>|<!DOCTYPE[^>]*>|<!--.*?-->|<(title|desc)>.*?<\/\1>//gs;
    1 while $svg =~ s/<g\b[^<>]*>\s*<\/g>//g;
    my %made;
    my $html = join '', map { /^</ ? $made{$_} //= _tag($_, $prefix, $title, \%made) : _escaped($_) }
        grep { /\S/ } split /(<[^<>]*>)/, $svg;
    my %is_used = map { $_ => 1 } $html =~ /#([^")]+)/g;
    $html =~ s/ id="([^"]*)"/delete $is_used{$1} ? " id=\"$1\"" : ''/ge;
    return "$html\n";
}

# What a style says is said by attributes, of which the list is known. Most attributes come again and again: what is
# made of them is kept.
sub _tag {
    my ($tag, $prefix, $title, $made) = @_;
    my ($end, $name, $attributes, $empty) = $tag =~ TAG
        or die "gnuplot drew what a page cannot hold; report this with the version of gnuplot\n";
    die "gnuplot drew an element '$name', which a page cannot hold; report this with the version of gnuplot\n"
        unless ELEMENT->{$name};
    return "</$name>" if $end;
    $attributes =~ s/\sstyle='([^']*)'/join '', map { s{^\s*([\w-]+):\s*(.*?)\s*$}{ $1="$2"}r } split m{;}, $1/e;
    my @kept = map { @{ $made->{$_} //= [_attribute($_, $prefix)] } } $attributes =~ /${\PAIR}/g;
    @kept = ((grep { /^viewBox=/ } @kept), 'role="img"', 'aria-label="' . text($title) . '"') if $name eq 'svg';
    return '<' . join(' ', $name, @kept) . "$empty>";
}

sub _attribute {
    my ($attribute, $prefix) = @_;
    my ($name, $value) = $attribute =~ /^([^\s=]+)\s*=\s*.(.*).$/s;
    return if !ATTRIBUTE->{$name} || $name =~ /href$/ && $value !~ s/^#/#$prefix/;
    $value = "$prefix$value" if $name eq 'id';
    return "$name=\"" . _path($value) . '"' if $name eq 'd' && $value =~ LINES;
    return "$name=\"" . $value =~ s/\.\d\K\d+//gr . '"' if $name eq 'points' && $value =~ NUMBERS;
    $value =~ s/\burl\(#/url(#$prefix/g;
    return if $value =~ /url\((?!#)/i;
    return "$name=\"" . _escaped($name =~ COLOURED ? _colour($value) : $value) =~ s/"/&quot;/gr . '"';
}

sub _colour {
    my ($colour) = @_;
    return lc $colour if $colour =~ /^#[0-9A-F]+$/i;
    return COLOUR->{$colour} // $colour =~ s/^rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)$/sprintf '#%02x%02x%02x', $1, $2, $3/er;
}

# A tenth of a point is finer than any screen; what lies on the way between two others need not be sent around.
sub _path {
    my ($path) = @_;
    $path =~ s/\.\d\K\d+//g;
    $path =~ tr/MLz0-9.,-//cd;
    my @points = map { [substr($_, 0, 1), split /,/, substr $_, 1] } $path =~ /[MLz][^MLz]*/g;
    my @kept;
    for my $i (0 .. $#points) {
        push @kept, $points[$i] unless @kept && $i < $#points && _is_between($kept[-1], @points[$i, $i + 1]);
    }
    return join '', map { my ($kind, @place) = @$_; $kind . join ',', @place } @kept;
}

sub _is_between {
    my ($before, $point, $after) = @_;
    return if "$point->[0]$after->[0]" ne 'LL' || @$before < 3;
    return _goes_on(2, @_) if $before->[1] == $point->[1] && $point->[1] == $after->[1];
    return $before->[2] == $point->[2] && $point->[2] == $after->[2] && _goes_on(1, @_);
}

sub _goes_on {
    my ($i, $before, $point, $after) = @_;
    return ($point->[$i] - $before->[$i]) * ($after->[$i] - $point->[$i]) >= 0;
}

# Entities stay what they are.
sub _escaped {
    my ($text) = @_;
    return $text unless $text =~ /[&<>]/;
    return $text =~ s/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr;
}

1;
