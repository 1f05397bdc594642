# SPDX-License-Identifier: GPL-2.0-or-later
package Loads;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(asked counted drawn drawn_file percent read_report truths);

use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long qw(GetOptions);
use lib "$FindBin::Bin/../../analyze/lib";

use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Report;

# What the tables of this folder have in common: the loads of loads.c, runs of them whose truth is known, and shares with
# their standard errors. Two processes share the work.
use constant {
    JOBS => 2,
    ALL  => [qw(independent pareto mode-0.1 mode-2 grid wander-2 wander-20 level-5 level-60 on-off on-off-7 sine-45
        drift-0.5 drift-20 bursts stall-80 stalls-20 cron dvfs cluster)],
};

my $draw = ($ENV{BUILD} // "$FindBin::Bin/../../build") . '/draw';
my $folder = tempdir(CLEANUP => 1);
my %option = (runs => 100, seconds => 60, seed => 1, cpus => 0);

# The options of the command line, which then names the loads.
sub asked {
    my %more = @_;
    %option = (%option, %more);
    GetOptions(\%option, map { "$_=i" } keys %option) or die "the first lines of $0 say what may be given\n";
    @ARGV = @{ ALL() } unless @ARGV;
    $| = 1;
    return %option;
}

# A report of that load: the rest is what draw takes.
sub drawn { return read_report(drawn_file("$folder/$$.hist", @_)) }

sub drawn_file {
    my ($file, $load, $seconds, @arguments) = @_;
    system("$draw $load $seconds @arguments >$file") == 0 or die "$draw failed\n";
    return $file;
}

sub read_report {
    my ($file) = @_;
    my ($run) = runs_of(Realfeel::Model::Report->read_all($file));
    return pooled($run);
}

# p50, p90, p99, p99.9 and p99.99 of all runs of a load.
sub truths {
    my ($load) = @_;
    return split ' ', `$draw $load $option{seconds}`;
}

# What a function counts that is called with each number of a run, and what it counts in.
sub counted {
    my ($function) = @_;
    my %sum;
    for my $pipe (map { _started($function, $_) } 0 .. JOBS - 1) {
        while (<$pipe>) {
            my ($key, $value) = /^(.*)\t(.*)$/;
            $sum{$key} += $value;
        }
        close $pipe or die "a process ended with status $?\n";
    }
    return %sum;
}

# Every JOBS-th run, in a process of its own.
sub _started {
    my ($function, $job) = @_;
    my $pid = open(my $pipe, '-|') // die "fork: $!\n";
    return $pipe if $pid;
    my %count;
    $function->($_, \%count) for grep { $_ % JOBS == $job } 0 .. $option{runs} - 1;
    print map { "$_\t$count{$_}\n" } sort keys %count;
    close STDOUT;
    exit 0;
}

# A share in per cent, with its standard error.
sub percent {
    my ($count, $of) = @_;
    return sprintf '%10s', '-' unless $of;
    my $share = ($count // 0) / $of;
    return sprintf '%10s', sprintf '%.1f+-%.1f', 100 * $share, 100 * sqrt($share * (1 - $share) / $of);
}

1;
