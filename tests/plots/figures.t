# SPDX-License-Identifier: GPL-2.0-or-later
# What a figure of the gallery draws of 2002 and of today: the data and the words that gnuplot is given, and a picture.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../lib ../../analyze/lib);
use Test::More;

use Realfeel::Model::Report;
use Realfeel::Answer::Classic qw(buckets);
use RunCommand qw(contents file_of run);

my $figure = abs_path("$FindBin::Bin/../../plots/gallery/figure");
my $data   = abs_path("$FindBin::Bin/../analyze/data");
my $today  = abs_path("$FindBin::Bin/../lab/examples");
my @old    = map { "$data/$_-2.4.17.hist" } qw(low-latency preempt);
my $full   = "$today/full-loaded-rtc.hist.gz";
my $best   = "$today/rt-loaded-nanosleep.hist.gz";
my $dir    = tempdir(CLEANUP => 1);
chdir $dir or die $!;

# A gnuplot that only tells what it was given.
mkdir 'fake';
chmod 0755, file_of('fake/gnuplot', <<'END');
#!/usr/bin/perl
my ($default, $c, $template, $format, $picture, $data, @rest) = @ARGV;
open my $in, '<', $data or die; open my $out, '>', 'given' or die; local $/; my $points = <$in>;
print $out join "\0", $points, @rest;
close $out or die; open my $drawn, '>', $picture or die; print $drawn '</svg>';
END

sub given {
    local $ENV{PATH} = "$dir/fake:$ENV{PATH}";
    my ($status, undef, $err) = run($figure, 'x.svg', 'the title', @_);
    is("$status $err", '0 ', 'is drawn');
    my %given;
    @given{qw(points keys title x_label y_labels numbers below)} = split /\0/, contents('given'), -1;
    return { %given, sets => [map { [map { [split] } split /\n/] } split /\n\n\n/, $given{points}] };
}

sub like_lines { my ($text, $name, @patterns) = @_; my @lines = split /\n/, $text, -1;
    is(@lines, @patterns + 1, "$name: lines"); like($lines[$_], $patterns[$_], $name) for 0 .. $#patterns }

subtest 'two of then and two of today' => sub {
    my $given = given(@old, $full, $best);
    my @sets = @{ $given->{sets} };
    is(scalar @sets, 4 + 2 * 4 + 1, 'counts, shares and their bounds of each, and the maxima');
    for my $run (0, 1) {
        my @rows = grep { $_->[0] > 0 } map { [split] } split /\n/, contents($old[$run]);
        is_deeply([map { [map { 0 + $_ } @$_] } @{ $sets[$run] }], [map { [map { 0 + $_ } @$_] } @rows],
            'the counts of 2002, from 0.1 ms');
    }
    my @cells = grep { $_->[0] >= 0.1 } buckets(Realfeel::Model::Report->read($full))->cells;
    is_deeply($sets[2], [map { [@$_[0, 2]] } @cells], 'those of today in the same buckets');
    is_deeply($sets[3], [[0.01, 0.01]], 'a run that has none there: a point that is not seen');
    like_lines($given->{keys}, 'the key', qr/^low-latency-2\.4\.17: 5000000 samples, max < 1\.400 ms$/,
        qr/^preempt-2\.4\.17: 5000000 samples, max < 45\.300 ms$/, qr/^full-loaded-rtc: 100000 samples, max < 1\.600 ms$/,
        qr/^rt-loaded-nanosleep: 100000 samples, max < 0\.100 ms$/);
    like_lines($given->{below}, 'left of the axis', qr/^4833125 of 5000000 below/, qr/^4897663 of 5000000 below/,
        qr/^99802 of 100000 below/, qr/^100000 of 100000 below/);
    is($given->{title}, 'the title', 'the title');
    like_lines($given->{y_labels}, 'the axes of counts and of shares', qr/^samples per bucket$/, qr/^share of the samples above$/);
    like_lines($given->{numbers}, 'the numbers', qr/^0\.1 100 0\.7 1000000 0\.00000010* 1\.5 2 4$/, qr/^0\.1 0\.1 0\.2 0\.2 /,
        qr/^10\^\{0\} 1 /, qr/^$/, qr/^10\^\{-7\} 0\.00000010* /);
};

subtest 'a picture' => sub {
    for my $files (["$data/vanilla-2.4.17.hist", $best], [@old, $full, $best]) {
        for my $name (qw(one.png two.png)) {
            is_deeply([run($figure, $name, 'title', @$files)], [0, '', ''], 'drawn without a word');
        }
        like(contents('one.png'), qr/\A\x89PNG\r\n.*IEND.{4}\z/s, 'a PNG');
        ok(contents('one.png') eq contents('two.png'), 'and the same again');
    }
    is((run($figure, 'x.svg', 'title', @old, $full))[0], 0, 'an SVG');
    my $text = contents('x.svg') =~ s/<[^>]*>|\s+/ /gr;
    like($text, qr/\Q$_/, $_) for 'title', '2002, in the layout of 2002', 'today, in the layout of 2002', 'as shares above each value';
};

like((run($figure, 'x.png', 'title'))[2], qr/^usage: figure PICTURE TITLE FILE/, 'how it is called');

done_testing;
