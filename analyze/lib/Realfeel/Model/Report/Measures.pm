# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Report::Measures;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(common measure_name);

use List::Util qw(all first max);
use Realfeel::Base::Typed qw(number);
use Realfeel::Input::Format1::Columns qw(LATENCIES);
use Realfeel::Stat::Bins;

use constant BUCKET_US => 100;      # of 2002
use constant FIFTHS    => 5;
use constant MINUTE_S  => 59;      # at a period a second, a run of a minute lacks its first
use constant WORDS => {
    lateness => { name => 'lateness', value => 'period', more => 'later', most => 'latest',
        is_above => 'was later than', are_above => 'were later than' },
    delay => { name => 'delay', value => 'wake-up', more => 'longer', most => 'longest',
        is_above => 'took longer than', are_above => 'took longer than' },
    wakeup => { name => 'wake-up latency', value => 'request', more => 'longer', most => 'longest',
        is_above => 'took longer than', are_above => 'took longer than' },
    interval => { name => 'interval error' },
};

=head1 NAME

Realfeel::Model::Report::Measures - what a report measured, as distributions, and in the pieces of its run

=head1 METHODS

Of L<Realfeel::Model::Report>. Each distribution is made when it is asked for, and once.

=head2 interval

The L<Realfeel::Stat::Distribution> of the interval errors, signed; undef where only latenesses are known.

=cut

sub interval ($self) {
    my ($bins, $errors) = ($self->{bins}, $self->interval_errors // return undef);
    my @known = ($self->_extreme, $self->_exact('interval'));
    return $self->{interval} //= $errors eq 'signed' ? $bins->signed(@known) : $bins->unsigned(['interval'], @known);
}

=head2 interval_errors

How these count: C<signed>, or C<early as 0> where the file does not tell early ones apart; undef like these.

=cut

sub interval_errors ($self) {
    my $bins = $self->{bins};
    return $bins->has('interval') ? $bins->has('early') ? 'signed' : 'early as 0' : undef;
}

=head2 magnitude

The distribution of the interval errors without their sign, undef like these.

=cut

sub magnitude ($self) {
    my $errors = $self->interval_errors // return undef;
    my @extremes = map { abs } grep { defined } map { $self->us($_) } qw(interval_min_ns interval_max_ns);
    return $self->{magnitude} //= $self->{bins}->unsigned(['interval', $errors eq 'signed' ? 'early' : ()],
        $self->_extreme, @extremes == 2 ? (max => max @extremes) : ());
}

=head2 in_buckets

The interval errors in buckets of 0.1 ms, as files of 2002 have them, early ones as 0.

=cut

sub in_buckets ($self) {
    my $interval = $self->interval // return undef;
    return $interval->regroup(sub {
        my $low = $_[0] < 0 ? 0 : BUCKET_US * int($_[0] / BUCKET_US);
        return ($low, $low + BUCKET_US);
    });
}

=head2 measured($measure)

That of one of the measures that may be chosen: C<delay>, C<lateness>, C<wakeup>, or C<interval>, which is the
magnitude.

=cut

sub measured ($self, $measure) {
    return $measure eq 'interval' ? $self->magnitude : $self->$measure;
}

=head2 delay

That of the time from when a thread of another program was due to run, by its own timer or else by its waking, until it
had a CPU.

=head2 lateness

The distribution of the latenesses, since a period was due; undef where they are not known, as in a file of 2002.

=head2 wakeup

That of the wake-up latencies, since a wake-up was asked for, or since the stamp of what caused it.

=head2 latency

What of these the report measures first: delay, else lateness; undef where it knows none.

=head2 latency_name

Which one that is: C<delay>, C<lateness> or C<wakeup>. A report that knows none has no C<lateness>.

=head2 latency_us

The column of C<events> that has it.

=head2 latency_words($which)

The same in words: C<delay>, C<lateness> or C<wake-up latency>; or of these what has a C<value>, a period, a request or
a wake-up; the greatest, C<most>; and how to say that one or several are above a value, C<is_above> and C<are_above>.

=cut

sub delay ($self)    { return $self->_since('delay') }
sub lateness ($self) { return $self->_since('lateness') }
sub wakeup ($self)   { return $self->_since('wakeup') }
sub latency ($self)  { return $self->_since($self->latency_name) }

sub latency_name ($self) {
    return (first { $self->{bins}->has($_) } LATENCIES) // 'lateness';
}

sub latency_us ($self) { return $self->latency_name . '_us' }

sub latency_words ($self, $which = undef) {
    my $of = ($which // '') eq 'value' ? $self->header('lateness_of') : undef;
    return $of ? $of =~ s/s$//r : WORDS->{ $self->latency_name }{ $which // 'name' };
}

sub _since ($self, $name) {
    return undef unless $self->{bins}->has($name);
    return $self->{$name} //= $self->{bins}->unsigned([$name], $self->_extreme, $self->_exact($name));
}

# The most that the run measured, as far as it says so.
sub _extreme ($self) {
    return max(map { abs($self->us($_) // 0) } qw(interval_min_ns interval_max_ns), map { "${_}_max_ns" } LATENCIES);
}

sub _exact ($self, $measure) {
    my %exact = map { $_ => $self->us("${measure}_${_}_ns") } qw(min max mean sd);
    return (%{ $self->{moments} // {} }, map { $_ => $exact{$_} } grep { defined $exact{$_} } keys %exact);
}

=head2 wakeups

The distribution of the latencies of wake-ups, see C<wakeups> of L<Realfeel::Stat::Bins>; undef where it is that of the
periods, because none was missed, or is not known.

=cut

sub wakeups ($self) {
    my $missed = $self->header('missed') // 'unknown';
    return undef if $missed eq 'unknown' || $missed == 0 || !$self->latency || !$self->us('period_ns');
    return $self->{wakeups}
        //= Realfeel::Stat::Bins::wakeups($self->latency, $self->us('period_ns'), $self->header('samples'));
}

=head2 pieces

The L<Realfeel::Stat::Pieces> of the run, whose latency in each the slices have: fifths, or its runs where five or more
were merged. Where there are no slices there are none.

=cut

sub pieces ($self) {
    require Realfeel::Stat::Pieces;
    return $self->{pieces} //= Realfeel::Stat::Pieces->new($self->latency ? (
        latency => $self->latency,
        measure => $self->latency_name,
        period  => $self->header('lateness_of') ? undef : $self->us('period_ns'),
        $self->_cut,
    ) : ());
}

sub _cut ($self) {
    my @runs = $self->groups('slice_bins', 'run');
    return (unit => 'runs', bins => $self->_bins_of(map { [$_] } @runs)) if @runs >= FIFTHS;
    return (unknown => 'short') if (number($self->header('duration_s')) // MINUTE_S) < MINUTE_S;
    return unless $self->has('slice_bins');
    my @slices = $self->groups('slice_bins', 'start_s');
    return (unknown => 'short') if @slices < FIFTHS;
    my @first = map { int($_ * @slices / FIFTHS) } 0 .. FIFTHS;
    my @fifths = map { [@slices[$first[$_] .. $first[$_ + 1] - 1]] } 0 .. FIFTHS - 1;
    return (unit => 'fifths', bins => $self->_bins_of(@fifths));
}

sub _bins_of ($self, @pieces) {
    return [grep { %$_ } map { $self->_counted(@$_) } @pieces];
}

# From the lower edge of a bin to its count.
sub _counted ($self, @rows) {
    my @wanted = ('from_us', $self->latency_name);
    my ($from, $counts) = @{ $self->columns('slice_bins', join '', @rows) }{@wanted};
    my %count;
    for (0 .. $#$from) { $count{ $from->[$_] } += $counts->[$_] if $counts->[$_] }
    return \%count;
}

=head1 FUNCTIONS

=head2 common(@reports)

The first of C<delay>, C<lateness>, C<wakeup> and C<interval> that all these reports know; undef where there is none.

=head2 measure_name($measure, $which)

What one of these is called; or with C<$which> as of C<latency_words>, of which C<more> is how to say greater.

=cut

sub common (@reports) {
    return first { my $measure = $_; all { $_->$measure } @reports } LATENCIES, 'interval';
}

sub measure_name ($measure, $which = 'name') { return WORDS->{$measure}{$which} }

1;
