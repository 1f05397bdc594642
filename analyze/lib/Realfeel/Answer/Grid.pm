# SPDX-License-Identifier: GPL-2.0-or-later
# What the cells of a table say.
package Realfeel::Answer::Grid;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(figures is_statistic ratios);

use List::Util qw(any none uniqstr);
use Realfeel::Answer::Percentiles qw(is_percentile percentiles);
use Realfeel::Answer::Stats qw(known lmbench);
use Realfeel::Base::Typed qw(number);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Grid qw(STATISTIC names);
use Realfeel::Model::Report qw(measure_name);

use constant {
    TIMES      => { map { $_ => 1 } qw(min mean sd max) },

    # Statistics that are no times
    COUNTS     => { count => sub { $_[1]->n }, missed => sub { known($_[0], 'missed') } },
};

# count, missed, min, mean, sd, max, lmbench, or a percentile such as p99.9
sub is_statistic ($name) { return TIMES->{$name} || COUNTS->{$name} || $name eq 'lmbench' || is_percentile($name) }

# Fills in the cells of a grid of Model::Grid: figure, a hash of value, undef if unknown; is_count, no time in us; for a
# percentile all that Answer::Percentiles says; and doubt, undef if reliable, else samples, too few, or as for lmbench
# in Answer::Stats; and measure. $measure is lateness, wakeup or interval, undef for each report's own latency or else
# interval error. Lists the measures in the grid as measured. Dies with one line if a report does not have $measure.
sub figures ($grid, $measure) {
    my @cells = @{ $grid->{cells} };
    my $latency = !defined $measure && none { !$_->{report}->latency } @cells;
    my %of;
    for my $cell (@cells) {
        my $report = $cell->{report};
        my $name = $cell->{measure} = $latency ? $report->latency_name : $measure // 'interval';
        my $values = $of{$report} //= { distribution => _distribution($name, $report) };
        $cell->{figure} = _figure($report, $name, $values, $cell->{statistic});
    }
    $grid->{measured} = [uniqstr map { $_->{measure} } @cells];
}

sub _distribution ($measure, $report) {
    return $report->measured($measure) // die printable($report->file . ': has no ' . measure_name($measure))
        . "; name runs that have a measure in common, or choose one with --measure\n";
}

sub _figure ($report, $measure, $values, $statistic) {
    my $distribution = $values->{distribution};
    return { value => number(COUNTS->{$statistic}->($report, $distribution)), is_count => 1 } if COUNTS->{$statistic};
    return { value => number($distribution->n ? $distribution->$statistic : undef) } if TIMES->{$statistic};
    return lmbench($report) // { value => undef } if $statistic eq 'lmbench';
    $values->{percentiles} //= { map { ("p$_->{percentile}" => $_) }
        percentiles($distribution, $report->pieces, $measure) };
    my $percentile = $values->{percentiles}{$statistic};
    my $roughly = $percentile->{roughly_us};
    return { %$percentile, value => $percentile->{value_us} } unless defined $roughly;
    return { %$percentile, value => $roughly, doubt => $percentile->{lack} };
}

# Adds to the grid ratios, a hash of base, the column of that name; of, the last column; and values, for each row the
# ratio of the last to the base, undef if one is not reliable. Dies with one line without such a column, or if columns
# are no runs.
sub ratios ($grid, $base) {
    die "--ratio needs columns that are runs; name what they differ in, as in --columns=kernel\n"
        if any { $_ eq STATISTIC } @{ $grid->{columns} };
    my @names = names($grid, 'column');
    my ($number) = grep { $names[$_] eq $base } 0 .. $#names;
    die printable("--ratio=$base: there is no such column; name one of " . join(' | ', @names[0 .. $#names - 1])) . "\n"
        unless defined $number && $number < $#names;
    my @values;
    for my $cell (grep { defined $_->{figure}{value} && !defined $_->{figure}{doubt} } @{ $grid->{cells} }) {
        $values[ $cell->{row} ][ $cell->{column} ] = $cell->{figure}{value};
    }
    $grid->{ratios} = {
        base => $number, of => $#names,
        values => [map { _ratio(@{ $values[$_] // [] }[$number, $#names]) } 0 .. $#{ $grid->{row_keys} }],
    };
}

sub _ratio ($base, $value) {
    return defined $base && defined $value && $base > 0 ? $value / $base : undef;
}

1;
