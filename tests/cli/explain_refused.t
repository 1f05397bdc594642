# SPDX-License-Identifier: GPL-2.0-or-later
# Where the kernel records, --explain watches one CPU, and is refused in a PID namespace. tests/sim/refusals.t has the rest.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report;
use RunCommand qw(run);
use Test::More;

plan skip_all => explain_refusal() if explain_refusal();

my @CPUS = allowed_cpus();
my $CPU  = $CPUS[0];

workspace();

subtest 'no CPU is named' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS == 1;
    my @few = program(qw(-s nanosleep -P other --explain=parts -n 5 -o -));
    my ($status, $out, $err) = run(@few);
    my ($cpu) = $err =~ /^realfeel: --explain watches one CPU: CPU (\d+), where realfeel is running now; use -a to name another$/m;
    is($status, 0, 'a run without --cpu is measured on one CPU');
    is(whole_report($out)->{cpu}, $cpu, 'the CPU that is printed is measured');
    is((run(@few, '-q'))[2], '', 'no CPU is printed with -q');
    my @others = ([@few, "--cpu=$CPU"], ['taskset', '-c', $CPU, @few], [program(qw(-s nanosleep -P other -n 5 -o -))]);
    unlike((run(@$_))[2], qr/watches/, 'no CPU is printed where it is known, or nothing is recorded') for @others;
};

subtest 'a PID namespace' => sub {
    my @inside = qw(unshare --pid --fork --mount-proc);
    plan skip_all => 'no right to a PID namespace: run as root' if (run(@inside, 'true'))[0];
    my ($status, undef, $err) = run(@inside, program('-s', 'nanosleep', '-P', 'other', '--explain', '-n', 5, '-o', '-', '-a', $CPU));
    is($status, 1, 'exit status');
    like($err, qr/^realfeel: --explain: in this PID namespace processes have other numbers .*; run outside it, .*, or use --best-effort$/m,
        'the reason and the remedy');
};

done_testing;
