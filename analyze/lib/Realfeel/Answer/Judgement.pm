# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Judgement;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(STATUS answer asked judge judged limit_of of_run worst_first);

use List::Util qw(first max sum0);
use POSIX qw(ceil floor);
use Realfeel::Answer::Percentiles qw(BEYOND intervals);
use Realfeel::Answer::Stats qw(MINUTE_S known later_s longer objections);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(nanoseconds printable refusal);
use Realfeel::Model::Cpus qw(cpu_name few);

use constant {
    NS_PER_US => 1000,
    DIGITS    => 12,            # of a share; 100 less 99.999 has others behind them
    STATUS    => { pass => 0, fail => 2, not_yet => 5 },
    RANK      => { fail => 0, not_yet => 1, pass => 2 },
    FURTHEST  => 1e4,           # times the run; nobody measures for longer
    ROUNDING  => 1e-3,          # of a count of latencies
    UNTOLD    => { map { $_ => 1 } qw(invalid contradicted) },     # the figures say nothing
    CAUSES    => [qw(steal_ms clock_step_s suspended_s stopped_ms)],
};

=head1 NAME

Realfeel::Answer::Judgement - whether a machine keeps a limit, as far as a run can tell

=head1 DESCRIPTION

A limit with a percentile is a limit of that percentile, and the percentile has a confidence interval
(L<Realfeel::Stat::Intervals>): the run passes where the interval ends at or below the limit, and fails where it begins
above. Without a percentile nothing in the run may be above the limit: that is a plain count.

=head1 FUNCTIONS

=head2 STATUS

The exit status of each answer.

=head2 limit_of($text)

What realfeel's C<--max> takes, C<100us> or C<100us@99.999>: a hash of C<us>, C<percentile>, undef where there is none,
and C<share>, of the latencies that may be above, 0 without one. Undef for anything else.

=head2 asked($report)

The report's own C<--max> in the same form; undef if it has none, or if its runs had different ones. Dies with one line
if it is not a valid limit.

=cut

sub limit_of ($text) {
    my ($time, $percentile) = ($text // '') =~ /\A([^@]+)(?:@(\d{1,2}(?:\.\d{1,9})?))?\z/ or return undef;
    my $ns = nanoseconds($time) or return undef;
    return undef if defined $percentile && $percentile == 0;
    my $share = defined $percentile ? (100 - $percentile) / 100 : 0;
    return { us => $ns / NS_PER_US, percentile => number($percentile), share => 0 + sprintf '%.*g', DIGITS, $share };
}

sub asked ($report) {
    my ($text, $us) = ($report->header('limit'), $report->us('max_ns'));
    return defined $us ? { us => $us, percentile => undef, share => 0 } : undef unless defined $text;
    return undef if $text eq 'several';
    return limit_of($text)
        // _refuse($report, "its limit, '$text', is none like 100us or 100us\@99.999; correct it, or give --max");
}

sub _refuse ($report, $what) { die printable($report->file . ": $what") . "\n" }

=head2 judge($report, $limit)

A hash of C<answer>: C<pass>, C<fail> or C<not_yet>; C<code>, why, see below; C<measure> and C<value>, what is judged,
and what has one; C<limit_us>, C<percentile> and C<allowed>, the share, of the limit; C<count>, how many latencies there
are, of which C<above> lie above it, and no more than C<above_most> where it lies inside a bin, from C<from_us> to
C<to_us>; C<max_us>; of a limit with a percentile C<value_us>, that percentile, and its interval C<low_us> to
C<high_us>; C<sure_one_in>: no more than one in so many lie above, with 95 % confidence; C<keeps_us>, the least limit
that the run keeps with that share; C<later_s> and C<longer>, as of L<Realfeel::Answer::Stats>; and what it takes to
have an answer: a run of C<needed> latencies, which at the rate of this one takes C<needed_s> seconds. Each is undef
where it is not known. Dies with one line where the report has no latency.

The codes: C<kept>; C<exceeded>; C<between>, the limit lies inside the interval; C<short>, the run is too short to have
an upper end; C<bin>, the limit lies inside a bin; C<empty>; C<invalid>, C<contradicted>, C<suspect> and C<break>, where
the run cannot be believed to be as good. That is its C<doubt> whatever is answered, undef where it has none; a run in
doubt keeps no limit. The first C<reason> of a doubt is undef where the report has none; its C<remedy> is the line of
the header that names the only reason, such as C<steal_ms>, or C<imported>, and undef where neither is known.

=cut

sub judge ($report, $limit) {
    my $latency = $report->latency
        // _refuse($report, 'has no lateness or wake-up latency to be judged; name a report that realfeel wrote');
    my %seen = (count => number($latency->n), _above($latency, $limit->{us}), _known($report, $limit));
    my $doubt = _doubt($report);
    my ($answer, $code) = _answer($doubt, $limit, \%seen);
    my $reason = (map { $_->{reason} } objections($report))[0];
    return {
        answer => text($answer), code => text($code), measure => text($report->latency_name),
        value => text($report->latency_words('value')), %seen,
        limit_us => $limit->{us}, percentile => $limit->{percentile}, allowed => $limit->{share},
        max_us => number($latency->max), later_s => later_s($report), longer => longer($report),
        keeps_us => $doubt ? undef : $limit->{share} ? $seen{high_us} : number($latency->max), doubt => text($doubt),
        reason => $reason, remedy => text($doubt && _remedy($report)), _needed($report, $limit, $code, \%seen),
    };
}

sub _doubt ($report) {
    my $grade = $report->verdict // '';
    return 'invalid' if $grade eq 'invalid';
    return 'contradicted' if defined $report->contradiction;
    return 'suspect' if $grade eq 'suspect';
    return (known($report, 'status') // '') eq 'break' ? 'break' : undef;
}

# By what was counted, and not by the reasons' words: so there may be no more than one.
sub _remedy ($report) {
    return 'imported' if ($report->header('status') // '') eq 'unknown';
    return undef if objections($report) != 1;
    return first { ($report->header($_) // '') =~ /^-?[\d.]*[1-9]/ } @{ CAUSES() };
}

# How many are above; the exact maximum says so where the bin does not.
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

# The percentile of the limit, and how rare it is to be above the limit.
sub _known ($report, $limit) {
    my $latency = $report->latency;
    my $intervals = intervals($latency, $report->pieces, $report->latency_name);
    my $sure = $intervals && $intervals->sure_one_in($limit->{us});
    my %known = (sure_one_in => $sure && number(floor $sure), map { $_ => undef } qw(value_us low_us high_us));
    return %known unless $limit->{share};
    $known{value_us} = number(($latency->beyond($latency->n / _one_in($limit)))[1]);
    @known{qw(low_us high_us)} = map { number($_) } $intervals->interval(_one_in($limit)) if $intervals;
    return %known;
}

# To the last digit that a share has, so that it is the one of a percentile.
sub _one_in ($limit) { return 0 + sprintf '%.*g', DIGITS, 1 / $limit->{share} }

sub _answer ($doubt, $limit, $seen) {
    my ($us, $low, $high) = ($limit->{us}, @$seen{qw(low_us high_us)});
    return (not_yet => 'empty') unless $seen->{count};
    return (not_yet => $doubt) if $doubt && UNTOLD->{$doubt};
    return (fail => 'exceeded') if $limit->{share} ? defined $low && $low > $us : $seen->{above};
    return (not_yet => $doubt) if $doubt;
    return $seen->{above_most} ? (not_yet => 'bin') : (pass => 'kept') unless $limit->{share};
    return (pass => 'kept') if defined $high && $high <= $us;
    return (not_yet => defined $low && $seen->{count} >= BEYOND * _one_in($limit) ? 'between' : 'short');
}

# The interval becomes narrower by the root of the length.
sub _needed ($report, $limit, $code, $seen) {
    my ($n, $seconds) = ($seen->{count}, number($report->header('duration_s')));
    my $times = $code eq 'short' ? max(BEYOND * _one_in($limit) / $n, $seconds ? MINUTE_S / $seconds : 1)
        : $code eq 'between' ? _times_narrower($limit->{us}, @$seen{qw(value_us low_us high_us)})**2 : undef;
    return (needed => undef, needed_s => undef) unless $times && $times < FURTHEST;
    return (needed => number(ceil($n * $times - ROUNDING)), needed_s => number($seconds && $seconds * $times));
}

# An end that is open is taken to be as far off as the other.
sub _times_narrower ($us, $value, $low, $high) {
    my $end = $us < $value ? $low : $high // ($low > 0 ? $value**2 / $low : 0);
    return $us == $value || $end <= 0 ? FURTHEST : log($end / $value) / log($us / $value);
}

=head2 judged($max, $run)

A C<judge> for each report of a L<Realfeel::Model::Cpus> run, with the C<report>, by the limit of this text, or by its
own where that is undef: an array. Threads that are C<few> are C<left_out>, a list of their names. Dies with one line
where there is no limit.

=head2 worst_first(@judged)

Those of all runs: FAIL, NOT YET, pass, each by their maxima.

=cut

sub judged ($max, $run) {
    my $limit = defined $max ? limit_of($max) : undef;
    my @left_out = map { cpu_name($_) } few($run);
    return [map { { %{ judge($_, $limit // asked($_) // _refuse_none($_)) }, report => $_, left_out => \@left_out } }
        _not_few($run)];
}

sub _not_few ($run) {
    my %is_few = map { $_ => 1 } few($run);
    return grep { !$is_few{$_} } @{ $run->{reports} };
}

sub worst_first {
    return sort {
        RANK->{ $a->{answer} } <=> RANK->{ $b->{answer} } || ($b->{max_us} // 0) <=> ($a->{max_us} // 0)
    } @_;
}

=head2 of_run($run, $limit)

The worst of the same by this limit, or by its own limits; undef where any of its reports has none, or no latency.

=head2 answer($run, $limit)

The C<answer> alone. A run that C<--break> ended, and that has no other limit, is a C<fail>.

=cut

sub of_run ($run, $limit = undef) {
    my @reports = _not_few($run);
    my @limits = map { $_->latency && ($limit // _asked_or_none($_)) } @reports;
    return undef if grep { !$_ } @limits;
    return (worst_first(map { { %{ judge($_, shift @limits) }, report => $_ } } @reports))[0];
}

sub answer ($run, $limit = undef) {
    my $judgement = of_run($run, $limit);
    return $judgement->{answer} if $judgement;
    return (grep { (known($_, 'status') // '') eq 'break' } @{ $run->{reports} }) ? 'fail' : undef;
}

sub _asked_or_none ($report) {
    my $limit = eval { asked($report) };
    refusal($@) if $@;
    return $limit;
}

sub _refuse_none ($report) {
    _refuse($report, 'has no limit of its own; give one with --max, as in --max=100us@99.999');
}

1;
