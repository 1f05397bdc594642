# SPDX-License-Identifier: GPL-2.0-or-later
# --explain=parts: of every wake-up the parts are known and add up, or it is counted as unknown, whatever gets in the way. In
# tests/guest/explain_parts.t the keeper is stopped meanwhile.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report;
use RunCommand qw(run contents);
use Test::More;

my $refusal = explain_refusal();
plan skip_all => $refusal if $refusal;
my @CPUS = allowed_cpus();

# Of a run with these options, the reports of its CPUs.
sub explained {
    my @options = @_;
    my ($status, undef, $err) = run(program(qw(-s nanosleep -q -o report --force), @options));
    is("$status $err", '0 ', "@options: measured");
    return whole_parts(contents('report'));
}

# A machine may lose events, for a tracer that comes or goes, or give the keeper no CPU: not all wake-ups are known. More than
# so many in a hundred are.
sub is_known {
    my ($report, $percent) = @_;
    my $known = "$report->{parts_matched} of $report->{samples} wake-ups are known";
    diag("$known; CPU $report->{cpu}; $report->{trace_lost} records lost; $report->{explain_switches} switches recorded");
    return cmp_ok($report->{parts_matched}, '>', $percent / 100 * $report->{samples}, $known);
}

workspace();

# As many as find room even where the keeper reads none before the end.
subtest '3000 wake-ups' => sub {
    is_known(explained(qw(--explain=parts -n 3000 -a), $CPUS[0]), 80);
};

my $MANY = $ENV{CHECK_ALL} ? 200_000 : 40_000;
subtest "$MANY wake-ups at 8192 Hz" => sub { is_known(explained('--explain=parts', '-n', $MANY, qw(-f 8192 -a), $CPUS[0]), 20) };

subtest 'as fast as it can be' => sub {
    my ($report) = explained(qw(--explain=parts -d 2s -f 100000 -a), $CPUS[0]);
    cmp_ok($report->{parts_unknown}, '>', 0, "$report->{parts_matched} of $report->{samples} wake-ups are known");
};

subtest 'several CPUs' => sub {
    plan skip_all => 'there is one CPU only' if @CPUS < 2;
    is_known($_, 0) for explained(qw(--explain -n 5000 -a), "$CPUS[0],$CPUS[1]");
};

done_testing;
