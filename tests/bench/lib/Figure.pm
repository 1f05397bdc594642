# SPDX-License-Identifier: GPL-2.0-or-later
package Figure;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(
    interleaved median instructions stubbed_ns stretch start_ms end_ms stalls user_status median_lateness median_of_bins
);

use List::Util qw(sum0);
use Report;
use RunCommand qw(contents run);
use Subject;
use Time::HiRes qw(sleep time);

# The figures, each of one subject. All but stubbed_ns() run it as its users do, at 2048 Hz where nothing else is said.

use constant { HZ => 2048, PERIOD_NS => 488281, LATE_NS => 1_000_000 };
use constant STUB_HZ => 50_000;    # as in stub.h

# Measures each subject in turn, round after round, so that what the machine does meanwhile strikes them alike. Returns the
# values of each.
sub interleaved {
    my ($rounds, $subjects, $measure) = @_;
    my %values;
    for (1 .. $rounds) {
        push @{$values{$_}}, $measure->($_) for @$subjects;
    }
    return \%values;
}

sub median {
    my @sorted = sort { $a <=> $b } @_;
    return ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2;
}

# What a command prints, or death with its last words.
sub output_of {
    my ($status, $out, $err) = run(@_);
    $status == 0 or die "@_: $err\n";
    return $out;
}

# Instructions in user mode from one wait to the next. The rate leaves time for single-stepping, which
# is quickest from the same CPU.
sub instructions {
    my ($subject, $cpu) = @_;
    my ($count) = while_running(sub { output_of(pinned($cpu, 96), tool('step'), $_[1]) },
        command($subject, hz => 20, cpu => $cpu, stepped => 1));
    return $count + 0;
}

# What one turn takes besides the wait, which is stubbed. The stub can be put under cyclictest, and under the bare loop;
# realfeel's loop is linked to it, for a program may wait without the C library. Each has a bare loop that calls it alike.
my %STUBBED = (
    'cyclictest'      => sub { preloaded(command('cyclictest', hz => STUB_HZ, cpu => $_[0])) },
    'cyclictest bare' => sub { preloaded(command('bare', hz => STUB_HZ, cpu => $_[0])) },
    'realfeel bare'   => sub { pinned($_[0]), tool('loop'), 'bare' },
    'monotonic'       => sub { pinned($_[0]), tool('loop'), 'monotonic' },
    'tsc'             => sub { pinned($_[0]), tool('loop'), 'tsc' },
);

sub stubbed_ns {
    my ($loop, $cpu) = @_;
    return (output_of($STUBBED{$loop}->($cpu)) =~ /^([\d.]+)$/m)[0];
}

# So many seconds of a run: page faults of the thread that measures, voluntary switches of all threads by the number of
# samples, memory.
sub stretch {
    my ($subject, $cpu, $seconds) = @_;
    my ($figures) = while_running(sub { watch(@_, $seconds) }, command($subject, hz => HZ, cpu => $cpu));
    $figures->{switches} = $figures->{switches_per_s} / samples_per_s($subject);
    return $figures;
}

# Only realfeel tells when it missed periods.
sub samples_per_s {
    my ($subject) = @_;
    my $told = $subject =~ /^(?:monotonic|tsc)$/ ? parse_report(contents(report_file())) : {};
    return $told->{duration_s} ? $told->{samples} / $told->{duration_s} : HZ;
}

sub watch {
    my ($pid, $thread, $seconds) = @_;
    my @threads  = threads($pid);
    my ($meter)  = grep { m{/$thread\z} } @threads;
    my $read     = sub { my $at = time; return {at => $at, switches => switches(@threads), %{status($meter)}} };
    my ($before) = $read->();
    sleep $seconds;
    my ($after) = $read->();
    my %moved = map { $_ => $after->{$_} - $before->{$_} } qw(at switches minor_faults major_faults);
    return {
        faults         => $moved{minor_faults} + $moved{major_faults},
        switches_per_s => $moved{switches} / $moved{at},
        locked_mb      => $after->{VmLck} / 1024,
        resident_mb    => $after->{VmRSS} / 1024,
    };
}

sub switches {
    return sum0(map { status($_)->{voluntary_ctxt_switches} } @_);
}

# A run of one sample, a millisecond after the start, from fork to exit.
sub start_ms {
    my ($subject, $cpu) = @_;
    my $start = time;
    output_of(command($subject, hz => 1000, cpu => $cpu, samples => 1));
    return 1000 * (time - $start);
}

# A run of a second and more at 20 kHz, from the interrupt to the exit: the report is written in between.
sub end_ms {
    my ($subject, $cpu) = @_;
    my $end;
    while_running(sub { sleep 1; $end = time }, command($subject, hz => 20_000, cpu => $cpu));
    return 1000 * (time - $end);
}

# Stalls of 20 ms: how many periods were counted as a millisecond late or more, and how many were by arithmetic.
sub stalls {
    my ($subject, $cpu, $stalls) = @_;
    my ($stalls_ns, $report) = while_running(
        sub { [map { my ($from, $to) = split; $to - $from } split /\n/, output_of('taskset', '-c', $cpu, hog(), 99, $stalls)] },
        command($subject, hz => HZ, cpu => $cpu));
    my $period_ns = $subject eq 'cyclictest' ? cyclictest_period_ns(HZ) : PERIOD_NS;
    my $late_ns   = sum0(map { $_ - LATE_NS } @$stalls_ns);
    return {
        counted  => sum0(map { $_->[2] } grep { $_->[0] * 1000 >= LATE_NS } lateness($subject, $report)),
        expected => $late_ns / $period_ns,
    };
}

# The exit status for a user who may take a real-time priority, and lock 8 MiB.
sub user_status {
    my ($subject, $cpu) = @_;
    my @privileges = $> ? () : ('setpriv', '--inh-caps=-all', '--bounding-set=-all,+sys_nice');
    my @user       = ('prlimit', '--memlock=' . (8 << 20), @privileges);
    return (run(@user, command($subject, hz => HZ, cpu => $cpu, samples => 1)))[0];
}

sub median_lateness {
    my ($subject, $cpu, $samples) = @_;
    return median_of_bins(lateness($subject, output_of(command($subject, hz => HZ, cpu => $cpu, samples => $samples))));
}

# Of bins, each [from, to, count].
sub median_of_bins {
    my @bins = @_;
    my $left = sum0(map { $_->[2] } @bins) / 2;
    for (@bins) {
        my ($from, $to, $count) = @$_;
        return $from + ($to - $from) * $left / $count if $left <= $count;
        $left -= $count;
    }
}

# The bins of a report: [from, to, count], in microseconds.
sub lateness {
    my ($subject, $report) = @_;
    return cyclictest_bins($report) if $subject eq 'cyclictest';
    return map { [@$_{qw(from_us to_us lateness)}] } grep { $_->{lateness} }
        @{parse_report(contents(report_file()))->{sets}{histogram}};
}

sub cyclictest_bins {
    my ($report) = @_;
    my ($over) = $report =~ /^# Histogram Overflows: (\d+)/m;
    return ((map { /^(\d+)\s+(\d+)$/ && $2 ? [$1, $1 + 1, $2] : () } split /\n/, $report), $over ? [1000, 'inf', $over] : ());
}

1;
