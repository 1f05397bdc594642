# SPDX-License-Identifier: GPL-2.0-or-later
# What is exported in a format that import reads comes back: the same counts of CPUs and bins, as far as the format
# keeps them, and the measure that it is of.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use POSIX qw(floor);
use Test::More;

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
    is("$status $err", '0 ', "$format: the export is imported by its beginning");
    return Realfeel::Model::Report->read_all("$dir/imported");
}

# The counts by the whole microsecond in which bins begin, as far as they end before a place.
sub by_us {
    my ($report, $end) = @_;
    my $histogram = $report->columns('histogram');
    my %count;
    for my $i (0 .. $#{ $histogram->{from_us} }) {
        my ($from, $count) = ($histogram->{from_us}[$i], $histogram->{ $report->{latency_name} }[$i]);
        $count{ $from < $end ? floor($from) : 'beyond' } += $count if $count;
    }
    return \%count;
}

for my $format (qw(rt-tests cyclictest)) {
    for my $file (qw(small.hist cpus.hist.gz thread.hist events.hist)) {
        subtest "$format, $file" => sub {
            my @before = Realfeel::Model::Report->read_all("$data/$file");
            my @after = there_and_back($format, "$data/$file");
            is(@after, @before, 'the import has as many CPUs');
            for my $i (0 .. $#before) {
                my ($one, $other) = ($before[$i], $after[$i]);
                is($other->{latency_name}, $one->{latency_name}, 'the measure is the same');
                my $open = $other->latency->{open_from} // 9**9**9;
                is_deeply(by_us($other, $open), by_us($one, $open), 'the counts are the same');
                is(floor($other->latency->max), floor($one->latency->max), 'the maximum is the same');
            }
        };
    }
}

done_testing;
