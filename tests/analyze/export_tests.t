# SPDX-License-Identifier: GPL-2.0-or-later
# The program's own judgement, as test harnesses take it: TAP, JUnit.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use Exported;
use MadeReport;
use RunCommand;

my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;
delete $ENV{PERL_TEST_HARNESS_DUMP_TAP};    # what is proved here is no test of ours

my @slices = [map { 10 + $_ / 100 } 1 .. 1000];
made('good.hist',        \@slices, max_ns => 100_000, max => 'kept', started => '2026-11-20T23:05:57Z', duration_s => '1.000499');
made('late.hist',        \@slices, max_ns => 15_000, max => 'exceeded', break_ns => 19_000, status => 'break');
made('interrupted.hist', \@slices, status => 'interrupted');
made('hostile.hist',     \@slices, verdict => qq(invalid: it's "<b>" & # 100 \\ \x01 \xff), hostname => '<">&');
made('suspect.hist',     \@slices, verdict => 'suspect: <mlock>', break_ns => 19_000);
my @minute = (map { $slices[0] } 1 .. 60);
made('sure.hist',        \@minute, limit => '100us@99.9', max_ns => 100_000, max => 'kept');
made('unsure.hist',      \@minute, limit => '1.5ms@99.999', max_ns => 1_500_000, max => 'kept', duration_s => '60.0');
made('many.hist',        \@minute, limit => '15us@99', max_ns => 15_000, max => 'exceeded');
made_cpus('cpus.hist', { 0 => \@slices, 3 => \@slices }, max_ns => 15_000, max => 'exceeded');

# What is said of each: which tests fail, and which are skipped.
my %truth = (
    good        => [['measured to the end', 'can be believed', 'within --max'], [], []],
    late        => [['measured to the end', 'can be believed', 'within --max', 'within --break'], ['within --max', 'within --break'], []],
    interrupted => [['measured to the end', 'can be believed', 'within --max'], ['measured to the end'], ['within --max']],
    hostile     => [['measured to the end', 'can be believed', 'within --max'], ['can be believed'], ['within --max']],
    suspect     => [['measured to the end', 'can be believed', 'within --max', 'within --break'], ['can be believed'], ['within --max']],
    sure        => [['measured to the end', 'can be believed', 'within --max'], [], []],
    unsure      => [['measured to the end', 'can be believed', 'within --max'], ['within --max'], []],
    many        => [['measured to the end', 'can be believed', 'within --max'], ['within --max'], []],
    cpus        => [[map { my $cpu = $_; map { "CPU $cpu: $_" } 'measured to the end', 'can be believed', 'within --max' } 0, 3],
        ['CPU 0: within --max', 'CPU 3: within --max'], []],
);

subtest 'TAP has each judgement' => sub {
    for my $name (sort keys %truth) {
        my ($all, $failed, $skipped) = @{ $truth{$name} };
        my $text = exported('tap', "$name.hist");
        my @lines = $text =~ /^((?:not )?ok .*)$/mg;
        is_deeply([map { /^(?:not )?ok \d+ - (.*?)(?: # SKIP .*)?$/ } @lines], $all, "$name: the tests");
        is_deeply([map { /^not ok \d+ - (.*)/ } @lines], $failed, "$name: TAP fails these");
        is_deeply([map { /^ok \d+ - (.*?) # SKIP / } @lines], $skipped, "$name: TAP skips these");
        like($text, qr/\ATAP version 13\n1\.\.${\scalar @$all}\n/, "$name: the plan");
        file_of("$name.tap", $text);
    }
    my $proved = (run(qw(prove --exec cat), map { "$_.tap" } sort keys %truth))[1];
    is_deeply({ $proved =~ /^(\w+)\.tap \.+ \n?(ok|Failed)/mg }, { map { $_ => @{ $truth{$_}[1] } ? 'Failed' : 'ok' } keys %truth },
        'prove reads which reports fail') or diag $proved;
    unlike($proved, qr/parse errors/i, 'prove finds no error in their form');
    like(contents('hostile.tap'), qr/^  message: 'invalid: it''s "<b>" & # 100 \\ \\x01 \\xff'$/m, 'words stay words');
    like(contents('suspect.tap'), qr/^  message: 'suspect: <mlock>'$/m, 'why it cannot be believed');
    like(contents('sure.tap'), qr/^# pass: p99\.9 is 20\.00 \(19\.99 to 20\.00\), limit 100 us$/m, 'what it rests on');
    like(contents('unsure.tap'), qr/^  message: 'NOT YET \(short\): 0 of 60000 above 1500 us; measure 100\d s'$/m,
        'TAP says what it takes');
    like(contents('many.tap'), qr/^  message: 'FAIL: p99 is 19\.91 \(19\.90 to 19\.92\), limit 15 us'$/m, 'TAP says why it fails');
    like(contents('good.tap'), qr/^# p50: 15\.\d+ us\n# p90: .*\n# p95: .*\n# p99: .*\n# max: 20 us\n# missed: 0$/m, 'TAP has the figures');
};

subtest 'JUnit has each judgement' => sub {
    for my $name (sort keys %truth) {
        my ($all, $failed, $skipped) = @{ $truth{$name} };
        my $text = exported('junit', "$name.hist");
        is_deeply([$text =~ /<testcase classname="realfeel" name="([^"]*)"/g], $all, "$name: the tests");
        is_deeply([$text =~ m{name="([^"]*)">\s*<failure message="[^"]*"/>}g], $failed, "$name: JUnit fails these");
        is_deeply([$text =~ m{name="([^"]*)">\s*<skipped message="[^"]*"/>}g], $skipped, "$name: JUnit skips these");
        my ($tests, $failures, $skips) = $text =~ /<testsuite name="realfeel" tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)"/;
        is_deeply([$tests, $failures, $skips], [map { scalar @$_ } $all, $failed, $skipped], 'the counts are those of the tests');
        file_of("$name.xml", $text);
    }
    like(contents('good.xml'), qr/ time="1\.000" hostname="box" timestamp="2026-11-20T23:05:57">/, 'JUnit says when and where');
    like(contents('late.xml'), qr/ skipped="0" hostname="box">/, 'JUnit says where, if not when');
    like(contents('hostile.xml'), qr/ hostname="&lt;&quot;&gt;&amp;">/, 'nothing is taken for XML');
    SKIP: {
        skip 'xmllint is missing: apt-get install libxml2-utils', 1 unless (run('xmllint', '--version'))[0] == 0;
        is_deeply([run('xmllint', '--noout', map { "$_.xml" } sort keys %truth)], [0, '', ''], 'JUnit is XML');
    }
};

done_testing;
