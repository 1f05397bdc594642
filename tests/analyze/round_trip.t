# SPDX-License-Identifier: GPL-2.0-or-later
# What is exported in a format that import reads comes back: the same counts of CPUs and bins, as far as the format
# keeps them, and the measure that it is of.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(max);
use POSIX qw(floor);
use Test::More;

use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Report;
use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);

# The reports of a file, exported and imported again.
sub there_and_back {
    my ($format, $file, @more) = @_;
    my ($status, undef, $err) = run($analyze, 'export', "--format=$format", '-F', '-o', "$dir/exported", $file);
    is("$status $err", '0 ', "$format of $file");
    ($status, undef, $err) = run($analyze, 'import', '-F', '-o', "$dir/imported", @more, "$dir/exported");
    is("$status $err", '0 ', 'and back, by its beginning');
    return Realfeel::Model::Report->read_all("$dir/imported");
}

# The counts by the whole microsecond in which bins begin, as far as they end before a place.
sub by_us {
    my ($report, $end) = @_;
    my $histogram = $report->columns('histogram');
    my %count;
    for my $i (0 .. $#{ $histogram->{from_us} }) {
        my ($from, $count) = ($histogram->{from_us}[$i], $histogram->{ $report->latency_name }[$i]);
        $count{ $from < $end ? floor($from) : 'beyond' } += $count if $count;
    }
    return \%count;
}

for my $format (qw(rt-tests cyclictest osadl)) {
    for my $file (qw(small.hist cpus.hist.gz thread.hist events.hist)) {
        subtest "$format, $file" => sub {
            my @before = Realfeel::Model::Report->read_all("$data/$file");
            my @after = there_and_back($format, "$data/$file");
            is(@after, @before, 'as many CPUs');
            for my $i (0 .. $#before) {
                my ($one, $other) = ($before[$i], $after[$i]);
                is($other->latency_name, $one->latency_name, 'the measure');
                my $open = $other->latency->open_from // 9**9**9;
                is_deeply(by_us($other, $open), by_us($one, $open), 'the counts');
                is(floor($other->latency->max), floor($one->latency->max), 'the maximum');
            }
        };
    }
}

for my $file (qw(small.hist cpus.hist.gz thread.hist)) {
    subtest "hlog, $file" => sub {
        my @before = Realfeel::Model::Report->read_all("$data/$file");
        my @after = there_and_back('hlog', "$data/$file");
        is_deeply([map { $_->cpu } @after], [map { $_->part ? $_->cpu : undef } @before], 'CPUs');
        is_deeply([map { [$_->latency_name, $_->latency->n] } @after], [map { [$_->latency_name, $_->latency->n] } @before], 'samples');
        my @far = map { abs($after[$_]->latency->max / $before[$_]->latency->max - 1) } 0 .. $#before;
        cmp_ok(max(@far), '<', 1e-4, 'maxima, but for the fifth digit');
    };
    subtest "hgrm, $file" => sub {
        my $before = pooled({ reports => [Realfeel::Model::Report->read_all("$data/$file")] });
        my ($after) = there_and_back('hgrm', "$data/$file", '--unit=us');
        is($after->latency->n, $before->latency->n, 'samples');
        for my $figure (qw(mean max)) {
            cmp_ok(abs($after->latency->$figure - $before->latency->$figure), '<=', 0.001, $figure);
        }
        for my $one_in (2, 10) {
            my ($one, $other) = map { $_->latency->quantile($one_in) } $before, $after;
            cmp_ok(abs($one - $other), '<=', 0.02 + $one / 1000, "what one in $one_in exceeds");
        }
    };
}

done_testing;
