# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Records;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(nanoseconds own_processes records scheduling task);

use Realfeel::Input::Format1::Columns qw(columns unescaped);

use constant {
    NORMAL   => 120,        # the kernel's number for nice 0; real-time priorities are below 100, the higher the lower
    HIGHEST  => 99,
    DEADLINE => -1,
};

=head1 NAME

Realfeel::Model::Records - what the kernel recorded around the worst wake-ups

=head1 FUNCTIONS

=head2 records($report, $most)

For each of the C<$most> worst events, or of all, an array of its records in the order of time, by the number of the
event. A record is a hash of C<at>, nanoseconds since the wake-up was due; C<kind>, that of the data set, but C<switch>
for the two lines of a switch; C<name>, C<id> and C<stack>, the names of the functions. A switch has C<prev> and
C<next>, a waking C<next>: hashes as C<task> makes them; C<state> is that in which C<prev> left. C<line> has the columns
as they are.

=cut

sub records ($report, $most = undef) {
    my ($names) = $report->rows('records') or return {};
    my %records;
    for my $rows ($report->groups('records', 'event')) {
        my ($event) = $rows =~ /^(\d+)/;
        $records{$event} = _records(columns($names, $rows)) unless defined $most && $event > $most;
    }
    return \%records;
}

sub _records ($columns) {
    my @records;
    for my $i (0 .. $#{ $columns->{kind} }) {
        my %line = map { $_ => $columns->{$_}[$i] } keys %$columns;
        my $kind = $line{kind};
        if ($kind eq 'switch_in') { _complete($records[-1], \%line) }
        else                      { push @records, _record(\%line) }
    }
    return \@records;
}

sub _record ($line) {
    my $record = {
        at => nanoseconds($line->{at_us}), kind => $line->{kind} =~ s/^switch\K_out$//r, line => $line,
        name => unescaped($line->{name}), id => $line->{id}, stack => [_frames($line->{stack})],
    };
    @$record{qw(prev state)} = (_task($line), $line->{detail}) if $record->{kind} eq 'switch';
    $record->{next} = _task($line) if $record->{kind} eq 'waking';
    return $record;
}

sub _complete ($record, $line) {
    $record->{next} = _task($line);
    $record->{stack} = [_frames($line->{stack})] unless @{ $record->{stack} };
}

sub _task ($line) {
    return task(-1, 'a task that has ended', undef) if $line->{id} eq '-';
    my $name = $line->{name} eq '-' ? "task $line->{id}" : unescaped($line->{name});
    return task($line->{id}, $name, $line->{priority} eq '-' ? undef : $line->{priority});
}

=head2 task($id, $name, $priority)

A task as a hash of these, C<id> -1 where it is not known, and of C<rank>, the number by which the kernel orders
priorities: the lower goes first. It is undef where the priority is not known.

=cut

sub task ($id, $name, $priority) {
    my ($class, $number) = split /:/, $priority // '';
    my $rank = !defined $class ? undef : $class eq 'deadline' ? DEADLINE
        : $class eq 'rt' ? HIGHEST - $number : NORMAL + $number;
    return { id => $id, name => $name, priority => $priority, rank => $rank };
}

# The names of the functions, the innermost first.
sub _frames ($stack) {
    return $stack eq '-' ? () : map { s/\+0x[0-9a-f]+$//r } split /</, $stack;
}

=head2 nanoseconds($us)

A time as it is written in microseconds, as a whole number, so that sums are exact.

=cut

sub nanoseconds ($us) { return 0 + sprintf '%.0f', 1000 * $us }

=head2 own_processes($report)

The processes of the measuring program: a hash from their numbers to what each is: C<keeper>, C<meter>, C<standby>,
C<waker>, C<member>, C<load>.

=cut

sub own_processes ($report) {
    return map { reverse split /:/ } split / /, $report->header('own_processes') // '';
}

=head2 scheduling($report)

Policy and priority of whom the report is about, the meter or a thread of another program, C<''> where they are unknown.

=cut

sub scheduling ($report) {
    my $of = defined $report->header('thread') ? 'thread_' : '';
    return map { $report->header("$of$_") // '' } qw(policy priority);
}

1;
