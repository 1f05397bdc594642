# SPDX-License-Identifier: GPL-2.0-or-later
# --explain: what is asked for, and what it comes to.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report;
use RunCommand qw(run contents);
use Test::More;

plan skip_all => 'real-time rights are refused here' unless has_rights();
my ($cpu) = (run('taskset', '-pc', $$))[1] =~ /(\d+)$/ or plan skip_all => 'taskset not found: apt-get install util-linux';

my @found = (run(program(qw(-s nanosleep --check --explain=stacks -a), $cpu)))[1] =~ /^explain: (.*)$/mg;
plan skip_all => "refused here: @found" if "@found" ne 'ok';

sub measured {
    my @options = @_;
    my ($status, undef, $err) = run(program(qw(-s nanosleep -n 500 -q -o report --force), '-a', $cpu, @options));
    is("$status $err", '0 ', "@options: measured");
    return whole_report(contents('report'));
}

workspace();

for my $case (['off'], ['parts', '--explain=parts'], ['blame', '--explain'], ['blame', '--explain=blame'],
              ['stacks', '--explain=stacks']) {
    my ($level, @options) = @$case;
    my $report = measured(@options);
    is($report->{explain}, $level, 'the report says so');
    next if !@options;
    like($report->{explain_with_ns} . ' ' . $report->{explain_without_ns}, qr/^\d+ \d+$/, 'and what recording costs');
    my ($recorded, $all) = $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
    cmp_ok($all, '>=', 1000, 'of so many switches of tasks');
    cmp_ok($recorded, '<=', $all, 'so many were recorded');
    is((grep { exists $_->{smis} } @{ $report->{sets}{events} }), scalar @{ $report->{sets}{events} },
        'and each event has what is known then');
}

my ($status, $out, $err) = run(program('--explain=all'));
is("$status $out $err", "1  realfeel: --explain=all: unknown; one of parts, blame, stacks\n", 'no such thing');

done_testing;
