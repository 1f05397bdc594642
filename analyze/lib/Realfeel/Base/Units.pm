# SPDX-License-Identifier: GPL-2.0-or-later
# Numbers and strings made fit to print, and for the shell.
package Realfeel::Base::Units;
use Realfeel::Base::Modern;

use List::Util qw(max min);
use Config qw(%Config);
use POSIX qw(floor strftime);

use constant PERCENT_DECIMALS_MAX => 12;
use constant TWICE => 2;            # from here on a factor says more than a percentage
use constant DIGITS => 4;           # of a report's bins
use constant { NS_PER_US => 1000, NS_PER_S => 1e9 };
use constant LAPSE  => [qw(us ms s)];
use constant { LEAST => 60, WIDTH => 80, MOST => 120 };     # columns of a line
use constant TIOCGWINSZ => $Config{archname} =~ /^(?:alpha|mips|powerpc|ppc|sparc)/ ? 0x40087468 : 0x5413;
use constant DOTS  => '...';
use constant CHARACTER =>      # one of UTF-8, but for ASCII
    qr/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/;
use constant DURATIONS => [['years', 31_557_600], ['days', 86_400], ['hours', 3600], ['minutes', 60]];
use constant NS_MAX => 292 * 365.25 * 86_400e9;     # as of the program, whose numbers have 64 bits
use constant NS => { ns => 1, us => 1e3, ms => 1e6, s => 1e9, m => 60e9, h => 3600e9, d => 86_400e9 };

# Never a negative zero
sub decimal ($number, $places) {
    return sprintf('%.*f', $places, $number) =~ s/^-(?=[0.]*$)//r;
}

# To the nanosecond: "12.345 us"
sub us ($microseconds) {
    return decimal($microseconds, 3) . ' us';
}

# Microseconds with as many digits as a report's bins have
sub short ($us) {
    my $before = length int abs $us;
    return decimal($us, max(0, min(DIGITS - $before, 2)));
}

sub short_us ($us) { return short($us) . ' us' }

# The nanoseconds of a time as realfeel(8) takes it, such as 250us, 0.5ms or 7d; undef for anything else
sub nanoseconds ($text) {
    my ($number, $unit) = $text =~ /\A(?=\.?\d)(\d{0,15}(?:\.\d{0,15})?)([a-z]+)\z/ or return undef;
    my $ns = $number * (NS->{$unit} // return undef);
    return $ns > NS_MAX ? undef : 0 + sprintf '%.0f', $ns;
}

# Seconds since 1970 of 2002-01-25T18:07:00Z; undef if it is not such an instant. Years begin in March here, so that a
# leap day comes last; Time::Local is not in Debian's perl-base.
sub epoch ($text) {
    my ($year, $month, $day, $hour, $minute, $second)
        = ($text // '') =~ /\A(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z\z/ or return undef;
    my ($y, $m) = $month > 2 ? ($year, $month - 3) : ($year - 1, $month + 9);
    my $days = 365 * $y + floor($y / 4) - floor($y / 100) + floor($y / 400) + int((153 * $m + 2) / 5) + $day - 719_469;
    my $seconds = 60 * (60 * (24 * $days + $hour) + $minute) + $second;
    return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $seconds) eq $text ? $seconds : undef;
}

# Roughly: "41 minutes"
sub duration ($seconds) {
    return 'less than a second' if $seconds < 1;
    my ($unit, $divisor) = @{ (grep { $seconds >= 2 * $_->[1] } @{ +DURATIONS })[0] // ['seconds', 1] };
    return sprintf $seconds / $divisor < 9.5 ? '%.1f %s' : '%.0f %s', $seconds / $divisor, $unit;
}

# Two digits by default, without trailing zeros
sub significant ($number, $digits = 2) {
    return 0 + sprintf '%.*g', $digits, $number;
}

# Rounded down: "14,000" for 14097
sub floored ($count) {
    my $power = 10**max(0, length(int $count) - 2);
    return grouped($power * floor($count / $power));
}

sub grouped ($count) {
    my $text = sprintf '%.0f', $count;
    1 while $text =~ s/^(\d+)(\d{3})/$1,$2/;
    return $text;
}

# True from a factor of 2 up, where that says more than a percentage
sub is_multiple ($factor) { return significant($factor) >= TWICE }

# How much higher or lower, $factor being the larger divided by the smaller: "10 times", "2 %"
sub multiple ($factor, $direction) {
    return significant($factor) . ' times' if is_multiple($factor);
    return significant(100 * ($direction eq 'lower' ? 1 - 1 / $factor : $factor - 1)) . ' %';
}

# Four significant digits in a suitable unit: "3.380 us", "232.7 ms"
sub lapse ($us) {
    my ($power) = sprintf('%.*e', DIGITS - 1, $us) =~ /e(.*)/;
    my $unit = max(0, min($#{ LAPSE() }, floor($power / 3)));
    my $places = max(0, DIGITS - 1 - max(0, $power - 3 * $unit));
    return decimal($us / 1000**$unit, $places) . ' ' . LAPSE->[$unit];
}

# The first $most, or all if only one would be left out
sub few ($most, @of) {
    return @of > $most + 1 ? @of[0 .. $most - 1] : @of;
}

# "1 period", "12 periods"
sub counted ($number, $noun) {
    return "$number $noun" . ($number == 1 ? '' : 's');
}

# "a, b and c"
sub listed (@names) {
    my $last = pop @names;
    return @names ? join(', ', @names) . " and $last" : $last;
}

# With as many decimals as one sample of $whole needs to be visible; 100 only if the part is the whole
sub percent ($part, $whole) {
    my $places = max(0, min(PERCENT_DECIMALS_MAX, length($whole) - 2));
    my $text = decimal(100 * $part / $whole, $places);
    $text = '99.' . '9' x $places if $text >= 100 && $part < $whole;
    return "$text %";
}

# UTF-8 fit for a terminal, a picture, a page or a line of a report: bytes that are not UTF-8, control characters and
# those that change the direction of writing become \xHH. Everything that is shown of a file or the command line passes
# through here; passing twice does no harm.
sub printable ($bytes) {
    return $bytes =~ s/(${\CHARACTER}|[^\x20-\x7e])/_prints($1) ? $1 : _escaped($1)/ger;
}

sub printable_lines ($text) {
    return $text =~ /[^\n\x20-\x7e]/ ? $text =~ s/([^\n]+)/printable($1)/ger : $text;
}

# Takes what an eval has caught. Our refusals end in a newline and are returned; any other error, which names its place,
# is a bug and is rethrown.
sub refusal ($error) {
    die $error if ref $error || $error =~ / at .+ line \d+(?:, <[^>]*> (?:line|chunk) \d+)?\.\n\z/;
    return $error;
}

sub _escaped ($bytes) { return join '', map { sprintf '\\x%02x', ord } split //, $bytes }

sub _prints ($character) {
    return utf8::decode($character) && $character !~ /[\p{C}\p{Zl}\p{Zp}]/;
}

# In columns of a terminal: two for wide East Asian characters, none for combining ones
sub width ($text) {
    return length $text if $text !~ /[^\x20-\x7e]/;
    utf8::decode($text);
    my ($wide, $none) = map { scalar(() = $text =~ /$_/g) } qr/[\p{Ea=W}\p{Ea=F}]/, qr/[\p{Mn}\p{Me}]/;
    return $wide - $none + length $text;
}

# The longest beginning, in whole characters, that fits these columns
sub beginning ($text, $columns) { return join '', _fitting($columns, _characters($text)) }
sub ending ($text, $columns)    { return join '', reverse _fitting($columns, reverse _characters($text)) }

# Characters, each with the combining ones that follow it
sub _characters ($text) {
    utf8::decode($text);
    return map { utf8::encode($_); $_ } $text =~ /\X/g;
}

sub _fitting ($columns, @characters) {
    return grep { ($columns -= width($_)) >= 0 } @characters;
}

sub cut ($bytes, $columns) {
    my $text = printable($bytes);
    return width($text) > $columns ? beginning($text, $columns - length DOTS) . DOTS : $text;
}

# Keeps both ends, where names usually differ
sub cut_middle ($bytes, $columns) {
    my $text = printable($bytes);
    my $front = int(($columns - length DOTS) / 2);
    return $text if width($text) <= $columns;
    return beginning($text, $front) . DOTS . ending($text, $columns - length(DOTS) - $front);
}

# The width of the terminal that the output goes to, within bounds; 80 if there is none or it is unknown
sub columns () {
    my $size = pack 'S4';
    my (undef, $columns) = -t STDOUT && ioctl(STDOUT, TIOCGWINSZ, $size) ? unpack 'S4', $size : ();
    return max(LEAST, min(MOST, $columns || WIDTH));
}

# The first line begins with $lead, the others are indented by its width. A number stays with its per cent sign.
sub wrapped ($lead, $text, $columns = columns()) {
    my @words = split /(?<!\d)\s|\s(?!%)/, printable($text), -1 or return '';
    my $indent = width($lead);
    my $lines = $lead . shift @words;
    my $column = width($lines);
    for my $word (@words) {
        my $is_full = ($column += 1 + width($word)) > $columns;
        $column = $indent + width($word) if $is_full;
        $lines .= ($is_full ? "\n" . ' ' x $indent : ' ') . $word;
    }
    return $lines;
}

sub shell_word ($word) {
    return $word if $word =~ m{\A[\w./:=,+\@%-]+\z};
    return q(') . $word =~ s/'/'\\''/gr . q(');
}

# Like shell_word, but a file such as -x is not taken for an option
sub shell_file ($path) { return shell_word($path =~ s{\A(?=-)}{./}r) }

1;
