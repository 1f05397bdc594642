# SPDX-License-Identifier: GPL-2.0-or-later
# The parts of several reports made one, with their worst wake-ups and all that is recorded of these: exact, in whatever order.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(shuffle);
use Test::More;

use RandomExplain;
use RandomReport;
use Realfeel::Answer::Why qw(culprits wakeups);
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Explain;
use Realfeel::Model::Merge;
use Realfeel::Model::Report;
use Realfeel::Show::Why qw(sentence);
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my @PARTS = qw(expiry waking switch again stamp);
my $dir = tempdir(CLEANUP => 1);
seed();

my $files = 0;

sub file { return file_of("$dir/" . ++$files . '.hist', @_) }

sub merged_text {
    my @texts = @_;
    my $merge = Realfeel::Model::Merge->new(mixed => 1);
    $merge->add(Realfeel::Model::Report->read(file($_))) for @texts;
    return report_text($merge->reports);
}

sub random_explained {
    my ($report, $slices) = random_report(@_);
    return explained($report, $slices);
}

# The events of a report, each as all that is recorded of it, without its number.
sub known_of {
    my ($report) = @_;
    my %records = map { (split)[0] => s/^\d+ //mgr } $report->groups('records', 'event');
    return map { join ' ', $_->{period}, $_->{lateness_us}, $records{ $_->{number} } // '' } Realfeel::Model::Explain::worst($report);
}

subtest 'adding is exact' => sub {
    for (1 .. ($ENV{CHECK_ALL} ? 10 : 3)) {
        my @texts = map { report_text(random_explained(200)) } 1 .. 3;
        my @read = map { Realfeel::Model::Report->read(file($_)) } @texts;
        my $sum = Realfeel::Model::Report->read(file(merged_text(@texts)));
        for my $key (qw(parts_matched parts_unknown parts_lateness_sum_ns), map { "${_}_sum_ns" } @PARTS) {
            my $expected = 0;
            $expected += $_->header($key) // 0 for @read;
            is($sum->header($key), $expected, $key);
        }
        is($sum->header('explain_wakings'), '768 of 768', 'the waking records of both are added');
        is($sum->header('explain_switches'), '54534 of 54543', 'the switch records are added');
        is($sum->header('explain_traced'), '54531 of 54543', 'the records of sched_switch are added');
        is((Realfeel::Model::Explain::parts($sum))[2]{distribution}->n, $sum->header('parts_matched'), 'the bins of a part are added');
        my @all = sort { $b->{lateness_us} <=> $a->{lateness_us} } map { Realfeel::Model::Explain::worst($_) } @read;
        my %known = map { $_ => 1 } map { known_of($_) } @read;
        my @kept = Realfeel::Model::Explain::worst($sum);
        is_deeply([map { $_->{lateness_us} } @kept], [map { $_->{lateness_us} } @all[0 .. $#kept]],
            'the worst wake-ups of all runs are kept in order');
        is_deeply([grep { !$known{$_} } known_of($sum)], [], 'each wake-up keeps its records');
    }
};

subtest 'the order and the grouping of merges do not matter' => sub {
    for my $round (1 .. ($ENV{CHECK_ALL} ? 20 : 5)) {
        my @texts = map { report_text(rand() < 0.2 ? (random_report(40))[0] : random_explained(int rand 60)) } 1 .. 3;
        s/(?<=with_ns: )38700/38_500 + 100 * int rand 5/e, s/(?<=without_ns: )34400/34_200 + 100 * int rand 5/e for @texts;
        my $all = merged_text(@texts);
        my @other = shuffle @texts;
        my ($first, $last) = (merged_text(@other[0, 1]), merged_text(@other[1, 2]));
        my @ways = (merged_text(@other), merged_text($first, $other[2]), merged_text($other[0], $last));
        is_deeply(\@ways, [($all) x 3], "round $round") or last;
    }
};

subtest 'what recording costs' => sub {
    my $text = report_text(random_explained(40));
    my $cost = sub {
        my @texts = map { $text =~ s/(?<=with_ns: )38700/$_->[0]/r =~ s/(?<=without_ns: )34400/$_->[1]/r } @_;
        my $sum = Realfeel::Model::Report->read(file(merged_text(@texts)));
        return [map { $sum->header($_) } qw(explain_with_ns explain_without_ns)];
    };
    is_deeply($cost->([40_000, 36_000], [30_000, 20_000]), [30_000, 20_000], 'the cost of a merge is the largest of its runs');
    is_deeply($cost->([40_000, 36_000], [39_000, 35_000]), [40_000, 36_000], 'equal costs leave the slower run');
    is_deeply($cost->([40_000, 36_000], [39_000, 'unknown']), [undef, undef], 'the cost is unknown unless each run knows its own');
};

subtest 'a run that does not know' => sub {
    my ($explained, $plain) = (random_explained(40), (random_report(40))[0]);
    my $sum = Realfeel::Model::Report->read(file(merged_text(map { report_text($_) } $explained, $plain)));
    ok(!$sum->has($_), "no $_") for qw(parts parts_by_lateness);
    is($sum->header('verdict'), 'suspect: runs of several levels of --explain', 'the verdict says that the levels differ');
    my @files = map { file(report_text($_)) } $explained, $plain;
    my ($status, undef, $err) = run($analyze, 'merge', @files);
    like("$status $err", qr/^1 .*: explain is 'off', but .* give --mixed$/, 'unlike levels are merged with --mixed alone');
    is($sum->header($_), undef, "no $_") for qw(parts_matched trace_lost again_sum_ns explain_switches explain_with_ns);
    ok(Realfeel::Model::Explain::is_blamed($sum), 'the records of the explained run stay');
    ok((grep { !defined $_->{stamp_us} } Realfeel::Model::Explain::worst($sum)), 'a wake-up of the other run has no parts');
};

subtest 'runs with records' => sub {
    my $one = contents("$FindBin::Bin/data/explained.hist");
    my $two = $one =~ s/keeper:1199 standby:1201 meter:1200/keeper:7 meter:8/r =~ s/ 1200 / 8 /gr =~ s/ 1199 / 7 /gr
        =~ s/^# started: .*/# started: 2026-11-21T00:00:00Z/mr;
    my $sum = Realfeel::Model::Report->read(file(merged_text($one, $two)));
    is($sum->header('own_processes'), 'keeper:1199 keeper:7 meter:1200 meter:8 standby:1201', 'all processes are ours');
    my %known = map { sentence($_) => 1 } map { wakeups(Realfeel::Model::Report->read(file($_))) } $one, $two;
    my @told = map { sentence($_) } wakeups($sum);
    is_deeply([grep { !$known{$_} } @told], [], 'each wake-up is explained as before');
    is(scalar @told, 8, 'eight wake-ups are explained');
    is((grep { /realfeel's own keeper/ } @told), 2, 'the keeper of each run is known');
};

subtest 'a run of a former version' => sub {
    my $new = report_text(scalar random_explained(20, source => 'rtc /dev/rtc0', clock => 'tsc'));
    my $sum = Realfeel::Model::Report->read(file(merged_text(contents("$FindBin::Bin/data/events.hist"), $new)));
    my ($old) = grep { $_->{lateness_us} == 492.352 } @{ $sum->events };
    is_deeply([@$old{qw(smis stamp_us)}], [undef, undef], 'an old event has no parts');
    is_deeply([grep { /^(?:run_delay_us|switches|faults|interrupts)$/ } @{ ($sum->rows('events'))[0] }], [],
        'what only 0.1 counted is not merged');
};

subtest 'the CPUs of a run' => sub {
    my @cpus = map { scalar random_explained(100) } 1 .. 3;
    my @reports = Realfeel::Model::Report->read_all(file(parts_text(@cpus)));
    my ($run) = runs_of(@reports);
    my $pool = pooled($run);
    my $matched = 0;
    $matched += $_->header('parts_matched') for @reports;
    is($pool->header('parts_matched'), $matched, 'the CPUs of a run have a sum of matched wake-ups');
    my %known = map { $_ => 1 } map { known_of($_) } @reports;
    is_deeply([grep { !$known{$_} } known_of($pool)], [], 'each wake-up keeps all that was recorded of it');
    my ($first) = culprits(wakeups($pool));
    is(Realfeel::Model::Explain::beyond($pool, 1)->{wakeups}, $matched, 'the parts by lateness are those of all CPUs') if $matched >= 10;
    cmp_ok($first->{wakeups}, '<=', 32, 'the culprits are found in 32 wake-ups at most');
};

done_testing;
