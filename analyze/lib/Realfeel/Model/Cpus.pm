# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Cpus;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(cpu_list cpu_name cpus_in few mask place pooled ranges runs_of threads totals);

use List::Util qw(any first max sum0 uniqstr);
use Realfeel::Base::Units qw(printable refusal);
use Realfeel::Model::Records qw(scheduling);
use Realfeel::Model::Report;

# What a CPU on which nothing was measured adds to the others.
use constant NOTHING => map { $_ => 0 } qw(parts_matched parts_unknown trace_lost);

use constant {
    GRADES     => { verdict => [qw(invalid suspect valid)], schedule => [qw(contradicted kept)] },

    # What is not added up, for it was the same time for all CPUs.
    AT_ONCE    => [qw(duration_s suspended_s clock_step_s)],
    FEW        => 10,           # wake-ups of a thread: fewer are not judged
};

=head1 NAME

Realfeel::Model::Cpus - the runs that a list of reports holds, and all CPUs of a run as one report

=head1 FUNCTIONS

=head2 runs_of(@reports)

A list of hashes: C<reports>, an array of the L<Realfeel::Model::Report>s of one run, one for each CPU, and C<of>, how
many these are.

=cut

sub runs_of {
    my @runs;
    for my $report (@_) {
        my ($number, $of) = $report->part;
        push @runs, { reports => [], of => $of // 1 } if ($number // 1) == 1;
        push @{ $runs[-1]{reports} }, $report;
    }
    return @runs;
}

=head2 pooled($run)

The report of all CPUs together: counts are added, of the worst wake-ups the worst are kept, reasons of a verdict name
the CPUs that they are of. CPUs are under one load and so not independent of each other. Therefore slices of the same
time are added, and what the CPUs have in common stays in the series of slices. Of a run on one CPU it is the report
itself. Dies with one line when the CPUs have no common histogram.

=cut

sub pooled ($run) {
    my ($first, @others) = @{ $run->{reports} };
    return $run->{pooled} //= @others ? _pool($first, @others) : $first;
}

# Most runs are on one CPU, and Math::BigInt takes longer to load than a report to read.
sub _pool (@reports) {
    require Realfeel::Model::Cpus::Slices;
    require Realfeel::Model::Merge::Events;
    my @measured = _measured(@reports);
    return Realfeel::Model::Report->of({
        _totals(@reports),
        _runs(@reports),
        Realfeel::Model::Cpus::Slices::slices(@measured),
        _events(@measured),
    });
}

=head2 threads($run)

The reports of several threads of another program, those of the highest priority first, and of these the worst; of
another run none.

=cut

sub threads ($run) {
    my @reports = @{ $run->{reports} };
    return unless @reports > 1 && _is_of_threads(@reports);
    my %rank = map { $_ => _rank($_) } @reports;
    my %worst = map { $_ => $_->latency->max // 0 } @reports;
    return sort { $rank{$b} <=> $rank{$a} || $worst{$b} <=> $worst{$a} } @reports;
}

sub _rank ($report) {
    my ($policy, $priority) = scheduling($report);
    return $policy eq 'deadline' ? 100 : $policy =~ /^(?:fifo|rr)$/ && $priority =~ /^\d+$/ ? $priority : 0;
}

=head2 few($run)

Threads of which too few wake-ups are known to judge them; none where that is so of all.

=cut

sub few ($run) {
    my @reports = @{ $run->{reports} };
    return unless _is_of_threads(@reports);
    my @few = grep { $_->header('samples') < FEW } @reports;
    return @few < @reports ? @few : ();
}

=head2 totals($run)

The same without what takes the most time: slices and worst wake-ups.

=cut

sub totals ($run) {
    my @reports = @{ $run->{reports} };
    return @reports == 1 ? $reports[0] : Realfeel::Model::Report->of({ _totals(@reports) });
}

sub _totals (@reports) {
    require Realfeel::Model::Sum;
    my $sum = Realfeel::Model::Sum->new('analyse each by its name', _rules(@reports));
    my %is_measured = map { $_ => 1 } _measured(@reports);
    for my $report (@reports) {
        my %header = ($report->header('samples') ? () : NOTHING, map { $_ => $report->header($_) } $report->keys);
        if ($is_measured{$report}) {
            $sum->check($report, \%header);
            $sum->add($report, \%header);
        } else {
            $sum->add_header(\%header);
        }
    }
    my $joined = max(map { $_->header('slices_joined') // 1 } @reports);
    my @contents = eval { $sum->contents($joined > 1 ? (slices_joined => $joined) : ()) };
    die printable($reports[0]->run_name) . ': ' . refusal($@) unless @contents;
    return (file => $reports[0]->run_name, @contents);
}

sub _measured (@reports) {
    my @measured = grep { $_->header('samples') } @reports;
    return @measured ? @measured : @reports;
}

# What is of all CPUs at once, and not added up as that of runs.
sub _rules (@reports) {
    return (
        (map { $_ => \&_greatest } @{ AT_ONCE() }),
        (map { $_ => sub { undef } } qw(part phase_ns)),
        (map { my $key = $_; $key => sub { _judged($key, @reports) } } qw(verdict schedule)),
        remarks => sub { join '; ', _with_cpus(sub { $_[0]->remarks }, @reports) },
        cpu => sub { cpu_list(@reports) },
    );
}

sub _greatest (@values) {
    return undef if any { !defined } @values;
    return (any { $_ eq 'unknown' } @values) ? 'unknown' : max(@values);
}

# The worst that any CPU got, with each reason and the CPUs that it is of, unless it is of all.
sub _judged ($key, @reports) {
    my @values = map { $_->header($key) // '' } @reports;
    my $grade = first { my $word = $_; any { /^$word\b/ } @values } @{ GRADES->{$key} };
    return undef unless defined $grade;
    my @reasons = _with_cpus(sub { $_[0]->reasons($key) }, @reports);
    return @reasons ? "$grade: " . join('; ', @reasons) : $grade;
}

sub _with_cpus ($reasons, @reports) {
    return map { _of_cpus($_, $reasons, @reports) } uniqstr map { $reasons->($_) } @reports;
}

sub _of_cpus ($reason, $reasons, @reports) {
    my @of = grep { any { $_ eq $reason } $reasons->($_) } @reports;
    my $is_by_name = _is_of_threads(@of) || any { !defined $_->cpu } @of;
    my $cpus = $is_by_name ? join ', ', map { cpu_name($_) } @of : 'CPU ' . cpu_list(@of);
    return @of == @reports || $reason =~ /\b\Q$cpus\E\b/ ? $reason : "$cpus: $reason";
}

sub _is_of_threads { return !grep { !defined $_->header('thread') } @_ }

=head2 cpu_name($report)

What a part is called among those of its run: C<CPU 3>, C<thread 4711 loop>, C<thread 3> in the file of another
program, or C<part 2> where that was bound to no CPU.

=cut

sub cpu_name ($report) {
    my ($thread, $name) = map { $report->header($_) } qw(thread thread_name);
    return join ' ', 'thread', $thread, $name // () if defined $thread && $thread ne 'several';
    return defined $report->cpu ? 'CPU ' . $report->cpu : 'part ' . ($report->part)[0];
}

=head2 cpu_list(@reports)

The CPUs that these are of, as realfeel takes them: C<0-3,6>.

=cut

sub cpu_list {
    my @numbers = map { $_->cpu // '?' } @_;
    return join ',', uniqstr @numbers if grep { $_ eq '?' } @numbers;
    return ranges(sort { $a <=> $b } @numbers);
}

=head2 ranges(@numbers)

Ascending numbers in the same way.

=cut

sub ranges {
    my @ranges;
    for (@_) {
        @ranges && $ranges[-1][1] == $_ - 1 ? $ranges[-1][1] = $_ : push @ranges, [$_, $_];
    }
    return join ',', map { $_->[0] == $_->[1] ? $_->[0] : "$_->[0]-$_->[1]" } @ranges;
}

=head2 cpus_in($list)

The numbers of such a list; none where it is no list.

=cut

sub cpus_in ($list) {
    return unless $list =~ /^\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*$/;
    return map { my ($from, $to) = split /-/; $from .. $to // $from } split /,/, $list;
}

=head2 mask(@numbers)

The same in hexadecimal digits, as the kernel writes it: 32 CPUs a group.

=cut

sub mask {
    my @groups;
    $groups[$_ / 32] |= 1 << $_ % 32 for @_;
    my ($high, @low) = reverse map { $_ // 0 } @groups;
    return join ',', sprintf('%x', $high // 0), map { sprintf '%08x', $_ } @low;
}

=head2 place($report)

Which one of several CPUs this report is of, as a word and a number: C<cpu>, or C<part> where that was bound to none. An
empty list where it is the only report of its run.

=cut

sub place ($report) {
    my ($number) = $report->part or return;
    return defined $report->cpu ? (cpu => $report->cpu) : (part => $number);
}

# Those of merged reports: one after the other started on all CPUs at the same time.
sub _runs {
    my @sets = map { $_->columns('runs') // return } @_;
    my %rule = (
        (map { $_ => sub { $_[0] } } qw(run started)), duration_s => \&_greatest,
        (map { $_ => \&_added } qw(samples periods missed)), verdict => \&_worst,
    );
    return (runs => { map {
        my $name = $_;
        $name => [map { my $i = $_; $rule{$name}->(map { $_->{$name}[$i] } @sets) } 0 .. $#{ $sets[0]{run} }];
    } keys %rule });
}

sub _added (@values) {
    return (any { $_ eq 'unknown' } @values) ? 'unknown' : sum0(@values);
}

sub _worst (@words) {
    return first { my $word = $_; any { $_ eq $word } @words } qw(invalid suspect valid), $words[0];
}

# The worst of all, and what is told of them. Their places in time are counted from the first wake-up of their CPU.
sub _events (@reports) {
    my @runs = map { { number => $_ } } 1 .. max(map { $_->runs || 1 } @reports);
    my $events = Realfeel::Model::Merge::Events->new;
    $events->add($_, @runs) for @reports;
    my %sets = $events->sets or return;
    delete $sets{events}{run} unless $reports[0]->runs;
    return %sets unless _is_of_threads(@reports);
    return (%sets, origins => [map { [$reports[ $_->[0] ], $_->[1]] } $events->origins]);
}

1;
