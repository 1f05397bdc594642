# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Export::Cyclictest;
use strict;
use warnings;

use Encode qw(decode);
use Exporter 'import';
our @EXPORT_OK = qw(rows);

use List::Util qw(max min sum0);
use POSIX qw(floor strftime);
use Realfeel::Units qw(epoch printable);

use constant {
    RANGE_US  => 100_000,
    NOT_BOUND => -1,
    # In the order in which cyclictest writes them.
    KEYS => [qw(
        file_version cmdline rt_test_version start_time end_time return_code sysinfo num_threads resolution_in_ns
        thread sysname nodename release version machine realtime histogram cycles min max avg cpu node
    )],
    DAYS   => [qw(Sun Mon Tue Wed Thu Fri Sat)],
    MONTHS => [qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)],
};

=head1 NAME

Realfeel::Export::Cyclictest - what cyclictest writes: latenesses in whole microseconds, as text and as JSON

=head1 FUNCTIONS

=head2 text($report)

The text that C<cyclictest -h> prints: one line for each microsecond from 0 to the maximum, at most 100,000: the
microsecond and the count of latenesses from there to the next. Those beyond count as overflows, whose cycle numbers are
not known. Dies when there is no lateness at all, for then there is no way to say so.

=cut

sub text {
    my ($report) = @_;
    my $lateness = $report->lateness;
    die printable($report->file . ': holds no samples, which the format cannot express; export a run that does') . "\n"
        unless $lateness->n;
    my ($row, $beyond) = rows($lateness);
    my $mean = $lateness->mean;
    return join '', "# Histogram\n",
        (map { sprintf "%06d %06d\n", $_, $row->[$_] } 0 .. $#$row),
        sprintf("# Total: %09d\n", sum0(@$row)),
        sprintf("# Min Latencies: %05d\n", floor($lateness->min)),
        defined $mean ? sprintf("# Avg Latencies: %05d\n", floor($mean)) : (),
        sprintf("# Max Latencies: %05d\n", floor($lateness->max)),
        sprintf("# Histogram Overflows: %05d\n", $beyond),
        "# Histogram Overflow at cycle number:\n",
        '# Thread 0:' . ($beyond ? sprintf ' # %05d others', $beyond : '') . "\n";
}

=head2 rows($distribution)

A row of counts, one for each microsecond from 0 to the last that is needed, at most 100,000, and the count of the
values that are beyond the row: a list of two. A bin that is wider counts where it begins.

=cut

sub rows {
    my ($distribution) = @_;
    my $open = $distribution->open_from;
    my ($low, undef, $count) = $distribution->columns;
    my ($beyond, @row) = (0);
    for my $i (0 .. $#$count) {
        if   ($low->[$i] >= min(RANGE_US, $open // RANGE_US)) { $beyond += $count->[$i] }
        else                                                  { $row[_whole($low->[$i])] += $count->[$i] }
    }
    $#row = max($#row, _whole(min(RANGE_US, $open)) - 1) if defined $open;
    return ([map { $_ // 0 } @row], $beyond);
}

# The microsecond that a value lies in; a negative one counts in the first.
sub _whole {
    my ($us) = @_;
    return max(0, floor($us));
}

=head2 json($report)

The JSON that cyclictest and the other rt-tests write with --json: one thread, the histogram in whole microseconds.
C<cycles> is the number of periods, the missed ones included, and the sum of the histogram. C<return_code> is 1 when the
run went above the limit of C<--max> or C<--break>, was interrupted, or has an invalid verdict, and when the file that
it was imported from had another than 0. What is not known is null; C<cpu> is -1 when the process was bound to none, and
C<node> is always -1.

=cut

sub json {
    my ($report) = @_;
    require JSON::PP;
    my %order = map { KEYS->[$_] => $_ } 0 .. $#{ KEYS() };
    my $by = sub { ($order{$JSON::PP::a} // $JSON::PP::a) <=> ($order{$JSON::PP::b} // $JSON::PP::b) };
    return JSON::PP->new->utf8->indent->indent_length(2)->space_after->sort_by($by)->encode({
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
    });
}

sub _text {
    my ($report, $key) = @_;
    my $bytes = $report->header($key);
    return defined $bytes ? decode('UTF-8', $bytes) : undef;
}

# In English whatever the locale, as mail has it.
sub _time {
    my ($report, $after_s) = @_;
    my $started = epoch($report->header('started'));
    return undef unless defined $started && defined $after_s;
    my @time = gmtime($started + $after_s);
    return sprintf '%s, %s %s %s', DAYS->[$time[6]], strftime('%d', @time), MONTHS->[$time[4]],
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
        histogram => _counts($lateness),
        cycles    => $lateness->n,
        min       => defined $min  ? floor($min)               : undef,
        max       => defined $max  ? floor($max)               : undef,
        avg       => defined $mean ? 0 + sprintf('%.2f', $mean) : undef,
        cpu       => 0 + ($cpu // NOT_BOUND),
        node      => NOT_BOUND,
    };
}

# From a whole microsecond to the count of values from there to the next. Of the values in an open last bin no more is
# known than their maximum, and there they count.
sub _counts {
    my ($distribution) = @_;
    my ($low, undef, $count) = $distribution->columns;
    my @from = @$low;
    $from[-1] = max($from[-1], $distribution->max) if defined $distribution->open_from;
    my %count;
    $count{ _whole($from[$_]) } += $count->[$_] for 0 .. $#from;
    return \%count;
}

1;
