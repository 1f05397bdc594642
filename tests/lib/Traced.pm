# SPDX-License-Identifier: GPL-2.0-or-later
package Traced;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(entry leaves lost nothing_traced preempted rows sleep_and_wake_up timer_interrupt traced_report traced_text
    wake_up waking went_to_sleep);

use File::Temp ();
use FindBin;
use Realfeel::Model::Report;
use RunCommand qw(contents);

=head1 NAME

Traced - records as the kernel would have traced them, at so many us after due

=head1 DESCRIPTION

Tasks are known by their numbers: 0 idle, 10 C<dd> and 11 C<sh> of nice 0, 20 C<hog> rt 97, 21 C<low> rt 50, 15
C<ktimers/0>, 14 C<ksoftirqd/0>, 99 the meter, rt 95, 98 its waker, rt 96. A task may be given as C<[id, name,
priority]>, too.

=cut

my %TASKS = (
    0 => ['swapper/0', 'nice:0'], 10 => ['dd', 'nice:0'], 11 => ['sh', 'nice:0'], 20 => ['hog', 'rt:97'],
    21 => ['low', 'rt:50'], 15 => ['ktimers/0', 'rt:1'], 14 => ['ksoftirqd/0', 'nice:0'],
    98 => ['realfeel-waker', 'rt:96'], 99 => ['realfeel', 'rt:95'],
);
my @lines;

# A line of the data set, without the event.
sub line {
    my ($us, $kind, %field) = @_;
    push @lines, [sprintf('%.3f', $us), $kind, map { $field{$_} // '-' } qw(name id priority detail stack)];
}

sub task {
    my ($id, $name, $priority) = ref $_[0] ? @{ $_[0] } : ($_[0], @{ $TASKS{$_[0]} });
    return (id => $id, name => $name, priority => $priority);
}

sub nothing_traced { @lines = () }
sub waking         { line($_[0], 'waking', task($_[1] // 99)) }
sub preempted      { leaves(@_[0 .. 2], 'R', @_[3 .. $#_]) }
sub went_to_sleep  { leaves(@_[0 .. 2], 'S', @_[3 .. $#_]) }
sub lost           { line($_[0], 'lost', detail => 3) }

sub leaves {
    my ($us, $prev, $next, $state, %field) = @_;
    line($us, 'switch_out', task($prev), detail => $state);
    line($us, 'switch_in', task($next), %field);
}

sub entry {
    my ($us, $kind, $id, $name) = @_;
    line($us, $kind, id => $id, name => $name eq '' ? '-' : $name =~ s/ /\\x20/gr);
}

sub timer_interrupt {
    my ($from, $to) = @_;
    entry($from, 'vector_entry', 236, 'timer interrupt');
    entry($to, 'vector_exit', 236, 'timer interrupt');
}

# The way of a wake-up that nothing delays, when this task is interrupted; it goes on after so many us more.
sub wake_up {
    my ($us, $interrupted, $later, %stack) = @_;
    entry($us, 'vector_entry', 236, 'timer interrupt');
    line($us + 1, 'expire', stack => $stack{expiry});
    waking($us + 3);
    entry($us + 5, 'vector_exit', 236, 'timer interrupt');
    preempted($us + 6 + ($later // 0), $interrupted, 99, stack => $stack{arrival});
}

sub sleep_and_wake_up {
    my ($us, $interrupted, @more) = @_;
    went_to_sleep(-500, 99, $interrupted);
    wake_up($us, $interrupted, @more);
}

# Their rows, as of this event.
sub rows {
    my ($event) = @_;
    return join '', map { join(' ', $event, $_->[0], 0, @$_[1 .. $#$_]) . "\n" } @lines;
}

# The text of a report with these records of its only event, which is that late, and with that in its header; they are
# forgotten.
sub traced_text {
    my ($late_us, %header) = @_;
    my $counting = sprintf '%.3f', delete $header{counting_us} // 0;
    my $text = contents("$FindBin::Bin/../analyze/data/explained.hist");
    my $rows = rows(1);
    nothing_traced();
    my $late = sprintf '%.3f', $late_us;
    $text =~ s/^(# records\n# [^\n]*\n).*(?=^# end )/$1$rows/ms or die 'no records';
    my $unknown = join ' ', ('unknown') x 5;
    $text =~ s/^(# events\n#.*\n(?:\S+ ){3})\S+( (?:\S+ ){5})\S+ .*\n(?:\d.*\n)+/$1$late$2$counting $unknown\n/m or die 'no event';
    my %all = (own_processes => 'keeper:97 meter:99 waker:98 load:96', hypervisor => 'none', %header);
    $text =~ s/^# \Q$_\E: .*\n//m, $text =~ s/^(?=# frequency_hz)/# $_: $all{$_}\n/m for sort keys %all;
    return $text;
}

# The same as a report.
sub traced_report {
    my $file = File::Temp->new;
    print {$file} traced_text(@_);
    close $file;
    return Realfeel::Model::Report->read("$file");
}

1;
