# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment in a guest finds what a change of a setting does, and next to nothing where it does nothing. SEED=N in the
# environment puts its blocks in another order.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Analyzer qw($TRY analyzer);
use Cases qw(check_cases);
use Seed;
use Test::More;

# Where nothing differs, one series in twenty tells a difference all the same; in a guest, which repeats itself, it is one of
# a bin or two of the histogram, of which the percentile is near 4000.
use constant NEXT_TO_NOTHING_PERCENT => 1;

my $seed = seed(USUAL);

# One write of 2 MiB into a pipe, again and again, which only a kernel that is preempted almost everywhere interrupts.
sub experiment {
    my ($name, $change, $check) = @_;
    my $script = "culprit write 10000 2048 >/dev/null &\n$TRY --settle=100ms --seed=$seed -o $name $change -- "
        . "realfeel -s nanosleep -n 10240\nstatus=\$?\nkill -KILL \$!\ncat /sys/kernel/debug/sched/preempt >left\necho \$status >answer";
    return [$name, $script, 0, sub {
        my ($left) = @_;
        $check->($left->{stdout}, $left->{stderr}, 0 + $left->{answer});
        note $left->{stdout};
        like($left->{left}, qr/^\(none\)/, 'the setting is what it was');
        is((grep { /undo\.sh/ } keys %$left), 0, 'no script is left');
    }];
}

check_cases('try', 'stock', [
    experiment('preempt', 'preempt-full', sub {
        my ($out, $err, $status) = @_;
        is($status, 0, 'a difference is reported');
        like($out, qr/\Apreempt-full: p99\.9 is [\d.]+ times lower \(/, 'the change is found');
        like($err, qr/: found: .*\(none\).*^realfeel-try: found again at the end: .*\(none\)/ms, 'what was found was put back');
    }),
    experiment('sleep', "--change='sleep 1' --undo=true --blocks=8", sub {
        my ($out, $err, $status) = @_;
        my ($unknown, $known) = $out =~ s/\s+/ /gr
            =~ /\Achange: (?:cannot tell; a difference of less than ([\d.]+) % at|p99\.9 is ([\d.]+) % (?:high|low)er \()/;
        is($status, defined $unknown ? 5 : 0, 'the exit status tells whether a difference is');
        cmp_ok($unknown // $known // 'inf', '<', NEXT_TO_NOTHING_PERCENT, 'there is next to none, in percent') or diag $out;
    }),
], arguments => ['preempt=none'], programs => [$^X], files => { analyzer() }, timeout => 1200);

done_testing;
