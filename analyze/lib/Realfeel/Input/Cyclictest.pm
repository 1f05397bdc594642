# SPDX-License-Identifier: GPL-2.0-or-later
# Reads what cyclictest -h prints. The text tells neither its unit, nor which CPU a thread had, nor whether it is
# wake-up latency, unless realfeel-analyze exported it. A column of sums, from -H, is skipped. "# Total" exists up to
# rt-tests 2.6.
package Realfeel::Input::Cyclictest;
use Realfeel::Base::Modern;

use Realfeel::Input::Table;

use constant {
    SUMMARY => { Total => 'total', 'Min Latencies' => 'min', 'Avg Latencies' => 'mean', 'Max Latencies' => 'max',
        'Histogram Overflows' => 'beyond' },
    LINE    => qr/^# ([A-Z][a-z]+(?: [A-Z][a-z]+)?):((?:\s+-?\d{1,17})+)\s*$/,
};

sub recognises ($head) { return $head =~ /^# Histogram\s*$/m }

sub run ($lines, @) {
    my ($table, %summary, @cpus, $is_wakeup);
    while (defined(my $line = $lines->line)) {
        if    ($line =~ /^# Histogram\s*$/)               { $table //= Realfeel::Input::Table->new($lines) }
        elsif ($line =~ /^# CPUs:((?: \d{1,6})+)$/)       { @cpus = split ' ', $1 }
        elsif ($line eq '# Wake-up latency')              { $is_wakeup = 1 }
        elsif ($table && $line =~ LINE && SUMMARY->{$1})  { $summary{ SUMMARY->{$1} } = [map { 0 + $_ } split ' ', $2] }
        elsif ($table && $line !~ /^\s*(?:#|$)/)          { _add($table, $line) }
        $lines->pass;
    }
    _refuse_part($lines, $table, \%summary);
    return {
        source => 'cyclictest',
        width  => 1,
        edge   => $table->end(1),
        part   => 'thread',
        parts  => { map {
            $_ => { %{ $table->part($_, "thread $_", \%summary) }, cpu => $cpus[$_] }
        } 0 .. $#{ $summary{min} } },
        ours   => $is_wakeup ? 'wakeup' : undef,
    };
}

sub _add ($table, $row) {
    $table->fail('not a time and its counts') unless $row =~ /^\d{1,9}(?:\s+\d{1,17})+\s*$/;
    $table->add(split ' ', $row);
}

sub _refuse_part ($lines, $table, $summary) {
    $lines->fail(0, "has no line '# Histogram'; name what cyclictest -h printed") unless $table;
    my ($missing) = grep { $_ ne 'Total' && !$summary->{ SUMMARY->{$_} } } sort keys %{ SUMMARY() };
    $lines->fail(0, "has no line '# $missing', so it is cut off; take another copy") if defined $missing;
    my $threads = @{ $summary->{min} };
    $table->fail('there are fewer columns than threads', 0)
        if grep { $_ < $threads } $table->columns || $threads, map { scalar @$_ } values %$summary;
}

1;
