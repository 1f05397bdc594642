# SPDX-License-Identifier: GPL-2.0-or-later
# Compares two runs, all CPUs together or CPU by CPU.
package Realfeel::Answer::Compare::Cpus;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(one_by_one pairs together);

use Realfeel::Answer::Compare qw(compare);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(printable refusal);
use Realfeel::Model::Cpus qw(cpu_list pooled);

# Pairs the first run with each of the others; the cells of a ring's table with the same cells of the other tables. A
# cell that is missing is a hash of left_out (no_cell), name of the cell, and of, the table without it.
sub pairs (@runs) {
    my ($base, @others) = _tables(@runs);
    return map { [$base->[0], $_] } map { @$_ } @others if @$base == 1;
    my %cell = map { $_->{reports}[0]->cell => $_ } @$base;
    return map { _pair(\%cell, $base, $_) } map { @$_ } @others;
}

# A run that is no cell is a table of its own
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

# Compares the pooled CPUs of two runs. base and file have cpus, their number, if a run has several; are_threads if
# these are threads of another program.
sub together ($base, $run, $measure) {
    my $comparison = compare(pooled($base), pooled($run), $measure);
    my %cpus = (base => scalar @{ $base->{reports} }, file => scalar @{ $run->{reports} });
    if (grep { $_ > 1 } values %cpus) { $comparison->{$_}{cpus} = $cpus{$_} for keys %cpus }
    $comparison->{are_threads} = 1 if !grep { !defined $_->{reports}[0]->header('thread') } $base, $run;
    return $comparison;
}

# Compares CPUs of equal number, which is cpu in their comparison. CPUs that are not compared are hashes of left_out:
# no_cpu, with cpus, a list as text, name, the run that has them, and of, the one that lacks them; or refused, with the
# reason. Dies with one line if nothing can be compared.
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

# The names need no CPU, as it is the heading
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
