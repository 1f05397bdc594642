# SPDX-License-Identifier: GPL-2.0-or-later
# The picture of many nights.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../lib lib ../../analyze/lib);
use List::Util qw(first);
use Test::More;

use Drawing;
use MakeReport;
use RunCommand;
use Svg;

my @nights = map {
    my ($night, $level) = ($_, $_ > 20 ? 80 : 40);
    my $missed = $night == 5 ? 2 : 0;
    make_report(sprintf('n%02d.hist', $night),
        lateness => [['3.00', '3.01', 11000 + $night], [$level + $night / 10, $level + 5, 100]], lateness_max => $level + $night / 10 + 1,
        interval => [['0.00', '0.01', 11100 + $night - $missed]],
        header => { hostname => 'lab1', started => sprintf('2026-03-%02dT02:00:00Z', $night), kernel_release => $night > 10 ? '6.2' : '6.1',
            verdict => $night == 7 ? 'invalid: x' : 'valid' });
    sprintf 'n%02d.hist', $night;
} 1 .. 30;

sub trend {
    my ($format, @files) = @_;
    my ($status, $out, $err) = run($analyze, qw(trend --plot -o), "x.$format", @files);
    is("$status $out$err", '0 ', "$format: drawn without a word");
    return contents("x.$format");
}

my $svg = Svg->new(trend('svg', @nights));
my @texts = $svg->texts;
for my $text ('Lateness by run, 2026-03-01 to 2026-03-30$', 'lab1, \S+ at \d+ Hz, 29 runs$', 'started \(UTC\)$',
    'A$', 'B$', 'p50: 3\.0', 'max: 84\.0',
    'kernel A 6\.1, B 6\.2$', 'higher since 2026-03-21: p99\.9 2 times, max 2 times$', 'missed, up to 18\d of a million$',
    '2026-03-\d\d$') {
    ok((grep { /^$text/ } @texts), $text);
}
is((grep { /\bnan\b/i } @texts), 0, 'no number that is none');
like(trend('png', @nights), qr/\A\x89PNG/, 'a trend is drawn as PNG');
like(trend('pdf', $nights[0]), qr/\A%PDF-/, 'a PDF, of one run');

my ($status, $out, $err) = run($analyze, qw(trend --plot), @nights);
is("$status $err", '0 ', 'the terminal draws without a word');
unlike($out, qr/[^\n\x20-\x7e]|.{80}/, '79 columns of ASCII');
like($out, qr/^ .*\bA +B\b/m, 'the terminal has the kernels');
like($out, qr/(?:M +){10}/, 'the terminal has the maxima');
like($out, qr/\|\s*x\s*$/m, 'the terminal marks the run that missed periods');
is(scalar(() = (first { /p50/ } split /\n/, $out) =~ /3\.0 us in the last run/g), 1, 'the terminal has the key');

($status, $out, $err) = run($analyze, qw(trend --plot), $nights[6]);
is("$status $err", "1 realfeel-analyze: no run of this series is valid; there is nothing to draw\n",
    'a series without a valid run is refused');

@texts = Svg->new(trend('svg', '--series=p50,p90', @nights))->texts;
is_deeply([map { /^(p\d+|p99\.9|max): / ? $1 : /million/ ? 'missed' : () } @texts], [qw(p50 p90)], 'the lines that are chosen');
($status, $out) = run($analyze, qw(trend --plot --series=max), @nights);
like($out, qr/(?:M +){10}/, 'the terminal draws maxima by their letter');

# p50 rises after two weeks, and the maximum a week later: that is a long red line for a terminal.
my @twice = map {
    my ($level, $max) = ($_ > 14 ? 30 : 3, $_ > 28 ? 900 : 90);
    make_report("t$_.hist", lateness => [["$level.00", "$level.01", 11000 + $_], ["$max.0", "$max.1", 1]], lateness_max => $max + $_ / 1000,
        interval => [['0.00', '0.01', 11001 + $_]],
        header => { hostname => 'lab1', started => sprintf('2026-%02d-%02dT02:00:00Z', $_ > 28 ? 4 : 3, ($_ - 1) % 28 + 1) });
    "t$_.hist";
} 1 .. 42;
($status, $out) = run($analyze, qw(trend --plot), @twice);
like($out, qr/^ *higher since 2026-03-15: p50, p99, p99\.9; 2026-04-01: max$/m, 'the terminal says what is higher without by how much');
@texts = Svg->new(trend('svg', '--series=max,p50', @twice))->texts;
ok((grep { $_ eq 'higher since 2026-03-15: p50 10 times; 2026-04-01: max 10 times' } @texts),
    'the picture says what is higher and by how much') or diag "@texts";

# Two bunches of runs, a minute from one to the next.
my @bunched = map {
    my ($day, $minute) = ($_ > 10 ? 20 : 1, $_ % 10);
    make_report("b$_.hist", lateness => [['3.00', '3.01', 11000 + $_]], lateness_max => 3, interval => [['0.00', '0.01', 11000 + $_]],
        header => { hostname => 'lab1', started => sprintf('2026-03-%02dT02:%02d:00Z', $day, $minute + 1) });
    "b$_.hist";
} 1 .. 20;
@texts = Svg->new(trend('svg', @bunched))->texts;
ok((grep { $_ eq 'run' } @texts), 'runs whose dates bunch up stand by their number');
is_deeply([grep { /^\d{4}-\d\d/ } @texts], [], 'runs whose dates bunch up do not stand by their date');

my @near = map {
    make_report("m$_.hist", lateness => [['3.00', '3.01', 11000 + $_]], lateness_max => 3, interval => [['0.00', '0.01', 11000 + $_]],
        header => { hostname => 'lab1', started => sprintf('2026-03-01T02:0%d:%02dZ', $_ / 2, $_ % 2 * 30) });
    "m$_.hist";
} 1 .. 9;
ok((grep { $_ eq 'run' } Svg->new(trend('svg', @near))->texts), 'runs within a minute of each other stand by their number');

done_testing;
