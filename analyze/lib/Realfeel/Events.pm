# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Events;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(tables worst);

use List::Util qw(max min sum);
use Realfeel::Units qw(decimal percent);

use constant LISTED   => 10;
use constant COUNTERS => qw(switches faults interrupts smis);

# Columns of tables: the heading, and a function from an event to its cell, undef where it is not known.
use constant AT => ['at s', sub { decimal($_[0]{at_s}, 6) }];
use constant CIRCUMSTANCES => (
    AT,
    [utc           => sub { $_[0]{utc} =~ s/.*T|Z//gr }],
    ['lateness us' => sub { decimal($_[0]{lateness_us}, 3) }],
    ['interval us' => sub { decimal($_[0]{interval_us}, 3) }],
    [periods       => sub { $_[0]{periods} }],
    [cpu           => \&_cpu],
);

=head1 NAME

Realfeel::Events - the worst wake-ups, and where the time went

=head1 FUNCTIONS

=head2 worst($lateness, $report)

The lines that list the worst wake-ups of a L<Realfeel::Report>, none when it does not hold any. C<$lateness> is what
the measure is to be called.

=cut

sub worst {
    my ($lateness, $report) = @_;
    my @tables = tables($lateness, $report) or return;
    my @lines = map { ('', $_->{caption}, $_->{columns} ? _lines(@{ $_->{columns} }) : (), $_->{note} // ()) } @tables;
    return @lines[1 .. $#lines];
}

=head2 tables($lateness, $report)

The same as tables: hashes of C<caption>; C<columns>, each an array of its heading and its cells, where there are any;
and where there is one, C<note>, a line that comes below.

=cut

sub tables {
    my ($lateness, $report) = @_;
    my @events = @{ $report->events // [] } or return;
    my @listed = @events[0 .. min(LISTED, scalar @events) - 1];
    my $explained = ($report->header('explain') // '') =~ /^on\b/;
    my $caption = sprintf 'worst wake-ups by %s: %d of %d; interval errors signed', $lateness, scalar @listed,
        scalar @events;
    return (
        { caption => $caption, columns => [_columns(\@listed, CIRCUMSTANCES)] },
        $explained ? _spent(@listed) : { caption => 'run with --explain to see where the time went' },
    );
}

sub _cpu {
    my ($event) = @_;
    my ($before, $cpu) = @$event{qw(cpu_before cpu)};
    return defined $cpu && defined $before && $before != $cpu ? "$before>$cpu" : $cpu;
}

sub _spent {
    my @events = @_;
    my @known = grep { my $counter = $_; grep { defined $_->{$counter} } @events } COUNTERS;
    my @counters = map { my $counter = $_; [$counter => sub { $_[0]{$counter} }] } @known;
    return {
        caption => 'where the time went',
        columns => [_columns(\@events, AT, ['waiting to run' => \&_waiting], @counters)],
        note    => _waiting_of_all(@events),
    };
}

# To be runnable for longer than the lateness is no better an explanation than for all of it.
sub _waiting_us {
    my ($event) = @_;
    my ($delay, $lateness) = @$event{qw(run_delay_us lateness_us)};
    return defined $delay && $lateness > 0 ? min($delay, $lateness) : undef;
}

# The share in the lateness of these events, undef unless it is known of each.
sub _waiting {
    my @events = @_;
    return undef if grep { !defined _waiting_us($_) } @events;
    my $share = sum(map { _waiting_us($_) } @events) / sum(map { $_->{lateness_us} } @events);
    return percent(100 * $share, 100);
}

sub _waiting_of_all {
    my @events = @_;
    my @known = grep { defined _waiting_us($_) } @events or return undef;
    my $of = @known == @events ? '' : sprintf ' (known for %d of %d)', scalar @known, scalar @events;
    return _waiting(@known) . " of their lateness was spent waiting to run$of";
}

sub _columns {
    my ($events, @columns) = @_;
    return map { my ($heading, $cell) = @$_; [$heading, map { $cell->($_) // 'unknown' } @$events] } @columns;
}

# Each column right-justified to one width.
sub _lines {
    my @columns = map { _justified(@$_) } @_;
    return map { my $row = $_; join '  ', map { $_->[$row] } @columns } 0 .. $#{ $columns[0] };
}

sub _justified {
    my @texts = @_;
    my $width = max map { length } @texts;
    return [map { sprintf '%*s', $width, $_ } @texts];
}

1;
