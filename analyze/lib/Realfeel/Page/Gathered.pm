# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Gathered;
use strict;
use warnings;

use List::Util qw(all any first uniq);
use Realfeel::Cpus qw(pooled runs_of);
use Realfeel::Facts qw(known);
use Realfeel::Format1::Columns qw(LATENCIES);
use Realfeel::Names qw(named);
use Realfeel::Page::Runs qw(verdict);
use Realfeel::Report;
use Realfeel::Stats qw(percentiles);

use constant {
    WHOLE_MAX   => 12,          # of more runs a page shows a few
    WORST       => 3,           # so many
    PERCENTILES => [99.9, 99, 50],

    # What the head of the page and the table tell of each run.
    TOLD        => [qw(label started hostname kernel_release preemption load source frequency_hz cpu missed periods
        verdict)],
};

=head1 NAME

Realfeel::Page::Gathered - the runs of a page; where they are many, the numbers of each, and which are the worst

=head1 DESCRIPTION

Runs come one after the other. As long as they are few, all are kept. Of more only numbers are kept, and those runs
that may still turn out to be among the worst, or to be the best.

=head1 METHODS

=head2 new($measure)

No runs yet, to be ranked by this measure. If it is undef, that is the first of the latencies that all runs have, or the
interval error where none has a latency.

=head2 add(@reports)

A run: a L<Realfeel::Report> for each of its CPUs.

=head2 whole

The runs, as L<Realfeel::Cpus> has them, if they are few; else nothing, and these are a fleet.

=cut

sub new {
    my ($class, $measure) = @_;
    my @keys = $measure // (LATENCIES, 'interval');
    return bless { measure => $measure, keys => \@keys, whole => [], rows => [], kept => [] }, $class;
}

sub add {
    my ($self, @reports) = @_;
    my $whole = $self->{whole};
    push @$whole, runs_of(@reports);
    return if !@{ $self->{rows} } && @$whole <= WHOLE_MAX;
    $self->_take($_) for splice @$whole;
}

sub whole { return @{ $_[0]{whole} } }

# Whatever the runs to come are like, the worst are among the worst so far and those to come.
sub _take {
    my ($self, $run) = @_;
    my $row = $self->_row($run);
    push @{ $self->{rows} }, $row;
    my @candidates = (@{ $self->{kept} }, $row);
    my %is_kept;
    for my $key (@{ $self->{keys} }) {
        my @ends = map { +{ _ends($key, $_, @candidates) } } @{ PERCENTILES() };
        $is_kept{$_} = 1 for map { ($_->{best} // (), @{ $_->{worst} }) } @ends;
    }
    $self->{kept} = [grep { $is_kept{$_} } @candidates];
    $_->{run} = { reports => [] } for grep { !$is_kept{$_} } @candidates;
}

# As Realfeel::Page::Runs has a run, but without its data.
sub _row {
    my ($self, $run) = @_;
    my $report = pooled($run);
    my %header = map { $_ => $report->header($_) } @{ TOLD() };
    return {
        number   => scalar @{ $self->{rows} },
        run      => $run,
        report   => Realfeel::Report->of({ file => $report->file, header => \%header, keys => [sort keys %header] }),
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
    my %is = map { $_->{percentile} => $_ } percentiles($values, $report->dependence, $key);
    return ($key => {
        max_us => $values->max,
        us         => { map { $_ => $is{$_}{value_us} } @{ PERCENTILES() } },
        roughly_us => { map { $_ => $is{$_}{roughly_us} } @{ PERCENTILES() } },
    });
}

sub _us {
    my ($key, $percentile, $row) = @_;
    my $measure = $row->{measures}{$key};
    return $measure && $measure->{us}{$percentile};
}

# Those that support the percentile, the worst first.
sub _ranked {
    my ($key, $percentile, @rows) = @_;
    return sort { _us($key, $percentile, $b) <=> _us($key, $percentile, $a) || $a->{number} <=> $b->{number} }
        grep { defined _us($key, $percentile, $_) } @rows;
}

# The best of which nothing is doubted, and the worst.
sub _ends {
    my ($key, $percentile, @rows) = @_;
    my @ranked = _ranked($key, $percentile, @rows);
    my $best = first { verdict($_) !~ /^(?:suspect|invalid)$/ } reverse @ranked;
    my @worst = grep { !$best || $_ != $best } @ranked;
    return (best => $best, worst => [@worst > WORST ? @worst[0 .. WORST - 1] : @worst]);
}

=head2 ranking

How the runs of a fleet compare, as a hash: C<measure>, the key of the measure that all have; C<percentile>, p99.9 or
the highest below that all runs support, apart from those that support none; C<rows>, an array of the runs, the worst
first and those without the percentile last; C<ranked>, how many have it; C<best>, the best, undef where all
are doubted; and C<worst>, an array of the worst. A run is what L<Realfeel::Page::Runs> has, but of its measures only
C<max_us> and hashes from the percentile, C<us> and where bursts are too few C<roughly_us>; C<run> holds the reports of
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
    my $percentile = _percentile($key, @measured);
    my @ranked = _ranked($key, $percentile, @rows);
    my %is_ranked = map { $_ => 1 } @ranked;
    return {
        measure    => $key,
        percentile => $percentile,
        ranked     => scalar @ranked,
        rows       => [@ranked, grep { !$is_ranked{$_} } @rows],
        _ends($key, $percentile, @ranked),
    };
}

# The highest that all support which support any; where there is none, because in each bursts are too few for another,
# the one that most support.
sub _percentile {
    my ($key, @rows) = @_;
    my %runs = map { my $at = $_; $at => scalar grep { defined _us($key, $at, $_) } @rows } @{ PERCENTILES() };
    my $any = grep { my $row = $_; any { defined _us($key, $_, $row) } @{ PERCENTILES() } } @rows;
    return (first { $runs{$_} == $any } @{ PERCENTILES() })
        // (sort { $runs{$b} <=> $runs{$a} || $b <=> $a } @{ PERCENTILES() })[0];
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
