# SPDX-License-Identifier: GPL-2.0-or-later
# The runs of a picture: their values, and what is said of them.
package Realfeel::Draw::Runs;
use Realfeel::Base::Modern;

use List::Util qw(all any first uniqnum);
use Realfeel::Base::Units qw(printable);
use Realfeel::Draw::Axis qw(log_range);
use Realfeel::Draw::Words qw(four_digits key words);
use Realfeel::Input::Keys qw(LATENCIES);
use Realfeel::Model::Report qw(common measure_name);

use constant {
    US_PER_MS    => 1000,
    US_UP_TO     => 1e6,        # a logarithmic axis
    LINEAR_UP_TO => 1e4,        # a linear one, in us
    LIMIT_NEAR   => 5,          # a limit so many times above the largest value is still shown
    LIMITS_MOST  => 3,
    NOTHING      => "there are no samples to draw; name a report that has some\n",
};

# $measure is lateness, wakeup, interval (without sign), or undef for the first that all have. If a file of 2002 is
# among them, interval errors of all are in its buckets. Dies with one line if a report lacks the measure, or if there
# is no sample at all. %$look is from Gnuplot::look_of, with names, those of the runs, and cpus, how many each has.
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

# A distribution for each report
sub measured ($measure, @reports) {
    $measure //= _default(@reports);
    my $of_2002 = _of_2002($measure, @reports);
    return map { _values($measure, $of_2002, $_) } @reports;
}

sub reports ($self)     { return @{ $self->{reports} } }
# A distribution in us for each
sub values ($self)      { return @{ $self->{values} } }
# Those that are not empty
sub some ($self)        { return grep { $_->n } $self->values }
# The most values of any run
sub n ($self)           { return List::Util::max(map { $_->n } $self->values) }
sub max ($self)         { return List::Util::max(map { $_->max } $self->some) }
# Never undef
sub measure ($self)     { return $self->{measure} }
# Whether values are in buckets of 0.1 ms
sub of_2002 ($self)     { return $self->{of_2002} }
sub look ($self)        { return $self->{look} }
# Of the values' axis, without the unit
sub label ($self)       { return $self->{label} }
# period, request, sample or wake-up
sub counted ($self)     { return $self->{counted} }

# The label of a count axis
sub per_bin ($self) {
    return words($self->of_2002 ? 'axis.counts_2002' : 'axis.counts', counted => $self->counted);
}

# For both values in us: the unit, a hash of symbol and us; the low end in us; and the axis
sub log_axis ($self, $least, $most) {
    my ($low, $high) = log_range($least, $most);
    my $unit = $self->_unit($high > US_UP_TO || $low * $high > US_PER_MS**2);
    return ($unit, $low, [$low / $unit->{us}, $high / $unit->{us}, 'log']);
}

# For an axis from 0
sub linear_unit ($self, $high) {
    return $self->_unit($high >= LINEAR_UP_TO);
}

sub _unit ($self, $is_large) {
    my ($name, $us) = $is_large || $self->of_2002 ? ('ms', US_PER_MS) : ('us', 1);
    return { symbol => $self->{look}{symbol}{$name}, us => $us };
}

# Limits of --max in us, ascending, without those far above the largest value; few, and only if the measure is the
# latency to which they apply
sub limits ($self) {
    my @limited = grep { $_->latency_name eq $self->measure } $self->reports;
    my @known = grep { $_ && $_ > 0 } map { $_->us('max_ns') } @limited;
    my @limits = grep { $_ <= LIMIT_NEAR * $self->max } sort { $a <=> $b } uniqnum @known;
    return @limits <= LIMITS_MOST ? @limits : ();
}

# Rows [maximum / $us, height, run] for runs with values
sub maxima ($self, $us, @heights) {
    my @values = $self->values;
    return [map { [$values[$_]->max / $us, $heights[$_], $_ + 1] } grep { $values[$_]->n } 0 .. $#values];
}

# Lines of the key: name, number of CPUs, and facts
sub keys ($self, $unit) {
    my @names = map { printable($_) } @{ $self->{look}{names} };
    my @facts = $self->facts($unit);
    return map { key($self->{look}{room}, $names[$_], $facts[$_]) } 0 .. $#names;
}

# For each run cpus, "4 CPUs", undef for one; count with its noun; max in $unit, undef if empty; and doubts, the verdict
# unless valid
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
