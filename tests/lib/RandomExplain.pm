# SPDX-License-Identifier: GPL-2.0-or-later
package RandomExplain;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(explained);

use List::Util qw(sum0);
use RandomReport ();

# What realfeel --explain would add to a report of RandomReport.

my @PARTS = qw(expiry waking switch again stamp);
my @USUAL_NS = (8400, 9200, 26_600, 0, 10_700);
my @TASKS = ('hog 123 rt:97', 'dd 4711 nice:0', 'kworker/0:1-a\x20b 77 nice:-20', 'x 9 deadline', 'swapper/0 0 -');
my $METER = 'realfeel 1200 rt:95';
my $STACK = 'finish_task_switch+0x1f<schedule+0x5d<do_nanosleep+0x6a';
my @OTHERS = ('irq_entry eth0 9 - - -', 'irq_exit - 9 - - -', 'vector_entry timer\x20interrupt 236 - - -', 'softirq_entry NET_RX 3 - - -',
    'softirq_exit NET_RX 3 - - -', "expire - - - - $STACK", "waking $METER - -", 'lost - - - 3 -');

# The report of these slices, with parts and records. A share of the wake-ups is unknown, a twentieth by default.
sub explained {
    my ($report, $slices, $unknown) = @_;
    my @wakeups = map { @$_ } @$slices;
    my @parts = map { rand() < ($unknown // 0.05) ? undef : parts_of($_->[2]) } @wakeups;
    my %events = events($report->{events}, \@parts);
    my @matched = grep { $parts[$_] } 0 .. $#parts;
    my @header = (
        [explain => 'stacks'], [explain_with_ns => 38_700], [explain_without_ns => 34_400], [explain_wakings => '256 of 256'],
        [explain_switches => '18178 of 18181'], [explain_traced => '18177 of 18181'],
        [own_processes => 'keeper:1199 meter:1200'],
        [parts_matched => scalar @matched], [parts_unknown => @parts - @matched], [trace_lost => 0],
        @matched ? [parts_lateness_sum_ns => sum0(map { $wakeups[$_][2] } @matched)] : (),
        (map { my $i = $_; RandomReport::moments($PARTS[$i], map { $_->[$i] } @parts[@matched]) } 0 .. $#PARTS),
    );
    return {
        %$report, %events,
        header => { %{ $report->{header} }, map { @$_ } @header },
        keys   => [(grep { $_ ne 'explain' } @{ $report->{keys} }), map { $_->[0] } @header],
        parts  => histogram(@parts[@matched]),
        parts_by_lateness => by_lateness(map { [$wakeups[$_][2], @{ $parts[$_] }] } @matched),
    };
}

# What a lateness has beyond the usual is of one part.
sub parts_of {
    my ($lateness) = @_;
    my @parts = map { int $_ * (0.9 + rand 0.2) } @USUAL_NS;
    my $usual = sum0(@parts);
    @parts = map { int $_ * $lateness / $usual } @parts if $lateness < $usual;
    $parts[(0, 2, 2, 2, 3)[rand 5]] += $lateness - sum0(@parts);
    return \@parts;
}

sub histogram {
    my @parts = @_;
    my %bins;
    for my $i (0 .. $#PARTS) { $bins{join ' ', RandomReport::bin($_->[$i], 4)}[$i]++ for @parts }
    my @rows = sort { $a->[0] <=> $b->[0] } map { [split, map { $_ // 0 } @{ $bins{$_} }[0 .. $#PARTS]] } keys %bins;
    return RandomReport::columns([qw(from_us to_us), @PARTS], @rows);
}

sub by_lateness {
    my @late = @_;
    my %bins;
    push @{ $bins{join ' ', RandomReport::bin($_->[0], 2)} }, $_ for @late;
    my @rows = sort { $a->[0] <=> $b->[0] } map {
        my @of = @{ $bins{$_} };
        [split, scalar @of, map { my $i = $_; sprintf '%.3f', sum0(map { $_->[$i] } @of) / @of / 1000 } 1 .. @PARTS];
    } keys %bins;
    return RandomReport::columns([qw(from_us to_us wakeups), @PARTS], @rows);
}

sub events {
    my ($events, $parts) = @_;
    my %events = (%$events, smis => [map { int rand 2 } @{ $events->{period} }], map { ("${_}_us" => []) } @PARTS);
    my @records;
    for my $i (0 .. $#{ $events{period} }) {
        my $known = $parts->[$events{period}[$i] - 1];
        push @{ $events{"$PARTS[$_]_us"} }, $known ? sprintf '%.3f', $known->[$_] / 1000 : 'unknown' for 0 .. $#PARTS;
        push @records, map { [$i + 1, split] } records($events{lateness_us}[$i]);
    }
    return (
        events  => \%events,
        records => RandomReport::columns([qw(event at_us cpu kind name id priority detail stack)], @records),
    );
}

# From the time when the meter left the CPU, a little before due, until it has it again.
sub records {
    my ($late_us) = @_;
    return if $late_us <= 0;
    my ($first, @at) = map { sprintf '%.3f', $_ } sort { $a <=> $b } map { rand($late_us + 100) - 100 } 1 .. 2 + rand 5;
    my $last = pop @at;
    my $task = $TASKS[rand @TASKS];
    my @records = switch($first, "$METER S", $task);
    for my $at (@at) {
        push @records, "$at 0 $OTHERS[rand @OTHERS]" and next if rand() < 0.6;
        my $next = $TASKS[rand @TASKS];
        push @records, switch($at, "$task R", $next);
        $task = $next;
    }
    return (@records, switch($last, "$task R", $METER));
}

sub switch {
    my ($at, $left, $next) = @_;
    return ("$at 0 switch_out $left -", "$at 0 switch_in $next - $STACK");
}

1;
