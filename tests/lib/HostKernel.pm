# SPDX-License-Identifier: GPL-2.0-or-later
# What this machine has: a test is skipped for what the kernel refuses to tests/lib/kernel.c, and never because realfeel refuses.
package HostKernel;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(lacking without);

use Built qw(built);
use RunCommand qw(contents run);

my ($first) = contents('/proc/self/status') =~ /^Cpus_allowed_list:\s*(\d+)/m;
my %answer;

# Why the first of these questions is answered with no, on the first CPU that we may use, or ''.
sub lacking {
    my @questions = @_;
    my @new = grep { !defined $answer{$_} } @questions;
    %answer = (%answer, (run(built('kernel'), $first, @new))[1] =~ /^(\S+): (.*)$/mg) if @new;
    return (map { $answer{$_} eq 'ok' ? () : "$_: $answer{$_}" } @questions)[0] // '';
}

# Why the first of these is not there, or '': a program, a file that can be opened to be written to, or one of several
# functions of the kernel.
sub without {
    my ($kind, @names) = @_;
    return (map { (run('which', $_))[0] ? "$_ is not installed" : () } @names)[0] // '' if $kind eq 'program';
    return (map { open(my $file, '+<', $_) ? () : "$_: $!" } @names)[0] // '' if $kind eq 'file';
    my %address = reverse contents('/proc/kallsyms') =~ /^(\w+) \w (\w+)/mg;
    my ($known) = grep { defined } @address{@names};
    return !defined $known ? "the kernel has no $names[-1]" : $known =~ /^0+$/ ? '/proc/kallsyms hides addresses' : '';
}

1;
