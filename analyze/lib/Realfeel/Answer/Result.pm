# SPDX-License-Identifier: GPL-2.0-or-later
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

=head1 NAME

Realfeel::Answer::Result - what comes of a run, to be read at a glance

=head1 FUNCTIONS

=head2 headed($report)

The keys of the measures whose figures are the result: the latency, and the wake-up latency where that is another; the
interval error where it is all there is, or where the schedule is contradicted.

=cut

sub headed ($report) {
    my $is_doubtful = !$report->latency || defined $report->contradiction;
    my @latencies = uniqstr($report->latency_name, $report->delay ? () : 'wakeup');
    return ($is_doubtful ? 'interval' : (), $report->latency ? @latencies : ());
}

=head2 result($run, @measures)

Of a run of L<Realfeel::Model::Cpus> and of these C<measures> of L<Realfeel::Answer::Stats> a hash of

=over

=item C<measures>

hashes of the C<measure>; C<figures>, p50, p99 and p99.9, as far as they have a value or the histogram an end: hashes of
C<percentile>, C<value_us>, C<is_rough>, too few values lie beyond it, and C<from_us>, where the bin of the value begins
if that is open; C<max_us>; and C<is_bound>, no value was as large

=item C<cpu>

of a run on several CPUs C<figures>, C<max_us> and C<is_bound> of the CPU that has the largest value, by the first
measure, and the C<report> of this CPU; else undef

=item C<limit>

whether it is kept, as C<of_run> of L<Realfeel::Answer::Judgement> has it; undef where there is none

=item C<worst>

of the worst wake-up C<at_s>, C<utc>, and where they are known C<run>, C<cpu> and C<late>, why it was late, a wake-up of
L<Realfeel::Answer::Why>; undef where the report lists none

=item C<verdict>, C<objections>, C<remarks>

the verdict, or undef; the C<objections>; and what disturbed the run without affecting its figures

=back

=cut

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

# Most runs have none.
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

# What explains is loaded where there is something to explain.
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
