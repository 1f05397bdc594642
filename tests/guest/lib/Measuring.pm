# SPDX-License-Identifier: GPL-2.0-or-later
package Measuring;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(first);
use Test::More;
use Report qw(whole_report);

our @EXPORT    = qw(measuring);
our @EXPORT_OK = qw(refused);

=head1 NAME

Measuring - cases: what is measured with a real /dev/rtc and with timers, and what is refused

=cut

sub measuring {
    return (
        ['rtc',         'realfeel --source=rtc -n 20480 -o report',       0, measured(qr{^rtc /dev/rtc0$})],
        ['nanosleep',   'realfeel --source=nanosleep -n 20480 -o report', 0, measured(qr{^nanosleep$})],
        ['timerfd',     'realfeel --source=timerfd -n 20480 -o report',   0, measured(qr{^timerfd$})],
        ['busy',        'exec 3</dev/rtc0; realfeel -n 2048 -o report',   1, refused(qr{/dev/rtc0.*(busy|in use)}i)],
        ['no-alsa',     'realfeel -s alsa -n 2048 -o report',             4, refused(qr{this kernel has no snd-hrtimer module})],
        ['tsc',         'realfeel --clock=tsc -n 2048 -o report',         1, refused(qr{constant_tsc})],
        ['no-rate',     as_nobody('--source=rtc'),                        1, refused(qr{max_user_freq})],
        ['no-fifo',     as_nobody('--source=nanosleep'),                  1, refused(qr{fifo|rtprio}i)],
        ['best-effort', as_nobody('--source=nanosleep --best-effort'),    0, \&check_doubtful],
    );
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

sub as_nobody {
    my ($options) = @_;
    return qq(chmod 666 /dev/rtc0; su nobody -c "realfeel $options -f 2048 -n 2048 -o -");
}

=head2 refused($why)

The check of a case in which the program refused to measure, and said in one line or more why.

=cut

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
