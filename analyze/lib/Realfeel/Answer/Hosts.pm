# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Hosts;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(hosts);

use List::Util qw(first max sum0 uniqstr);
use Realfeel::Answer::Apart qw(apart);
use Realfeel::Answer::Trend qw(SERIES believed exceeds worse);
use Realfeel::Stat::Change qw(least);

use constant SHORT => 2;    # the newest runs of half of the hosts are more than so many times as long

=head1 NAME

Realfeel::Answer::Hosts - which of many hosts is bad, and since when

=head1 FUNCTIONS

=head2 hosts(@series)

The series side by side, a hash: C<hosts>, an array, what fails first, then by missed periods, then those that stand
out, then by the maximum; C<judged>, of how many it is known whether they stand out among the others, C<short>, how many
have too few slices for that, and C<slices>, how many it takes; and C<needed>, how many runs of each of them it takes to
find a change. A host has C<name>, which no other has; C<series>; C<runs>, how many can be believed; of these
C<limited>, how many have a limit, C<exceeded>, how many exceeded it, C<last_above>, the
last of these, and C<exceeds>, whether the newest did; C<max_us>,
the longest latency, and C<missed>, how many periods, each undef where it is not known; C<worse>, an array of the
changes for which it is worse; C<apart>, whether it stands out since its last step, by C<usual_us>; C<newest_s>, how
long its newest run is, and C<is_short>, whether that of most others is much longer.

=cut

sub hosts {
    my @hosts = map { _host($_) } @_;
    my $apart = apart(@hosts);
    $_->{apart} = 1 for @hosts[@{ $apart->{apart} }];
    my ($usual_s) = (sort { $b <=> $a } map { $_->{newest_s} // () } @hosts)[@hosts / 2];
    $_->{is_short} = defined $usual_s && defined $_->{newest_s} && $_->{newest_s} * SHORT < $usual_s for @hosts;
    my @names = _names(@_);
    $hosts[$_]{name} = $names[$_] for 0 .. $#hosts;
    return { %$apart{qw(judged short)}, slices => $apart->{needed}, needed => least(scalar @hosts),
        hosts => [_ranked(@hosts)] };
}

# The host, and where one has several series no more of the others than tells these apart.
sub _names {
    my @series = @_;
    my @names = map { $_->{hostname} // 'unknown host' } @series;
    return @names if uniqstr(@names) == @names;
    @names = map { '' } @series;
    for my $key (SERIES) {
        my @longer = map { join ', ', grep { $_ ne '' } $names[$_], _told($key, $series[$_]{$key}) } 0 .. $#series;
        @names = @longer if uniqstr(@longer) > uniqstr(@names);
    }
    return @names;
}

sub _told {
    my ($key, $value) = @_;
    return '' unless defined $value;
    return $key eq 'frequency_hz' ? "$value Hz" : $key =~ /^(?:hostname|label|cell|source)$/ ? $value : "$key $value";
}

sub _host {
    my ($series) = @_;
    my @runs = believed(@{ $series->{runs} });
    my @limited = grep { defined $_->{limit} } @runs;
    my @exceeding = grep { $_->{limit} eq 'exceeded' } @limited;
    my @missed = grep { defined $_->{missed} } @runs;
    return {
        series => $series, runs => scalar @runs, worse => [worse($series)], apart => 0,
        limited => scalar @limited, exceeded => scalar @exceeding, last_above => $exceeding[-1],
        exceeds => exceeds($series), newest_s => @runs ? $runs[-1]{duration_s} : undef,
        max_us => max(map { $_->{max_us} // () } @runs),
        missed  => @missed ? sum0(map { $_->{missed} } @missed) : undef,
        periods => sum0(map { $_->{periods} // 0 } @missed), _usual($series),
    };
}

# On the level that it has now, the middle one of its runs, as far as their slices are as long as those of the newest.
sub _usual {
    my ($series) = @_;
    my $from = @{ $series->{steps} } ? $series->{steps}[-1]{run} - 1 : 0;
    my @all = @{ $series->{runs} };
    my @runs = grep { defined $_->{usual_us} } believed(@all[$from .. $#all]) or return;
    my @alike = grep { $_->{slice_s} == $runs[-1]{slice_s} } @runs;
    my @us = sort { $a <=> $b } map { $_->{usual_us} } @alike;
    return (usual_us => $us[@us / 2], slice_s => $runs[-1]{slice_s},
        slices_us => join '', map { $_->{slices_us} } @alike);
}

sub _ranked {
    my @hosts = @_;
    my @rank = map { [
        $_->{exceeds}, @{ $_->{worse} } ? 1 : 0, $_->{exceeded}, $_->{periods} ? $_->{missed} / $_->{periods} : 0,
        $_->{apart}, $_->{max_us} // -1,
    ] } @hosts;
    return @hosts[sort {
        my ($one, $other) = @rank[$a, $b];
        (first { $_ } map { $other->[$_] <=> $one->[$_] } 0 .. $#$one) // $a <=> $b
    } 0 .. $#hosts];
}

1;
