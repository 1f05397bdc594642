# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Audit;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use List::Util qw(max sum0);
use Realfeel::Table;
use Realfeel::Units qw(counted decimal printable wrapped);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Audit - what the file of another program leaves out, and where it contradicts itself

=head1 FUNCTIONS

=head2 text($path, @runs)

Of each run of L<Realfeel::Import> how many samples each part has, should have and lacks, how many were a period late or
more, how many lie beyond its histogram, and its maximum; below that in words what these mean, and each contradiction.

=cut

sub text {
    my ($path, @runs) = @_;
    return join "\n", map { _text($path, $_) } @runs;
}

sub _text {
    my ($path, $run) = @_;
    my @parts = @{ $run->{parts} };
    return join "\n", _title($path, $run), (map { "  $_" } _table($run, @parts)->text), '',
        (map { wrapped('  ', $_) } _lacking($run, @parts), _beyond(@parts), _contradictions($run, @parts)), '';
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
        my @counts = ((map { _sum($_, @of) } qw(total expected lacking)), _late($run, @of), _sum('beyond', @of));
        return [$name, @counts, _maximum($run, @of)];
    };
    return Realfeel::Table->new(
        columns => [$run->{part}, qw(samples expected lacking), 'period late', 'beyond', 'max us'],
        rows    => [(map { $row->($_->{number}, $_) } @parts), @parts > 1 ? $row->('all', @parts) : ()],
    );
}

sub _sum {
    my ($key, @parts) = @_;
    my @values = map { $_->{$key} } @parts;
    return (grep { !defined } @values) ? '-' : sum0(@values);
}

# How many wake-ups were so late that the next period was due already, as far as the histogram reaches.
sub _late {
    my ($run, @parts) = @_;
    my $period_ns = $run->{period_ns} or return '-';
    return '-' if grep { $_->{beyond} && $_->{cells}[-1][0] < $period_ns } @parts;
    return sum0(map { $_->[2] } grep { $_->[0] >= $period_ns } map { @{ $_->{cells} } } @parts);
}

sub _maximum {
    my ($run, @parts) = @_;
    my $max = max(grep { defined } map { $_->{max} } @parts);
    return defined $max ? decimal($max * $run->{unit_ns} / NS_PER_US, 3) : '-';
}

sub _lacking {
    my ($run, @parts) = @_;
    return 'It was exported by realfeel, which counts the periods that it missed.' if $run->{ours};
    my $lacking = _sum('lacking', @parts);
    return 'How many samples are lacking cannot be told without the period and the duration; give --period and '
        . '--duration.' if $lacking eq '-';
    return 'No sample is lacking.' unless $lacking;
    my $fewer = counted($lacking, 'sample') . ' fewer than expected: ';
    return "${fewer}from before a start or after an end, for none was a period late." if _late($run, @parts) eq '0';
    return $fewer . (_left_out(@parts) ? 'those beyond the histogram, which the file leaves out, ' : '')
        . 'periods that passed while a wake-up was late, which the program skipped, and some from before a start or '
        . 'after an end. What was skipped is in no percentile.';
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
    return (map { "Contradiction: $_." } @contradictions), map { ucfirst "$_." } @{ $run->{reasons} // [] };
}

1;
