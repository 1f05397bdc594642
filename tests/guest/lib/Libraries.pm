# SPDX-License-Identifier: GPL-2.0-or-later
package Libraries;

use strict;
use warnings;
use Exporter 'import';
use List::Util qw(first);

our @EXPORT_OK = qw(libraries);

=head1 NAME

Libraries - the shared libraries that a program needs

=head2 libraries($program, $root)

A hash: for each library that the program needs, and for the loader, the path where the program looks for it, without
the leading /, and the file that goes there. Without $root the files are the host's, and the program must be one that runs
on it. With $root they are those of another Debian, unpacked there, of any architecture.

=cut

sub libraries {
    my ($program, $root) = @_;
    return needed_in($root, $program, {}) if defined $root;
    return map { s{^/}{}r => $_ } `ldd '$program' 2>&1` =~ m{(/\S+) \(0x}g;
}

sub needed_in {
    my ($root, $file, $seen) = @_;
    my $header = `LC_ALL=C readelf -ld '$file' 2>&1`;
    my ($loader) = $header =~ m{interpreter: /(\S+)\]};
    my @names = grep { !$seen->{$_}++ } $header =~ /\(NEEDED\).*\[(.+)\]/g;
    my %found = map { find_library($root, $_) } @names;
    return (defined $loader ? ($loader => "$root/$loader") : (), %found, map { needed_in($root, $_, $seen) } values %found);
}

sub find_library {
    my ($root, $name) = @_;
    my $file = first { -e } glob "$root/{lib,usr/lib}/*-linux-gnu*/$name $root/lib/$name";
    return defined $file ? (substr($file, 1 + length $root) => $file) : die "$name is not in $root\n";
}

1;
