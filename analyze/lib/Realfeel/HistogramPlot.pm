# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::HistogramPlot;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(histogram);

use List::Util qw(max min uniq);
use POSIX qw(ceil floor);
use Realfeel::Classic ();
use Realfeel::Gnuplot qw(draw format_of);
use Realfeel::Units qw(decimal printable);

use constant {
    RUNS_MAX     => 12,
    PER_DECADE   => 20,
    DIGITS       => 4,          # of a report's bins
    FINEST_US    => 0.01,
    COARSEST_US  => 1e10,
    TOLERANCE    => 1e-6,
    ROUND_SCALE  => [1, 2, 5],
};

# The name of the unit, and how many characters a line of the key can have.
use constant ASCII_KEY   => ('us',          60);
use constant PICTURE_KEY => ("\xc2\xb5s", 110);

=head1 NAME

Realfeel::HistogramPlot - one or more histograms in one picture

=head1 FUNCTIONS

=head2 histogram($template_directory, $output, $measure, @reports)

Draws the reports, at most 12, to the picture C<$output>, or returns the drawing as text when it is undef.
C<$measure> is C<lateness>, C<interval> or undef: lateness when all reports have it.
Where a file of 2002 is among them, all are drawn in its buckets. Dies with one line of reason.

=cut

sub histogram {
    my ($templates, $output, $measure, @reports) = @_;
    die sprintf("%d files are too many for one picture; name at most %d\n", scalar @reports, RUNS_MAX)
        if @reports > RUNS_MAX;
    my ($us, $label_max) = format_of($output) eq 'dumb' ? ASCII_KEY : PICTURE_KEY;
    my $scale = _scale(_measure($measure, @reports), $us, @reports);
    my @distributions = map { $scale->{values}->($_) } @reports;
    my @cells = map { [$scale->{cells}->($_)] } @distributions;
    die "there are no samples to draw; name a report that has some\n" unless map { @$_ } @cells;
    my @labels = map { _label($label_max, $reports[$_], $distributions[$_], $scale) } 0 .. $#reports;
    my @range = _range(map { @$_ } @cells);
    return draw("$templates/histogram.gp", $output, _data($range[0], @cells), join('', map { "$_\n" } @labels),
        _title(@reports), @$scale{qw(x_label y_label)}, @range);
}

sub _measure {
    my ($measure, @reports) = @_;
    $measure //= (grep { !$_->lateness } @reports) ? 'interval' : 'lateness';
    my ($without) = grep { !$_->$measure } @reports or return $measure;
    my ($other) = grep { $_ ne $measure } qw(lateness interval);
    die printable($without->file . ": knows no $measure; use --measure=$other or leave it out") . "\n";
}

# What the two axes say: which values are drawn, in which unit, in which cells.
sub _scale {
    my ($measure, $us, @reports) = @_;
    return _scale_of_2002() if grep { $_->format eq '2002' } @reports;
    my ($values, $x_label, $counted)
        = $measure eq 'lateness'
        ? (sub { $_[0]->lateness },  'lateness',                                      'period')
        : (sub { $_[0]->magnitude }, 'interval error, early or late, without its sign', 'sample');
    return {
        values  => $values,
        cells   => sub { $_[0]->regroup(_grid())->cells },
        x_label => "$x_label ($us)",
        y_label => sprintf('%ss per bin (%d bins a decade)', $counted, PER_DECADE),
        unit    => $us,
        counted => $counted,
    };
}

sub _scale_of_2002 {
    return {
        values  => \&Realfeel::Classic::buckets,
        cells   => \&_buckets,
        x_label => 'interval error (ms), early wake-ups in the first bucket',
        y_label => 'samples per 0.1 ms bucket',
        unit    => 'ms',
        counted => 'sample',
    };
}

# A logarithmic axis has no 0: the first bucket is drawn from its middle.
sub _buckets {
    my ($distribution) = @_;
    return map { [$_->[0] || $_->[1] / 2, @$_[1, 2]] } $distribution->cells;
}

# A function from a value to the two edges of the drawn bin that holds it, quick for values that ascend.
sub _grid {
    my @edges = (FINEST_US / 2, FINEST_US);
    push @edges, _next_edge($edges[-1]) while $edges[-1] < COARSEST_US;
    my $i = 0;
    return sub {
        my ($value) = @_;
        $i++ while $edges[$i + 1] <= $value && $i < $#edges - 1;
        return @edges[$i, $i + 1];
    };
}

# The nearest edge of a report's bins that is a full step on. So the drawn bins never cut a bin of a report, and where
# those are coarse, below 0.1 us, they are drawn as they are.
sub _next_edge {
    my ($edge) = @_;
    my $least = $edge * 10**(1 / PER_DECADE);
    my $width = max(FINEST_US, 10**(floor(log($least) / log(10)) - DIGITS + 1));
    return 0 + sprintf '%.2f', $width * ceil($least / $width - TOLERANCE);
}

# The round numbers, 1, 2 or 5 of a decade, that enclose the cells and are at least a decade apart.
sub _range {
    my @cells = @_;
    my $first = _round_index(min map { $_->[0] } @cells);
    my $last  = _round_index(max map { $_->[1] } @cells) + 1;
    $last++ while $last - $first < @{ ROUND_SCALE() };
    return map { _round_number($_) } $first, $last;
}

sub _round_number {
    my ($index) = @_;
    my $steps = @{ ROUND_SCALE() };
    return 0 + (ROUND_SCALE->[$index % $steps] . 'e' . floor($index / $steps));
}

sub _round_index {
    my ($value) = @_;
    my $index = @{ ROUND_SCALE() } * floor(log($value) / log(10)) - 1;
    $index++ while _round_number($index + 1) <= $value;
    return $index;
}

# One block for each run: "edge count", the count up to the next edge. Each unbroken run of cells stands between two
# edges of count 0, lest a line be drawn across the empty ones; a run without samples is one such edge.
sub _data {
    my ($least, @runs) = @_;
    return join "\n\n", map { join '', map { "$_->[0] $_->[1]\n" } _steps($least, @$_) } @runs;
}

sub _steps {
    my ($least, @cells) = @_;
    my @steps;
    my $edge = 0;
    for (@cells) {
        my ($low, $high, $count) = @$_;
        push @steps, [$edge, 0] if $edge && $low > $edge;
        push @steps, [$low, 0] if $low > $edge;
        push @steps, [$low, $count];
        $edge = $high;
    }
    return (@steps, [$edge || $least, 0]);
}

# A name that is too long loses its front.
sub _label {
    my ($label_max, $report, $distribution, $scale) = @_;
    my $verdict = $report->verdict // 'valid';
    my $counted = $distribution->n == 1 ? $scale->{counted} : "$scale->{counted}s";
    my $facts = join ', ', ': ' . $distribution->n . " $counted",
        $distribution->n ? _maximum($distribution) . " $scale->{unit}" : (),
        $verdict eq 'valid' ? () : uc $verdict;
    my $name = printable($report->file);
    my $room = $label_max - length $facts;
    $name = '...' . substr($name, 3 - $room) =~ s/^[\x80-\xbf]+//r if length $name > $room;
    return $name . $facts;
}

sub _maximum {
    my ($distribution) = @_;
    return ($distribution->max_is_exact ? 'max ' : 'max < ') . decimal($distribution->max, 3);
}

# What all runs have in common.
sub _title {
    my @reports = @_;
    my @parts;
    for my $part (['kernel %s', 'kernel_release'], ['%s', 'source'], ['%s Hz', 'frequency_hz']) {
        my ($format, $key) = @$part;
        my @values = uniq map { $_->header($key) // '' } @reports;
        push @parts, sprintf $format, printable($values[0]) if @values == 1 && $values[0] ne '';
    }
    return join ', ', @parts;
}

1;
