# SPDX-License-Identifier: GPL-2.0-or-later
package MakeExplained;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(make_explained);

use List::Util qw(max min sum sum0);
use MakeReport qw(make_report);

use constant PARTS => qw(expiry waking switch again stamp);
use constant { METER => 'realfeel 99 rt:95', IDLE => 'swapper/0 0 -' };

# Writes a report of realfeel --explain. Of %run, wakeups are arrays [count, expiry, waking, switch, again, stamp], whole
# us; unknown is how many wake-ups more have no parts, each as late as the first; blame is an array for each of the
# worst, which are as late as its end, of what had the CPU: [to, kind, name, priority, detail], us and words; and parts, as
# wakeups have them, those of the worst, undef where they are unknown. Further header lines are in header.
sub make_explained {
    my ($file, %run) = @_;
    my @wakeups = @{ $run{wakeups} };
    my @late = map { [sum(@$_[1 .. 5]), @$_] } @wakeups;
    my $unknown = $run{unknown} // 0;
    my $n = sum0(map { $_->[1] } @late);
    my %bins;
    $bins{ $_->[0] } += $_->[1] for @late, $unknown ? [$late[0][0], $unknown] : ();
    my $worst = max(keys %bins, map { $_->[-1][0] } @{ $run{blame} // [] });
    make_report($file,
        lateness => [map { [_bin($_), $bins{$_}] } sort { $a <=> $b } keys %bins],
        lateness_max => $worst,
        header => {
            explain => $run{blame} ? 'blame' : 'parts', explain_with_ns => 38_700, explain_without_ns => 34_400,
            own_processes => 'keeper:97 meter:99', explain_switches => "$n of $n",
            parts_matched => $n, parts_unknown => $unknown, trace_lost => 0,
            _moments(@late), %{ $run{header} // {} },
        },
        sets => [_parts(@late), _by_lateness(@late), $run{blame} ? _worst($run{parts} // [], @{ $run{blame} }) : ()],
    );
}

sub _bin { return _edges(4, @_) }

# Those of a bin with so many digits.
sub _edges {
    my ($digits, $us) = @_;
    my $width = max(0.01, 10**(length(int $us) - $digits));
    my $low = $width * int($us / $width + 1e-9);
    return map { sprintf '%.2f', $_ } $low, $low + $width;
}

sub _moments {
    my @late = @_;
    my %header = (parts_lateness_sum_ns => 1000 * sum0(map { $_->[0] * $_->[1] } @late));
    for my $i (0 .. 4) {
        my $key = (PARTS)[$i];
        my @us = map { $_->[2 + $i] } @late;
        my $sum = sum0(map { $_->[1] * $_->[2 + $i] } @late);
        @header{"${key}_min_ns", "${key}_max_ns"} = map { 1000 * $_ } min(@us) // 0, max(@us) // 0;
        $header{"${key}_sum_ns"} = 1000 * $sum;
        $header{"${key}_sumsq_ns2"} = 1e6 * sum0(map { $_->[1] * $_->[2 + $i]**2 } @late);
        $header{"${key}_mean_ns"} = sprintf '%.3f', 1000 * $sum / max(1, sum0(map { $_->[1] } @late));
    }
    return %header;
}

sub _parts {
    my %row;
    for my $late (@_) {
        for my $i (0 .. 4) { ($row{ max(0, $late->[2 + $i]) } //= [(0) x 5])->[$i] += $late->[1] }
    }
    return [parts => join(' ', 'from_us to_us', PARTS), map { [_bin($_), @{ $row{$_} }] } sort { $a <=> $b } keys %row];
}

sub _by_lateness {
    my %row;
    for my $late (@_) {
        my $row = $row{ join ' ', _edges(2, max(0, $late->[0])) } //= [(0) x 6];
        $row->[$_] += $late->[1] * ($_ ? $late->[1 + $_] : 1) for 0 .. 5;
    }
    return [parts_by_lateness => join(' ', 'from_us to_us wakeups', PARTS), map {
        my ($n, @sums) = @{ $row{$_} };
        [$_, $n, map { sprintf '%.3f', $_ / $n } @sums];
    } sort { (split / /, $a)[0] <=> (split / /, $b)[0] } keys %row];
}

sub _worst {
    my ($parts, @blame) = @_;
    my (@events, @records);
    for my $i (0 .. $#blame) {
        my ($number, $late) = ($i + 1, $blame[$i][-1][0]);
        push @events, [map({ sprintf $_, $i } '%.6f', '2026-01-01T00:00:%02d.000000Z'), $number, _us($late), '0.000', 1, 0, 0,
            'unknown', $parts->[$i] ? map { _us($_) } @{ $parts->[$i] } : ('unknown') x 5];
        push @records, map { [$number, split] } _records(@{ $blame[$i] });
    }
    return (
        [events => join(' ', 'at_s utc period lateness_us interval_us periods cpu_before cpu smis', map { "${_}_us" } PARTS), @events],
        [records => 'event at_us cpu kind name id priority detail stack', @records],
    );
}

# Nothing is recorded of what is unknown, and then not what was before it, either.
sub _records {
    my @had = @_;
    my ($from, $task, @records) = (0, IDLE, $had[0][1] eq 'unknown' ? () : _switch(-10, METER, IDLE));
    for (@had) {
        my ($to, $kind, $name, $priority, $detail) = @$_;
        my ($id) = $detail =~ /(\d+)/;
        my $next = $kind eq 'self' ? METER : $kind eq 'idle' ? IDLE : $kind eq 'task' ? "$name $id $priority" : $task;
        push @records, _switch($from, $task, $next) if $next ne $task;
        my $handler = $kind eq 'softirq' ? 'softirq' : defined $id ? 'irq' : 'vector';
        push @records, map { join ' ', _us($_->[0]), 0, "${handler}_$_->[1]", $name, $id // 3, '- - -' } [$from, 'entry'], [$to, 'exit']
            if $kind =~ /^(?:interrupt|softirq)$/;
        ($from, $task) = ($to, $next);
    }
    return @records;
}

sub _switch {
    my ($us, $task, $next) = @_;
    return map { join ' ', _us($us), 0, $_ } "switch_out $task R -", "switch_in $next - -";
}

sub _us { return sprintf '%.3f', $_[0] }

1;
