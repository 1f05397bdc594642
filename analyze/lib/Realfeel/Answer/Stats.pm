# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Stats;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(MINUTE_S figured known later_s lmbench longer measures needs objections setting smis sufficiency
    typed worst_slice);

use List::Util qw(max min);
use POSIX qw(floor);
use Realfeel::Answer::Percentiles qw(intervals summary);
use Realfeel::Base::Typed qw(number rounded text);
use Realfeel::Stat::Tail qw(limit);

use constant {
    COUNTS => { map { $_ => 1 }
        qw(samples periods missed early_wakeups smis matched unmatched unasked timed preempted thread
            inferred_missed priority return_code) },
    IN_UNITS => qr/_(?:ns2?|us|ms|s|k?hz|ppm|kb)(?:_after)?$/,
};
use constant MINUTE_S  => 60;   # as long is a run that has intervals, at least
use constant TIMES     => 10;   # as long is the run of which longer() tells
use constant VARIES    => 0.1;  # the overheads of a ring: by more than this share of the figure
use constant NONE_SEEN => 3;    # of which none was seen, there are no more than this, 95 % (the rule of three)

=head1 NAME

Realfeel::Answer::Stats - what is known of a run, for the listing, the page and JSON alike

=head1 FUNCTIONS

=head2 known($report, $key)

The value of a header line; undef if the line is missing, or its value is C<unknown> or, for a host without a name,
C<(none)>.

=cut

sub known ($report, $key) {
    my $value = $report->header($key);
    return defined $value && $value !~ /^(?:unknown|\(none\))$/ ? $value : undef;
}

=head2 lmbench($report)

The figure of LMbench's lat_ctx for a ring: a hash of C<value>, the mean hop less the least overhead, both in us;
C<overhead_us>; and C<doubt>, why the value is not to be relied on, undef where it is: C<nothing> or too C<little> is
left of the hop, the overhead C<varied>, or a report of an earlier version, which has the figure, C<says> why. undef
where the report knows nothing of it.

=cut

sub lmbench ($report) {
    return _lmbench_of_old($report) if defined known($report, 'lmbench_us');
    my $hops = $report->wakeup // return undef;
    my ($mean, $overheads) = ($hops->mean, known($report, 'hop_overhead_ns'));
    return undef unless defined $mean && defined $overheads;
    my @overheads = map { $_ / 1000 } split / /, $overheads;
    my ($least, $most) = (min(@overheads), max(@overheads));
    my $value = $mean - $least;
    return {
        value => rounded($value), overhead_us => rounded($least),
        doubt => $value <= 0 ? 'nothing' : $value < $least ? 'little'
            : $most - $least > VARIES * $value ? 'varied' : undef,
    };
}

sub _lmbench_of_old ($report) {
    my ($us, $overhead_us, $says) = map { known($report, "lmbench_$_") } qw(us overhead_us doubtful);
    return {
        value => number($us), overhead_us => number($overhead_us), says => text($says),
        doubt => defined $says ? 'says' : undef,
    };
}

=head2 setting($report, $key)

The same with its type; the preemption model is not known where the kernel does not tell it.

=head2 typed($key, $value)

The value of a header line with its type: of a key that ends in a unit a number, unless it is a list or a word.

=cut

sub setting ($report, $key) {
    return typed($key, $key eq 'preemption' && !$report->preemption ? undef : known($report, $key));
}

sub typed ($key, $value) {
    return COUNTS->{$key} ? number($value) : $key =~ IN_UNITS ? number($value) // text($value) : text($value);
}

=head2 measures($report, @keys)

What the report knows of the interval error, the delay, the lateness, the wake-up latency and, where periods were
missed, the latency of wake-ups: hashes of C<key>, C<distribution> and C<summary>, which is that of
L<Realfeel::Answer::Percentiles>; C<code>, which says more than the key: of interval errors whether they are C<signed>,
of C<wakeups> what these have; and C<note>, why the figures are not what one would think, C<early_as_0> or
C<unreliable>, else undef.

=head2 figured($report, \%measures)

Those of these measures, by their keys, whose figures stand first, as far as they are there: the interval error, and
what is the latency of the report.

=cut

sub measures ($report, @keys) {
    my %is_wanted = map { $_ => 1 } @keys;
    my $is_early_as_0 = ($report->interval_errors // '') eq 'early as 0';
    return map { _measure($report, @$_) } grep { !@keys || $is_wanted{ $_->[0] } } (
        $is_early_as_0 ? [qw(interval interval early_as_0)] : [qw(interval signed)],
        [qw(delay delay)], [qw(lateness lateness), defined $report->contradiction ? 'unreliable' : ()],
        [qw(wakeup wakeup)], [wakeups => $report->latency_name . '_of_wakeups'],
    );
}

sub figured ($report, $measures) {
    return grep { defined } @$measures{'interval', $report->latency_name};
}

sub _measure ($report, $key, $code, $note = undef) {
    my $distribution = $report->$key or return;
    return {
        key => $key, code => $code, note => $note, distribution => $distribution,
        summary => summary($distribution, $report->pieces, $key),
    };
}

=head2 objections($report)

What contradicts the schedule, as it makes the figures unreliable, and the reasons of the verdict: hashes of C<code>,
C<contradicted> or C<verdict>, and C<reason>, the text that the report has.

=cut

sub objections ($report) {
    my $contradiction = $report->contradiction;
    return (
        defined $contradiction ? { code => 'contradicted', reason => text($contradiction) } : (),
        map { { code => 'verdict', reason => text($_) } } $report->doubts,
    );
}

=head2 sufficiency($report, @measures)

Whether the run was long enough, by the last of these measures: a list of hashes of C<code> and what it is about.

=over

=item C<later>

None is above C<max_us>, and a later one comes less than once in C<later_s>.

=item C<longer>

A run of C<duration_s> stays below C<below_us>, as of C<longer> below.

=item C<short>

The run is too short for intervals.

=item C<limit>

How many periods, C<count>, exceed C<limit_us>, the limit of --max, and C<one_in>: at most one in this many does; undef
if unknown.

=item C<bins>

The first C<percentile> that lies in the bin that begins at C<from_us> and is open.

=item C<needs>

What the next C<percentile> needs, see C<needs> below.

=item C<slice>

The worst one, as of C<worst_slice>.

=back

=cut

sub sufficiency ($report, @measures) {
    my ($measure) = reverse @measures;
    return unless $measure && $measure->{summary}{count};
    my ($later_s, $longer) = (later_s($report), $measure->{key} eq $report->latency_name ? longer($report) : undef);
    return (
        defined $later_s ? { code => 'later', max_us => number($measure->{summary}{max_us}), later_s => $later_s } : (),
        $longer ? { code => 'longer', %$longer } : (),
        (grep { $_->{open} } @{ $measure->{summary}{percentiles} }) ? { code => 'short' } : (),
        _limit($report, $measure), _missing($report, $measure), worst_slice($report),
    );
}

=head2 later_s($report)

A latency above any in the run comes less than once in so many seconds, with 95 % confidence, by the rule of three: if
it came more often, fewer than 5 % of such runs would have none. Late wake-ups that come in a burst come once. Undef
where the length is not known, or that is less than a second.

=cut

sub later_s ($report) {
    my $seconds = known($report, 'duration_s') // 0;
    return $seconds >= NONE_SEEN ? number($seconds / NONE_SEEN) : undef;
}

=head2 longer($report)

The latency below which a run C<TIMES> as long stays, if nothing changes, see L<Realfeel::Stat::Tail>: a hash of
C<duration_s> and C<below_us>. Undef where that is not known: the report is not valid, it was ended by C<--break>, so
that its maximum is not random, or it has too few slices.

=cut

sub longer ($report) {
    my ($latency, $seconds) = ($report->latency, known($report, 'duration_s'));
    return undef if !$latency || !$seconds || ($report->verdict // '') ne 'valid'
        || ($report->header('status') // '') eq 'break';
    my $us = limit(TIMES, $latency->max, _slices_of_runs($report)) // return undef;
    return { duration_s => number(TIMES * $seconds), below_us => number($us) };
}

sub _slices_of_runs ($report) {
    my $slices = $report->columns('slices') // return;
    my ($maxima, %run) = ($slices->{ $report->latency_name . '_max_us' });
    for my $i (grep { $slices->{periods}[$_] > 0 } 0 .. $#{ $slices->{periods} }) {
        push @{ $run{ $slices->{run} ? $slices->{run}[$i] : 1 } }, [$slices->{periods}[$i], $maxima->[$i]];
    }
    return map { $run{$_} } sort { $a <=> $b } keys %run;
}

sub _limit ($report, $measure) {
    my ($limit, $values) = ($report->us('max_ns'), $measure->{distribution});
    return unless defined $limit && $measure->{key} ne 'interval' && $limit < $measure->{summary}{max_us};
    my $below = $values->below($limit) // return;
    my $intervals = intervals($values, $report->pieces, $measure->{key});
    my $one_in = $intervals && $intervals->sure_one_in($limit);
    return {
        code => 'limit', limit_us => $limit, count => $values->n - $below, one_in => number($one_in && floor $one_in),
    };
}

sub _missing ($report, $measure) {
    my ($first) = grep { !defined $_->{value_us} } @{ $measure->{summary}{percentiles} } or return;
    return { code => 'bins', %$first{qw(percentile from_us)} } if $first->{lack} eq 'bins';
    return { code => 'needs', percentile => $first->{percentile}, %{ needs($report, $measure, $first->{more}) } };
}

=head2 needs($report, $measure, $more)

What it takes to measure so many more values: a hash of C<more> and of C<seconds>, for how long at the rate of the run,
undef where that is not known.

=cut

sub needs ($report, $measure, $more) {
    my $seconds = $report->header('duration_s');
    return { more => number($more), seconds => number($seconds && $more * $seconds / $measure->{summary}{count}) };
}

=head2 smis($report)

How many SMIs there were: a hash of C<count>, and of C<slices> how many had C<some>, both undef where that is not known;
undef where the machine does not count them.

=cut

sub smis ($report) {
    my $count = known($report, 'smis') // return undef;
    my $of = ($report->columns('slices') // {})->{smis} // return { count => number($count) };
    my $is_known = !grep { $_ eq 'unknown' } @$of;
    return { count => number($count), slices => number($is_known ? scalar @$of : undef),
        some => number($is_known ? scalar grep({ $_ > 0 } @$of) : undef) };
}

=head2 worst_slice($report)

When the worst slice of the run was: a hash of C<run>, undef where there is one only, C<start_s>, C<seconds>, C<max_us>,
the latest in it, how many C<periods> it had and C<missed>, and how many C<smis>, undef where that is not known. Nothing
where the report has no slices to choose from.

=cut

sub worst_slice ($report) {
    my $slices = $report->columns('slices') or return;
    my @latest = @{ $slices->{ $report->latency_name . '_max_us' } // [] };
    return if @latest < 2;
    my ($worst) = sort { $latest[$b] <=> $latest[$a] || $a <=> $b } 0 .. $#latest;
    my %slice = map { $_ => $slices->{$_} && $slices->{$_}[$worst] } qw(run start_s seconds missed periods smis);
    delete $slice{missed} unless defined known($report, 'missed');
    return { code => 'slice', max_us => number($latest[$worst]),
        map { $_ => number($slice{$_}) } qw(run start_s seconds missed periods smis) };
}

1;
