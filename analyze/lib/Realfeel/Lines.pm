# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Lines;
use strict;
use warnings;

use Realfeel::Units qw(printable);

use constant CHUNK_BYTES => 1 << 17;

=head1 NAME

Realfeel::Lines - the lines of one text file, and errors that point into them

=head1 METHODS

=head2 open($path)

Opens a text file and reads its beginning; CR LF ends a line as LF does. Dies with one line of text when the file cannot
be read, is a directory or is empty, and as soon as it turns out to hold a NUL byte.

=cut

sub open {
    my ($class, $path) = @_;
    my $self = bless { file => $path, read => 0, rest => '' }, $class;
    $self->fail(0, 'is a directory; name a report') if -d $path;
    CORE::open $self->{in}, '<:raw', $path
        or $self->fail(0, "cannot be opened: $!; check its name and your right to read it");
    $self->{next} = $self->_read // $self->fail(0, 'is empty; name a report that was written to its end');
    return $self;
}

# The next lines that are whole, and at the end of the file what there is; undef when nothing is left.
sub _read {
    my ($self) = @_;
    my $text = $self->{rest};
    my ($end, $got) = (0, 1);
    while (!$end && $got) {
        my $size = length $text;
        $got = read $self->{in}, $text, CHUNK_BYTES, $size;
        $self->fail(0, "cannot be read: $!; copy it to another disk") unless defined $got;
        $self->_refuse_binary(\$text, $size);
        $end = 1 + rindex $text, "\n";
    }
    $end = length $text unless $got;
    $self->{rest} = substr $text, $end, length($text) - $end, '';
    $self->{read} += $text =~ tr/\n//;
    $text =~ s/\r$//mg if index($text, "\r") >= 0;
    return length $text ? $text : undef;
}

# At once, so that a disk image does not fill the memory.
sub _refuse_binary {
    my ($self, $text, $from) = @_;
    my $nul = index $$text, "\0", $from;
    my $number = $self->{read} + 1 + (substr($$text, 0, $nul) =~ tr/\n//);
    $self->fail($number, 'holds binary data; name a report, which is text') if $nul >= 0;
}

=head2 file

The path as it was given.

=head2 first

The first line, without its end.

=cut

sub file  { return $_[0]{file} }
sub first { return $_[0]{next} =~ s/\n.*//sr }

=head2 chunk

The next lines as one text, undef when none are left.

=head2 number

How many lines come before the last chunk.

=cut

sub chunk {
    my ($self) = @_;
    my $text = $self->{next} // return undef;
    $self->{number} = $self->{read} - ($text =~ tr/\n//);
    $self->{next} = $self->_read;
    return $text;
}

sub number { return $_[0]{number} }

=head2 lines

A reference to the array of all lines, without their ends.

=cut

sub lines {
    my ($self) = @_;
    return $self->{lines} //= do {
        my @all;
        while (defined(my $text = $self->chunk)) {
            push @all, $text;
        }
        [split /\n/, join '', @all];
    };
}

=head2 fail($number, $what)

Dies with C<FILE:NUMBER: WHAT> and a newline; without the number when it is 0.

=cut

sub fail {
    my ($self, $number, $what) = @_;
    my $place = $number ? "$self->{file}:$number" : $self->{file};
    die printable("$place: $what") . "\n";
}

1;
