# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Sum::Parts;
use Realfeel::Base::Modern;

use Realfeel::Input::Format1::Columns qw(PARTS);

=head1 NAME

Realfeel::Model::Sum::Parts - the parts of the latenesses of several reports together

=head1 DESCRIPTION

Neither the order nor the grouping of sums matters. So that no digit is lost, the means of C<parts_by_lateness> get as
many decimals as tell their sum in nanoseconds.

=head1 METHODS

=head2 new

That of no report.

=head2 add($report)

Adds a L<Realfeel::Model::Report>.

=head2 is_known

Whether every report tells parts.

=head2 sets

The data sets C<parts> and C<parts_by_lateness>, as far as all have them; each is a hash from the column's name to its
values.

=cut

sub new ($class) {
    return bless { reports => 0, knowing => 0, parts => {}, by_lateness => {} }, $class;
}

sub add ($self, $report) {
    $self->{reports}++;
    $self->{knowing}++ if defined $report->header('parts_matched');
    $self->_add_parts($report->columns('parts') // return);
    $self->_add_means($report->columns('parts_by_lateness') // return);
}

sub is_known ($self) { return $self->{reports} && $self->{knowing} == $self->{reports} }

sub _add_parts ($self, $columns) {
    for my $i (0 .. $#{ $columns->{from_us} }) {
        my $sums = $self->{parts}{"$columns->{from_us}[$i] $columns->{to_us}[$i]"} //= [(0) x PARTS];
        my $part = 0;
        $sums->[$part++] += $columns->{$_}[$i] for PARTS;
    }
}

# The sums of nanoseconds, behind the number of wake-ups.
sub _add_means ($self, $columns) {
    for my $i (0 .. $#{ $columns->{from_us} }) {
        my $sums = $self->{by_lateness}{"$columns->{from_us}[$i] $columns->{to_us}[$i]"} //= [0, (0) x PARTS];
        my ($wakeups, $part) = ($columns->{wakeups}[$i], 1);
        $sums->[0] += $wakeups;
        $sums->[$part++] += sprintf '%.0f', 1000 * $columns->{$_}[$i] * $wakeups for PARTS;
    }
}

sub sets ($self) {
    return unless $self->is_known;
    my $by_lateness = $self->{by_lateness};
    for my $sums (values %$by_lateness) {
        my ($wakeups, @sums) = @$sums;
        my $decimals = 3 + ($wakeups > 1 ? length $wakeups : 0);
        @$sums = ($wakeups, map { sprintf '%.*f', $decimals, $_ / $wakeups / 1000 } @sums);
    }
    return (
        parts             => _columns($self->{parts}, PARTS),
        parts_by_lateness => _columns($by_lateness, 'wakeups', PARTS),
    );
}

sub _columns ($rows, @names) {
    my %from = map { $_ => /^(\S+)/ } keys %$rows;
    my @bins = sort { $from{$a} <=> $from{$b} } keys %$rows;
    my %columns = (from_us => [@from{@bins}], to_us => [map { / (.+)/ } @bins]);
    for my $i (0 .. $#names) {
        $columns{ $names[$i] } = [map { $rows->{$_}[$i] } @bins];
    }
    return \%columns;
}

1;
