# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Apart;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(ENOUGH apart usual usual_max);

use List::Util qw(all);
use POSIX qw(ceil);
use Realfeel::Stat::Outliers qw(outliers);

use constant {
    SLICES => 10,               # whose maxima have a median
    ENOUGH => 10,               # runs, to say that none stands out
    LEVEL  => 0.05,             # of fleets in which one of equal hosts is above the others throughout, by chance
};

=head1 NAME

Realfeel::Answer::Apart - which of many runs stand out above the others, and not as the worst of many always does

=head1 FUNCTIONS

C<ENOUGH> runs that are judged are enough to say that none stands out.

=head2 usual_max($report, $measure)

The usual maximum of a run, as a list of C<usual_us>, what half of its slices exceed at some time, C<slice_s>, how long
these are, and C<slices_us>, their maxima in a string of packed numbers; nothing where they are few. Neither one bad
minute nor the shape of the tail moves it far.

=head2 usual($slice_s, @max)

The same of slices of this length, whose maxima are known.

=head2 apart(@usual)

Of such hashes, as a hash: C<judged>, how many are judged, those whose slices are of the most usual length and enough;
C<short>, how many have too few of these slices, and C<needed>, how many it takes for so many runs; and C<apart>, the
indices of those that stand out.

One stands out if it is above the others by more than they differ, judged as the worst of so many, and not as if they
were drawn by lot; and by more than its own slices scatter: it is cut into as many parts as are needed, and in each of
them more than half of the slices are above what is usual, the middle one of all. Of equal runs one in 2**C<needed> has
this by chance, whatever the distribution, if a load comes and goes within a part. Few slices alone may have a median
anywhere between two modes, which the first rule takes for a difference.

=cut

sub usual_max {
    my ($report, $measure) = @_;
    my $slices = $report->columns('slices') // {};
    my $max = $slices->{"${measure}_max_us"} // [];
    return if @$max < SLICES;
    return usual($slices->{seconds}[0], @$max);
}

sub usual {
    my ($slice_s, @max) = @_;
    return (usual_us => _middle(@max), slice_s => sprintf('%.0f', $slice_s), slices_us => pack 'd*', @max);
}

sub _middle { return (sort { $a <=> $b } @_)[@_ / 2] }

sub apart {
    my @usual = @_;
    my %of;
    push @{ $of{ $usual[$_]{slice_s} } }, $_ for grep { ($usual[$_]{usual_us} // 0) > 0 } 0 .. $#usual;
    my @alike = @{ (sort { @$b <=> @$a } values %of)[0] // [] };
    my $needed = @alike ? ceil(log(@alike / LEVEL) / log 2) : 0;
    my @judged = grep { $needed <= (() = _slices($usual[$_])) } @alike;
    my @us = map { $usual[$_]{usual_us} } @judged;
    my @apart = grep { _is_above(_middle(@us), $needed, _slices($usual[$_])) } @judged[outliers(map { log } @us)];
    return { judged => scalar @judged, short => @alike - @judged, needed => $needed, apart => \@apart };
}

sub _slices { return unpack 'd*', $_[0]{slices_us} }

# In each of so many parts, by more than half of its slices.
sub _is_above {
    my ($us, $parts, @slices) = @_;
    return all {
        my @part = @slices[int($_ * @slices / $parts) .. int(($_ + 1) * @slices / $parts) - 1];
        2 * (grep { $_ > $us } @part) > @part;
    } 0 .. $parts - 1;
}

1;
