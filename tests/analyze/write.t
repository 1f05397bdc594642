# SPDX-License-Identifier: GPL-2.0-or-later
# What is written is what was read, and a file is whole or not there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use Realfeel::Report;
use Realfeel::Writer qw(report_text save);
use RunCommand;

my $dir = tempdir(CLEANUP => 1);

for my $name (qw(small events suspect empty)) {
    my $file = "$FindBin::Bin/data/$name.hist";
    my $text = contents($file) =~ s/\n\n\n# later\n.*(?=# end)/\n/sr;
    is(report_text(Realfeel::Report->read($file)), $text, "$name.hist, read and written");
}

sub complaint { my ($code) = @_; return eval { $code->(); 'none' } // $@ }

sub report {
    my ($sets, %header) = @_;
    return report_text({header => \%header, keys => [sort keys %header], %$sets});
}

sub read_back {
    my ($text) = @_;
    save($text, "$dir/back", 1);
    return Realfeel::Report->read("$dir/back");
}

subtest 'what a run did not know' => sub {
    my %bins = (from_us => [1, 2], to_us => [2, 'inf']);
    my $late = read_back(report({histogram => {%bins, lateness => [3, 4]}},
        samples => 7, periods => 'unknown', missed => 'unknown', lateness_of => 'wake-ups'));
    is_deeply([$late->interval, $late->magnitude], [undef, undef], 'no interval error');
    is($late->lateness->n, 7, 'latenesses');
    my $interval = read_back(report({histogram => {%bins, interval => [3, 4], early => [0, 0]}},
        samples => 7, periods => 'unknown', missed => 'unknown'));
    is($interval->lateness, undef, 'no lateness');
    is($interval->interval->n, 7, 'interval errors');
    like(complaint(sub { read_back(report({histogram => {%bins, lateness => [3, 3]}},
        samples => 7, periods => 'unknown', missed => 'unknown', lateness_of => 'wake-ups')) }),
        qr/samples is 7, but histogram holds 6/, 'each wake-up is counted');
    like(complaint(sub { read_back(report({histogram => {%bins, interval => [3, 4]}},
        samples => 7, periods => 'unknown', missed => 'unknown')) }), qr/does not begin with/, 'half of the interval error');
};

subtest 'values that would break a line' => sub {
    my $value = "a\\b\nc\td \xc3\xa4 \"'";
    my $report = read_back(report({}, command => $value, samples => 0, periods => 0, missed => 0));
    is($report->header('command'), $value, 'come back as they were');
};

subtest 'a file' => sub {
    save("one\n", "$dir/new");
    is(contents("$dir/new"), "one\n", 'is there');
    is((stat "$dir/new")[2] & 0777, 0666 & ~umask, 'with the rights of a new file');
    like(complaint(sub { save("two\n", "$dir/new") }), qr{\A\Q$dir\E/new: exists; .*--force\n\z}, 'is not overwritten');
    is(contents("$dir/new"), "one\n", 'and stays');
    save("two\n", "$dir/new", 1);
    is(contents("$dir/new"), "two\n", 'unless that is asked for');
    like(complaint(sub { save("x\n", "$dir/none/new") }), qr{\A\Q$dir\E/none/new: cannot be made .*; .*\n\z}, 'without a folder');
    unlink "$dir/back";
    is_deeply([glob "$dir/*"], ["$dir/new"], 'nothing else is left');
};

done_testing;
