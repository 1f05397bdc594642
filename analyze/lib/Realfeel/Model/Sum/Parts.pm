# SPDX-License-Identifier: GPL-2.0-or-later
# The parts of latenesses, added up over reports; commutative and associative. Means in parts_by_lateness get as many
# decimals as it takes to restore their sum in ns.
package Realfeel::Model::Sum::Parts;
use Realfeel::Base::Modern;

use Realfeel::Input::Format1::Columns qw(PARTS);

sub new ($class) {
    return bless { reports => 0, knowing => 0, parts => {}, by_lateness => {} }, $class;
}

sub add ($self, $report) {
    $self->{reports}++;
    $self->{knowing}++ if defined $report->header('parts_matched');
    $self->_add_parts($report->columns('parts') // return);
    $self->_add_means($report->columns('parts_by_lateness') // return);
}

# Whether every report has parts
sub is_known ($self) { return $self->{reports} && $self->{knowing} == $self->{reports} }

sub _add_parts ($self, $columns) {
    for my $i (0 .. $#{ $columns->{from_us} }) {
        my $sums = $self->{parts}{"$columns->{from_us}[$i] $columns->{to_us}[$i]"} //= [(0) x PARTS];
        my $part = 0;
        $sums->[$part++] += $columns->{$_}[$i] for PARTS;
    }
}

# Sums in ns, after the number of wake-ups
sub _add_means ($self, $columns) {
    for my $i (0 .. $#{ $columns->{from_us} }) {
        my $sums = $self->{by_lateness}{"$columns->{from_us}[$i] $columns->{to_us}[$i]"} //= [0, (0) x PARTS];
        my ($wakeups, $part) = ($columns->{wakeups}[$i], 1);
        $sums->[0] += $wakeups;
        $sums->[$part++] += sprintf '%.0f', 1000 * $columns->{$_}[$i] * $wakeups for PARTS;
    }
}

# parts and parts_by_lateness, if all reports have them: hashes from names to values
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
