# SPDX-License-Identifier: GPL-2.0-or-later
# What a figure of the gallery draws of 2002 and of today: the data and the words that gnuplot is given, and a picture.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../lib lib ../../analyze/lib);
use Test::More;

use Realfeel::Model::Report;
use Given;
use RunCommand qw(contents file_of run);

my $figure = abs_path("$FindBin::Bin/../../plots/gallery/figure");
my $data   = abs_path("$FindBin::Bin/../analyze/data");
my $today  = abs_path("$FindBin::Bin/../lab/examples");
my @old    = map { "$data/$_-2.4.17.hist" } qw(low-latency preempt);
my $full   = "$today/full-loaded-rtc.hist.gz";
my $best   = "$today/rt-loaded-nanosleep.hist.gz";
my $dir    = tempdir(CLEANUP => 1);
chdir $dir or die $!;

# In place of gnuplot: it keeps what it was given.
mkdir 'fake';
chmod 0755, file_of('fake/gnuplot', <<'END');
#!/bin/sh
path() { printf "$(sed -n "s/^$1 = \"\(.*\)\"$/\1/p" script)"; }
cp "$2" script
cp "$(path data)" points
echo '</svg>' >"$(path picture)"
END

sub given {
    my @files = @_;
    local $ENV{PATH} = "$dir/fake:$ENV{PATH}";
    is_deeply([run($figure, 'x.svg', 'the title', @files)], [0, '', ''], 'the figure is drawn');
    return { settings(contents('script')), sets => [map { [map { [split] } split /\n/] } split /\n\n\n/, contents('points')] };
}

sub like_lines { my ($lines, $name, @patterns) = @_; my @lines = @$lines;
    is(@lines, @patterns, "$name: lines"); like($lines[$_], $patterns[$_], $name) for 0 .. $#patterns }

subtest 'two of then and two of today' => sub {
    my $given = given(@old, $full, $best);
    my @sets = @{ $given->{sets} };
    is(scalar @sets, 4 + 2 * 4 + 1, 'counts, shares and their bounds of each, and the maxima');
    for my $run (0, 1) {
        my @rows = grep { $_->[0] > 0 } map { [split] } split /\n/, contents($old[$run]);
        is_deeply([map { [map { 0 + $_ } @$_] } @{ $sets[$run] }], [map { [map { 0 + $_ } @$_] } @rows],
            'the counts of 2002, from 0.1 ms');
    }
    my @cells = grep { $_->[0] >= 0.1 } Realfeel::Model::Report->read($full)->in_buckets(1000)->cells;
    is_deeply($sets[2], [map { [@$_[0, 2]] } @cells], 'the counts of today are in the buckets of 2002');
    is_deeply($sets[3], [[('1e+30') x 6]], 'a run that has none there: a point that is not seen');
    like_lines($given->{key}, 'the key', qr/^low-latency-2\.4\.17: 5000000 samples, max < 1\.400 ms$/,
        qr/^preempt-2\.4\.17: 5000000 samples, max < 45\.30 ms$/, qr/^full-loaded-rtc: 100000 samples, max < 1\.600 ms$/,
        qr/^rt-loaded-nanosleep: 100000 samples, max < 0\.100 ms$/);
    like_lines($given->{below}, 'left of the axis', qr/^4833125 of 5000000 below/, qr/^4897663 of 5000000 below/,
        qr/^99802 of 100000 below/, qr/^100000 of 100000 below/);
    is($given->{title_text}, 'the title', 'the figure has its title');
    is("@$given{qw(count_text share_text)}", 'samples per bucket share of the samples above', 'the axes of counts and of shares');
    is("@$given{qw(x_low x_high y_low y_high share_low share_high of_2002)}", '0.1 100 0.7 1000000 1e-07 1.5 2',
        'the figure has its numbers');
};

subtest 'a figure is drawn in two formats' => sub {
    for my $name (qw(one.png two.png)) {
        is_deeply([run($figure, $name, 'title', "$data/vanilla-2.4.17.hist", $best)], [0, '', ''], 'drawn without a word');
    }
    like(contents('one.png'), qr/\A\x89PNG\r\n.*IEND.{4}\z/s, 'the figure is a PNG');
    ok(contents('one.png') eq contents('two.png'), 'a figure drawn twice has the same bytes');
    is((run($figure, 'x.svg', 'title', @old, $full))[0], 0, 'the figure is an SVG');
    my $text = contents('x.svg') =~ s/<[^>]*>|\s+/ /gr;
    like($text, qr/\Q$_/, $_) for 'title', '2002, in the layout of 2002', 'today, in the layout of 2002', 'as shares above each value';
};

like((run($figure, 'x.png', 'title'))[2], qr/^usage: figure PICTURE TITLE FILE/, 'how it is called');

done_testing;
