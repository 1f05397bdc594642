# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Merge::Events;
use strict;
use warnings;

use List::Util qw(min);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(columns in_order);

use constant EVENTS_MAX => 32;      # as in the report of one run, see realfeel(5)
use constant EXPLAINED  => qw(records blame stacks sentences);

=head1 NAME

Realfeel::Model::Merge::Events - the worst wake-ups of several reports, and what is told of them

=head1 METHODS

=head2 new

Those of no report.

=head2 add($report, @runs)

Takes the events of a L<Realfeel::Model::Report>; C<@runs> are its runs, hashes that get a C<number> before C<sets> is
called.

=head2 sets

The data set C<events>, of all columns that any report has, C<unknown> where one has not; and those that explain its
events, where any report does, with the culprits computed again. Each is a hash from the column's name to its values.
Empty where a report has no events. Of events that are equally late those of the runs that come first are kept.

=cut

sub new {
    my ($class) = @_;
    return bless { events => [], has => {} }, $class;
}

sub add {
    my ($self, $report, @runs) = @_;
    my ($names, $rows) = $report->rows('events');
    $self->{is_lacking} = 1 unless $names;
    $self->{has}{$_} = 1 for grep { $report->has($_) } EXPLAINED;
    $self->{columns}{$_} = 1 for @{ $names // [] };
    $names = $self->{names}{"@$names"} //= $names if $names;
    my @told = _told($report);
    my @more = map { { names => $names, text => $_, told => shift @told } } split /\n/, $rows // '';
    for my $event (@more) {
        my $row = _row($event);
        my $run = $row->{run} // 1;
        _refuse($report, "events names run $run of " . @runs) if $run > @runs;
        @$event{qw(run late)} = ($runs[$run - 1], $row->{delay_us} // $row->{lateness_us} // $row->{wakeup_us});
    }
    my @worst = sort { _later($a, $b) } @{ $self->{events} }, @more;
    my $least = $worst[ min(EVENTS_MAX - 1, $#worst) ];
    $self->{events} = [grep { _later($_, $least) <= 0 } @worst];
}

# What the report tells of each of its events: hashes from the data set to the rows that are of this event, without its
# number. An event of which nothing is told has none.
sub _told {
    my ($report) = @_;
    my @told;
    for my $set (EXPLAINED) {
        my (undef, $rows) = $report->rows($set) or next;
        $told[$1 - 1]{$set} .= "$2\n" while $rows =~ /^(\d+)[ \t]+(.*)$/mg;
    }
    return @told;
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
    my @names = map { $_->[0] } in_order('events', { %{ $self->{columns} }, run => 1 });
    return (
        events => { map { my $name = $_; $name => [map { $_->{$name} // 'unknown' } @rows] } @names },
        _explained($self->{has}, map { $_->{told} } @worst),
    );
}

# These data sets, of events of which that is told.
sub _explained {
    my ($is_told, @told) = @_;
    my %sets;
    for my $set (grep { $is_told->{$_} } EXPLAINED) {
        my @rows = map { my $event = $_ + 1; ($told[$_]{$set} // '') =~ s/^(?=.)/$event /mgr } 0 .. $#told;
        $sets{$set} = columns([map { $_->[0] } in_order($set, {})], join '', @rows);
    }
    return ($sets{blame} ? (culprits => _culprits($sets{blame})) : (), %sets);
}

# Who had the CPU, the measuring process apart, by the time that it took.
sub _culprits {
    my ($blame) = @_;
    my (%ns, %events);
    for my $i (grep { $blame->{kind}[$_] ne 'self' } 0 .. $#{ $blame->{kind} }) {
        my ($from, $to) = map { 0 + sprintf '%.0f', 1000 * $blame->{$_}[$i] } qw(from_us to_us);
        my $who = join ' ', $blame->{kind}[$i], $blame->{ $blame->{kind}[$i] eq 'unknown' ? 'detail' : 'name' }[$i];
        $ns{$who} += $to - $from;
        $events{$who}{ $blame->{event}[$i] } = 1;
    }
    my @who = sort { $ns{$b} <=> $ns{$a} || $a cmp $b } grep { $ns{$_} } keys %ns;
    return {
        kind    => [map { (split / /)[0] } @who],
        name    => [map { (split / /)[1] } @who],
        wakeups => [map { scalar keys %{ $events{$_} } } @who],
        us      => [map { sprintf '%.3f', $ns{$_} / 1000 } @who],
    };
}

1;
