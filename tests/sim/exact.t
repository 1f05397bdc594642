# SPDX-License-Identifier: GPL-2.0-or-later
# What is counted, to the last wake-up: the same seed is the same report.
# RECORD=1 prove tests/sim/exact.t writes the files anew: read the difference.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Report;
use RunCommand;
use Sim;
use Test::More;

my $golden = "$FindBin::Bin/golden";

# The keys of what is measured.
my $MEASURED = qr/status|latency_\w+_us|duration_s|source|frequency_hz|period_ns|anchor_uncertainty_ns|clock|schedule
    |samples|periods|missed|early_wakeups|(?:interval|lateness)_\w+|max(?:_ns)?/x;

# A report without the others, and without the CPUs of its events.
sub measured {
    my ($report) = @_;
    my ($header, @sets) = split /^(?=\n\n# )/m, $report;
    my $keys = join '', grep { /^# $MEASURED: / } split /^/, $header;
    return join '', $keys, map { /^# events$/m ? s/^(\S+ .*?)(?: \S+){2}$/$1/mgr : $_ } @sets;
}

sub agrees {
    my ($name, $seed, @options) = @_;
    my $run = simulate([@options, qw(-o report)], script => ["set seed $seed"]);
    is($run->{status}, $name =~ /failed/ ? 2 : 0, "$name: exit status");
    whole_report($run->{report}, "$name: a whole report");
    file_of("$golden/$name", measured($run->{report})) if $ENV{RECORD};
    is(measured($run->{report}), contents("$golden/$name"), "$name: as in golden/$name");
}

agrees('nanosleep', 1, qw(-s nanosleep -n 1000));
agrees('nanosleep-100', 9, qw(-s nanosleep -n 700 -f 100));
agrees('timerfd', 3, qw(-s timerfd -n 1000));
agrees('timerfd-failed', 4, qw(-s timerfd -n 1500 -f 500 --max=1ms));

done_testing;
