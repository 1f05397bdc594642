# SPDX-License-Identifier: GPL-2.0-or-later
# What realfeel --explain adds to a report: read as it is, and refused where it contradicts itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(sum0);
use Test::More;

use RandomExplain;
use RandomReport;
use Realfeel::Answer::Why qw(culprits wakeups);
use Realfeel::Model::Explain;
use Realfeel::Model::Report;
use Realfeel::Show::Why qw(sentence);
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $good    = contents("$FindBin::Bin/data/explained.hist");
my $dir     = tempdir(CLEANUP => 1);
seed();

sub file_with { return file_of("$dir/x.hist", @_) }

sub read_text { return Realfeel::Model::Report->read(file_with(@_)) }

# The good report with one thing changed.
sub with {
    my ($from, $to) = @_;
    my $at = index $good, $from;
    die "not in the report: $from" if $at < 0;
    return substr($good, 0, $at) . $to . substr $good, $at + length $from;
}

sub line_of {
    my ($line) = @_;
    return 1 + (substr($good, 0, index $good, $line) =~ tr/\n//);
}

# Of each what is changed, to what, the line that is named (by its beginning) and what is said.
my @bad = (
    ['parts_unknown: 1', 'parts_unknown: 2', '# parts_matched', 'parts_matched \\+ parts_unknown is not samples'],
    ["# parts_unknown: 1\n", '', undef, "the header has no 'parts_unknown'"],
    ["# trace_lost: 0\n", '', undef, "the header has no 'trace_lost'"],
    ['trace_lost: 0', 'trace_lost: some', '# trace_lost', "trace_lost is 'some', not a whole number of 0 or more"],
    ['18178 of 18181', '18178', '# explain_switches', "explain_switches is '18178', not two numbers like '18178 of 18181', .*"],
    ['with_ns: 38700', 'with_ns: -1', '# explain_with_ns', "explain_with_ns is '-1', not a number of 0 or more, .*"],
    ["# again_sum_ns: ", "# again_sum: ", undef, "the header has no 'again_sum_ns'"],
    ["# again_sum_ns: ", "# again_sum_ns: 1", '# parts_lateness_sum_ns', 'parts_lateness_sum_ns is \d+, but the parts add up to \d+'],
    ['425.565 10.087', '425.565 10.088', '0.003348', 'the parts add up to 474.114 us, lateness_us is 474.113'],
    ['425.565 10.087', 'unknown 10.087', '0.003348', 'of the five parts only some are unknown'],
    [' again_us stamp_us', ' stamp_us', '# at_s', "data set 'events' does not begin with .*"],
    ["13.07 13.08 1", "13.07 13.08 2", '# parts_matched', 'parts_matched is 19, but parts holds 20'],
    ["13.07 13.08 1", "13.07 13.06 1", '13.07 13.08', 'the bin from 13.07 us ends before it begins'],
    ['57.00 58.00 1 ', '57.00 58.00 2 ', '# parts_matched', 'parts_matched is 19, but parts_by_lateness holds 20'],
    ['57.00 58.00 1 7.', '57.00 58.00 1 9.', '57.00 58.00 1 7.', 'the parts add up to 59.927 us, not between 57.00 and 58.00 us'],
);

for (@bad) {
    my ($from, $to, $line, $what) = @$_;
    my $report = eval { read_text(with($from, $to)) };
    my $error = $@;
    my $number = defined $line ? line_of($line) : '\d+';
    like($report ? 'no error' : $error, qr/\A\Q$dir\E\/x\.hist:$number: $what; [^\n]+\n\z/, "$from becomes $to");
}

# The same of records.
my $records = <<'END';


# records
# event at_us cpu kind name id priority detail stack
1 -500.000 1 switch_out realfeel 1200 rt:95 S -
1 -500.000 1 switch_in hog\x20\x1b 1234 rt:97 - -
1 425.500 1 vector_entry timer\x20interrupt 236 - - -
1 426.000 1 expire - - - - hrtimer_interrupt+0xff<unknown
1 430.000 1 waking realfeel 1200 rt:95 - -
1 435.000 - lost - - - 3 -
2 300.000 1 switch_out \x2d 77 nice:0 R -
2 300.000 1 switch_in realfeel 1200 rt:95 - schedule+0x5a
END
my $recorded = $good =~ s/\n\n\n# records\n.*(?=# end )/$records/sr =~ s/ standby:\d+//r;

my @bad_records = (
    ['2 300.000 1 switch_out', '22 300.000 1 switch_out', 'event 22 is not there, events has 20'],
    ["1 435.000 -", "3 435.000 -", 'event 2 is out of order', '2 300.000 1 switch_out'],
    ['1 426.000', '1 425.499', 'the record at 425.499 us is earlier than the one before'],
    ['425.500 1 vector_entry', '425.500 1 vector', "kind is 'vector', not one of expire, .*"],
    ['1 -500.000 1 switch_in', '1 -499.000 1 switch_in', 'a switch has only one of its two tasks'],
    ["2 300.000 1 switch_in", "2 300.000 1 waking", 'a switch has only one of its two tasks'],
    ['1 430.000 1 waking', '1 430.000 1 switch_in', 'a switch has only one of its two tasks'],
    ["2 300.000 1 switch_in realfeel 1200 rt:95 - schedule+0x5a\n", '', 'a switch has only one of its two tasks', '2 300.000 1 switch_out'],
    ['waking realfeel 1200', 'waking realfeel -', 'the task of this waking has no number'],
    ['waking realfeel 1200', 'waking realfeel me', "id is 'me', not a whole number, nor '-'"],
    ['lost - - - 3 -', 'lost - - - 3', '8 columns where 9 are due'],
    ['lost - - - 3 -', 'lost - - - 3 - -', 'not a line of this data set|10 columns where 9 are due'],
    ['own_processes: keeper:1199', 'own_processes: keeper 1199',
        "own_processes is 'keeper 1199 meter:1200', not processes like 'keeper:123 meter:124'", '# own_processes'],
);

subtest 'the records of a report are read' => sub {
    my $report = read_text($recorded);
    my $of = Realfeel::Model::Explain::records($report);
    is_deeply([map { $_->{kind} } @{ $of->{1} }], [qw(switch vector_entry expire waking lost)], 'the records are in their order');
    my $ended = read_text($recorded =~ s/switch_out \\x2d 77 nice:0/switch_out - - -/r);
    is_deeply([@{ Realfeel::Model::Explain::records($ended)->{2}[0]{prev} }{qw(name id priority rank)}],
        ['a task that has ended', -1, undef, undef], 'the number of a task that has ended is not known');
    my ($switch, $interrupt, $expiry) = @{ $of->{1} };
    is_deeply([@{ $switch->{next} }{qw(name id priority rank)}, $switch->{state}, $switch->{at}],
        ["hog \e", 1234, 'rt:97', 2, 'S', -500_000], 'a switch has both tasks');
    is_deeply($expiry->{stack}, ['hrtimer_interrupt', 'unknown'], 'the stack has the names of functions');
    is($of->{2}[0]{prev}{name}, '-', 'a name that is a dash');
    is($of->{2}[0]{stack}[0], 'schedule', 'a switch has the stack of either line');
    is($interrupt->{name}, 'timer interrupt', 'an interrupt has a name');
    is_deeply([keys %{ Realfeel::Model::Explain::records($report, 1) }], [1], 'the number of events that are read can be limited');
    is_deeply({ Realfeel::Model::Explain::own_processes($report) }, { 1199 => 'keeper', 1200 => 'meter' },
        'our own processes are known by their pids');
    for (@bad_records) {
        my ($from, $to, $what, $line) = @$_;
        my $text = $recorded =~ s/\Q$from\E/$to/r;
        die "not in the records: $from" if $text eq $recorded;
        my $begins = $line // $to =~ s/(?<=\n).*//sr;
        my $number = 1 + (substr($text, 0, index $text, $begins) =~ tr/\n//);
        my $error = eval { read_text($text) } ? 'no error' : $@;
        like($error, qr/\A\Q$dir\E\/x\.hist:$number: (?:$what); [^\n]+\n\z/, "$from becomes $to");
    }
};

subtest 'columns of events' => sub {
    my $unmatched = $good =~ s/^# parts_matched: \K.*/0/mr =~ s/^# parts_unknown: \K.*/20/mr;
    my ($head, $rows, $rest) = $unmatched =~ /(.*\n# at_s[^\n]*? cpu) smis[^\n]*\n(.*?)\n\n\n# parts\n.*(# end.*)/s;
    my $events = sub {
        my ($columns, $values) = @_;
        my @rows = map { /^((?:\S+ ){7}\S+)/; "$1 $values" } split /\n/, $rows;
        return read_text(join "\n", $columns ? "$head $columns" : $head, @rows, $rest)->events;
    };
    my @old = qw(run_delay_us switches faults interrupts);
    is($events->('', '')->[0]{smis}, undef, 'a run without --explain has no counters');
    is($events->('smis', 3)->[0]{smis}, 3, 'a count of SMIs is read without parts');
    my $first = $events->("@old smis", '1.5 2 3 4 5')->[0];
    is_deeply([$first->{smis}, grep { exists $first->{$_} } @old], [5], 'four of the five counters of the first --explain are skipped');
    is_deeply([@{ $events->("@old smis", '1.5 2 3 4 unknown')->[0] }{@old, 'smis'}], [(undef) x 5],
        'a count of SMIs may be unknown behind the former counters');
    ok(!exists $events->("@old", '1.5 2 3 4')->[0]{smis}, 'a former report may lack the count of SMIs');
    is(eval { $events->('switches', 1) }, undef, 'a counter that no version had alone is refused');
};

subtest 'what is reported of parts' => sub {
    my $report = read_text($good);
    is_deeply([map { $_->{key} } Realfeel::Model::Explain::parts($report)], [qw(expiry waking switch again stamp)],
        'the parts are in the order of time');
    is(sum0(map { $_->{distribution}->n } Realfeel::Model::Explain::parts($report)), 5 * 19, 'each of all that were matched');
    is_deeply(Realfeel::Model::Explain::counts($report),
        { matched => 19, unknown => 1, lost => 0, traced => 18178, counted => 18181 }, 'the report says how many wake-ups were matched');
    is(Realfeel::Model::Explain::cost($report)->{more_us}, 4.3, 'what it costs');
    my $all = Realfeel::Model::Explain::beyond($report, 1);
    is($all->{wakeups}, 19, 'shares of all');
    cmp_ok(abs(sum0(values %{ $all->{share} }) - 1), '<', 1e-9, 'the shares of the parts add up to the whole');
    is(Realfeel::Model::Explain::beyond($report, 100), undef, 'a percentile with too few wake-ups has no shares');
    is_deeply([Realfeel::Model::Explain::findings($report)], [{ code => 'unknown', wakeups => 1, samples => 20 }],
        'what is to be known');
    my ($failed) = Realfeel::Model::Explain::findings(read_text(with('18178 of', '9000 of')));
    is_deeply($failed, { code => 'self_test', traced => 9000, counted => 18_181 }, 'a failed self-test');
};

subtest 'what is reported of the worst' => sub {
    my $report = read_text($good);
    my @worst = Realfeel::Model::Explain::worst($report);
    is(scalar @worst, 20, 'all events');
    is_deeply([map { $_->{number} } @worst], [1 .. 20], 'the events have their numbers');
    my (undef, $second, undef, $fourth) = wakeups($report);
    is_deeply([@{ $fourth->{segments}[-2] }{qw(kind name priority detail)}], ['task', "-\e", 'nice:0', 'pid:14'],
        'a segment has the task that had the CPU');
    is_deeply([@{ $fourth->{segments}[0] }{qw(kind name priority detail)}], ['unknown', undef, undef, 'ring-ends'],
        'a segment may be unknown, with the reason');
    is_deeply($second->{stacks}[1],
        { where => 'switch', frames => ['exit_to_user_mode_prepare+0x1b2', 'syscall_exit_to_user_mode+0x1e'] },
        'a stack has the place of its record');
    is_deeply((culprits(wakeups($report)))[0], { kind => 'task', name => 'perl', wakeups => 1, us => '449.297' },
        'the first culprit has its wake-ups and its time');
};

# What it was made of, the program itself wrote, and that is skipped, whatever it is.
subtest 'data sets of 0.1' => sub {
    my $old = join '', map { "\n\n# $_\nanything, 1\n" } qw(blame culprits stacks sentences trace);
    is_deeply(read_text($good =~ s/(?=\n# end )/$old/r)->{sets}, read_text($good)->{sets}, 'data sets of 0.1 are not read');
};

# Its latency is that since the request, and no timer is to expire for it.
subtest 'a run whose wake-ups are asked for' => sub {
    my $text = contents("$FindBin::Bin/data/asked.hist");
    my $report = read_text($text);
    is_deeply([map { "$_->{key}: $_->{name}" } Realfeel::Model::Explain::parts($report)], ['waking: request to waking',
        'switch: waking to switch', 'again: blocked again', 'stamp: switch to stamp'], 'the parts begin with the request');
    like(sentence(wakeups($report, 1)), qr/^75\.5 us after the request: realfeel's own waker/, 'the lateness counts from the request');
    my (undef, $out) = run($analyze, 'explain', '-v', "$dir/x.hist");
    like($out, qr/^  the parts of the wake-up latency in us/m, 'the listing names the wake-up latency');
    like($out, qr/^  task +realfeel-waker +\d+ /m, 'the listing names our own waker');
    is(eval { read_text($text =~ s/17\.168 45\.008/17.168 45.009/r) }, undef, 'parts of another sum');
    like($@, qr/the parts add up to 75\.457 us, wakeup_us is 75\.456;/, 'the reason is that the parts have another sum');
};

subtest 'a run without' => sub {
    my $report = Realfeel::Model::Report->read("$FindBin::Bin/data/events.hist");
    is_deeply([map { my $of = Realfeel::Model::Explain->can($_); $of->($report) } qw(parts by_lateness findings)],
        [], 'a run without --explain has no parts and no findings');
    is_deeply([map { my $of = Realfeel::Model::Explain->can($_); scalar $of->($report) } qw(level counts cost)], [(undef) x 3],
        'a run without --explain has no level, counts or cost');
};

subtest 'random reports are read' => sub {
    for (1 .. 50) {
        my ($report, $slices) = random_report(200);
        my $text = report_text(explained($report, $slices, rand() < 0.1 ? 1 : rand 0.2));
        ok(eval { read_text($text) }, 'a random report is read') or diag($@), last;
    }
};

done_testing;
