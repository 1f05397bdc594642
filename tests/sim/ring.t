# SPDX-License-Identifier: GPL-2.0-or-later
# A ring of processes: each hop is in the report, on several CPUs in a part for each.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Analyzer;
use Report;
use RunCommand qw(run);
use Sim;
use Test::More;

my $RESULT = 'wake-up   p50 100.6 us   p99 100.9 us   p99.9 ~100.9 us   max 100.9 us';

# A run of these options, whose outcome and whose parts are these.
sub measures {
    my ($options, $outcome, @parts) = @_;
    my $run = simulate([qw(-s ring -o report), @$options]);
    my @got = map { join ' ', map { $_ // 'none' } @$_{qw(source processes array_bytes samples missed cpu policy priority)} }
        ends_so("@$options", $run, @$outcome);
    is_deeply(\@got, \@parts, "@$options: its parts");
    return $run;
}

# An ordinary process is what is asked for, without a right, on one CPU. There are no periods and no schedule.
my $run = measures([qw(-n 3000)], ['exit 0', 'complete 3000, valid'], 'ring 2 0 3000 0 0 other 0');
my ($report) = parse_parts($run->{report});
is_deeply([grep { exists $report->{$_} } qw(part frequency_hz period_ns schedule phases)], [],
    'a ring has no rate, no schedule and no phases');
is($report->{memory_locked_kb}, 0, 'no memory is locked');
like($run->{err}, qr/^\Q$RESULT\E\n.*\nmissed    0 of 3000 wake-ups of ring\n/m, 'the result of a ring');

$run = measures([qw(-n 2000 --processes=5 --array=16k -a 3)], ['exit 0', 'complete 2000, valid'], 'ring 5 16384 2000 0 3 other 0');
like($run->{report}, qr/^# hop_overhead_ns: 100290\.0 100310\.0 100310\.0$/m, 'the overhead of a hop, three times');
measures(['-n', 10, "--array=$_"], ['exit 0', 'complete 10, valid'], 'ring 2 4 10 0 0 other 0') for qw(4 004);

$run = measures([qw(-n 3000 --processes=4 -a), '0,1,0,1'], ['exit 0', ('complete 3000, valid') x 2],
    map { "ring 4 0 3000 0 $_ other 0" } 0, 1);
unlike($run->{report}, qr/^# phases:/m, 'rings on two CPUs have no phases');
like($run->{err}, qr/^> +0 +3000 .*\n> +1 +3000 .*\nwake-up   p50 /m, 'rings on two CPUs have rows');
like($run->{err}, qr/^missed    0 of 6000 wake-ups of ring on 2 CPUs$/m, 'rings on two CPUs have a result');
is((run($analyze, qw(stats report)))[0], 0, 'the report of two rings can be read');

# With a real-time policy it rests as long as it works, which is in no hop.
$run = measures([qw(-P fifo -n 20000 --processes=3)], ['exit 0', 'complete 20000, valid'], 'ring 3 0 20000 0 0 fifo 95');
($report) = parse_parts($run->{report});
is("$report->{duration_s} $report->{wakeup_sum_ns}", '3.956384 2009041800', 'a real-time ring works and rests');

measures([qw(-b 1ns -n 1000)], ['exit 2', 'break 1, valid'], 'ring 2 0 1 0 0 other 0');
measures([qw(-n 2000), actor('sleep=1000')], ['exit 0', 'complete 2000, valid; load: signal 15, by the run'],
    'ring 2 0 2000 0 0 other 0');

# The keeper waits for a ring that is held up, to save what it has, and looks once a millisecond.
$run = simulate([qw(-s ring -d 1h -C 0 -o report)], script => ['set trace keeper', '1 USR1 keeper', '1.1 STOP meter0',
    (map { "1.$_ USR1 keeper" } 2 .. 9), '2 CONT meter0', '3 INT keeper']);
ends_so('a ring that is held up', $run, 'exit 3',
    'interrupted 20602, suspect: stopped: a signal stopped the measuring process for 0.901 s');
my @polls = grep { $_ >= 1.2 && $_ < 2 } $run->{log} =~ /^(\S+) keeper calls \d+ poll$/mg;
is_deeply(\@polls, [map { sprintf '1.%03d000000', $_ } 200 .. 999], 'the keeper does not take the CPU');

done_testing;
