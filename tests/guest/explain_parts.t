# SPDX-License-Identifier: GPL-2.0-or-later
# What wake-ups are made of, with every source, on a stock kernel and on PREEMPT_RT; and what is known when the keeper is
# stopped, or somebody is killed. In virtual time, so that nothing but the kernel makes a difference.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Report qw(whole_report);
use Test::More;

use constant HZ => 2048;

# On PREEMPT_RT a thread expires these timers. Whom it wakes takes the CPU from it at once, blocks on the lock of the queue,
# which the thread still holds, and is woken once more.
my %BLOCKED_AGAIN = map { $_ => 1 } 'rt timerfd', 'rt rtc';

# Perf records nothing, as on some kernels of what happens in their idle task, so that programs record it instead.
use constant BLIND => 'env LD_PRELOAD=/lib/fake_root.so FAKE_PERF_BLIND=1 ';

sub explained {
    my ($flavour, $source, $blind) = @_;
    my ($prefix, $name) = $blind ? (BLIND, "$source-programs") : ('', $source);
    return [$name, "${prefix}realfeel --explain=parts -s $source -n 5000 -o report", 0, sub {
        my $report = whole_report($_[0]{report} // '');
        quote_figures($flavour, $name, $report);
        like($report->{explain_traced}, $blind ? qr/^0 of / : qr/^(\d+) of \1$/, 'of the switches perf itself recorded none, or all');
        cmp_ok($report->{parts_matched}, '>=', 4990, 'nearly all wake-ups are known');
        is($report->{trace_lost}, 0, 'no record was lost');
        my $again = $report->{again_min_ns} > 0 ? 1 : 0;
        is($again, $BLOCKED_AGAIN{"$flavour $source"} // 0, $again ? 'each blocks again' : 'they do not block again');
    }];
}

# As fast as the RTC can be, and faster than anything can be: then some wake-ups are unknown. A PREEMPT_RT kernel is too slow
# for that here: it would do nothing else.
sub hurried {
    my ($hz, $limit, $least, $most) = @_;
    return ["$hz-hz", "realfeel --explain=parts -s nanosleep -f $hz $limit -o report", 0, sub {
        my $report = whole_report($_[0]{report} // '');
        diag("$hz Hz: $report->{parts_matched} of $report->{samples} known, $report->{missed} missed, $report->{trace_lost} records lost");
        cmp_ok($report->{parts_unknown}, '>=', $least, "at least $least wake-ups are unknown");
        cmp_ok($report->{parts_unknown}, '<=', $most, "at most $most");
        cmp_ok($report->{parts_matched}, '>', 1000, 'others are known');
    }];
}

sub quote_figures {
    my ($flavour, $source, $report) = @_;
    my @us = map { sprintf '%s %.1f', $_, $report->{"${_}_mean_ns"} / 1000 } qw(expiry waking switch again stamp);
    diag("$flavour, $source: mean us: @us; $report->{parts_matched} of $report->{samples} known; p50 with / without: "
        . "$report->{explain_with_ns} / $report->{explain_without_ns} ns; switches $report->{explain_switches}");
}

# What is killed or stopped, when, and how many seconds of wake-ups may be unknown for that.
my @ENDINGS = (
    ['stopped-keeper', '-d 14s', 'sleep 2; kill -STOP $keeper; sleep 10; kill -CONT $keeper', 0, 3, 10],
    ['killed-keeper',  '-d 30s', 'sleep 4; kill -KILL $keeper', 128 + 9, 0, 2],
    ['killed-meter',   '-d 30s', 'sleep 4; kill -KILL $meter', 3, 0, 2],
    ['killed-standby', '-d 30s', 'sleep 4; kill -KILL $standby; sleep 1; kill -INT $keeper', 3, 0, 1],
);

sub ending {
    my ($name, $options, $action, $status, $least_s, $most_s) = @{ $_[0] };
    return [$name, "start --explain -s rtc $options; $action; end", $status, sub {
        my $report = whole_report($_[0]{report} // '');
        diag("$name: $report->{parts_matched} of $report->{samples} known, $report->{trace_lost} records lost");
        cmp_ok($report->{parts_unknown}, '>=', $least_s * HZ, "at least $least_s s of wake-ups are unknown");
        cmp_ok($report->{parts_unknown}, '<=', ($most_s + 0.5) * HZ, "at most about $most_s s");
        cmp_ok($report->{parts_matched}, '>=', HZ, 'others are known');
    }];
}

for my $flavour (qw(stock rt)) {
    my @cases = (
        (map { explained($flavour, $_) } qw(nanosleep timerfd rtc)),
        (map { explained($flavour, $_, 1) } qw(nanosleep rtc)),
        $flavour eq 'stock' ? (hurried(8192, '-n 40000', 0, 10), hurried(100_000, '-d 2s', 1, 'inf')) : (),
        (map { ending($_) } @ENDINGS),
    );
    subtest $flavour => \&check_cases, "explain-parts-$flavour", $flavour, \@cases;
}

done_testing;
