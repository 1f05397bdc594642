# SPDX-License-Identifier: GPL-2.0-or-later
package Initramfs;

use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(S_IFDIR S_IFREG);
use File::Basename qw(basename dirname);
use Guest qw(slurp);
use Libraries qw(libraries);

our @EXPORT_OK = qw(initramfs);

=head1 NAME

Initramfs - the root file system of a guest, in memory

=cut

=head2 initramfs(init => $file, programs => [$file, ...], files => {$path => $content, ...}, ...)

A root file system as the kernel takes it: the executable F</init>, the programs in /bin, the libraries that they need,
and the files. The same input gives the same bytes. There may be more:

    modules => [$file, ...]   the kernel's, to /modules, where their names sort in the order of the list
    root    => $directory     of a Debian of another architecture, where the libraries are: see Debian

=cut

sub initramfs {
    my (%root) = @_;
    my @programs = @{$root{programs}};
    my @modules = @{$root{modules} // []};
    my %content = %{$root{files}};
    $content{'init'} = slurp($root{init});
    $content{'bin/' . basename($_)} = slurp($_) for @programs;
    my %library = map { libraries($_, $root{root}) } @programs;
    $content{$_} = slurp($library{$_}) for keys %library;
    $content{sprintf 'modules/%02d-%s', $_, basename($modules[$_])} = slurp($modules[$_]) for 0 .. $#modules;

    my %mode = map { $_ => S_IFREG | 0755 } keys %content;
    $mode{$_} = S_IFDIR | 0755 for map { parents($_) } keys %content;
    my $inode = 0;
    my $archive = join '', map { archive_entry(++$inode, $_, $mode{$_}, $content{$_} // '') } sort keys %mode;
    return $archive . archive_entry(0, 'TRAILER!!!', 0, '');
}

# One entry of a cpio archive in the "newc" format; owner, time and device are 0.
sub archive_entry {
    my ($inode, $name, $mode, $content) = @_;
    my $header = sprintf '070701' . '%08X' x 13,
        $inode, $mode, 0, 0, 1, 0, length $content, 0, 0, 0, 0, 1 + length $name, 0;
    return padded("$header$name\0") . padded($content);
}

sub padded {
    my ($bytes) = @_;
    return $bytes . "\0" x (-length($bytes) % 4);
}

sub parents {
    my ($path) = @_;
    my $parent = dirname($path);
    return $parent eq '.' ? () : (parents($parent), $parent);
}

1;
