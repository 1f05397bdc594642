# SPDX-License-Identifier: GPL-2.0-or-later
package RawTrace;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(raw_trace wake_ups);

=head1 NAME

RawTrace - the kernel's own trace, as trace_pipe_raw has it: to the nanosecond, where the text has microseconds

=cut

use constant { PAGE => 4096, HEADER => 16, PADDING => 29, EXTEND => 30, ABSOLUTE => 31, COMMITTED => 0xfffff };

# By size and sign, for unpack.
my %TEMPLATE = ('2 0' => 'S<', '4 0' => 'L<', '4 1' => 'l<', '8 0' => 'Q<', '8 1' => 'q<');

=head2 raw_trace($bytes, @formats)

The records of the events whose F<format> files are given, in their order: hashes by the names of their numeric fields,
with C<event> and C<at_ns>.

=cut

sub raw_trace {
    my ($bytes, @formats) = @_;
    my %layout = map { layout($_) } @formats;
    my @records;
    for (my $page = 0; $page + PAGE <= length $bytes; $page += PAGE) {
        push @records, of_page(substr($bytes, $page, PAGE), \%layout);
    }
    return @records;
}

# A list: the number of the event, and its name and fields.
sub layout {
    my ($format) = @_;
    my ($name, $id) = $format =~ /^name: (\w+)\nID: (\d+)$/m or die "this is no format: $format\n";
    my %field;
    while ($format =~ /^\tfield:[^;]*?(\w+);\toffset:(\d+);\tsize:(\d+);\tsigned:(\d);$/mg) {
        $field{$1} = [$2, $TEMPLATE{"$3 $4"}] if $TEMPLATE{"$3 $4"};
    }
    return $id => {name => $name, field => \%field};
}

sub of_page {
    my ($page, $layout) = @_;
    my ($now_ns, $committed) = unpack 'Q<Q<', $page;
    my ($at, $end) = (HEADER, HEADER + ($committed & COMMITTED));
    my @records;
    while ($at < $end) {
        my ($word, $next) = unpack 'L<L<', substr("$page\0\0\0\0", $at, 8);
        my ($type, $delta) = ($word & 31, $word >> 5);
        last if $type == PADDING && !$delta;
        $now_ns = $type == ABSOLUTE ? ($next << 27) + $delta : $now_ns + $delta + ($type == EXTEND ? $next << 27 : 0);
        my ($skip, $length) = $type >= EXTEND ? (8, 0) : $type == 0 || $type == PADDING ? (8, $next - 4) : (4, 4 * $type);
        push @records, record($now_ns, substr($page, $at + $skip, $length), $layout) if $type < PADDING;
        $at += $skip + $length;
    }
    return @records;
}

# One, or none where the event is not asked for.
sub record {
    my ($at_ns, $data, $layout) = @_;
    my $event = $layout->{unpack 'S<', $data} or return;
    my $field = $event->{field};
    return {event => $event->{name}, at_ns => $at_ns, map { ($_ => number($data, @{$field->{$_}})) } keys %$field};
}

sub number {
    my ($data, $offset, $template) = @_;
    return scalar unpack $template, substr $data, $offset;
}

=head2 wake_ups($pid, $function, @records)

What the records say of each time that a timer with this function, an address, woke the process: hashes with C<due_ns>,
C<expiry_ns>, C<waking_ns>, C<switch_ns> and C<again_ns>, the parts of the time until the process last got the CPU before
its next system call. The events are hrtimer_start, hrtimer_expire_entry, sched_waking, sched_switch and sys_enter.

=cut

sub wake_ups {
    my ($pid, $function, @records) = @_;
    my (%due_ns, %expired, $open, @wake_ups);
    for my $r (@records) {
        if ($r->{event} eq 'hrtimer_start') { $due_ns{$r->{hrtimer}} = $r->{expires} if $r->{function} == $function }
        elsif ($r->{event} eq 'hrtimer_expire_entry') {
            next if $r->{function} != $function;
            %expired = (at_ns => $r->{at_ns}, due_ns => $due_ns{$r->{hrtimer}});
        }
        elsif ($r->{event} eq 'sched_waking' && $r->{pid} == $pid && defined $expired{due_ns}) {
            push @wake_ups, $open = {%expired, waking_at_ns => $r->{at_ns}};
            %expired = ();
        }
        elsif ($r->{event} eq 'sys_enter') { undef $open if $r->{common_pid} == $pid }
        elsif ($r->{event} eq 'sched_switch' && $r->{next_pid} == $pid && $open) {
            $open->{first_ns} //= $r->{at_ns};
            $open->{last_ns} = $r->{at_ns};
        }
    }
    return map { parts($_) } grep { defined $_->{last_ns} } @wake_ups;
}

sub parts {
    my ($w) = @_;
    return {
        due_ns    => $w->{due_ns},
        expiry_ns => $w->{at_ns} - $w->{due_ns},
        waking_ns => $w->{waking_at_ns} - $w->{at_ns},
        switch_ns => $w->{first_ns} - $w->{waking_at_ns},
        again_ns  => $w->{last_ns} - $w->{first_ns},
    };
}

1;
