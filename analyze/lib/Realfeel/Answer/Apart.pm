# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Apart;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(ENOUGH apart usual_max);

use Realfeel::Stat::Outliers qw(outliers);

use constant {
    SLICES => 10,               # whose maxima have a median
    ENOUGH => 10,               # runs, to say that none stands out
};

=head1 NAME

Realfeel::Answer::Apart - which of many runs stand out above the others, and not as the worst of many always does

=head1 FUNCTIONS

C<ENOUGH> runs that are judged are enough to say that none stands out.

=head2 usual_max($report, $measure)

The usual maximum of a run, as a list of C<usual_us>, what half of its slices exceed at some time, and C<slice_s>, how
long these are; nothing where they are few. Neither one bad minute nor the shape of the tail moves it far.

=head2 apart(@usual)

Of such hashes how many are judged, and the indices of those that stand out: of those whose slices are of the most usual
length, judged as the worst of so many, and not as if they were drawn by lot.

=cut

sub usual_max {
    my ($report, $measure) = @_;
    my $slices = $report->columns('slices') // {};
    my $max = $slices->{"${measure}_max_us"} // [];
    return if @$max < SLICES;
    return (usual_us => (sort { $a <=> $b } @$max)[@$max / 2], slice_s => sprintf '%.0f', $slices->{seconds}[0]);
}

sub apart {
    my @usual = @_;
    my %of;
    push @{ $of{ $usual[$_]{slice_s} } }, $_ for grep { ($usual[$_]{usual_us} // 0) > 0 } 0 .. $#usual;
    my @judged = @{ (sort { @$b <=> @$a } values %of)[0] // [] };
    return (scalar @judged, @judged[outliers(map { log $usual[$_]{usual_us} } @judged)]);
}

1;
