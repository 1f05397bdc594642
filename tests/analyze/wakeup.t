#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports of sources that measure since a wake-up was asked for: a thread, a ring, deferred work, a kernel's stamp.
use strict;
use warnings;
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib ../plots/lib);
use File::Basename qw(basename);
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Report;
use Analyzer;
use Given;
use RunCommand;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);
my %text    = map { $_ => contents("$data/$_.hist") } qw(thread ring workqueue alsa small);

sub read_of { return Realfeel::Model::Report->read_all("$data/$_[0].hist") }

subtest 'what is measured' => sub {
    for my $source (qw(thread ring workqueue)) {
        my ($report) = read_of($source);
        is_deeply([$report->{latency_name}, $report->latency_words], ['wakeup', 'wake-up latency'], "$source: since asked");
        is($report->latency, $report->latency('wakeup'), "$source: that is its latency");
        is_deeply([grep { defined } $report->latency('lateness'), map { $report->$_ } qw(interval magnitude interval_errors)], [],
            "$source: nothing else is known");
    }
    my ($thread) = read_of('thread');
    is_deeply([$thread->latency->n, map { 0 + $_ } map { $thread->latency->$_ } qw(min max)], [44, 3, 4200], 'each request is counted');
    is($thread->wakeups->n, 40, 'each wake-up has a latency');
    is_deeply([map { $_->{wakeup_us} } @{ $thread->events }], [4200, 5.5], 'the worst wake-ups of the thread come first');
    my ($small) = read_of('small');
    is_deeply([$small->{latency_name}, $small->latency, $small->latency('wakeup')], ['lateness', $small->latency('lateness'), undef],
        'nanosleep has lateness');
    my ($of_2002) = read_of('vanilla-2.4.17');
    is_deeply([$of_2002->{latency_name}, $of_2002->latency], ['lateness', undef], 'a file of 2002 has neither measure');
};

subtest 'a kernel\'s stamp' => sub {
    my ($alsa) = read_of('alsa');
    is_deeply([$alsa->{latency_name}, $alsa->latency], ['lateness', $alsa->latency('lateness')], 'alsa measures lateness first');
    is_deeply([map { $_->n } $alsa->interval, map { $alsa->latency($_) } qw(lateness wakeup)], [40, 41, 41],
        'alsa knows all three measures');
    is_deeply([map { 0 + $_->max } $alsa->interval, map { $alsa->latency($_) } qw(lateness wakeup)], [1004, 1008, 1005],
        'each measure of alsa has its own maximum');
    is_deeply([map { $_->{wakeup_us} } @{ $alsa->events }], [1005, 3], 'the worst wake-ups of alsa come first');
};

subtest 'the cells of a ring' => sub {
    my @cells = read_of('ring');
    my @names = ('2x0', '8x0', '8x16k');
    is_deeply([map { $_->{cell} } @cells], \@names, 'cells have names');
    is_deeply([map { $_->{file} } @cells], [map { "$data/ring.hist, $_" } @names], 'cells have names in their file');
    is_deeply([map { @{ $_->{part} } } @cells], [], 'no cell is a part of a run');
    my $cell = Realfeel::Model::Report->read("$data/ring.hist, 8x0");
    is_deeply([$cell->{file}, $cell->latency->max], ["$data/ring.hist, 8x0", 11], 'a cell of a ring is read by its name');
    is(eval { Realfeel::Model::Report->read("$data/ring.hist, 4x0") } // $@,
        "$data/ring.hist: holds no report of 4x0; choose one that it holds, as in "
        . "'$data/ring.hist, 2x0'\n", 'a cell that is not there is refused');
    my @runs;
    Realfeel::Model::Report->read_all("$data/ring.hist", sub { push @runs, scalar @_ });
    is_deeply(\@runs, [1, 1, 1], 'each cell is a run');
    my $odd = file_of("$dir/odd.hist", $text{ring} =~ s/array_bytes: 16384/array_bytes: 1000/r);
    is((Realfeel::Model::Report->read_all($odd))[2]->{cell}, '8x1000', 'an array of no whole kB has its bytes');
};

subtest 'a ring on several CPUs' => sub {
    my ($number, @texts) = (0, (split /^(?=# realfeel 1$)/m, $text{ring})[0, 1]);
    my $part = sub { ++$number; $_[0] =~ s/^# cpu: 0$/# cpu: $_[1]/mr =~ s/^# part: .*/# part: $number of 4/mr };
    my $text = join '', map { my $cell = $_; map { $part->($cell, $_) } 0, 1 } @texts;
    my $path = file_of("$dir/cpus.hist", $text);
    my @reports = Realfeel::Model::Report->read_all($path);
    is_deeply([map { $_->{file} } @reports], [map { my $cell = $_; map { "$path, $cell, CPU $_" } 0, 1 } '2x0', '8x0'],
        'each part is named');
    is_deeply([map { [@{ $_->{part} }] } @reports], [[1, 2], [2, 2], [1, 2], [2, 2]], 'each CPU is a part of its cell');
    is_deeply([map { pooled($_)->latency->n } runs_of(@reports)], [80, 80], 'a cell on two CPUs is a run');
    is_deeply([map { $_->{cpu} } Realfeel::Model::Report->read_all("$path, 8x0")], [0, 1],
        'a cell of a ring on several CPUs is read by its name');
    is_deeply([map { [$_->{cpu}, @{ $_->{part} }] } Realfeel::Model::Report->read_all("$path, 8x0, CPU 1")], [[1]],
        'a CPU of a cell is read');
    my $merged = file_of("$dir/merged.hist", (run($analyze, 'merge', $path, again($path)))[1]);
    is_deeply([map { [$_->{cell}, $_->{cpu}, $_->runs] } Realfeel::Model::Report->read_all($merged)],
        [['2x0', 0, 2], ['2x0', 1, 2], ['8x0', 0, 2], ['8x0', 1, 2]], 'cells are merged CPU by CPU');
    my $pool = file_of("$dir/pool.hist", (run($analyze, 'merge', '--pool', $path))[1]);
    is_deeply([map { [$_->{cell}, $_->latency->n] } Realfeel::Model::Report->read_all($pool)], [['2x0', 80], ['8x0', 80]],
        '--pool adds the CPUs of a cell');
};

sub refused {
    my ($name, $text, $pattern) = @_;
    my $path = file_of("$dir/bad.hist", $text);
    my ($status, $out, $err) = run($analyze, $path);
    is("$status$out", 1, "$name: nothing is listed");
    like($err, qr/\Arealfeel-analyze: \Q$path\E:$pattern\n\z/, "$name: the message");
}

sub with {
    my ($source, $from, $to) = @_;
    my $text = $text{$source} =~ s/^\Q$from\E$/$to/mr;
    die "not in the report: $from" if $text eq $text{$source};
    return $text;
}

# The number of the first such line.
sub line { return 2 + (substr($text{$_[0]}, 0, index $text{$_[0]}, "\n$_[1]\n") =~ tr/\n//) }

my %periods = (
    thread => line('thread', '# periods: 44'),
    ring => line('ring', '# periods: 40'), alsa => line('alsa', '# periods: 41'),
);
my ($at_thread, $at_ring, $at_alsa) = map { "$periods{$_}: periods is" } qw(thread ring alsa);
my ($slices, $bins) = map { "# start_s seconds $_" } 'wakeups periods missed', 'from_us to_us lateness';
my $events = '# at_s utc period';
refused('thread: a count',   with('thread', '3.00 3.01 20', '3.00 3.01 19'), "$at_thread 44, but histogram holds 43; the .*");
refused('ring: a count',     with('ring', '1.40 1.41 24', '1.40 1.41 25'), "$at_ring 40, but histogram holds 41; the .*");
refused('alsa: a count',     with('alsa', '5.00 5.01 0 0 12 1', '5.00 5.01 0 0 12 2'), "$at_alsa 41, but histogram holds 42; the .*");
refused('alsa: of lateness', with('alsa', '8.00 8.01 0 0 1 0', '8.00 8.01 0 0 0 0'), "$at_alsa 41, but histogram holds 40; the .*");

sub refused_title {
    my ($name, $source, $set, $from, $to, $title) = @_;
    my $number = 1 + line($source, "# $set");
    refused($name, with($source, $from, $to), "$number: data set '$set' does not begin with '$title'; .*");
}

my ($of_due, $of_asked) = ("$slices lateness_max_us interval_max_us", "$slices wakeup_max_us");
refused_title('neither',    'thread', 'slices', $of_asked, $slices, $of_due);
refused_title('mistyped',   'thread', 'slices', $of_asked, "${of_asked}s", $of_asked);
refused_title('out of order', 'alsa', 'slices', "$of_due wakeup_max_us", "$of_asked lateness_max_us interval_max_us", $of_due);
refused_title('both',         'alsa', 'slice_bins', $bins, "$bins wakeup", $bins);
refused_title('at the end', 'thread', 'events', "$events wakeup_us periods cpu_before cpu", "$events periods cpu_before cpu wakeup_us",
    "$events wakeup_us periods cpu_before cpu");
refused('events: the order', $text{thread} =~ s/^(0\.031000 .*\n)(0\.005000 .*\n)/$2$1/mr,
    line('thread', '# events') + 3 . ': wakeup_us is 4200.000, more than that of the event before; .*');
refused('a cell again',      with('ring', '# array_bytes: 16384', '# array_bytes: 0'),
    '\d+: part 3 of 3 is of 8x0, CPU 0 again; the .*');
refused('no processes',      $text{ring} =~ s/^# processes: 2$/# processes: 0/mr, "\\d+: processes is '0', not a whole number of 1 .*");
refused('matched',           with('workqueue', '# matched: 40', '# matched: -40'), "\\d+: matched is '-40', not a whole number .*");

# The same run, started some years later.
sub again {
    my ($file, $years) = @_;
    my $started = 2027 + ($years // 0);
    return file_of("$dir/again-$started-" . basename($file), contents($file) =~ s/^# started: \K\d+/$started/mgr);
}

sub output {
    my @arguments = @_;
    my ($status, $out, $err) = run($analyze, @arguments);
    is("$status $err", '0 ', "@arguments");
    return $out;
}

sub complaint {
    my @arguments = @_;
    my ($status, $out, $err) = run($analyze, @arguments);
    is("$status $out", '1 ', "@arguments: nothing is written");
    return $err;
}

chdir $data or die $!;

subtest 'thread, alsa and ring have a listing' => sub {
    my $thread = output('-v', 'thread.hist');
    like($thread, qr/^  missed    4 of 44 requests$/m, 'the listing has missed requests');
    like($thread, qr/^  waker     fifo 96, CPU 0$/m, 'the listing has the waker');
    like($thread, qr/needs 56 more requests/, 'the listing says how many requests more it needs');
    unlike($thread, qr/lateness|early|anchor/, 'the listing of a thread has no schedule');
    like(output('-v', 'alsa.hist'), qr/^  wake-up   since the stamp: mean 26.659 us, p50 2.01 us, max 1005.000 us$/m,
        'the listing of alsa has latencies since the stamp');
    like(output('-v', 'ring.hist, 8x16k'),
        qr/^  lmbench   0.904 us net of 2.611 us overhead; unreliable: the overhead is$/m, 'a cell has the figure of lmbench');
    like($thread, qr/^ +at s +utc +wake-up us +requests +cpu$/m, 'the listing says what each wake-up served');
    my $limit = with('thread', '# missed: 4', "# missed: 4\n# max_ns: 1000000\n# max: exceeded") =~ s/slice_bins/later_bins/r;
    like(output('-v', file_of("$dir/limit.hist", $limit)),
        qr/^  4 requests took longer than the limit of --max, 1000\.000 us$/m, 'the listing counts requests above the limit');
};

subtest 'thread, alsa, ring and deferred work are merged' => sub {
    my $all = file_of("$dir/all.hist", output('merge', 'ring.hist', again('ring.hist'), again('ring.hist', 1)));
    my $two = file_of("$dir/two.hist", output('merge', again('ring.hist'), again('ring.hist', 1)));
    is(output('merge', 'ring.hist', $two), contents($all), 'a ring merged in steps is the same');
    my @cells = Realfeel::Model::Report->read_all($all);
    is_deeply([map { [$_->{cell}, $_->runs, $_->latency->n] } @cells],
        [map { [$_, 3, 120] } '2x0', '8x0', '8x16k'], 'cell by cell');
    my $some = file_of("$dir/some.hist", output('merge', again('ring.hist') . ', 8x16k', 'ring.hist'));
    is_deeply([map { $_->runs } Realfeel::Model::Report->read_all($some)], [1, 1, 2], 'one cell may have more runs than others');
    is(output('merge', 'ring.hist', again('ring.hist') . ', 8x16k'), contents($some), 'cells merged in any order are the same');
    my $alsa = Realfeel::Model::Report->read(file_of("$dir/alsa.hist", output('merge', 'alsa.hist', again('alsa.hist'))));
    is_deeply([map { $alsa->header($_) } qw(stamp_interval_sumsq_ns2 wakeup_sum_ns)], [8_000_000, 2_186_000], 'alsa has moments added');
    my $matched = Realfeel::Model::Report->read(file_of("$dir/queue.hist", output('merge', 'workqueue.hist', again('workqueue.hist'))));
    is_deeply([map { $matched->header($_) } qw(matched unmatched unasked)], [80, 4, 2], 'the counts of deferred work are added');
    my $thread = Realfeel::Model::Report->read(file_of("$dir/thread.hist", output('merge', 'thread.hist', again('thread.hist'))));
    is_deeply([map { $thread->header("latency_${_}_us") } qw(p50 max)], [undef, '4200.000'], 'the first lines of a thread are merged');
    my $other = 'another measure; these have no common histogram; merge each kind by itself';
    is(complaint(qw(merge --mixed alsa.hist thread.hist)), "realfeel-analyze: thread.hist: latency is 'wake-up latency', "
        . "but in alsa.hist it is 'lateness': $other\n", 'other measures are not merged');
    like(complaint(qw(merge ring.hist thread.hist)),
        qr/thread.hist: measured one CPU alone, but ring.hist, .* a cell of .* on one CPU alone;/,
        'a ring is not merged with a thread');
};

# Three rings that were measured one after the other with this overhead, and their reports joined: those of the table.
sub rings {
    my ($overhead_ns) = @_;
    my $text = $text{ring} =~ s/^# (?:part|lmbench_(?:overhead_us|doubtful)): .*\n//mgr;
    return file_of("$dir/rings.hist", $text =~ s/^# lmbench_us: .*/# hop_overhead_ns: $overhead_ns/mgr);
}

subtest 'the figure of lat_ctx' => sub {
    my $later = again(rings('211.5 215.0 220.0'));
    my $rings = rings('212.0 220.5 213.0');
    like(output("$rings#1"), qr/^  lmbench   2\.378 us net of 0\.212 us overhead$/m, 'the figure is the mean less the least overhead');
    my $all = output('merge', $rings, $later);
    is(() = $all =~ /^# hop_overhead_ns: 211\.5 220\.5$/mg, 3, 'merged cells keep the least and the most overhead');
    my %doubt = (
        '2400.0 2490.0 2400.0' => 'little',
        '1000.0 1000.0 1160.0' => 'varied',
        '1000.0 1000.0 1158.0' => undef,
        (map { $_ => 'nothing' } '2590.0 2590.0 2590.0', '9000.0 9900.0 9000.0'),
    );
    for (sort keys %doubt) {
        my ($ring) = @{ JSON::PP->new->decode(output('--json', rings($_) . '#1')) };
        is($ring->{lmbench}{doubt}, $doubt{$_}, "an overhead of $_: the doubt");
    }
};

subtest 'the table of lat_ctx, of reports that are joined' => sub {
    my ($small, $more, $large) = split /^(?=# realfeel 1$)/m, contents(rings('212.0 220.5 213.0'));
    my $joined = file_of("$dir/joined.hist", join '', $small, $more, $large =~ s/^# processes: 8$/# processes: 2/mr, $large);
    like(output(qw(table --show=lmbench --rows=array --columns=processes), $joined), qr/\n\n\Q@{[<<'END']}\E\z/, 'sizes and processes');
array  2 processes  8 processes
 0 kB         2.38         2.76
16 kB         4.98         4.98
END
};

subtest 'runs are compared by a common measure' => sub {
    is(complaint(qw(compare small.hist thread.hist)), 'realfeel-analyze: small.hist measures lateness, since a wake-up was due, '
        . "but thread.hist measures wake-up latency, since a request; compare files with a common measure\n", 'measures must agree');
    is(complaint(qw(compare --measure=lateness alsa.hist thread.hist)),
        "realfeel-analyze: thread.hist: has no lateness; use --measure=wakeup\n", 'a measure that one run lacks is refused');
    my $stamp = output(qw(compare alsa.hist thread.hist));
    like($stamp, qr/\Awake-up latency: FILE .*caution: the sources differ: alsa .* and thread$/ms,
        'alsa and a thread have a wake-up latency');
    my $table = output('compare', 'ring.hist', "$dir/two.hist");
    my @pairs = map { ("ring.hist, $_", "$dir/two.hist, $_") } '2x0', '8x0', '8x16k';
    is_deeply([$table =~ /^  (?:BASE|FILE)  +(\S+, .*)$/mg], \@pairs, 'cell by cell');
    like(output('compare', 'ring.hist, 2x0', 'ring.hist, 8x16k'),
        qr/the numbers of processes differ: 2 and 8.*the sizes of the array differ: 0 and 16384/s, 'differences of cells are cautions');
    my ($status, undef, $err) = run($analyze, 'compare', "$dir/two.hist", 'ring.hist', 'thread.hist');
    is("$status $err", "0 realfeel-analyze: thread.hist is not compared: the table of $dir/two.hist, 2x0 "
        . "has no such cell\n", 'a run that is no cell is not compared');
};

subtest 'importing what was exported' => sub {
    my @values = map { [$_->n, int $_->max] } Realfeel::Model::Report->read('thread.hist')->latency('wakeup');
    for my $format (qw(rt-tests cyclictest)) {
        my $file = file_of("$dir/thread.$format", output('export', "--format=$format", 'thread.hist'));
        my $report = Realfeel::Model::Report->read(file_of("$dir/back.hist", output('import', "--format=$format", $file)));
        is($report->latency('lateness'), undef, "$format: the import has no lateness");
        is_deeply([map { [$_->n, int $_->max] } $report->latency('wakeup')], \@values, "$format: the import has the wake-up latency");
        like($report->header('verdict'), qr/counts are of requests, including missed ones/, "$format: the counts are of requests");
    }
    like(output("$dir/back.hist"), qr/^  missed    not known; the counts include it$/m, 'an import has a listing');
};

subtest 'the page counts missed requests' => sub {
    like(output('report', ('thread.hist') x 3), qr/ 3 of 3 runs missed requests\./, 'the page of several threads counts those that missed');
    like(output('report', 'thread.hist', 'alsa.hist', 'alsa.hist'), qr/ 3 of 3 runs missed requests or periods\./,
        'the page of two kinds counts those that missed');
};

subtest 'a thread of which something is not known' => sub {
    my $task = contents("$data/task.hist");
    for my $key ($task =~ /^# ((?:thread|inferred|preempted|deduced|unmatched)\w*):/mg) {
        my $file = file_of("$dir/lacking.hist", $task =~ s/^# $key: .*\n//mr);
        for (['-v'], [], ['report']) {
            my ($status, $out, $err);
            given_by(sub { ($status, $out, $err) = run($analyze, @$_, $file) });
            is("$status $err", '0 ', "@$_ without $key: an answer, and no warning");
        }
    }
    my $file = file_of("$dir/lacking.hist", $task =~ s/^# thread_cpus: .*\n//mr);
    like(output('-v', $file), qr/^  thread    1234 loop, fifo 80, CPUs unknown; ended/m, 'the listing says what is unknown');
};

subtest 'thread, alsa and ring are exported' => sub {
    my $metrics = output(qw(export --format=prometheus), 'ring.hist, 8x16k');
    like($metrics,
        qr/^realfeel_wakeup_latency_seconds_sum\{array_bytes="16384",.*processes="8",.*\} 0\.000207600$/m, 'wake-ups have a metric');
    unlike($metrics, qr/lateness/, 'the metrics of a thread have no lateness');
    is(() = $metrics =~ /^# TYPE realfeel_wakeup_latency_max_seconds gauge$/mg, 1, 'the maximum has its own metric');
    like(output(qw(export --format=csv alsa.hist)), qr/\Afrom_us,to_us,interval,early,lateness,wakeup\n/, 'CSV has all columns');
    like(complaint(qw(export --format=csv ring.hist)),
        qr/holds 3 runs, but one is needed; choose it, as in ring\.hist, 2x0$/, 'one cell is exported at a time');
};

done_testing;
