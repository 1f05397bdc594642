# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Base::Units;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(beginning counted cut cut_middle decimal duration ending epoch few floored grouped is_multiple lapse
    multiple nanoseconds padded percent printable printable_lines refusal short short_us significant us width wrapped);

use List::Util qw(max min);
use POSIX qw(floor strftime);

use constant PERCENT_DECIMALS_MAX => 12;
use constant TWICE => 2;            # from here on a factor says more than a percentage
use constant DIGITS => 4;           # of a report's bins
use constant LAPSE  => [qw(us ms s)];
use constant WIDTH => 80;           # of a line
use constant DOTS  => '...';
use constant CHARACTER =>      # one of UTF-8, but for ASCII
    qr/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/;
use constant DURATIONS => [['years', 31_557_600], ['days', 86_400], ['hours', 3600], ['minutes', 60]];
use constant NS_MAX => 292 * 365.25 * 86_400e9;     # as of the program, whose numbers have 64 bits
use constant NS => { ns => 1, us => 1e3, ms => 1e6, s => 1e9, m => 60e9, h => 3600e9, d => 86_400e9 };

=head1 NAME

Realfeel::Base::Units - numbers and strings made fit to print

=head1 FUNCTIONS

=head2 decimal($number, $places)

The number with that many decimals, and never a negative zero.

=cut

sub decimal ($number, $places) {
    my $text = sprintf '%.*f', $places, $number;
    $text =~ s/^-(?=[0.]*$)//;
    return $text;
}

=head2 us($microseconds)

The time as text with its unit, to the nanosecond: C<12.345 us>.

=cut

sub us ($microseconds) {
    return decimal($microseconds, 3) . ' us';
}

=head2 short($us)

A time in microseconds with as many digits as a bin of a report has.

=head2 short_us($us)

The same with its unit: C<12.35 us>.

=cut

sub short ($us) {
    my $before = length int abs $us;
    return decimal($us, max(0, min(DIGITS - $before, 2)));
}

sub short_us ($us) { return short($us) . ' us' }

=head2 nanoseconds($text)

The whole number of nanoseconds of a time as realfeel(8) takes it, like C<250us>, C<0.5ms> or C<7d>; undef when it is
none.

=cut

sub nanoseconds ($text) {
    my ($number, $unit) = $text =~ /\A(?=\.?\d)(\d{0,15}(?:\.\d{0,15})?)([a-z]+)\z/ or return undef;
    my $ns = $number * (NS->{$unit} // return undef);
    return $ns > NS_MAX ? undef : 0 + sprintf '%.0f', $ns;
}

=head2 epoch($text)

The seconds from 1970 on to an instant as a report writes it, C<2002-01-25T18:07:00Z>; undef when it is none.

=cut

# Counted in years that begin in March, so that a leap day is the last; Time::Local is not part of Debian's perl-base.
sub epoch ($text) {
    my ($year, $month, $day, $hour, $minute, $second)
        = ($text // '') =~ /\A(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z\z/ or return undef;
    my ($y, $m) = $month > 2 ? ($year, $month - 3) : ($year - 1, $month + 9);
    my $days = 365 * $y + floor($y / 4) - floor($y / 100) + floor($y / 400) + int((153 * $m + 2) / 5) + $day - 719_469;
    my $seconds = 60 * (60 * (24 * $days + $hour) + $minute) + $second;
    return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $seconds) eq $text ? $seconds : undef;
}

=head2 duration($seconds)

A time that nobody needs to know exactly, in the unit that suits it: C<41 minutes>.

=cut

sub duration ($seconds) {
    return 'less than a second' if $seconds < 1;
    my ($unit, $divisor) = @{ (grep { $seconds >= 2 * $_->[1] } @{ +DURATIONS })[0] // ['seconds', 1] };
    return sprintf $seconds / $divisor < 9.5 ? '%.1f %s' : '%.0f %s', $seconds / $divisor, $unit;
}

=head2 significant($number, $digits)

The number with so many significant digits, two by default, without zeros at its end: C<8.5>, C<330>.

=head2 grouped($count)

A whole number with commas: C<20,479>.

=head2 floored($count)

The count in round numbers, never more than it is: C<14,000> for 14,097.

=head2 multiple($factor, $direction)

How many times C<higher> or C<lower> something is, where it C<is_multiple>; else how many per cent: C<10 times>, C<2 %>.

=head2 is_multiple($factor)

Whether it is twice or more, with two digits: then it says more than a percentage.

=head2 lapse($microseconds)

A time with four significant digits, in the unit that suits it, as realfeel(8) has it: C<3.380 us>, C<232.7 ms>.

=cut

sub significant ($number, $digits = undef) {
    return 0 + sprintf '%.*g', $digits // 2, $number;
}

sub floored ($count) {
    my $power = 10**max(0, length(int $count) - 2);
    return grouped($power * floor($count / $power));
}

sub grouped ($count) {
    my $text = sprintf '%.0f', $count;
    1 while $text =~ s/^(\d+)(\d{3})/$1,$2/;
    return $text;
}

sub is_multiple ($factor) { return significant($factor) >= TWICE }

sub multiple ($factor, $direction) {
    return significant($factor) . ' times' if is_multiple($factor);
    return significant(100 * ($direction eq 'lower' ? 1 - 1 / $factor : $factor - 1)) . ' %';
}

sub lapse ($us) {
    my ($power) = sprintf('%.*e', DIGITS - 1, $us) =~ /e(.*)/;
    my $unit = max(0, min($#{ LAPSE() }, floor($power / 3)));
    my $places = max(0, DIGITS - 1 - max(0, $power - 3 * $unit));
    return decimal($us / 1000**$unit, $places) . ' ' . LAPSE->[$unit];
}

=head2 few($most, @of)

The first of these; one more where there are no others, for to count it would take as much room as to name it.

=head2 counted($number, $noun)

The number with its noun, which is that of one: C<1 period>, C<12 periods>.

=cut

sub few ($most, @of) {
    return @of > $most + 1 ? @of[0 .. $most - 1] : @of;
}

sub counted ($number, $noun) {
    return "$number $noun" . ($number == 1 ? '' : 's');
}

=head2 percent($part, $whole)

The share as text, with the decimals that one sample of C<$whole> needs to be seen: C<98.31268 %> of 5000000.
It reads 100 only when the part is the whole.

=cut

sub percent ($part, $whole) {
    my $places = length($whole) - 2;
    $places = 0 if $places < 0;
    $places = PERCENT_DECIMALS_MAX if $places > PERCENT_DECIMALS_MAX;
    my $text = decimal(100 * $part / $whole, $places);
    $text = '99.' . '9' x $places if $text >= 100 && $part < $whole;
    return "$text %";
}

=head2 printable($bytes)

The text as UTF-8 that is fit for a terminal, a picture, a page or a line of a report: of a character that prints
nothing, ends a line or changes the direction of writing, and of what is not UTF-8, each byte is written C<\xHH>. All
that is shown of a file or of the command line goes through this; to go through it twice does no harm.

=head2 printable_lines($text)

The same of each line of a text.

=head2 refusal($error)

Takes what an C<eval> has caught. A refusal of ours is a line of reason and remedy, and is returned. Of any other error
Perl says where it happened: it is a bug, which no sentence may hide, so this dies of it again.

=cut

sub printable ($bytes) {
    return $bytes =~ s/(${\CHARACTER}|[^\x20-\x7e])/_prints($1) ? $1 : _escaped($1)/ger;
}

sub printable_lines ($text) {
    return $text =~ /[^\n\x20-\x7e]/ ? $text =~ s/([^\n]+)/printable($1)/ger : $text;
}

sub refusal ($error) {
    die $error if ref $error || $error =~ / at .+ line \d+(?:, <[^>]*> (?:line|chunk) \d+)?\.\n\z/;
    return $error;
}

sub _escaped ($bytes) { return join '', map { sprintf '\\x%02x', ord } split //, $bytes }

sub _prints ($character) {
    return utf8::decode($character) && $character !~ /[\p{C}\p{Zl}\p{Zp}]/;
}

=head2 width($text)

How many columns of a terminal the printable text takes: a wide character of East Asia two, a combining one none.

=cut

sub width ($text) {
    return length $text if $text !~ /[^\x20-\x7e]/;
    utf8::decode($text);
    my ($wide, $none) = map { scalar(() = $text =~ /$_/g) } qr/[\p{Ea=W}\p{Ea=F}]/, qr/[\p{Mn}\p{Me}]/;
    return $wide - $none + length $text;
}

=head2 padded($text, $columns)

The printable text with blanks behind it, so that it takes as many columns at least.

=cut

sub padded ($text, $columns) {
    return $text . ' ' x max(0, $columns - width($text));
}

=head2 beginning($text, $columns)

As many whole characters from the start of the printable text as these columns can hold.

=head2 ending($text, $columns)

The same from its end.

=cut

sub beginning ($text, $columns) { return join '', _fitting($columns, _characters($text)) }
sub ending ($text, $columns)    { return join '', reverse _fitting($columns, reverse _characters($text)) }

# With the combining characters that follow each.
sub _characters ($text) {
    utf8::decode($text);
    return map { utf8::encode($_); $_ } $text =~ /\X/g;
}

sub _fitting ($columns, @characters) {
    return grep { ($columns -= width($_)) >= 0 } @characters;
}

=head2 cut($text, $columns)

The text, printable, and with dots in place of its end where it takes more columns than that.

=head2 cut_middle($text, $columns)

The same with dots in place of its middle: what tells names apart often stands at their ends.

=cut

sub cut ($bytes, $columns) {
    my $text = printable($bytes);
    return width($text) > $columns ? beginning($text, $columns - length DOTS) . DOTS : $text;
}

sub cut_middle ($bytes, $columns) {
    my $text = printable($bytes);
    my $front = int(($columns - length DOTS) / 2);
    return $text if width($text) <= $columns;
    return beginning($text, $front) . DOTS . ending($text, $columns - length(DOTS) - $front);
}

=head2 wrapped($lead, $text, $columns)

The text, printable, in lines of so many columns, by default 80: the first begins with the lead, the others are indented
as far. A number and its per cent sign stay together.

=cut

sub wrapped ($lead, $text, $columns = undef) {
    my @words = split /(?<!\d)\s|\s(?!%)/, printable($text), -1 or return '';
    my $indent = width($lead);
    my $lines = $lead . shift @words;
    my $column = width($lines);
    for my $word (@words) {
        my $is_full = ($column += 1 + width($word)) > ($columns // WIDTH);
        $column = $indent + width($word) if $is_full;
        $lines .= ($is_full ? "\n" . ' ' x $indent : ' ') . $word;
    }
    return $lines;
}

1;
