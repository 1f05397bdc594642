# SPDX-License-Identifier: GPL-2.0-or-later
# The programs whose formats are exported and imported: what they write is read, and they read what is written.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(first sum0);
use Test::More;

use Realfeel::Model::Report;
use RandomReport;
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);

seed();

sub program { my ($name) = @_; return first { -x } map { "$_/$name" } split(/:/, $ENV{PATH}), qw(/usr/sbin /sbin) }

# Whether all is there, else the subtest is skipped; in CI it fails.
sub is_there {
    my ($found, $what) = @_;
    plan skip_all => $what unless $found || $ENV{CI};
    fail "CI: $what" unless $found;
    return $found;
}

sub written { my ($name, $text) = @_; return file_of("$dir/$name", $text) }

my @slices = map { [map { [int rand 5000, 1, 1000 + int exp rand 14] } 1 .. 300] } 1 .. 3;
written('random.hist', report_text(report_of(\@slices)));
my ($status, undef, $err) = run($analyze, qw(import --format=rt-tests -o), "$dir/open.hist", "$data/import/cyclictest.json");
is("$status $err", '0 ', 'a report whose last bin is open');
my @reports = (map({ "$data/$_.hist" } qw(small suspect empty)), map { "$dir/$_.hist" } qw(random open));
my $cpus = written('cpus.hist', parts_text(map { report_of([$slices[$_->[0]]], cpu => $_->[1]) } [0, 0], [1, 12], [2, 13]));

subtest 'promtool' => sub {
    my $promtool = program('promtool');
    is_there($promtool, 'promtool is missing: apt-get install prometheus') or return;
    for my $file (@reports, $cpus) {
        my ($status, $out) = run('/bin/sh', '-c', '"$0" export --format=prometheus "$1" 2>/dev/null | "$2" check metrics 2>&1',
            $analyze, $file, $promtool);
        is("$status $out", '0 ', "$file is without a complaint");
    }
};

# What a program wrote just now, as a report.
sub imported {
    my ($format, $file) = @_;
    my ($status, undef, $err) = run($analyze, 'import', "--format=$format", '-F', '-o', "$dir/imported.hist", $file);
    is("$status $err", '0 ', "$format is read");
    my $report = Realfeel::Model::Report->read("$dir/imported.hist");
    is(sum0(@{ $report->columns('histogram')->{lateness} }), $report->header('samples'), 'every sample counts');
    return $report;
}

# One thread each: of two, the end of one ends the other, in the midst of which cyclictest writes its files, one after the
# other and with an average of -nan for a thread that has not begun.
subtest 'cyclictest' => sub {
    is_there(program('cyclictest'), 'cyclictest is missing: apt-get install rt-tests') or return;
    my ($status, $text, $err) = run(program('cyclictest'), qw(-q -l 300 -i 500 -h 200 -t 1), "--json=$dir/c.json");
    is_there(!$status && -s "$dir/c.json", "cyclictest cannot run here: $err") or return;
    my ($of_json, $of_text) = (imported('rt-tests', "$dir/c.json"), imported('cyclictest', written('c.txt', $text)));
    is_deeply($of_text->columns('histogram'), $of_json->columns('histogram'), 'both are one histogram');
    is($of_json->header('samples'), 300, 'the cycles');
    is($of_json->header('period_ns'), 500_000, 'the period');
};

done_testing;
