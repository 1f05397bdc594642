# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Judgement;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(STATUS asked judge judged kept limit_of of_run worst_first);

use List::Util qw(first max sum0);
use POSIX qw(ceil);
use Realfeel::Answer::Percentiles qw(JUDGED percentiles);
use Realfeel::Answer::Stats qw(known objections);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(nanoseconds printable);
use Realfeel::Model::Cpus qw(cpu_name few);
use Realfeel::Stat::Chance qw(rate_least rate_limit);

use constant {
    NS_PER_US => 1000,
    DIGITS    => 12,            # of a share; 100 less 99.999 has others behind them
    STATUS    => { yes => 0, no => 2, not_yet => 5 },
    RANK      => { no => 0, not_yet => 1, yes => 2 },
    FURTHEST  => 1e6,           # times the run; what takes longer is not told
    STEPS     => 60,
    LEAST_S   => 10,            # has slices enough, and two each to tell that they differ
    UNTOLD    => { map { $_ => 1 } qw(invalid contradicted) },     # the figures tell nothing
    CAUSES    => [qw(steal_ms clock_step_s suspended_s stopped_ms)],
};

=head1 NAME

Realfeel::Answer::Judgement - whether a machine keeps a limit, as far as a run can tell

=head1 DESCRIPTION

A limit is kept where no more than a share of the latencies lie above it; without a share, where none of the run does.
What is above in a run may be above by chance. The share of the machine has a 95 % limit on either side, that of the
mean of events of which as many were seen. But late wake-ups come together, so C<worth> of them count for one: as many
as make chance alone reach as far as the fifths of the run say of its percentiles (L<Realfeel::Stat::Intervals>).

That is known of percentiles which the run supports. The highest that is not rarer than the limit's share counts, or
else the lowest. Where more of the one below it count for one, that one has its part: the level of a load that wanders
shows there first. It is the mean of both, of their logarithms. F<tests/statistics/judge> tells what this is worth.

=head1 FUNCTIONS

=head2 STATUS

The exit status of each answer.

=head2 limit_of($text)

What realfeel's C<--max> takes, C<100us> or C<100us@99.999>: a hash of C<us>, C<percentile>, undef where there is none,
and C<share>, of the latencies that may be above, 0 without one. Undef for anything else.

=head2 asked($report)

The same of the report's own C<--max>; undef where it had none. Dies with one line where that is no limit.

=cut

sub limit_of {
    my ($text) = @_;
    my ($time, $percentile) = ($text // '') =~ /\A([^@]+)(?:@(\d{1,2}(?:\.\d{1,9})?))?\z/ or return undef;
    my $ns = nanoseconds($time) or return undef;
    return undef if defined $percentile && $percentile == 0;
    my $share = defined $percentile ? (100 - $percentile) / 100 : 0;
    return { us => $ns / NS_PER_US, percentile => number($percentile), share => 0 + sprintf '%.*g', DIGITS, $share };
}

sub asked {
    my ($report) = @_;
    my $text = $report->header('limit') // return undef;
    return undef if $text eq 'several';
    return limit_of($text)
        // _refuse($report, "its limit, '$text', is none like 100us or 100us\@99.999; correct it, or give --max");
}

sub _refuse { die printable($_[0]->file . ": $_[1]") . "\n" }

=head2 kept($report, $limit)

Whether a run C<kept> its limit or has C<exceeded> it, as realfeel itself counts: without regard to chance. Undef where
it has none. A limit that is given takes the place of its own.

=cut

sub kept {
    my ($report, $limit) = @_;
    return (known($report, 'status') // '') eq 'break' ? 'exceeded' : known($report, 'max') unless $limit;
    my $latency = $report->latency // return undef;
    my %seen = _above($latency, $limit->{us});
    return $latency->n ? $seen{above_most} > $limit->{share} * $latency->n ? 'exceeded' : 'kept' : undef;
}

=head2 judge($report, $limit)

A hash of C<answer>: C<yes>, C<no> or C<not_yet>; C<code>, why, see below; C<measure> and C<value>, what is judged, and
what has one; C<limit_us>, C<percentile> and C<allowed>, the share, of the limit; C<count>, how many latencies there
are, of which C<above> lie above it, and no more than C<above_most> where it lies inside a bin, from C<from_us> to
C<to_us>; C<max_us>; C<sure_one_in>: no more than one in so many lie above, with 95 % confidence, undef where the run
does not tell; C<keeps_us>, the least limit that the run keeps with that share, undef where it does not tell; and how
many C<more> latencies it takes to be sure, and for how many C<more_s> seconds at the rate of the run, each undef where
that is not known. Dies with one line where the report has no latency.

The codes: C<kept>, C<exceeded>; C<more>, for the answer to be yes, C<more_to_fail>, for it to be no, C<even>, where no
number would do; C<short>, the run does not tell how its latencies depend on each other; C<bin>, the limit lies inside a
bin; C<empty>; C<invalid>, C<contradicted>, C<suspect> and C<break>, where the run cannot be believed to be as good.
That is its C<doubt> whatever is answered, undef where it has none; a run in doubt keeps no limit. Of the last two,
where more are above than may be, C<more> tells when it is sure to be no. The first C<reason> of a doubt is undef where
the report has none; its C<remedy> is the line of the header that tells the only reason, such as C<steal_ms>, or
C<imported>, and undef where neither is known.

What may be above counts as above for a yes, and as not above for a no.

=cut

sub judge {
    my ($report, $limit) = @_;
    my $latency = $report->latency
        // _refuse($report, 'has no lateness or wake-up latency to be judged; name a report that realfeel wrote');
    my $worth = $latency->n ? _worth($report, $limit) : undef;
    my %seen = (count => number($latency->n), _above($latency, $limit->{us}));
    my $doubt = _doubt($report);
    my ($answer, $code) = _answer($doubt, $limit, $worth, \%seen);
    my $reason = (map { $_->{reason} } objections($report))[0];
    return {
        answer => text($answer), code => text($code), measure => text($report->latency_name),
        value => text($report->latency_words('value')), %seen,
        limit_us => $limit->{us}, percentile => $limit->{percentile}, allowed => $limit->{share},
        max_us => number($latency->max), sure_one_in => _sure($worth, \%seen),
        keeps_us => $doubt ? undef : _keeps($latency, $limit, $worth), doubt => text($doubt), reason => $reason,
        remedy => text($doubt && _remedy($report)), _more($report, $limit, $worth, $code, \%seen),
    };
}

sub _doubt {
    my ($report) = @_;
    my $grade = $report->verdict // '';
    return 'invalid' if $grade eq 'invalid';
    return 'contradicted' if defined $report->contradiction;
    return 'suspect' if $grade eq 'suspect';
    return (known($report, 'status') // '') eq 'break' ? 'break' : undef;
}

# By what was counted, and not by the reasons' words: so there may be no more than one.
sub _remedy {
    my ($report) = @_;
    return 'imported' if ($report->header('status') // '') eq 'unknown';
    return undef if objections($report) != 1;
    return first { ($report->header($_) // '') =~ /^-?[\d.]*[1-9]/ } @{ CAUSES() };
}

# How many are above; the exact maximum tells where the bin does not.
sub _above {
    my ($latency, $us) = @_;
    my ($low, $high, $count) = $latency->columns($us);
    my $most = sum0 @$count;
    my %seen = (above => 0, above_most => 0, from_us => undef, to_us => undef);
    return %seen if !$most || $latency->max_is_exact && $latency->max <= $us;
    @seen{qw(above above_most)} = ($most, $most);
    return %seen if $low->[0] >= $us;
    my $least = max($most - $count->[0], $latency->max_is_exact ? 1 : 0);
    return (above => $least, above_most => $most, from_us => number($low->[0]), to_us => number($high->[0]));
}

# How many latencies count for one; undef where the run does not tell.
sub _worth {
    my ($report, $limit) = @_;
    my @values = ($report->latency, $report->pieces, $report->latency_name);
    my @supported = grep { $_->{bounds} } percentiles(@values, JUDGED);
    return undef unless @supported;
    my @wanted = grep { $_->{percentile} <= ($limit->{percentile} // 100) } @supported;
    my ($highest, $below) = map { $_->{bounds}{worth} } reverse @wanted ? @wanted : $supported[0];
    return sqrt($highest * max($highest, $below // 0));
}

sub _answer {
    my ($doubt, $limit, $worth, $seen) = @_;
    my ($share, $n) = ($limit->{share}, $seen->{count});
    return (not_yet => 'empty') unless $n;
    return (not_yet => $doubt) if $doubt && UNTOLD->{$doubt};
    return (no => 'exceeded') if $share ? $worth && _least($worth, $seen->{above}) / $n > $share : $seen->{above};
    return (not_yet => $doubt) if $doubt;
    return $seen->{above_most} ? (not_yet => 'bin') : (yes => 'kept') unless $share;
    return (not_yet => 'short') unless $worth;
    return (yes => 'kept') if _most($worth, $seen->{above_most}) / $n <= $share;
    return (not_yet => $seen->{above_most} < $n * $share ? 'more' : $seen->{above} > $n * $share ? 'more_to_fail'
        : $seen->{above} < $seen->{above_most} ? 'bin' : 'even');
}

# How many there may be, on average, in as long a run.
sub _most  { return $_[0] * rate_limit($_[1] / $_[0]) }
sub _least { return $_[0] * rate_least($_[1] / $_[0]) }

sub _sure {
    my ($worth, $seen) = @_;
    my $one_in = $worth ? $seen->{count} / _most($worth, $seen->{above_most}) : 0;
    return $one_in >= 2 ? number(int $one_in) : undef;
}

# Beyond it lie no more than may, on average, by all that is known.
sub _keeps {
    my ($latency, $limit, $worth) = @_;
    my $allowed = $limit->{share} * $latency->n;
    return number($latency->max) unless $allowed;
    return undef if !$worth || _most($worth, 0) > $allowed;
    my ($low, $high) = (0, ceil $allowed);
    while ($high - $low > 1) {
        my $middle = int(($low + $high) / 2);
        _most($worth, $middle) > $allowed ? $high = $middle : ($low = $middle);
    }
    return number(($latency->beyond($low))[1]);
}

# What it takes, where the share stays what it is.
sub _more {
    my ($report, $limit, $worth, $code, $seen) = @_;
    my ($n, $seconds) = ($seen->{count}, number($report->header('duration_s')));
    my $is_kept = sub { _most($worth // 1, $seen->{above_most} * $_[0]) <= $_[1] };
    my $is_exceeded = sub { _least($worth // 1, $seen->{above} * $_[0]) > $_[1] };
    my %until = (short => $is_kept, more => $is_kept, more_to_fail => $is_exceeded);
    @until{qw(suspect break)} = ($is_exceeded) x 2 if $seen->{above} > $n * $limit->{share};
    my $until = $until{$code} // return (more => undef, more_s => undef);
    my $times = _times($limit, $n, $until);
    $times = max($times // 1, LEAST_S / $seconds) if !$worth && $seconds;
    return (more => undef, more_s => undef) unless $times;
    return (more => number(ceil($n * ($times - 1))), more_s => number($seconds && $seconds * ($times - 1)));
}

# How many times as long a run it takes until a condition holds of these times, and of how many may be above then.
sub _times {
    my ($limit, $n, $holds) = @_;
    my $is_enough = sub { $holds->($_[0], $_[0] * $n * $limit->{share}) };
    my ($low, $high) = (1, FURTHEST);
    return undef unless $is_enough->($high);
    for (1 .. STEPS) {
        my $middle = sqrt($low * $high);
        $is_enough->($middle) ? $high = $middle : ($low = $middle);
    }
    return $high;
}

=head2 judged($max, $run)

A C<judge> for each report of a L<Realfeel::Model::Cpus> run, with the C<report>, by the limit of this text, or by its
own where that is undef: an array. Threads that are C<few> are C<left_out>, a list of their names. Dies with one line
where there is no limit.

=head2 worst_first(@judged)

Those of all runs: NO, NOT YET, YES, each by their maxima.

=cut

sub judged {
    my ($max, $run) = @_;
    my $limit = defined $max ? limit_of($max) : undef;
    my %is_few = map { $_ => 1 } few($run);
    my @left_out = map { cpu_name($_) } grep { $is_few{$_} } @{ $run->{reports} };
    return [map { { %{ judge($_, $limit // asked($_) // _refuse_none($_)) }, report => $_, left_out => \@left_out } }
        grep { !$is_few{$_} } @{ $run->{reports} }];
}

sub worst_first {
    return sort {
        RANK->{ $a->{answer} } <=> RANK->{ $b->{answer} } || ($b->{max_us} // 0) <=> ($a->{max_us} // 0)
    } @_;
}

=head2 of_run($run)

The worst of them by its own limits; undef where any of its reports has none, or no latency.

=cut

sub of_run {
    my ($run) = @_;
    return undef if grep { !$_->latency || !limit_of($_->header('limit')) } @{ $run->{reports} };
    return (worst_first(@{ judged(undef, $run) }))[0];
}

sub _refuse_none { _refuse($_[0], 'has no limit of its own; give one with --max, as in --max=100us@99.999') }

1;
