# SPDX-License-Identifier: GPL-2.0-or-later
# What files of other programs leave out: samples that are lacking, that lie beyond the histogram, and contradictions.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data/foreign";
my $dir     = tempdir(CLEANUP => 1);

# The text, and its table: of each row the fields.
sub audited {
    my @arguments = @_;
    my ($status, $out, $err) = run($analyze, 'audit', @arguments);
    is("$status $err", '0 ', "@arguments");
    is_deeply([grep { length > 80 && !m{^/} } split /\n/, $out], [], 'the text fits 80 columns');
    return ($out =~ s/\s+/ /gr, map { [split] } $out =~ /^ +((?:\d+|all)(?: +[-\d.]+){6})$/mg);
}

my @two_hours = qw(--period=200us --duration=120m);

subtest 'periods that were skipped' => sub {
    my ($text, @rows) = audited(@two_hours, "$data/24.04_6.8.4-rt11-raspi_rpi3b.log");
    is_deeply(\@rows, [
        [0, 35999331, 36000000, 669, 669, 0, '284.000'], [1, 35998432, 36000000, 1568, 1398, 0, '330.000'],
        [2, 35998268, 36000000, 1732, 1252, 0, '286.000'], [3, 35997794, 36000000, 2206, 1413, 0, '283.000'],
        ['all', 143993825, 144000000, 6175, 4732, 0, '330.000'],
    ], 'the audit has a row for each thread of the Raspberry Pi 3B');
    like($text, qr/At least 4732 periods passed while a wake-up was late\..* 6175 samples fewer than expected\. The file does not say why/,
        'the text counts the periods that were skipped');
    ($text, @rows) = audited("$data/IMX95_data_cpumeminterf1M_cyclic_stress_5cores.json");
    is_deeply(\@rows, [[0, 299991, 300000, 9, 9, 0, '9535.000']], 'JSON tells period and duration: one wake-up was nine periods late');
    ($text, @rows) = audited("$data/IMX95_data_base_preempt_rt_xen_cyclic_stress_100k.json");
    is_deeply([map { $_->[4] } @rows], [2, 0, 0, 0, 0, 0, 2], 'two threads skipped two periods each');
};

subtest 'a run that can have skipped no period' => sub {
    my ($text, @rows) = audited(@two_hours, "$data/24.04_6.8.4-rt11-raspi_rpi5.log");
    is_deeply([map { $_->[3] } @rows], [0, 45, 89, 132, 266], 'threads that start one after the other');
    like($text, qr/No wake-up was a whole period late, .*266 samples fewer than expected\. The file does not say why: /,
        'the text says that no wake-up was a whole period late');
};

subtest 'what lies beyond' => sub {
    my ($text, @rows) = audited("$data/../import/cyclictest.json");
    like($text, qr/ 105 samples of 1836 beyond the histogram: of these only the maximum is known\./,
        'the text says how many samples are beyond the histogram');
    like($text, qr/fewer than expected\. .* or lie beyond the histogram/,
        'lacking samples may lie beyond the histogram');
    is_deeply(\@rows, [[0, 1836, 2000, 164, 74, 105, '74994.000']], 'the maximum is one of these');
};

subtest 'what is not known, and contradictions' => sub {
    my ($text, @rows) = audited("$data/civcode-cyclictest-l5000000-h400.txt");
    is_deeply($rows[0], [0, 11055136, '-', '-', '-', 0, '27.000'], 'without period and duration, nothing is known to lack');
    like($text, qr/ are lacking is not known without the period and duration; give --period and --duration\./,
        'the text asks for the period and the duration');
    ($text) = audited('--duration=5h', "$data/civcode-cyclictest-l5000000-h400.txt");
    like($text, qr/ are lacking is not known without the period; give --period\./, 'with the duration, only for the period');
    my $inside = file_of("$dir/inside", "# Histogram\n000001 000002\n# Min Latencies: 00001\n# Avg Latencies: 00001\n"
        . "# Max Latencies: 00001\n# Histogram Overflows: 00003\n");
    ($text) = audited($inside);
    like($text, qr/Contradiction: thread 0: of 3 samples beyond the histogram, which ends at 2, none can be if the maximum is 1\./,
        'the text names a contradiction');
    my $short = file_of("$dir/short", contents("$data/IMX8P_cyclic_baseline_default.json") =~ s/12:53:02/12:52:40/r);
    ($text, @rows) = audited($short);
    like($text, qr/Note: it ended after 8 of 30 s\./, 'a run that ended early');
    is($rows[0][2], '-', 'the expected samples of a run that ended early are unknown');
};

subtest 'several files' => sub {
    my ($status, $out, $err) = run($analyze, 'audit', "$data/README", "$data/nuttx-cyclictest-doc.txt", "$FindBin::Bin/data/small.hist");
    is($status, 1, 'a file that cannot be read fails the audit');
    is(() = $out =~ /^\/.*: cyclictest$/mg, 1, 'the files that can be read are audited');
    like($err, qr/README: has no format .*\n.*small\.hist: is a report of realfeel; give the file of another program\n\z/,
        'each refusal has its reason');
    ($status, $out, $err) = run($analyze, qw(audit --format=x), "$data/README");
    is($status, 1, 'a format that is none');
    like($err, qr/there is no format 'x'; use one of cyclictest, /, 'an unknown format is refused with the valid ones');
};

done_testing;
