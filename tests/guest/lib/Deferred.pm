# SPDX-License-Identifier: GPL-2.0-or-later
package Deferred;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Report qw(whole_report);

our @EXPORT    = qw(deferred);
our @EXPORT_OK = qw($HOGS);

use constant { MS => 1_000_000, THROTTLED_MS => 50, PERIOD_MS => 1000, HZ => 100 };

=head1 NAME

Deferred - cases: work that the kernel puts off, on an idle machine and beside ten real-time threads that never sleep

=head2 deferred($tasklet)

All of it lives on the 50 ms of each second that throttling takes from real-time processes, but where the tasklet is said
to be a C<softirq>, and no C<thread>, as on PREEMPT_RT.

=cut

my %KIND = ('workqueue:global' => 'thread', 'workqueue:unbound' => 'thread', tasklet => undef, kthread => 'thread');

sub deferred {
    my ($tasklet) = @_;
    return map { cases($_, $KIND{$_} // $tasklet) } sort keys %KIND;
}

# The threads are started once it is measured, by one that goes before them, for of them all the shell would get 50 ms a
# second, too. It ends them before the measurement ends, which would else break off amid the requests that they hold up.
my $HOG = 'chrt -r 1 sh -c "while :; do :; done"';
our $HOGS = qq(chrt -r 2 sh -c 'for i in \$(seq 10); do $HOG & hogs="\$hogs \$!"; done; sleep 4; kill \$hogs; wait');

sub cases {
    my ($source, $kind) = @_;
    my $name = $source =~ tr/:/-/r;
    my $mount = '[ -e /dev/pts/ptmx ] || { mkdir /dev/pts; mount -t devpts devpts /dev/pts; }';
    return (
        ["$name-idle", "$mount; realfeel -s $source -p 50 -a 0 -n 100 -o report", 0, sub { idle($source, @_) }],
        ["$name-busy", "$mount; start -f @{[HZ]} -s $source -p 50 -a 0 -d 6s; $HOGS; end", 0, sub { busy($source, $kind, @_) }],
    );
}

# What holds on any machine. Every instant at which work was due is in the report: it was asked for, missed, or the meter
# was not there.
sub check_pairs {
    my ($source, $report) = @_;
    is($report->{source}, $source, 'source');
    is($report->{matched}, $report->{samples}, 'each sample is a pair of records');
    is($report->{unmatched}, 0, 'none lacks the other');
    my $due = $report->{periods} + $report->{unasked};
    cmp_ok(abs($report->{duration_s} * HZ - $due), '<', 0.02 * $due + 2, "$due instants in $report->{duration_s} s");
    note(join ', ', map { "$_ $report->{$_}" } qw(samples missed unasked wakeup_mean_ns wakeup_sd_ns wakeup_max_ns));
}

# In virtual time; where the machine is busy with its end, some are later.
sub idle {
    my ($source, $left) = @_;
    my $report = whole_report($left->{report} // '');
    check_pairs($source, $report);
    is($report->{missed}, 0, 'no request is held up by the one before');
    my $us = $report->{wakeup_mean_ns} / 1000;
    cmp_ok($us, '>', 20, 'a thread or a softirq is waited for');
    cmp_ok($us, '<', 200, 'and is not held up');
}

# A delay about as long as throttling takes is supposed to be by throttling. The meter that reads a pty waits for the end of
# the worker, too: its delays are longer than any throttling, and no throttling is supposed.
sub check_verdict {
    my ($source, $report) = @_;
    my $throttled = qr/the kernel may have throttled real-time processes/;
    return like($report->{verdict}, $throttled, 'as the verdict says') if $source ne 'workqueue:unbound';
    like($report->{verdict}, qr{^suspect: .*nothing was requested at $report->{unasked} of},
        'the verdict says when the meter was not there');
    unlike($report->{verdict}, $throttled, 'and supposes no throttling');
}

# The worst wait for the end of a period of throttling, but the softirq only for the end of the meter's turn.
sub busy {
    my ($source, $kind, $left) = @_;
    my $report = whole_report($left->{report} // '');
    check_pairs($source, $report);
    cmp_ok($report->{unasked}, '<', 0.1 * $report->{periods}, 'the meter is throttled, too, and asks for all else');
    my $ms = $report->{wakeup_max_ns} / MS;
    cmp_ok($ms, '<', THROTTLED_MS, 'the softirq is not held up by real-time threads') if $kind eq 'softirq';
    return if $kind eq 'softirq';
    cmp_ok($ms, '>', 2 * THROTTLED_MS, 'it is held up by real-time threads');
    cmp_ok($ms, '<', 2 * PERIOD_MS, 'until they are throttled');
    check_verdict($source, $report);
    return cmp_ok($report->{missed}, '>', $report->{samples}, 'and so are the requests that follow') if $source ne 'workqueue:global';
    is($report->{missed}, 0, 'of many that are pending none is missed');
}

1;
