# SPDX-License-Identifier: GPL-2.0-or-later
# How a wake-up spent its time, by cause and culprit.
package Realfeel::Answer::Why::Clauses;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(LEAST WHO clauses usual_us);

use List::Util qw(any first max sum0);
use Realfeel::Answer::Why::Segments qw(entry);
use Realfeel::Base::Typed qw(number);

use constant WHO => qw(cause kind name reason number priority own is_lent thread);      # tells clauses apart
use constant {
    USUAL     => 2,             # times the median: what takes no longer than this is usual,
    USUAL_US  => 10,            # and where the median is unknown, this
    LEAST     => 0.05,          # of a lateness: a smaller share is not its cause
    KEPT_OFF  => 0.25,          # of the time that a task was waited for
    TOLD      => 3,             # frames of a stack
    # Causes that hold the meter itself, no matter which task has the CPU
    OF_METER  => { map { $_ => 1 } qw(throttled stopped traced frozen) },
    METER     => { kind => 'self', name => undef, number => undef, priority => undef, is_lent => 0, own => undef },
    # Parts of a lateness that consist of such a cause if nothing delays
    PARTS_OF  => {
        interrupts_off => ['expiry'], timer_late => ['expiry'], idle => [qw(expiry switch)],
        before_waking  => [qw(expiry waking)], unpreemptible => ['switch'], outranked => ['switch'], taken => ['again'],
        blocked        => ['again'], self => [qw(again stamp)], ran => [qw(expiry waking switch)],
    },
    SCHEDULER => qr/^(?:perf_|__traceiter_|trace_|__schedule|schedule|preempt_schedule|__preempt_schedule
        |dynamic_preempt_schedule|__bpf_trace)/x,
    PROGRAM   => qr/^exit_to_user_mode/,        # the way back to it says nothing of where it began
};

# The clauses of Answer::Why, longest first; $found is what Why::Segments found
sub clauses ($run, $found, @segments) {
    my (%clause, @order);
    for my $segment (map { _of_meter($run, $_) } @segments) {
        my $key = join "\0", map { $_ // '' } @$segment{ WHO() };
        my $clause = $clause{$key} //= do {
            push @order, $key;
            +{ us => 0, lent_to => _lent_to($segment, @segments), _kept_off($segment->{waker}, @segments),
                _places($found, $segment), %$segment{ WHO() } };
        };
        $clause->{us} = _us(1000 * ($clause->{us} + $segment->{to_us} - $segment->{from_us}));
    }
    my @clauses = sort { $b->{us} <=> $a->{us} } @clause{@order};
    my $late_us = sum0(map { $_->{us} } @clauses);
    $_->{is_usual} = _is_usual($run, $_, $late_us) for @clauses;
    return @clauses;
}

sub _is_usual ($run, $clause, $late_us) {
    my ($cause, $name, $us) = @$clause{qw(cause name us)};
    return 1 if $cause eq 'overran' && $us < LEAST * $late_us;
    return $cause ne 'unknown' && !OF_METER->{$cause} && $us <= usual_us($run, $cause, $name) ? 1 : 0;
}

# Up to which length the cause is nothing unusual
sub usual_us ($run, $cause, $name = undef) {
    my $handler = $cause eq 'interrupt' && ($name // '') =~ /^timer/ ? [qw(waking switch)]
        : $cause eq 'softirq' && $run->{expires_in_thread} ? [qw(expiry waking again)] : [];
    my @medians = map { $run->{medians}{$_} // 0 } @{ PARTS_OF->{$cause} // $handler };
    return max(USUAL_US, USUAL * sum0(@medians));
}

# Only a thread of another program is named for what happened to it or what it did
sub _of_meter ($run, $segment) {
    my $waker = $segment->{waker};
    return { %$segment, %{ +METER }, kind => 'task', %$waker{qw(name priority)} } if $segment->{cause} eq 'awaited';
    my %who = OF_METER->{ $segment->{cause} } ? %{ +METER } : ();
    return $segment unless %who || $segment->{kind} eq 'self';
    return { %$segment, %who, name => $run->{thread_name} };
}

# What kept this task, which was to wake the meter, off the CPU most, if for a good part of the time; and whether it
# only may have
sub _kept_off ($waker, @segments) {
    my @waits = grep { $waker && $_->{waker} && $_->{waker}{id} == $waker->{id} } @segments;
    my %us;
    $us{ $_->{name} } += $_->{to_us} - $_->{from_us} for grep { $_->{keeps_off} } @waits;
    my ($most) = sort { $us{$b} <=> $us{$a} || $a cmp $b } keys %us or return;
    return if $us{$most} < KEPT_OFF * sum0(map { $_->{to_us} - $_->{from_us} } @waits);
    my @by = grep { $_->{keeps_off} && $_->{name} eq $most } @waits;
    return (kept_off => $by[0], may_have => (any { $_->{keeps_off} eq 'may' } @by) ? 1 : 0);
}

# The task whose own priority was lent, as it waits for what the holder has; if seen
sub _lent_to ($segment, @segments) {
    return undef unless $segment->{is_lent};
    my $waiter = first {
        $_->{kind} eq 'task' && !$_->{is_lent} && ($_->{priority} // '') eq $segment->{priority}
    } @segments;
    return $waiter && $waiter->{name};
}

# Where in the kernel it was, and where it finally yielded
sub _places ($found, $segment) {
    my ($cause, $id) = @$segment{qw(cause id)};
    my ($expiry, $arrival, $interrupted) = @$found{qw(expiry arrival interrupted)};
    return unless defined $id && $cause =~ /^(?:interrupts_off|unpreemptible)$/;
    my @in = $expiry && $interrupted && $interrupted->{id} == $id ? _interrupted(@{ $expiry->{stack} }) : ();
    my @until = $cause eq 'unpreemptible' && $arrival && $arrival->{prev} && $arrival->{prev}{id} == $id
        ? _switched(@{ $arrival->{stack} }) : ();
    return (in => \@in, until => \@until);
}

sub _interrupted (@frames) {
    my $entry = entry(@frames);
    return defined $entry ? _told(@frames[$entry + 1 .. $#frames]) : ();
}

sub _switched (@frames) {
    shift @frames while @frames && $frames[0] =~ SCHEDULER;
    return _told(@frames);
}

sub _told {
    my @told;
    for my $frame (@_) {
        last if @told == TOLD || defined entry($frame) || @told && $told[-1] =~ PROGRAM;
        push @told, $frame eq 'unknown' ? '?' : $frame;
    }
    return @told;
}

sub _us ($ns) { return number(sprintf '%.3f', $ns / 1000) }

1;
