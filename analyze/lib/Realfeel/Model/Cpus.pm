# SPDX-License-Identifier: GPL-2.0-or-later
# The runs in a list of reports, and all CPUs of a run as one report.
package Realfeel::Model::Cpus;
use Realfeel::Base::Modern;

use List::Util qw(any first uniqstr);
use Realfeel::Base::Units qw(printable refusal);
use Realfeel::Model::Explain qw(scheduling);
use Realfeel::Model::Report qw(reasons_in);

# What a CPU on which nothing was measured adds to the others
use constant NOTHING => map { $_ => 0 } qw(parts_matched parts_unknown trace_lost);

use constant {
    GRADES     => { verdict => [qw(invalid suspect valid)], schedule => [qw(contradicted kept)] },

    # Not added up, as all CPUs share the time
    AT_ONCE    => [qw(duration_s suspended_s clock_step_s)],
    FEW        => 10,           # wake-ups of a thread: fewer are not judged
};

# Hashes of reports (an array of the run's reports, one for each CPU) and of (their number)
sub runs_of {
    my @runs;
    for my $report (@_) {
        my ($number, $of) = @{ $report->{part} };
        push @runs, { reports => [], of => $of // 1 } if ($number // 1) == 1;
        push @{ $runs[-1]{reports} }, $report;
    }
    return @runs;
}

# One report of all CPUs: counts are added, the worst of the worst wake-ups kept, and reasons of verdicts name their
# CPUs. CPUs share a load and thus depend on each other, so slices of the same time are added, and what the CPUs have in
# common stays in the series of slices. A run on one CPU is returned as it is. Dies with one line if there is no common
# histogram.
sub pooled ($run) {
    my ($first, @others) = @{ $run->{reports} };
    return $run->{pooled} //= @others ? _pool('whole', $first, @others) : $first;
}

# Loaded only here: most runs are on one CPU, and loading Math::BigInt takes longer than reading a report
sub _pool ($is_whole, @reports) {
    require Realfeel::Model::Slices;
    require Realfeel::Model::Sum;
    my $slices = $is_whole ? Realfeel::Model::Slices->new : undef;
    my $sum = Realfeel::Model::Sum->new('analyse each by its name', $slices, _rules(@reports));
    my @measured = grep { $_->header('samples') } @reports;
    @measured = @reports unless @measured;
    my %is_measured = map { $_ => 1 } @measured;
    for my $report (@reports) {
        my %header = ($report->header('samples') ? () : NOTHING, map { $_ => $report->header($_) } $report->keys);
        $sum->{header}->add(\%header) unless $is_measured{$report};     # unknown values count nevertheless
        next unless $is_measured{$report};
        $sum->check($report, \%header);
        $sum->add($report, \%header);
    }
    my @contents = eval { $sum->contents([]) };
    die printable($reports[0]{run_name}) . ': ' . refusal($@) unless @contents;
    my @origins = $slices && _is_of_threads(@measured) ? map { [$measured[ $_->[0] ], $_->[1]] } $slices->origins : ();
    return Realfeel::Model::Report->of({ @contents, file => $reports[0]{run_name}, origins => \@origins });
}

# The reports of a run of several threads of another program, by descending priority, then the worst first; else none
sub threads ($run) {
    my @reports = @{ $run->{reports} };
    return unless @reports > 1 && _is_of_threads(@reports);
    my %rank = map {
        my ($policy, $priority) = scheduling($_);
        $_ => $policy eq 'deadline' ? 100 : $policy =~ /^(?:fifo|rr)$/ && $priority =~ /^\d+$/ ? $priority : 0;
    } @reports;
    my %worst = map { $_ => $_->latency->max // 0 } @reports;
    return sort { $rank{$b} <=> $rank{$a} || $worst{$b} <=> $worst{$a} } @reports;
}

# Threads with too few wake-ups to be judged; none if that holds for all
sub few ($run) {
    my @reports = @{ $run->{reports} };
    return unless _is_of_threads(@reports);
    my @few = grep { $_->header('samples') < FEW } @reports;
    return @few < @reports ? @few : ();
}

# Like pooled, without what takes most time: slices and worst wake-ups
sub totals ($run) {
    my @reports = @{ $run->{reports} };
    return @reports == 1 ? $reports[0] : _pool(0, @reports);
}

# For what belongs to all CPUs at once and is not added up like several runs
sub _rules (@reports) {
    return (
        (map { $_ => 'greatest' } @{ AT_ONCE() }),
        (map { $_ => 'dropped' } qw(part phase_ns)),
        # The worst that any CPU got; each reason names its CPUs unless it holds for all
        (map { my $key = $_; $key => sub {
            my @values = map { $_->header($key) // '' } @reports;
            my $grade = first { my $word = $_; any { /^$word\b/ } @values } @{ GRADES->{$key} };
            my @reasons = _with_cpus(sub { reasons_in($_[0]->header($key)) }, @reports);
            return @reasons && defined $grade ? "$grade: " . join('; ', @reasons) : $grade;
        } } qw(verdict schedule)),
        remarks => sub { join '; ', _with_cpus(sub { $_[0]->remarks }, @reports) },
        cpu => sub { cpu_list(@reports) },
    );
}

# Each reason, preceded by its CPUs unless it names them or holds for all
sub _with_cpus ($reasons, @reports) {
    my @with;
    for my $reason (uniqstr map { $reasons->($_) } @reports) {
        my @of = grep { any { $_ eq $reason } $reasons->($_) } @reports;
        my $is_by_name = _is_of_threads(@of) || any { !defined $_->{cpu} } @of;
        my $cpus = $is_by_name ? join ', ', map { cpu_name($_) } @of : 'CPU ' . cpu_list(@of);
        push @with, @of == @reports || $reason =~ /\b\Q$cpus\E\b/ ? $reason : "$cpus: $reason";
    }
    return @with;
}

sub _is_of_threads { return !grep { !defined $_->header('thread') } @_ }

# "CPU 3"; "thread 4711 loop"; "thread 3" from another program's file; or "part 2", bound to no CPU
sub cpu_name ($report) {
    my ($thread, $name) = map { $report->header($_) } qw(thread thread_name);
    return join ' ', 'thread', $thread, $name // () if defined $thread && $thread ne 'several';
    return defined $report->{cpu} ? 'CPU ' . $report->{cpu} : 'part ' . $report->{part}[0];
}

# As realfeel takes it: "0-3,6"
sub cpu_list {
    my @numbers = map { $_->{cpu} // '?' } @_;
    return join ',', uniqstr @numbers if grep { $_ eq '?' } @numbers;
    return ranges(sort { $a <=> $b } @numbers);
}

# Of ascending numbers, in the same form
sub ranges {
    my @ranges;
    @ranges && $ranges[-1][1] == $_ - 1 ? $ranges[-1][1] = $_ : push @ranges, [$_, $_] for @_;
    return join ',', map { $_->[0] == $_->[1] ? $_->[0] : "$_->[0]-$_->[1]" } @ranges;
}

# The inverse of ranges; empty for anything but a list
sub cpus_in ($list) {
    return unless $list =~ /^\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*$/;
    return map { my ($from, $to) = split /-/; $from .. $to // $from } split /,/, $list;
}

# In hexadecimal as the kernel writes it, in groups of 32 CPUs
sub mask {
    my @groups;
    $groups[$_ / 32] |= 1 << $_ % 32 for @_;
    my ($high, @low) = reverse map { $_ // 0 } @groups;
    return join ',', sprintf('%x', $high // 0), map { sprintf '%08x', $_ } @low;
}

# (cpu => N), or (part => N) if it was bound to none; empty if it is the only report of its run
sub place ($report) {
    my ($number) = @{ $report->{part} } or return;
    return defined $report->{cpu} ? (cpu => $report->{cpu}) : (part => $number);
}

1;
