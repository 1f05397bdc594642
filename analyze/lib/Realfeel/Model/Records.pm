# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel recorded around the worst wake-ups.
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

# A hash from the number of an event, among the $most worst or all, to its records in order of time: hashes of at, ns
# since the wake-up was due; kind as in the data set, but switch for the two lines of a switch; name, id, and stack,
# function names; prev and next of a switch, next of a waking, as task() makes them; state, in which prev left; and
# line, the raw columns.
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

# A hash of id, -1 if unknown, name, and rank, the kernel's priority, where lower goes first; undef if unknown
sub task ($id, $name, $priority) {
    my ($class, $number) = split /:/, $priority // '';
    my $rank = !defined $class ? undef : $class eq 'deadline' ? DEADLINE
        : $class eq 'rt' ? HIGHEST - $number : NORMAL + $number;
    return { id => $id, name => $name, priority => $priority, rank => $rank };
}

# Function names, innermost first
sub _frames ($stack) {
    return $stack eq '-' ? () : map { s/\+0x[0-9a-f]+$//r } split /</, $stack;
}

# A whole number, so that sums are exact
sub nanoseconds ($us) { return 0 + sprintf '%.0f', 1000 * $us }

# The measuring program's processes: a hash from pid to keeper, meter, standby, waker, member or load
sub own_processes ($report) {
    return map { reverse split /:/ } split / /, $report->header('own_processes') // '';
}

# Policy and priority of the meter or of the thread that was measured; '' if unknown
sub scheduling ($report) {
    my $of = defined $report->header('thread') ? 'thread_' : '';
    return map { $report->header("$of$_") // '' } qw(policy priority);
}

1;
