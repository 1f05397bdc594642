# SPDX-License-Identifier: GPL-2.0-or-later
# What only this machine shows: that its timers wake, and whether its TSC can be trusted.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand;
use Test::More;

# Options, and what the header has.
my @ASKED = (
    [[qw(-s nanosleep -P other)], { source => 'nanosleep', policy => 'other', priority => 0 }],
    [[qw(-s timerfd -P other)],   { source => 'timerfd', policy => 'other', priority => 0 }],
    [['-P', 'other', '-a', (allowed_cpus())[0]], { cpu => (allowed_cpus())[0], policy => 'other' }],
);

sub header_is {
    my ($options, $expected) = @_;
    my ($status, $out, $err) = run(no_rtc(), realfeel(qw(-n 20 -o -), @$options));
    my $report = whole_report($out);
    is("$status $report->{status} $report->{samples}", '0 complete 20', 'the run is complete') or diag $err;
    is_deeply({ map { $_ => $report->{$_} } keys %$expected }, $expected, 'the header has what is expected');
}

workspace();
subtest "@{$_->[0]}" => \&header_is, @$_ for @ASKED;

subtest '--clock=tsc' => sub {
    my ($status, $out, $err) = run(no_rtc(), realfeel(qw(-c tsc -d 1500ms -o -)));
    if ($status) {
        is($status, 1, 'exit status');
        return like(said($err), qr/\Arealfeel: --clock=tsc: .*; use --clock=monotonic\n\z/,
            'a counter that is not to be trusted is refused with the reason');
    }
    my $report = whole_report($out);
    is($report->{clock}, 'tsc', 'the header names the clock');
    like($report->{tsc_hz}, qr/^\d{8,}\.\d$/, 'rate of the counter');
    like($report->{tsc_error_ppm}, qr/^\d+\.\d{4}$/, 'error of the rate');
};

done_testing;
