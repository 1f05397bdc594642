# SPDX-License-Identifier: GPL-2.0-or-later
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
};

=head1 NAME

Realfeel::Input::Lines - the lines of one text file, and errors that point into them

=head1 DESCRIPTION

The lines are read once, from the first to the last: there is a next one, and who has read it goes past it. Only a part
of the file is in memory at a time.

=head1 METHODS

=head2 open($path)

Opens a text file, or one that L<gzip(1)> compressed, and reads its beginning; CR LF ends a line as LF does. Dies with
one line of text when the file cannot be read, is a directory or is empty, and as soon as it turns out to be damaged or
to hold a NUL byte, a line of more than 16 MB, or, compressed, far more than a report of its size does.

=cut

sub open ($class, $path) {
    my $self = bless { file => $path, number => 1, last => 0, text => '', at => 0, rest => '' }, $class;
    $self->fail(0, 'is a directory; name a report') if -d $path;
    CORE::open $self->{in}, '<:raw', $path
        or $self->fail(0, "cannot be opened: $!; check its name and your right to read it");
    $self->_read(length GZIP);
    $self->_decompress if $self->{rest} eq GZIP;
    $self->_fill or $self->fail(0, 'is empty; name a report that was written to its end');
    return $self;
}

=head2 of_text($path, $text)

The same of a text that was made from the file.

=cut

sub of_text ($class, $path, $text) {
    CORE::open my $in, '<:raw', \$text or die "$path: cannot be kept in memory: $!; free some\n";
    return bless { file => $path, number => 1, last => 0, text => '', at => 0, rest => '', in => $in }, $class;
}

# False at the end of the file.
sub _read ($self, $bytes) {
    my $before = length $self->{rest};
    my $got = read $self->{in}, $self->{rest}, $bytes, $before;
    $self->fail(0, "cannot be read: $!; copy it to another disk") unless defined $got;
    $self->_fail_compressed($self->{in}->error) if $got < 0;
    $self->_refuse_binary($before);
    $self->fail(0, 'expands to far more than a report does; name a report')
        if defined $self->{may_expand} && ($self->{may_expand} -= $got) < 0;
    return $got;
}

# At once, so that a disk image does not fill the memory. What was read before holds none.
sub _refuse_binary ($self, $before) {
    my $nul = index $self->{rest}, "\0", $before;
    return if $nul < 0;
    my $number = $self->{number} + (substr($self->{rest}, 0, $nul) =~ tr/\n//);
    $self->fail($number, 'holds binary data; name a report, which is text');
}

sub _decompress ($self) {
    require IO::Uncompress::Gunzip;
    $self->{may_expand} = max(SMALL, EXPANDS * -s $self->{in});
    my %all_of_it = (Prime => GZIP, MultiStream => 1, Strict => 1, Transparent => 0);
    $self->{in} = IO::Uncompress::Gunzip->new($self->{in}, %all_of_it)
        or $self->_fail_compressed($IO::Uncompress::Gunzip::GunzipError);
    $self->{rest} = '';
}

sub _fail_compressed ($self, $reason) {
    $self->fail(0, "cannot be decompressed: $reason; the file is damaged, take another copy");
}

# Sees to it that there is a next line. False at the end of the file.
sub _fill ($self) {
    return 1 if $self->{at} < length $self->{text};
    my ($more, $seen) = (1, 0);
    while ($more && index($self->{rest}, "\n", $seen) < 0) {
        $seen = length $self->{rest};
        $self->fail($self->{number}, 'is a longer line than any report has; name a report') if $seen > LINE_MAX;
        $more = $self->_read(CHUNK_BYTES);
    }
    $self->{rest} .= "\n" unless $more || $self->{rest} =~ /(?:\A|\n)\z/;
    $self->{text} = substr $self->{rest}, 0, 1 + rindex($self->{rest}, "\n"), '';
    $self->{text} =~ s/\r$//mg if index($self->{text}, "\r") >= 0;
    $self->{at} = 0;
    return length $self->{text};
}

=head2 file

The path as it was given.

=head2 number

That of the next line, 1 for the first.

=head2 last_number

That of the last line before it that is not empty.

=cut

sub file ($self)        { return $self->{file} }
sub number ($self)      { return $self->{number} }
sub last_number ($self) { return $self->{last} }

=head2 line

The next line without its end, undef after the last.

=head2 pass

Goes past the next line.

=cut

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

=head2 take($pattern)

The text that a pattern matches from the next line on, whole lines and none of them empty, and goes past it; an empty
text where it does not match. The pattern begins with C<\G>: what is put before it here would make Perl compile it
again with each call. No more is taken at a time than is in memory, so it is to be asked until nothing comes.

=cut

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

=head2 head

The text from the next line on, without going past it, as much as is in memory at a time; empty at the end of the file.

=head2 text($most)

The text from the next line on, and goes past it. Dies where it has more bytes than C<$most>.

=cut

sub head ($self) {
    return '' unless $self->_fill;
    $self->_read(CHUNK_BYTES);
    return substr($self->{text}, $self->{at}) . $self->{rest};
}

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

=head2 fail($number, $what)

Dies with C<FILE:NUMBER: WHAT> and a newline; without the number when it is 0.

=cut

sub fail ($self, $number, $what) {
    my $place = $number ? "$self->{file}:$number" : $self->{file};
    die printable("$place: $what") . "\n";
}

1;
