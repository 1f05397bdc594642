# SPDX-License-Identifier: GPL-2.0-or-later
# A table as text, HTML and comma-separated values; and the texts that stand around it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use Test::More;

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(beginning counted cut cut_middle ending printable width wrapped);
use Realfeel::Show::Blocks ();

sub table { return Realfeel::Base::Table->new(@_) }

subtest 'a table is printed as text' => sub {
    my @rows = (['mean', '1.25 us', 3], ['maximum', '492.352 us', 12]);
    is_deeply([table(columns => ['', 'time', 'n'], rows => \@rows)->text], [split /\n/, <<'END'], 'a column is as wide as its widest');
               time   n
mean        1.25 us   3
maximum  492.352 us  12
END
    my @columns = ({ head => '', align => 'right' }, { head => 'time', width => 12 }, { head => 'n', align => 'left' });
    is_deeply([table(columns => \@columns, rows => \@rows)->text(1)], [split /\n/, <<'END'], 'a column may be wider, aligned, and apart');
                time n
   mean      1.25 us 3
maximum   492.352 us 12
END
    is_deeply([table(caption => 'times', note => 'all', columns => ['', ''], rows => [['a', 1], [], ['b', { text => 2 }]])->text],
        ['times', 'a  1', '', 'b  2', 'all'], 'caption, note and an empty line, and no headings where there are none');
    is_deeply([table(columns => ['', 'x', 'y'], rows => [['a', { text => 'not known', colspan => 2 }], ['b', 1, 2]])->text],
        ['   x  y', 'a  not known', 'b  1  2'], 'what goes over several columns widens none');
    is_deeply([table(columns => ['', 'x'], rows => [])->text], ['  x'], 'a table without rows has its heading');
    is_deeply([table(columns => ['', ''], rows => [["a\nb\e", 1], [{ text => "\x9b" }, 2]])->text], ['a\x0ab\x1b  1', '\x9b        2'],
        'a cell is printable');
};

subtest 'a table is printed as HTML' => sub {
    my $html = Realfeel::Show::Blocks::table(
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
    ], 'each cell has its HTML');
};

subtest 'a table is printed as values' => sub {
    my $table = table(columns => [qw(name n)], rows => [['a, "b"', { text => 1, note => 'or 2' }], ["c\nd", undef]]);
    is($table->csv, qq(name,n\n"a, ""b""",1\nc\\x0ad,\n), 'comma-separated, quoted where it is needed');
};

subtest 'texts are put together' => sub {
    is(join(', ', map { counted($_, 'period') } 0, 1, 2), '0 periods, 1 period, 2 periods', 'the noun agrees with its number');
    is(wrapped('  * ', 'word ' x 15 . "tab\there"), '  * word' . ' word' x 14 . "\n    tab\\x09here", 'wrapped, indented, printable');
    is(wrapped('', 'x' x 76 . ' 95 % of'), 'x' x 76 . "\n95 % of", 'a number keeps its per cent sign');
    is(wrapped('', 'x' x 90 . ' y'), 'x' x 90 . "\ny", 'a long word stays whole');
    is(wrapped('  ', "\xc3\xa4 " x 39 . "\xe6\xbc\xa2"), '  ' . "\xc3\xa4 " x 38 . "\xc3\xa4\n  \xe6\xbc\xa2", 'columns, not bytes');
};

subtest 'what is shown' => sub {
    my $e_acute = "\xc3\xa9";
    for (
        ['a line feed, and an escape', "a\nb\e[31m", 'a\x0ab\x1b[31m'],
        ['the same of C1', "\xc2\x9b31m", '\xc2\x9b31m'],
        ['writing from the right, and what marks its end', "\xe2\x80\xae \xe2\x81\xa9", '\xe2\x80\xae \xe2\x81\xa9'],
        ['the end of a line in Unicode', "\xe2\x80\xa8", '\xe2\x80\xa8'],
        ['no UTF-8, beside some', "$e_acute\xff$e_acute\xc3", "$e_acute\\xff$e_acute\\xc3"],
        ['UTF-8 that is too long, and a surrogate', "\xc0\xaf\xe0\x80\x80\xed\xa0\x80", '\xc0\xaf\xe0\x80\x80\xed\xa0\x80'],
        ['beyond Unicode', "\xf4\x90\x80\x80", '\xf4\x90\x80\x80'],
        ['letters of two to four bytes', "$e_acute\xe6\xbc\xa2\xf0\x9f\x90\xab", "$e_acute\xe6\xbc\xa2\xf0\x9f\x90\xab"],
    ) {
        my ($name, $bytes, $shown) = @$_;
        is(printable($bytes), $shown, $name);
        is(printable($shown), $shown, "$name: twice as once");
    }
};

subtest 'columns of a terminal' => sub {
    my ($wide, $combined, $camel) = ("\xe6\xbc\xa2", "e\xcc\x81", "\xf0\x9f\x90\xab");
    is_deeply([map { width($_) } '', 'abc', "\xc3\xa9", $wide, $combined, $camel, "\xef\xbd\xb1"], [0, 3, 1, 2, 1, 2, 1],
        'a wide letter counts twice, a combining one not at all');
    is_deeply([map { beginning("a$wide$combined", $_) } 0 .. 4], ['', 'a', 'a', "a$wide", "a$wide$combined"],
        'a text is cut at its end by columns');
    is_deeply([map { ending("$combined$wide", $_) } 0 .. 3], ['', '', $wide, "$combined$wide"],
        'a text is cut at its beginning by columns');
    is(cut($wide x 5, 10), $wide x 5, 'what fits is not cut');
    is(cut($wide x 6, 10), $wide x 3 . '...', 'a text that is too long ends in dots');
    is(cut_middle("$wide$wide$wide" . 'abcdefgh', 11), "$wide$wide...efgh", 'a text may be cut in the middle');
    is(cut("\e" x 3, 11), '\x1b\x1b...', 'an escape has the width of its letters');
    my @columns = ({ head => '', align => 'left' }, { head => 'n' });
    is_deeply([table(columns => \@columns, rows => [[$wide, "\xc3\xa9"], ['abc', 10]])->text(1)],
        ['     n', "$wide   \xc3\xa9", 'abc 10'], 'a table is aligned by columns');
};

done_testing();
