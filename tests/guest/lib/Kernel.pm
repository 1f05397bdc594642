# SPDX-License-Identifier: GPL-2.0-or-later
package Kernel;

use strict;
use warnings;
use Exporter 'import';
use File::Glob ':bsd_glob';
use File::Path qw(make_path);
use File::Temp qw(tempdir);

our @EXPORT_OK = qw(find_program kernel need);

=head1 NAME

Kernel - Debian's kernels, for guests

=cut

my %METAPACKAGE = (stock => 'linux-image-cloud-amd64', rt => 'linux-image-rt-amd64');

# What the guest needs to mount a disk, in the order in which it is loaded. What a kernel has built in is no module.
my @MODULES = qw(
    virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk
    crc16 crc32c_generic mbcache jbd2 ext4
);

=head2 kernel($flavour)

Debian's kernel, C<stock> or C<rt>: C<image> is the path of its image, C<modules> is a list of those of the
modules that a disk needs, in the order in which they are to be loaded. The first call downloads the package
(nothing is installed); later ones need no network. To get a newer kernel, remove the cache. Dies with one line.

=cut

sub kernel {
    my ($flavour) = @_;
    my $cache = ($ENV{XDG_CACHE_HOME} || "$ENV{HOME}/.cache") . '/realfeel';
    my $directory = "$cache/linux-$flavour";
    fetch($METAPACKAGE{$flavour}, $cache, $directory) if !-e $directory;
    return {
        image   => "$directory/vmlinuz",
        modules => [grep { -e } map { "$directory/$_.ko" } @MODULES],
    };
}

# A name in the cache always stands for a whole kernel: an interrupted download never gets one.
sub fetch {
    my ($metapackage, $cache, $directory) = @_;
    make_path($cache);
    my $scratch = tempdir(DIR => $cache, CLEANUP => 1);
    unpack_kernel(download($metapackage, $scratch), "$scratch/linux");
    # Another process may have been faster.
    rename "$scratch/linux", $directory or -e $directory or die "cannot rename to $directory: $!\n";
}

sub download {
    my ($metapackage, $directory) = @_;
    need($_, 'the kernels are those of Debian, so run this there') for qw(apt-cache apt-get dpkg-deb);
    my ($package) = `LC_ALL=C apt-cache depends --important $metapackage` =~ /Depends: (linux-image-\S+)/
        or die "apt does not know $metapackage: apt-get update, on Debian for amd64\n";
    # apt checks the package against the signed index.
    system(qw(env -C), $directory, qw(apt-get -qq download), $package) == 0
        or die "cannot download $package: is the network there, and apt-get update recent?\n";
    my ($file) = <$directory/*.deb>;
    return $file;
}

# The image and every file that has the name of one of the modules, without their folders.
sub unpack_kernel {
    my ($package, $directory) = @_;
    mkdir $directory;
    my $names = join '|', map { "$_.ko" } @MODULES;
    my $pipe = 'dpkg-deb --fsys-tarfile "$1" >"$2.tar" && '
        . 'tar -tf "$2.tar" | grep -E "^\./boot/vmlinuz-|/($3)$" | '
        . 'tar -xf "$2.tar" -C "$2" --transform="s,.*/,,;s,^vmlinuz-.*,vmlinuz," --files-from=-';
    system('sh', '-c', $pipe, 'sh', $package, $directory, $names) == 0 && -s "$directory/vmlinuz"
        or die "cannot unpack the kernel from $package\n";
}

=head2 need($program, $remedy)

The path of a program. Dies with one line where the machine does not have it.

=cut

sub need {
    my ($program, $remedy) = @_;
    return find_program($program) || die "$program not found: $remedy\n";
}

=head2 find_program($name)

The path of a program, one for administrators, too, or undef.

=cut

sub find_program {
    my ($name) = @_;
    my ($found) = grep { -x } map { "$_/$name" } split(/:/, $ENV{PATH}), qw(/usr/sbin /sbin);
    return $found;
}

1;
