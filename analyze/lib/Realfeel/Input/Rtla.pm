# SPDX-License-Identifier: GPL-2.0-or-later
# Reads what rtla timerlat hist prints. For each CPU the latency of the return to user space is taken, else that of the
# thread. If -T stopped the run, the wake-up that stopped it, the latest of all, has no return; then the threads'
# latencies are taken for all CPUs. The text omits empty buckets and their width, which is taken to be the greatest
# common divisor of the indices.
package Realfeel::Input::Rtla;
use Realfeel::Base::Modern;

use List::Util qw(any);
use Realfeel::Input::Table;

use constant {
    UNIT_NS => { nanoseconds => 1, microseconds => 1000 },
    # In the order in which they follow the rows
    SUMMARY => [[over => 'beyond'], [count => 'total'], [min => 'min'], [avg => 'mean'], [max => 'max']],
};

sub recognises ($head) { return $head =~ /^# RTLA |^# Time unit is \w+ \(/m }

sub run ($lines, @) {
    my %told = _head($lines);
    my ($table, $summary) = _table($lines, scalar @{ $told{columns} });
    my ($cpus, @reasons) = _chosen($lines, $summary, @{ $told{columns} });
    my $width = $table->divisor;
    my $part = sub { $table->part($cpus->{ $_[0] }, "CPU $_[0]", $summary, 'counts all') };
    return {
        source  => 'rtla timerlat',
        unit_ns => UNIT_NS->{ $told{unit} },
        width   => $width,
        edge    => $table->end($width),
        parts   => { map { $_ => { %{ $part->($_) }, cpu => $_, duration_s => $told{duration_s} } } keys %$cpus },
        part    => 'cpu',
        reasons => [@reasons,
            $width > 1 ? "the width of the buckets, $width $told{unit}, is derived from their indices" : ()],
    };
}

# Up to and including the line that names the columns
sub _head ($lines) {
    my %told;
    while (defined(my $line = $lines->line) && !$told{columns}) {
        $lines->fail($lines->number, 'this is osnoise: the noise that a busy loop sees, and no latency; '
            . 'use rtla timerlat hist') if $line =~ /^# RTLA osnoise/;
        $told{unit} = $1 if $line =~ /^# Time unit is (\w+)/;
        $told{duration_s} = $1 * 86_400 + $2 * 3600 + $3 * 60 + $4
            if $line =~ /^# Duration:\s+(\d{1,5}) (\d\d):(\d\d):(\d\d)\s*$/;
        $told{columns} = [split ' ', $1] if $line =~ /^Index(\s.*)/;
        $lines->pass;
    }
    $lines->fail(0, "has no line '# Time unit is'; name what rtla timerlat hist printed")
        unless UNIT_NS->{ $told{unit} // '' };
    $lines->fail(0, "has no line 'Index'; run rtla without --no-header and --no-index") unless $told{columns};
    return %told;
}

# The rows, and the lists of the lines below. What follows is the sum of all CPUs and the analysis of a stop.
sub _table ($lines, $columns) {
    my ($table, %summary) = Realfeel::Input::Table->new($lines);
    my @expected = @{ SUMMARY() };
    while (@expected && defined(my $line = $lines->line)) {
        my ($first, @rest) = split ' ', $line;
        if (defined $first) {
            $table->fail('not a line of the histogram') if @rest != $columns || $first !~ /^(?:\d{1,12}|[a-z]+:)$/;
            my $is_row = $first =~ /^\d/;
            my ($bad) = grep { $is_row ? !/^\d{1,17}$/ : !/^(?:-?\d{1,17}|-)$/ } @rest;
            $table->fail("'$bad' is not a number") if defined $bad;
            if    ($is_row)                          { $table->add($first, @rest) }
            elsif ($first ne "$expected[0][0]:")     { last }
            else { $summary{ (shift @expected)->[1] } = [map { $_ eq '-' ? undef : 0 + $_ } @rest] }
        }
        $lines->pass;
    }
    return ($table, \%summary) unless @expected;
    my $missing = $expected[0][0];
    $lines->fail(0, "has no line '$missing:', so it is cut off; take another copy, of a run without --no-summary");
}

# A hash from the CPU to the place of its column, and why that is not the expected one
sub _chosen ($lines, $summary, @names) {
    my %place;
    for my $i (0 .. $#names) {
        $place{$1}{ 0 + $2 } = $i if $names[$i] =~ /^(Thr|Usr)-(\d{1,6})$/;
    }
    my ($thread, $user) = @place{qw(Thr Usr)};
    $lines->fail(0, 'holds no thread latency; run rtla without --no-thread') unless $thread || $user;
    return $thread // $user unless $thread && $user;
    my $lacks_latest = any { !defined $user->{$_} || _lacks($summary, $thread->{$_}, $user->{$_}) } keys %$thread;
    return $user unless $lacks_latest;
    return ($thread, 'the latency of the threads is taken, as the latest did not return to user space');
}

# Whether a wake-up of the thread, which is never later, did not return to user space
sub _lacks ($summary, $thread, $user) {
    my ($total, $max) = @$summary{qw(total max)};
    return $total->[$user] ? ($max->[$thread] // 0) > ($max->[$user] // 0) : $total->[$thread];
}

1;
