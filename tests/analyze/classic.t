# SPDX-License-Identifier: GPL-2.0-or-later
# The four tables of 2002 agree with what was published, and a report of today is brought into its buckets.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp ();
use Test::More;

use Realfeel::Model::Report;
use Realfeel::Show::Stats qw(classic);
use Analyzer;
use RunCommand qw(run);

my $data    = "$FindBin::Bin/data";

# The tables of the whitepaper "Linux Scheduler Latency" (Clark Williams, March 2002), of 5,000,000 samples each. Of three
# of the runs it does not print all lines. The histograms were solved for from these tables.
use constant NOT_PRINTED => qr/^    (?:minimum latency|Median|Mode|Variance): .*\n/m;
my %published = (
    'preempt-lolat' => <<'END', 'low-latency' => <<'END', 'preempt' => <<'END', 'vanilla' => <<'END',
 had 11 buckets containing 5000000 samples

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
 had 12 buckets containing 5000000 samples

    maximum latency: 1.3ms
    Mean: 0.0542797399957571ms
    Standard Deviation: 0.025220506601371
    96.66250% of samples < 0.1ms
    99.21158% of samples < 0.2ms
    99.99592% of samples < 0.5ms
    99.99984% of samples < 0.7ms
    99.99992% of samples < 1ms
    100.00000% of samples < 1.4ms
END
 had 62 buckets containing 5000000 samples

    maximum latency: 45.2ms
    Mean: 0.0528876799956937ms
    Standard Deviation: 0.0461523751362407
    97.95326% of samples < 0.1ms
    99.55722% of samples < 0.2ms
    99.97026% of samples < 0.5ms
    99.98960% of samples < 0.7ms
    99.99650% of samples < 1ms
    99.99954% of samples < 5ms
    99.99982% of samples < 10ms
    100.00000% of samples < 45.3ms
END
 had 550 buckets containing 5000000 samples

    maximum latency: 232.6ms
    Mean: 0.0883230599960576ms
    Standard Deviation: 2.11903578618566
    92.84442% of samples < 0.1ms
    97.08432% of samples < 0.2ms
    99.73050% of samples < 0.5ms
    99.84382% of samples < 0.7ms
    99.94038% of samples < 1ms
    99.97922% of samples < 5ms
    99.98096% of samples < 10ms
    99.98590% of samples < 50ms
    99.98828% of samples < 100ms
    100.00000% of samples < 232.7ms
END
);

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

for my $kernel (sort keys %published) {
    my $file = "$data/$kernel-2.4.17.hist";
    my ($status, $table, $err) = run($analyze, 'stats', '--classic', $file);
    is("$status $err", '0 ', "$kernel: exit status");
    $table =~ s/@{[NOT_PRINTED]}//g unless $published{$kernel} =~ NOT_PRINTED;
    same_numbers($table, $file . $published{$kernel}, $kernel);
}

sub report_of {
    my ($samples, @bins) = @_;
    my $file = File::Temp->new;
    print {$file} "# realfeel 1\n# samples: $samples\n# periods: $samples\n# missed: 0\n\n\n# histogram\n",
        "# from_us to_us interval early lateness\n", (map { "$_\n" } @bins), "# end samples=$samples\n";
    close $file or die $!;
    return Realfeel::Model::Report->read($file->filename);
}

sub table_of { return classic({ reports => [report_of(@_)] }) }

subtest 'a report of today in buckets' => sub {
    my $report = report_of(10,
        '0.00 0.01 1 0 0', '99.99 100.00 1 0 0', '100.00 100.10 1 0 10', '199.90 200.00 1 3 0',
        '300000.00 300100.00 1 0 0', '1000000.00 1001000.00 1 0 0', '1000000000.00 inf 1 0 0');
    is_deeply([$report->in_buckets(1000)->cells],
        [[0, 0.1, 5], [0.1, 0.2, 2], [300, 300.1, 1], [1000, 1000.1, 1], [1_000_000, 1_000_000.1, 1]],
        'early ones count as 0, wide bins by their lower edge');
};

subtest 'few samples' => sub {
    my $one = table_of(1, '5.00 5.01 1 0 1');
    unlike($one, qr/Variance|Deviation/, 'no variance of one');
    like($one, qr/    Mean: 0.05ms\n.*    100.00000% of samples < 0.1ms\n\z/s, 'without a variance, the mean and the steps are listed');
    like(table_of(0), qr/\A.* had 0 buckets containing 0 samples\n\z/, 'a run without samples has no buckets');
};

subtest 'the last threshold is the upper edge of the last bucket, once' => sub {
    my $table = table_of(1, '4900.00 4901.00 1 0 1');
    is(scalar(() = $table =~ /samples < 5ms/g), 1, 'the step that ends the open bin is listed once');
};

done_testing;
