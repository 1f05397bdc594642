# SPDX-License-Identifier: GPL-2.0-or-later
# Several reports made one: exact, in whatever order, and not when it must not be.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use IO::Uncompress::Gunzip qw(gunzip);
use List::Util qw(max shuffle sum0);
use Math::BigInt;
use Test::More;

use RandomReport;
use Realfeel::Model::Merge;
use Realfeel::Model::Report;
use Report ();
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $data = "$FindBin::Bin/data";
my $dir = tempdir(CLEANUP => 1);
my $MANY = $ENV{CHECK_ALL};
seed();

my $files = 0;

sub file { return file_of("$dir/" . ++$files . '.hist', @_) }

sub merged_text {
    my ($option, @texts) = @_;
    my $merge = Realfeel::Model::Merge->new(%$option);
    $merge->add(Realfeel::Model::Report->read(file($_))) for @texts;
    return report_text($merge->reports);
}

sub total_of {
    my ($text, @keys) = @_;
    my $header = Realfeel::Model::Report->read(file($text));
    return {map { $_ => $header->header($_) } @keys};
}

# What a report of several runs says of all its samples must be what a report of one run with these samples says.
subtest 'adding is exact' => sub {
    my %known = (due => [qw(interval lateness)], asked => ['wakeup'], both => [qw(interval lateness wakeup)]);
    for my $measures (map { ($_) x ($MANY ? 8 : 2) } sort keys %known) {
        my @known = @{ $known{$measures} };
        my @keys = (qw(samples periods missed early_wakeups),
            map { my $measure = $_; map { "${measure}_$_" } qw(min_ns max_ns sum_ns sumsq_ns2) } @known);
        my @made = map { [random_report(200, measures => $measures)] } 1 .. 2 + int rand 3;
        my $all = report_of([map { @{$_->[1]} } @made], measures => $measures);
        my $merged = merged_text({}, map { report_text($_->[0]) } @made);
        my $read = Realfeel::Model::Report->read(file($merged));
        is_deeply(total_of($merged, @keys), total_of(report_text($all), @keys), "$measures: counts, extremes and sums");
        my @columns = ('from_us', map { ($_, $_ eq 'interval' ? 'early' : ()) } @known);
        is_deeply([map { 0 + $_ } map { @{$read->columns('histogram')->{$_}} } @columns],
            [map { 0 + $_ } map { @{$all->{histogram}{$_}} } @columns], "$measures: the bins are those of all samples");
        cmp_ok(abs($read->header("${_}_mean_ns") - $all->{header}{"${_}_mean_ns"}), '<=', 0.0011, "mean of $_") for @known;
        cmp_ok(abs($read->header("${_}_sd_ns") - $all->{header}{"${_}_sd_ns"}), '<=', 0.01, "deviation of $_") for @known;
        for my $time (grep { /^(?:lateness|wakeup)_us$/ } keys %{ $all->{events} }) {
            is_deeply([map { 0 + $_ } @{$read->columns('events')->{$time}}], [map { 0 + $_ } @{$all->{events}{$time}}],
                "$measures: the worst wake-ups are those of all samples");
        }
    }
};

subtest 'what the kernel\'s stamps were off' => sub {
    my @made = map { (random_report(200, measures => 'both'))[0] } 1 .. 3;
    my $read = Realfeel::Model::Report->read(file(merged_text({}, map { report_text($_) } @made)));
    my %sum = map { my $key = $_; $key => sum0(map { $_->{header}{$key} } @made) } qw(stamp_interval_sum_ns stamp_interval_sumsq_ns2);
    is_deeply({ map { $_ => $read->header($_) } keys %sum }, \%sum, 'what the stamps were off is added');
    delete $made[1]{header}{stamp_interval_sum_ns};
    $read = Realfeel::Model::Report->read(file(merged_text({}, map { report_text($_) } @made)));
    is_deeply([grep { /^stamp_interval/ } $read->keys], [], 'what the stamps were off is left out where one report has none');
};

subtest 'order and grouping do not matter' => sub {
    my @old = map { contents("$data/$_-2.4.17.hist") } qw(low-latency preempt-lolat);
    for my $round (1 .. ($MANY ? 60 : 8)) {
        my @kinds = $round % 4 == 2 ? qw(due both) : $round % 4 == 3 ? 'asked' : 'due';
        my @texts = map { report_text((random_report(int rand 60, random_header($kinds[rand @kinds])))[0]) } 1 .. 3;
        $texts[0] = $old[rand 2] if $round % 4 == 0;
        my $option = {period_ns => 488_281, mixed => 1};
        my $all = merged_text($option, @texts);
        my @other = shuffle @texts;
        my ($first, $last) = (merged_text($option, @other[0, 1]), merged_text($option, @other[1, 2]));
        my @ways = (merged_text($option, @other), merged_text($option, $first, $other[2]), merged_text($option, $other[0], $last));
        is_deeply(\@ways, [($all) x 3], "round $round") or last;
    }
};

sub random_header {
    my ($measures) = @_;
    my %values = (
        measures       => [$measures],
        started        => ['2026-11-20T23:05:57Z', '2026-11-20T23:05:57Z', '2026-11-21T03:00:00Z'],
        status         => [qw(complete interrupted checkpoint)],
        verdict        => ['valid', 'valid', 'suspect: b; a', 'suspect: a', 'invalid: c'],
        remarks        => ['c', undef, 'b; a', 'a', undef],
        source         => $measures eq 'asked' ? [qw(thread workqueue:global)] : [qw(nanosleep timerfd)],
        kernel_release => ['6.1.0', '6.12.0'],
        governor       => [undef, 'performance', 'powersave'],
        steal_ms       => [0, 10, 'unknown'],
        suspended_s    => ['0.000000', '0.100001', 'unknown'],
        rt_throttled   => [qw(yes no unknown)],
        stopped_ms     => [0, 2016, 'unknown'],
        frozen         => [qw(yes no unknown)],
        schedule       => ['kept', 'kept', 'contradicted: a', 'contradicted: b'],
        max            => ['kept', 'exceeded', undef],
    );
    return map { my @choice = @{$values{$_}}; my $value = $choice[rand @choice]; defined $value ? ($_ => $value) : () } sort keys %values;
}

subtest 'what becomes of the headers' => sub {
    my @headers = (
        {kernel_release => 'a', policy => 'fifo', anchor_uncertainty_ns => 5, tsc_hz => 1, steal_ms => 10, verdict => 'valid',
            clock_step_s => '-1.900000', stopped_ms => 900_000_000_000_000_001, remarks => 'b; a'},
        {kernel_release => 'b', policy => 'fifo', anchor_uncertainty_ns => 7, tsc_hz => 2, steal_ms => 20, verdict => 'suspect: it slept',
            status => 'interrupted', started => '2026-11-19T00:00:00Z', clock_step_s => '0.700000', stopped_ms => 2,
            remarks => 'b; c'},
    );
    my $read = Realfeel::Model::Report->read(file(merged_text({ mixed => 1 }, map { report_text((random_report(20, %$_))[0]) } @headers)));
    my %expected = (kernel_release => 'several', policy => 'fifo', anchor_uncertainty_ns => 7, tsc_hz => undef, steal_ms => 30,
        clock_step_s => '-1.200000', stopped_ms => '900000000000000003', remarks => 'a; b; c',
        verdict => 'suspect: it slept; runs of several kernels', status => 'interrupted', started => '2026-11-19T00:00:00Z');
    is($read->header($_), $expected{$_}, $_) for sort keys %expected;
    is_deeply($read->columns('runs')->{started}, ['2026-11-19T00:00:00Z', '2026-11-20T23:05:57Z'],
        'the runs stand in the order of their beginning');
    is_deeply($read->columns('runs')->{verdict}, ['suspect', 'valid'], 'each run has its own verdict');
    my %runs = map { $_ => 1 } @{$read->columns('slices')->{run}};
    is_deeply([sort keys %runs], [1, 2], 'the slices of two runs are kept apart');
};

subtest 'files of 2002' => sub {
    my $old = "$data/low-latency-2.4.17.hist";
    my $report = Realfeel::Model::Report->read(file(merged_text({ period_ns => 488_281 }, (contents($old)) x 2)));
    is_deeply([map { $report->header($_) } qw(samples periods moments)], [10_000_000, 'unknown', 'from the bins'],
        'merged files of 2002 have counts');
    my $bins = Realfeel::Model::Report->read($old)->columns('histogram')->{interval};
    is_deeply([map { $_ / 2 } @{$report->columns('histogram')->{interval}}], [map { 0 + $_ } @$bins], 'bins of 2002 are added');
    is($report->latency('lateness'), undef, 'merged files of 2002 have no lateness');
    my $mean = Realfeel::Model::Report->read($old)->interval->mean;
    cmp_ok(abs($report->interval->mean - $mean), '<', 0.0005, 'the mean of merged files of 2002 is that of the middles of bins');
};

sub refused {
    my ($name, $pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'merge', @arguments);
    is("$status $out", '1 ', "$name: nothing is written");
    like($err, qr/\Arealfeel-analyze: $pattern/, "$name: the message");
    like($err, qr/[;:] .+\n/, "$name: with a remedy");
}

subtest 'what must not be merged' => sub {
    my ($plain, $fast, $timerfd) = map { file(report_text((random_report(40, %$_))[0])) }
        {}, {period_ns => 100_000}, {source => 'timerfd'};
    refused('another period', qr/\Q$fast\E: period_ns is '100000', but in \Q$plain\E it is '488281': another period/, $plain, $fast);
    refused('another source', qr/\Q$timerfd\E: source is 'timerfd', .* give --mixed/, $plain, $timerfd);
    is((run($analyze, 'merge', '--mixed', $plain, $timerfd))[0], 0, '--mixed merges other sources');
    my $read = Realfeel::Model::Report->read($plain);
    my $wide = file(report_text({header => {map { $_ => $read->header($_) } $read->keys}, keys => [$read->keys],
        histogram => {from_us => [0], to_us => [1000], interval => [$read->header('samples')], early => [0]}}));
    $wide = file(contents($wide) =~ s/^# started: \K.*/2026-11-22T00:00:00Z/mr);
    refused('other bins', qr/.*the bin from \S+ us does not have the same width/, $plain, $wide);
    refused('2002 without a period', qr/.*states no period/, "$data/low-latency-2.4.17.hist");
    refused('a period that is none', qr/--period=x is not a time; .*\nTry/, '--period=x', $plain);
    refused('none', qr/no file was given/, ());
    refused('a damaged one', qr/.*does not begin with/, $plain, $0);
};

subtest 'the file that is written' => sub {
    my $report = file(report_text((random_report(40))[0]));
    is((run($analyze, 'merge', '-o', "$dir/out", $report, $report))[0], 0, 'merge writes a file');
    refused('again', qr{\Q$dir\E/out: exists; .*--force}, '-o', "$dir/out", $report);
    is((run($analyze, 'merge', '-F', '-o', "$dir/out", $report))[0], 0, '-F replaces a file');
    is((run($analyze, "$dir/out"))[0], 0, 'a merged file can be listed');
    is((run($analyze, 'merge', '-o', "$dir/out.gz", $report))[0], 0, 'a file whose name ends in .gz is compressed');
    gunzip("$dir/out.gz", \my $back);
    is($back, contents("$dir/out"), 'a compressed file holds the same');
};

subtest 'more than 1024 slices' => sub {
    my @started = map { "2026-11-2${_}T00:00:00Z" } 1 .. 4;
    my @texts = map { slices_text(200 + int rand 400, started => $_) } @started;
    my $text = merged_text({}, @texts);
    my $read = Realfeel::Model::Report->read(file($text));
    my ($slices, $bins) = map { $read->columns($_) } qw(slices slice_bins);
    my $joined = $read->header('slices_joined') // 1;
    cmp_ok(scalar @{$slices->{run}}, '<=', 1024, "$joined joined to one leave no more");
    for my $run (1 .. 4) {
        my $alone = Realfeel::Model::Report->read(file($texts[$run - 1]));
        are_same_sums(sums_of_run($read, $run), sums_of_run($alone), "what run $run counted is still its own");
        my $many = @{$alone->columns('slices')->{start_s}};
        is(scalar(grep { $_ == $run } @{$slices->{run}}), int(($many + $joined - 1) / $joined), "run $run: neighbouring slices are joined");
    }
    my %length = map { ("$slices->{run}[$_] $slices->{start_s}[$_]" => $slices->{seconds}[$_]) } 0 .. $#{$slices->{run}};
    is_deeply({map { ("$bins->{run}[$_] $bins->{start_s}[$_]" => $bins->{seconds}[$_]) } 0 .. $#{$bins->{run}}}, \%length,
        'slices and slice_bins have the same slices');
    my @other = shuffle @texts;
    is(merged_text({}, merged_text({}, @other[0 .. 2]), $other[3]), $text, 'slices merged in steps are the same');
};

sub slices_text {
    my ($slices, %more) = @_;
    return report_text(report_of([map { [map { RandomReport::random_wakeup() } 0 .. rand 3] } 1 .. $slices], %more));
}

# Of the slices of a run.
sub sums_of_run {
    my ($report, $run) = @_;
    my ($slices, $bins) = map { $report->columns($_) } qw(slices slice_bins);
    my ($rows, $bin_rows) = map { my $set = $_; [grep { !$set->{run} || $set->{run}[$_] == $run } 0 .. $#{$set->{start_s}}] }
        $slices, $bins;
    my %bins;
    $bins{"$bins->{from_us}[$_] $bins->{to_us}[$_]"} += $bins->{lateness}[$_] for @$bin_rows;
    return {
        (map { my $name = $_; $name => sum0(map { $slices->{$name}[$_] } @$rows) } qw(wakeups periods missed)),
        (map { my $name = $_; $name => max(map { $slices->{$name}[$_] } @$rows) } qw(lateness_max_us interval_max_us)),
        seconds => sum0(map { $slices->{seconds}[$_] } @$rows),
        bins => \%bins,
    };
}

# Beginnings and lengths are given to the microsecond, and the length of joined slices comes from both.
sub are_same_sums {
    my ($got, $expected, $name) = @_;
    my $apart = abs(delete($got->{seconds}) - delete $expected->{seconds});
    is_deeply($got, $expected, $name);
    cmp_ok($apart, '<', 0.001, "$name, with its time");
}

subtest 'more than 1024 runs' => sub {
    my $some = merged_text({}, (slices_text(3)) x 33);
    my $read = Realfeel::Model::Report->read(file(merged_text({}, ($some) x 33)));
    is_deeply($read->columns('slices')->{run}, [1 .. 33 * 33], 'each of more than 1024 runs has one slice');
    my $few = Realfeel::Model::Report->read(file($some));
    are_same_sums(sums_of_run($read, 1089), sums_of_run($few, 33), 'the slice of a run holds all of it');
};

subtest 'more rows of a run than Perl counts in a pattern' => sub {
    my $rows = 70_000;
    my %bins = (run => [(1) x $rows], start_s => [('0.000') x $rows], seconds => [('1.000') x $rows],
        from_us => [0 .. $rows - 1], to_us => [1 .. $rows], lateness => [(1) x $rows]);
    my %header = (period_ns => 488_281, map { $_ => 0 } qw(samples periods missed));
    my $text = report_text({header => \%header, keys => [sort keys %header],
        histogram => {from_us => [], to_us => [], lateness => []}, slice_bins => \%bins});
    my @warnings;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    my ($of_text, $of_merged) = map { /^# slice_bins\n(.*?)\n#/ms } $text, merged_text({}, $text);
    ok($of_merged eq $of_text, 'all of 70,000 rows are taken');
    is("@warnings", '', '70,000 rows cause no warning');
};

subtest 'sums that no integer holds' => sub {
    my @count = (3, 100_000_000_000_000_000, 123_456_789, 20_000_000_000_000_000, 1);
    my @from = (0, 0.5, 75.1, 1e6, 9.9e8);
    my $text = report_text({
        header    => {period_ns => 488_281, samples => sum0(@count), periods => sum0(@count), missed => 0},
        keys      => [qw(period_ns samples periods missed)],
        histogram => {from_us => \@from, to_us => [map { $_ + 0.02 } @from], lateness => \@count},
    });
    my @values = map { Math::BigInt->new(sprintf '%.0f', 1000 * $_ + 10) } @from;
    my ($sum, $squares) = map { Math::BigInt->new(0) } 1 .. 2;
    for (0 .. $#values) {
        $sum     += 3 * $values[$_] * $count[$_];
        $squares += 3 * $values[$_] * $values[$_] * $count[$_];
    }
    my $told = total_of(merged_text({}, ($text) x 3), qw(lateness_sum_ns lateness_sumsq_ns2 moments samples));
    is_deeply($told, {lateness_sum_ns => "$sum", lateness_sumsq_ns2 => "$squares", moments => 'from the bins', samples => 3 * sum0(@count)},
        'sums beyond all integers are exact');
};

subtest 'more samples than a report can hold' => sub {
    my $half = 5 . 0 x 17;
    my %header = (period_ns => 488_281, samples => $half, periods => $half, missed => 0);
    my $text = report_text({header => \%header, keys => [sort keys %header],
        histogram => {from_us => [1], to_us => [2], lateness => [$half]}});
    is(eval { merged_text({}, ($text) x 2) }, undef, 'more samples than a report can hold are refused');
    is($@, "the periods of all files together would be 1${\ (0 x 18)}, which no report can hold; merge fewer\n", 'the refusal has the sum');
};

subtest 'memory does not grow with the number of reports' => sub {
    my $report = file(report_text(report_of([map { [map { [int rand 100, 1, 5000 + 100 * int rand 10] } 1 .. 3] } 1 .. 1000])));
    my $started = sub { sprintf '2026-11-20T23:%02d:%02dZ', $_[0] / 60, $_[0] % 60 };
    my @reports = map { my $n = $_; file(contents($report) =~ s/^# started: \K.*/$started->($n)/mre) } 1 .. 8;
    my @mb = map { memory_mb(qw(merge -F -o), "$dir/sum", @reports[0 .. $_ - 1]) } 2, 8;
    cmp_ok($mb[1] - $mb[0], '<', 1, '8 reports take no MB more than 2');
    my $sum = contents("$dir/sum");
    my $mb = memory_mb(qw(merge -F -o), "$dir/sum", file(join '', map { contents($_) } @reports));
    cmp_ok($mb - $mb[1], '<', 1, '8 reports in one file take no MB more than in 8');
    is(contents("$dir/sum"), $sum, 'reports in one file have the same sum');
};

subtest 'what is written can be read' => sub {
    my ($text) = map { report_text((random_report(40))[0]) } 1;
    my $other = $text =~ s/^# started: \K.*/2026-11-21T00:00:00Z/mr;
    my %odd = (
        'a blank in the start'         => [$text =~ s/^# started: \K.*/2026-11-20 23:05:57/mr],
        'two lengths that are too much' => [map { s/^# duration_s: \K.*/999999999.999999/mr } $text, $other],
        'a length of any size'         => [$text =~ s/^# duration_s: \K.*/9 x 30/mer, $other],
        'matched parts, but no parts'  => [contents("$data/explained.hist") =~ s/^# parts\n.*?\n\n\n//msr],
    );
    for my $name (sort keys %odd) {
        my ($status, $out, $err) = run($analyze, 'merge', map { file($_) } @{ $odd{$name} });
        like("$status $out$err", qr/^(?:1 realfeel-analyze: [^\n]+; [^\n]+\n\z|0 # realfeel)/, "$name: refused in one line, or merged");
        is(eval { Realfeel::Model::Report->read(file($out)); '' } // $@, '', "$name: the sum can be read") unless $status;
    }
};

subtest 'what is damaged' => sub {
    my ($text) = (random_report(40))[0];
    my $merged = merged_text({}, report_text($text));
    my $squares = Realfeel::Model::Report->read(file(merged_text({}, report_text($text) =~ s/interval_sumsq_ns2: \K.*/1/r)));
    is($squares->header('interval_sd_ns'), undef, 'no deviation of squares that cannot be');
    refused('slices of a run that is not there', qr/.*slices has run 2 of 1; .*take another copy/,
        file($merged =~ s/(?<=^# slices\n)(#.*\n)1/${1}2/mr));
    refused('slices that were joined by halves', qr/.*slices_joined is '3'/, file($merged =~ s/^# periods/# slices_joined: 3\n$&/mr));
};

done_testing;
