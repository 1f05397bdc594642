# SPDX-License-Identifier: GPL-2.0-or-later
package Guest;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use File::Path qw(make_path remove_tree);
use POSIX qw(uname);
use Debian qw(find_program need);
use Machine qw(machine);
use Patience qw(outlast);

our @EXPORT_OK = qw(boot console_tail disk_faults make_disk prerequisites slurp spew);

# Seconds in which a guest hangs that has its QEMU wait, and in which it ends even on a very busy host.
use constant { IDLE_S => 120, ALL_S => 3600 };

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

=head2 prerequisites()

Dies with one line that says what this machine lacks to run a guest, and the remedy.

=cut

sub prerequisites {
    my $machine = (uname())[4];
    die "the guests are x86_64, and so must be the program that they run: this is $machine\n" if $machine ne 'x86_64';
    need(@{machine('amd64')}{qw(qemu remedy)});
    need('busybox', 'apt-get install busybox-static');
    need($_, 'apt-get install e2fsprogs') for qw(mkfs.ext4 e2fsck);
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
    timeout   => 240     seconds that QEMU may compute while the guest sends nothing (see Patience)

=cut

sub boot {
    my (%guest) = (memory => 512, cpus => 1, shift => 3, timeout => 240, arguments => [], @_);
    my $machine = machine($guest{kernel}{architecture});
    my $directory = $guest{directory};
    my $sent = "$directory/files.tar.gz";
    remove_tree($directory);
    make_path("$directory/files");
    spew("$directory/initramfs.cpio", $guest{initramfs});
    spew("$directory/$_.log", '') for qw(console qemu);

    my ($status, $hangs) = outlast(
        {computing => $guest{timeout}, idle => IDLE_S, all => ALL_S}, ["$directory/console.log", $sent],
        qw(sh -c), 'exec "$@" 2>"$0"', "$directory/qemu.log",
        $machine->{qemu}, @{$machine->{arguments}},
        '-m', $guest{memory}, processors(@guest{qw(cpus shift)}), $guest{disk} ? drive($guest{disk}) : (),
        '-kernel', $guest{kernel}{image}, '-initrd', "$directory/initramfs.cpio",
        '-append', join(' ', @{$machine->{kernel}}, @{$guest{arguments}}),
        '-serial', "file:$directory/console.log", '-chardev', "file,id=files,path=$sent", @{$machine->{files_to}},
    );
    my $unpacked = -s $sent && system(qw(tar -xz --ignore-zeros -f), $sent, '-C', "$directory/files");
    return {
        console => slurp("$directory/console.log"),
        files   => "$directory/files",
        failure => failure($status, $hangs, $unpacked, slurp("$directory/qemu.log")),
    };
}

# Only one CPU has virtual time: of two, QEMU 7.2 gives the first all instructions until the next timer, so that it waits
# for the second in vain, and the kernel does not boot.
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
    my ($status, $hangs, $unpacked, $said) = @_;
    return "the guest hangs: $hangs" if defined $hangs;
    return 'QEMU failed: ' . ($said =~ /(\S.*)\n\z/ ? $1 : "status $status") if $status;
    return 'what the guest sent is not whole; is the disk full?' if $unpacked;
    return undef;
}

=head2 console_tail($console)

The last lines of what a guest wrote to its console.

=cut

sub console_tail {
    my ($console) = @_;
    my @lines = split /\r?\n/, $console;
    return join "\n", @lines > 30 ? @lines[-30 .. -1] : @lines;
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

=head2 spew($file, $bytes)

Makes them the content of a file.

=cut

sub spew {
    my ($file, $bytes) = @_;
    open my $out, '>:raw', $file or die "cannot write $file: $!\n";
    print {$out} $bytes;
    close $out or die "cannot write $file: $!\n";
}

1;
