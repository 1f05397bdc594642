# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Statistics;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(more statistics);

use List::Util qw(uniqnum);
use Realfeel::Page::Html qw(element list number section table text);
use Realfeel::Page::Run qw(measure_of);
use Realfeel::Percentiles qw(sufficiency);
use Realfeel::Stats qw(ladder);
use Realfeel::Units qw(percent);

use constant {
    MEASURES => [qw(lateness interval wakeups)],
    US       => "\xc2\xb5s",
    TIMES    => [
        [min => 'minimum'], [mean => 'mean'], [sd => 'standard deviation'], [median => 'median'], [mode => 'mode'],
        [max => 'maximum'],
    ],
    UNKNOWN  => '-',
    COUNT    => 'count',
};

=head1 NAME

Realfeel::Page::Statistics - the figures of each run as tables

=head1 FUNCTIONS

=head2 statistics(@runs)

The sections that come first: of one run its measures stand beside each other; of several there is the measure that all
of them have.

=head2 more(@runs)

The sections for who wants to know more: the other measures of several runs, whether the runs are long enough, and the
shares below thresholds.

=cut

sub statistics {
    my @runs = @_;
    my $key = measure_of(@runs) // 'lateness';
    return (_sections($key, @runs), @runs == 1 ? _enough_section(@runs) : ());
}

sub more {
    my @runs = @_;
    my $first = measure_of(@runs) // 'lateness';
    my @shares = map { _tables(\&_shares, 'share of the values below each threshold', $_, @runs) }
        @runs == 1 ? $first : @{ MEASURES() };
    return (
        @runs == 1 ? () : (_enough_section(@runs), map { _sections($_, @runs) } grep { $_ ne $first } @{ MEASURES() }),
        section('Shares', @shares),
    );
}

sub _sections {
    my ($key, @runs) = @_;
    my ($known) = @runs > 1 ? grep { defined } map { $_->{measures}{$key} } @runs : ();
    my $of = $known ? ' of the ' . _plain($known->{name}) : '';
    return (
        section("Figures$of", _tables(\&_figures, 'count, moments and extremes', $key, @runs)),
        section("Percentiles$of",
            _tables(\&_percentiles, 'each with its 95 % confidence interval below it', $key, @runs)),
    );
}

sub _plain { return $_[0] =~ s/ \(.*//r }

sub _enough_section {
    my @runs = @_;
    return section('Is it enough?', map { _enough($_, @runs > 1) } @runs);
}

# $figures->(@measures) returns rows: what heads each, and a cell for each measure, undef for one that is not there.
sub _tables {
    my ($figures, $caption, $key, @runs) = @_;
    return _table_of_one($figures, $caption, $runs[0]) if @runs == 1;
    return _table_of_measure($figures, $caption, $key, @runs);
}

sub _table_of_one {
    my ($figures, $caption, $run) = @_;
    my @measures = grep { defined } @{ $run->{measures} }{ @{ MEASURES() } };
    my @rows = $figures->(@measures) or return;
    return table(ucfirst $caption, ['', map { $_->{name} } @measures], @rows);
}

sub _table_of_measure {
    my ($figures, $caption, $key, @runs) = @_;
    my @measures = map { $_->{measures}{$key} } @runs;
    my ($known) = grep { defined } @measures or return;
    my @columns = $figures->(@measures) or return;
    my @rows = map { my $i = $_; [$runs[$i]{name}, map { $_->[$i + 1] } @columns] } 0 .. $#runs;
    return table(ucfirst(_plain($known->{name})) . ": $caption", ['run', map { $_->[0] } @columns], @rows);
}

sub _figures {
    my @summaries = map { $_ && $_->{summary} } @_;
    return (
        [COUNT, map { $_ ? $_->{count} : UNKNOWN } @summaries],
        map { my ($key, $name) = @$_; ["$name (${\US})", map { number($_ && $_->{"${key}_us"}) } @summaries] }
            @{ TIMES() },
    );
}

# As far as any of them has a percentile.
sub _percentiles {
    my @lists = map { $_ && $_->{summary}{percentiles} } @_;
    my ($known) = grep { defined } @lists;
    my @rows;
    for my $i (0 .. $#$known) {
        last unless grep { $_ && defined $_->[$i]{value_us} } @lists;
        push @rows, ["$known->[$i]{percentile} % (${\US})", map { $_ ? _percentile($_->[$i]) : UNKNOWN } @lists];
    }
    return @rows;
}

sub _percentile {
    my ($percentile) = @_;
    return { html => _small($percentile->{reason}) } unless defined $percentile->{value_us};
    my ($low, $high) = map { defined $_ ? number($_) : 'more' } @$percentile{qw(low_us high_us)};
    return { html => number($percentile->{value_us}) . '<br>' . _small("$low to $high") };
}

sub _small { return element('small', {}, text($_[0])) }

sub _shares {
    my @distributions = map { $_ && $_->{summary}{count} ? $_->{distribution} : undef } @_;
    my @thresholds = sort { $a <=> $b } uniqnum map { ladder($_) } grep { defined } @distributions;
    return map { _shares_below($_, @distributions) } @thresholds;
}

sub _shares_below {
    my ($threshold, @distributions) = @_;
    return ["< $threshold ${\US}", map { _share($_, $threshold) } @distributions];
}

sub _share {
    my ($distribution, $threshold) = @_;
    my $count = $distribution ? $distribution->below($threshold) : undef;
    return defined $count ? percent($count, $distribution->n) : UNKNOWN;
}

sub _enough {
    my ($run, $named) = @_;
    my @measures = grep { defined } @{ $run->{measures} }{qw(interval lateness)};
    my @sentences = sufficiency($run->{report}, @measures) or return;
    return ($named ? element('h3', {}, text($run->{name})) . "\n" : (), list(map { ucfirst } @sentences));
}

1;
