# SPDX-License-Identifier: GPL-2.0-or-later
# What a report says about why wake-ups were late: the parts of their lateness, and what the kernel recorded around the
# worst ones. Functions take a report, and return an empty list or undef for a run without --explain. Times are in
# microseconds unless a name says otherwise.
package Realfeel::Model::Explain;
use Realfeel::Base::Modern;

use List::Util qw(sum0);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Input::Keys qw(PARTS columns unescaped);

use constant {
    NAMES => {
        expiry => 'due to expiry', waking => 'expiry to waking', switch => 'waking to switch',
        again  => 'blocked again', stamp  => 'switch to stamp',
    },
    BEYOND  => 10,          # wake-ups that a share is made of, at least
    MISSING => 0.01,        # of the context switches, at most, or the self-test failed

    NORMAL   => 120,        # the kernel's number for nice 0; real-time priorities are below 100, the higher the lower
    HIGHEST  => 99,
    DEADLINE => -1,
};

# "parts", "blame" or "stacks", or "several" for merged runs: what was requested and available; undef if nothing was
sub level ($report) {
    my $level = $report->header('explain') // 'off';
    return defined $report->header('parts_matched') && $level !~ /^off\b/ ? $level : undef;
}

# Why there is no level, undef if there is one: a hash whose code is not_asked, refused (with a reason), imported,
# thread (of another program), earlier (a realfeel that recorded no parts) or merged (from runs with and without parts)
sub unexplained ($report) {
    return undef if defined level($report);
    my ($word, $reason) = $report->explained;
    my $none = ($report->header('status') // '') eq 'unknown' ? 'imported'
        : defined $report->header('thread') ? 'thread' : 'not_asked';
    my $code = { on => 'earlier', several => 'merged' }->{$word} // (defined $reason ? 'refused' : $none);
    return { code => $code, reason => text($reason) };
}

# Hashes of key, name and distribution in order of time. A requested wake-up waits for no timer and has no expiry.
sub parts ($report) {
    return unless $report->has('parts');
    my ($asked) = grep { $_ eq 'wakeup' } $report->{latency_name};
    my %names = (%{ NAMES() }, $asked ? (waking => 'request to waking') : ());
    return map { { key => $_, name => $names{$_}, distribution => distribution($report, $_) } }
        grep { !$asked || $_ ne 'expiry' } PARTS;
}

sub distribution ($report, $key) {
    my %exact = $report->exact($key);
    return $report->bins('parts')->unsigned([$key], $exact{max} // 0, %exact);
}

# What late wake-ups were made of, ascending: from_us and to_us, edges of a bin of lateness; wakeups in it; and the mean
# of each part, by its key
sub by_lateness ($report) {
    my $columns = $report->columns('parts_by_lateness') or return;
    return map { my $i = $_; +{ map { $_ => $columns->{$_}[$i] } keys %$columns } } 0 .. $#{ $columns->{wakeups} };
}

# What the wake-ups beyond a percentile (100 for p99, 1 for all) were made of: wakeups; from_us, where they begin; and
# share, a hash from parts to their share in the lateness. Bins are taken whole, so a few more may be included. undef
# below ten.
sub beyond ($report, $one_in) {
    my @bins = by_lateness($report);
    my $wanted = sum0(map { $_->{wakeups} } @bins) / $one_in;
    return undef if $wanted < BEYOND;
    my ($wakeups, $from, %sum) = (0);
    while (@bins && $wakeups < $wanted) {
        my $bin = pop @bins;
        $wakeups += $bin->{wakeups};
        $sum{$_} += $bin->{wakeups} * $bin->{$_} for PARTS;
        $from = $bin->{from_us};
    }
    my $all = sum0(values %sum);
    return undef unless $all > 0;
    return { wakeups => $wakeups, from_us => $from, share => { map { $_ => $sum{$_} / $all } PARTS } };
}

# How many wake-ups are matched with trace events, how many unknown, how many records were lost, and, if the self-test
# ran, how many of the counted context switches were traced, else undef
sub counts ($report) {
    return undef unless defined level($report);
    my %count = map { $_ => number($report->header("parts_$_")) } qw(matched unknown);
    @count{qw(traced counted)} = map { number($_) } ($report->header('explain_switches') // '') =~ /^(\d+) of (\d+)$/;
    return { traced => undef, counted => undef, %count, lost => number($report->header('trace_lost')) };
}

# What casts doubt on the parts: hashes whose code is self_test (too few of the counted switches were traced), lost
# (records), unknown (the parts of wakeups out of samples) or earlier (realfeel 0.1 or 0.2, which kept parts but no
# records)
sub findings ($report) {
    my $count = counts($report) or return;
    my ($traced, $counted, $unknown) = @$count{qw(traced counted unknown)};
    my $missing = defined $traced && $traced < $counted * (1 - MISSING);
    return (
        $missing ? { code => 'self_test', traced => $traced, counted => $counted } : (),
        $count->{lost} ? { code => 'lost', records => $count->{lost} } : (),
        $unknown ? { code => 'unknown', wakeups => $unknown, samples => number($report->header('samples')) } : (),
        level($report) =~ /^(?:blame|stacks)$/ && !$report->has('records') ? { code => 'earlier' } : (),
    );
}

# How much tracing delays each wake-up, measured at the start: medians with_us and without_us, and more_us, the
# difference; undef if unknown
sub cost ($report) {
    return undef unless defined level($report);
    my ($with, $without) = map { $report->header("explain_${_}_ns") // 'unknown' } qw(with without);
    return undef if grep { $_ eq 'unknown' } $with, $without;
    return { with_us => $with / 1000, without_us => $without / 1000, more_us => ($with - $without) / 1000 };
}

# The events of the report, each with its number, 1 for the worst
sub worst ($report) {
    my @events = @{ $report->events // [] };
    $events[$_]{number} = $_ + 1 for 0 .. $#events;
    return @events;
}

# Whether there are records of what had the CPU before the worst wake-ups
sub is_blamed ($report) { return (($report->rows('records'))[1] // '') =~ /^[1-9]/m ? 1 : 0 }

# Whether a thread serves the timer, as on PREEMPT_RT, except for nanosleep
sub expires_in_thread ($report) {
    my ($preemption, $source) = map { $report->header($_) // '' } qw(preemption source);
    return $preemption =~ /^PREEMPT_RT/ && $source =~ /^(?:rtc|timerfd|alsa)\b/ ? 1 : 0;
}

# A hash from the number of an event, among the $most worst or all, to its records in order of time: hashes of at, ns
# since the wake-up was due, or since the run began, if a thread never slept (event 0); kind as in the data set, but
# switch for the two lines of a switch; name, id, and stack, function names; prev and next of a switch, next of a
# waking, as task() makes them; state, in which prev left; and line, the raw columns.
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
        if ($line{kind} ne 'switch_in') {
            push @records, _record(\%line);
            next;
        }
        $records[-1]{next} = _task(\%line);
        $records[-1]{stack} = [_frames($line{stack})] unless @{ $records[-1]{stack} };
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

sub _task ($line) {
    return task(-1, 'a task that has ended', undef) if $line->{id} eq '-';
    my $name = $line->{name} eq '-' ? "task $line->{id}" : unescaped($line->{name});
    return task($line->{id}, $name, $line->{priority} eq '-' ? undef : $line->{priority});
}

# A hash of id (-1 if unknown), name, and rank (the kernel's priority: lower runs first; undef if unknown)
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

# The same as text: "fifo 70", "other"
sub policy ($report) {
    my ($policy, $priority) = scheduling($report);
    return $policy =~ /^(?:fifo|rr)$/ && $priority ne '' ? "$policy $priority" : $policy;
}

1;
