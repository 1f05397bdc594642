# SPDX-License-Identifier: GPL-2.0-or-later
# What is known about a run, for listing, page and JSON alike.
package Realfeel::Answer::Stats;
use Realfeel::Base::Modern;

use List::Util qw(max min uniqstr);
use POSIX qw(floor);
use Realfeel::Base::Typed qw(number rounded text);
use Realfeel::Input::Keys qw(key);
use Realfeel::Model::Report qw(reasons_in);
use Realfeel::Stat::Intervals qw(BEYOND);

# Keys whose values are numbers although they have no type in Input::Keys
use constant NUMBERS => qr/^(?:priority|return_code|thread|.*_(?:ns2?|us|ms|s|k?hz|ppm|kb)(?:_after)?)$/;

use constant QUARTER   => 4;
use constant LEAST_EXPONENT => -2;      # of a threshold: the finest bin edge is 0.01 us

# Each percentile, and the N of "one in N lies beyond"
use constant PERCENTILES => ([50, 2], [90, 10], [95, 20], [99, 100], [99.9, 1000], [99.99, 10_000], [99.999, 100_000],
    [99.9999, 1_000_000]);

use constant MINUTE_S  => 60;   # as long is a run that has intervals, at least
use constant TIMES     => 10;   # times as long is the run of longer()
use constant VARIES    => 0.1;  # the overheads of a ring: by more than this share of the figure
use constant NONE_SEEN => 3;    # of which none was seen, there are no more than this, 95 % (the rule of three)

# A header value; undef if missing, "unknown" or "(none)", a host without a name. A thread's missed is inferred_missed.
sub known ($report, $key) {
    my $value = $report->header($key eq 'missed' && defined $report->header('thread') ? 'inferred_missed' : $key);
    return defined $value && $value !~ /^(?:unknown|\(none\))$/ ? $value : undef;
}

# For what the run turned out to do, or what differs with every run; all other keys say how it was done
sub is_result ($key) { return key($key)->{class} eq 'result' }

# What identifies a run, and environment, all header lines on machine, rights and settings
sub identity ($report) {
    return {
        file => text($report->{file}),
        (map { $_ => setting($report, $_) } qw(version label started status verdict remarks)),
        environment => { map { $_ => setting($report, $_) } grep { !is_result($_) || /_after$/ } $report->keys },
    };
}

# LMbench's lat_ctx figure of a ring: a hash of value, mean hop minus least overhead in us; overhead_us; and doubt,
# undef if reliable: nothing or too little is left of the hop, the overhead varied, or a reason from an earlier version.
# undef for others.
sub lmbench ($report) {
    my ($us, $overhead_us, $says) = map { known($report, "lmbench_$_") } qw(us overhead_us doubtful);
    return { value => number($us), overhead_us => number($overhead_us), says => text($says),
        doubt => defined $says ? 'says' : undef } if defined $us;
    my $hops = $report->latency('wakeup') // return undef;
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

# A typed header value; a preemption model is unknown if the kernel does not name it
sub setting ($report, $key) {
    return typed($key, $key eq 'preemption' && !$report->preemption ? undef : known($report, $key));
}

# A number if the key has numbers, unless this value is a list or a word
sub typed ($key, $value) {
    my $is_number = $key =~ NUMBERS || (key($key)->{type} // '') =~ /count|positive|number\b|signed|whole|seconds/;
    return $is_number ? number($value) // text($value) : text($value);
}

# What the report has on interval error, delay, lateness, wake-up latency and, if periods were missed, latency of
# wake-ups: hashes of key; distribution; summary, see there; code, more specific than the key (signed interval errors;
# which wake-ups); and note: early_as_0, unreliable or undef
sub measures ($report, @keys) {
    my %is_wanted = map { $_ => 1 } @keys;
    my $is_early_as_0 = ($report->interval_errors // '') eq 'early as 0';
    my @known = (
        $is_early_as_0 ? [qw(interval interval early_as_0)] : [qw(interval signed)],
        [qw(delay delay)], [qw(lateness lateness), defined $report->{contradiction} ? 'unreliable' : ()],
        [qw(wakeup wakeup)], [wakeups => $report->{latency_name} . '_of_wakeups'],
    );
    return map {
        my ($key, $code, $note) = @$_;
        my $distribution = $key =~ /^(?:interval|wakeups)$/ ? $report->$key : $report->latency($key);
        $distribution ? { key => $key, code => $code, note => $note, distribution => $distribution,
            summary => summary($distribution, $report->pieces, $key) } : ();
    } grep { !@keys || $is_wanted{ $_->[0] } } @known;
}

# The measures to print first: interval error, then latency, if present
sub figured ($report, $measures) {
    return grep { defined } @$measures{'interval', $report->{latency_name}};
}

# Keys of the measures that make up the result: the latency, and wake-up latency if that differs; the interval error if
# there is no other, or the schedule is contradicted
sub headed ($report) {
    my $is_doubtful = !$report->latency || defined $report->{contradiction};
    my @latencies = uniqstr($report->{latency_name}, $report->latency('delay') ? () : 'wakeup');
    return ($is_doubtful ? 'interval' : (), $report->latency ? @latencies : ());
}

# Hashes of code, "contradicted" (the schedule is) or "verdict", and reason, as in the report
sub objections ($report) {
    my $contradiction = $report->{contradiction};
    my @reasons = grep { !defined $contradiction || !/^the schedule is contradicted\b/ }
        reasons_in($report->header('verdict'));
    return (
        defined $contradiction ? { code => 'contradicted', reason => text($contradiction) } : (),
        map { { code => 'verdict', reason => text($_) } } @reasons,
    );
}

# Whether the run was long enough, by the last of @measures: hashes of code with
#
#   later    max_us, and later_s: a greater one comes less than once in later_s
#   longer   duration_s and below_us, see longer()
#   short    too short for intervals
#   limit    count periods exceed limit_us, that of --max; one_in: N, where at most one in N does; undef if unknown
#   bins     percentile, the first in the open bin that begins at from_us
#   needs    the next percentile, and needs()
#   slice    _worst_slice()
sub sufficiency ($report, @measures) {
    my ($measure) = reverse @measures;
    return unless $measure && $measure->{summary}{count};
    my ($first) = grep { !defined $_->{value_us} } @{ $measure->{summary}{percentiles} };
    my ($later_s, $longer) = (later_s($report), $measure->{key} eq $report->{latency_name} ? longer($report) : undef);
    return (
        defined $later_s ? { code => 'later', max_us => number($measure->{summary}{max_us}), later_s => $later_s } : (),
        $longer ? { code => 'longer', %$longer } : (),
        (grep { $_->{open} } @{ $measure->{summary}{percentiles} }) ? { code => 'short' } : (),
        _limit($report, $measure),
        !$first ? () : $first->{lack} eq 'bins' ? { code => 'bins', %$first{qw(percentile from_us)} }
            : { code => 'needs', percentile => $first->{percentile}, %{ needs($report, $measure, $first->{more}) } },
        _worst_slice($report),
    );
}

# The seconds in which a latency above the maximum comes less than once, with 95 % confidence, by the rule of three:
# otherwise fewer than 5 % of such runs would have none. A burst counts once. undef if the length is unknown or the
# result below 1 s.
sub later_s ($report) {
    my $seconds = known($report, 'duration_s') // 0;
    return $seconds >= NONE_SEEN ? number($seconds / NONE_SEEN) : undef;
}

# What a run TIMES as long stays below if nothing changes, see Stat::Tail: a hash of duration_s and below_us. undef with
# too few slices, if the report is not valid, or if --break ended it, so that its maximum is not a random one.
sub longer ($report) {
    my ($latency, $seconds) = ($report->latency, known($report, 'duration_s'));
    return undef if !$latency || !$seconds || ($report->{verdict} // '') ne 'valid'
        || ($report->header('status') // '') eq 'break';
    my $slices = $report->columns('slices') // return undef;
    my ($maxima, %run) = ($slices->{ $report->{latency_name} . '_max_us' });
    for my $i (grep { $slices->{periods}[$_] > 0 } 0 .. $#{ $slices->{periods} }) {
        push @{ $run{ $slices->{run} ? $slices->{run}[$i] : 1 } }, [$slices->{periods}[$i], $maxima->[$i]];
    }
    require Realfeel::Stat::Tail;
    my @runs = @run{ sort { $a <=> $b } keys %run };
    my $us = Realfeel::Stat::Tail::limit(TIMES, $latency->max, @runs) // return undef;
    return { duration_s => number(TIMES * $seconds), below_us => number($us) };
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

# What $more values take: a hash of more and seconds, at the rate of the run, undef if unknown
sub needs ($report, $measure, $more) {
    my $seconds = $report->header('duration_s');
    return { more => number($more), seconds => number($seconds && $more * $seconds / $measure->{summary}{count}) };
}

# System management interrupts: a hash of count, and of the slices with some, undef if unknown; undef if none were
# counted
sub smis ($report) {
    my $count = known($report, 'smis') // return undef;
    my $of = ($report->columns('slices') // {})->{smis} // return { count => number($count) };
    my $is_known = !grep { $_ eq 'unknown' } @$of;
    return { count => number($count), slices => number($is_known ? scalar @$of : undef),
        some => number($is_known ? scalar grep({ $_ > 0 } @$of) : undef) };
}

# A hash of run (undef if there is only one), start_s, seconds, max_us, periods, missed and smis (undef if unknown);
# empty unless there are several slices
sub _worst_slice ($report) {
    my $slices = $report->columns('slices') or return;
    my @maxima = @{ $slices->{ $report->{latency_name} . '_max_us' } // [] };
    return if @maxima < 2;
    my ($worst) = sort { $maxima[$b] <=> $maxima[$a] || $a <=> $b } 0 .. $#maxima;
    my %slice = map { $_ => $slices->{$_} && $slices->{$_}[$worst] } qw(run start_s seconds missed periods smis);
    delete $slice{missed} if !defined known($report, 'missed') || defined $report->header('thread');
    return { code => 'slice', max_us => number($maxima[$worst]),
        map { $_ => number($slice{$_}) } qw(run start_s seconds missed periods smis) };
}

# By name: p50, p99.9
sub is_percentile ($name) { return scalar grep { $name eq "p$_->[0]" } PERCENTILES }

# A hash of count; min_us, mean_us, sd_us, mode_us and max_us, undef with too few values; percentiles, see there; and
# below, the ladder: hashes of threshold_us and count
sub summary ($distribution, $pieces = undef, $measure = undef) {
    my ($mode) = $distribution->mode;
    return {
        count       => number($distribution->n),
        mode_us     => number($mode),
        (map { ("${_}_us" => number(scalar $distribution->$_)) } qw(min mean sd max)),
        percentiles => [percentiles($distribution, $pieces, $measure)],
        below       => [map { { threshold_us => number($_), count => number($distribution->below($_)) } }
            ladder($distribution)],
    };
}

# Those listed, or @wanted: hashes of percentile, value_us and its 95 % interval low_us to high_us, undef where the data
# give no bound; open: "short" if the run is too short for any. Or, without a value, lack: "samples", with needed, more,
# how many are missing, and roughly_us, the value if anything lies beyond; or "bins", the open bin that begins at
# from_us. Without pieces there are no intervals.
sub percentiles ($distribution, $pieces, $measure, @wanted) {
    my %is_wanted = map { $_ => 1 } @wanted;
    my ($n, $from, $intervals) = ($distribution->n, $distribution->{open_from},
        $pieces && intervals($distribution, $pieces, $measure));
    return map {
        my ($percentile, $one_in) = @$_;
        my $needed = BEYOND * $one_in;
        my ($edge, $value) = $distribution->beyond($n / $one_in);
        my $is_open = defined $from && defined $edge && $edge >= $from;
        my ($low, $high) = $intervals && $n >= $needed && !$is_open ? $intervals->interval($one_in) : ();
        +{ percentile => $percentile, value_us => undef,
            $n < $needed ? (lack => 'samples', more => $needed - $n, needed => $needed,
                $n >= $one_in && !$is_open ? (roughly_us => number($value)) : ())
            : $is_open ? (lack => 'bins', more => undef, from_us => number($from))
            : (value_us => number($value), low_us => number($low), high_us => number($high),
                $pieces && !$intervals ? (open => $pieces->{unknown}) : ()) };
    } grep { !@wanted || $is_wanted{ $_->[0] } } PERCENTILES;
}

# The Stat::Intervals behind these; undef if the run is too short
sub intervals ($distribution, $pieces, $measure) {
    return defined $pieces->{unknown} ? undef : Realfeel::Stat::Intervals->new($distribution, $pieces, $measure);
}

# Thresholds in us that suit the data: 1, 2, 5 of each decade from the upper quartile's to the first above the maximum,
# without those inside a bin
sub ladder ($distribution) {
    return unless $distribution->n;
    my @thresholds;
    my $quarter = max(scalar $distribution->quantile(QUARTER), 10**LEAST_EXPONENT);
    my ($exponent) = sprintf('%e', $quarter) =~ /e([-+]\d+)$/;
    for (; ; $exponent++) {
        for my $threshold (map { 0 + "${_}e$exponent" } 1, 2, 5) {
            push @thresholds, $threshold if defined $distribution->below($threshold);
            return @thresholds if $threshold > $distribution->max;
        }
    }
}

1;
