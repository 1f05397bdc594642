# SPDX-License-Identifier: GPL-2.0-or-later
# A table as text, HTML and comma-separated values; and the texts that stand around it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use Test::More;

use Realfeel::Page::Html ();
use Realfeel::Table;
use Realfeel::Units qw(counted shown wrapped);

sub table { return Realfeel::Table->new(@_) }

subtest 'as text' => sub {
    my @rows = (['mean', '1.25 us', 3], ['maximum', '492.352 us', 12]);
    is_deeply([table(columns => ['', 'time', 'n'], rows => \@rows)->text], [split /\n/, <<'END'], 'a column is as wide as its widest');
               time   n
mean        1.25 us   3
maximum  492.352 us  12
END
    my @columns = ({ head => '', align => 'right' }, { head => 'time', width => 12 }, { head => 'n', align => 'left' });
    is_deeply([table(columns => \@columns, rows => \@rows)->text(1)], [split /\n/, <<'END'], 'or wider, on either side, another gap');
                time n
   mean      1.25 us 3
maximum   492.352 us 12
END
    is_deeply([table(caption => 'times', note => 'all', columns => ['', ''], rows => [['a', 1], [], ['b', { text => 2 }]])->text],
        ['times', 'a  1', '', 'b  2', 'all'], 'caption, note and an empty line, and no headings where there are none');
    is_deeply([table(columns => ['', 'x', 'y'], rows => [['a', { text => 'not known', colspan => 2 }], ['b', 1, 2]])->text],
        ['   x  y', 'a  not known', 'b  1  2'], 'what goes over several columns widens none');
    is_deeply([table(columns => ['', 'x'], rows => [])->text], ['  x'], 'without rows');
};

subtest 'as HTML' => sub {
    my $html = Realfeel::Page::Html::table(
        caption => 'a < b', columns => ['run', { head => 'x us', title => 'x (s)' }, { head => 'what', align => 'left' }],
        rows => [['<i>', { text => 1, note => '0 & 2', class => 'worse' }, 'y'],
            [{ html => '<b>2</b>' }, { note => 'none', colspan => 2 }]]);
    my @cells = $html =~ m{(<(?:caption|t[hd])\b.*?</(?:caption|t[hd])>)}g;
    is_deeply(\@cells, [
        '<caption>a &lt; b</caption>',
        '<th scope="col">run</th>', '<th scope="col">x (s)</th>', '<th class="words" scope="col">what</th>',
        '<th scope="row">&lt;i&gt;</th>', '<td class="worse" data-head="x (s)">1<br><small>0 &amp; 2</small></td>',
        '<td class="words" data-head="what">y</td>',
        '<th scope="row"><b>2</b></th>', '<td colspan="2"><small>none</small></td>',
    ], 'cells');
};

subtest 'as values' => sub {
    my $table = table(columns => [qw(name n)], rows => [['a, "b"', { text => 1, note => 'or 2' }], ["c\nd", undef]]);
    is($table->csv, qq(name,n\n"a, ""b""",1\n"c\nd",\n), 'comma-separated, quoted where it is needed');
};

subtest 'texts' => sub {
    is(join(', ', map { counted($_, 'period') } 0, 1, 2), '0 periods, 1 period, 2 periods', 'the noun agrees with its number');
    is(wrapped('  * ', 'word ' x 15 . "tab\there"), '  * word' . ' word' x 14 . "\n    tab\\x09here", 'wrapped, indented, printable');
    is(wrapped('', 'x' x 76 . ' 95 % of'), 'x' x 76 . "\n95 % of", 'a number keeps its per cent sign');
    is(wrapped('', 'x' x 90 . ' y'), 'x' x 90 . "\ny", 'a long word stays whole');
    is(shown("\xc3\xa4 \xff\x1b \xe2\x80\xae"), '\xc3\xa4 \xff\x1b \xe2\x80\xae', 'bytes that are not UTF-8');
    is(shown("\xc3\xa4 \x1b \xe2\x80\xae"), "\xc3\xa4 \\x1b \\x202e", 'what prints nothing');
};

done_testing();
