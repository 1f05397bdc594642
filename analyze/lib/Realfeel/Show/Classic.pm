# SPDX-License-Identifier: GPL-2.0-or-later
# The table of 2002.
package Realfeel::Show::Classic;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(table);

use Realfeel::Answer::Classic qw(classic);
use Realfeel::Base::Units qw(printable);

# In the words of 2002: what is compared with its tables are these lines.
use constant {
    HEAD   => '%s had %s buckets containing %s samples',
    BELOW  => '    %.5f%% of samples < %.15gms',
    LINES  => [
        ['    minimum latency: < %.15gms', 'minimum_ms'],
        ['    maximum latency: %.15gms',   'maximum_ms'],
        ['    Mean: %.15gms',              'mean_ms'],
        ['    Median: %.15gms',            'median_ms'],
        ['    Mode: %.15gms (occurred %d times)', 'mode_ms', 'occurred'],
        ['    Variance: %.15g',            'variance'],
        ['    Standard Deviation: %.15g',  'sd_ms'],
    ],
};

# As the program of 2002 printed it, without lines that need more samples than there are
sub table ($report) {
    my $classic = classic($report);
    my @lines = sprintf HEAD, printable($classic->{file}), @$classic{qw(buckets samples)};
    push @lines, '', _figures($classic), map { sprintf BELOW, @$_{qw(percent threshold_ms)} } @{ $classic->{below} }
        if $classic->{samples};
    return join '', map { "$_\n" } @lines;
}

sub _figures ($classic) {
    my @known = grep { defined $classic->{ $_->[1] } } @{ LINES() };
    return map { my ($format, @keys) = @$_; sprintf $format, @$classic{@keys} } @known;
}

1;
