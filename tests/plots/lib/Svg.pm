# SPDX-License-Identifier: GPL-2.0-or-later
package Svg;
use strict;
use warnings;

# What gnuplot drew, read back from its SVG in the units of the axes.

# The ends of the axes, and which are logarithmic, are in gnuplot's script for the mouse.
sub new {
    my ($class, $text) = @_;
    my %self = $text =~ /^gnuplot_svg\.plot_(\w+) = ([-+.\de]+);$/mg;
    $self{plots} = [$text =~ m{<g id="gnuplot_plot_\d+\w*" ><title>(.*?)</title>\n(.*?)^\t</g>\n(?=<g fill|\t<g id="gnuplot_plot)}msg];
    $self{text} = $text;
    return bless \%self, $class;
}

sub limits { return @{ $_[0] }{qw(axis_xmin axis_xmax axis_ymin axis_ymax)} }

# The lines of the plots, in order: each plot an array of unbroken pieces, each an array of points [x, y].
sub lines {
    my ($self) = @_;
    return map { $self->_pieces($_) } grep { /<path / } $self->_bodies;
}

# The marks of each plot that has some, as points [x, y].
sub marks {
    my ($self) = @_;
    return map { my $body = $_; [map { $self->_point($_) } $body =~ /<use [^>]*translate\(([\d.]+,[\d.]+)\)/g] }
        grep { /<use / } $self->_bodies;
}

# What is written, the titles of plots left out.
sub texts {
    my ($self) = @_;
    my @texts = $self->{text} =~ m{<text>(.*?)</text>}sg;
    my %character = (lt => '<', gt => '>', amp => '&', quot => '"', apos => "'");
    return map { s/<[^>]*>//gr =~ s/^\s+|\s+$//gr =~ s/&(\w+);/$character{$1}/gr } @texts;
}

# Rectangles that are filled, by their corners [x, y, x, y].
sub boxes {
    my ($self) = @_;
    return map { my @points = map { $self->_point($_) } split; [@{ $points[0] }, @{ $points[2] }] }
        map { /<polygon [^>]*points = '([^']*)'/g } $self->_bodies;
}

# Their colours.
sub colours {
    my ($self) = @_;
    return map { /<polygon fill = '([^']*)'/g } $self->_bodies;
}

sub _bodies {
    my ($self) = @_;
    my @plots = @{ $self->{plots} };
    return map { s/<defs>.*?<\/defs>//sgr } @plots[grep { $_ % 2 } 0 .. $#plots];
}

# Without what lies below the axis, which is the key.
sub _pieces {
    my ($self, $body) = @_;
    my @pieces = map { [map { [split /,/] } /([-\d.]+,[-\d.]+)/g] } map { split /M/ } $body =~ /<path [^>]*d='([^']*)'/g;
    return [map { [map { $self->_point(join ',', @$_) } @$_] } grep { @$_ && $_->[0][1] <= $self->{ybot} + 1 } @pieces];
}

sub _point {
    my ($self, $text) = @_;
    my ($x, $y) = split /,/, $text;
    return [
        _scaled(($x - $self->{xmin}) / ($self->{xmax} - $self->{xmin}), @$self{qw(axis_xmin axis_xmax logaxis_x)}),
        _scaled(($self->{ybot} - $y) / ($self->{ybot} - $self->{ytop}), @$self{qw(axis_ymin axis_ymax logaxis_y)}),
    ];
}

sub _scaled {
    my ($part, $low, $high, $is_log) = @_;
    return $is_log ? $low * ($high / $low)**$part : $low + ($high - $low) * $part;
}

1;
