# SPDX-License-Identifier: GPL-2.0-or-later
# The runs of a picture: their values and the axis of these, and what title, key and notes say of them.
package Realfeel::Draw::Runs;
use Realfeel::Base::Modern;

use List::Util qw(all any first max min uniq uniqnum);
use POSIX qw(floor);
use Realfeel::Base::Units qw(counted cut cut_middle decimal printable width wrapped);
use Realfeel::Input::Keys qw(LATENCIES);
use Realfeel::Model::Report qw(common measure_name reasons_in);

use constant {
    US_PER_MS    => 1000,
    US_UP_TO     => 1e6,        # a logarithmic axis
    LINEAR_UP_TO => 1e4,        # a linear one, in us
    LIMIT_NEAR   => 5,          # times the largest value, up to which a limit is shown
    LIMITS_MOST  => 3,
    TOLERANCE    => 1e-6,
    NAMES_MAX    => 3,
    ROUND        => 10,         # from here on a rounded time has no decimals
    NEXT_UNIT    => 999.95,     # is rounded to 1000
    NAME_LEAST   => 12,         # so much of a name is worth more than the count
    NOTHING      => "there are no samples to draw; give a report that has some\n",
    REST         => ' ... (stats -v has all)',
};
use constant NUMBERS => [qw(no one two three four five six seven eight nine ten eleven twelve)];
use constant COUNTED => { delay => 'wake-up', lateness => 'period', wakeup => 'request', interval => 'sample' };
use constant SINCE   => {       # what follows the name of the measure on its axis
    delay => ' since due or woken', wakeup => ' since the request', interval => ', early or late, without its sign',
};

# $measure is lateness, wakeup, interval (without sign), or undef for the first that all have. If a file from 2002 is
# among them, interval errors of all are in its buckets. Dies with one line if a report lacks the measure, or if there
# is no sample at all. %$look is from Gnuplot::look_of, with names, those of the runs, and cpus, how many each has.
#
# Others may read look, reports, measure (never undef), values (a distribution in us for each report), some (those that
# are not empty), most (the largest number of values in any run), max_us, of_2002 (whether values are in buckets of 0.1
# ms) and counted_as: period, request, sample or wake-up.
sub new ($class, $look, $measure, @reports) {
    $measure //= _default(@reports);
    my @values = measured($measure, @reports);
    my @some = grep { $_->n } @values or die NOTHING;
    my $is_of_wakeups = $measure eq 'lateness' && all { $_->latency_words('value') eq 'wake-up' } @reports;
    return bless {
        look => $look, measure => $measure, reports => \@reports, values => \@values, some => \@some,
        most => max(map { $_->n } @some), max_us => max(map { $_->max } @some),
        of_2002 => _of_2002($measure, @reports), counted_as => $is_of_wakeups ? 'wake-up' : COUNTED->{$measure},
    }, $class;
}

sub _default (@reports) {
    my $common = common(@reports);
    return $common if defined $common;
    my ($one, $other) = grep { defined }
        map { my $name = $_; first { $_->latency && $_->{latency_name} eq $name } @reports } LATENCIES;
    die printable(join ', but ', map { $_->{file} . ' measures ' . $_->latency_words } $one, $other)
        . "; draw each kind by itself\n" if $one && $other;
    return 'interval';
}

sub _of_2002 ($measure, @reports) {
    return $measure eq 'interval' && any { $_->{format} eq '2002' } @reports;
}

# A distribution for each report
sub measured ($measure, @reports) {
    $measure //= _default(@reports);
    my $of_2002 = _of_2002($measure, @reports);
    return map { ($of_2002 ? $_->in_buckets : $_->measured($measure)) // _refuse($measure, $_) } @reports;
}

sub _refuse ($measure, $report) {
    my $other = common($report);
    my $known = $other ? "$measure; use --measure=$other or leave it out" : measure_name('interval') . '; leave it out';
    die printable($report->{file} . ": has no $known") . "\n";
}

# Of the values' axis
sub label ($self, $unit = undef) {
    my $since = $self->{of_2002} ? ', early ones as 0' : SINCE->{ $self->{measure} } // '';
    return measure_name($self->{measure}) . $since . ($unit ? " ($unit->{symbol})" : '');
}

# For both values in us: the unit, a hash of symbol and us; the low end in us; and the axis, see Draw::Gnuplot
sub log_axis ($self, $least, $most) {
    my ($low, $high) = log_range($least, $most);
    my $unit = $self->_unit($high > US_UP_TO || $low * $high > US_PER_MS**2);
    return ($unit, $low, [$low / $unit->{us}, $high / $unit->{us}, 'log']);
}

# The numbers 1, 2 or 5 of a decade on either side, at least a decade apart
sub log_range ($low, $high) {
    my ($first, $last) = (_round_index($low), _round_index($high) + 1);
    return map { _round_number($_) } $first, max($last, $first + 3);
}

sub _round_number ($index) { return 0 + ((1, 2, 5)[$index % 3] . 'e' . floor($index / 3)) }

# The last round number that is not more
sub _round_index ($value) {
    my $index = 3 * floor(log($value) / log(10)) - 1;
    $index++ while _round_number($index + 1) <= $value * (1 + TOLERANCE);
    return $index;
}

# For an axis from 0
sub linear_unit ($self, $high) { return $self->_unit($high >= LINEAR_UP_TO) }

sub _unit ($self, $is_large) {
    my ($name, $us) = $is_large || $self->{of_2002} ? ('ms', US_PER_MS) : ('us', 1);
    return { symbol => $self->{look}{symbol}{$name}, us => $us };
}

# Limits of --max in us, ascending, without those far above the largest value; few, and only if the measure is the
# latency to which they apply
sub limits ($self) {
    my @limited = grep { $_->{latency_name} eq $self->{measure} } @{ $self->{reports} };
    my @known = grep { $_ && $_ > 0 } map { $_->us('max_ns') } @limited;
    my @limits = grep { $_ <= LIMIT_NEAR * $self->{max_us} } sort { $a <=> $b } uniqnum @known;
    return @limits <= LIMITS_MOST ? @limits : ();
}

# A limit of --max with $symbol for us
sub limit_name ($us, $symbol) { return sprintf '--max=%.10g%s', $us, $symbol }

# Rows [maximum / $us, height, run] for runs with values
sub maxima ($self, $us, @heights) {
    my @values = @{ $self->{values} };
    return [map { [$values[$_]->max / $us, $heights[$_], $_ + 1] } grep { $values[$_]->n } 0 .. $#values];
}

# For each run name; cpus ("4 CPUs", undef for one); count with its noun; max in $unit (undef if empty); and doubts (the
# verdict unless valid)
sub facts ($self, $unit) {
    my @values = @{ $self->{values} };
    my ($names, $cpus, $symbol) = @{ $self->{look} }{qw(names cpus symbol)};
    my $time = sub ($us) {
        return $us && abs $us < $unit->{us} / 10 ? four_digits($us) . " $symbol->{us}"
            : four_digits($us / $unit->{us}) . " $unit->{symbol}";
    };
    return map {
        my ($report, $values) = ($self->{reports}[$_], $values[$_]);
        my $part = defined $report->header('thread') ? 'thread' : 'CPU';
        my @verdict = grep { $_ ne 'VALID' } uc($report->{verdict} // 'valid');
        +{
            name   => printable($names->[$_]),
            cpus   => $cpus->[$_] > 1 ? counted($cpus->[$_], $part) : undef,
            count  => counted($values->n, $self->{counted_as}),
            max    => $values->n ? 'max ' . ($values->max_is_exact ? '' : '< ') . $time->($values->max) : undef,
            doubts => [defined $report->{contradiction} ? 'schedule contradicted' : (), @verdict],
        };
    } 0 .. $#values;
}

# Lines of the key: name, CPUs, count, maximum and doubts
sub keys ($self, $unit) { return map { _key($self->{look}{room}, $_) } $self->facts($unit) }

# Without room the count goes, then the maximum, and finally the middle of the name
sub _key ($room, $facts) {
    my ($name, $cpus, $count, @max) = map { $_ // () } $facts->{name}, $facts->{cpus} // '', @$facts{qw(count max)};
    my @doubts = @{ $facts->{doubts} };
    my @wishes = map { ($cpus ne '' ? ", $cpus: " : ': ') . join ', ', @$_ }
        [$count, @max, @doubts], @doubts ? ([@max, @doubts], \@doubts) : ();
    my $least = min(NAME_LEAST, width($name));
    my $rest = (first { width($_) + width($name) <= $room } @wishes)
        // (first { width($_) + $least <= $room } @wishes) // $wishes[-1];
    return cut_middle($name, max($least, $room - width($rest))) . $rest;
}

# What is shown, host and date; and in a second line, kernel and source
sub title ($room, $what, @reports) {
    my @hosts = grep { !/\A(?:unknown|\(none\))\z/ } @{ _values('hostname', @reports) };
    my @days = sort map { ($_->header('started') // '') =~ /\A(\d{4}-\d\d-\d\d)T/ } @reports;
    my $when = join ' to ', @days ? uniq @days[0, -1] : ();
    my $host = @hosts ? cut_middle(_named('host', '', @hosts), max(NAME_LEAST, $room - width("$what, , $when"))) : '';
    return join(', ', grep { $_ ne '' } $what, $host, $when) . "\n" . _system($room, @reports);
}

# Kernel and source and, with room, preemption model and rate: what all runs share or, if little differs, what differs,
# by name. Kernels of one version with several preemption models are named by that version: "Linux 6.1.0-56, four
# preemption models". Without room, the kernel is dropped last.
sub _system ($room, @reports) {
    return 'kernel and source not recorded (file from 2002)' if !grep { $_->{format} ne '2002' } @reports;
    my ($kernels, $models, $sources, $rates) = map { _values($_, @reports) }
        qw(kernel_release preemption source frequency_hz);
    my @parts = (
        _named('kernel', 'Linux ', _versions($models, @$kernels)), _models(@$models), _named('source', '', @$sources),
        @$rates == 1 && $rates->[0] ne 'unknown' ? "$rates->[0] Hz" : '',
    );
    my @titles = map { join ', ', grep { $_ ne '' } @parts[@$_] } [0 .. 3], [0 .. 2], [0, 2, 3], [0, 2], [0];
    return (first { width($_) <= $room } @titles) // cut_middle($titles[-1], $room);
}

sub _values ($key, @reports) {
    return [uniq map {
        my $value = $key eq 'preemption' ? $_->preemption : $_->header($key);
        ($value // '') eq '' ? 'unknown' : printable($value);
    } @reports];
}

# The common version of kernels with several preemption models, if any, else all kernels
sub _versions ($models, @kernels) {
    return @kernels if @kernels == 1 || @$models == 1 || grep { $_ eq 'unknown' } @$models;
    my @versions = uniq map { /\A(\d+(?:\.\d+)+(?:-\d+)?)(?![\w.])/ ? $1 : $_ } @kernels;
    return @versions == 1 ? @versions : @kernels;
}

sub _models (@models) {
    return '' if grep { $_ eq 'unknown' } @models;
    return _listed(@models) if @models < NAMES_MAX;
    return (NUMBERS->[@models] // scalar @models) . ' preemption models';
}

sub _named ($what, $before, @values) {
    return @values . " ${what}s" if @values > NAMES_MAX;
    return "@values" eq 'unknown' ? "$what unknown" : $before . _listed(@values);
}

sub _listed (@names) {
    my $last = pop @names;
    return @names ? join(', ', @names) . " and $last" : $last;
}

# Up to two lines: which runs or CPUs are invalid and why, else the finding, '' if none; and the remark. Long ones end
# after a word and say how to see all.
sub notes ($look, $finding, $remark, @reports) {
    my @invalid = grep { ($_->{verdict} // '') eq 'invalid' } @reports;
    my $parts = grep { @{ $_->{part} } } @reports;
    my $what = !$parts ? 'runs, as they are marked' : $parts == @reports ? 'CPUs' : 'CPUs and runs';
    my $note = !@invalid ? $finding // '' : 'INVALID: ' . (@reports > 1 ? @invalid . ' of ' . @reports . " $what"
        : printable(join('; ', reasons_in($invalid[0]->header('verdict'))) || 'no reason given'));
    return (_folded($look->{width}, $note), cut($remark, $look->{room}));
}

sub _folded ($room, $note) {
    my $lines = sub ($columns, $text) { map { cut($_, $columns) } split /\n/, wrapped('', $text, $columns) };
    my ($first, $second, @rest) = $lines->($room, $note);
    return join "\n", grep { defined } $first // '', $second unless @rest;
    my ($kept) = $lines->($room - length REST, $second);
    return "$first\n$kept" . REST;
}

# At most three decimals, and never less than the whole part
sub four_digits ($number) {
    my $rounded = sprintf '%.4g', abs $number;
    return decimal($number, max(0, min(3, 4 - length int $rounded)));
}

# Four digits in a suitable unit: "8.190 us", "232.7 ms"
sub figure ($us) {
    my ($unit, $divisor) = $us < NEXT_UNIT ? ('us', 1) : $us < 1e3 * NEXT_UNIT ? ('ms', 1e3) : ('s', 1e6);
    return four_digits($us / $divisor) . " $unit";
}

# In us or ms, with as few digits as are read at a glance
sub rounded ($look, $us) {
    my ($unit, $time) = $us < US_PER_MS ? ('us', $us) : ('ms', $us / US_PER_MS);
    return decimal($time, $time < ROUND ? 1 : 0) . " $look->{symbol}{$unit}";
}

1;
