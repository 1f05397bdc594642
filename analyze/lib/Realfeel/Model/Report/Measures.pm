# SPDX-License-Identifier: GPL-2.0-or-later
# What a report measured, as distributions and in the pieces of its run: methods of Model::Report. Each distribution is
# made on demand, once.
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

# Signed interval errors; undef if only latencies are known
sub interval ($self) {
    my ($bins, $errors) = ($self->{bins}, $self->interval_errors // return undef);
    my @known = ($self->_extreme, $self->_exact('interval'));
    return $self->{interval} //= $errors eq 'signed' ? $bins->signed(@known) : $bins->unsigned(['interval'], @known);
}

# "signed", or "early as 0" if the file does not tell early ones apart; undef as above
sub interval_errors ($self) {
    my $bins = $self->{bins};
    return $bins->has('interval') ? $bins->has('early') ? 'signed' : 'early as 0' : undef;
}

# Interval errors without sign; undef as above
sub magnitude ($self) {
    my $errors = $self->interval_errors // return undef;
    my @extremes = map { abs } grep { defined } map { $self->us($_) } qw(interval_min_ns interval_max_ns);
    return $self->{magnitude} //= $self->{bins}->unsigned(['interval', $errors eq 'signed' ? 'early' : ()],
        $self->_extreme, @extremes == 2 ? (max => max @extremes) : ());
}

# Interval errors in buckets of 0.1 ms, early ones as 0, like files of 2002
sub in_buckets ($self) {
    my $interval = $self->interval // return undef;
    return $interval->regroup(sub {
        my $low = $_[0] < 0 ? 0 : BUCKET_US * int($_[0] / BUCKET_US);
        return ($low, $low + BUCKET_US);
    });
}

# By name: delay, lateness, wakeup, or interval, which is the magnitude
sub measured ($self, $measure) {
    return $measure eq 'interval' ? $self->magnitude : $self->$measure;
}

# From when another program's thread was due to run, by its own timer or else by its waking, until it got a CPU
sub delay ($self)    { return $self->_since('delay') }
# Since a period was due; undef if unknown, as in files of 2002
sub lateness ($self) { return $self->_since('lateness') }
# Since a wake-up was asked for, or since the stamp of its cause
sub wakeup ($self)   { return $self->_since('wakeup') }
# What the report measures first, of delay, lateness and wakeup; undef if none
sub latency ($self)  { return $self->_since($self->latency_name) }

# "delay", "lateness" or "wakeup"; "lateness", too, if there is none
sub latency_name ($self) {
    return (first { $self->{bins}->has($_) } LATENCIES) // 'lateness';
}

# Its column in events
sub latency_us ($self) { return $self->latency_name . '_us' }

# Its name; or, by $which, what has a value (a period, request or wake-up), most, the greatest, is_above or are_above
sub latency_words ($self, $which = undef) {
    my $of = ($which // '') eq 'value' ? $self->header('lateness_of') : undef;
    return $of ? $of =~ s/s$//r : WORDS->{ $self->latency_name }{ $which // 'name' };
}

sub _since ($self, $name) {
    return undef unless $self->{bins}->has($name);
    return $self->{$name} //= $self->{bins}->unsigned([$name], $self->_extreme, $self->_exact($name));
}

# The maximum of the run, as far as it tells
sub _extreme ($self) {
    return max(map { abs($self->us($_) // 0) } qw(interval_min_ns interval_max_ns), map { "${_}_max_ns" } LATENCIES);
}

sub _exact ($self, $measure) {
    my %exact = map { $_ => $self->us("${measure}_${_}_ns") } qw(min max mean sd);
    return (%{ $self->{moments} // {} }, map { $_ => $exact{$_} } grep { defined $exact{$_} } keys %exact);
}

# Latencies of wake-ups, see wakeups in Stat::Bins; undef if equal to those of periods, as none was missed, or unknown
sub wakeups ($self) {
    my $missed = $self->header('missed') // 'unknown';
    return undef if $missed eq 'unknown' || $missed == 0 || !$self->latency || !$self->us('period_ns');
    return $self->{wakeups}
        //= Realfeel::Stat::Bins::wakeups($self->latency, $self->us('period_ns'), $self->header('samples'));
}

# Fifths of the run, by its slices, or the runs if five or more were merged; none without slices
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

# A hash from the lower edge of a bin to its count
sub _counted ($self, @rows) {
    my @wanted = ('from_us', $self->latency_name);
    my ($from, $counts) = @{ $self->columns('slice_bins', join '', @rows) }{@wanted};
    my %count;
    for (0 .. $#$from) { $count{ $from->[$_] } += $counts->[$_] if $counts->[$_] }
    return \%count;
}

# The first of delay, lateness, wakeup and interval that all reports have; undef if none
sub common (@reports) {
    return first { my $measure = $_; all { $_->$measure } @reports } LATENCIES, 'interval';
}

# $which: name, or more, which says greater
sub measure_name ($measure, $which = 'name') { return WORDS->{$measure}{$which} }

1;
