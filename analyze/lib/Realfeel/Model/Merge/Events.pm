# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Merge::Events;
use Realfeel::Base::Modern;

use List::Util qw(min);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(columns in_order);

use constant EVENTS_MAX => 32;      # as in the report of one run, see realfeel(5)

=head1 NAME

Realfeel::Model::Merge::Events - the worst wake-ups of several reports, and what is told of them

=head1 METHODS

=head2 new

Those of no report.

=head2 add($report, @runs)

Takes the events of a L<Realfeel::Model::Report>; C<@runs> are its runs, hashes that get a C<number> before C<sets> is
called.

=head2 sets

The data set C<events>, of all columns that any report has, C<unknown> where one has not, and C<records> of its events,
where any report has some. Each is a hash from the column's name to its values. Empty where a report has no events. Of
events that are equally late those of the runs that come first are kept.

=head2 origins

Of each of these events an array: the number of the report that was added, from 0, and that of the event there, from 1.

=cut

sub new ($class) {
    return bless { events => [], reports => 0 }, $class;
}

sub add ($self, $report, @runs) {
    my ($names, $rows) = $report->rows('events');
    $self->{is_lacking} = 1 unless $names;
    $self->{has_records} = 1 if $report->has('records');
    $self->{columns}{$_} = 1 for @{ $names // [] };
    $names = $self->{names}{"@$names"} //= $names if $names;
    my @records = _records($report);
    my @more = map { { names => $names, text => $_, records => shift @records } } split /\n/, $rows // '';
    $more[$_]{origin} = [$self->{reports}, $_ + 1] for 0 .. $#more;
    $self->{reports}++;
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

# The records of each event as rows without its number, undef where it has none.
sub _records ($report) {
    my (undef, $rows) = $report->rows('records');
    my @of;
    $of[$1 - 1] .= "$2\n" while ($rows // '') =~ /^(\d+)[ \t]+(.*)$/mg;
    return @of;
}

# As text, which takes little memory: there may be many that are equally late.
sub _row ($event) {
    my %row;
    @row{ @{ $event->{names} } } = split ' ', $event->{text};
    return \%row;
}

sub _refuse ($report, $what) {
    die printable($report->file . ": $what") . "; the report is damaged, take another copy\n";
}

sub _later { return $_[1]{late} <=> $_[0]{late} }

sub sets ($self) {
    return if $self->{is_lacking};
    my @worst = $self->_worst;
    my @rows = map { { %{ _row($_) }, run => $_->{run}{number} } } @worst;
    my @names = map { $_->[0] } in_order('events', { %{ $self->{columns} }, run => 1 });
    return (
        events => { map { my $name = $_; $name => [map { $_->{$name} // 'unknown' } @rows] } @names },
        $self->{has_records} ? (records => _numbered(map { $_->{records} // '' } @worst)) : (),
    );
}

sub origins ($self) { return map { $_->{origin} } $self->_worst }

# A sort leaves equal ones in their order.
sub _worst ($self) {
    my @worst = sort { _later($a, $b) || $a->{run}{number} <=> $b->{run}{number} } @{ $self->{events} };
    return @worst[0 .. min(EVENTS_MAX, scalar @worst) - 1];
}

sub _numbered (@records) {
    my $rows = join '', map { my $event = $_ + 1; $records[$_] =~ s/^(?=.)/$event /mgr } 0 .. $#records;
    return columns([map { $_->[0] } in_order('records', {})], $rows);
}

1;
