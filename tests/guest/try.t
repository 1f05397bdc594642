# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment in a guest finds what a change of a setting does, and nothing where it does nothing.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Analyzer qw($ANALYZE analyzer);
use Cases qw(check_cases);
use Test::More;

# One write of 2 MiB into a pipe, again and again, which only a kernel that is preempted almost everywhere interrupts.
sub experiment {
    my ($name, $status, $change, $check) = @_;
    my $script = "culprit write 10000 2048 >/dev/null &\n$ANALYZE try --settle=100ms --seed=1 -o $name $change -- "
        . "realfeel -s nanosleep -n 10240\nstatus=\$?\nkill -KILL \$!\ncat /sys/kernel/debug/sched/preempt >left\n(exit \$status)";
    return [$name, $script, $status, sub {
        my ($left) = @_;
        $check->($left->{stdout}, $left->{stderr});
        like($left->{left}, qr/^\(none\)/, 'the setting is what it was');
        is((grep { /undo\.sh/ } keys %$left), 0, 'no script is left');
    }];
}

check_cases('try', 'stock', [
    experiment('preempt', 0, 'preempt-full', sub {
        my ($out, $err) = @_;
        like($out, qr/\Apreempt-full: p99\.9 is [\d.]+ times lower \(/, 'the change is found');
        like($err, qr/: found: .*\(none\).*^realfeel-analyze: found again at the end: .*\(none\)/ms, 'what was found was put back');
        diag($out =~ /\A(.*?)\n\n/s);
    }),
    experiment('sleep', 5, "--change='sleep 1' --undo=true --blocks=8", sub {
        my ($out) = @_;
        like($out, qr/\Achange: cannot tell/, 'nothing is found where there is nothing');
    }),
], arguments => ['preempt=none'], programs => [$^X], files => { analyzer() }, timeout => 1200);

done_testing;
