# SPDX-License-Identifier: GPL-2.0-or-later
package Cases;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(basename);
use File::Glob ':bsd_glob';
use FindBin;
use List::Util qw(first sum0);
use Test::More;
use Guest qw(boot initramfs kernel prerequisites slurp);
use Report qw(whole_report);

our @EXPORT = qw(check_cases);

=head1 NAME

Cases - what realfeel must do on a real kernel with a real /dev/rtc

=cut

my $ROOT = "$FindBin::Bin/../..";

# The endings of a run: name, options, what is done to it (see init), exit status that the shell sees.
my @ENDINGS = (
    ['end',         '-n 8192', ':',                     0],
    ['duration',    '-d 3s',   ':',                     0],
    ['sigint',      '-d 30s',  'kill -INT $keeper',     3],
    ['sigterm',     '-d 30s',  'kill -TERM $keeper',    3],
    ['sighup',      '-d 30s',  'kill -HUP $keeper',     3],
    ['kill-meter',  '-d 30s',  'kill -KILL $meter',     3],
    ['kill-keeper', '-d 30s',  'kill -KILL $keeper',    128 + 9],
);

# The cases: name, what the guest runs (see init), exit status, and a check of the files that it left. 99 is above
# the priority of every thread of the kernel: a program that does not step down first hangs a PREEMPT_RT kernel.
my @CASES = (
    ['rtc',         'realfeel --source=rtc -n 20480 -o report',       0, measured(qr{^rtc /dev/rtc0$})],
    ['nanosleep',   'realfeel --source=nanosleep -n 20480 -o report', 0, measured(qr{^nanosleep$})],
    ['timerfd',     'realfeel --source=timerfd -n 20480 -o report',   0, measured(qr{^timerfd$})],
    ['stall',       stalled('rtc'),                                   3, \&check_stalls],
    ['explain',     stalled('nanosleep -a 0'),                            3, \&check_explained],
    (map { ending($_, 95), ending($_, 99) } @ENDINGS),
    ['busy',        'exec 3</dev/rtc0; realfeel -n 2048 -o report',   1, refused(qr{/dev/rtc0.*(busy|in use)}i)],
    ['tsc',         'realfeel --clock=tsc -n 2048 -o report',         1, refused(qr{constant_tsc})],
    ['no-rate',     as_nobody('--source=rtc'),                        1, refused(qr{max_user_freq})],
    ['no-fifo',     as_nobody('--source=nanosleep'),                  1, refused(qr{fifo|rtprio}i)],
    ['best-effort', as_nobody('--source=nanosleep --best-effort'),    0, \&check_doubtful],
);

=head2 check_cases($flavour)

Runs every case in one guest with that kernel (see Guest), and checks what each left behind. Where a guest cannot
be had the tests are skipped, but with CI=true in the environment they fail.

=cut

sub check_cases {
    my ($flavour) = @_;
    my $kernel = eval { prerequisites(); kernel($flavour) } or return without_guest($@);
    my $run = boot(
        kernel    => $kernel,
        initramfs => initramfs(init => "$FindBin::Bin/init", programs => ["$ROOT/realfeel", "$ROOT/build/hog"], files => guest_files()),
        directory => "$ROOT/build/guest/$flavour",
    );
    is($run->{failure}, undef, 'the guest ran to its end') or diag(tail($run->{console}));
    subtest $_->[0] => \&check_case, $run->{files}, @$_ for @CASES;
    done_testing();
}

sub without_guest {
    my ($reason) = @_;
    chomp $reason;
    BAIL_OUT($reason) if ($ENV{CI} // '') eq 'true';
    plan(skip_all => $reason);
}

sub guest_files {
    return {
        'etc/passwd' => "nobody::65534:65534::/:/bin/sh\n",
        map { ("cases/$_->[0]" => "$_->[1]\n") } @CASES,
    };
}

sub tail {
    my ($console) = @_;
    my @lines = split /\r?\n/, $console;
    return join "\n", @lines > 30 ? @lines[-30 .. -1] : @lines;
}

sub check_case {
    my ($files, $name, $script, $status, $check) = @_;
    -e "$files/$name/status" or return fail("the guest came to the end of: $script");
    my %left = map { basename($_) => slurp($_) } glob "$files/$name/*";
    is($left{status}, "$status\n", 'exit status') or diag($left{stderr});
    is(periodic($left{rtc_after}), 'no 1024', 'periodic interrupt off, and at the rate of before');
    is($left{pids_after}, '', 'no process left');
    $check->(\%left);
}

# The periodic interrupt in a copy of /proc/driver/rtc: enabled or not, and its rate. The driver starts with 1024 Hz.
sub periodic {
    my ($rtc) = @_;
    return join ' ', $rtc =~ /^periodic IRQ (?:enabled|frequency)\s*: (\w+)$/mg;
}

sub measured {
    my ($source) = @_;
    return sub {
        my $report = whole_report($_[0]{report} // '');
        is($report->{samples}, 20480, 'samples') or return;
        like($report->{source}, $source, 'source');
        is($report->{status}, 'complete', 'status');
        check_schedule($report);
    };
}

sub ending {
    my ($ending, $priority) = @_;
    my ($name, $options, $action, $status) = @$ending;
    my $script = "start --source=rtc $options -p $priority; $action; end";
    return ["$name-at-$priority", $script, $status, sub {
        my ($left) = @_;
        is(periodic($left->{rtc_during}), 'yes 2048', 'periodic interrupt on while measuring');
        my $report = whole_report($left->{report} // '');
        is($report->{status}, $status ? 'interrupted' : 'complete', 'status of the report');
        is($report->{priority}, $priority, 'priority');
    }];
}

# A process of higher priority takes the only CPU away ten times, and tells when.
sub stalled {
    my ($source) = @_;
    return "start --source=$source --explain -d 30s -p 50; hog 60 10 >stalls; kill -INT \$keeper; end";
}

# What a run with stalls left: the report, the wake-ups that ended a stall, and how long each stall was, in ns. On
# PREEMPT_RT the end of one stall may take two wake-ups, for the thread that expires the RTC's timer was stalled, too.
sub stall_events {
    my ($left) = @_;
    my $report = whole_report($left->{report} // '');
    my @stalls = map { my ($from, $to) = split; $to - $from } split /\n/, $left->{stalls};
    my @events = grep { $_->{lateness_us} > 15_000 } @{$report->{sets}{events}};
    is(scalar @stalls, 10, 'ten stalls');
    cmp_ok(scalar @events, '>=', 10, 'and a wake-up that ended each of them');
    return ($report, \@events, \@stalls);
}

# The first and the last period of a stall may be served by others; those of the hog's own start and end are stalled.
sub check_stalls {
    my ($report, $events, $stalls) = stall_events(@_);
    my ($period_ns, $served) = ($report->{period_ns}, sum0(map { $_->{periods} } @$events));
    my $stalled = sum0(@$stalls) / $period_ns;
    cmp_ok($served, '>=', $stalled - @$stalls, 'periods that the stalls made late');
    cmp_ok($served, '<=', $stalled + 6 * @$stalls, 'and no more');
    is($report->{missed}, sum0(map { $_->{periods} - 1 } @$events), 'no other period was missed');
    for my $event (@$events) {
        my @ns = map { nanoseconds($event->{lateness_us}) - $_ * $period_ns } 0 .. $event->{periods} - 1;
        cmp_ok($ns[-1], '>', 0, "periods from $event->{period} on: none was served before it was due");
        is((grep { !in_a_bin($report, $_) } @ns), 0, 'and each has its own lateness');
    }
}

sub in_a_bin {
    my ($report, $ns) = @_;
    return first { nanoseconds($_->{from_us}) <= $ns && $ns < nanoseconds($_->{to_us}) && $_->{lateness} }
        @{$report->{sets}{histogram}};
}

# A whole number, lest an edge be missed by a rounding.
sub nanoseconds {
    my ($us) = @_;
    return sprintf '%.0f', 1000 * $us;
}

sub check_explained {
    my ($report, $events) = stall_events(@_);
    my $share = sum0(map { $_->{run_delay_us} } @$events) / (sum0(map { $_->{lateness_us} } @$events) || 1);
    cmp_ok($share, '>=', 0.9, 'at least 90 % of the lateness was waiting to run');
    is((grep { $_->{faults} ne '0' } @$events), 0, 'without a page fault');
    is((grep { $_->{interrupts} !~ /^\d+$/ } @$events), 0, 'the interrupts of its CPU are counted');
}

sub as_nobody {
    my ($options) = @_;
    return qq(chmod 666 /dev/rtc0; su nobody -c "realfeel $options -f 2048 -n 2048 -o -");
}

sub refused {
    my ($why) = @_;
    return sub {
        my ($left) = @_;
        my $said = $left->{stderr} =~ s/^realfeel: warning: .*\n//mgr;
        like($said, qr{\A(?:realfeel: \S.*: .*; .*\n)+\z}, 'lines that name the thing, the reason and the remedy');
        like($said, $why, 'which say why');
        is($left->{stdout} . ($left->{report} // ''), '', 'no report');
    };
}

sub check_doubtful {
    my ($left) = @_;
    my $report = whole_report($left->{stdout});
    like($report->{verdict}, qr{^(suspect|invalid): }, 'the verdict says what was missing');
}

# Where the schedule drifts, the lateness is not the same at the end as at the start.
sub check_schedule {
    my ($report) = @_;
    my @slices = grep { $_->{seconds} > 0.5 } @{$report->{sets}{slices}};
    my ($first, $last) = map { median_bin($report, $_) } @slices[0, -1];
    my $width = $first->{to_us} - $first->{from_us};
    cmp_ok($report->{lateness_min_ns}, '>', 0, 'no wake-up before its time');
    cmp_ok(abs($last->{from_us} - $first->{from_us}), '<', 2.5 * $width, 'no drift: the median stays within two bins');
}

sub median_bin {
    my ($report, $slice) = @_;
    my $below = 0;
    my @bins = grep { $_->{start_s} == $slice->{start_s} } @{$report->{sets}{slice_bins}};
    return first { 2 * ($below += $_->{lateness}) >= $slice->{periods} } @bins;
}

1;
