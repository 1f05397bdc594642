# SPDX-License-Identifier: GPL-2.0-or-later
package Machine;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(machine);

=head1 NAME

Machine - the machines that QEMU can be, for guests

=cut

# noirqdebug: a PREEMPT_RT kernel takes the interrupts of a busy serial port for strays, and would switch them off.
my @KERNEL_ARGUMENTS = qw(
    nokaslr norandmaps randomize_kstack_offset=off random.trust_cpu=off panic=-1 noirqdebug
);

my @QEMU_ARGUMENTS = qw(-nodefaults -no-user-config -display none -no-reboot -seed 1);

my %MACHINE = (
    amd64 => {
        qemu      => 'qemu-system-x86_64',
        remedy    => 'apt-get install qemu-system-x86',
        arguments => [@QEMU_ARGUMENTS, '-cpu', 'max,-rdrand,-rdseed'],
        files_to  => ['-serial', 'chardev:files'],
        kernel    => ['console=ttyS0', 'files=/dev/ttyS1', @KERNEL_ARGUMENTS],
    },
    arm64 => {
        qemu      => 'qemu-system-aarch64',
        remedy    => 'apt-get install qemu-system-arm',
        arguments => [@QEMU_ARGUMENTS, qw(-machine virt -cpu cortex-a57)],
        files_to  => ['-device', 'pci-serial,chardev=files'],
        kernel    => ['console=ttyAMA0', 'files=/dev/ttyS0', @KERNEL_ARGUMENTS],
    },
);

=head2 machine($architecture)

Debian's name of an architecture stands for a machine, which is a hash: C<qemu>, the program, and C<remedy> where it
is not installed; C<arguments> for it; C<files_to>, those which give the guest a second serial port, for what comes
from the chardev C<files>; and C<kernel>, the arguments of the kernel. These name the second port for F</init>, in the
environment variable C<files>.

=cut

sub machine {
    my ($architecture) = @_;
    return $MACHINE{$architecture} // die "there is no machine $architecture\n";
}

1;
