# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Base::Typed;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(is_truth number rounded text truth);

# What is blessed is a reference to 1 or 0, which without this was always true.
use overload 'bool' => sub { ${ $_[0] } }, '0+' => sub { ${ $_[0] } }, '""' => sub { ${ $_[0] } }, fallback => 1;
use Scalar::Util qw(looks_like_number);

use constant {
    INFINITY => 9**9**9,
    TRUE     => bless(\(my $one = 1),  __PACKAGE__),
    FALSE    => bless(\(my $zero = 0), __PACKAGE__),
};

=head1 NAME

Realfeel::Base::Typed - the types of the values of an answer

=head1 DESCRIPTION

Perl does not tell C<5> that was read in a file from C<5> that was computed. Who makes an answer knows what each value
is, and says so with one of these functions; who writes the answer needs no list of types. What is not known is undef,
and stays undef.

=head1 FUNCTIONS

=head2 number($value)

A number; undef for what is none, or not finite.

=head2 rounded($value)

The same with eight digits, so that they are the same on every machine, and more than bins have.

=head2 text($bytes)

A text, in the bytes of its file.

=head2 truth($value)

True or false, for Perl as for those who ask C<is_truth>.

=head2 is_truth($value)

Whether the value is one of C<truth>. Numbers and texts are told apart by how Perl holds them.

=cut

# A new value: one that came out of a text, or was ever used as one, may be written in quotes.
sub number ($value) {
    return looks_like_number($value) && abs($value) < INFINITY ? 0 + $value : undef;
}

sub rounded ($value) { return defined $value ? number(sprintf '%.8g', $value) : undef }

sub text ($bytes) {
    return defined $bytes ? "$bytes" : undef;
}

sub truth ($value) {
    return !defined $value ? undef : $value ? TRUE : FALSE;
}

sub is_truth ($value) { return ref $value eq __PACKAGE__ }

1;
