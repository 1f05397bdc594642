# SPDX-License-Identifier: GPL-2.0-or-later
package RunEnd;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(wait_for_samples stop processes is_over);

use Report qw(parse_parts);
use RunCommand qw(contents wait_until);
use Test::More;

# What became of a run that start() has started, and of what it measured.

# Waits until a checkpoint of its report has that many samples in each of its parts. Returns the parts.
sub wait_for_samples {
    my ($run, @counts) = @_;
    my $text;
    wait_until(sub {
        kill USR1 => $run->{pid};
        $text = -e 'report' ? contents('report') : '';
        my @samples = $text =~ /^# samples: (\d+)$/mg;
        return @samples == @counts && !grep { $samples[$_] < $counts[$_] } 0 .. $#counts;
    });
    return parse_parts($text);
}

# Stops a child of the meter, and waits until that has noticed: it has got the signal and waits again.
sub stop {
    my ($child, $meter) = @_;
    kill STOP => $child;
    wait_until(sub { contents("/proc/$child/stat") =~ /\) T / });
    wait_until(sub { contents("/proc/$meter/status") =~ /^State:\s+S.*^ShdPnd:\s+0+$/ms });
}

# Its processes that are there, by the group, which a load is not of; those that are dead but not waited for among them.
sub processes {
    my ($run) = @_;
    return grep { $_ } map {
        my ($pid, $state, $parent, $group) = (eval { contents($_) } // '') =~ /^(\d+) \(.*\) (\S) (\d+) (\d+) /s;
        $group && $group == $run->{pid} && !($state eq 'Z' && $parent == 1) ? "$pid $state" : undef;
    } glob '/proc/[0-9]*/stat';
}

# One test: none is left. One that is about to end has closed its files, by which finish() knows it, and is there still.
sub is_over {
    my ($run) = @_;
    eval { wait_until(sub { !processes($run) }) };
    is_deeply([processes($run)], [], 'no process is left');
}

1;
