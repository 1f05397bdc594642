# SPDX-License-Identifier: GPL-2.0-or-later
# Whether a machine keeps a limit, if a run can tell. A limit with a percentile compares the confidence interval of that
# percentile: an interval that ends at or below the limit passes, one that begins above fails, as do far too many values
# above it. Without a percentile, nothing may be above the limit: a plain count.
package Realfeel::Answer::Judgement;
use Realfeel::Base::Modern;

use List::Util qw(first max sum0);
use POSIX qw(ceil floor);
use Realfeel::Answer::Stats qw(MINUTE_S identity intervals known later_s longer objections);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(NS_PER_US nanoseconds printable refusal);
use Realfeel::Model::Cpus qw(cpu_name few);
use Realfeel::Stat::Intervals qw(BEYOND);

use constant {
    DIGITS    => 12,            # of a share; 100 less 99.999 has others behind them
    # The exit status of each answer
    STATUS    => { pass => 0, fail => 2, not_yet => 5 },
    RANK      => { fail => 0, not_yet => 1, pass => 2 },
    # A run fails at this many times the number allowed: though late wake-ups cluster, chance does that in at most one
    # run in 40 (Markov's inequality)
    PROVEN    => 40,
    FURTHEST  => 1e4,           # times the run; nobody measures for longer
    ROUNDING  => 1e-3,          # of a count of latencies
    UNTOLD    => { map { $_ => 1 } qw(invalid contradicted) },     # the figures say nothing
    NO_LIMIT  => 'has no limit of its own; give one with --max, as in --max=100us@99.999',
    CAUSES    => [qw(steal_ms clock_step_s suspended_s stopped_ms)],
};

# Parses what realfeel's --max takes, 100us or 100us@99.999: a hash of us; percentile, if any; and share, the share of
# latencies allowed above, 0 without a percentile; undef for anything else
sub limit_of ($text) {
    my ($time, $percentile) = ($text // '') =~ /\A([^@]+)(?:@(\d{1,2}(?:\.\d{1,9})?))?\z/ or return undef;
    my $ns = nanoseconds($time) or return undef;
    return undef if defined $percentile && $percentile == 0;
    my $share = defined $percentile ? (100 - $percentile) / 100 : 0;
    return { us => $ns / NS_PER_US, percentile => number($percentile), share => 0 + sprintf '%.*g', DIGITS, $share };
}

# The report's own --max in that form; undef without one, or if runs had different ones. Dies with one line if it is
# malformed.
sub asked ($report) {
    my ($text, $us) = ($report->header('limit'), $report->us('max_ns'));
    return defined $us ? { us => $us, percentile => undef, share => 0 } : undef unless defined $text;
    return undef if $text eq 'several';
    return limit_of($text)
        // _refuse($report, "its limit, '$text', is not like 100us or 100us\@99.999; correct it, or give --max");
}

sub _refuse ($report, $what) { die printable($report->{file} . ": $what") . "\n" }

# Returns a hash, with undef for what is unknown; dies with one line if the report has no latency:
#
#   run, part          the name of the run, and of a CPU or thread of several
#   answer             pass, fail or not_yet
#   code               the reason: kept; exceeded; between, the limit is inside the interval; short, no upper end; bin,
#                      the limit is inside a bin; empty; or a doubt
#   doubt              invalid, contradicted, suspect or break, whatever the answer: the run may not be as good as it
#                      looks
#   reason, remedy     the first reason of a doubt; the header key of its only cause, such as steal_ms, or "imported"
#   measure, value     what is judged, and what has a latency
#   limit_us, percentile, allowed     the limit and the share that may be above
#   unmatched          wake-ups whose latency is not known
#   count, above, above_most          latencies, those above, and their upper bound if the limit is inside a bin,
#   from_us, to_us                    the edges of that bin
#   max_us
#   value_us, low_us, high_us         the percentile and its interval
#   sure_one_in        N: at most one in N is above, with 95 % confidence
#   keeps_us           the least limit that the run keeps with that share; undef in doubt
#   later_s, longer    see Answer::Stats
#   needed, needed_s   how many latencies an answer takes, and how long at the rate of this run
sub judge ($report, $limit) {
    my $latency = $report->latency
        // _refuse($report, 'has no lateness or wake-up latency to be judged; give a report that realfeel wrote');
    my %seen = (count => number($latency->n), _above($latency, $limit->{us}), _known($report, $limit));
    my $doubt = _doubt($report);
    my ($answer, $code) = _answer($doubt, $limit, \%seen);
    my $reason = (map { $_->{reason} } objections($report))[0];
    return {
        run => text($report->{run_name}), part => @{ $report->{part} } ? text(cpu_name($report)) : undef,
        answer => text($answer), code => text($code), measure => text($report->{latency_name}),
        value => text($report->latency_words('value')), unmatched => number($report->header('unmatched') // 0), %seen,
        limit_us => $limit->{us}, percentile => $limit->{percentile}, allowed => $limit->{share},
        max_us => number($latency->max), later_s => later_s($report), longer => longer($report),
        keeps_us => $doubt ? undef : $limit->{share} ? $seen{high_us} : number($latency->max), doubt => text($doubt),
        reason => $reason, remedy => text($doubt && _remedy($report)), _needed($report, $limit, $code, \%seen),
    };
}

sub _doubt ($report) {
    my $grade = $report->{verdict} // '';
    return 'invalid' if $grade eq 'invalid';
    return 'contradicted' if defined $report->{contradiction};
    return 'suspect' if $grade eq 'suspect';
    return (known($report, 'status') // '') eq 'break' ? 'break' : undef;
}

# By counts, not by the wording of reasons, and only for a single reason
sub _remedy ($report) {
    return 'imported' if ($report->header('status') // '') eq 'unknown';
    return undef if objections($report) != 1;
    return first { ($report->header($_) // '') =~ /^-?[\d.]*[1-9]/ } @{ CAUSES() };
}

# How many are above; the exact maximum decides where a bin does not
sub _above ($latency, $us) {
    my ($low, $high, $count) = $latency->columns($us);
    my $most = sum0 @$count;
    my %seen = (above => 0, above_most => 0, from_us => undef, to_us => undef);
    return %seen if !$most || $latency->max_is_exact && $latency->max <= $us;
    @seen{qw(above above_most)} = ($most, $most);
    return %seen if $low->[0] >= $us;
    my $least = max($most - $count->[0], $latency->max_is_exact ? 1 : 0);
    return (above => $least, above_most => $most, from_us => number($low->[0]), to_us => number($high->[0]));
}

# The percentile of the limit, and how rarely it is exceeded
sub _known ($report, $limit) {
    my $latency = $report->latency;
    my $intervals = intervals($latency, $report->pieces, $report->{latency_name});
    my $sure = $intervals && $intervals->sure_one_in($limit->{us});
    my %known = (sure_one_in => $sure && number(floor $sure), map { $_ => undef } qw(value_us low_us high_us));
    return %known unless $limit->{share};
    my (undef, $value_us) = $latency->beyond($latency->n / _one_in($limit));
    $known{value_us} = number($value_us);
    @known{qw(low_us high_us)} = map { number($_) } $intervals->interval(_one_in($limit)) if $intervals;
    return %known;
}

# Exact to the last digit of the share, so that it equals the N of a percentile
sub _one_in ($limit) { return 0 + sprintf '%.*g', DIGITS, 1 / $limit->{share} }

sub _answer ($doubt, $limit, $seen) {
    my ($us, $low, $high) = ($limit->{us}, @$seen{qw(low_us high_us)});
    return (not_yet => 'empty') unless $seen->{count};
    return (not_yet => $doubt) if $doubt && UNTOLD->{$doubt};
    my $is_proven = $seen->{above} && $seen->{above} >= PROVEN * $limit->{share} * $seen->{count};
    return (fail => 'exceeded') if $is_proven || defined $low && $low > $us;
    return (not_yet => $doubt) if $doubt;
    return $seen->{above_most} ? (not_yet => 'bin') : (pass => 'kept') unless $limit->{share};
    return (pass => 'kept') if defined $high && $high <= $us;
    return (not_yet => defined $low && $seen->{count} >= BEYOND * _one_in($limit) ? 'between' : 'short');
}

# Intervals narrow with the root of the length.
sub _needed ($report, $limit, $code, $seen) {
    my ($n, $seconds) = ($seen->{count}, number($report->header('duration_s')));
    my ($us, $value, $low, $high) = ($limit->{us}, @$seen{qw(value_us low_us high_us)});
    # An open end is taken to be as far away as the other
    my $end = $code ne 'between' ? undef : $us < $value ? $low : $high // ($low > 0 ? $value**2 / $low : 0);
    my $times = $code eq 'short' ? max(BEYOND * _one_in($limit) / $n, $seconds ? MINUTE_S / $seconds : 1)
        : !$end || $end < 0 || $us == $value ? undef : (log($end / $value) / log($us / $value))**2;
    return (needed => undef, needed_s => undef) unless $times && $times < FURTHEST;
    return (needed => number(ceil($n * $times - ROUNDING)), needed_s => number($seconds && $seconds * $times));
}

# Judges every report of a run by the limit $max, undef for their own. Returns an array of judgements, each with the
# identity of its report and its cpu; left_out lists the names of threads with too few wake-ups. Dies with one line if
# there is no limit.
sub judged ($max, $run) {
    my $limit = defined $max ? limit_of($max) : undef;
    my @left_out = map { cpu_name($_) } few($run);
    return [map { {
        %{ identity($_) }, %{ judge($_, $limit // asked($_) // _refuse($_, NO_LIMIT)) }, cpu => number($_->{cpu}),
        left_out => \@left_out,
    } } _not_few($run)];
}

sub _not_few ($run) {
    my %is_few = map { $_ => 1 } few($run);
    return grep { !$is_few{$_} } @{ $run->{reports} };
}

# First FAIL, then NOT YET, then pass; within each, by maximum
sub worst_first {
    return sort { RANK->{ $a->{answer} } <=> RANK->{ $b->{answer} } || ($b->{max_us} // 0) <=> ($a->{max_us} // 0) } @_;
}

# The worst judgement of a run by $limit, or by the reports' own; undef if one has no limit or no latency
sub of_run ($run, $limit = undef) {
    my @reports = _not_few($run);
    my @limits = map { $_->latency && ($limit // _asked_or_none($_)) } @reports;
    return undef if grep { !$_ } @limits;
    return (worst_first(map { judge($_, shift @limits) } @reports))[0];
}

sub _asked_or_none ($report) {
    my $limit = eval { asked($report) };
    refusal($@) if $@;
    return $limit;
}

# The answer alone; a run that --break ended fails even without a limit
sub answer ($run, $limit = undef) {
    my $judgement = of_run($run, $limit);
    return $judgement->{answer} if $judgement;
    return (grep { (known($_, 'status') // '') eq 'break' } @{ $run->{reports} }) ? 'fail' : undef;
}

1;
