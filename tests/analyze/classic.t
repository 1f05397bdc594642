# SPDX-License-Identifier: GPL-2.0-or-later
# The table of 2002 agrees with what was published, and a report of today is brought into its buckets.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use File::Temp ();
use Test::More;

use Realfeel::Classic qw(buckets table);
use Realfeel::Report;

my $data = "$FindBin::Bin/data";

sub table_of { return table(Realfeel::Report->read("$data/$_[0]")) }

# The long numbers of two tables, which agree to nine digits (their last digits carry the rounding of 2002), and the rest.
sub same_numbers {
    my ($got, $published, $name) = @_;
    my $long = qr/\d\.\d{6,}/;
    is($got =~ s/$long/#/gr, $published =~ s/$long/#/gr, "$name: text");
    my @published = $published =~ /($long)/g;
    for my $number ($got =~ /($long)/g) {
        my $expected = shift @published;
        cmp_ok(abs($number / $expected - 1), '<', 2e-9, "$name: $number for $expected");
    }
}

same_numbers(table_of('preempt-lolat-2.4.17.hist'), <<"END", 'the combined kernel');
$data/preempt-lolat-2.4.17.hist had 11 buckets containing 5000000 samples

    minimum latency: < 0.1ms
    maximum latency: 1.2ms
    Mean: 0.0520061799956548ms
    Median: 0.05ms
    Mode: 0.05ms (occurred 4915634 times)
    Variance: 0.000282321298762259
    Standard Deviation: 0.0168024194318038
    98.31268% of samples < 0.1ms
    99.76028% of samples < 0.2ms
    99.99648% of samples < 0.5ms
    99.99978% of samples < 0.7ms
    99.99992% of samples < 1ms
    100.00000% of samples < 1.3ms
END

subtest 'the low-latency kernel' => sub {
    my $table = table_of('low-latency-2.4.17.hist');
    like($table, qr/ had 12 buckets containing 5000000 samples\n/, 'buckets and samples');
    like($table, qr/maximum latency: 1\.3ms\n/, 'maximum');
    my ($mean) = $table =~ /Mean: (.*)ms/;
    my ($sd) = $table =~ /Deviation: (.*)/;
    cmp_ok(abs($mean / 0.0542797399957571 - 1), '<', 1e-9, 'mean');
    cmp_ok(abs($sd / 0.025220506601371 - 1), '<', 1e-9, 'standard deviation');
    is_deeply([$table =~ /(\S+% of samples < \S+)ms/g],
        ['96.66250% of samples < 0.1', '99.21158% of samples < 0.2', '99.99592% of samples < 0.5',
         '99.99984% of samples < 0.7', '99.99992% of samples < 1',   '100.00000% of samples < 1.4'], 'ladder');
};

sub report_of {
    my ($samples, @bins) = @_;
    my $file = File::Temp->new;
    print {$file} "# realfeel 1\n# samples: $samples\n# periods: $samples\n# missed: 0\n\n\n# histogram\n",
        "# from_us to_us interval early lateness\n", (map { "$_\n" } @bins), "# end samples=$samples\n";
    close $file or die $!;
    return Realfeel::Report->read($file->filename);
}

subtest 'a report of today in buckets' => sub {
    my $report = report_of(10,
        '0.00 0.01 1 0 0', '99.99 100.00 1 0 0', '100.00 100.10 1 0 10', '199.90 200.00 1 3 0',
        '300000.00 300100.00 1 0 0', '1000000.00 1001000.00 1 0 0', '1000000000.00 inf 1 0 0');
    is_deeply([buckets($report)->cells],
        [[0, 0.1, 5], [0.1, 0.2, 2], [300, 300.1, 1], [1000, 1000.1, 1], [1_000_000, 1_000_000.1, 1]],
        'early ones count as 0, wide bins by their lower edge');
};

subtest 'few samples' => sub {
    my $one = table(report_of(1, '5.00 5.01 1 0 1'));
    unlike($one, qr/Variance|Deviation/, 'no variance of one');
    like($one, qr/    Mean: 0.05ms\n.*    100.00000% of samples < 0.1ms\n\z/s, 'the rest is there');
    like(table(report_of(0)), qr/\A.* had 0 buckets containing 0 samples\n\z/, 'none');
};

subtest 'the last threshold is the upper edge of the last bucket, once' => sub {
    my $table = table(report_of(1, '4900.00 4901.00 1 0 1'));
    is(scalar(() = $table =~ /samples < 5ms/g), 1, 'also where it is one of the ladder');
};

done_testing;
