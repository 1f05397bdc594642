# SPDX-License-Identifier: GPL-2.0-or-later
# The types of the values in an answer. Perl cannot tell a 5 that was read from a 5 that was computed, so the code
# that makes an answer states the type of each value, and the code that prints it needs no list of types. Unknown
# values are undef throughout.
package Realfeel::Base::Typed;
use Realfeel::Base::Modern;

# A blessed value is a reference to 1 or 0, which would otherwise always be true.
use overload 'bool' => sub { ${ $_[0] } }, '0+' => sub { ${ $_[0] } }, '""' => sub { ${ $_[0] } }, fallback => 1;
use Scalar::Util qw(looks_like_number);

use constant {
    INFINITY => 9**9**9,
    TRUE     => bless(\(my $one = 1),  __PACKAGE__),
    FALSE    => bless(\(my $zero = 0), __PACKAGE__),
};

# undef for anything but a finite number. A fresh copy, because a value once used as text may be written in quotes.
sub number ($value) {
    return looks_like_number($value) && abs($value) < INFINITY ? 0 + $value : undef;
}

# To eight digits: more than bins have, yet the same on every machine
sub rounded ($value) { return defined $value ? number(sprintf '%.8g', $value) : undef }

# A string, in the bytes of its file
sub text ($bytes) {
    return defined $bytes ? "$bytes" : undef;
}

sub truth ($value) {
    return !defined $value ? undef : $value ? TRUE : FALSE;
}

sub is_truth ($value) { return ref $value eq __PACKAGE__ }

1;
