# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Blocks;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(blocks);

use List::Util qw(max sum);
use Realfeel::Units qw(printable);

use constant {
    LEAST   => 50,      # fewer maxima do not tell one shape of tail from another
    WANTED  => 100,
    PARTIAL => 0.9,
};

=head1 NAME

Realfeel::Tail::Blocks - the maxima of equally long stretches of a run

=head1 FUNCTIONS

=head2 blocks($report, $measure)

Cuts the slices of a L<Realfeel::Report> into blocks of one length: a slice, or as many neighbours as leave 100 blocks
or more. The last slice of a run is left out when it is shorter than nine tenths of the others, and so are the slices
that do not fill a block. C<$measure> is C<lateness> or C<interval>. Returns a hash: C<series>, for each run the maxima
in the order of time, in microseconds; C<slices>, the same of the slices that were used; C<count>; C<periods> and
C<seconds>, those of a block on average; C<least_periods> and C<most_periods>; C<slices_each>, the slices in a block, of
several runs the most; C<left_out>, slices. Dies with one line when there are fewer than 50 blocks.

=cut

sub blocks {
    my ($report, $measure) = @_;
    my $column = $measure eq 'lateness' ? 'lateness_max_us' : 'interval_max_us';
    my $slices = $report->columns('slices') or _refuse($report, 'holds no slices; name a report that realfeel wrote');
    my @all  = _runs($slices, $column);
    my @runs = grep { @$_ } map { _whole(@$_) } @all;
    my $length = @runs ? _length(@runs) : 0;
    my @grouped = map { _grouped($length, @$_) } @runs;
    my @blocks  = map { @{ $_->{blocks} } } @grouped;
    _refuse($report, sprintf 'a tail estimate needs %d blocks, and this report has %d; measure for longer',
        LEAST, scalar @blocks) if @blocks < LEAST;
    return { _summary(@blocks),
        series      => [map { [map { $_->{max} } @{ $_->{blocks} }] } @grouped],
        slices      => [map { [map { $_->{max} } @{ $_->{slices} }] } @grouped],
        slices_each => max(map { $_->{each} } @grouped),
        left_out    => sum(map { scalar @$_ } @all) - sum(map { scalar @{ $_->{slices} } } @grouped),
    };
}

sub _refuse {
    my ($report, $what) = @_;
    die printable($report->file . ": $what") . "\n";
}

sub _runs {
    my ($slices, $column) = @_;
    my %run;
    for my $i (0 .. $#{ $slices->{start_s} }) {
        push @{ $run{ $slices->{run} ? $slices->{run}[$i] : 1 } },
            { periods => $slices->{periods}[$i], seconds => $slices->{seconds}[$i], max => 0 + $slices->{$column}[$i] }
            if $slices->{periods}[$i] > 0;
    }
    return map { $run{$_} } sort { $a <=> $b } keys %run;
}

sub _whole {
    my @slices = @_;
    pop @slices if $slices[-1]{periods} < PARTIAL * _median(map { $_->{periods} } @slices);
    return \@slices;
}

sub _median {
    my @sorted = sort { $a <=> $b } @_;
    return $sorted[$#sorted / 2];
}

# The periods in a block: those of a slice where it is longest, times what leaves as many blocks as are wanted.
sub _length {
    my @runs = @_;
    my $longest = max(map { my $run = $_; _median(map { $_->{periods} } @$run) } @runs);
    my $slices = sum(map { $_->{periods} } map { @$_ } @runs) / $longest;
    return $longest * max(1, int($slices / WANTED + 1e-9));
}

sub _grouped {
    my ($length, @slices) = @_;
    my $each = max(1, int($length / _median(map { $_->{periods} } @slices) + 0.5));
    my $count = int(@slices / $each);
    my @used = @slices[0 .. $count * $each - 1];
    return { each => $each, slices => \@used,
        blocks => [map { _block(@used[$_ * $each .. ($_ + 1) * $each - 1]) } 0 .. $count - 1] };
}

sub _block {
    my @slices = @_;
    return {
        (map { my $key = $_; $key => sum(map { $_->{$key} } @slices) } qw(periods seconds)),
        max => max(map { $_->{max} } @slices),
    };
}

sub _summary {
    my @blocks = @_;
    my @periods = sort { $a <=> $b } map { $_->{periods} } @blocks;
    return (
        count => scalar @blocks,
        (map { my $key = $_; $key => sum(map { $_->{$key} } @blocks) / @blocks } qw(periods seconds)),
        least_periods => $periods[0],
        most_periods  => $periods[-1],
    );
}

1;
