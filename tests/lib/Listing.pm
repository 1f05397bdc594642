# SPDX-License-Identifier: GPL-2.0-or-later
# What --check lists.
package Listing;
use strict;
use warnings;
use Exporter 'import';
use RunCommand;
use Test::More;

our @EXPORT = qw(check of_area);

# What the command says: exit status, the last line, and the other lines as [area, text].
sub check {
    my ($status, $out, $err) = run(@_);
    is($err, '', 'nothing on standard error');
    my @lines = split /\n/, $out;
    my $last = pop @lines;
    return ($status, $last, map { [/^([a-z ]+): (.*)$/] } @lines);
}

# The texts of one area.
sub of_area {
    my ($area, @lines) = @_;
    return map { $_->[1] } grep { $_->[0] eq $area } @lines;
}

1;
