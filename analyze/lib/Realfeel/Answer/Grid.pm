# SPDX-License-Identifier: GPL-2.0-or-later
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
use Realfeel::Model::Report::Measures qw(measure_name);

use constant {
    TIMES      => { map { $_ => 1 } qw(min mean sd max) },

    # What is no measure of time.
    COUNTS     => { count => sub { $_[1]->n }, missed => sub { known($_[0], 'missed') } },
};

=head1 NAME

Realfeel::Answer::Grid - what the cells of a table say

=head1 FUNCTIONS

=head2 is_statistic($name)

Whether there is such a statistic: C<count>, C<missed>, C<min>, C<mean>, C<sd>, C<max>, C<lmbench>, or a percentile of
L<Realfeel::Answer::Percentiles>, C<p99.9>.

=cut

sub is_statistic ($name) { return TIMES->{$name} || COUNTS->{$name} || $name eq 'lmbench' || is_percentile($name) }

=head2 figures($grid, $measure)

Puts into each cell of a grid of L<Realfeel::Model::Grid> its C<figure>, a hash: C<value>, undef where the data do not
tell it; C<is_count>, whether it is a number and not a time in us; of a percentile what L<Realfeel::Answer::Percentiles>
says of it; and C<doubt>, why the value is not to be relied on, undef where it is: C<samples> are too few, or as
C<lmbench> of L<Realfeel::Answer::Stats> has it. The cell also gets the name of its C<measure>: C<lateness>, C<wakeup>,
C<interval>, or for undef the latency that each report measures, or where one has none the interval error. The grid gets
an array of all that are C<measured>. Dies with one line where a report does not know the measure.

=cut

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

=head2 ratios($grid, $base)

Puts into the grid its C<ratios>, a hash: C<base>, the number of the column of that name, and C<of>, that of the last;
and C<values>, of each row the ratio of the last to the base, undef where one of them is not to be relied on. Dies with
one line where there is no such column, or columns are no runs.

=cut

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
