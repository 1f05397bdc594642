# SPDX-License-Identifier: GPL-2.0-or-later
package RandomExplain;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(explained);

use List::Util qw(sum0);
use RandomReport ();

=head1 NAME

RandomExplain - what realfeel --explain would add to a report of L<RandomReport>

=cut

my @PARTS = qw(expiry waking switch again stamp);
my @USUAL_NS = (8400, 9200, 26_600, 0, 10_700);
my @CULPRITS = (
    'task hog rt:97 pid:123', 'task dd nice:0 pid:4711', 'task kworker/0:1-a\x20b nice:-20 pid:77', 'task x deadline pid:9',
    'interrupt eth0 - irq:9', 'interrupt timer\x20interrupt - -', 'softirq NET_RX - -', 'idle idle - -',
    'unknown - - no-record', 'unknown - - ring-ends',
);

# The report of these slices, with parts, blame and sentences. A share of the wake-ups is unknown, a twentieth by default.
sub explained {
    my ($report, $slices, $unknown) = @_;
    my @wakeups = map { @$_ } @$slices;
    my @parts = map { rand() < ($unknown // 0.05) ? undef : parts_of($_->[2]) } @wakeups;
    my %events = events($report->{events}, \@parts);
    my @matched = grep { $parts[$_] } 0 .. $#parts;
    my @header = (
        [explain => 'stacks'], [explain_with_ns => 38_700], [explain_without_ns => 34_400], [explain_wakings => '256 of 256'],
        [explain_switches => '18178 of 18181'], [explain_traced => '18177 of 18181'],
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
    my (@blame, @sentences, @stacks);
    for my $i (0 .. $#{ $events{period} }) {
        my $known = $parts->[$events{period}[$i] - 1];
        push @{ $events{"$PARTS[$_]_us"} }, $known ? sprintf '%.3f', $known->[$_] / 1000 : 'unknown' for 0 .. $#PARTS;
        my @of = blame($i + 1, $events{lateness_us}[$i]) or next;
        push @blame, @of;
        push @sentences, [$i + 1, "$events{lateness_us}[$i] us late: " . join '; ', map { "'$_->[4]' ran" } @of];
        push @stacks, map { [$i + 1, $_, 'finish_task_switch+0x1f<schedule+0x5d<do_nanosleep+0x6a'] } qw(expiry switch);
    }
    return (
        events    => \%events,
        blame     => RandomReport::columns([qw(event from_us to_us kind name priority detail)], @blame),
        culprits  => culprits(@blame),
        sentences => RandomReport::columns([qw(event sentence)], @sentences),
        stacks    => RandomReport::columns([qw(event where frames)], @stacks),
    );
}

# Who had the CPU from the due time on, the meter itself last.
sub blame {
    my ($event, $late_us) = @_;
    return if $late_us <= 0;
    my @ends = ((sort { $a <=> $b } map { sprintf '%.3f', rand $late_us } 1 .. 1 + rand 4), $late_us);
    my @who = ((map { $CULPRITS[rand @CULPRITS] } 2 .. @ends), 'self realfeel rt:95 -');
    return map { [$event, $_ ? $ends[$_ - 1] : '0.000', $ends[$_], split ' ', $who[$_]] } 0 .. $#ends;
}

sub culprits {
    my @blame = @_;
    my (%us, %events);
    for (grep { $_->[3] ne 'self' } @blame) {
        my $who = join ' ', $_->[3], $_->[$_->[3] eq 'unknown' ? 6 : 4];
        $us{$who} += $_->[2] - $_->[1];
        $events{$who}{ $_->[0] } = 1;
    }
    my @rows = map { [split(' '), scalar keys %{ $events{$_} }, sprintf '%.3f', $us{$_}] } keys %us;
    return RandomReport::columns([qw(kind name wakeups us)], sort { $b->[3] <=> $a->[3] || "@$a" cmp "@$b" } @rows);
}

1;
