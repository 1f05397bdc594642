# SPDX-License-Identifier: GPL-2.0-or-later
# The table of realfeel-analyze table.
package Realfeel::Show::Grid;
use Realfeel::Base::Modern;

use List::Util qw(any uniqstr);
use Realfeel::Answer::Grid qw(STATISTIC names worded);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(cut decimal printable short wrapped);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Figures qw(doubt_words);

use constant {
    HEAD_ROOM => 24,            # of the name of a row or column
    NAMED     => 4,             # runs whose verdict is not valid; of more their number
    EXACT     => 3,             # decimals: nanoseconds
    NUMBERS   => qr/^(?:rate|array|processes|cpu)$/,
};

# The table of a filled grid, 80 columns if its columns allow it. Rows with equal outer facts are grouped below them.
# Above are the measure and what runs have in common; below, marks, hidden settings that differ, and verdicts. Without
# $decimals there are four significant digits.
sub text ($grid, $decimals) {
    my $table = Realfeel::Base::Table->new(
        columns => [{ head => '', align => $grid->{rows}[-1] =~ NUMBERS ? 'right' : 'left' },
            map { { head => '', align => 'right' } } names($grid, 'column')],
        rows    => [_head_rows($grid), _rows($grid, _cells($grid, sub { _cell($decimals, @_) }))],
    );
    my @notes = _notes($grid);
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
    my $row_head = $grid->{rows}[-1];
    my @lines;
    for my $i (0 .. $#facts) {
        my @outer = map { join "\n", @$_[0 .. $i] } @keys;
        my @heads = _cut(map { worded($facts[$i], $_->[$i]) } @keys);
        push @lines, ['', map { $_ && $i < $#facts && $outer[$_] eq $outer[$_ - 1] ? '' : $heads[$_] } 0 .. $#keys];
    }
    $lines[-1][0] = $row_head eq STATISTIC ? '' : $row_head;
    return @lines;
}

# Long names are truncated unless that makes them equal
sub _cut (@names) {
    my @cut = map { cut($_, HEAD_ROOM) } @names;
    return uniqstr(@cut) == uniqstr(@names) ? @cut : @names;
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
        push @rows, [$names[$row], @{ $cells->[$row] }];
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

sub _cell ($decimals, $cell) {
    my $figure = $cell && $cell->{figure};
    return '-' unless $figure && defined $figure->{value};
    my ($value, $doubt, $is_count) = @$figure{qw(value doubt is_count)};
    return (defined $doubt ? '~' : '')
        . ($is_count ? $value : defined $decimals ? decimal($value, $decimals) : short($value));
}

sub _notes ($grid) {
    my @figures = map { $_->{figure} } @{ $grid->{cells} };
    my @doubts = uniqstr map { defined $_->{doubt} ? doubt_words($_) : () } @figures;
    my $lacks = any { !defined $_->{value} } @figures;
    my $differ = join '; ', map {
        my ($fact, @texts) = @$_;
        "$fact (" . join(', ', map { worded($fact, $_) } @texts) . ')';
    } @{ $grid->{aside} };
    my %seen;
    my @runs = grep { !$seen{ $_->{file} }++ } @{ $grid->{cells} };
    return (
        (map { wrapped('~ ', "unreliable: $_") } @doubts), ($lacks ? '- not supported by the data' : ()),
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

# Each fact of the rows is a column, and times are to the nanosecond. Unreliable values are left out.
sub csv ($grid, @) {
    my $cells = _cells($grid, sub ($cell) {
        my ($value, $doubt, $is_count) = @{ $cell ? $cell->{figure} : {} }{qw(value doubt is_count)};
        return defined $doubt || !defined $value ? '' : $is_count ? $value : decimal($value, EXACT);
    });
    return Realfeel::Base::Table->new(
        columns => [@{ $grid->{rows} }, names($grid, 'column')],
        rows    => [map { [@{ $grid->{row_keys}[$_] }, @{ $cells->[$_] }] } 0 .. $#$cells],
    )->csv;
}

1;
