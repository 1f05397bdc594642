# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Doubts;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(doubts);

use constant {
    SIGNIFICANT   => 0.005,     # of each of eight tests, so that a good run is doubted in about one case of thirty
    HEAVIEST      => 0.5,
    IRREGULAR     => -0.5,
    UNEQUAL       => 1.5,
    FURTHEST      => 1000,
    ENOUGH_PEAKS  => 40,        # the intervals of fewer hold the truth too seldom to contradict
    CIRCUMSTANCES => [qw(hostname machine cpu_model kernel_release kernel_command_line preemption
        source policy priority cpu governor load)],

    TESTS => [
        [trend      => 'the maxima %s as the run goes on (tau %+.2f)'],
        [halves     => 'the second half of the maxima is distributed otherwise than the first (distance %.2f)'],
        [neighbours => 'the maxima of neighbouring blocks depend on each other (correlation %+.2f)'],
        [runs       => 'the maxima of the runs differ (Kruskal-Wallis %.1f)'],
        [fit        => 'the distribution does not fit the maxima (Anderson-Darling %.2f): several causes, perhaps'],
        [modes      => 'the maxima have more than one mode (dip %.3f), so they have several causes'],
        [gap        => 'the latest maxima lie apart from the others (gap %.1f), so they have a cause of their own'],
        [maximum    => 'the fit does not account for the maximum of the run, %s us'],
    ],
};

=head1 NAME

Realfeel::Tail::Doubts - why a tail estimate must not be believed

=head1 FUNCTIONS

=head2 doubts($report, $estimate)

A list of reasons, none when nothing speaks against the estimate: what the L<Realfeel::Report> says of the measurement,
what the tests found, and what the fit itself shows. C<$estimate> is that of L<Realfeel::Tail>.

=cut

sub doubts {
    my ($report, $estimate) = @_;
    return (_of_the_report($report, $estimate->{measure}), _of_the_blocks($estimate->{blocks}),
        _of_the_tests($estimate->{checks}), _of_the_fit($estimate->{fit}, $estimate->{run}), _of_the_levels($estimate));
}

sub _of_the_report {
    my ($report, $measure) = @_;
    my @several = grep { ($report->header($_) // '') eq 'several' } @{ CIRCUMSTANCES() };
    return (
        _of_the_verdict($report),
        $measure eq 'lateness' && defined $report->contradiction
            ? 'the schedule is contradicted, so lateness is not to be relied on; take --measure=interval' : (),
        ($report->header('status') // '') eq 'break'
            ? '--break ended the run at its maximum, so that one is no accident' : (),
        @several ? 'the runs were not alike: they differ in ' . join(', ', @several) : (),
    );
}

sub _of_the_verdict {
    my ($report) = @_;
    my @bad_runs = grep { $_ ne 'valid' } @{ ($report->columns('runs') // {})->{verdict} // [] };
    return sprintf '%d of the %d runs ha%s no valid verdict; stats lists the reasons',
        scalar @bad_runs, $report->runs, @bad_runs == 1 ? 's' : 've' if @bad_runs;
    my $verdict = $report->verdict // return 'the report has no verdict';
    return $verdict eq 'valid' ? () : "the verdict of the run is $verdict; stats lists the reasons";
}

sub _of_the_blocks {
    my ($blocks) = @_;
    my ($least, $most) = @$blocks{qw(least_periods most_periods)};
    return $most > UNEQUAL * $least ? "the blocks are not equally long: $least to $most periods" : ();
}

sub _of_the_tests {
    my ($checks) = @_;
    my @doubts;
    for (@{ TESTS() }) {
        my ($name, $text) = @$_;
        my $check = $checks->{$name} or next;
        next unless $check->{p} <= SIGNIFICANT;
        my $value = $check->{value};
        push @doubts, sprintf $text, $name eq 'trend' ? ($value > 0 ? 'rise' : 'fall', $value) : $value;
    }
    return @doubts;
}

sub _of_the_fit {
    my ($fit, $run) = @_;
    my ($shape, $endpoint) = @$fit{qw(shape endpoint_us)};
    return (
        $shape > HEAVIEST ? sprintf('the shape, %.2f, is above 0.5: the tail is too heavy for any figure', $shape) : (),
        $shape < IRREGULAR || !defined $fit->{shape_error}
            ? sprintf('the shape, %.2f, allows neither errors nor intervals', $shape) : (),
        defined $endpoint && $endpoint < $run->{max_us}
            ? "the upper end of the fit, $endpoint us, is below the maximum of the run, $run->{max_us} us" : (),
    );
}

sub _of_the_levels {
    my ($estimate) = @_;
    my @levels = @{ $estimate->{levels} };
    my ($far) = grep { $_->{times_the_run} > FURTHEST } @levels;
    my $peaks = ($estimate->{peaks} // { count => 0 })->{count};
    my @apart = grep { $peaks >= ENOUGH_PEAKS && _apart(@$_{qw(low_us high_us peaks_low_us peaks_high_us)}) }
        @levels[1 .. $#levels];
    return (
        $far ? 'what is asked for is more than ' . FURTHEST . ' times the run' : (),
        (grep { !defined $_->{low_us} || !defined $_->{high_us} } @levels) ? 'a return level has no interval' : (),
        @apart ? 'the second fit, to peaks over a threshold, gives return levels apart from those of the first' : (),
    );
}

sub _apart {
    my @bounds = @_;
    return 0 if grep { !defined } @bounds;
    my ($low, $high, $other_low, $other_high) = @bounds;
    return $high < $other_low || $other_high < $low;
}

1;
