# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Cpus;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(one_by_one pairs together);

use Realfeel::Answer::Compare qw(compare);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(printable refusal);
use Realfeel::Model::Cpus qw(cpu_list pooled);

=head1 NAME

Realfeel::Answer::Compare::Cpus - two runs, by all of their CPUs together or CPU by CPU

=head1 FUNCTIONS

=head2 pairs(@runs)

Which of some runs of L<Realfeel::Model::Cpus> are to be compared: arrays of the first and one of the others. Where the
first is a ring's table, they are the same cell of this one and of another. A cell that is not compared is a hash of
C<left_out>, C<no_cell>, the cell's C<name>, and the table C<of> which it is missing.

=cut

sub pairs (@runs) {
    my ($base, @others) = _tables(@runs);
    return map { [$base->[0], $_] } map { @$_ } @others if @$base == 1;
    my %cell = map { $_->{reports}[0]->cell => $_ } @$base;
    return map { _pair(\%cell, $base, $_) } map { @$_ } @others;
}

# A run that is no cell is a table by itself.
sub _tables {
    my @tables;
    for my $run (@_) {
        my ($report) = @{ $run->{reports} };
        my $goes_on = @tables && defined $report->cell && ($report->header('part') // '1') !~ /^1\b/;
        $goes_on ? push @{ $tables[-1] }, $run : push @tables, [$run];
    }
    return @tables;
}

sub _pair ($cells, $base, $run) {
    my $same = $cells->{ $run->{reports}[0]->cell // '' };
    return $same ? [$same, $run] : { left_out => 'no_cell', name => text(_name($run)), of => text(_name($base->[0])) };
}

=head2 together($base, $run, $measure)

Takes two runs of L<Realfeel::Model::Cpus>, and the measure as L<Realfeel::Answer::Compare> does.
Returns the comparison of all CPUs of a run with all of the other. Where a run is on several CPUs, C<base> and C<file>
have C<cpus>, how many they are; C<are_threads> where they are threads of another program instead.

=cut

sub together ($base, $run, $measure) {
    my $comparison = compare(pooled($base), pooled($run), $measure);
    my %cpus = (base => scalar @{ $base->{reports} }, file => scalar @{ $run->{reports} });
    if (grep { $_ > 1 } values %cpus) { $comparison->{$_}{cpus} = $cpus{$_} for keys %cpus }
    $comparison->{are_threads} = 1 if !grep { !defined $_->{reports}[0]->header('thread') } $base, $run;
    return $comparison;
}

=head2 one_by_one($base, $run, $measure)

Takes the same. Returns the comparisons of each CPU with that of the same number, which is their C<cpu>; and of CPUs
that are not compared hashes of C<left_out>: C<no_cpu>, C<cpus>, a list as text, of the run C<name>, which are missing
in the run C<of>; or C<refused>, with the C<reason>. Dies with one line when there is nothing to compare.

=cut

sub one_by_one ($base, $run, $measure) {
    my ($one, $other) = map { _by_cpu($_) } $base, $run;
    my @both = sort { $a <=> $b } grep { $other->{$_} } keys %$one;
    die printable(_name($run) . ': has no CPU in common with ' . _name($base)) . "; leave out --per-cpu\n" unless @both;
    my (@comparisons, @refused);
    for my $cpu (@both) {
        my $comparison = eval { compare($one->{$cpu}, $other->{$cpu}, $measure) };
        $comparison ? push @comparisons, _of_cpu($cpu, $comparison) : push @refused, refusal($@) =~ s/\n\z//r;
    }
    die "$refused[-1]\n" unless @comparisons;
    return (@comparisons, _only($base, $one, $run, $other), _only($run, $other, $base, $one),
        map { { left_out => 'refused', reason => text($_) } } @refused);
}

# The CPU stands above; there is no need to name it with every run.
sub _of_cpu ($cpu, $comparison) {
    return { %$comparison, cpu => number($cpu), names => [map { s/, CPU \d+\z//r } @{ $comparison->{names} }] };
}

sub _name ($run) { return $run->{reports}[0]->run_name }

sub _by_cpu ($run) {
    my @reports = @{ $run->{reports} };
    die printable(_name($run)) . ": is not bound to CPUs; leave out --per-cpu\n" if grep { !defined $_->cpu } @reports;
    return { map { $_->cpu => $_ } @reports };
}

sub _only ($run, $reports, $other, $other_reports) {
    my @only = map { $reports->{$_} } grep { !$other_reports->{$_} } keys %$reports or return;
    my ($name, $of) = map { text(_name($_)) } $run, $other;
    return { left_out => 'no_cpu', cpus => text(cpu_list(@only)), name => $name, of => $of };
}

1;
