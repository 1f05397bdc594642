# SPDX-License-Identifier: GPL-2.0-or-later
# The worst wake-ups of several reports, with their records.
package Realfeel::Model::Merge::Events;
use Realfeel::Base::Modern;

use List::Util qw(min);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(columns in_order);

use constant EVENTS_MAX => 32;      # as in the report of one run, see realfeel(5)

sub new ($class) {
    return bless { events => [], reports => 0 }, $class;
}

# @runs are the report's runs, hashes that get a number before sets is called
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

# The rows of each event without its number; undef if it has none
sub _records ($report) {
    my (undef, $rows) = $report->rows('records');
    my @of;
    $of[$1 - 1] .= "$2\n" while ($rows // '') =~ /^(\d+)[ \t]+(.*)$/mg;
    return @of;
}

# As text, to save memory: many may be equally late
sub _row ($event) {
    my %row;
    @row{ @{ $event->{names} } } = split ' ', $event->{text};
    return \%row;
}

sub _refuse ($report, $what) {
    die printable($report->file . ": $what") . "; the report is damaged, take another copy\n";
}

sub _later { return $_[1]{late} <=> $_[0]{late} }

# The data sets events, with the columns of all reports ("unknown" if one lacks it), and records of these events, if
# any: hashes from names to values. Empty if a report has no events. Of equally late events those of earlier runs are
# kept.
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

# For each of these events [number of the report as added, from 0; number of its event, from 1]
sub origins ($self) { return map { $_->{origin} } $self->_worst }

# The sort is stable
sub _worst ($self) {
    my @worst = sort { _later($a, $b) || $a->{run}{number} <=> $b->{run}{number} } @{ $self->{events} };
    return @worst[0 .. min(EVENTS_MAX, scalar @worst) - 1];
}

sub _numbered (@records) {
    my $rows = join '', map { my $event = $_ + 1; $records[$_] =~ s/^(?=.)/$event /mgr } 0 .. $#records;
    return columns([map { $_->[0] } in_order('records', {})], $rows);
}

1;
