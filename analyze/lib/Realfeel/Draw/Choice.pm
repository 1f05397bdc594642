# SPDX-License-Identifier: GPL-2.0-or-later
# What a picture draws of runs on several CPUs: each CPU, or all together.
package Realfeel::Draw::Choice;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(choice);

use List::Util qw(max sum);
use Realfeel::Base::Units qw(printable);
use Realfeel::Draw::Runs;
use Realfeel::Draw::Words qw(words);
use Realfeel::Model::Cpus qw(cpu_name pooled);
use Realfeel::Model::Names qw(names);

use constant {
    LINES   => 12,              # of more, each would hide the others
    FEW     => 8,               # are drawn then, as many as there are colours
    ONE_IN  => 1000,            # by p99.9 the worst are found
    UNBOUND => ": knows of no CPU that the run was bound to; name a report of 'realfeel --cpu'",
};

# A hash of reports to draw; names in the key, by default from Model::Names; cpus, how many each has; judged, reports
# whose verdicts to show; and remark, on what is not drawn. $cpus is together, one report for each run; lines, one for
# each CPU, or if too many, one for all CPUs and those with the highest p99.9; or rows, one for all CPUs, then one for
# each.
sub choice ($cpus, $measure, $names, @runs) {
    my @pools = map { pooled($_) } @runs;
    my @names = $names ? @$names : names(@pools);
    my %all = (measure => $measure, most => _share(@runs), is_alone => @runs == 1);
    my $choose = { together => \&_together, lines => \&_lines, rows => \&_rows }->{$cpus};
    my @drawn = map { $choose->(\%all, $names[$_], $pools[$_], @{ $runs[$_]{reports} }) } 0 .. $#runs;
    my @judged = $cpus eq 'together' ? @pools : map { @{ $_->{reports} } } @runs;
    return {
        reports => [map { $_->[0] } @drawn],
        names   => [map { $_->[1] } @drawn],
        cpus    => [map { $_->[2] } @drawn],
        judged  => \@judged,
        remark  => _remark(\@judged, map { $_->[0] } @drawn),
    };
}

# How many lines each run on several CPUs may have, at least one
sub _share {
    my @lines = map { scalar @{ $_->{reports} } } @_;
    return LINES if sum(@lines) <= LINES;
    my $several = grep { $_ > 1 } @lines;
    return max(1, int((FEW - @lines + $several) / max(1, $several)));
}

# [report, name, number of CPUs]
sub _together ($, $name, $pool, @reports) {
    return [$pool, $name, scalar @reports];
}

sub _lines ($all, $name, $pool, @reports) {
    my $together = _together($all, $name, $pool, @reports);
    return $together if @reports == 1;
    my @chosen = @reports <= $all->{most} ? () : ($together);
    my @worst = @chosen ? _worst($all, @reports) : @reports;
    return (@chosen, map { [$_, ($all->{is_alone} ? '' : "$name, ") . cpu_name($_), 1] } @worst);
}

sub _rows ($all, $name, $pool, @reports) {
    my ($unbound) = grep { !defined $_->cpu } @reports;
    die printable($unbound->file . UNBOUND) . "\n" if $unbound;
    my @rows = sort { $a->cpu <=> $b->cpu } @reports;
    return (_together($all, $name, $pool, @reports), map { [$_, cpu_name($_), 1] } @rows);
}

# In the order of the file
sub _worst ($all, @reports) {
    my @values = Realfeel::Draw::Runs::measured($all->{measure}, @reports);
    my @highest = map { $_->n ? $_->quantile(ONE_IN) : -1 } @values;
    my @order = sort { $highest[$b] <=> $highest[$a] || $a <=> $b } 0 .. $#reports;
    return @reports[sort { $a <=> $b } @order[0 .. $all->{most} - 2]];
}

sub _remark ($judged, @drawn) {
    my %is_drawn = map { $_ => 1 } @drawn;
    my @parts = grep { $_->part } @$judged;
    my @others = grep { !$is_drawn{$_} } @parts or return '';
    my $invalid = grep { ($_->verdict // '') eq 'invalid' } @others;
    my $told = $invalid ? words('cpus.invalid', invalid => $invalid) : '';
    return words('cpus.none_drawn', invalid => $told) if @others == @parts;
    return words('cpus.not_drawn', others => scalar @others, cpus => scalar @parts, invalid => $told);
}

1;
