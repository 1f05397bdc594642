# SPDX-License-Identifier: GPL-2.0-or-later
# The runs of a picture: their values and their axis, and what title, key and notes say about them.
package Realfeel::Draw::Runs;
use Realfeel::Base::Modern;

use List::Util qw(all any first max min uniq uniqnum);
use Realfeel::Base::Units qw(counted cut cut_middle decimal listed printable width wrapped);
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
    NAME_LEAST   => 12,         # so much of a name is worth more than the count
    NOTHING      => "there are no samples to draw; give a report that has some\n",
    REST         => ' ... (stats -v has all)',
};
use constant NUMBERS => [qw(no one two three four five six seven eight nine ten eleven twelve)];
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
    ($measure, my $of_2002, my @values) = measured($measure, @reports);
    my @some = grep { $_->n } @values or die NOTHING;
    my $is_of_wakeups = $measure eq 'lateness' && all { $_->latency_words('value') eq 'wake-up' } @reports;
    return bless {
        look => $look, measure => $measure, reports => \@reports, values => \@values, some => \@some,
        most => max(map { $_->n } @some), max_us => max(map { $_->max } @some),
        of_2002 => $of_2002, counted_as => $is_of_wakeups ? 'wake-up' : measure_name($measure, 'value'),
    }, $class;
}

# The measure, by default the first that all have; whether values are in the buckets of 2002; and a distribution for
# each report
sub measured ($measure, @reports) {
    $measure //= common(@reports);
    unless (defined $measure) {
        my ($one, $other) = grep { defined }
            map { my $name = $_; first { $_->latency && $_->{latency_name} eq $name } @reports } LATENCIES;
        die printable(join ', but ', map { $_->{file} . ' measures ' . $_->latency_words } $one, $other)
            . "; draw each kind by itself\n" if $one && $other;
        $measure = 'interval';
    }
    my $of_2002 = $measure eq 'interval' && any { $_->{format} eq '2002' } @reports;
    return ($measure, $of_2002, map { ($of_2002 ? $_->in_buckets : $_->measured($measure)) // do {
        my $other = common($_);
        my $known = $other ? "$measure; use --measure=$other or leave" : measure_name('interval') . '; leave';
        die printable("$_->{file}: has no $known it out") . "\n";
    } } @reports);
}

# For the value axis
sub label ($self, $unit = undef) {
    my $since = $self->{of_2002} ? ', early ones as 0' : SINCE->{ $self->{measure} } // '';
    return measure_name($self->{measure}) . $since . ($unit ? " ($unit->{symbol})" : '');
}

# For both values in us: the unit, a hash of symbol and us; the low end in us; and the axis, see Draw::Gnuplot
sub log_axis ($self, $least, $most) {
    my ($low, $high) = log_range($least, $most);
    my $unit = $self->unit($high > US_UP_TO || $low * $high > US_PER_MS**2);
    return ($unit, $low, [$low / $unit->{us}, $high / $unit->{us}, 'log']);
}

# The numbers 1, 2 or 5 of a decade on either side, at least a decade apart
sub log_range ($low, $high) {
    my @round = map { my $decade = $_; map { 0 + "${_}e$decade" } 1, 2, 5 } -12 .. 15;
    my ($first, $last) = map { my $value = $_ * (1 + TOLERANCE); -1 + grep { $_ <= $value } @round } $low, $high;
    return @round[$first, max($last + 1, $first + 3)];
}

# ms for what is large, else us
sub unit ($self, $is_large) {
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

# For each run: name; cpus ("4 CPUs", undef for one); count with its noun; max in $unit (undef if empty); and doubts
# (the verdict unless valid)
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

# Lines of the key: name, CPUs, count, maximum and doubts. If space is short, the count goes, then the maximum, and
# finally the middle of the name.
sub keys ($self, $unit) {
    my $room = $self->{look}{room};
    return map {
        my ($name, $cpus, $count, $max, $doubts) = @$_{qw(name cpus count max doubts)};
        my @max = $max // ();
        my @wishes = map { (defined $cpus ? ", $cpus: " : ': ') . join ', ', @$_ }
            [$count, @max, @$doubts], @$doubts ? ([@max, @$doubts], $doubts) : ();
        my $least = min(NAME_LEAST, width($name));
        my $rest = (first { width($_) + width($name) <= $room } @wishes)
            // (first { width($_) + $least <= $room } @wishes) // $wishes[-1];
        cut_middle($name, max($least, $room - width($rest))) . $rest;
    } $self->facts($unit);
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
# preemption models". If space is short, the kernel goes last.
sub _system ($room, @reports) {
    return 'kernel and source not recorded (file from 2002)' if !grep { $_->{format} ne '2002' } @reports;
    my ($kernels, $models, $sources, $rates) = map { _values($_, @reports) }
        qw(kernel_release preemption source frequency_hz);
    my @versions = @$kernels == 1 || @$models == 1 || (grep { $_ eq 'unknown' } @$models) ? ()
        : uniq map { /\A(\d+(?:\.\d+)+(?:-\d+)?)(?![\w.])/ ? $1 : $_ } @$kernels;
    my @parts = (
        _named('kernel', 'Linux ', @versions == 1 ? @versions : @$kernels),
        (grep { $_ eq 'unknown' } @$models) ? '' : @$models < NAMES_MAX ? listed(@$models)
            : (NUMBERS->[@$models] // scalar @$models) . ' preemption models', _named('source', '', @$sources),
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

sub _named ($what, $before, @values) {
    return @values . " ${what}s" if @values > NAMES_MAX;
    return "@values" eq 'unknown' ? "$what unknown" : $before . listed(@values);
}

# Up to two lines: which runs or CPUs are invalid and why, else the finding, '' if none; and the remark. Long ones end
# after a word and say how to see all.
sub notes ($look, $finding, $remark, @reports) {
    my @invalid = grep { ($_->{verdict} // '') eq 'invalid' } @reports;
    my $parts = grep { @{ $_->{part} } } @reports;
    my $what = !$parts ? 'runs, as they are marked' : $parts == @reports ? 'CPUs' : 'CPUs and runs';
    my $note = !@invalid ? $finding // '' : 'INVALID: ' . (@reports > 1 ? @invalid . ' of ' . @reports . " $what"
        : printable(join('; ', reasons_in($invalid[0]->header('verdict'))) || 'no reason given'));
    my $lines = sub ($columns, $text) { map { cut($_, $columns) } split /\n/, wrapped('', $text, $columns) };
    my ($first, $second, @rest) = $lines->($look->{width}, $note);
    ($second) = map { $_ . REST } ($lines->($look->{width} - length REST, $second))[0] if @rest;
    return (join("\n", $first // '', $second // ()), cut($remark, $look->{room}));
}

# At most three decimals, and the whole part in full
sub four_digits ($number) {
    my $rounded = sprintf '%.4g', abs $number;
    return decimal($number, max(0, min(3, 4 - length int $rounded)));
}

# In us or ms, with few enough digits to read at a glance
sub rounded ($look, $us) {
    my ($unit, $time) = $us < US_PER_MS ? ('us', $us) : ('ms', $us / US_PER_MS);
    return decimal($time, $time < ROUND ? 1 : 0) . " $look->{symbol}{$unit}";
}

1;
