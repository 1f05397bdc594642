# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Explain::Worst;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(culprits sets told);

use Realfeel::Format1::Columns qw(COLUMNS columns);

use constant OF_EVENTS => qw(blame stacks sentences);

=head1 NAME

Realfeel::Explain::Worst - what is told of single wake-ups, where these get other numbers

=head1 FUNCTIONS

=head2 told($report)

What the report tells of each of its worst wake-ups: hashes from the data set, C<blame>, C<stacks> or C<sentences>, to
the rows that are of this event, without its number. An event of which nothing is told has none.

=cut

sub told {
    my ($report) = @_;
    my @told;
    for my $set (OF_EVENTS) {
        my (undef, $rows) = $report->rows($set) or next;
        $told[$1 - 1]{$set} .= "$2\n" while $rows =~ /^(\d+)[ \t]+(.*)$/mg;
    }
    return @told;
}

=head2 sets(\@names, @told)

The data sets of wake-ups that are told in this order, those among C<@names>; with C<blame>, the culprits are computed
again. Each is a hash from the column's name to its values.

=cut

sub sets {
    my ($names, @told) = @_;
    my %is_wanted = map { $_ => 1 } @$names;
    my %sets;
    for my $set (grep { $is_wanted{$_} } OF_EVENTS) {
        my @rows = map { my $event = $_ + 1; ($told[$_]{$set} // '') =~ s/^(?=.)/$event /mgr } 0 .. $#told;
        $sets{$set} = columns([map { $_->[0] } @{ COLUMNS->{$set} }], join '', @rows);
    }
    return ($sets{blame} ? (culprits => culprits($sets{blame})) : (), %sets);
}

=head2 culprits(\%blame)

Of a data set C<blame> the data set C<culprits>: who had the CPU, the measuring process apart, by the time that it
took.

=cut

sub culprits {
    my ($blame) = @_;
    my (%ns, %events);
    for my $i (grep { $blame->{kind}[$_] ne 'self' } 0 .. $#{ $blame->{kind} }) {
        my ($from, $to) = map { 0 + sprintf '%.0f', 1000 * $blame->{$_}[$i] } qw(from_us to_us);
        my $who = join ' ', $blame->{kind}[$i], $blame->{ $blame->{kind}[$i] eq 'unknown' ? 'detail' : 'name' }[$i];
        $ns{$who} += $to - $from;
        $events{$who}{ $blame->{event}[$i] } = 1;
    }
    my @who = sort { $ns{$b} <=> $ns{$a} || $a cmp $b } grep { $ns{$_} } keys %ns;
    return {
        kind    => [map { (split / /)[0] } @who],
        name    => [map { (split / /)[1] } @who],
        wakeups => [map { scalar keys %{ $events{$_} } } @who],
        us      => [map { sprintf '%.3f', $ns{$_} / 1000 } @who],
    };
}

1;
