# SPDX-License-Identifier: GPL-2.0-or-later
# The table of realfeel-analyze table.
package Realfeel::Show::Grid;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(csv text);

use List::Util qw(any uniqstr);
use Realfeel::Answer::Grid qw(STATISTIC names worded);
use Realfeel::Answer::Percentiles qw(is_percentile);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(cut decimal printable short width wrapped);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Figures qw(bracketed doubt_words);

use constant {
    HEAD_ROOM => 24,            # of the name of a row or column
    NAMED     => 4,             # runs whose verdict is not valid; of more their number
    EXACT     => 3,             # decimals: nanoseconds
    NUMBERS   => qr/^(?:rate|array|processes|cpu)$/,
};

# The table of a filled grid, 80 columns if its columns allow it. Rows with equal outer facts stand together below
# these. Above are the measure and what runs have in common; below, marks, hidden settings that differ, and verdicts.
# %$style has interval, and decimals, undef for four significant digits.
sub text ($grid, $style) {
    my $table = Realfeel::Base::Table->new(
        columns => [{ head => '', align => $grid->{rows}[-1] =~ NUMBERS ? 'right' : 'left' },
            map { { head => '', align => 'right' } } names($grid, 'column'), $grid->{ratios} // ()],
        rows    => [_head_rows($grid), _rows($grid, _cells($grid, sub { _cell($style, @_) }))],
    );
    my @notes = _notes($grid, $style);
    return join '', map { "$_\n" } _captions($grid), $table->text, @notes ? ('', @notes) : ();
}

sub _captions ($grid) {
    my $is_told = any { $_ eq STATISTIC } map { @{ $grid->{$_} } } qw(rows columns);
    my ($first) = @{ $grid->{cells} };
    my $statistic = $is_told ? '' : ": $first->{statistic}";
    my @common = map { worded(@$_) } @{ $grid->{common} };
    my $measured = join ', ', map { measure_name($_) . ($_ eq 'interval' ? ' without its sign' : '') }
        @{ $grid->{measured} };
    return ("$measured in us$statistic", @common ? wrapped('', join '; ', @common) : (), '');
}

# A line for each fact of the columns, repeated only where it changes
sub _head_rows ($grid) {
    my @facts = @{ $grid->{columns} };
    my @keys = @{ $grid->{column_keys} };
    my ($row_head, $ratio) = ($grid->{rows}[-1], $grid->{ratios} ? _ratio_head($grid) : ());
    my @lines;
    for my $i (0 .. $#facts) {
        my @outer = map { join "\n", @$_[0 .. $i] } @keys;
        my @heads = _cut(map { worded($facts[$i], $_->[$i]) } @keys);
        push @lines, ['', map { $_ && $i < $#facts && $outer[$_] eq $outer[$_ - 1] ? '' : $heads[$_] } 0 .. $#keys];
    }
    $lines[-1][0] = $row_head eq STATISTIC ? '' : $row_head;
    push @{ $lines[-1] }, $ratio // ();
    return @lines;
}

# Long names are truncated unless they become equal
sub _cut (@names) {
    my @cut = map { cut($_, HEAD_ROOM) } @names;
    return uniqstr(@cut) == uniqstr(@names) ? @cut : @names;
}

sub _ratio_head ($grid) {
    my $head = join ' / ', (names($grid, 'column'))[@{ $grid->{ratios} }{qw(of base)}];
    return width($head) > HEAD_ROOM ? 'ratio' : $head;
}

sub _rows ($grid, $cells) {
    my @facts = @{ $grid->{rows} };
    my @names = _cut(map { $_->[-1] } @{ $grid->{row_keys} });
    pop @facts;
    my ($last, @rows);
    for my $row (0 .. $#$cells) {
        my $texts = $grid->{row_keys}[$row];
        my $block = join ', ', map { worded($facts[$_], $texts->[$_]) } 0 .. $#facts;
        push @rows, defined $last ? [] : (), [{ text => $block, colspan => 2 }] if @facts && $block ne ($last // '');
        $last = $block;
        push @rows, [$names[$row], @{ $cells->[$row] }, _ratio($grid, $row)];
    }
    return @rows;
}

# For each row; a dash where there is no run
sub _cells ($grid, $told) {
    my @cells;
    $cells[ $_->{row} ][ $_->{column} ] = $_ for @{ $grid->{cells} };
    my $columns = $#{ $grid->{column_keys} };
    return [map { my $row = $_; [map { $told->($cells[$row][$_]) } 0 .. $columns] } 0 .. $#{ $grid->{row_keys} }];
}

sub _cell ($style, $cell) {
    my $figure = $cell && $cell->{figure};
    return '-' unless $figure && defined $figure->{value};
    return ($figure->{doubt} ? '~' : '') . $figure->{value} if $figure->{is_count};
    my $in_digits = sub { defined $style->{decimals} ? decimal($_[0], $style->{decimals}) : short($_[0]) };
    my $value = (defined $figure->{doubt} ? '~' : '') . $in_digits->($figure->{value});
    return $value unless $style->{interval} && is_percentile($cell->{statistic}) && !defined $figure->{doubt};
    my @ends = map { defined $_ ? $in_digits->($_) : undef } @$figure{qw(low_us high_us)};
    return bracketed($value, @ends) // "$value [open]";
}

sub _ratio ($grid, $row) {
    my $ratios = $grid->{ratios} or return;
    my $ratio = $ratios->{values}[$row];
    return defined $ratio ? decimal(100 * $ratio, 1) . ' %' : '-';
}

sub _notes ($grid, $style) {
    my @figures = map { $_->{figure} } @{ $grid->{cells} };
    my @doubts = uniqstr map { defined $_->{doubt} ? doubt_words($_) : () } @figures;
    my $is_short = any { $_->{open} } @figures;
    my $lacks = any { !defined $_->{value} } @figures;
    my $differ = join '; ', map {
        my ($fact, @texts) = @$_;
        "$fact (" . join(', ', map { worded($fact, $_) } @texts) . ')';
    } @{ $grid->{aside} };
    my %seen;
    my @runs = grep { !$seen{ $_->{file} }++ } @{ $grid->{cells} };
    return (
        (map { wrapped('~ ', "unreliable: $_") } @doubts),
        ($is_short && $style->{interval} ? '[open] too short for intervals: measure a minute' : ()),
        ($lacks ? '- not supported by the data' : ()),
        (@{ $grid->{measured} } > 1 ? wrapped('* ', 'caution: lateness counts from the due time of a period, wake-up '
            . 'latency from its request') : ()),
        ($differ ? wrapped('* ', "caution: the runs also differ in $differ") : ()),
        (map { _judged($_, @runs) } qw(suspect invalid)),
    );
}

sub _judged ($verdict, @runs) {
    my @judged = map { printable($_->{file}) } grep { ($_->{verdict} // '') eq $verdict } @runs or return;
    my $which = @judged == @runs ? 'all' : @judged > NAMED ? @judged . ' of ' . @runs : join ' | ', @judged;
    return wrapped('* ', "$verdict: $which; stats tells why");
}

# Each fact of the rows is a column, times are to the nanosecond, and with interval two more columns hold its ends.
# Unreliable values are left out.
sub csv ($grid, $style) {
    my ($ratio) = $grid->{ratios} ? _ratio_head($grid) : ();
    my $cells = _cells($grid, sub { $style->{interval} ? _values($_[0]) : (_values($_[0]))[0] });
    my @rows = map {
        [@{ $grid->{row_keys}[$_] }, @{ $cells->[$_] }, $ratio ? _number($grid->{ratios}{values}[$_]) : ()]
    } 0 .. $#$cells;
    return Realfeel::Base::Table->new(
        columns => [@{ $grid->{rows} },
            (map { ($_, $style->{interval} ? ("$_ low", "$_ high") : ()) } names($grid, 'column')), $ratio // ()],
        rows    => \@rows,
    )->csv;
}

sub _values ($cell) {
    my $figure = $cell ? $cell->{figure} : {};
    return ('', '', '') if defined $figure->{doubt};
    return map { $figure->{is_count} ? $_ : _number($_) } @$figure{qw(value low_us high_us)};
}

sub _number ($value) { return defined $value ? decimal($value, EXACT) : '' }

1;
