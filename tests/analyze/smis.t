# SPDX-License-Identifier: GPL-2.0-or-later
# System management interrupts: reported with the run and its worst slice, and added where slices and runs are.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(sum0);
use Test::More;

use MadeReport;
use Realfeel::Answer::Stats qw(smis);
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Report;
use Analyzer;
use RunCommand;

my $dir     = tempdir(CLEANUP => 1);
my $files   = 0;

# Slices that had so many, each with a wake-up that is later by 1 us; of one number none is counted.
sub text_with {
    my ($header, @smis) = @_;
    my $text = contents(made("$dir/made.hist", [map { [10 + $_] } 0 .. $#smis], period_ns => 976_562, %$header));
    return $text unless defined $smis[0];
    my $known = sum0(grep { $_ ne 'unknown' } @smis);
    my @of = @smis;
    $text =~ s{^(# slices\n#.*)\n((?:\d.*\n)+)}{"$1 smis\n" . $2 =~ s/(?=\n)/' ' . shift @of/ger}me;
    return $text =~ s/^(?=# source)/# smis: $known\n/mr;
}

sub file { return file_of("$dir/" . ++$files . '.hist', join '', @_) }

sub merged { return file((run($analyze, 'merge', '-o', '-', @_))[1]) }

sub report { return Realfeel::Model::Report->read($_[0]) }

# The column, and the number of the header.
sub counted {
    my ($report) = @_;
    return (join(' ', @{ $report->columns('slices')->{smis} // ['none'] }), $report->header('smis'));
}

sub listed { return (run($analyze, '-v', $_[0]))[1] }

subtest 'the SMIs of a run are counted' => sub {
    my @runs = (
        [[0, 2, 0, 1], {count => 3, slices => 4, some => 2}, 'SMIs      3, in 2 of 4 slices'],
        [[0, 0],       {count => 0, slices => 2, some => 0}, 'SMIs      none'],
        [[4, 'unknown'], {count => 4, slices => undef, some => undef}, 'SMIs      4'],
    );
    for (@runs) {
        my ($smis, $expected, $line) = @$_;
        my $file = file(text_with({}, @$smis));
        is_deeply(smis(report($file)), $expected, "@$smis");
        like(listed($file), qr/^  \Q$line\E$/m, 'the listing has the line of SMIs');
    }
    my $file = file(text_with({}, undef, undef));
    is(smis(report($file)), undef, 'a run in which nothing counts SMIs has none to report');
    unlike(listed($file), qr/SMI/, 'the listing says nothing of SMIs that are not counted');
};

subtest 'the worst slice' => sub {
    like(listed(file(text_with({}, 0, 1))), qr/worst slice: .*\s+missed, 1 SMI$/m, 'the worst slice has its own SMIs');
    like(listed(file(text_with({}, 1, 0))), qr/worst slice: .*\s+missed$/m, 'the worst slice has no SMIs of another');
};

subtest 'runs that are merged' => sub {
    my @days = map { { started => "2026-11-2${_}T00:00:00Z", duration_s => 2 } } 1 .. 3;
    my ($first, $second) = (file(text_with($days[0], 1, 2)), file(text_with($days[1], 0, 5)));
    my $other = file(text_with($days[2], undef, undef));
    is_deeply([counted(report(merged($first, $second)))], ['1 2 0 5', 8], 'merged runs have the sum of their SMIs');
    is_deeply([counted(report(merged($first, $other)))], ['none', 'unknown'], 'a sum with an unknown run is unknown');
    my $with = merged($first, $second);
    is(contents(merged($other, $with)), contents(merged(merged($other, $first), $second)), 'the order of merges does not matter');
};

# 600 slices each are joined by twos.
subtest 'slices that are joined' => sub {
    my @smis = map { $_ % 7 ? 0 : $_ % 3 } 1 .. 600;
    my @texts = map { text_with({started => "2026-11-2${_}T00:00:00Z", duration_s => 600}, @smis) } 1, 2;
    my $expected = join ' ', (map { $smis[2 * $_] + $smis[2 * $_ + 1] } 0 .. 299) x 2;
    my ($column, $sum) = counted(report(merged(map { file($_) } @texts)));
    is($column, $expected, 'the SMIs of joined slices are added');
    is($sum, 2 * sum0(@smis), 'the sum of SMIs stays');
    $smis[2] = 'unknown';
    ($column) = counted(report(merged(file($texts[0]), file(text_with({started => '2026-11-22T00:00:00Z', duration_s => 600}, @smis)))));
    is((split / /, $column)[301], 'unknown', 'what one of both does not know is unknown');
    is((grep { $_ eq 'unknown' } split / /, $column), 1, 'all other slices are known');
};

subtest 'the SMIs of several CPUs are added' => sub {
    my $of = sub {
        my @parts = map { text_with({cpu => $_}, @{ $_[$_] }) =~ s/^# realfeel 1\n\K/"# part: " . ($_ + 1) . " of 2\n"/er } 0, 1;
        return pooled((runs_of(Realfeel::Model::Report->read_all(file(@parts))))[0]);
    };
    is_deeply([counted($of->([1, 0, 2], [1, 1, 0]))], ['2 1 2', 5], 'the SMIs of all CPUs are added');
    is_deeply([counted($of->([1, 0, 2], [1, 'unknown', 0]))], ['2 unknown 2', 4], 'a slice that one CPU does not know is unknown');
    is_deeply([counted($of->([1, 0, 2], [undef, undef, undef]))], ['none', 'unknown'], 'a CPU without counts makes the sum unknown');
};

subtest 'what is refused' => sub {
    my ($status, undef, $err) = run($analyze, file(text_with({}, 1, -1)));
    is($status, 1, 'exit status');
    like($err, qr/: smis is '-1', not a whole number of 0 or more, nor 'unknown'; /, 'a column that is none');
};

done_testing;
