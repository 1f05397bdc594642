# SPDX-License-Identifier: GPL-2.0-or-later
# Checks what realfeel --explain adds to a report, beyond the form of rows and column sums: the parts of a lateness add
# up to it, records belong to worst wake-ups that exist and are in order of time, and a switch has both of its tasks.
package Realfeel::Input::Format1::Explain;
use Realfeel::Base::Modern;

use Realfeel::Input::Format1::Columns qw(LATENCIES PARTS);

use constant {
    ROUNDED_NS => 3,        # by at most so much, as five means are by half a nanosecond each
    PARTS_US     => [map { "${_}_us" } PARTS],
    LATENCIES_US => [map { "${_}_us" } LATENCIES],

    # Which columns of each data set are checked
    LOOKED_AT => {
        events    => [map { "${_}_us" } LATENCIES, PARTS],
        records   => [qw(event at_us kind id)],
        parts_by_lateness => [qw(from_us to_us), PARTS],
    },
    COUNTS  => [qw(parts_matched parts_unknown trace_lost)],
    SUMS    => [qw(parts_lateness_sum_ns), map { "${_}_sum_ns" } PARTS],
};

# $fail->($what, $line) reports a fault and does not return
sub new ($class, $fail) {
    return bless { fail => $fail, events => 0 }, $class;
}

# The columns of $set to pass to rows; none if there is nothing to check
sub takes ($self, $set) { return @{ LOOKED_AT->{$set} // [] } }

# $first is the line number of the first row
sub rows ($self, $set, $first, $columns) {
    my $check = { events => \&_event, parts_by_lateness => \&_means, records => \&_record }->{$set};
    my ($names, @columns) = ([keys %$columns], values %$columns);
    for my $i (0 .. $#{ $columns[0] }) {
        my %row;
        @row{@$names} = map { $_->[$i] } @columns;
        $check->($self, \%row, $first + $i);
    }
}

# Thousandths as whole numbers, so that sums are exact
sub _ns ($us) { return 0 + sprintf '%.0f', 1000 * $us }

sub _event ($self, $row, $line) {
    my ($latency) = grep { defined $row->{$_} } @{ LATENCIES_US() };
    $self->{events}++;
    my @parts = grep { defined } @$row{@{ PARTS_US() }};
    my @known = grep { $_ ne 'unknown' } @parts or return;
    $self->{fail}->("of the five parts only some are unknown", $line) if @known < @parts;
    my $sum = 0;
    $sum += _ns($_) for @known;
    $self->{fail}->("the parts add up to @{[$sum / 1000]} us, $latency is $row->{$latency}", $line)
        if $sum != _ns($row->{$latency});
}

# The means of a row, each rounded to a nanosecond, must add up to a lateness between its edges
sub _means ($self, $row, $line) {
    my $sum = 0;
    $sum += _ns($row->{$_}) for PARTS;
    my ($low, $high) = (_ns($row->{from_us}), $row->{to_us} eq 'inf' ? $sum : _ns($row->{to_us}));
    $low = $sum if $row->{from_us} == 0;                # wake-ups before their due time are in the first bin
    $self->{fail}->("the parts add up to @{[$sum / 1000]} us, not between $row->{from_us} and $row->{to_us} us", $line)
        if $sum < $low - ROUNDED_NS || $sum > $high + ROUNDED_NS;
}

# The line of the task that leaves the CPU is followed by the one that gets it, with the same time
sub _record ($self, $row, $line) {
    my $last = $self->{record} // { event => 0, kind => '' };
    my ($event, $at, $kind) = @$row{qw(event at_us kind)};
    my $is_same = $event == $last->{event};
    $self->{fail}->("event $event is not there, events has $self->{events}", $line) if $event > $self->{events};
    $self->{fail}->("event $event is out of order", $line) if $event < $last->{event};
    $self->{fail}->("the record at $at us is earlier than the one before", $line) if $is_same && $at < $last->{at_us};
    my $is_switched = $last->{kind} eq 'switch_out';
    $self->{fail}->('a switch has only one of its two tasks', $line) if $is_switched != ($kind eq 'switch_in')
        || $is_switched && !($is_same && $at == $last->{at_us});
    $self->{fail}->("the task of this $kind has no number", $line)
        if $kind =~ /^(?:waking|switch_in)/ && $row->{id} eq '-';
    @$self{qw(record record_line)} = ($row, $line);
}

# Checks what takes the whole report
sub end ($self, $header, $line_of) {
    $self->{fail}->('a switch has only one of its two tasks', $self->{record_line})
        if ($self->{record} // { kind => '' })->{kind} eq 'switch_out';
    my @missing = grep { !defined $header->{$_} } @{ COUNTS() };
    return if @missing == @{ COUNTS() };
    $self->{fail}->("the header has no '$missing[0]'") if @missing;
    my ($matched, $unknown) = @$header{qw(parts_matched parts_unknown)};
    $self->{fail}->('parts_matched + parts_unknown is not samples', $line_of->{parts_matched})
        if $matched + $unknown != $header->{samples};
    $self->_sums($header, $line_of) if $matched;
}

sub _sums ($self, $header, $line_of) {
    my ($lateness, @parts) = map {
        $header->{$_} // $self->{fail}->("the header has no '$_'")
    } @{ SUMS() };
    my $sum = _sum(@parts);
    $self->{fail}->("parts_lateness_sum_ns is $lateness, but the parts add up to $sum",
        $line_of->{parts_lateness_sum_ns}) if $sum ne _sum($lateness);
}

# Any length; most runs do without Math::BigInt, which loads slowly
sub _sum (@numbers) {
    my $is_long = grep { length > 17 } @numbers;
    require Math::BigInt if $is_long;
    my $sum = $is_long ? Math::BigInt->bzero : 0;
    $sum += $_ for @numbers;
    return "$sum";
}

1;
