# SPDX-License-Identifier: GPL-2.0-or-later
package Guest;

use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(S_IFDIR S_IFREG);
use File::Basename qw(basename dirname);
use File::Glob ':bsd_glob';
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use POSIX qw(uname);

our @EXPORT_OK = qw(boot initramfs kernel prerequisites slurp);

=head1 NAME

Guest - a virtual machine with a real kernel and a real /dev/rtc, for tests

=head1 SYNOPSIS

    my $run = boot(
        kernel    => kernel('rt'),
        initramfs => initramfs(init => 'my-init', programs => ['./realfeel'], files => {'hello' => "text\n"}),
        directory => 'build/guest',
    );
    print $run->{failure} // slurp("$run->{files}/report");

The guest runs in virtual time: eight nanoseconds an instruction, idle time is skipped. So the noise of the
host does not reach it, and a minute of measuring takes seconds. Nothing here needs root.

=cut

my %METAPACKAGE = (stock => 'linux-image-cloud-amd64', rt => 'linux-image-rt-amd64');

# One CPU: its virtual time is repeatable, that of several is not.
my @MACHINE = (
    qw(-nodefaults -no-user-config -display none -no-reboot -smp 1 -m 512 -seed 1),
    '-accel', 'tcg,thread=single', '-icount', 'shift=3,sleep=off',
    '-cpu', 'max,-rdrand,-rdseed', '-rtc', 'base=2026-01-01T00:00:00,clock=vm',
);

# noirqdebug: a PREEMPT_RT kernel takes the interrupts of a busy serial port for strays, and would switch them off.
my @KERNEL_ARGUMENTS = qw(
    console=ttyS0 nokaslr norandmaps randomize_kstack_offset=off random.trust_cpu=off panic=-1 noirqdebug
);

=head2 prerequisites()

Dies with one line that says what this machine lacks to run a guest, and the remedy.

=cut

sub prerequisites {
    my $machine = (uname())[4];
    die "the guests are x86_64, and so must be the program that they run: this is $machine\n" if $machine ne 'x86_64';
    need('qemu-system-x86_64', 'apt-get install qemu-system-x86');
    need('busybox', 'apt-get install busybox-static');
}

sub need {
    my ($program, $remedy) = @_;
    return find_program($program) || die "$program not found: $remedy\n";
}

=head2 kernel($flavour)

The path of Debian's kernel image, C<stock> or C<rt>. The first call downloads its package (nothing is
installed); later ones need no network. To get a newer kernel, remove the cache. Dies with one line.

=cut

sub kernel {
    my ($flavour) = @_;
    my $cache = ($ENV{XDG_CACHE_HOME} || "$ENV{HOME}/.cache") . '/realfeel';
    my $image = "$cache/vmlinuz-$flavour";
    return $image if -e $image;

    make_path($cache);
    my $scratch = tempdir(DIR => $cache, CLEANUP => 1);
    my $package = download($METAPACKAGE{$flavour}, $scratch);
    unpack_image($package, "$scratch/vmlinuz");
    # A name in the cache always stands for a whole image: an interrupted download never gets one.
    rename "$scratch/vmlinuz", $image or die "cannot rename to $image: $!\n";
    return $image;
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

sub unpack_image {
    my ($package, $image) = @_;
    my $pipe = q(dpkg-deb --fsys-tarfile "$1" | tar -xO --wildcards "./boot/vmlinuz-*" >"$2");
    system('sh', '-c', $pipe, 'sh', $package, $image) == 0 && -s $image
        or die "cannot unpack the kernel from $package\n";
}

=head2 initramfs(init => $file, programs => [$file, ...], files => {$path => $content, ...})

A root file system as the kernel takes it: busybox and the programs in /bin, the libraries that they need, the
executable F</init>, and the files. The same input gives the same bytes.

=cut

sub initramfs {
    my (%root) = @_;
    my @programs = (find_program('busybox'), @{$root{programs}});
    my %content = %{$root{files}};
    $content{'init'} = slurp($root{init});
    $content{'bin/' . basename($_)} = slurp($_) for @programs;
    $content{s{^/}{}r} = slurp($_) for map { libraries($_) } @programs;

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

sub libraries {
    my ($program) = @_;
    return `ldd '$program' 2>&1` =~ m{(/\S+) \(0x}g;
}

=head2 boot(kernel => $file, initramfs => $bytes, arguments => [...], directory => $directory, timeout => $seconds)

Boots a guest and waits for its end. What it writes to its first serial port goes to F<console.log> in the
directory; what it writes to the second is taken for tar archives, one after the other, and unpacked into
F<files>. Returns C<console> (the text), C<files> (the directory) and C<failure>: what went wrong, or undef.

=cut

sub boot {
    my (%guest) = @_;
    my ($directory, $timeout) = ($guest{directory}, $guest{timeout} // 240);
    remove_tree($directory);
    make_path("$directory/files");
    spew("$directory/initramfs.cpio", $guest{initramfs});

    my $status = system(
        qw(timeout --foreground --kill-after=5), $timeout, 'qemu-system-x86_64', @MACHINE,
        '-kernel', $guest{kernel}, '-initrd', "$directory/initramfs.cpio",
        '-append', join(' ', @KERNEL_ARGUMENTS, @{$guest{arguments} // []}),
        '-serial', "file:$directory/console.log", '-serial', "file:$directory/files.tar.gz",
    );
    my $unpacked = system(qw(tar -xz --ignore-zeros -f), "$directory/files.tar.gz", '-C', "$directory/files");
    return {
        console => slurp("$directory/console.log"),
        files   => "$directory/files",
        failure => failure($status, $unpacked, $timeout),
    };
}

sub failure {
    my ($status, $unpacked, $timeout) = @_;
    return "the guest did not end within $timeout s" if $status >> 8 == 124;
    return "QEMU failed with status $status" if $status;
    return "what the guest sent is not whole" if $unpacked;
    return undef;
}

sub find_program {
    my ($name) = @_;
    my ($found) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    return $found;
}

=head2 slurp($file)

The bytes of a file.

=cut

sub slurp {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot read $file: $!\n";
    local $/;
    return scalar <$in> // '';
}

sub spew {
    my ($file, $bytes) = @_;
    open my $out, '>:raw', $file or die "cannot write $file: $!\n";
    print {$out} $bytes;
    close $out or die "cannot write $file: $!\n";
}

1;
