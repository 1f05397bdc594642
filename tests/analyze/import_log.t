# SPDX-License-Identifier: GPL-2.0-or-later
# Logs of HdrHistogram: tags, cells, and what is damaged or made to take all memory.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Imported;
use Realfeel::Model::Cpus qw(runs_of);
use RunCommand;

my $data = data();

my $hlog = contents("$data/two-cpus.hlog");

subtest 'log of HdrHistogram' => sub {
    my @parts = parts('hlog', 'two-cpus.hlog', '--period=1ms');
    is_deeply([map { [$_->part, $_->cpu] } @parts], [[1, 2, 1], [2, 2, 12]], 'a report for each tag, and its CPU');
    is(header($parts[0], qw(samples lateness_min_ns lateness_max_ns lateness_mean_ns duration_s started period_ns)),
        '9 0 3000191 358860.000 3.000000 2026-11-20T23:05:57Z 1000000', 'lines of one tag are added, to what HdrHistogram says of them');
    is_deeply([bins($parts[0])], [[0, 0.01, 2], [1, 1.01, 2], [12.34, 12.35, 2], [101.4, 101.5, 2], [3000, 3001, 1]],
        'cells are counted in the bins that hold them');
    is_deeply([bins($parts[1])], [[7, 7.01, 5]], 'each CPU by itself');
    is(header((parts('hlog', 'two-cpus.hlog', '--thread=12'))[0], qw(cpu samples)), '12 5', 'or alone');
    is((parts('hlog', written('plain', $hlog =~ s/^Tag=CPU12,.*\n//mr =~ s/Tag=CPU1,//gr)))[0]->header('cpu'), undef, 'without tags');
    is_deeply([map { $_->header('samples') } parts('hlog', written('zero', $hlog =~ s/(.*)Tag=CPU1,/${1}Tag=CPU01,/sr))], [9, 5],
        'a zero before the number is of no account');
    my @coarse = bins(imported('hlog', 'coarse.hlog'));
    is_deeply(\@coarse, [[0.11, 0.12, 3], [4.09, 4.35, 4], [98.3, 102.4, 5], [102.4, 106.4, 6]], 'cells that are wider than bins');
    refused('hlog', $hlog =~ s/(HISTF.{30})...../$1/r, 'or cut off', 'a line cut short');
    refused('hlog', $hlog =~ s/HISTF/HISTE/r, 'no version that is known', 'another version');
    refused('hlog', $hlog . contents("$data/coarse.hlog") =~ s/^(?=\d)/Tag=CPU1,/mr, 'different precision', 'two precisions');
    refused('hlog', $hlog =~ s/,1\.000,/,10000000000.000,/r, 'not a line of a histogram log', 'a length in centuries');
    refused('hlog', "hello\n", 'not a line of a histogram log', 'no log');
    refused('hlog', "#[Histogram log format version 1.3]\n", 'holds no CPU', 'no line');
};

subtest 'tags of a log' => sub {
    my @runs = runs_of(map { parts('hlog', written('tags', $_)) } $hlog =~ s/Tag=CPU12/Tag=eth0/r);
    is_deeply([map { my $run = $_; [map { [$_->header('label'), $_->cpu, $_->header('samples')] } @{ $run->{reports} }] } @runs],
        [[['eth0', undef, 5]], [[undef, 1, 9]]], 'one that names no CPU is a run, which has it for a label');
    @runs = runs_of(parts('hlog', written('none', $hlog =~ s/Tag=CPU12,//r)));
    is_deeply([map { [map { $_->header('samples') } @{ $_->{reports} }] } @runs], [[5], [9]], 'and so are lines without one');
};

subtest 'a log that expands' => sub {
    require Compress::Zlib;
    require MIME::Base64;
    my $line = sub {
        my ($counts) = @_;
        my $plain = pack('N4 q> q> d>', 0x1c849313, length $counts, 0, 5, 1, 1e12, 1) . $counts;
        my $deflated = Compress::Zlib::compress($plain);
        return '0.000,1.000,1.000,' . MIME::Base64::encode_base64(pack('N2', 0x1c849314, length $deflated) . $deflated, '') . "\n";
    };
    refused('hlog', $line->("\2" x 2_000_000) x 30, 'more counts than its length allows', 'into counts');
    refused('hlog', $line->("\1" x 80_000_000), 'cannot be decompressed', 'into bytes');
    my $tagged = join '', map { $hlog =~ /^Tag=CPU12(,.*\n)/m ? "Tag=$_$1" : () } 'a' .. 'bmm';
    refused('hlog', $tagged, "the tag 'alm' is one more than 1000", 'into runs');
    is(header(imported('hlog', written('full', $line->("\2" x 200_000))), 'samples'), 200_000, 'a full one is read');
};

done_testing;
