# SPDX-License-Identifier: GPL-2.0-or-later
# What the laboratory found of the three documents, as far as it is the kernel's doing and not chance: in the reports of the
# last "make lab", else in those that are kept.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib", "$FindBin::Bin/../../analyze/lib";
use Documents qw(reports runs);
use Realfeel::Model::Report;
use Test::More;

my ($directory) = grep { reports($_, runs()) } "$FindBin::Bin/../../build/lab/documents", "$FindBin::Bin/examples/documents";
note("reports of $directory");

my %report;
for (reports($directory, map { runs($_) } qw(stueckjuergen dankex))) {
    my ($kernel, $run, $file) = @$_;
    $report{"$kernel->{name} $run->{name}"} = Realfeel::Model::Report->read($file);
}

sub figure {
    my ($name, $key) = @_;
    return $report{$name}->header("${key}_ns") / 1000;
}

# Of two runs the first has that figure at least, or at most, so many times as high.
sub times_as {
    my ($key, $one, $relation, $factor, $other) = @_;
    my ($us, $other_us) = map { figure($_, $key) } $one, $other;
    cmp_ok($us, $relation, $factor * $other_us, sprintf '%s: %.1f us with %s, %.1f us with %s', $key, $us, $one, $other_us, $other);
}

subtest 'a kernel that does not preempt lets the reader wait, and no other does' => sub {
    times_as('wakeup_max',  'none alsa-writers', '>', 3,   'full alsa-writers');
    times_as('wakeup_mean', 'none alsa-writers', '>', 1.2, 'full alsa-writers');
    times_as('switch_mean', 'none parts-writers', '>', 1.2, 'none parts-idle');
    times_as('wakeup_mean', "$_ alsa-writers", '<', 1.1, "$_ alsa-idle") for qw(full rt);
};

subtest 'preemption raises neither the minimum nor the mean without a load' => sub {
    for (['wakeup_min', 'alsa-idle'], ['wakeup_min', 'alsa-writers'], ['wakeup_mean', 'alsa-idle']) {
        my ($key, $run) = @$_;
        times_as($key, "full $run", '<', 1.05, "none $run");
    }
};

subtest 'PREEMPT_RT does, by a timer in a thread and a lock that the reader waits for' => sub {
    for my $load (qw(idle writers)) {
        times_as('wakeup_min', "rt alsa-$load", '>', 2, "full alsa-$load");
        times_as('expiry_mean', "rt parts-$load", '>', 2, "full parts-$load");
        is(figure("full parts-$load", 'again_max'), 0, 'full never waits again');
        cmp_ok(figure("rt parts-$load", 'again_min'), '>', figure("rt parts-$load", 'switch_mean'), 'rt always does');
    }
};

subtest 'beside real-time threads all wait until these are throttled, but the softirq, and the reader that is above them' => sub {
    for my $kernel (qw(none full rt)) {
        times_as('wakeup_mean', "$kernel $_-threads", '>', 1000, "$kernel $_-idle") for qw(workqueue-global workqueue-private kthread);
        times_as('wakeup_mean', "$kernel thread-threads", '<', 2, "$kernel thread-idle");
    }
    for my $kernel (qw(none full)) {
        times_as('wakeup_max', "$kernel kthread-threads", '>', 10, "$kernel tasklet-threads");
        times_as('wakeup_mean', 'rt tasklet-threads', '>', 10, "$kernel tasklet-threads");
    }
};

done_testing;
