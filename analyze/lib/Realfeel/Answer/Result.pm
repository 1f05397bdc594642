# SPDX-License-Identifier: GPL-2.0-or-later
# What comes of a run, at a glance.
package Realfeel::Answer::Result;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(headed result);

use List::Util qw(reduce uniqstr);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(objections);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Explain qw(is_blamed);

use constant GIVEN => { map { $_ => 1 } 50, 99, 99.9 };

# Keys of the measures that make the result: the latency, and wake-up latency if that is another; the interval error if
# there is no other, or the schedule is contradicted
sub headed ($report) {
    my $is_doubtful = !$report->latency || defined $report->contradiction;
    my @latencies = uniqstr($report->latency_name, $report->delay ? () : 'wakeup');
    return ($is_doubtful ? 'interval' : (), $report->latency ? @latencies : ());
}

# Takes a run and measures of Answer::Stats. Returns a hash:
#
#   measures   hashes of measure; figures, for p50, p99 and p99.9, if known: percentile, value_us, is_rough (too few
#              beyond), from_us, if its bin is open; max_us; and is_bound, all values are below the maximum
#   cpu        for several CPUs figures, max_us, is_bound and report of the one with the greatest value; else undef
#   limit      of_run of Answer::Judgement; undef without a limit
#   worst      of the worst wake-up at_s, utc and, if known, run, cpu and late, a wake-up of Answer::Why; undef without
#              any
#   verdict, objections, remarks      undef, or a word; objections of Answer::Stats; what disturbed the run but not its
#                                     figures
sub result ($run, @measures) {
    my ($report, @cpus) = (pooled($run), @{ $run->{reports} });
    return {
        measures   => [map { _of_measure($_) } @measures],
        cpu        => @measures && @cpus > 1 ? _worst_cpu($measures[0]{key}, @cpus) : undef,
        limit      => defined $cpus[0]->header('limit') ? _limit($run) : undef,
        worst      => _worst($report),
        verdict    => text($report->verdict),
        objections => [objections($report)],
        remarks    => [map { text($_) } $report->remarks],
    };
}

# Loaded on demand: most runs have none
sub _limit ($run) {
    require Realfeel::Answer::Judgement;
    return Realfeel::Answer::Judgement::of_run($run);
}

sub _of_measure ($measure) {
    return { measure => $measure, _figures($measure->{distribution}, @{ $measure->{summary}{percentiles} }) };
}

sub _worst ($report) {
    my ($event) = @{ $report->events // [] } or return undef;
    return { at_s => number($event->{at_s}), utc => text($event->{utc}), late => _late($report),
        map { $_ => number($event->{$_}) } qw(run cpu) };
}

# Loaded only if there is something to explain
sub _late ($report) {
    return undef unless is_blamed($report);
    require Realfeel::Answer::Why;
    my ($late) = Realfeel::Answer::Why::wakeups($report, 1);
    return $late;
}

sub _worst_cpu ($key, @reports) {
    my $worst = reduce { $a->$key->max < $b->$key->max ? $b : $a } grep { $_->$key && $_->$key->n } @reports;
    return $worst && { report => $worst, _figures($worst->$key, percentiles($worst->$key, undef, $key)) };
}

sub _figures ($distribution, @percentiles) {
    return (
        figures  => [map { _figure($_) } grep { GIVEN->{ $_->{percentile} } } @percentiles],
        max_us   => number($distribution->n ? $distribution->max : undef),
        is_bound => $distribution->n && !$distribution->max_is_exact ? 1 : 0,
    );
}

sub _figure ($percentile) {
    my ($value, $roughly, $from) = map { number($_) } @$percentile{qw(value_us roughly_us from_us)};
    return unless defined($value // $roughly // $from);
    return { percentile => $percentile->{percentile}, value_us => $value // $roughly, from_us => $from,
        is_rough => defined $roughly ? 1 : 0 };
}

1;
