# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Explain;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(beyond by_lateness cost counts distribution expires_in_thread findings is_blamed level parts
    unexplained worst);

use List::Util qw(sum0);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Input::Format1::Columns qw(PARTS);
use Realfeel::Stat::Bins;

use constant {
    NAMES => {
        expiry => 'due to expiry', waking => 'expiry to waking', switch => 'waking to switch',
        again  => 'blocked again', stamp  => 'switch to stamp',
    },
    BEYOND  => 10,          # wake-ups that a share is made of, at least
    MISSING => 0.01,        # of the context switches, at most, or the self-test failed
};

=head1 NAME

Realfeel::Model::Explain - what a report tells of why wake-ups were late

=head1 DESCRIPTION

Each function takes a L<Realfeel::Model::Report>. Of a run without C<--explain> it returns an empty list, or undef. All
times are microseconds.

=head1 FUNCTIONS

=head2 level($report)

C<parts>, C<blame> or C<stacks>, or C<several> of merged runs: what was asked for and to be had; undef if nothing was.

=cut

sub level ($report) {
    my $level = $report->header('explain') // 'off';
    return defined $report->header('parts_matched') && $level !~ /^off\b/ ? $level : undef;
}

=head2 unexplained($report)

Why it has no level, a hash of C<code>: C<not_asked>; C<refused>, with the C<reason>; C<thread>, of another program;
C<earlier>, a realfeel that knew no parts; C<merged>, of runs with and without. Undef where it has one.

=cut

sub unexplained ($report) {
    return undef if defined level($report);
    my ($word, $reason) = $report->explained;
    my $none = defined $report->header('thread') ? 'thread' : 'not_asked';
    my $code = { on => 'earlier', several => 'merged' }->{$word} // (defined $reason ? 'refused' : $none);
    return { code => $code, reason => text($reason) };
}

=head2 parts($report)

The parts of the lateness in the order of time: hashes of C<key>, C<name> and C<distribution>, a
L<Realfeel::Stat::Distribution>. What was asked for waits for no timer, so it has no C<expiry>.

=head2 distribution($report, $key)

That of one part.

=cut

sub parts ($report) {
    return unless $report->has('parts');
    my ($asked) = grep { $_ eq 'wakeup' } $report->latency_name;
    my %names = (%{ NAMES() }, $asked ? (waking => 'request to waking') : ());
    return map { { key => $_, name => $names{$_}, distribution => distribution($report, $_) } }
        grep { !$asked || $_ ne 'expiry' } PARTS;
}

sub distribution ($report, $key) {
    my $bins = Realfeel::Stat::Bins->of_text($report->rows('parts'));
    my %exact = map { $_ => $report->us("${key}_${_}_ns") } qw(min max mean sd);
    delete @exact{ grep { !defined $exact{$_} } keys %exact };
    return $bins->unsigned([$key], $exact{max} // 0, %exact);
}

=head2 by_lateness($report)

What late wake-ups were made of: hashes of C<from_us> and C<to_us>, edges of a bin of lateness, C<wakeups>, how many lie
in it, and by its key the mean of each part in these. The edges ascend.

=cut

sub by_lateness ($report) {
    my $columns = $report->columns('parts_by_lateness') or return;
    return map { my $i = $_; +{ map { $_ => $columns->{$_}[$i] } keys %$columns } } 0 .. $#{ $columns->{wakeups} };
}

=head2 beyond($report, $one_in)

What the wake-ups beyond a percentile were made of, 100 for p99: a hash of C<wakeups>, how many these are, C<from_us>,
from where on, and C<share>, by the key of a part its share in their lateness. Bins are taken whole, so there may be a
few more. With C<$one_in> of 1, all of them. Undef where there are fewer than ten.

=cut

sub beyond ($report, $one_in) {
    my @bins = by_lateness($report);
    my $wanted = sum0(map { $_->{wakeups} } @bins) / $one_in;
    return undef if $wanted < BEYOND;
    my ($wakeups, $from, %sum) = (0);
    while (@bins && $wakeups < $wanted) {
        my $bin = pop @bins;
        $wakeups += $bin->{wakeups};
        $sum{$_} += $bin->{wakeups} * $bin->{$_} for PARTS;
        $from = $bin->{from_us};
    }
    my $all = sum0(values %sum);
    return undef unless $all > 0;
    return { wakeups => $wakeups, from_us => $from, share => { map { $_ => $sum{$_} / $all } PARTS } };
}

=head2 counts($report)

A hash: how many wake-ups are C<matched> with trace events and C<unknown>, how many records were C<lost>, and, by the
self-test, how many of the C<counted> context switches were C<traced>, undef where it was not made.

=cut

sub counts ($report) {
    return undef unless defined level($report);
    my %count = map { $_ => number($report->header("parts_$_")) } qw(matched unknown);
    @count{qw(traced counted)} = map { number($_) } ($report->header('explain_switches') // '') =~ /^(\d+) of (\d+)$/;
    return { traced => undef, counted => undef, %count, lost => number($report->header('trace_lost')) };
}

=head2 findings($report)

What has to be known before the parts are believed: hashes of C<code>, and what it is about. C<self_test>: the kernel
C<traced> too few of the C<counted> context switches; C<lost>: so many C<records>; C<unknown>: the parts of so many
C<wakeups> of the C<samples>; C<earlier>: realfeel 0.1 or 0.2, which kept no records, so there are only the parts.

=cut

sub findings ($report) {
    my $count = counts($report) or return;
    my ($traced, $counted, $unknown) = @$count{qw(traced counted unknown)};
    my $missing = defined $traced && $traced < $counted * (1 - MISSING);
    return (
        $missing ? { code => 'self_test', traced => $traced, counted => $counted } : (),
        $count->{lost} ? { code => 'lost', records => $count->{lost} } : (),
        $unknown ? { code => 'unknown', wakeups => $unknown, samples => number($report->header('samples')) } : (),
        level($report) =~ /^(?:blame|stacks)$/ && !$report->has('records') ? { code => 'earlier' } : (),
    );
}

=head2 cost($report)

By how much the trace delays each wake-up, as measured at the start of the run: a hash of the medians C<with_us> and
C<without_us>, and C<more_us>, their difference. Undef where it is not known.

=cut

sub cost ($report) {
    return undef unless defined level($report);
    my ($with, $without) = map { $report->header("explain_${_}_ns") // 'unknown' } qw(with without);
    return undef if grep { $_ eq 'unknown' } $with, $without;
    return { with_us => $with / 1000, without_us => $without / 1000, more_us => ($with - $without) / 1000 };
}

=head2 worst($report)

The worst wake-ups as C<events> of L<Realfeel::Model::Report> has them, each with its C<number>, 1 for the worst.

=cut

sub worst ($report) {
    my @events = @{ $report->events // [] };
    $events[$_]{number} = $_ + 1 for 0 .. $#events;
    return @events;
}

=head2 is_blamed($report)

Whether it has records of who had the CPU before the worst wake-ups.

=head2 expires_in_thread($report)

Whether a thread serves the timer, as on PREEMPT_RT, unless it is that of nanosleep.

=cut

sub is_blamed ($report) {
    my (undef, $rows) = $report->rows('records');
    return ($rows // '') ne '' ? 1 : 0;
}

sub expires_in_thread ($report) {
    my ($preemption, $source) = map { $report->header($_) // '' } qw(preemption source);
    return $preemption =~ /^PREEMPT_RT/ && $source =~ /^(?:rtc|timerfd|alsa)\b/ ? 1 : 0;
}

1;
