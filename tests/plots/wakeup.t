# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures of runs that measured since a wake-up was asked for.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../lib lib ../../analyze/lib);
use Test::More;

use Drawing;
use MakeReport;
use RunCommand;
use Svg;

my ($thread, $alsa, $ring, $due) = map { "$data/$_.hist" } qw(thread alsa ring small);

sub has {
    my ($drawing, $pattern, $what) = @_;
    my @texts = $drawing->texts;
    ok(scalar(grep { /$pattern/ } @texts), $what) or diag(join "\n", @texts);
}

subtest 'the axis says since when, and the key what is counted' => sub {
    for my $kind (qw(histogram overlay percentiles exceedance matrix slices)) {
        my $drawing = given($kind, $thread);
        has($drawing, qr/^wake-up latency since the request \(/, "$kind: the axis");
        has($drawing, qr/\b44 requests\b/, "$kind: the count");
    }
    has(given('slices', $thread), qr/^requests a second$/, 'slices: their rate');
    has(given('slices', $alsa), qr/^periods a second$/, 'slices: the rate of periods');
    has(given('slices', $_->[0]), qr/^the $_->[1] of all$/, "slices: the $_->[1]")
        for [$thread, 'longest'], [$alsa, 'worst'];
    has(given('exceedance', $thread), qr/^share of the requests above$/, 'exceedance: the other axis');
};

subtest 'a kernel\'s stamp' => sub {
    has(given('overlay', $alsa), qr/^lateness \(/, 'lateness comes first');
    has(given('overlay', '--measure=wakeup', $alsa), qr/^wake-up latency since the request \(/,
        '--measure=wakeup draws the wake-up latency');
    has(given('overlay', $alsa, $thread), qr/^wake-up latency since the request \(/,
        'the wake-up latency is drawn where another run has it alone');
};

subtest 'the cells of a ring' => sub {
    has(given('matrix', $ring), qr/^$_$/, "the matrix: $_") for '2x0', '8x0', '8x16k';
    has(given('percentiles', $ring), qr/\b$_: 40 requests/, "percentiles names the cell $_") for '2x0', '8x16k';
};

subtest 'what is refused' => sub {
    my %complaint = (
        "overlay $due $thread"         => "$due measures lateness, but $thread measures wake-up latency; draw each kind by itself",
        "overlay --measure=lateness $thread" => "$thread: has no lateness; use --measure=wakeup or leave it out",
        "slices --measure=wakeup $alsa" => '--measure is not for slices; leave it out',
    );
    for my $arguments (sort keys %complaint) {
        my ($status, $out, $err) = run($analyze, 'plot', split / /, $arguments);
        is("$status$out", 1, "$arguments: nothing is drawn");
        like($err, qr/\Arealfeel-analyze: \Q$complaint{$arguments}\E\n/, "$arguments: the refusal has the reason");
    }
};

done_testing;
