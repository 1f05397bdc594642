# SPDX-License-Identifier: GPL-2.0-or-later
# The timer of the sound system: the kernel's stamps tell a late reader from a late timer, in the order of the kernels; what
# is missing or in use is reported, and the timer is left however a run ends, also on PREEMPT_RT. In virtual time.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Endings;
use Measuring qw(refused);
use Report qw(whole_report);
use Test::More;

use constant SAMPLES => 5000;

# The cases load the modules themselves, in the order of their names.
my $LOAD_TIMERS = join ' && ', map { "insmod /sound/$_.ko" } qw(soundcore snd snd-timer);
my $MODULE = 'm=/lib/modules/$(uname -r)/kernel/sound/core; mkdir -p $m; : >$m/snd-hrtimer.ko';
my $ALSA = 'realfeel -s alsa -n 100 -o report';
my $NO_RIGHTS = "realfeel: open /dev/snd/timer: Permission denied; run as root or as a member of the file's group, usually audio\n"
    . 'realfeel: take SCHED_FIFO 95: Operation not permitted; run as root, or raise the rtprio limit (ulimit -r, now 0) to 95, '
    . "or use --best-effort\n";

my @REFUSALS = (
    ['0-no-module',  $ALSA, 4, refused(qr{snd/timer: .*: this kernel has no snd-hrtimer module; })],
    ['1-not-loaded', "$MODULE; $ALSA", 1, refused(qr{snd/timer: .*: its module is not loaded; modprobe snd-hrtimer$})],
    ['2-wall-clock', "$LOAD_TIMERS timer_tstamp_monotonic=0 && insmod /sound/snd-hrtimer.ko; $ALSA; s=\$?; "
        . 'rmmod snd-hrtimer snd-timer; (exit $s)', 1, refused(qr{stamps with the wall clock; load snd-timer without })],
    ['3-half-loaded', "insmod /sound/snd-timer.ko; $ALSA", 1, refused(qr{its module is not loaded; modprobe snd-hrtimer$})],
    ['4-no-right',   qq(insmod /sound/snd-hrtimer.ko; su nobody -c "realfeel -s alsa -n 100 -o -"), 1,
        refused(qr{\A\Q$NO_RIGHTS\E\z})],
    ['5-in-use',     "start -q -s alsa -f 1000 -d 1h; $ALSA-2; s=\$?; kill -INT \$keeper; end; cat report-2 2>&-; rm report; (exit \$s)", 1,
        refused(qr{/dev/snd/timer: another program uses this timer; end it })],
);

# For all that come after them.
my @LOADED = (['a-load', "$LOAD_TIMERS && insmod /sound/snd-hrtimer.ko", 0, sub { }]);

my $WRITERS = q(-- sh -c 'while :; do dd if=/dev/zero bs=1M count=32 2>&- | gzip; tar c /bin /lib | cat; done >/dev/null 2>&1');

my %report;

sub measured {
    my ($kernel, $load, $options) = @_;
    return ["measured-$load", "realfeel -s alsa -n @{[SAMPLES]} -a 0 -o report $options", 0, sub {
        my $report = $report{"$kernel $load"} = whole_report($_[0]{report} // '');
        my @us = map { sprintf '%s %.1f', $_, $report->{"${_}_ns"} / 1000 } map { ("${_}_min", "${_}_mean", "${_}_max") }
            qw(lateness wakeup stamp_interval);
        note("$kernel, $load: @us");
        is($report->{source}, 'alsa /dev/snd/timer', 'source');
        is($report->{samples}, SAMPLES, 'samples');
        cmp_ok($report->{lateness_min_ns}, '>', $report->{wakeup_min_ns}, 'the stamp is taken after the period was due');
        cmp_ok($report->{wakeup_min_ns}, '>', 0, 'and before the wake-up');
        cmp_ok(abs($report->{stamp_interval_mean_ns}), '<', 100, 'no drift');
    }];
}

sub explained {
    my ($again) = @_;
    return ['explained', 'realfeel -s alsa -n 1000 -a 0 --explain -o report', 0, sub {
        my $report = whole_report($_[0]{report} // '');
        cmp_ok($report->{parts_matched}, '>=', 990, 'nearly all wake-ups are known');
        is($report->{again_min_ns} > 0 ? 1 : 0, $again, $again ? 'each blocks again, on the lock of the queue' : 'none blocks again');
    }];
}

# Somebody of higher priority takes the CPU three times, for 20 ms or so. That makes the reader late; on PREEMPT_RT the timer
# as well, which is expired by a thread, so that the reader is not late for its stamps, unless it had just been woken.
sub stalled {
    my ($who, $is_late) = @_;
    return ['stalled', 'start -s alsa -f 1000 -a 0 -p 50 -d 1h; hog 60 3 >stalls; kill -INT $keeper; end', 3, sub {
        my ($left) = @_;
        my $report = whole_report($left->{report} // '');
        my @late = grep { $_->{lateness_us} > 15_000 } @{$report->{sets}{events}};
        is(scalar(() = $left->{stalls} =~ /\n/g), 3, 'three stalls');
        cmp_ok(scalar @late, '>=', 3, 'made late');
        cmp_ok(scalar(grep { $is_late->($_) } @late), '>', 0.8 * @late, "$who was, by the stamps");
    }];
}

my @KERNELS = (
    [none => 'generic', ['preempt=none'], [@REFUSALS, measured('none', 'idle', ''),
        measured('none', 'loaded', $WRITERS), explained(0),
        stalled('the reader', sub { $_[0]{wakeup_us} > 15_000 })]],
    [full => 'generic', ['preempt=full'], [@LOADED, measured('full', 'loaded', $WRITERS)]],
    [rt   => 'rt',      [],               [@LOADED, measured('rt', 'idle', ''),
        measured('rt', 'loaded', $WRITERS), explained(1),
        stalled('the timer', sub { $_[0]{wakeup_us} < 1000 }), endings('alsa', 99)]],
);

for (@KERNELS) {
    my ($name, $flavour, $arguments, $cases) = @$_;
    subtest $name => \&check_cases, "alsa-$name", $flavour, $cases, sound => 1, arguments => $arguments;
}

# How many times as long.
sub times_as {
    my ($what, $more, $less, $factor) = @_;
    my ($high, $low) = map { $report{$_}{"${what}_ns"} } $more, $less;
    cmp_ok($high, '>', $factor * $low, sprintf '%s: %.1f us with %s, %.1f us with %s', $what, $high / 1000, $more, $low / 1000, $less);
}

times_as('wakeup_max',  'none loaded', 'full loaded', 3);
times_as('wakeup_mean', 'none loaded', 'full loaded', 1.2);
times_as('wakeup_max',  'none loaded', 'rt loaded',   2);
times_as('wakeup_min',  'rt idle',     'none idle',   2);
times_as('wakeup_min',  'rt loaded',   'full loaded', 2);
times_as('lateness_mean', 'rt idle',   'none idle',   2);

done_testing;
