# SPDX-License-Identifier: GPL-2.0-or-later
package Guest;

use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(S_IFDIR S_IFREG);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use POSIX qw(uname);
use Kernel qw(find_program need);

our @EXPORT_OK = qw(boot disk_faults initramfs make_disk prerequisites slurp);

=head1 NAME

Guest - a virtual machine with a real kernel and a real /dev/rtc, for tests

=head1 SYNOPSIS

    my $kernel = kernel('rt');
    my $disk = make_disk('build/disk', 64);
    my $run = boot(
        kernel    => $kernel,
        initramfs => initramfs(init => 'my-init', programs => ['./realfeel'], files => {'hello' => "text\n"},
                               modules => $kernel->{modules}),
        directory => 'build/guest',
        disk      => $disk,
    );
    print $run->{failure} // slurp("$run->{files}/report");
    print disk_faults($disk);

The guest has one CPU and runs in virtual time: eight nanoseconds an instruction, idle time is skipped. So the noise
of the host does not reach it, and a minute of measuring takes seconds. Nothing here needs root.

=cut

my @MACHINE = (qw(-nodefaults -no-user-config -display none -no-reboot -seed 1), '-cpu', 'max,-rdrand,-rdseed');

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
    need($_, 'apt-get install e2fsprogs') for qw(mkfs.ext4 e2fsck);
}

=head2 initramfs(init => $file, programs => [$file, ...], files => {$path => $content, ...}, modules => [$file, ...])

A root file system as the kernel takes it: busybox and the programs in /bin, the libraries that they need, the
executable F</init>, the files, and the kernel's modules in /modules, where their names sort in the order of the list.
The same input gives the same bytes.

=cut

sub initramfs {
    my (%root) = @_;
    my @programs = (find_program('busybox'), @{$root{programs}});
    my @modules = @{$root{modules} // []};
    my %content = %{$root{files}};
    $content{'init'} = slurp($root{init});
    $content{'bin/' . basename($_)} = slurp($_) for @programs;
    $content{s{^/}{}r} = slurp($_) for map { libraries($_) } @programs;
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

sub libraries {
    my ($program) = @_;
    return `ldd '$program' 2>&1` =~ m{(/\S+) \(0x}g;
}

=head2 boot(kernel => $kernel, initramfs => $bytes, directory => $directory, ...)

Boots a guest and waits for its end, a power-off or a reset. What it writes to its first serial port goes to
F<console.log> in the directory; what it writes to the second is taken for tar archives, one after the other, and
unpacked into F<files>. Returns C<console> (the text), C<files> (the directory) and C<failure>: what went wrong, or
undef. There may be more:

    arguments => [...]   for the kernel
    memory    => 512     in MiB
    cpus      => 1       more than one, and time is the host's
    shift     => 3       an instruction takes 2**3 ns
    disk      => $file   its /dev/vda, see make_disk
    timeout   => 240     in seconds

=cut

sub boot {
    my (%guest) = (memory => 512, cpus => 1, shift => 3, timeout => 240, arguments => [], @_);
    my $directory = $guest{directory};
    my $sent = "$directory/files.tar.gz";
    remove_tree($directory);
    make_path("$directory/files");
    spew("$directory/initramfs.cpio", $guest{initramfs});

    my $status = system(
        qw(timeout --foreground --kill-after=5), $guest{timeout}, 'qemu-system-x86_64', @MACHINE, '-m', $guest{memory},
        processors(@guest{qw(cpus shift)}), $guest{disk} ? drive($guest{disk}) : (),
        '-kernel', $guest{kernel}{image}, '-initrd', "$directory/initramfs.cpio",
        '-append', join(' ', @KERNEL_ARGUMENTS, @{$guest{arguments}}),
        '-serial', "file:$directory/console.log", '-serial', "file:$sent",
    );
    my $unpacked = -s $sent && system(qw(tar -xz --ignore-zeros -f), $sent, '-C', "$directory/files");
    return {
        console => slurp("$directory/console.log"),
        files   => "$directory/files",
        failure => failure($status, $unpacked, $guest{timeout}),
    };
}

# The virtual time of one CPU is repeatable, that of several is not: they have to do with the host's.
sub processors {
    my ($count, $shift) = @_;
    my $begin = 'base=2026-01-01T00:00:00';
    return ('-smp', $count, qw(-accel tcg -rtc), $begin) if $count > 1;
    return (qw(-smp 1 -accel), 'tcg,thread=single', '-icount', "shift=$shift,sleep=off", '-rtc', "$begin,clock=vm");
}

# What the guest has sent to its disk is in the file when QEMU ends, in the order in which it was sent; what was still
# in the guest's memory is lost. So a guest that resets itself loses what it would in a power failure, except that a
# disk with a cache of its own may also lose, or reorder, what it was sent since it was last told to flush. As nothing
# here loses the host's power, QEMU need not pass these flushes on (unsafe): the guest still waits for each.
sub drive {
    my ($file) = @_;
    return ('-drive', "file=$file,format=raw,if=none,id=disk,cache=unsafe", '-device', 'virtio-blk-pci,drive=disk');
}

sub failure {
    my ($status, $unpacked, $timeout) = @_;
    return "the guest did not end within $timeout s" if $status >> 8 == 124;
    return "QEMU failed with status $status" if $status;
    return "what the guest sent is not whole" if $unpacked;
    return undef;
}

=head2 make_disk($file, $mebibytes)

Makes the file a disk with an empty ext4 file system, and returns it.

=cut

sub make_disk {
    my ($file, $mebibytes) = @_;
    make_path(dirname($file));
    spew($file, '');
    truncate $file, $mebibytes << 20 or die "cannot make $file larger: $!\n";
    system(find_program('mkfs.ext4'), '-q', $file) == 0 or die "cannot make a file system in $file\n";
    return $file;
}

=head2 disk_faults($file)

What is wrong with the file system on a disk, or nothing. A journal that was not played back is a fault, too.

=cut

sub disk_faults {
    my ($file) = @_;
    my $fsck = find_program('e2fsck');
    my $found = `LC_ALL=C '$fsck' -f -n '$file' 2>&1`;
    return $? || $found =~ /journal recovery/ ? $found : '';
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
