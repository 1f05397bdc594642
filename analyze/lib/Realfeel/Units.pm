# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Units;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(counted decimal duration epoch nanoseconds percent printable shown us wrapped);

use constant PERCENT_DECIMALS_MAX => 12;
use constant WIDTH => 80;           # of a line
use constant DURATIONS => [['years', 31_557_600], ['days', 86_400], ['hours', 3600], ['minutes', 60]];
use constant NS => { ns => 1, us => 1e3, ms => 1e6, s => 1e9, m => 60e9, h => 3600e9 };

=head1 NAME

Realfeel::Units - numbers and strings made fit to print

=head1 FUNCTIONS

=head2 decimal($number, $places)

The number with that many decimals, and never a negative zero.

=cut

sub decimal {
    my ($number, $places) = @_;
    my $text = sprintf '%.*f', $places, $number;
    $text =~ s/^-(?=[0.]*$)//;
    return $text;
}

=head2 us($microseconds)

The time as text with its unit, to the nanosecond: C<12.345 us>.

=cut

sub us {
    my ($microseconds) = @_;
    return decimal($microseconds, 3) . ' us';
}

=head2 nanoseconds($text)

The whole number of nanoseconds of a time like C<250us> or C<0.5ms>, undef when it is none.

=cut

sub nanoseconds {
    my ($text) = @_;
    my ($number, $unit) = $text =~ /\A(\d{1,15}(?:\.\d{1,15})?)([a-z]+)\z/ or return undef;
    return NS->{$unit} ? 0 + sprintf '%.0f', $number * NS->{$unit} : undef;
}

=head2 epoch($text)

The seconds from 1970 on to an instant as a report writes it, C<2002-01-25T18:07:00Z>; undef when it is none.

=cut

sub epoch {
    my ($text) = @_;
    my ($year, $month, @rest) = ($text // '') =~ /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/ or return undef;
    require Time::Local;
    return eval { Time::Local::timegm(reverse(@rest), $month - 1, $year) };
}

=head2 duration($seconds)

A time that nobody needs to know exactly, in the unit that suits it: C<41 minutes>.

=cut

sub duration {
    my ($seconds) = @_;
    return 'less than a second' if $seconds < 1;
    my ($unit, $divisor) = @{ (grep { $seconds >= 2 * $_->[1] } @{ +DURATIONS })[0] // ['seconds', 1] };
    return sprintf $seconds / $divisor < 9.5 ? '%.1f %s' : '%.0f %s', $seconds / $divisor, $unit;
}

=head2 counted($number, $noun)

The number with its noun, which is that of one: C<1 period>, C<12 periods>.

=cut

sub counted {
    my ($number, $noun) = @_;
    return "$number $noun" . ($number == 1 ? '' : 's');
}

=head2 percent($part, $whole)

The share as text, with the decimals that one sample of C<$whole> needs to be seen: C<98.31268 %> of 5000000.
It reads 100 only when the part is the whole.

=cut

sub percent {
    my ($part, $whole) = @_;
    my $places = length($whole) - 2;
    $places = 0 if $places < 0;
    $places = PERCENT_DECIMALS_MAX if $places > PERCENT_DECIMALS_MAX;
    my $text = decimal(100 * $part / $whole, $places);
    $text = '99.' . '9' x $places if $text >= 100 && $part < $whole;
    return "$text %";
}

=head2 printable($bytes)

The string with each control character written C<\xHH>, so that it stays on one line and cannot steer a terminal.

=cut

sub printable {
    my ($bytes) = @_;
    $bytes =~ s/([\x00-\x1f\x7f])/sprintf '\\x%02x', ord $1/ge;
    return $bytes;
}

=head2 shown($bytes)

The string fit for a picture or a page: also characters that print nothing or change the direction of writing, and bytes
that are not UTF-8, are written as C<\xHH>.

=cut

sub shown {
    my ($bytes) = @_;
    my $text = $bytes;
    return printable($bytes) =~ s/([\x80-\xff])/sprintf '\\x%02x', ord $1/ger unless utf8::decode($text);
    $text =~ s/([\p{C}\p{Zl}\p{Zp}])/sprintf '\\x%02x', ord $1/ge;
    utf8::encode($text);
    return $text;
}

=head2 wrapped($lead, $text)

The printable text in lines of at most 80 columns: the first begins with the lead, the others are indented as far. A
number and its per cent sign stay together.

=cut

sub wrapped {
    my ($lead, $text) = @_;
    require Text::Wrap;
    no warnings 'once';
    local $Text::Wrap::columns  = WIDTH + 1;
    local $Text::Wrap::huge     = 'overflow';
    local $Text::Wrap::unexpand = 0;
    local $Text::Wrap::break    = qr/(?<!\d)\s|\s(?!%)/;
    return Text::Wrap::wrap($lead, ' ' x length $lead, printable($text));
}

1;
