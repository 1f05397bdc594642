# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Deferred;
use Endings;
use Loads;
use Measuring;
use Preflight;
use Report qw(whole_report);
use Starving;
use Tracing;
use Woken;
use Test::More;

# A small system mounts debugfs nowhere, and only root can read it.
my $KNOWN = <<'EOS';
realfeel -q -s nanosleep -n 2048 -o mounted
umount /sys/kernel/debug
realfeel -q -s nanosleep -n 2048 -o unmounted
su nobody -c 'realfeel -q -s nanosleep --best-effort -n 2048 -o -' >unprivileged
mount -t debugfs debugfs /sys/kernel/debug
EOS

sub check_known {
    my ($left) = @_;
    my %report = map { $_ => whole_report($left->{$_} // '') } qw(mounted unmounted unprivileged);
    my %from = map { $_ => $report{$_}{preemption_from} } keys %report;
    is_deeply(\%from, {mounted => '/sys/kernel/debug/sched/preempt', unmounted => 'debugfs', unprivileged => 'unknown'}, 'from where');
    like($report{mounted}{preemption}, qr{^\w+ \(PREEMPT_DYNAMIC\)$}, 'the model');
    is($report{unmounted}{preemption}, $report{mounted}{preemption}, 'the same, unmounted');
}

check_cases('stock', 'stock', [measuring(), ['preemption', $KNOWN, 0, \&check_known],
    starving(), deferred('softirq'), woken(), endings('rtc', 95, 99), loads(), tracing(),
    preflight(0, qr{^timer thread: ok$}m)]);

done_testing;
