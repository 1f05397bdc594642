# SPDX-License-Identifier: GPL-2.0-or-later
package Pool;

use strict;
use warnings;
use Exporter 'import';
use POSIX qw(_exit);

our @EXPORT_OK = qw(side_by_side);

=head1 NAME

Pool - work in several processes at a time

=head2 side_by_side($count, $work, $done, @items)

Calls $work with each of the items, in processes of their own, $count at a time, and $done, here, with the item and what
$work returned, a string. A process that died returned why. When this process is told to end, so are those, with all
that they started.

=cut

sub side_by_side {
    my ($count, $work, $done, @items) = @_;
    my %running;
    local @SIG{qw(HUP INT TERM)} = (sub { kill TERM => map { -$_ } keys %running; die "interrupted\n" }) x 3;
    while (@items || %running) {
        while (@items && keys %running < $count) {
            my $item = shift @items;
            my ($pid, $pipe) = start($work, $item);
            $running{$pid} = [$item, $pipe];
        }
        my $ended = delete $running{wait()} or next;
        my ($item, $pipe) = @$ended;
        $done->($item, join '', <$pipe>);
    }
}

# What is returned has to fit into a pipe.
sub start {
    my ($work, $item) = @_;
    my $pid = open(my $pipe, '-|') // die "cannot fork: $!\n";
    return ($pid, $pipe) if $pid;
    setpgrp;
    @SIG{qw(HUP INT TERM)} = ('DEFAULT') x 3;
    print STDOUT eval { $work->($item) } // $@;
    STDOUT->flush;
    _exit(0);
}

1;
