# SPDX-License-Identifier: GPL-2.0-or-later
package Seen;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(max min sum0);
use Test::More;
use Report qw(whole_parts);

our @EXPORT = qw(seen);

use constant { HZ => 1000, EDGE_US => 100, HZ_OF_MANY => 200, MANY => 50, SAMPLES => 1100, UNMATCHED => 1 / 1000, SPREAD => 0.8 };

# How near is the same, and how many of the worst and of all may be interrupted between their switch and their stamp.
# Relative sleeps drift through all phases of the timer tick: 17 runs had 0 to 13, 6 on average with a deviation of 4, so
# what is nine deviations above has another cause.
use constant { NEAR_US => 1, OF_WORST => 3, OF_ALL => SAMPLES / 100, OF_DRIFTING => SAMPLES / 25 };

=head1 NAME

Seen - cases: the wake-ups of threads that stamp them, and how they are seen from outside

=head2 seen($flavour, $kind, $policy, $threads)

A case: the threads (see F<tests/lib/sleeper.c>) are measured; one alone is held up eight times, from each eighth of its
period on; if its sleeps are relative (epoll), from any instant. Of each wake-up the report has the
lateness until the switch to the thread, and the thread the one until its own stamp. Between them are the same instructions
each time, so the difference is the same, to less than a microsecond on a CPU of a thousand million instructions a second.

=cut

sub seen {
    my ($flavour, $kind, $policy, $threads) = @_;
    my $hz = $threads < MANY ? HZ : HZ_OF_MANY;
    my $apart_us = int 1e6 / $hz * SPREAD / $threads;
    my $hog = $threads == 1 ? '(sleep 1; hog 97 8 3 0 125) >stalls &' : '';
    my $script = <<"EOS";
mkfifo open
sleeper $kind $policy $hz $threads $apart_us <open >own &
sleeper=\$!
exec 3>open
rm open
until [ -s own ]; do usleep 50000; done
usleep 200000
$hog
realfeel -q -s task:\$sleeper -n @{[SAMPLES]} -o report
status=\$?
exec 3>&-
wait
(exit \$status)
EOS
    return ["$kind-$policy-$threads", $script, 0, sub { check("$flavour, $kind, $policy", $threads, $hz, @_) }];
}

sub check {
    my ($name, $threads, $hz, $left) = @_;
    my (undef, $kind, $policy) = split /, /, $name;
    my @reports = whole_parts($left->{report} // '');
    is(scalar @reports, $threads, 'each thread is measured') or return;
    is_deeply([grep { "$_->{source} $_->{thread_name} $_->{thread_policy}" ne "task sleeper $policy" } @reports], [], 'by name and policy');
    my $period_ns = $kind eq 'epoll' ? 0 : 1e9 / $hz;
    is_deeply([grep { ($_->{inferred_period_ns} // 0) != $period_ns } @reports], [], 'with its period, if its sleeps are not relative');
    # The sleeps of a relative one may be so alike here that nothing can be inferred.
    my @paces = map { [map { $_ // 0 } @$_{qw(inferred_rate_hz inferred_sleep_ns inferred_missed samples)}] } @reports;
    my @wrong = grep {
        my ($rate_hz, $sleep_ns, $missed, $samples) = @$_;
        $kind eq 'epoll' ? $rate_hz >= $hz : $sleep_ns || abs($rate_hz - $hz * $samples / ($samples + $missed)) > 0.1;
    } @paces;
    is_deeply(\@wrong, [], "each with its rate, as the first: $paces[0][0] a second, after sleeps of $paces[0][1] ns; $paces[0][2] missed");
    my $most = $kind eq 'epoll' ? OF_DRIFTING : OF_ALL;
    my @seen = map { compared($_, $most, [stalls($left)], own($left, $_->{thread})) } @reports;
    table($name, @seen);
}

# The wake-ups of the thread, by its own stamps. Who comes too late to sleep is woken at once, by a timer all the same.
sub own {
    my ($left, $thread) = @_;
    my @rows = map { [split] } grep { /^$thread / } split /\n/, $left->{own} =~ s/.*\n//r;
    return map { {stamp_us => $_->[3] / 1000, late_us => ($_->[3] - $_->[1]) / 1000} } @rows;
}

sub stalls {
    my ($left) = @_;
    return map { {from_us => $_->[0] / 1000, to_us => $_->[1] / 1000} } map { [split] } split /\n/, $left->{stalls} // '';
}

sub compared {
    my ($report, $most, $stalls, @own) = @_;
    my $samples = $report->{samples};
    cmp_ok($report->{unmatched}, '<=', UNMATCHED * ($samples + $report->{unmatched}), "$samples wake-ups are matched");
    cmp_ok($samples - $report->{timed}, '<=', 1, 'its own timer woke it, but for one by which the run began, or by a lock');
    my ($pairs, @these) = of_the_run($report, @own);
    is(scalar @these, $report->{timed}, 'it stamped each of those that its timer woke');
    my @us = sort { $a <=> $b } differences(late_us => 'delay_us', 1, @$pairs);
    my @at_us = sort { $a <=> $b } differences(stamp_us => 'at_s', 1e6, @$pairs);
    my ($usual_us, $usually_at_us) = ($us[@us / 2], $at_us[@at_us / 2]);
    my @unstalled_us = unstalled_us($pairs, $stalls, @these);
    my $mean_us = sum0(@unstalled_us) / @these;
    same('each of the worst is seen as it stamped it, less the way to the stamp', $usual_us, OF_WORST, @us);
    same('each comes at the instant that is reported', $usually_at_us, OF_WORST, @at_us);
    same('so are all, one by one from the shortest on', $usual_us, $most, of_all($report, $usual_us, @unstalled_us));
    same('so is their sum', $usual_us, 0, $mean_us - $report->{lateness_mean_ns} / 1000);
    return {samples => $samples, unmatched => $report->{unmatched}, outside_us => $report->{lateness_mean_ns} / 1000,
        worst_us => $report->{lateness_max_ns} / 1000, least_us => $us[0], most_us => $us[-1]};
}

# How late each was by its stamp, less the stalls that began between its switch and its stamp.
sub unstalled_us {
    my ($pairs, $stalls, @own) = @_;
    my %switch_us = map { $_->[1]{stamp_us} => $_->[0]{delay_us} } @$pairs;
    return map { $_->{late_us} - stalled_us($_, $switch_us{$_->{stamp_us}} // 0, @$stalls) } @own;
}

# A stall that began when the thread was due already made its switch late, or else its stamp alone. The report has the
# switch if that was among the worst.
sub stalled_us {
    my ($own, $switch_us, @stalls) = @_;
    my @within = grep { $own->{stamp_us} - $own->{late_us} < $_->{from_us} && $_->{to_us} < $own->{stamp_us} } @stalls;
    return sum0(grep { $switch_us < $_ } map { $_->{to_us} - $_->{from_us} } @within);
}

# The own stamp of each of the worst, and all those of the run. The report has no absolute time: with the right
# beginning the worst differ least, but for a few that were interrupted. They are found by their instants, as a lock of
# the kernel may wake the thread as well, in any place. No stamp comes before its switch.
sub of_the_run {
    my ($report, @own) = @_;
    my @events = @{$report->{sets}{events}};
    my ($best, $least, $began_us);
    for my $first (grep { $_->{late_us} >= $events[0]{delay_us} } @own) {
        my $from_us = $first->{stamp_us} - 1e6 * $events[0]{at_s};
        my @pairs = map { [$_, nearest($from_us + 1e6 * $_->{at_s}, \@own)] } @events;
        my @us = sort { $a <=> $b } differences(late_us => 'delay_us', 1, @pairs);
        my $differ = sum0(map { min(abs($_ - $us[@us / 2]), NEAR_US / 10) } @us);
        ($best, $least, $began_us) = (\@pairs, $differ, $from_us) if !defined $least || $differ < $least;
    }
    my $ended_us = $began_us + 1e6 * $report->{duration_s};
    return ($best, grep { $_->{stamp_us} > $began_us + EDGE_US && $_->{stamp_us} < $ended_us + EDGE_US } @own);
}

# The own wake-up with the nearest stamp; these ascend.
sub nearest {
    my ($us, $own) = @_;
    my ($low, $high) = (0, $#$own);
    while ($low < $high) {
        my $middle = int(($low + $high) / 2);
        if ($own->[$middle]{stamp_us} < $us) { $low = $middle + 1 } else { $high = $middle }
    }
    return $low && $us - $own->[$low - 1]{stamp_us} < $own->[$low]{stamp_us} - $us ? $own->[$low - 1] : $own->[$low];
}

# By how much the own stamps of the worst are later, in us; of all, below, by what is usual if a bin holds that.
sub differences {
    my ($what, $column, $us, @pairs) = @_;
    return map { $_->[1]{$what} - $us * $_->[0]{$column} } @pairs;
}

sub of_all {
    my ($report, $usual_us, @late_us) = @_;
    my @bins = map { ($_) x $_->{lateness} } @{$report->{sets}{histogram}};
    @late_us = sort { $a <=> $b } @late_us;
    return map {
        max($late_us[$_] - $bins[$_]{to_us}, min($late_us[$_] - $bins[$_]{from_us}, $usual_us))
    } 0 .. $#late_us;
}

# An interrupt can make a stamp later, and nothing earlier.
sub same {
    my ($name, $usual_us, $interrupted, @us) = @_;
    my @earlier = grep { $_ < $usual_us - NEAR_US } @us;
    my @later = grep { $_ > $usual_us + NEAR_US } @us;
    ok(!@earlier && @later <= $interrupted, $name)
        or diag(sprintf 'usually %.3f us; of %d earlier: %s; later: %s', $usual_us, scalar @us, "@earlier", "@later");
}

# A line of the table in README.
sub table {
    my ($name, @seen) = @_;
    my ($samples, $unmatched, $outside_us) = map {
        my $key = $_;
        sum0(map { $_->{$key} } @seen);
    } qw(samples unmatched outside_us);
    diag(sprintf '%-26s %2d %6d %2d %8.3f %9.3f %7.3f %7.3f', $name, scalar @seen, $samples, $unmatched,
        $outside_us / @seen, max(map { $_->{worst_us} } @seen), min(map { $_->{least_us} } @seen),
        max(map { $_->{most_us} } @seen));
}

1;
