# SPDX-License-Identifier: GPL-2.0-or-later
# The pictures that gnuplot makes of histograms.
use strict;
use warnings;
use File::Copy qw(copy);
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Drawing;
use RunCommand;

my $template = "$plots/histogram.gp";
my @old = map { "$data/$_-2.4.17.hist" } qw(preempt-lolat low-latency);
copy("$data/small.hist", $_) or die "$_: $!" for 'small.hist', 'a "b".hist', 'a_b^{c}.hist';

sub plot { return run($analyze, 'plot', 'histogram', @_) }

subtest 'png' => sub {
    umask 022;
    my $png = picture('png', 'histogram', 'small.hist');
    is(substr($png, 0, 8), "\x89PNG\r\n\cZ\n", 'is a PNG');
    is_deeply([unpack 'x16 N2', $png], [1000, 610], 'of the size that one run takes');
    is_deeply([unpack 'x16 N2', picture('png', 'histogram', @old)], [1000, 640], 'and replaced by one of two');
    is((stat 'x.png')[2] & 0777, 0644, 'readable as umask says');
};

subtest 'in a locale that is not UTF-8' => sub {
    local $ENV{LC_ALL} = 'C';
    picture('png', 'histogram', 'small.hist');
};

subtest 'svg' => sub {
    my $svg = picture('svg', 'histogram', @old, 'small.hist');
    is(scalar(() = $svg =~ /<title>[^<]+: \d+ samples, max/g), 3, 'three runs are drawn');
    my @texts = $svg =~ /<text[^>]*>(?:<tspan[^>]*>)?([^<]+)/g;
    ok((grep { /low-latency-2\.4\.17: 5000000 samples, max &lt; 1\.400 ms/ } @texts), 'the key has count and maximum');
    ok((grep { $_ eq 'samples per 0.1 ms bucket' } @texts), 'an axis has its title');
    my $hostile = picture('svg', 'histogram', 'a "b".hist', 'a_b^{c}.hist');
    like($hostile, qr/>(?:"b"|&quot;b&quot;): 21 periods/, 'quotes are shown');
    like($hostile, qr/>b\^\{c\}: 21 periods/, 'nothing is taken for markup');
    unlike($hostile, qr/max 153.040 us/, 'microseconds have their sign');
};

# A line that crossed empty bins would join two of these pieces, or lie above the axis where there is no sample.
subtest 'no line across empty bins' => sub {
    my ($line) = drawn('histogram', 'small.hist')->lines;
    is(scalar @$line, 4, 'four bins, each a piece of its own');
    is_deeply([map { sprintf '%.1f', $_ } map { ($_->[0][1], $_->[-1][1]) } @$line], [('0.7') x 8],
        'that begins and ends on the axis');
    is_deeply([map { sprintf '%.1f', $_->[1][1] } @$line], [qw(10.0 6.0 4.0 1.0)], 'and rises to its count between');
};

subtest 'pdf' => sub {
    like(picture('pdf', 'histogram', 'small.hist'), qr/\A%PDF-/, 'is a PDF');
};

subtest 'terminal' => sub {
    my ($status, $out, $err) = plot(@old);
    is("$status $err", '0 ', 'drawn');
    like($out, qr/^ +[-+]*\|.*A.*\n/m, 'letters of the first run');
    like($out, qr/^ +[-+]*\|.*B/m, 'letters of the second');
    like($out, qr/A +preempt-lolat: 5000000 samples, max < 1\.300 ms$/m, 'the key');
    unlike($out, qr/[^\n\x20-\x7e]/, 'nothing but ASCII');
    is((grep { length > 79 } split /\n/, $out), 0, '79 columns');
    cmp_ok($out =~ tr/\n//, '<=', 25, 'a line more than a terminal of 24');
};

subtest 'all in one bin, and twelve runs' => sub {
    my $one = contents('small.hist') =~ s/^\d\S+ \S+ \d+ \d+ \d+\n//mgr;
    $one =~ s/(lateness\n)/${1}3.00 3.01 20 0 21\n/;
    $one =~ s/\n\n# slices.*(?=# end)//s;
    picture('svg', 'histogram', file_of('one.hist', $one));
    my $svg = picture('svg', 'histogram', ('small.hist') x 12);
    is(scalar(() = $svg =~ /<title>[^<]+: 21 periods/g), 12, 'all twelve are drawn');
};

subtest 'the template alone' => sub {
    local $ENV{LC_ALL} = 'C.UTF-8';
    my ($status, $out, $err) = run('gnuplot', '-c', $template);
    is($status, 1, 'no arguments: exit status');
    like($out . $err, qr/^usage: gnuplot -c histogram\.gp FORMAT PICTURE DATA/m, 'and how to call it');
    file_of('points', "1 0\n1 5\n2 0\n\n\n2 5 1\n");
    ($status, $out, $err) = run('gnuplot', '-c', $template, 'svg', 'alone.svg', 'points', "a run\n", 'T', 'X', 'Y', '1 10 0.7 10 1', '');
    is("$status $err", '0 ', 'with arguments: drawn');
    like(contents('alone.svg'), qr/a run/, 'with its key');
};

subtest 'the ends of the axis have their numbers' => sub {
    file_of('ends', "13 1\n15 0\n\n\n14 1 1\n");
    my ($status, $out, $err) = run('gnuplot', '-c', $template, 'svg', 'ends.svg', 'ends', "a run\n", 'T', 'X', 'Y',
        "10 100 0.7 10 1\n10 10 20 20 50 50 100 100\n", '');
    is($status, 0, 'drawn') or diag($err);
    my @labels = contents('ends.svg') =~ m{<tspan[^>]*>\s*(\d+)</tspan>}g;
    is_deeply([@labels[-4 .. -1]], [10, 20, 50, 100], '10 to 100');
};

done_testing;
