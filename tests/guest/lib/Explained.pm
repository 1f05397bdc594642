# SPDX-License-Identifier: GPL-2.0-or-later
package Explained;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(first max min pairs sum0);
use Test::More;
use Answered qw(answered);
use Culprits qw(culprits);
use Report qw(whole_report);

our @EXPORT = qw(explained overfull quiet);

=head1 NAME

Explained - cases: someone makes the measurement late, and the report says who, and for how long

=cut

# How far the report may be from what was done.
use constant NEAR => 0.05;

# How often the keeper saves the report, and how long the kernel works for that at once, in virtual time.
use constant { SAVED_EVERY_S => 60, SAVING_US => 5000 };

my $US = qr{[\d.]+ (?:us|ms)};

=head2 explained($flavour)

The cases of all culprits that make late on this kernel, with each source, at each eighth of its period.

=cut

sub explained {
    my ($flavour) = @_;
    return map { my $culprit = $_; map { case($culprit, $_) } @{$culprit->{flavours}{$flavour} // []} } culprits();
}

sub case {
    my ($culprit, $source) = @_;
    my $hz = $source eq 'rtc' ? 1024 : 1000;
    my $script = "start -s $source -f $hz -a 0 --explain -d 1h; sleep 2; "
        . "($culprit->{script}) >stretches; kill -INT \$keeper; end";
    return ["$culprit->{name}-$source", $script, 3, sub { check($culprit, @_) }];
}

sub check {
    my ($culprit, $left) = @_;
    my $report = whole_report($left->{report} // '');
    my @stretches = map { my ($from, $to) = split; {from_us => $from / 1000, us => ($to - $from) / 1000} } split /\n/, $left->{stretches};
    my @events = @{$report->{sets}{events}};
    $events[$_]{number} = $_ + 1 for 0 .. $#events;
    my @late = sort { $a->{at_s} <=> $b->{at_s} } grep { $_->{lateness_us} > 0.8 * min(map { $_->{us} } @stretches) } @events;
    my @groups = together(@late);
    is(scalar @groups, scalar @stretches, 'each made late') or return diag(sentences($left->{report}));
    my %answer = map { $_->{number} => $_ } answered($left->{report});
    for my $i (0 .. $#groups) { check_event($culprit, $answer{$_->{number}}, $_, $stretches[$i]) for @{$groups[$i]} }
}

# On PREEMPT_RT the end of one stretch may take two wake-ups, as the thread that expires the RTC's timer was late as well.
sub together {
    my ($first, @late) = @_;
    my @groups = [$first // ()];
    for my $event (@late) {
        push @groups, [] if $event->{at_s} - $groups[-1][-1]{at_s} > 0.01;
        push @{$groups[-1]}, $event;
    }
    return @groups;
}

# The culprit may have had the CPU before the wake-up was due, but not for longer than it had it at all.
sub check_event {
    my ($culprit, $answer, $event, $stretch) = @_;
    my @rows = @{$answer->{segments}};
    is(gaps($event, @rows), '', 'the rows of the wake-up follow each other from its due time to its end');
    my $blamed_us = us(grep { $_->{kind} eq $culprit->{kind} && $_->{name} eq $culprit->{who} } @rows);
    my $done_us = min($stretch->{us}, $event->{lateness_us});
    note(sprintf '%s had the CPU for %.1f us, it is told, of %.1f us; late by %.1f us',
        $culprit->{who}, $blamed_us, $stretch->{us}, $event->{lateness_us});
    cmp_ok(abs($blamed_us - $done_us), '<=', NEAR * $stretch->{us}, "$culprit->{who} is reported to have had the CPU for that long");
    cmp_ok(us(grep { $_->{kind} eq 'unknown' } @rows), '<=', NEAR * $event->{lateness_us}, 'next to nothing is unknown');
    my $others_us = us(grep { $_->{kind} eq 'task' && $_->{name} ne $culprit->{who} } @rows);
    cmp_ok($others_us, '<=', NEAR * $event->{lateness_us}, 'and no one else is blamed');
    like($answer->{sentence}, $culprit->{sentence}, 'a sentence says so');
    is($answer->{main}{name}, $culprit->{who}, 'and the answer');
}

sub sentences {
    my ($text) = @_;
    return join '', map { "$_->{number} $_->{sentence}\n" } answered($text);
}

sub us {
    return sum0(map { $_->{to_us} - $_->{from_us} } @_);
}

# Where the rows do not cover the time from due to stamp, or nothing.
sub gaps {
    my ($event, @rows) = @_;
    my @edges = ('0.000', map({ @$_{qw(from_us to_us)} } @rows), $event->{lateness_us});
    return join ', ', map { "$_->[0] to $_->[1]" } grep { $_->[0] != $_->[1] } pairs(@edges);
}

=head2 overfull()

A case: so much happens while a wake-up is late that not all of it can be kept. What is known is the end of it.

=cut

sub overfull {
    my $script = 'start -s nanosleep -f 1024 -a 0 --explain -d 1h; sleep 2; culprit yield 2 3000 >stretches; kill -INT $keeper; end';
    return ['overfull', $script, 3, \&check_overfull];
}

sub check_overfull {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    for my $number (1, 2) {
        my $event = $report->{sets}{events}[$number - 1];
        my ($answer) = grep { $_->{number} == $number } answered($left->{report});
        my ($first, @rows) = @{$answer->{segments}};
        is(gaps($event, $first, @rows), '', 'the rows of the wake-up follow each other from its due time to its end');
        is("@$first{qw(kind detail)}", 'unknown ring-ends', 'of the beginning nothing is known');
        cmp_ok(us($first), '<', $event->{lateness_us}, 'but something of the end');
        my $others_us = us(grep { $_->{kind} eq 'task' && $_->{name} ne 'culprit' } @rows);
        cmp_ok($others_us, '<=', NEAR * $event->{lateness_us}, 'for which no one else is blamed');
        like($answer->{sentence}, qr{the records begin $US after due}, 'a sentence says so');
    }
}

=head2 quiet($name, $options)

A case: nothing makes late but what the machine and the program itself do, so no one else is blamed, and the keeper for no
more than what the kernel does when it saves the report, which it does once a minute.

=cut

sub quiet {
    my ($name, $options) = @_;
    return [$name, "ps -o comm >tasks; echo realfeel >>tasks; realfeel -a 0 --explain -o report $options", 0, \&check_quiet];
}

sub check_quiet {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    note("$report->{samples} wake-ups in $report->{duration_s} s; $report->{parts_unknown} unknown; the worst of them:\n",
        sentences($left->{report}));
    is($report->{parts_unknown}, 0, 'the parts of every wake-up are known');
    is($report->{trace_lost}, 0, 'nothing was lost');
    my @answers = answered($left->{report});
    my @rows = map { @{$_->{segments}} } @answers;
    is((grep { $_->{kind} eq 'unknown' } @rows), 0, 'nothing is unknown of the worst');
    # The kernel begins more of its workers when it needs them.
    my %known = map { $_ => 1 } split /\n/, $left->{tasks};
    my @tasks = grep { !m{^kworker/} } map { $_->{name} } grep { $_->{kind} eq 'task' } @rows;
    is_deeply([grep { !$known{$_} } @tasks], [], 'no one who is not there is blamed');
    unlike(sentences($left->{report}), qr/took the CPU away|throttled|any record|unknown/, 'for nothing that did not happen');
    check_keeper($report, @answers);
}

sub check_keeper {
    my ($report, @answers) = @_;
    my @us = map { us(grep { ($_->{own} // '') eq 'keeper' } @{$_->{segments}}) } @answers;
    cmp_ok(max(0, @us), '<', SAVING_US, 'the keeper is never blamed for longer than saving takes');
    my $late = wakeups_from($report, 2 * median_us($report));
    my $saved = $report->{duration_s} / SAVED_EVERY_S;
    note("$late wake-ups were late by twice the median or more; the report was saved $saved times at most");
    cmp_ok($late, '<=', $saved, 'and no more wake-ups are late by far than it saved');
}

sub wakeups_from {
    my ($report, $us) = @_;
    return sum0(map { $_->{lateness} } grep { $_->{to_us} > $us } @{$report->{sets}{histogram}});
}

sub median_us {
    my ($report) = @_;
    my $left = $report->{periods} / 2;
    return (first { ($left -= $_->{lateness}) <= 0 } @{$report->{sets}{histogram}})->{to_us};
}

1;
