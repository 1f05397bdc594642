# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the file that realfeel wrote in 2002.
package Realfeel::Input::Format2002;
use Realfeel::Base::Modern;

use List::Util qw(sum0);
use Realfeel::Stat::Bins qw(BUCKET_US COUNT_MAX);

use constant {
    MANY      => 8 * 1000,      # bytes of buckets; the moments of fewer are soon computed from the bins
    CANCELLED => 10,            # a difference less than a tenth of its terms has lost digits
    # Most files have one blank per row, which is faster to match. Perl's quantifiers have at most 16 bits.
    PLAIN     => qr/\G(?:[0-9]{1,12}+\.[0-9] [0-9]{1,18}+\n){1,1000}+/,
    ROWS      => qr/\G(?:[0-9]{1,12}+\.[0-9][ \t]++[0-9]{1,18}+[ \t]*+\n){1,1000}+/,
    ROW       => qr/\A\d{1,12}(?:\.\d)?[ \t]+\d{1,18}[ \t]*\z/,
};

# Lines of MS COUNT, buckets 0.1 ms wide. Returns a hash of format (2002); header and sets, empty; bins, a Stat::Bins of
# from_us, to_us and interval, where early wake-ups count as 0; and moments, which a Stat::Distribution of many bins
# then need not compute. Dies with one line at the first bad line. Matches many lines at a time, as there may be a
# million.
sub parse ($class, $lines) {
    my ($buckets, $counts, %sums) = ('', '', last => -1, n => 0, sum => 0, squares => 0);
    while (defined $lines->line) {
        my $number = $lines->{number};
        my $text = $lines->take(PLAIN) || $lines->take(ROWS) || _row($lines);
        my $numbers = pack 'q*', split ' ', $text =~ tr/.//dr;
        my @tenths = unpack '(q x8)*', $numbers;
        my @count  = unpack '(x8 q)*', $numbers;
        _add_up($lines, $number, \%sums, \@tenths, \@count);
        $buckets .= pack 'q*', @tenths;
        $counts  .= pack 'q*', @count;
    }
    $lines->fail(0, "holds $sums{n} samples, more than is possible; the file is damaged, take another copy")
        if $sums{n} > COUNT_MAX;
    my $bins = Realfeel::Stat::Bins->of_buckets(BUCKET_US, \$buckets, \$counts);
    my $moments = length $buckets > MANY ? _moments(@sums{qw(n sum squares)}) : {};
    return { format => 2002, header => {}, sets => {}, bins => $bins, moments => $moments };
}

# Lines that are fine although not plain: whole milliseconds, or empty
sub _row ($lines) {
    my $line = $lines->line;
    my ($ms, $count, @more) = split ' ', $line;
    my $fault = $line eq '' || $line =~ ROW ? undef
        : @more || !defined $count ? "this is not a line 'MS COUNT' of 2002"
        : $ms !~ /^\d{1,12}(?:\.\d)?$/ ? "bucket '$ms' is not a time in steps of 0.1 ms"
        : "count '$count' is not a whole number of 0 or more";
    $lines->fail($lines->{number}, "$fault; the file is damaged, take another copy") if defined $fault;
    $lines->pass;
    return $line =~ s/^(\d+)(?!\d|\.)/$1.0/r;
}

# Sums of few rows are exact in Perl's integers; the sum of all may not be.
sub _add_up ($lines, $number, $sums, $tenths, $count) {
    $sums->{n} += sum0(@$count);    # first, because a number that was multiplied is no more an exact one to sum0
    my ($last, $i, $sum, $squares, $part) = ($sums->{last}, 0, 0, 0);
    for (@$tenths) {
        $lines->fail($number + $i, 'this bucket is there a second time; the file is damaged, take another copy')
            if $_ == $last;
        $lines->fail($number + $i, 'the buckets do not ascend; sort the file by its first column') if $_ < $last;
        $sum += $part = ($last = $_) * $count->[$i++];
        $squares += $part * $last;
    }
    $sums->{last} = $last;
    $sums->{sum}     += $sum;
    $sums->{squares} += $squares;
}

# From the middles of buckets. A variance that would be a small difference of large numbers is left to the bins.
sub _moments ($n, $sum, $squares) {
    return {} unless $n;
    my $spread = $squares - $sum / $n * $sum;
    return {
        n                => $n,
        mean_of_bins     => BUCKET_US * (2 * $sum + $n) / 2 / $n,
        variance_of_bins => $n > 1 && $spread > $squares / CANCELLED ? BUCKET_US**2 * $spread / ($n - 1) : undef,
    };
}
1;
