# SPDX-License-Identifier: GPL-2.0-or-later
# An answer as blocks: what each kind looks like on a terminal and on a page.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use Test::More;

use Realfeel::Base::Table;
use Realfeel::Show::Blocks qw(as_html as_text);

my $table = Realfeel::Base::Table->new(caption => 'all', columns => ['', 'max'], rows => [['p50', '5'], [], ['p99', '12']]);
my @blocks = ([head => 'a.hist: valid'], [facts => [host => 'box'], [preempted => 'never']], [list => ], [text => 'Late.'],
    [head => 'what to do'], [list => 'Wait 5 us.', ["isolate <it>:", \"boot\nagain", 'see (1)']], [table => $table]);

is(as_text(@blocks), <<'END', 'blocks are lines, those without contents none');
a.hist: valid
  host      box
  preempted never

  Late.

  what to do
  * Wait 5 us.
  * isolate <it>:
      boot
      again
    see (1)

  all
       max
  p50    5

  p99   12
END
is(as_text([text => ('word ') x 20]) =~ tr/\n//, 20, 'a paragraph has several texts');
is(as_text([facts => [run => 'a ' x 40]]) =~ s/\n.*//sr, '  run       ' . 'a ' x 33 . 'a', 'lines have 80 columns');
is(as_text(), '', 'no blocks, no text');
unlike(as_text([head => "\e"], [text => "\e"], [list => ["\e", \"\e"]], [facts => [x => "\e"]]), qr/\e/, 'terminals are safe');

my $html = as_html(@blocks);
like($html, qr{<h3>A\.hist: valid</h3>\n<ul><li>host: box</li><li>preempted: never</li></ul>\n<p>Late\.</p>}, 'facts are a list');
like($html, qr{<ul><li>Wait 5 \xc2\xb5s\.</li><li>isolate &lt;it&gt;:<br><code>boot\nagain</code><br>see \(1\)</li></ul>},
    'an item of a page has each of its commands on a line of its own');
like($html, qr{<caption>All</caption>.*<td data-head="max">12</td>}s, 'a table has a caption');
like(as_html([text => 'Do:', \'a < b']), qr{<p>Do:</p>\n<pre>a &lt; b</pre>}, 'a paragraph has its commands below it');

done_testing;
