# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Statistics;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(cpus events more statistics);

use List::Util qw(uniq uniqnum);
use Realfeel::Answer::Percentiles qw(ladder);
use Realfeel::Answer::Stats qw(figured known sufficiency);
use Realfeel::Base::Units qw(percent);
use Realfeel::Input::Format1::Columns qw(LATENCIES);
use Realfeel::Show::Figures qw(lack_words enough_words measure_words);
use Realfeel::Show::Page::Html qw(element list micro number paragraph section table text);
use Realfeel::Show::Page::Runs qw(badge cpus_of measure_of objections_to verdict);
use Realfeel::Show::Ranking qw(cpus_table worst_tables);
use Realfeel::Show::Words qw(words);

use constant {
    MEASURES => [LATENCIES, qw(interval wakeups)],
    US       => "\xc2\xb5s",
    TIMES    => [
        [min => 'minimum'], [mean => 'mean'], [sd => 'standard deviation'], [median => 'median'], [mode => 'mode'],
        [max => 'maximum'],
    ],
    UNKNOWN  => '-',
    COUNT    => 'count',
    BEGINS_WITH_PERCENTILE => { apart => 1, needs => 1 },       # p99, which has no capital
    SHORT    => 4.5,            # a column of the CPUs, in the height of a letter
};

=head1 NAME

Realfeel::Show::Page::Statistics - the figures and the worst wake-ups of each run as tables

=head1 FUNCTIONS

=head2 cpus(@runs)

The section of the CPUs of runs on several, the table of each run with a row for each CPU; nothing where there are none.

=head2 statistics(@runs)

The sections that come first: of one run its measures beside each other; of several the percentiles of the measure that
all of them have, with verdict and missed periods.

=head2 more(@runs)

The other sections: of several runs the other measures, whether the runs are long enough, and the shares below
thresholds.

=cut

sub cpus {
    my @runs = @_;
    return section('CPUs', map { _cpus_of($_, @runs > 1 ? "$_->{name}: " : '') } grep { cpus_of($_) } @runs);
}

sub _cpus_of {
    my ($run, $lead) = @_;
    my $table = cpus_table($run->{run});
    my $caption = micro($table->caption);
    my @signs = map { words("sign.$_") } $table->signs;
    return table(
        caption => $lead eq '' ? ucfirst $caption : $lead . $caption,
        note    => @signs ? "@signs" : undef,
        columns => [map { { %$_, room => SHORT } } $table->columns],
        rows    => [$table->rows],
    );
}

sub statistics {
    my @runs = @_;
    my $key = measure_of(@runs) // 'lateness';
    return (_percentiles_section($key, \&_percentiles, @runs), _figures_section($key, @runs), _enough_section(@runs))
        if @runs == 1;
    my $columns = sub { (_circumstances(@runs), _percentiles(@_), _maximum(@_)) };
    return (_percentiles_section($key, $columns, @runs), objections_to(@runs));
}

sub more {
    my @runs = @_;
    my $first = measure_of(@runs) // 'lateness';
    my @shares = map { _tables(\&_shares, 'share of the values below each threshold', $_, @runs) }
        @runs == 1 ? $first : @{ MEASURES() };
    return (
        @runs == 1 ? () : (_enough_section(@runs), _figures_section($first, @runs), map {
            (_figures_section($_, @runs), _percentiles_section($_, \&_percentiles, @runs))
        } grep { $_ ne $first } @{ MEASURES() }),
        section('Shares', @shares),
    );
}

sub _figures_section {
    my ($key, @runs) = @_;
    my $figures = sub { (_count(@_), @runs == 1 ? _missed($runs[0], @_) : (), _moments(@_)) };
    return section('Figures' . _of($key, @runs), _tables($figures, 'count, moments and extremes', $key, @runs));
}

sub _percentiles_section {
    my ($key, $figures, @runs) = @_;
    return section('Percentiles' . _of($key, @runs),
        _tables($figures, 'each with its 95 % confidence interval below it', $key, @runs));
}

# Of one run there are all measures.
sub _of {
    my ($key, @runs) = @_;
    my ($known) = @runs > 1 ? grep { defined } map { $_->{measures}{$key} } @runs : ();
    return $known ? ' of the ' . measure_words($known, 1) : '';
}

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
    return table(caption => ucfirst $caption, columns => ['', map { measure_words($_) } @measures],
        rows => \@rows);
}

sub _table_of_measure {
    my ($figures, $caption, $key, @runs) = @_;
    my @measures = map { $_->{measures}{$key} } @runs;
    my ($known) = grep { defined } @measures or return;
    my @columns = $figures->(@measures) or return;
    my @rows = map { my $i = $_; [$runs[$i]{name}, map { $_->[$i + 1] } @columns] } 0 .. $#runs;
    return table(caption => ucfirst(measure_words($known, 1)) . ": $caption",
        columns => ['run', map { $_->[0] } @columns], rows => \@rows);
}

sub _count { return [COUNT, map { $_ ? $_->{summary}{count} : UNKNOWN } @_] }

# Beside the latency, whose periods they are.
sub _missed {
    my ($run, @measures) = @_;
    my $latency = $run->{report}->latency_name;
    return unless grep { $_->{key} eq $latency } @measures;
    return ['missed', map { $_->{key} eq $latency ? _missed_in($run) : '' } @measures];
}

sub _missed_in {
    my ($run) = @_;
    return known($run->{report}, 'missed') // UNKNOWN;
}

sub _moments {
    my @summaries = map { $_ && $_->{summary} } @_;
    return map { my ($key, $name) = @$_; ["$name (${\US})", map { number($_ && $_->{"${key}_us"}) } @summaries] }
        @{ TIMES() };
}

sub _maximum { return (_moments(@_))[-1] }

sub _circumstances {
    my @runs = @_;
    return (['verdict', map { { html => badge(verdict($_)) } } @runs], ['missed', map { _missed_in($_) } @runs]);
}

# As far as any of them has a percentile.
sub _percentiles {
    my @lists = map { $_ && $_->{summary}{percentiles} } @_;
    my ($known) = grep { defined } @lists;
    my @rows;
    for my $i (0 .. $#$known) {
        last unless grep { $_ && defined($_->[$i]{value_us} // $_->[$i]{roughly_us}) } @lists;
        push @rows, ["$known->[$i]{percentile} % (${\US})", map { $_ ? _percentile($_->[$i]) : UNKNOWN } @lists];
    }
    return @rows;
}

sub _percentile {
    my ($percentile) = @_;
    my $roughly = $percentile->{roughly_us};
    return { text => defined $roughly ? '~' . number($roughly) : undef, note => lack_words($percentile) }
        unless defined $percentile->{value_us};
    my ($low, $high) = map { defined $_ ? number($_) : undef } @$percentile{qw(low_us high_us)};
    my $interval = defined $low || defined $high ? ($low // 'less') . ' to ' . ($high // 'more') : 'open';
    return { text => number($percentile->{value_us}), note => $interval };
}

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
    my ($report, @measures) = ($run->{report}, figured($run->{report}, $run->{measures}));
    my @sentences = map {
        my $sentence = enough_words($report, $measures[-1], $_);
        BEGINS_WITH_PERCENTILE->{ $_->{code} } ? $sentence : ucfirst $sentence
    } sufficiency($report, @measures) or return;
    return ($named ? element('h3', {}, text($run->{name})) . "\n" : (), list(@sentences));
}

=head2 events(@runs)

The section of the worst wake-ups, nothing where no run holds any.

=cut

sub events {
    my @runs = @_;
    return section('Worst wake-ups', uniq map { _worst_of($_, @runs > 1 ? "$_->{name}: " : '') } @runs);
}

sub _worst_of {
    my ($run, $lead) = @_;
    my $latency = $run->{measures}{ $run->{report}->latency_name } or return;
    return map { _worst($lead, $_) } worst_tables($latency, $run->{report});
}

sub _worst {
    my ($lead, $table) = @_;
    return paragraph(ucfirst $table->caption) unless $table->columns;
    my $note = $table->note;
    return table(
        caption => $lead eq '' ? ucfirst $table->caption : $lead . $table->caption,
        note    => defined $note ? ucfirst $note : undef,
        columns => [$table->columns],
        rows    => [$table->rows],
    );
}

1;
