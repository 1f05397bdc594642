# SPDX-License-Identifier: GPL-2.0-or-later
# The pictures that gnuplot makes of histograms.
use strict;
use warnings;
use File::Copy qw(copy);
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Drawing;
use RunCommand;

my @old = map { "$data/$_-2.4.17.hist" } qw(preempt-lolat low-latency);
copy("$data/small.hist", $_) or die "$_: $!" for 'small.hist', 'a "b".hist', 'a_b^{c}.hist';

sub plot { return run($analyze, 'plot', 'histogram', @_) }

subtest 'a histogram is drawn as PNG' => sub {
    umask 022;
    my $png = picture('png', 'histogram', 'small.hist');
    is(substr($png, 0, 8), "\x89PNG\r\n\cZ\n", 'the picture is a PNG');
    is_deeply([unpack 'x16 N2', $png], [1000, 636], 'the picture of one run has its size');
    is_deeply([unpack 'x16 N2', picture('png', 'histogram', @old)], [1000, 666],
        'the picture of two runs replaces that of one, and is higher');
    is((stat 'x.png')[2] & 0777, 0644, 'readable as umask says');
};

subtest 'a histogram is drawn in a locale that is not UTF-8' => sub {
    local $ENV{LC_ALL} = 'C';
    picture('png', 'histogram', 'small.hist');
};

subtest 'a histogram is drawn though GNUTERM is set' => sub {
    local $ENV{GNUTERM} = 'none-such';
    picture('png', 'histogram', 'small.hist');
    like((run($analyze, 'plot', 'small.hist'))[1], qr/periods per bin/, 'the terminal ignores GNUTERM, too');
};

subtest 'a histogram is drawn as SVG' => sub {
    my $svg = picture('svg', 'histogram', @old, 'small.hist');
    is(scalar(() = $svg =~ /<title>[^<]+: \d+ samples, max/g), 3, 'three runs are drawn');
    my @texts = $svg =~ /<text[^>]*>(?:<tspan[^>]*>)?([^<]+)/g;
    ok((grep { /low-latency-2\.4\.17: 5000000 samples, max &lt; 1\.400 ms/ } @texts), 'the key has count and maximum');
    ok((grep { $_ eq 'samples per 0.1 ms bucket' } @texts), 'an axis has its title');
    my $hostile = picture('svg', 'histogram', 'a "b".hist', 'a_b^{c}.hist');
    like($hostile, qr/>(?:"b"|&quot;b&quot;): 21 periods/, 'quotes are shown');
    like($hostile, qr/>b\^\{c\}: 21 periods/, 'no name is taken for markup');
    unlike($hostile, qr/max 153.0 us/, 'microseconds have their sign');
};

# A line that crossed empty bins would join two of these pieces, or lie above the axis where there is no sample.
subtest 'no line across empty bins' => sub {
    my ($line) = drawn('histogram', 'small.hist')->lines;
    is(scalar @$line, 4, 'four bins, each a piece of its own');
    is_deeply([map { sprintf '%.1f', $_ } map { ($_->[0][1], $_->[-1][1]) } @$line], [('0.7') x 8],
        'each piece begins and ends on the axis');
    is_deeply([map { sprintf '%.1f', $_->[1][1] } @$line], [qw(10.0 6.0 4.0 1.0)], 'each piece rises to its count');
};

subtest 'a histogram is drawn as PDF' => sub {
    like(picture('pdf', 'histogram', 'small.hist'), qr/\A%PDF-/, 'the picture is a PDF');
};

subtest 'a histogram is drawn in the terminal' => sub {
    my ($status, $out, $err) = plot(@old);
    is("$status $err", '0 ', 'the terminal draws two runs');
    like($out, qr/^ +[-+]*\|.*A.*\n/m, 'letters of the first run');
    like($out, qr/^ +[-+]*\|.*B/m, 'letters of the second');
    like($out, qr/A +preempt-lolat: 5000000 samples, max < 1\.300 ms$/m, 'the terminal has the key');
    unlike($out, qr/[^\n\x20-\x7e]/, 'the terminal has ASCII alone');
    is((grep { length > 79 } split /\n/, $out), 0, '79 columns');
    cmp_ok($out =~ tr/\n//, '<=', 25, 'a line more than a terminal of 24');
};

subtest 'a histogram is drawn of one bin, and of twelve runs' => sub {
    my $one = contents('small.hist') =~ s/^\d\S+ \S+ \d+ \d+ \d+\n//mgr;
    $one =~ s/(lateness\n)/${1}3.00 3.01 20 0 21\n/;
    $one =~ s/\n\n# slices.*(?=# end)//s;
    picture('svg', 'histogram', file_of('one.hist', $one));
    my $svg = picture('svg', 'histogram', ('small.hist') x 12);
    is(scalar(() = $svg =~ /<title>[^<]+: 21 periods/g), 12, 'all twelve are drawn');
};

done_testing;
