# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Plot::Words;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(cut_end key_lines notes shown title);

use List::Util qw(first max min uniq);
use Realfeel::Names qw(names together);
use Realfeel::Units qw(decimal printable);

use constant {
    DECIMALS   => 3,
    NAMES_MAX  => 3,
    NAME_LEAST => 12,           # so much of a name is worth more than the count
};

=head1 NAME

Realfeel::Plot::Words - what a picture says of its runs

=head1 FUNCTIONS

=head2 shown($bytes)

The string as it can be shown: characters that print nothing or change the direction of writing, and bytes that are not
UTF-8, are written as C<\xHH>.

=cut

sub shown {
    my ($bytes) = @_;
    my $text = $bytes;
    return printable($bytes) =~ s/([\x80-\xff])/sprintf '\\x%02x', ord $1/ger unless utf8::decode($text);
    $text =~ s/([\p{C}\p{Zl}\p{Zp}])/sprintf '\\x%02x', ord $1/ge;
    utf8::encode($text);
    return $text;
}

=head2 cut_end($text, $room)

The text, cut at its end where it has more than C<$room> characters.

=cut

sub cut_end {
    my ($text, $room) = @_;
    return _cut($text, sub { length $_[0] > $room ? substr($_[0], 0, $room - 3) . '...' : $_[0] });
}

# What tells names apart often stands at their ends.
sub _cut_middle {
    my ($text, $room) = @_;
    my $front = int(($room - 3) / 2);
    return _cut($text, sub {
        length $_[0] > $room ? substr($_[0], 0, $front) . '...' . substr $_[0], $front + 3 - $room : $_[0]
    });
}

sub _cut {
    my ($text, $cut) = @_;
    utf8::decode($text);
    $text = $cut->($text);
    utf8::encode($text);
    return $text;
}

=head2 key_lines(\%look, $counted, \@reports, \@distributions)

The lines of the key: the name of the run, by L<Realfeel::Names>, how many values there are, the largest, and the
verdict unless it is valid. Where there is no room, the count and then the largest are left out, and a name loses its
middle. Of the look there are C<room>, the characters of a line, C<symbol>, how us and ms are written, C<unit>, that of
the axis as it is written, and C<us>, how many us it is. With C<is_signed> it tells the least value, too.

=cut

sub key_lines {
    my ($look, $counted, $reports, $distributions) = @_;
    my @names = map { shown($_) } names(@$reports);
    return [map { _key($look, $names[$_], $reports->[$_], $distributions->[$_], $counted) } 0 .. $#$reports];
}

sub _key {
    my ($look, $name, $report, $distribution, $counted) = @_;
    my $n = $distribution->n;
    my $count = $n . ' ' . ($n == 1 ? $counted : "${counted}s");
    my @extremes = $n ? _extremes($look, $distribution) : ();
    my @doubts = _doubts($report);
    my @wishes = map { ': ' . join ', ', @$_ }
        [$count, @extremes, @doubts], @doubts ? ([@extremes, @doubts], \@doubts) : [$count, $extremes[-1] // ()];
    my $least = min(NAME_LEAST, _characters($name));
    my $facts = (first { _characters($_) + $least <= $look->{room} } @wishes) // $wishes[-1];
    return _cut_middle($name, max($least, $look->{room} - _characters($facts))) . $facts;
}

sub _characters {
    my ($text) = @_;
    utf8::decode($text);
    return length $text;
}

sub _extremes {
    my ($look, $distribution) = @_;
    my $max = ($distribution->max_is_exact ? 'max ' : 'max < ') . _time($look, $distribution->max);
    return $look->{is_signed} && $distribution->max_is_exact ? ('min ' . _time($look, $distribution->min), $max) : $max;
}

sub _time {
    my ($look, $us) = @_;
    return decimal($us, DECIMALS) . " $look->{symbol}{us}" if $us && abs $us < $look->{us} / 10;
    return decimal($us / $look->{us}, DECIMALS) . " $look->{unit}";
}

sub _doubts {
    my ($report) = @_;
    my $verdict = $report->verdict // 'valid';
    return (defined $report->contradiction ? 'schedule contradicted' : (), $verdict eq 'valid' ? () : uc $verdict);
}

=head2 title($room, @reports)

The kernel, the source and, where there is room, the preemption model and the rate: what all have in common, or what
differs in up to three, as C<6.1.0-{cloud,rt}-amd64>. What has no room is left out, the kernel last.

=cut

sub title {
    my ($room, @reports) = @_;
    return 'kernel and source not recorded (file of 2002)' if !grep { $_->format ne '2002' } @reports;
    my ($kernel, $source, $rate) = map { _values($_, @reports) } qw(kernel_release source frequency_hz);
    my @parts = (
        _named('kernel', @$kernel), _models(@reports), _named(@$source == 1 ? '' : 'source', @$source),
        @$rate == 1 && $rate->[0] ne 'unknown' ? "$rate->[0] Hz" : '',
    );
    my @titles = map { join ', ', grep { $_ ne '' } @parts[@$_] } [0 .. 3], [0 .. 2], [0, 2, 3], [0, 2], [0];
    return (first { _characters($_) <= $room } @titles) // _cut_middle($titles[-1], $room);
}

sub _models {
    my @models = uniq map { $_->preemption // 'unknown' } @_;
    return @models > NAMES_MAX || grep({ $_ eq 'unknown' } @models) ? '' : together(map { shown($_) } @models);
}

sub _values {
    my ($key, @reports) = @_;
    return [uniq map { my $value = $_->header($key) // ''; $value eq '' ? 'unknown' : shown($value) } @reports];
}

sub _named {
    my ($name, @values) = @_;
    return @values . " ${name}s" if @values > NAMES_MAX;
    return 'source unknown' if $name eq '' && "@values" eq 'unknown';
    return join ' ', grep { $_ ne '' } $name, together(@values);
}

=head2 notes($room, @reports)

A line that says which runs are invalid, and why, where one is; the empty string else.

=cut

sub notes {
    my ($room, @reports) = @_;
    my @invalid = grep { ($_->verdict // '') eq 'invalid' } @reports;
    return '' unless @invalid;
    return cut_end(sprintf('INVALID: %d of %d runs, as they are marked', scalar @invalid, scalar @reports), $room)
        if @reports > 1;
    my ($reason) = $invalid[0]->header('verdict') =~ /^invalid:?\s*(.*)/s;
    return cut_end('INVALID: ' . shown($reason || 'no reason given'), $room);
}

1;
