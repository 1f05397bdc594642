# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Lines;
use strict;
use warnings;

use Realfeel::Units qw(printable);

use constant CHUNK_BYTES => 1 << 20;

=head1 NAME

Realfeel::Lines - the lines of one text file, and errors that point into them

=head1 METHODS

=head2 slurp($path)

Reads a whole text file; CR LF ends a line as LF does.
Dies with one line of text when the file cannot be read, is a directory, is empty or holds a NUL byte.

=cut

sub slurp {
    my ($class, $path) = @_;
    my $self = bless { file => $path }, $class;
    $self->fail(0, 'is a directory; name a report') if -d $path;
    open my $in, '<:raw', $path
        or $self->fail(0, "cannot be opened: $!; check its name and your right to read it");
    my $text = $self->_content($in);
    $self->fail(0, 'is empty; name a report that was written to its end') if $text eq '';
    $text =~ s/\r$//mg;
    $self->{lines} = [split /\n/, $text];
    return $self;
}

# A chunk at a time, so that a disk image is refused before it fills the memory.
sub _content {
    my ($self, $in) = @_;
    my $text = '';
    while (1) {
        my $size = length $text;
        my $got = read $in, $text, CHUNK_BYTES, $size;
        $self->fail(0, "cannot be read: $!; copy it to another disk") unless defined $got;
        my $nul = index $text, "\0", $size;
        $self->fail(1 + (substr($text, 0, $nul) =~ tr/\n//), 'holds binary data; name a report, which is text')
            if $nul >= 0;
        return $text unless $got;
    }
}

=head2 file

The path as it was given.

=head2 lines

A reference to the array of lines, without their ends.

=cut

sub file  { return $_[0]{file} }
sub lines { return $_[0]{lines} }

=head2 fail($number, $what)

Dies with C<FILE:NUMBER: WHAT> and a newline; without the number when it is 0.

=cut

sub fail {
    my ($self, $number, $what) = @_;
    my $place = $number ? "$self->{file}:$number" : $self->{file};
    die printable("$place: $what") . "\n";
}

1;
