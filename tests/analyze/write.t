# SPDX-License-Identifier: GPL-2.0-or-later
# What is written is what was read, and a file is whole or not there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use IO::Uncompress::Gunzip qw(gunzip);
use POSIX qw(mkfifo);
use Test::More;

use MadeReport;
use Realfeel::Base::File qw(save);
use Realfeel::Model::Report;
use Realfeel::Output::Writer qw(report_pieces);
use ReportText;
use RunCommand;

my $dir = tempdir(CLEANUP => 1);

for my $name (qw(small events suspect empty)) {
    my $file = "$FindBin::Bin/data/$name.hist";
    my $text = contents($file) =~ s/\n\n\n# later\n.*(?=# end)/\n/sr;
    is(written(Realfeel::Model::Report->read($file)), $text, "$name.hist, read and written");
}

sub complaint { my ($code) = @_; return eval { $code->(); 'none' } // $@ }

sub report {
    my ($sets, %header) = @_;
    return report_text({header => \%header, keys => [sort keys %header], %$sets});
}

sub read_back {
    my ($text) = @_;
    save($text, "$dir/back", 1);
    return Realfeel::Model::Report->read("$dir/back");
}

subtest 'what a run did not know' => sub {
    my %bins = (from_us => [1, 2], to_us => [2, 'inf']);
    my $late = read_back(report({histogram => {%bins, lateness => [3, 4]}},
        samples => 7, periods => 'unknown', missed => 'unknown', lateness_of => 'wake-ups'));
    is_deeply([$late->interval, $late->magnitude], [undef, undef], 'no interval error');
    is($late->latency('lateness')->n, 7, 'the lateness is read back');
    my $interval = read_back(report({histogram => {%bins, interval => [3, 4], early => [0, 0]}},
        samples => 7, periods => 'unknown', missed => 'unknown'));
    is($interval->latency('lateness'), undef, 'no lateness');
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
    is($report->header('command'), $value, 'a command with any bytes comes back as it was');
};

subtest 'a file is written as a whole' => sub {
    save("one\n", "$dir/new");
    is(contents("$dir/new"), "one\n", 'the new file holds the text');
    is((stat "$dir/new")[2] & 0777, 0666 & ~umask, 'a new file has the usual rights');
    like(complaint(sub { save("two\n", "$dir/new") }), qr{\A\Q$dir\E/new: exists; .*--force\n\z}, 'a file that exists is not overwritten');
    is(contents("$dir/new"), "one\n", 'a refusal leaves the file as it was');
    save("two\n", "$dir/new", 1);
    is(contents("$dir/new"), "two\n", '--force overwrites a file');
    my @pieces = map { "$_\n" } 1 .. 3;
    save(sub { shift @pieces }, "$dir/new", 1);
    is(contents("$dir/new"), "1\n2\n3\n", 'a text may come in pieces');
    like(complaint(sub { save("x\n", "$dir/none/new") }), qr{\A\Q$dir\E/none/new: cannot be created: .*; .*\n\z}, 'without a folder');
    my @warnings;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    like(complaint(sub { save("x\n", '/dev/full') }), qr{\A/dev/full cannot be written: .*; .*\n\z}, 'a full device');
    is_deeply(\@warnings, [], 'the full device makes Perl warn of nothing');
    mkfifo("$dir/pipe", 0600) && open my $pipe, '+<', "$dir/pipe" or die $!;
    save("$_\n", "$dir/pipe", $_) for 0, 1;
    is_deeply([-p "$dir/pipe", map { scalar <$pipe> } 0, 1], [1, "0\n", "1\n"], 'a pipe is written to, and not replaced');
    unlink "$dir/pipe";
    unlink "$dir/back";
    is_deeply([glob "$dir/*"], ["$dir/new"], 'nothing else is left');
};

subtest 'what is no file is left alone' => sub {
    mkdir "$dir/folder";
    symlink $_->[0], "$dir/$_->[1]" for ['new', 'link'], ['nothing', 'dangling'], ['folder', 'to-folder'];
    my %refused = (
        'folder' => 'is a directory', 'to-folder' => 'is a directory', 'link' => 'is a link', 'dangling' => 'is a link',
    );
    for my $name (sort keys %refused) {
        like(complaint(sub { save("x\n", "$dir/$name", $_) }), qr{\A\Q$dir/$name\E: $refused{$name}; name .*\n\z}, $name) for 0, 1;
    }
    is(contents("$dir/new"), "1\n2\n3\n", 'the file that a link leads to is left alone');
    is_deeply([map { readlink "$dir/$_" } qw(link dangling)], ['new', 'nothing'], 'the links are left alone');
    unlink map { "$dir/$_" } qw(link dangling to-folder);
    rmdir "$dir/folder";
};

# By links of our own, for a program that is wrong would replace those of the machine.
subtest 'a link to standard output' => sub {
    my $file = "$FindBin::Bin/data/small.hist";
    symlink '/proc/self/fd/1', "$dir/output";
    for my $force ([], ['-F']) {
        my @command = ($^X, "$FindBin::Bin/../../analyze/realfeel-analyze", 'merge', @$force, '-o', "$dir/output", $file);
        is((run('sh', '-c', 'exec "$@" >"$0"', "$dir/out", @command))[0], 0, 'exit status');
        is(Realfeel::Model::Report->read("$dir/out")->latency('lateness')->n,
            Realfeel::Model::Report->read($file)->latency('lateness')->n, 'standard output gets the report');
        like((run(@command, '-F'))[1], qr/\A# realfeel 1\n.*# end samples=\d+\n\z/s, 'standard output gets another report');
    }
    is(readlink "$dir/output", '/proc/self/fd/1', 'the link to standard output stays');
    unlink "$dir/output", "$dir/out";
};

subtest 'a file system without links' => sub {
    my $without = 'BEGIN { *CORE::GLOBAL::link = sub { $! = 1; 0 } } require shift; exit main(@ARGV)';    # EPERM
    my @merge = ($^X, '-e', $without, "$FindBin::Bin/../../analyze/realfeel-analyze", 'merge', '-o', "$dir/merged");
    my @file = "$FindBin::Bin/data/small.hist";
    is((run(@merge, @file))[0], 0, 'exit status');
    my $text = contents("$dir/merged");
    like($text, qr/\A# realfeel 1\n.*# end samples=\d+\n\z/s, 'the new file is a whole report');
    is((stat "$dir/merged")[2] & 0777, 0666 & ~umask, 'the new file has the usual rights');
    my ($status, undef, $err) = run(@merge, @file);
    is($status, 1, 'a file that exists makes the merge fail');
    like($err, qr/exists; .*--force$/, 'the message says how to overwrite a file');
    is((run(@merge, '-F', @file))[0], 0, '--force overwrites a file');
    is(contents("$dir/merged"), $text, 'the overwritten file has the same report');
    is_deeply([sort glob "$dir/*"], [map { "$dir/$_" } 'merged', 'new'], 'nothing else is left');
    unlink "$dir/merged";
};

subtest 'a compressed file' => sub {
    my $text = contents("$FindBin::Bin/data/small.hist");
    save($text, "$dir/one.gz");
    gunzip("$dir/one.gz", \my $back);
    is($back, $text, 'a compressed file holds what was written');
    is((stat "$dir/one.gz")[2] & 0777, 0666 & ~umask, 'a compressed file has the usual rights');
    my @lines = split /^/, $text;
    save(sub { shift @lines }, "$dir/two.gz");
    is(contents("$dir/two.gz"), contents("$dir/one.gz"), 'a compressed file has the same bytes each time');
    unlink glob "$dir/*.gz";
};

subtest 'a report that comes in pieces' => sub {
    my %report = (header => {samples => 3}, keys => ['samples']);
    my $bins = sub { return {from_us => [map { $_ / 10 } @_], to_us => [map { ($_ + 1) / 10 } @_], lateness => [@_]} };
    my $text = report_text({%report, histogram => $bins->(0 .. 4999)});
    is(scalar(my @rows = $text =~ /^\d/mg), 5000, 'each row of many');
    my @rest = ("499.80 499.90 4998\n", "499.90 500.00 4999\n");
    my $next = report_pieces({%report, histogram => [[qw(from_us to_us lateness)], sub { shift @rest }]});
    my $pieces = '';
    while (defined(my $piece = $next->())) { $pieces .= $piece }
    is($pieces, report_text({%report, histogram => $bins->(4998, 4999)}), 'rows as text');
};

done_testing;
