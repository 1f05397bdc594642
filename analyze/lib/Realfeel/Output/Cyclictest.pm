# SPDX-License-Identifier: GPL-2.0-or-later
# Latencies in whole microseconds: cyclictest's text and JSON.
package Realfeel::Output::Cyclictest;
use Realfeel::Base::Modern;

use Encode qw(decode);
use List::Util qw(max min sum0);
use POSIX qw(LC_TIME floor setlocale strftime);
use Realfeel::Base::Units qw(epoch printable);

use constant {
    RANGE_US  => 100_000,
    NOT_BOUND => -1,
    # In cyclictest's order
    KEYS => [qw(
        file_version cmdline rt_test_version start_time end_time return_code sysinfo num_threads resolution_in_ns
        thread sysname nodename release version machine realtime histogram cycles min max avg cpu node
    )],
};

# As cyclictest -h prints: a line for each us from 0 to the maximum, at most 100,000: the us and, for each report as a
# thread, the count from there to the next. Those beyond are overflows with unknown cycles. A comment names the CPUs of
# several threads, and wake-up latency. Dies if a report has no latencies, which the format cannot express.
sub text (@reports) {
    for (grep { !$_->latency->n } @reports) {
        my $remedy = @reports > 1 ? 'export the CPUs that do one by one, each by its name' : 'export a run that does';
        die printable($_->{file} . ": holds no samples, which the format cannot express; $remedy") . "\n";
    }
    my @threads = map { $_->latency } @reports;
    my ($rows, $beyond) = _rows(@threads);
    my @means = grep { defined } map { $_->mean } @threads;
    my @cpus = grep { defined } map { $_->{cpu} } @reports;
    return join '', _is_wakeup($reports[0]) ? "# Wake-up latency\n" : '',
        @cpus > 1 && @cpus == @reports ? "# CPUs: @cpus\n" : '', "# Histogram\n",
        (map { my $us = $_; sprintf "%06d %s\n", $us, join "\t", map { sprintf '%06d', $_->[$us] } @$rows }
            0 .. $#{ $rows->[0] }),
        _line('Total', '%09d', map { sum0(@$_) } @$rows),
        _line('Min Latencies', '%05d', map { floor($_->min) } @threads),
        @means == @threads ? _line('Avg Latencies', '%05d', map { floor($_) } @means) : (),
        _line('Max Latencies', '%05d', map { floor($_->max) } @threads),
        _line('Histogram Overflows', '%05d', @$beyond),
        "# Histogram Overflow at cycle number:\n",
        map { "# Thread $_:" . ($beyond->[$_] ? sprintf ' # %05d others', $beyond->[$_] : '') . "\n" } 0 .. $#$beyond;
}

sub _is_wakeup ($report) { return $report->{latency_name} eq 'wakeup' }

sub _line ($name, $form, @values) {
    return "# $name: " . join(' ', map { sprintf $form, $_ } @values) . "\n";
}

# For each, a row of counts, one per us up to the last that any needs, at most 100,000, and the count beyond: two
# arrays. A wider bin counts where it begins.
sub _rows (@distributions) {
    my @open = grep { defined } map { $_->{open_from} } @distributions;
    my $end = min(RANGE_US, @open);
    my @of_each = map { [_row($_, $end)] } @distributions;
    my $last = max(@open ? _whole($end) - 1 : -1, map { $#{ $_->[0] } } @of_each);
    return ([map { my $row = $_->[0]; [map { $row->[$_] // 0 } 0 .. $last] } @of_each], [map { $_->[1] } @of_each]);
}

# The counts per us, and the count at or above $end
sub _row ($distribution, $end) {
    my ($low, undef, $count) = $distribution->columns;
    my ($beyond, @row) = (0);
    for my $i (0 .. $#$count) {
        if   ($low->[$i] >= $end) { $beyond += $count->[$i] }
        else                      { $row[_whole($low->[$i])] += $count->[$i] }
    }
    return (\@row, $beyond);
}

# Negative values count in the first
sub _whole ($us) {
    return max(0, floor($us));
}

# As cyclictest and other rt-tests write with --json: a thread for each report. cycles counts periods, missed ones
# included, and is the sum of the histogram. return_code is 1 above a limit of --max or --break, if interrupted or
# invalid, or if an imported file's was not 0. rt_test_version mentions wake-up latency. Unknown values are null; cpu is
# -1 if not bound, node always.
sub json (@reports) {
    my $report = $reports[0];
    require JSON::PP;
    my %order = map { KEYS->[$_] => $_ } 0 .. $#{ KEYS() };
    my $by = sub { ($order{$JSON::PP::a} // $JSON::PP::a) <=> ($order{$JSON::PP::b} // $JSON::PP::b) };
    return JSON::PP->new->ascii->indent->indent_length(2)->space_after->sort_by($by)->encode({
        file_version     => 1,
        cmdline          => _text($report, 'command'),
        rt_test_version  => 'realfeel' . (_is_wakeup($report) ? ', wake-up latency' : ''),
        start_time       => _time($report, 0),
        end_time         => _time($report, max(grep { defined } map { $_->header('duration_s') } @reports)),
        return_code      => max(map { _failed($_) } @reports),
        sysinfo          => _sysinfo($report),
        num_threads      => scalar @reports,
        resolution_in_ns => 0,
        thread           => { map { $_ => _thread($reports[$_]) } 0 .. $#reports },
    });
}

sub _text ($report, $key) {
    my $bytes = $report->header($key);
    return defined $bytes ? decode('UTF-8', $bytes) : undef;
}

# In English in any locale, like mail
sub _time ($report, $after_s) {
    my $started = epoch($report->header('started'));
    return undef unless defined $started && defined $after_s;
    setlocale(LC_TIME, 'C');
    return strftime('%a, %d %b %Y %H:%M:%S +0000', gmtime($started + $after_s));
}

sub _failed ($report) {
    my ($max, $status, $code) = map { $report->header($_) // '' } qw(max status return_code);
    return 1 if $max eq 'exceeded' || $status =~ /^(?:break|interrupted|checkpoint)$/;
    return ($report->{verdict} // '') eq 'invalid' || $code !~ /^0?$/ ? 1 : 0;
}

sub _sysinfo ($report) {
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

sub _thread ($report) {
    my $latency = $report->latency;
    my ($min, $max, $mean) = map { $latency->n ? $latency->$_ : undef } qw(min max mean);
    return {
        histogram => _counts($latency),
        cycles    => $latency->n,
        min       => defined $min  ? floor($min)               : undef,
        max       => defined $max  ? floor($max)               : undef,
        avg       => defined $mean ? 0 + sprintf('%.2f', $mean) : undef,
        cpu       => 0 + ($report->{cpu} // NOT_BOUND),
        node      => NOT_BOUND,
    };
}

# Maps a whole us to the count up to the next. Values in an open last bin count at their maximum, as no more is known.
sub _counts ($distribution) {
    my ($low, undef, $count) = $distribution->columns;
    my @from = @$low;
    $from[-1] = max($from[-1], $distribution->max) if defined $distribution->{open_from};
    my %count;
    $count{ _whole($from[$_]) } += $count->[$_] for 0 .. $#from;
    return \%count;
}

1;
