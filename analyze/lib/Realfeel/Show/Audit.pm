# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Audit;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use List::Util qw(max sum0);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted decimal printable wrapped);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Show::Audit - what the file of another program leaves out, and where it contradicts itself

=head1 FUNCTIONS

=head2 text($path, @runs)

Of each run of L<Realfeel::Input::Import> how many samples each part has, should have and lacks, how many periods were
skipped at least, how many samples lie beyond its histogram, and its maximum; below that in words what these mean, and
each contradiction.

=cut

sub text {
    my ($path, @runs) = @_;
    return join "\n", map { _text($path, $_) } @runs;
}

sub _text {
    my ($path, $run) = @_;
    my @parts = @{ $run->{parts} };
    return join "\n", _title($path, $run), (map { "  $_" } _table($run, @parts)->text), '',
        (map { wrapped('  ', $_) } _skipping($run, @parts), _lacking($run, @parts), _beyond(@parts),
            _contradictions($run, @parts)), '';
}

sub _title {
    my ($path, $run) = @_;
    my $seconds = max(grep { defined } map { $_->{duration_s} } @{ $run->{parts} });
    return printable(join ', ', "$path: $run->{source}", $run->{label} // (),
        defined $seconds ? decimal($seconds, 3) =~ s/\.?0+$//r . ' s' : (),
        $run->{period_ns} ? 'a period of ' . $run->{period_ns} / NS_PER_US . ' us' : ());
}

sub _table {
    my ($run, @parts) = @_;
    my $row = sub {
        my ($name, @of) = @_;
        my @counts = ((map { _sum($_, @of) } qw(total expected lacking)), _skipped($run, @of), _sum('beyond', @of));
        return [$name, @counts, _maximum($run, @of)];
    };
    return Realfeel::Base::Table->new(
        columns => [$run->{part}, qw(samples expected lacking skipped beyond), 'max us'],
        rows    => [(map { $row->($_->{number}, $_) } @parts), @parts > 1 ? $row->('all', @parts) : ()],
    );
}

sub _sum {
    my ($key, @parts) = @_;
    my @values = map { $_->{$key} } @parts;
    return (grep { !defined } @values) ? '-' : sum0(@values);
}

# How many periods passed while wake-ups were late, at least: those that are no later than their bins begin, and the one
# that was the latest.
sub _skipped {
    my ($run, @parts) = @_;
    my $period_ns = $run->{ours} ? undef : $run->{period_ns};
    return '-' unless $period_ns;
    my $skipped = 0;
    for my $part (@parts) {
        my @cells = @{ $part->{cells} };
        $skipped += $_->[2] * int($_->[0] / $period_ns) for @cells;
        $skipped += max(0, int(($part->{max} // 0) * $run->{unit_ns} / $period_ns) - int($cells[-1][0] / $period_ns))
            if $part->{beyond};
    }
    return $skipped;
}

sub _maximum {
    my ($run, @parts) = @_;
    my $max = max(grep { defined } map { $_->{max} } @parts);
    return defined $max ? decimal($max * $run->{unit_ns} / NS_PER_US, 3) : '-';
}

sub _skipping {
    my ($run, @parts) = @_;
    return 'It was exported by realfeel, which counts the periods that it missed.' if $run->{ours};
    my $skipped = _skipped($run, @parts);
    return 'How many periods were skipped, and how many samples are lacking, cannot be told without the period and the '
        . 'duration; give --period and --duration.' if $skipped eq '-';
    return 'No wake-up was seen to be a period late, so none is known to have been skipped.' unless $skipped;
    return 'At least ' . counted($skipped, 'period') . ' passed while a wake-up was late. A program that skips them, '
        . 'as cyclictest does, has them in no percentile.';
}

sub _lacking {
    my ($run, @parts) = @_;
    my ($lacking, $skipped) = (_sum('lacking', @parts), _skipped($run, @parts));
    return if $skipped eq '-';
    return 'How many samples are lacking cannot be told without the duration; give --duration.' if $lacking eq '-';
    return 'No sample is lacking.' unless $lacking;
    return counted($lacking, 'sample') . ' fewer than expected: ' . ($skipped ? 'skipped, ' : '')
        . (_left_out(@parts) ? 'beyond the histogram, which the file leaves out, ' : '')
        . 'from before a start or after an end.';
}

sub _beyond {
    my @parts = @_;
    my ($beyond, $total) = map { _sum($_, @parts) } qw(beyond total);
    return unless $beyond;
    my $least = _left_out(@parts) ? 'At least ' : '';
    return $least . counted($beyond, 'sample') . " of $total beyond the histogram: of these only the maximum is known.";
}

sub _left_out { return scalar grep { $_->{is_least} } @_ }

sub _contradictions {
    my ($run, @parts) = @_;
    my @contradictions = map { $_->{contradiction} ? "$run->{part} $_->{number}: $_->{contradiction}" : () } @parts;
    return (map { "Contradiction: $_." } @contradictions), map { "Note: $_." } @{ $run->{reasons} // [] };
}

1;
