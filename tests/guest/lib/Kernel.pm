# SPDX-License-Identifier: GPL-2.0-or-later
package Kernel;

use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use Exporter 'import';
use File::Temp;
use Debian qw(cached dependencies download need);

our @EXPORT_OK = qw(cache_name kernel);

=head1 NAME

Kernel - Debian's kernels, for guests

=cut

# Origin (see Debian) and metapackage.
my %FLAVOUR = (
    'stock'    => [amd64 => 'linux-image-cloud-amd64'],
    'generic'  => [amd64 => 'linux-image-amd64'],
    'rt'       => [amd64 => 'linux-image-rt-amd64'],
    'arm64'    => [arm64 => 'linux-image-arm64'],
    'arm64-rt' => [arm64 => 'linux-image-rt-arm64'],
    'bookworm-arm64' => ['bookworm/arm64', 'linux-image-arm64'],
    map { ($_ => ["$_/amd64", 'linux-image-cloud-amd64'], "$_-rt" => ["$_/amd64", 'linux-image-rt-amd64']) }
        qw(bullseye bookworm trixie sid),
);

# What the guest needs to mount a disk, in the order in which it is loaded. What a kernel has built in is no module.
my @MODULES = qw(
    virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk
    crc16 crc32c_generic mbcache jbd2 ext4
);

# And for the timer of the sound system, which the kernel for clouds has not.
my @SOUND = qw(soundcore snd snd-timer snd-hrtimer);

# And for a file that is read as a device.
my @LOOP = qw(loop);

=head2 kernel($flavour)

Debian's kernel, C<stock> (for clouds), C<generic> or C<rt>, C<arm64> or C<arm64-rt>; or that of a release, C<trixie> (for
clouds) or C<trixie-rt>, or C<bookworm-arm64>: C<architecture> is that of the
machine (see Machine), C<image> is the path of its image, C<modules> is a list of those of the modules that a disk needs,
in the order in which they are to be loaded, and so are C<sound> and C<loop> those of the sound system's timer and of loop
devices. The first call downloads the package (nothing is installed); later ones need no network. To get a newer kernel,
remove the cache. Dies with one line.

=cut

sub kernel {
    my ($flavour) = @_;
    my ($origin, $metapackage) = @{$FLAVOUR{$flavour}};
    my $directory = cached(cache_name($flavour), sub {
        my ($new) = @_;
        my $scratch = File::Temp->newdir(DIR => $new);
        unpack_kernel($_, $new, $scratch) for download($origin, $scratch, packages($origin, $metapackage));
        -s "$new/vmlinuz" or die "there is no kernel in what $metapackage of $origin stands for\n";
        unpack_modules(glob "$new/*.ko.xz");
    });
    return {
        architecture => $origin =~ s{.*/}{}r,
        image        => "$directory/vmlinuz",
        modules      => [grep { -e } map { "$directory/$_.ko" } @MODULES],
        sound        => [grep { -e } map { "$directory/$_.ko" } @SOUND],
        loop         => [grep { -e } map { "$directory/$_.ko" } @LOOP],
    };
}

=head2 cache_name($flavour)

The name that this kernel has in the cache (see Debian). It depends on the modules, too.

=cut

sub cache_name {
    my ($flavour) = @_;
    return "linux-$flavour-" . substr md5_hex("@MODULES @SOUND @LOOP"), 0, 8;
}

# The package with the image, and those into which newer releases put its parts.
sub packages {
    my ($origin, $metapackage) = @_;
    my ($image) = grep { /^linux-image-/ } dependencies($origin, $metapackage);
    return ($image, grep { /^linux-(?:binary|modules)-/ } dependencies($origin, $image // $metapackage));
}

# The image and every file that has the name of one of the modules, without their folders.
sub unpack_kernel {
    my ($package, $directory, $scratch) = @_;
    my $names = join '|', map { "$_.ko" } @MODULES, @SOUND, @LOOP;
    my $script = 'dpkg-deb --fsys-tarfile "$1" >"$4/tar" && tar -tf "$4/tar" >"$4/all" && '
        . '{ ! grep -E "^\./boot/vmlinuz-|/vmlinuz$|/($3)(\.xz)?$" "$4/all" >"$4/wanted" || '
        . 'tar -xf "$4/tar" -C "$2" --transform="s,.*/,,;s,^vmlinuz-.*,vmlinuz," --files-from="$4/wanted"; }';
    system('sh', '-c', $script, 'sh', $package, $directory, $names, $scratch) == 0
        or die "cannot unpack the kernel from $package: was it downloaded whole, and is the disk not full?\n";
}

sub unpack_modules {
    my (@packed) = @_;
    return if !@packed;
    system(need('xz', 'apt-get install xz-utils'), '-d', @packed) == 0 or die "cannot unpack @packed: is the disk not full?\n";
}

1;
