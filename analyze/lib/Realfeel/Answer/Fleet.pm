# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Fleet;
use strict;
use warnings;

use List::Util qw(all any first uniq);
use Realfeel::Answer::Apart qw(apart usual_max);
use Realfeel::Answer::Hosts qw(hosts);
use Realfeel::Answer::Judgement qw(kept limit_of);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Answer::Trend;
use Realfeel::Input::Format1::Columns qw(LATENCIES);
use Realfeel::Model::Copies;
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Likeness;
use Realfeel::Model::Names qw(named);
use Realfeel::Model::Report;

use constant {
    WHOLE_MAX   => 12,          # more runs are a fleet
    WORST       => 3,           # so many
    PERCENTILES => [99.9, 99, 50],
    DOUBTED     => { suspect => 1, invalid => 1 },

    # What is told of each run.
    TOLD        => [qw(label started duration_s hostname kernel_release preemption load source frequency_hz cpu missed
        periods max status verdict)],
};

=head1 NAME

Realfeel::Answer::Fleet - a few runs; where they are many, the numbers of each, and which are the worst

=head1 DESCRIPTION

Runs come one after the other. As long as they are few, all are kept. Of more only numbers are kept, and those runs
that may still turn out to be among the worst, or to be the best.

=head1 METHODS

=head2 new($measure, $max)

No runs yet, to be ranked by this measure. If it is undef, that is the first of the latencies that all runs have, or the
interval error where none has a latency. The limit of that text takes the place of those of the runs.

=head2 add(@reports)

A run: a L<Realfeel::Model::Report> for each of its CPUs.

=head2 whole

The runs, as L<Realfeel::Model::Cpus> has them, if they are few; else nothing, and these are a fleet.

=head2 is_fleet

Whether they are.

=head2 unread(@files)

These files are lacking, because they could not be read.

=cut

sub new {
    my ($class, $measure, $max) = @_;
    my @keys = $measure // (LATENCIES, 'interval');
    return bless { measure => $measure, limit => limit_of($max), keys => \@keys, whole => [], rows => [], kept => [],
        copies => Realfeel::Model::Copies->new, given_again => [],
        alike => Realfeel::Model::Likeness->new('hostname'), trend => Realfeel::Answer::Trend->new($max),
        unread => [],
    }, $class;
}

sub add {
    my ($self, @reports) = @_;
    my $whole = $self->{whole};
    push @$whole, runs_of(@reports);
    return if !@{ $self->{rows} } && @$whole <= WHOLE_MAX;
    $self->_take($_) for splice @$whole;
}

sub whole { return @{ $_[0]{whole} } }

sub is_fleet { return @{ $_[0]{rows} } > 0 }

sub unread { my ($self, @files) = @_; push @{ $self->{unread} }, @files }

# Without its start a run has no place among the nights of its host.
sub _follow {
    my ($self, $run) = @_;
    eval { $self->{trend}->add($run) } or $self->{unplaced} = 1;
}

# Which of the hosts is bad, and since when, where any has several runs.
sub _hosts {
    my ($self) = @_;
    my @series = $self->{unplaced} ? () : $self->{trend}->series;
    return (any { @{ $_->{runs} } > 1 } @series) ? hosts(@series) : undef;
}

# Whatever the runs to come are like, the worst are among the worst so far and those to come.
sub _take {
    my ($self, $run) = @_;
    return push @{ $self->{given_again} }, $run->{reports}[0]->run_name
        if defined $self->{copies}->original(@{ $run->{reports} });
    $self->_follow($run);
    my $row = $self->_row($run);
    push @{ $self->{rows} }, $row;
    my @candidates = (@{ $self->{kept} }, $row);
    my %is_kept;
    for my $key (@{ $self->{keys} }) {
        my %ends = _ends(_ranked($key, @candidates));
        $is_kept{$_} = 1 for $ends{best} // (), @{ $ends{worst} };
    }
    $self->{kept} = [grep { $is_kept{$_} } @candidates];
    $_->{run} = { reports => [] } for grep { !$is_kept{$_} } @candidates;
}

# Of a run the numbers, and as much of its header as is told of one among many. Its bins are empty, but of the same
# latency: that tells whether it missed periods or requests.
sub _row {
    my ($self, $run) = @_;
    my $report = pooled($run);
    $self->{alike}->add($report, $report->file);
    my %header = map { $_ => $report->header($_) } @{ TOLD() };
    return {
        number   => scalar @{ $self->{rows} },
        run      => $run,
        limit    => kept($report, $self->{limit}),
        report   => Realfeel::Model::Report->of({
            file => $report->file, header => \%header, keys => [sort keys %header],
            histogram => { map { $_ => [] } qw(from_us to_us), $report->latency ? $report->latency_name : () },
        }),
        measures => { map { _numbers($_, $report) } $self->{measure} // _usual($report) },
    };
}

# Interval errors take the longest, and serve only where there is nothing better.
sub _usual {
    my ($report) = @_;
    my @latencies = grep { $report->$_ } LATENCIES;
    return @latencies ? @latencies : 'interval';
}

sub _numbers {
    my ($key, $report) = @_;
    my $values = $report->$key or return;
    return unless $values->n;
    my %is = map { $_->{percentile} => $_ } percentiles($values, $report->pieces, $key);
    return ($key => {
        max_us => $values->max,
        usual_max($report, $key),
        us         => { map { $_ => $is{$_}{value_us} } @{ PERCENTILES() } },
        roughly_us => { map { $_ => $is{$_}{roughly_us} } @{ PERCENTILES() } },
    });
}

# Those that have the measure, the worst first: what exceeded its limit, then by the share of missed periods, then by
# whether it stands out, then by the maximum. A run that is too short for a percentile has these, too.
sub _ranked {
    my ($key, @rows) = @_;
    my %rank = map {
        $_ => [($_->{limit} // '') eq 'exceeded' ? 1 : 0, _missed($_), $_->{is_apart} // 0,
            $_->{measures}{$key}{max_us}, -$_->{number}]
    } grep { $_->{measures}{$key} } @rows;
    return sort {
        my ($one, $other) = @rank{$a, $b};
        (first { $_ } map { $other->[$_] <=> $one->[$_] } 0 .. $#$one) // 0
    } grep { $rank{$_} } @rows;
}

sub _missed {
    my ($row) = @_;
    my ($missed, $periods) = map { known($row->{report}, $_) } qw(missed periods);
    return $missed && $periods ? $missed / $periods : 0;
}

# The best of which nothing is doubted, and the worst.
sub _ends {
    my @ranked = @_;
    my $best = first { !DOUBTED->{ $_->{report}->verdict // '' } } reverse @ranked;
    my @worst = grep { !$best || $_ != $best } @ranked;
    return (best => $best, worst => [@worst > WORST ? @worst[0 .. WORST - 1] : @worst]);
}

=head2 ranking

How the runs of a fleet compare, as a hash: C<measure>, the key of the measure that all have; C<rows>, an array of the
runs, what fails first, then what stands out, then by the maximum, and those without samples last; C<ranked>, how many
have some; C<best>, the best, undef where all are doubted; C<worst>, an array of the worst, whether they stand out or
not; C<judged>, how many are judged, C<short>, how many have too few slices for that, C<needed>, how many it takes, and
C<apart>, an array of those that stand out by C<usual_us>, the median of the maxima of their slices; C<unlike>, in which
keys of the header, but the host, the runs are unlike; C<given_again>, the names of runs that were left out because
others are the same; C<unread>, an array of the files that are lacking; and C<hosts>, what L<Realfeel::Answer::Hosts>
says, undef unless a host has several runs and each run tells its start. A run has C<report>, its C<name>, C<limit>,
whether it was C<kept> or C<exceeded>, undef where there is none, and C<measures>, by their keys hashes of C<max_us>,
C<usual_us> and, from the percentile, C<us> and where wake-ups are too few C<roughly_us>; C<run> holds the reports of
the best and the worst alone. Dies with one line where the runs have no measure in common.

=cut

sub ranking {
    my ($self) = @_;
    my @rows = @{ $self->{rows} };
    my @names = named(_called(@rows));
    $rows[$_]{name} = $names[$_] for 0 .. $#rows;
    my @measured = grep { %{ $_->{measures} } } @rows;
    my $key = first { my $key = $_; all { $_->{measures}{$key} } @measured } @{ $self->{keys} };
    die @rows . " runs have no measure in common; name those of one kind, or a --measure\n" unless defined $key;
    my %ends = _ends(_ranked($key, @rows));
    my %apart = _apart($key, grep { $_->{measures}{$key} } @rows);
    $_->{is_apart} = 1 for @{ $apart{apart} };
    my @ranked = _ranked($key, @rows);
    my %is_ranked = map { $_ => 1 } @ranked;
    return {
        measure => $key,
        ranked  => scalar @ranked,
        rows    => [@ranked, grep { !$is_ranked{$_} } @rows],
        %ends, %apart,
        unlike  => [$self->{alike}->unlike],
        hosts   => $self->_hosts,
        map { $_ => $self->{$_} } qw(given_again unread),
    };
}

# None of an invalid run.
sub _apart {
    my ($key, @rows) = @_;
    my @believed = grep { ($_->{report}->verdict // '') ne 'invalid' } @rows;
    my $apart = apart(map { $_->{measures}{$key} } @believed);
    return (%$apart{qw(judged short needed)}, apart => [@believed[@{ $apart->{apart} }]]);
}

# A host is its name where there are several.
sub _called {
    my @rows = @_;
    my @labels = map { $_->{report}->header('label') // '' } @rows;
    my @hosts = map { known($_->{report}, 'hostname') } @rows;
    my $is_one = uniq(map { $_ // '' } @hosts) == 1;
    return map { {
        label => $labels[$_] =~ /\S/ ? $labels[$_] : $is_one ? undef : $hosts[$_],
        file  => $rows[$_]{report}->file,
    } } 0 .. $#rows;
}

1;
