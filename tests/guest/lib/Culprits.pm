# SPDX-License-Identifier: GPL-2.0-or-later
package Culprits;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(culprits);

=head1 NAME

Culprits - what makes a measurement late in a guest, each by a cause that is known

=head2 culprits()

A list of hashes:

    name       what it is called here
    flavours   of the kernels on which it makes late (see Kernel), with sources that it delays there
    arguments  for the kernel, or nothing
    script     what does it, for the guest's shell: prints when each began and ended, in ns of CLOCK_MONOTONIC
    kind, who  what the answer has to name it
    sentence   what says so to people

=cut

my $US = qr{[\d.]+ (?:us|ms)};

my @CULPRITS = (
    {
        name => 'hog', script => 'hog 97 8 20 0 125', kind => 'task', who => 'hog',
        flavours => {stock => ['rtc', 'nanosleep'], rt => ['rtc', 'nanosleep']},
        sentence => qr{'hog' \(rt 97\) (?:ran for|took the CPU away for) $US},
    },
    {    # The timer of the rtc expires in a thread of priority 1 there.
        name => 'middle', script => 'hog 50 8 20 0 125', kind => 'task', who => 'hog',
        flavours => {rt => ['rtc']},
        sentence => qr{'hog' \(rt 50\)},
    },
    {
        name => 'write', script => 'culprit write 8 2048', kind => 'task', who => 'culprit',
        flavours => {stock => ['rtc', 'nanosleep']}, arguments => ['preempt=none'],
        sentence => qr{'culprit' \(nice 0\) was not preempted for $US},
    },
    {
        name => 'sysrq', script => 'echo 8 >/proc/sys/kernel/printk; culprit sysrq 8 0', kind => 'task', who => 'culprit',
        flavours => {stock => ['rtc', 'nanosleep']},
        sentence => qr{'culprit' \(nice 0\) was not preempted for $US},
    },
    {
        name => 'receive', script => 'culprit receive 8 1500', kind => 'softirq', who => 'NET_RX',
        flavours => {stock => ['rtc', 'nanosleep']},
        sentence => qr{softirq NET_RX.* $US},
    },
    {
        name => 'expire', script => 'culprit expire 8 2000', kind => 'interrupt', who => 'timer interrupt',
        flavours => {stock => ['rtc', 'nanosleep']},
        sentence => qr{timer interrupt $US},
    },
    {    # The thread in which the timer of the rtc expires waits for a lock, and lends its priority to who has it.
        name => 'filter', script => 'culprit filter 8 500', kind => 'task', who => 'culprit',
        flavours => {rt => ['rtc']},
        sentence => qr{'culprit' \(rt 1, lent(?: or given up)?\) ran for $US},
    },
);

sub culprits {
    return @CULPRITS;
}

1;
