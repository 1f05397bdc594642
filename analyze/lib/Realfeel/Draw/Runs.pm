# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Runs;
use Realfeel::Base::Modern;

use List::Util qw(all any first uniqnum);
use Realfeel::Base::Units qw(printable);
use Realfeel::Draw::Axis qw(log_range);
use Realfeel::Draw::Words qw(four_digits key words);
use Realfeel::Input::Format1::Columns qw(LATENCIES);
use Realfeel::Model::Report::Measures qw(common measure_name);

use constant {
    US_PER_MS    => 1000,
    US_UP_TO     => 1e6,        # a logarithmic axis
    LINEAR_UP_TO => 1e4,        # a linear one, in us
    LIMIT_NEAR   => 5,          # a limit so many times above the largest value is still shown
    LIMITS_MOST  => 3,
    NOTHING      => "there are no samples to draw; name a report that has some\n",
};

=head1 NAME

Realfeel::Draw::Runs - the runs that a picture shows: their values, and what it says of them

=head1 METHODS

=head2 new(\%look, $measure, @reports)

C<$measure> is C<lateness>; C<wakeup>, the wake-up latency; C<interval>, the interval error without its sign; or undef:
the first of these that all reports have. Where a file of 2002 is among them, interval errors are in the buckets of such
files, of all of them. Dies with one line where a report does not know the measure, or when there is no sample at all.
Of the look there are C<symbol>, how us and ms are written; C<power>, how a power of 10; C<room>, how many characters
fit beside a line of the key; C<x> and C<y>, how many along the axes; C<is_terminal>; C<names>, those of the runs; and
C<cpus>, of how many CPUs each is.

=cut

sub new ($class, $look, $measure, @reports) {
    $measure //= _default(@reports);
    my $of_2002 = _of_2002($measure, @reports);
    my @values = measured($measure, @reports);
    die NOTHING unless any { $_->n } @values;
    my $is_of_wakeups = $measure eq 'lateness' && all { $_->latency_words('value') eq 'wake-up' } @reports;
    return bless {
        look => $look, measure => $measure, reports => \@reports, values => \@values, of_2002 => $of_2002,
        label   => words('axis.' . ($of_2002 ? 'early' : $measure), measure => measure_name($measure)),
        counted => words('counted.' . ($is_of_wakeups ? 'wakeups' : $measure)),
    }, $class;
}

sub _default (@reports) {
    my $common = common(@reports);
    return $common if defined $common;
    my ($one, $other) = grep { defined }
        map { my $name = $_; first { $_->latency && $_->latency_name eq $name } @reports } LATENCIES;
    die printable(join ', but ', map { $_->file . ' measures ' . $_->latency_words } $one, $other)
        . "; draw each kind by itself\n" if $one && $other;
    return 'interval';
}

sub _of_2002 ($measure, @reports) {
    return $measure eq 'interval' && any { $_->format eq '2002' } @reports;
}

sub _values ($measure, $of_2002, $report) {
    my $values = $of_2002 ? $report->in_buckets : $report->measured($measure);
    return $values if $values;
    my $other = common($report);
    my $known = $other ? "$measure; use --measure=$other or leave it out" : measure_name('interval') . '; leave it out';
    die printable($report->file . ": has no $known") . "\n";
}

=head2 measured($measure, @reports)

A function: the values alone, a L<Realfeel::Stat::Distribution> of each.

=cut

sub measured ($measure, @reports) {
    $measure //= _default(@reports);
    my $of_2002 = _of_2002($measure, @reports);
    return map { _values($measure, $of_2002, $_) } @reports;
}

=head2 reports

The reports.

=head2 values

The L<Realfeel::Stat::Distribution> of each, in microseconds.

=head2 some

Those that are not empty.

=head2 n

The most values that one of them has.

=head2 max

The largest value of all.

=head2 measure

As above; never undef.

=head2 of_2002

Whether the values are in buckets of 0.1 ms.

=head2 look

As above.

=head2 label

What the axis of the values says, but for its unit.

=head2 counted

What is counted: C<period>, C<request>, C<sample> or C<wake-up>.

=head2 per_bin

What an axis of counts says.

=cut

sub reports ($self)     { return @{ $self->{reports} } }
sub values ($self)      { return @{ $self->{values} } }
sub some ($self)        { return grep { $_->n } $self->values }
sub n ($self)           { return List::Util::max(map { $_->n } $self->values) }
sub max ($self)         { return List::Util::max(map { $_->max } $self->some) }
sub measure ($self)     { return $self->{measure} }
sub of_2002 ($self)     { return $self->{of_2002} }
sub look ($self)        { return $self->{look} }
sub label ($self)       { return $self->{label} }
sub counted ($self)     { return $self->{counted} }

sub per_bin ($self) {
    return words($self->of_2002 ? 'axis.counts_2002' : 'axis.counts', counted => $self->counted);
}

=head2 log_axis($least, $most)

Of a logarithmic axis that has room for both values in us the unit, a hash of C<symbol>, how it is written, and C<us>,
how many us it is; its low end in us; and the axis.

=head2 linear_unit($high)

The unit for a linear axis from 0.

=cut

sub log_axis ($self, $least, $most) {
    my ($low, $high) = log_range($least, $most);
    my $unit = $self->_unit($high > US_UP_TO || $low * $high > US_PER_MS**2);
    return ($unit, $low, [$low / $unit->{us}, $high / $unit->{us}, 'log']);
}

sub linear_unit ($self, $high) {
    return $self->_unit($high >= LINEAR_UP_TO);
}

sub _unit ($self, $is_large) {
    my ($name, $us) = $is_large || $self->of_2002 ? ('ms', US_PER_MS) : ('us', 1);
    return { symbol => $self->{look}{symbol}{$name}, us => $us };
}

=head2 limits

The limits of --max that the reports have, in us, ascending, as far as they are not far above the largest value, and
few. There are none unless the measure is the latency of the reports, which they are for.

=cut

sub limits ($self) {
    my @limited = grep { $_->latency_name eq $self->measure } $self->reports;
    my @known = grep { $_ && $_ > 0 } map { $_->us('max_ns') } @limited;
    my @limits = grep { $_ <= LIMIT_NEAR * $self->max } sort { $a <=> $b } uniqnum @known;
    return @limits <= LIMITS_MOST ? @limits : ();
}

=head2 maxima($us, @heights)

Where the maximum of each run is marked: rows of C<[maximum, height, run]>, the maximum divided by C<$us>. Runs without
values have none.

=cut

sub maxima ($self, $us, @heights) {
    my @values = $self->values;
    return [map { [$values[$_]->max / $us, $heights[$_], $_ + 1] } grep { $values[$_]->n } 0 .. $#values];
}

=head2 keys($unit)

The lines of the key: the name of the run, of how many CPUs it is, and its facts.

=head2 facts($unit)

Of each run a hash: C<cpus>, of how many CPUs it is, with their noun, undef where of one; C<count>, how many values
there are, with their noun; C<max>, the largest, in the unit of the axis, undef where there are none; and C<doubts>, an
array of the verdict unless it is valid.

=cut

sub keys ($self, $unit) {
    my @names = map { printable($_) } @{ $self->{look}{names} };
    my @facts = $self->facts($unit);
    return map { key($self->{look}{room}, $names[$_], $facts[$_]) } 0 .. $#names;
}

sub facts ($self, $unit) {
    my @values = $self->values;
    my @cpus = @{ $self->{look}{cpus} };
    my @parts = map { defined $_->header('thread') ? 'thread' : 'CPU' } @{ $self->{reports} };
    return map { {
        cpus   => $cpus[$_] > 1 ? Realfeel::Base::Units::counted($cpus[$_], $parts[$_]) : undef,
        count  => Realfeel::Base::Units::counted($values[$_]->n, $self->counted),
        max    => $values[$_]->n ? $self->_max($unit, $values[$_]) : undef,
        doubts => [_doubts($self->{reports}[$_])],
    } } 0 .. $#values;
}

sub _max ($self, $unit, $values) {
    return words($values->max_is_exact ? 'key.max' : 'key.max_below', max => $self->_time($unit, $values->max));
}

sub _time ($self, $unit, $us) {
    return four_digits($us) . " $self->{look}{symbol}{us}" if $us && abs $us < $unit->{us} / 10;
    return four_digits($us / $unit->{us}) . " $unit->{symbol}";
}

sub _doubts ($report) {
    my $verdict = $report->verdict // 'valid';
    return (defined $report->contradiction ? words('key.contradicted') : (), $verdict eq 'valid' ? () : uc $verdict);
}

1;
