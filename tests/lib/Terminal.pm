# SPDX-License-Identifier: GPL-2.0-or-later
package Terminal;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(has_terminals on_terminal);

use POSIX qw(_exit);

# Of Linux, and of those architectures that number them as x86 and arm64 do.
use constant { TIOCSWINSZ => 0x5414, TIOCSPTLCK => 0x40045431, TIOCGPTN => 0x80045430 };

sub opened {
    my ($columns) = @_;
    my $size = pack 'S4', 24, $columns, 0, 0;
    open my $master, '+<', '/dev/ptmx' or return;
    ioctl $master, TIOCSPTLCK, my $unlocked = pack 'i', 0 or return;
    ioctl $master, TIOCGPTN, my $number = pack 'i', 0 or return;
    open my $slave, '+<', '/dev/pts/' . unpack 'i', $number or return;
    ioctl $slave, TIOCSWINSZ, $size or return;
    return ($master, $slave);
}

sub has_terminals { return scalar(() = opened(80)) }

# What a command prints, standard output and standard error, where both are a terminal of so many columns.
sub on_terminal {
    my ($columns, @command) = @_;
    my ($master, $slave) = opened($columns);
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open $_, '>&', $slave or _exit(126) for *STDOUT, *STDERR;
        exec { $command[0] } @command or _exit(127);
    }
    close $slave;
    my $shown = '';
    1 while sysread $master, $shown, 4096, length $shown;
    waitpid $pid, 0;
    return $shown =~ tr/\r//dr;
}

1;
