# SPDX-License-Identifier: GPL-2.0-or-later
# The lines of a text file, read once from first to last, and errors that point into them. Only a part of the file is in
# memory at a time.
package Realfeel::Input::Lines;
use Realfeel::Base::Modern;

use List::Util qw(max);
use Realfeel::Base::Units qw(printable);

use constant {
    CHUNK_BYTES => 1 << 17,
    LINE_MAX    => 1 << 24,     # more than a command line takes with its escapes
    EXPANDS     => 100,         # times; a report expands to ten times what gzip makes of it
    SMALL       => 1 << 24,     # what may expand more
    GZIP        => "\x1f\x8b",
    UTF_16      => qr/\A(?:\xff\xfe|\xfe\xff)/,
    ESCAPE      => qr/\e\[[\d;]*[A-Za-z]/,
};

# Takes a text file, possibly gzipped, with LF, CR LF or CR, and perhaps a byte order mark. Readers may look at file
# (the path as given), number (of the next line, from 1) and last (the number of the last non-empty line read). Dies
# with one line if the file cannot be read, is a directory or empty; and later, when it turns out to be damaged, or to
# hold a NUL byte, a line of more than 16 MB, or, if compressed, far more than any report of its size.
sub open ($class, $path) {
    my $self = bless { file => $path, number => 1, last => 0, text => '', at => 0, rest => '' }, $class;
    $self->fail(0, 'is a directory; give a report') if -d $path;
    CORE::open $self->{in}, '<:raw', $path
        or $self->fail(0, "cannot be opened: $!; check its name and your right to read it");
    $self->_read(length GZIP);
    $self->fail(0, 'is UTF-16; save it as UTF-8, as with iconv -f UTF-16 -t UTF-8') if $self->{rest} =~ UTF_16;
    if ($self->{rest} eq GZIP) {
        require IO::Uncompress::Gunzip;
        $self->{may_expand} = max(SMALL, EXPANDS * -s $self->{in});
        my %all_of_it = (Prime => GZIP, MultiStream => 1, Strict => 1, Transparent => 0);
        $self->{in} = IO::Uncompress::Gunzip->new($self->{in}, %all_of_it)
            or $self->_fail_compressed($IO::Uncompress::Gunzip::GunzipError);
        $self->{rest} = '';
    }
    $self->_fill or $self->fail(0, 'is empty; give a report that was written to its end');
    $self->{text} =~ s/\A\xef\xbb\xbf//;
    return $self;
}

# False at the end of the file
sub _read ($self, $bytes) {
    my $before = length $self->{rest};
    my $got = read $self->{in}, $self->{rest}, $bytes, $before;
    $self->fail(0, "cannot be read: $!; copy it to another disk") unless defined $got;
    $self->_fail_compressed($self->{in}->error) if $got < 0;
    my $nul = index $self->{rest}, "\0", $before;      # at once, so that a disk image does not fill the memory
    $self->fail($self->{number} + (substr($self->{text} // '', $self->{at}) . substr $self->{rest}, 0, $nul) =~ tr/\n//,
        'holds binary data; give a report, which is text') if $nul >= 0;
    $self->fail(0, 'expands to far more than a report does; give a report')
        if defined $self->{may_expand} && ($self->{may_expand} -= $got) < 0;
    return $got;
}

sub _fail_compressed ($self, $reason) {
    $self->fail(0, "cannot be decompressed: $reason; the file is damaged, take another copy");
}

# Makes sure that there is a next line; false at the end of the file
sub _fill ($self) {
    return 1 if $self->{at} < length $self->{text};
    my ($more, $seen) = (1, 0);
    while ($more && index($self->{rest}, "\n", $seen) < 0) {
        $seen = length $self->{rest};
        $self->fail($self->{number}, 'has a line longer than any report has; give a report') if $seen > LINE_MAX;
        $more = $self->_read(CHUNK_BYTES);
    }
    $self->{rest} .= "\n" unless $more || $self->{rest} =~ /(?:\A|\n)\z/;
    $self->{text} = substr $self->{rest}, 0, 1 + rindex($self->{rest}, "\n"), '';
    $self->{text} =~ s/\r+\n?/\n/g if index($self->{text}, "\r") >= 0;
    $self->{at} = 0;
    $self->strip($self->{prefix}) if defined $self->{prefix};
    return length $self->{text};
}

# The next line without its end; undef at the end of the file. pass() goes on.
sub line ($self) {
    return undef unless $self->_fill;
    return substr $self->{text}, $self->{at}, index($self->{text}, "\n", $self->{at}) - $self->{at};
}

sub pass ($self) {
    my $line = $self->line;
    $self->{last} = $self->{number} if $line ne '';
    $self->{number}++;
    $self->{at} += 1 + length $line;
}

# From now on leaves out this pattern at the start of each line, and terminal escapes
sub strip ($self, $prefix) {
    $self->{prefix} = $prefix;
    substr($self->{text}, $self->{at}) =~ s/${\ESCAPE}//g;
    substr($self->{text}, $self->{at}) =~ s/^$prefix//mg if $prefix ne '';
}

# Consumes and returns what $pattern matches from the next line on, whole non-empty lines; '' if it does not match. The
# pattern has to begin with \G: adding that here would have Perl compile it each time. Takes only what is in memory, so
# call it until it returns nothing.
sub take ($self, $pattern) {
    return '' unless $self->_fill;
    pos($self->{text}) = $self->{at};
    return '' unless $self->{text} =~ /$pattern/gc;
    my $taken = substr $self->{text}, $self->{at}, pos($self->{text}) - $self->{at};
    return '' if $taken eq '';
    $self->{at} += length $taken;
    $self->{number} += $taken =~ tr/\n//;
    $self->{last} = $self->{number} - 1;
    return $taken;
}

# As much as is in memory from the next line on, without consuming it; '' at the end of the file
sub head ($self) {
    return '' unless $self->_fill;
    $self->_read(CHUNK_BYTES) if length($self->{text}) - $self->{at} + length $self->{rest} < CHUNK_BYTES;
    return substr($self->{text}, $self->{at}, 2 * CHUNK_BYTES) . substr $self->{rest}, 0, 2 * CHUNK_BYTES;
}

# Consumes and returns all the rest; dies if that is more than $most bytes
sub text ($self, $most) {
    my $all = '';
    while ($self->_fill) {
        $all .= substr $self->{text}, $self->{at};
        $self->{at} = length $self->{text};
        $self->fail(0, "has more than $most bytes, too many for a file of its kind; measure fewer threads or buckets")
            if length $all > $most;
    }
    return $all;
}

# Dies with "FILE:NUMBER: WHAT"; a number of 0 is left out
sub fail ($self, $number, $what) {
    my $place = $number ? "$self->{file}:$number" : $self->{file};
    die printable("$place: $what") . "\n";
}

1;
