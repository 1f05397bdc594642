# SPDX-License-Identifier: GPL-2.0-or-later
# --explain: what is asked for, and what it comes to: a process of higher priority takes the CPU away, and is named.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Answered;
use FakeRoot;
use Hog;
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(run contents start finish);
use Test::More;

# The report has the 32 worst wake-ups. On a shared machine some are not the hog's, and others may delay the hog as well.
use constant { STALLS => 20, SEEN => 5 };

plan skip_all => 'real-time rights are refused here' unless has_rights();
plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
my @CPUS = allowed_cpus();
my $cpu  = $CPUS[0];

my @found = (run(program(qw(-s nanosleep --check --explain=stacks -a), $cpu)))[1] =~ /^explain: (.*)$/mg;
plan skip_all => "--explain is refused here: @found"
    if "@found" !~ /^ok: the kernel records \d+ of \d+ task switches(?:, sched_switch \d+)?$/;

sub measured {
    my @options = @_;
    my ($status, undef, $err) = run(program(qw(-s nanosleep -n 500 -q -o report --force), '-a', $cpu, @options));
    is("$status $err", '0 ', "@options: measured");
    return whole_report(contents('report'));
}

# How many switches of tasks were recorded, and how many there were.
sub switches {
    my ($report) = @_;
    return $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
}

# Nearly all, without which it is not known who had the CPU.
sub is_recorded {
    my ($recorded, $all) = switches($_[0]);
    return $recorded >= 0.99 * $all;
}

# A report of a run while a hog stalls the CPU, and those of its worst wake-ups that were late by the hog, as it says itself:
# [{us => how long, hogged_us => how long by the report, sentence => ...}].
sub stalled {
    my ($on) = @_;
    my $run = start(program(qw(-s nanosleep -p 50 -q --explain -o report --force -a), $on));
    wait_for_sample($run, 'report');
    my @hogged = hog($on, 98, STALLS);    # above the meters of other tests
    kill INT => $run->{pid};
    is((finish($run))[0], 0, 'exit status');
    my ($report, @stalls) = whole_report(contents('report'));
    for my $answer (answered(contents('report'))) {
        my $event = $report->{sets}{events}[$answer->{number} - 1];
        my $us = stalled_us($event, @hogged);
        push @stalls, { us => $us, hogged_us => hogged_us($answer), sentence => $answer->{sentence} }
            if $us > $event->{lateness_us} / 2;
    }
    return ($report, @stalls);
}

# How long the hog had the CPU, by the report.
sub hogged_us {
    my ($answer) = @_;
    return sum0(map { $_->{to_us} - $_->{from_us} } grep { $_->{kind} eq 'task' && $_->{name} eq 'hog' } @{ $answer->{segments} });
}

workspace();

for my $case (['off'], ['parts', '--explain=parts'], ['blame', '--explain'], ['blame', '--explain=blame'],
              ['stacks', '--explain=stacks']) {
    my ($level, @options) = @$case;
    my $report = measured(@options);
    is($report->{explain}, $level, 'the report says so');
    next if !@options;
    like($report->{explain_with_ns} . ' ' . $report->{explain_without_ns}, qr/^\d+ \d+$/, 'and what recording costs');
    my ($recorded, $all) = switches($report);
    cmp_ok($all, '>=', 500, 'of so many switches of tasks');
    cmp_ok($recorded, '<=', $all, 'so many were recorded');
    is((grep { exists $_->{smis} && exists $_->{counting_us} } @{ $report->{sets}{events} }), scalar @{ $report->{sets}{events} },
        'and each event has what is known then');
}

sub processes {
    my ($report) = @_;
    return {map { split /:/ } split ' ', $report->{own_processes}};
}

subtest 'our own processes' => sub {
    my $run = start(program(qw(-s thread -p 50 -q --explain -o report --force -a), $cpu, qw(-- sleep 60)));
    wait_for_sample($run, 'report');
    my ($standby, $meter) = children($run->{pid});
    my %all = (keeper => $run->{pid}, standby => $standby, meter => $meter,
        waker => (children($meter))[0], load => (children($standby))[0]);
    kill INT => $run->{pid};
    finish($run);
    is_deeply(processes(whole_report(contents('report'))), \%all, 'each is told with its number');
    is_deeply([sort keys %{ processes(measured('--explain')) }], [qw(keeper meter standby)], 'and no other');
    ok(!exists measured('--explain=parts')->{own_processes}, 'where nothing names a process there are none');
};

subtest 'system management interrupts' => sub {
    my $msr = '/sys/bus/event_source/devices/msr';    # here a counter of time on the CPU, in ns
    my ($status, $out) = run(fake_root("$msr/type" => 1, "$msr/events/smi" => 'event=0x0'),
        program(qw(-s nanosleep -n 20 -q --explain=parts -o - -a), $cpu));
    my @counts = map { $_->{smis} } @{ whole_report($out)->{sets}{events} };
    cmp_ok(scalar @counts, '>', 0, 'of events');
    is_deeply([grep { !/^[1-9]\d*$/ } @counts], [], 'are counted, where the machine does so, from one wake-up to the next');
};

my ($report, @stalls);
for my $on (@CPUS) {
    ($report, @stalls) = stalled($on);
    last if is_recorded($report);
}
subtest 'a hog' => sub {
    plan skip_all => "of the switches of tasks only $report->{explain_switches} are recorded here" if !is_recorded($report);
    cmp_ok(scalar @stalls, '>=', SEEN, 'its stalls are among the worst events');
    my @had = grep { $_->{hogged_us} > 0.75 * $_->{us} } @stalls;
    cmp_ok(scalar @had, '>=', 0.75 * @stalls, 'in them it had the CPU for as long as it says itself');
    is_deeply([grep { !/ late: .*'hog' \(rt 98\) / } map { $_->{sentence} } @had], [], 'and each sentence names it');
};

my ($status, $out, $err) = run(program('--explain=all'));
is("$status $out $err", "1  realfeel: --explain=all: unknown; one of parts, blame, stacks\n", 'no such thing');

done_testing;
