# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::RtTests;
use strict;
use warnings;

use Encode qw(decode);
use JSON::PP ();
use POSIX qw(floor strftime);
use Realfeel::Export::Buckets qw(buckets);
use Time::Local qw(timegm);

use constant NOT_BOUND => -1;

# In the order in which cyclictest writes them.
use constant KEYS => qw(
    file_version cmdline rt_test_version start_time end_time return_code sysinfo num_threads resolution_in_ns thread
    sysname nodename release version machine realtime histogram cycles min max avg cpu node
);
use constant DAYS   => qw(Sun Mon Tue Wed Thu Fri Sat);
use constant MONTHS => qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);

=head1 NAME

Realfeel::Export::RtTests - the JSON that cyclictest and the other rt-tests write with --json

=head1 FUNCTIONS

=head2 text($report)

One thread, the histogram in whole microseconds. C<cycles> is the number of periods, the missed ones included, and the
sum of the histogram. C<return_code> is 1 when the run went above the limit of C<--max> or C<--break>, was interrupted,
or has an invalid verdict, and when the file that it was imported from had another than 0. What is not known is null;
C<cpu> is -1 when the process was bound to none, and C<node> is always -1.

=cut

sub text {
    my ($report) = @_;
    my %order;
    @order{ KEYS() } = 0 .. KEYS() - 1;
    my $by = sub { ($order{$JSON::PP::a} // $JSON::PP::a) <=> ($order{$JSON::PP::b} // $JSON::PP::b) };
    return JSON::PP->new->utf8->indent->indent_length(2)->space_after->sort_by($by)->encode(_document($report));
}

sub _document {
    my ($report) = @_;
    return {
        file_version     => 1,
        cmdline          => _text($report, 'command'),
        rt_test_version  => 'realfeel',
        start_time       => _time($report, 0),
        end_time         => _time($report, $report->header('duration_s')),
        return_code      => _failed($report),
        sysinfo          => _sysinfo($report),
        num_threads      => 1,
        resolution_in_ns => 0,
        thread           => { 0 => _thread($report) },
    };
}

sub _text {
    my ($report, $key) = @_;
    my $bytes = $report->header($key);
    return defined $bytes ? decode('UTF-8', $bytes) : undef;
}

# In English whatever the locale, as mail has it.
sub _time {
    my ($report, $after_s) = @_;
    my ($year, $month, @rest) = ($report->header('started') // '') =~ /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/
        or return undef;
    my $started = eval { timegm(reverse(@rest), $month - 1, $year) };
    return undef unless defined $started && defined $after_s;
    my @time = gmtime($started + $after_s);
    return sprintf '%s, %s %s %s', (DAYS)[$time[6]], strftime('%d', @time), (MONTHS)[$time[4]],
        strftime('%Y %H:%M:%S +0000', @time);
}

sub _failed {
    my ($report) = @_;
    my ($max, $status, $code) = map { $report->header($_) // '' } qw(max status return_code);
    return 1 if $max eq 'exceeded' || $status =~ /^(?:break|interrupted|checkpoint)$/;
    return ($report->verdict // '') eq 'invalid' || $code !~ /^0?$/ ? 1 : 0;
}

sub _sysinfo {
    my ($report) = @_;
    my $preemption = $report->header('preemption') // 'unknown';
    return {
        sysname  => 'Linux',
        nodename => _text($report, 'hostname'),
        release  => _text($report, 'kernel_release'),
        version  => _text($report, 'kernel_version'),
        machine  => _text($report, 'machine'),
        realtime => $preemption =~ /^unknown/ ? undef : $preemption =~ /^PREEMPT_RT/ ? 1 : 0,
    };
}

sub _thread {
    my ($report) = @_;
    my $lateness = $report->lateness;
    my ($cpu) = ($report->header('cpu') // '') =~ /^(\d+)$/;
    my ($min, $max, $mean) = map { $lateness->n ? $lateness->$_ : undef } qw(min max mean);
    return {
        histogram => buckets($lateness),
        cycles    => $lateness->n,
        min       => defined $min  ? floor($min)               : undef,
        max       => defined $max  ? floor($max)               : undef,
        avg       => defined $mean ? 0 + sprintf('%.2f', $mean) : undef,
        cpu       => 0 + ($cpu // NOT_BOUND),
        node      => NOT_BOUND,
    };
}

1;
