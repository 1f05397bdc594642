# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(formats imported);

use List::Util qw(max sum0 uniq);
use Realfeel::Lines;
use Realfeel::Units qw(decimal);

# Of each format the module and the function that read it.
use constant FORMATS => {
    'rt-tests'     => ['Documents', 'rt_tests'],
    cyclictest     => ['Tables',    'cyclictest'],
    hlog           => ['Hdr',       'hlog'],
    rtla           => ['Tables',    'rtla'],
    jitterdebugger => ['Documents', 'jitterdebugger'],
};

use constant {
    EDGE_NS     => 10,      # the edges of a report are multiples of this
    NS_PER_US   => 1000,
    NS_PER_S    => 1e9,
    LENGTH_MAX  => 18,      # of a count, in digits
    TIME_MAX    => 1e15,    # ns: eleven days
    OF          => { lateness => 'periods', wakeup => 'requests' },
};

=head1 NAME

Realfeel::Import - make a report of the file of another program

=head1 DESCRIPTION

The modules in Realfeel::Import have a function for each format. It takes a L<Realfeel::Lines> and returns a hash:

    source   the program
    unit_ns  in what the numbers below are
    width    of a bucket
    edge     no value that was left out of the buckets is less; without it, the end of the last bucket
    parts    for each thread, or CPU, by its number: total, min, max, mean and bins (bucket to count), or instead cells,
             a list of [from, to, count] in ns, with edges that a report can have; cpu and duration_s, if they are known
    part     what such a part is called
    header   more lines of the report's header, a hash, if any
    reasons  why the verdict is suspect, a list, if any
    ours     what it is that realfeel-analyze exported there: lateness or wakeup; without it, lateness of wake-ups

=head1 FUNCTIONS

=head2 formats

The names of the formats, sorted.

=cut

sub formats { return sort keys %{ FORMATS() } }

=head2 imported($format, $path, $option)

A list of reports, one for each part of the file, hashes as L<Realfeel::Writer> takes them. C<$option> is a hash:
C<period_ns>, where the file does not tell it, and C<thread>, the one part to take. A part is a report of its CPU where
no other is of the same. Dies with one line.

=cut

sub imported {
    my ($format, $path, $option) = @_;
    my $lines = Realfeel::Lines->open($path);
    $lines->lines;      # so that what cannot be read is not taken for another fault
    my ($module, $function) = @{ FORMATS->{$format} };
    require "Realfeel/Import/$module.pm";
    my $run = "Realfeel::Import::$module"->can($function)->($lines);
    my @parts = _chosen($lines, $run, $option->{thread});
    my %period = _period($lines, $run, $option->{period_ns});
    my $has_cpus = @parts == uniq grep { defined } map { $_->{cpu} } @parts;
    return map { _report($lines, $run, $_, %period, $has_cpus ? (cpu => $_->{cpu}) : ()) } @parts;
}

sub _report {
    my ($lines, $run, $part, %more) = @_;
    my $samples = $part->{total};
    $lines->fail(0, 'holds more samples than can be counted; the file is damaged') if length $samples > LENGTH_MAX;
    my $latency = $run->{ours} // 'lateness';
    my ($beyond, $histogram) = _histogram($run, $part, $latency);
    my %header = (
        status => 'unknown',
        verdict => _verdict($run, $samples, $beyond),
        source => $run->{source},
        samples => $samples,
        (map { $_ => 'unknown' } qw(periods missed early_wakeups)),
        lateness_of => OF->{ $run->{ours} // '' } // 'wake-ups',
        moments     => 'from the bins',
        %{ $run->{header} // {} }, duration_s => $part->{duration_s}, %more,
        _extremes($lines, $run, $part, $latency),
    );
    return { header => \%header, keys => [_keys($latency)], histogram => $histogram };
}

# In the order of realfeel(5).
sub _keys {
    my ($latency) = @_;
    return (
        qw(status verdict command started duration_s source frequency_hz period_ns),
        qw(samples periods missed early_wakeups return_code lateness_of moments),
        (map { "${latency}_${_}_ns" } qw(min max mean)),
        qw(cpu hostname kernel_release kernel_version machine preemption),
    );
}

sub _chosen {
    my ($lines, $run, $name) = @_;
    my $parts = $run->{parts};
    my @names = sort { $a <=> $b } keys %$parts;
    $lines->fail(0, "holds no $run->{part}; take another copy") unless @names;
    return @$parts{@names} unless defined $name;
    $lines->fail(0, "has no $run->{part} $name; choose one of " . join ', ', @names) unless $parts->{$name};
    return $parts->{$name};
}

sub _verdict {
    my ($run, $samples, $beyond) = @_;
    my $of = OF->{ $run->{ours} // '' };
    my @reasons = (
        "imported from $run->{source}: validity of the run and missed periods are not known",
        $beyond ? "$beyond of $samples samples lie beyond the histogram" : (),
        @{ $run->{reasons} // [] },
        $of ? "written by realfeel: counts are of $of, including missed ones, not of wake-ups" : (),
    );
    return ($samples ? 'suspect: ' : 'invalid: nothing was measured; ') . join '; ', @reasons;
}

sub _period {
    my ($lines, $run, $asked_ns) = @_;
    my $known_ns = $run->{period_ns};
    $lines->fail(0, "gives the period as $known_ns ns; leave out --period")
        if $asked_ns && $known_ns && $asked_ns != $known_ns;
    my $period_ns = $asked_ns || $known_ns or return;
    return (period_ns => $period_ns, frequency_hz => decimal(NS_PER_S / $period_ns, 3) =~ s/\.?0+$//r);
}

# What the program computed itself.
sub _extremes {
    my ($lines, $run, $part, $latency) = @_;
    return unless $part->{total};
    my %known = map { $_ => $part->{$_} } grep { defined $part->{$_} } qw(min max mean);
    my ($far) = grep { abs $_ >= TIME_MAX / $run->{unit_ns} } values %known;
    $lines->fail(0, "gives a latency of $far; the file is damaged, take another copy") if defined $far;
    return map {
        my $ns = $run->{unit_ns} * $known{$_};
        ("${latency}_${_}_ns" => $_ eq 'mean' ? decimal($ns, 3) : sprintf '%.0f', $ns);
    } keys %known;
}

# How many values lie beyond, and the columns.
sub _histogram {
    my ($run, $part, $latency) = @_;
    my ($beyond, @cells) = $part->{cells} ? (0, @{ $part->{cells} }) : _cells($run, $part);
    return ($beyond, {
        from_us  => [map { $_->[0] / NS_PER_US } @cells],
        to_us    => [map { $_->[1] eq 'inf' ? 'inf' : $_->[1] / NS_PER_US } @cells],
        $latency => [map { $_->[2] } @cells],
    });
}

# Cells of whole buckets, whose edges can be written. The open one takes those that reach into it.
sub _cells {
    my ($run, $part) = @_;
    my ($cell, $bins) = (_multiple($run->{unit_ns} * $run->{width}), $part->{bins});
    my ($end, %count) = ($run->{unit_ns} * ($run->{edge} // 0));
    for my $bucket (grep { $bins->{$_} } keys %$bins) {
        $count{ _floor($run->{unit_ns} * $bucket, $cell) } += $bins->{$bucket};
        $end = max($end, $run->{unit_ns} * ($bucket + $run->{width}));
    }
    my $beyond = $part->{total} - sum0(values %count);
    my $edge = $beyond ? _floor($end, $cell) : undef;
    my @from = sort { $a <=> $b } grep { !defined $edge || $_ < $edge } keys %count;
    my @cells = map { [$_, $_ + $cell, delete $count{$_}] } @from;
    return ($beyond, @cells, $beyond ? [$edge, 'inf', $beyond + sum0(values %count)] : ());
}

sub _floor {
    my ($ns, $cell) = @_;
    return $ns - $ns % $cell;
}

# The least one that is a multiple of what can be written.
sub _multiple {
    my ($width_ns) = @_;
    my $multiple = $width_ns;
    $multiple += $width_ns while $multiple % EDGE_NS;
    return $multiple;
}

1;
