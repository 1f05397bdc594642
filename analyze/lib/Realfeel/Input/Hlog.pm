# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Input::Hlog;
use strict;
use warnings;

use List::Util qw(max);
use POSIX qw(strftime);
use Realfeel::Input::Cells qw(NS_MAX);

use constant {
    # Without the bits that tell the size of a word.
    COMPRESSED => { 0x1c849309 => 0, 0x1c849302 => 1, 0x1c849304 => 2 },
    PLAIN      => { 0x1c849308 => 0, 0x1c849301 => 1, 0x1c849303 => 2 },
    WORD_SIZE  => 0xf0,
    WORDS      => { 2 => 's>', 4 => 'l>', 8 => 'q>' },
    DIGITS_MAX => 5,
    SHIFT_MAX  => 36,
    COUNT_MAX  => 1e17,
    LAST_BYTE  => 8,
    BYTES_MAX  => 1 << 26,      # of one histogram
    TAGS_MAX   => 1000,
    # So many counts are read whatever the length of the text, and of longer ones so many for each of its characters.
    COUNTS     => 1_000_000,
    COUNTS_FOR_EACH => 4,
    OURS       => qr/^#\[(?:Lateness|(Wake-up latency)) in ns, one value for each /,
    # Tag, where there is one, start, length, maximum and histogram: the tag, the length and the histogram are taken.
    INTERVAL   => qr{^(?:Tag=([^,\s]+)[,\s]\s*)?[\d.]+[,\s]\s*(\d{1,9}(?:\.\d+)?)[,\s]\s*[\d.]+[,\s]\s*
        ([\w+/]+=*)\s*$}ax,
    DAMAGED    => 'the file is damaged, take another copy',
};

=head1 NAME

Realfeel::Input::Hlog - read a log of HdrHistograms

=head1 DESCRIPTION

The log of HdrHistogram, whose histograms may be of version 0, 1 or 2. The lines of each tag are added together. Tags
C<CPU3> and the like are the CPUs of one run, as are C<PART1> where the CPU is not known; each other tag is a run, whose
label it becomes, and so are the lines without a tag. Minimum, maximum and mean are those that HdrHistogram prints: the
outer ends and the middles of its cells.

=head1 FUNCTIONS

=head2 recognises($head)

Whether a file of this format begins so.

=head2 runs($lines, $unit_ns)

See L<Realfeel::Input::Import>.

=cut

sub recognises { return $_[0] =~ /^#\[Histogram log format version|^"?StartTimestamp"?,|,HIST[\w+\/]+=*\s*$/m }

sub runs {
    my ($lines, $unit_ns) = @_;
    my ($log, %tags) = { lines => $lines, unit_ns => $unit_ns, budget => COUNTS };
    while (defined(my $line = $lines->line)) {
        if ($line !~ /^(?:#|"?StartTimestamp|\s*$)/) {
            my ($tag, $seconds, $text) = $line =~ INTERVAL;
            $lines->fail($lines->number, 'not a line of a histogram log; name one that HdrHistogram wrote')
                unless defined $text;
            my $sum = $tags{ ($tag // '') =~ s/^(CPU|PART)0+(?=\d)/$1/r } //= { cells => Realfeel::Input::Cells->new };
            $sum->{duration_s} += $seconds;
            $lines->fail($lines->number, "the tag '$tag' is one more than @{[TAGS_MAX]}; keep the lines of fewer")
                if keys %tags > TAGS_MAX;
            _add($log, $text, $sum->{cells});
        }
        elsif ($line =~ /^#\[StartTime: (\d{1,11})/) { $log->{started} //= strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $1) }
        elsif ($line =~ OURS)                        { $log->{ours} = $1 ? 'wakeup' : 'lateness' }
        $lines->pass;
    }
    return _runs($log, \%tags);
}

sub _runs {
    my ($log, $tags) = @_;
    my %runs = %$tags ? () : ('' => {});
    for my $tag (keys %$tags) {
        my ($kind, $number) = $tag =~ /^(CPU|PART)(\d{1,6})$/;
        my $part = $tags->{$tag}{cells}->part
            // $log->{lines}->fail(0, 'holds histograms of different precision; keep those of one');
        $runs{ defined $kind ? "the $kind" : $tag }{ $number // 0 } = {
            %$part, duration_s => sprintf('%.6f', $tags->{$tag}{duration_s}),
            ($kind // '') eq 'CPU' ? (cpu => $number) : (),
        };
    }
    return map { +{
        source => 'HdrHistogram', unit_ns => 1, parts => $runs{$_}, part => 'CPU', ours => $log->{ours},
        header => { started => $log->{started} }, label => /^(?:the |\z)/ ? undef : $_,
    } } sort keys %runs;
}

# Adds the cells of one histogram.
sub _add {
    my ($log, $text, $cells) = @_;
    my $fail = sub { $log->{lines}->fail($log->{lines}->number, "$_[0]; @{[DAMAGED]}") };
    my ($digits, $least, $numbers, $word) = _histogram($fail, $text);
    my ($unit, $half) = (0, 0);
    $unit++ while $least >> $unit + 1;
    $half++ while 1 << $half < 10**$digits;
    $log->{budget} += COUNTS_FOR_EACH * length $text;
    my $take = sub {
        my ($index, $count) = @_;
        $fail->('it holds more counts than its length allows') if $log->{budget}-- <= 0;
        return unless $count;
        my $shift = max(0, ($index >> $half) - 1);
        $fail->('gives a latency of weeks') if $shift + $unit > SHIFT_MAX;
        my ($low, $width) = map { ($_ << $shift + $unit) * $log->{unit_ns} } $index - ($shift << $half), 1;
        $fail->("gives a latency of $low ns") if $low >= NS_MAX;
        $fail->("gives a count of $count") if $count < 0 || $count > COUNT_MAX;
        $cells->add($low, $width, $count);
    };
    my $is_whole = defined $word ? _each_word($numbers, $word, $take) : _each_number($numbers, $take);
    $fail->('the histogram is cut off') unless $is_whole;
}

# The digits, the least value that is told from 0, the counts as bytes, and the size of a word, where they are words.
sub _histogram {
    my ($fail, $text) = @_;
    require MIME::Base64;
    my ($cookie, $length, $rest) = unpack 'N2 a*', MIME::Base64::decode_base64($text) . "\0" x 8;
    my $version = COMPRESSED->{ $cookie & ~WORD_SIZE };
    $fail->('the histogram is of no version that is known, or cut off')
        if !defined $version || $length > length($rest) - 8;
    my $plain = _inflated(substr $rest, 0, $length);
    $fail->('the histogram cannot be decompressed') if length $plain < 40;
    my ($inner, @head) = unpack $version ? 'N4 q> q> d> a*' : 'N2 q> q> q> a*', $plain;
    my ($bytes, $offset, $digits, $least, undef, $ratio, $counts)
        = $version ? @head : (undef, 0, @head[0 .. 2], 1, $head[4]);
    $bytes //= length $counts;
    $fail->('the histogram is of no version that is known')
        if (PLAIN->{ $inner & ~WORD_SIZE } // -1) != $version || $offset || $ratio != 1;
    my $word = $version < 2 ? ($inner & WORD_SIZE) >> 4 & 0xe : undef;
    $fail->('the histogram contradicts itself')
        if $digits > DIGITS_MAX || $least < 1 || $least >= NS_MAX || $bytes > length $counts || !WORDS->{ $word // 8 };
    return ($digits, $least, substr($counts, 0, $bytes), $word);
}

# An empty text where it is damaged, or so long that it can be no histogram.
sub _inflated {
    my ($deflated) = @_;
    require Compress::Raw::Zlib;
    my ($stream) = Compress::Raw::Zlib::Inflate->new(-Bufsize => 1 << 16, -LimitOutput => 1, -AppendOutput => 1);
    my ($plain, $before, $status) = ('', -1);
    while (length $plain > $before && length $plain <= BYTES_MAX) {
        $before = length $plain;
        $status = $stream->inflate($deflated, $plain);
        last if $status != Compress::Raw::Zlib::Z_BUF_ERROR() && $status != Compress::Raw::Zlib::Z_OK();
    }
    return $status == Compress::Raw::Zlib::Z_STREAM_END() ? $plain : '';
}

# Calls the function with each index and count that is not 0, as of version 0 and 1. False where the last is cut off.
sub _each_word {
    my ($bytes, $size, $take) = @_;
    while ($bytes =~ /[^\0]/g) {
        my $index = int($-[0] / $size);
        my $word = substr $bytes, $index * $size, $size;
        return 0 if length $word < $size;
        $take->($index, unpack WORDS->{$size}, $word);
        pos($bytes) = ($index + 1) * $size;
    }
    return 1;
}

# The same of version 2: seven bits a byte, the least first, the sign lowest of all; a ninth byte holds eight. A
# negative number tells how many counts are 0.
sub _each_number {
    my ($bytes, $take) = @_;
    my ($index, $number, $place) = (0, 0, 0);
    for my $at (0 .. length($bytes) - 1) {
        my $byte = ord substr $bytes, $at, 1;
        my $is_last = $place == LAST_BYTE || !($byte & 0x80);
        $number |= ($place == LAST_BYTE ? $byte : $byte & 0x7f) << 7 * $place++;
        next unless $is_last;
        if ($number & 1) { $index += 1 + ($number >> 1) }
        else             { $take->($index++, $number >> 1) }
        ($number, $place) = (0, 0);
    }
    return !$place;
}

1;
