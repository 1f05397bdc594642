# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Merge::Events;
use strict;
use warnings;

use List::Util qw(min);
use Realfeel::Explain::Worst;
use Realfeel::Format1::Columns qw(COLUMNS);
use Realfeel::Units qw(printable);

use constant EVENTS_MAX => 32;      # as in the report of one run, see realfeel(5)
use constant EXPLAINED  => [qw(blame stacks sentences)];

=head1 NAME

Realfeel::Merge::Events - the worst wake-ups of merged runs, and what is told of them

=head1 METHODS

=head2 new

Those of no run.

=head2 add($report, @runs)

Takes the events of a L<Realfeel::Report>; C<@runs> are its runs, hashes that get a C<number> before C<sets> is called.

=head2 sets

The data set C<events>, of all columns that any report has, C<unknown> where one has not; and those that explain its
events, where any report does. Empty where a report has no events. Of events that are equally late those of the runs
that come first are kept.

=cut

sub new {
    my ($class) = @_;
    return bless { events => [], has => {} }, $class;
}

sub add {
    my ($self, $report, @runs) = @_;
    my ($names, $rows) = $report->rows('events');
    $self->{is_lacking} = 1 unless $names;
    $self->{has}{$_} = 1 for grep { $report->has($_) } @{ EXPLAINED() };
    $self->{columns}{$_} = 1 for @{ $names // [] };
    $names = $self->{names}{"@$names"} //= $names if $names;
    my @told = Realfeel::Explain::Worst::told($report);
    my @more = map { { names => $names, text => $_, told => shift @told } } split /\n/, $rows // '';
    for my $event (@more) {
        my $row = _row($event);
        my $run = $row->{run} // 1;
        _refuse($report, "events names run $run of " . @runs) if $run > @runs;
        @$event{qw(run late)} = ($runs[$run - 1], $row->{lateness_us});
    }
    my @worst = sort { _later($a, $b) } @{ $self->{events} }, @more;
    my $least = $worst[ min(EVENTS_MAX - 1, $#worst) ];
    $self->{events} = [grep { _later($_, $least) <= 0 } @worst];
}

# As text, which takes little memory: there may be many that are equally late.
sub _row {
    my ($event) = @_;
    my %row;
    @row{ @{ $event->{names} } } = split ' ', $event->{text};
    return \%row;
}

sub _refuse {
    my ($report, $what) = @_;
    die printable($report->file . ": $what") . "; the report is damaged, take another copy\n";
}

sub _later { return $_[1]{late} <=> $_[0]{late} }

sub sets {
    my ($self) = @_;
    return if $self->{is_lacking};
    # A sort leaves equal ones in their order.
    my @worst = sort { _later($a, $b) || $a->{run}{number} <=> $b->{run}{number} } @{ $self->{events} };
    splice @worst, EVENTS_MAX if @worst > EVENTS_MAX;
    my @rows = map { { %{ _row($_) }, run => $_->{run}{number} } } @worst;
    my @names = grep { $_ eq 'run' || $self->{columns}{$_} } map { $_->[0] } @{ COLUMNS->{events} };
    return (
        events => { map { my $name = $_; $name => [map { $_->{$name} // 'unknown' } @rows] } @names },
        Realfeel::Explain::Worst::sets([keys %{ $self->{has} }], map { $_->{told} } @worst),
    );
}

1;
