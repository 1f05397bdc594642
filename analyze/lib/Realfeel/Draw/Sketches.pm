# SPDX-License-Identifier: GPL-2.0-or-later
# A line of text for each run: histogram, median and maximum.
package Realfeel::Draw::Sketches;
use Realfeel::Base::Modern;

use List::Util qw(first max min sum);
use Realfeel::Answer::Percentiles ();
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted cut cut_middle printable width);
use Realfeel::Draw::Axis qw(limit_name);
use Realfeel::Draw::Words qw(figure words);

use constant {
    CELLS      => 24,           # as realfeel draws at its end, and so are their heights
    COLUMNS    => 79,
    GAPS       => 8,            # between five columns
    NAME_LEAST => 12,
    LEAST_US   => 0.01,         # what is less has no logarithm to speak of
    STEP_US    => 0.001,
    MEDIAN     => 50,
    PLAIN      => [split //, ' .:-=+*#@'],
    BLOCKS     => [' ', map { "\xe2\x96" . chr } 0x81 .. 0x88],
};

# All on one logarithmic scale whose ends stand above. Heights are logarithms of counts relative to the fullest cell of
# the run, in block characters under a UTF-8 locale, else in .:-=+*#@.
sub text ($runs, $title, $note) {
    my @scale = _scale($runs);
    my @heads = map { figure($_) } @scale;
    my $table = Realfeel::Base::Table->new(
        columns => [
            { head => '', align => 'left' },
            { head => $heads[0] . ' ' x (CELLS - length join '', @heads) . $heads[1], align => 'left' },
            'p50', 'max', { head => '', align => 'left' },
        ],
        rows => [(map { _limit(\@scale, $_) } $runs->limits), _rows($runs, \@scale)],
    );
    return join '', map { "$_\n" } $title, $note eq '' ? () : $note, _caption($runs), words('sketch.scales'), '',
        $table->text;
}

# From the least value to the largest, or to a limit above it
sub _scale ($runs) {
    my $least = max(LEAST_US, min(map { $_->min } $runs->some));
    return ($least, max($least + STEP_US, $runs->max, $runs->limits));
}

sub _caption ($runs) {
    my @counts = map { $_->n } $runs->values;
    my ($least, $most) = (min(@counts), counted(max(@counts), $runs->counted));
    return words($least == $runs->n ? 'sketch.each' : 'sketch.up_to', label => $runs->label, least => $least,
        most => $most);
}

sub _limit ($scale, $us) {
    return [limit_name($us, 'us'), ' ' x _cell_of($scale, $us) . '|', '', '', ''];
}

sub _rows ($runs, $scale) {
    my @values = $runs->values;
    my @facts = $runs->facts({ us => 1, symbol => 'us' });
    my @names = map { printable($_) } @{ $runs->look->{names} };
    my $worst = first { $values[$_]->n && $values[$_]->max == $runs->max } 0 .. $#values;
    my @mark = @values > 1 ? words('sketch.worst') : ();
    my @rows = map { [
        join(', ', $names[$_], $facts[$_]{cpus} // ()),
        _sketch($scale, $values[$_]), _median($runs, $_), _maximum($values[$_]),
        join ', ', $_ == $worst ? @mark : (), reverse @{ $facts[$_]{doubts} },
    ] } 0 .. $#values;
    return _fitted(@rows);
}

sub _sketch ($scale, $values) {
    my ($low, undef, $count) = $values->columns;
    my @counts = (0) x CELLS;
    $counts[_cell_of($scale, $low->[$_])] += $count->[$_] for 0 .. $#$low;
    my $peak = max(@counts);
    my $letters = ${^UTF8LOCALE} ? BLOCKS : PLAIN;
    return join '', map { $letters->[_height($_, $peak)] } @counts;
}

sub _cell_of ($scale, $us) {
    my ($least, $most) = @$scale;
    return $us <= $least ? 0 : int min(CELLS - 1, CELLS * log($us / $least) / log($most / $least));
}

# 1 for a count of one, the last for the peak
sub _height ($count, $peak) {
    return 0 unless $count;
    return $count == $peak ? $#{ +PLAIN } : int(1 + ($#{ +PLAIN } - 1) * log($count) / log($peak));
}

sub _median ($runs, $i) {
    my ($median) = Realfeel::Answer::Percentiles::percentiles(($runs->values)[$i], undef, $runs->measure, MEDIAN);
    my ($value, $roughly, $from) = @$median{qw(value_us roughly_us from_us)};
    return defined $value ? figure($value) : defined $roughly ? '~' . figure($roughly)
        : defined $from ? '>=' . figure($from) : '-';
}

sub _maximum ($values) {
    return '-' unless $values->n;
    return ($values->max_is_exact ? '' : '<') . figure($values->max);
}

# Doubts and names are truncated if a line has no room
sub _fitted (@rows) {
    my $room = COLUMNS - GAPS - CELLS - sum(map { my $i = $_; max(map { width($_->[$i]) } @rows) } 2, 3);
    $_->[4] = cut($_->[4], $room - NAME_LEAST) for @rows;
    my $marks = max(map { width($_->[4]) } @rows);
    $_->[0] = cut_middle($_->[0], $room - $marks) for @rows;
    return @rows;
}

1;
