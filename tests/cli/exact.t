# SPDX-License-Identifier: GPL-2.0-or-later
# What is counted, to the last wake-up: with a clock that the machine has no part in, the same seed is the same report.
# RECORD=1 prove tests/cli/exact.t writes the files anew: read the difference.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeTime;
use Program;
use Report;
use RunCommand;
use Test::More;

my $golden = "$FindBin::Bin/golden";

# The keys that depend neither on the machine nor on the rights that it grants.
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
    my ($status, $out) = run(fake_time($seed), realfeel(@options, qw(-o -)));
    is($status, $name =~ /failed/ ? 2 : 0, "$name: exit status");
    whole_report($out, "$name: a whole report");
    file_of("$golden/$name", measured($out)) if $ENV{RECORD};
    is(measured($out), contents("$golden/$name"), "$name: as in golden/$name");
}

agrees('nanosleep', 1, qw(-s nanosleep -n 1000));
agrees('nanosleep-100', 9, qw(-s nanosleep -n 700 -f 100));
agrees('timerfd', 3, qw(-s timerfd -n 1000));
agrees('timerfd-failed', 4, qw(-s timerfd -n 1500 -f 500 --max=1ms));

done_testing;
