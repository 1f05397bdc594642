# SPDX-License-Identifier: GPL-2.0-or-later
package InGuest;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(NS_AN_INSTRUCTION runs_in_guest timerlat_in_guest);

use Cwd qw(abs_path);
use Debian qw(find_program unpacked);
use Figure qw(median_of_bins);
use File::Basename qw(dirname);
use Guest qw(boot prerequisites slurp);
use Initramfs qw(initramfs);
use Kernel qw(kernel);
use Libraries qw(libraries);
use Program;
use Report;

# Runs in a guest of virtual time, where whatever is executed takes eight nanoseconds an instruction.

use constant NS_AN_INSTRUCTION => 8;

my $ROOT = abs_path(dirname(__FILE__) . '/../../..');

# Runs the program in a guest with that kernel, once with each of the options (name => string), and returns the reports.
sub runs_in_guest {
    my ($flavour, %options) = @_;
    my %scripts = map { $_ => "realfeel -q -o report $options{$_}" } keys %options;
    my $files   = left_in_guest($flavour, \%scripts);
    return map { $_ => parse_report(slurp("$files/$_/report")) } keys %options;
}

# What timerlat, by rtla, counts in a guest with PREEMPT_RT: the median lateness of the interrupt and of its thread, in us.
sub timerlat_in_guest {
    my ($hz, $seconds) = @_;
    my $debian  = unpacked('amd64', 'rtla');
    my $rtla    = "$debian/usr/bin/rtla";
    my %library = libraries($rtla, $debian);
    my $period  = int 1_000_000 / $hz;
    my $files   = left_in_guest('rt', {timerlat => "rtla timerlat hist -c 0 -p $period -d ${seconds}s -b 1 -E 10000"},
        'bin/rtla' => slurp($rtla), map { $_ => slurp($library{$_}) } keys %library);
    my @bins = map { /^(\d+)\s+(\d+)\s+(\d+)\s*$/ ? [$1, $2, $3] : () } split /\n/, slurp("$files/timerlat/stdout");
    return map { my $column = $_; median_of_bins(map { [$_->[0], $_->[0] + 1, $_->[$column]] } grep { $_->[$column] } @bins) } 1, 2;
}

# Runs the scripts (name => text), and returns the directory in which each has a directory of what it left.
sub left_in_guest {
    my ($flavour, $scripts, %files) = @_;
    prerequisites();
    my $run = boot(
        kernel    => kernel($flavour),
        directory => "$ROOT/build/guest/bench-$flavour-" . (sort keys %$scripts)[0],
        initramfs => initramfs(
            init     => "$ROOT/tests/guest/init",
            programs => [find_program('busybox'), program()],
            files    => {'etc/passwd' => "root::0:0::/:/bin/sh\n", %files, map { ("cases/$_" => "$scripts->{$_}\n") } keys %$scripts},
        ),
    );
    die "$run->{failure}\n" if defined $run->{failure};
    return $run->{files};
}

1;
