# SPDX-License-Identifier: GPL-2.0-or-later
# What is not a whole report is refused, with one line that names the place, the fault and the remedy.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use IO::Compress::Gzip qw(gzip $GzipError);
use Test::More;

use Realfeel::Model::Report;
use Analyzer;
use RunCommand;

my $good    = contents("$FindBin::Bin/data/small.hist");
my $events  = contents("$FindBin::Bin/data/events.hist");
my $old     = contents("$FindBin::Bin/data/low-latency-2.4.17.hist");
my $dir     = tempdir(CLEANUP => 1);

sub file_with {
    my ($text, $name) = @_;
    return file_of("$dir/" . ($name // 'x.hist'), $text);
}

# The good report, or another, with one thing changed.
sub with {
    my ($from, $to, $text) = (@_, $good);
    my $at = index $text, $from;
    die "not in the report: $from" if $at < 0;
    substr $text, $at, length $from, $to;
    return $text;
}

sub compressed {
    my ($text) = @_;
    gzip \$text => \my $compressed or die $GzipError;
    return $compressed;
}

# With some of the bytes in the middle changed.
sub damaged {
    my ($bytes) = @_;
    substr $bytes, length($bytes) / 2, 5, 'XXXXX';
    return $bytes;
}

sub refused {
    my ($path, $pattern, $name) = @_;
    my ($status, $out, $err) = run($analyze, $path);
    is($status, 1, "$name: exit status");
    is($out, '', "$name: nothing is listed");
    like($err, qr/\Arealfeel-analyze: \Q$path\E$pattern\n\z/, "$name: the message");
    like($err, qr/; .+\n\z/, "$name: with a remedy");
    is($err =~ tr/\n//, 1, "$name: in one line");
}

my @bad = (
    ['no bytes',             '',                                          ': is empty;.*'],
    ['binary',               "# realfeel 1\n# status: \0\n",              ':2: holds binary data;.*'],
    ['binary from the first', "\0\n",                                     ':1: holds binary data;.*'],
    ['another text',         "hello\n",                                   ':1: does not begin with .*'],
    ['a later version',      with('realfeel 1', 'realfeel 2'),            ':1: format version 2 is not known; use a newer .*'],
    ['no version',           with('realfeel 1', 'realfeel'),              ':1: no format version .*'],
    ['cut in the header',    substr($good, 0, 100),                       ':\d+: the last line is not .* cut off;.*'],
    ['cut in the histogram', substr($good, 0, index $good, '4.00 4.01'),  ':\d+: the last line is not .* cut off;.*'],
    ['no end',               with("# end samples=20\n", ''),              ':\d+: the last line is not .* cut off;.*'],
    ['another end',          with('samples=20', 'samples=2'),             ':64: the end says 2 samples, the header 20;.*'],
    ['text after the end',   "${good}more\n",                             ':65: text after .*'],
    ['2002 after the end',   "$good\n$old",                               ':66: text after .*'],
    ['cut, another follows', substr($good, 0, -17) . $good,               ":63: the last line is not .* cut off;.*"],
    ['header, and another',  substr($good, 0, index $good, '# samples') . $good, ':11: the last line is not .* cut off;.*'],
    ['another of later',     $good . with('realfeel 1', 'realfeel 2'),    ':65: format version 2 is not known; use a .*'],
    ['another that is bad',  $good . with('1.00 1.01 6', '1.00 1.01 7'),  ':76: samples is 20, but histogram holds 21;.*'],
    ['negative count',       with('1.00 1.01 6', '1.00 1.01 -6'),         ":38: interval is '-6', not a whole number.*"],
    ['fractional count',     with('1.00 1.01 6', '1.00 1.01 6.5'),        ":38: interval is '6.5', not a whole number.*"],
    ['count in words',       with('1.00 1.01 6', '1.00 1.01 six'),        ":38: interval is 'six', not a whole number.*"],
    ['count beyond 64 bits', with('1.00 1.01 6', '1.00 1.01 99999999999999999999'), ":38: interval is '9+', not .*"],
    ['bin edge in words',    with('1.00 1.01 6', 'nan 1.01 6'),           ":38: from_us is 'nan', not a number.*"],
    ['a column too few',     with('1.00 1.01 6 0 0', '1.00 1.01 6 0'),    ':38: 4 columns where 5 are due;.*'],
    ['a column too many',    with('1.00 1.01 6 0 0', '1.00 1.01 6 0 0 0'), ':38: 6 columns where 5 are due;.*'],
    ['other columns',        with('interval early', 'early interval'),    ":36: data set 'histogram' does not begin with .*"],
    ['interval + early',     with('1.00 1.01 6', '1.00 1.01 7'),          ':12: samples is 20, but histogram holds 21;.*'],
    ['early',                with('1.50 1.51 0 2', '1.50 1.51 0 1'),      ':12: samples is 20, but histogram holds 19;.*'],
    ['lateness',             with('3.01 0 0 10', '3.01 0 0 9'),           ':13: periods is 21, but histogram holds 20;.*'],
    ['too many',             with('6 0 0', '6 0 ' . 9 x 18, $good =~ s/^(# (?:periods|missed): ).*/$1unknown/mgr),
        ':13: periods is unknown, but histogram holds 1\d{18};.*'],
    ['periods',              with('periods: 21', 'periods: 22'),          ':13: samples \+ missed is not periods;.*'],
    (map { ["$_ alone unknown", $good =~ s/^# $_: \K\d+/unknown/mr, ':13: of periods and missed only one is unknown;.*'] }
        qw(periods missed)),
    ['slices',               with('20 21 1', '20 21 0'),                  ':14: missed is 1, but slices holds 0;.*'],
    ['bins not in order',    with('1.00 1.01 6', '7.00 7.01 6'),          ':39: the bin from 1.50 us .* out of order;.*'],
    ['bins overlap',         with('1.00 1.01 6', '1.00 1.60 6'),          ':39: the bin from 1.50 us overlaps .*'],
    ['bin without width',    with('1.00 1.01 6', '1.00 1.00 6'),          ':38: the bin from 1.00 us ends before .*'],
    ['bin backwards',        with('1.00 1.01 6', '1.01 1.00 6'),          ':38: the bin from 1.01 us ends before .*'],
    ['bin edge too fine',    with('1.00 1.01 6', '1.000 1.01 6'),         ":38: from_us is '1.000', not a number of 0 or more with .*"],
    ['open bin inside',      with('1.00 1.01 6', '1.00 inf 6'),           ':39: the bin from 1.50 us overlaps .*'],
    ['a key twice',          with('# missed: 1', "# missed: 1\n# missed: 1"), ":15: key 'missed' is there a second time;.*"],
    ['a key twice, far on',  with('# missed: 1', join '', map { "# key$_: 1\n" } 1 .. 1500, 7), ":1514: key 'key7' is there .*"],
    ['a data set twice',     with("# later\n", "# slices\n"),            ":\\d+: data set 'slices' is there a second time;.*"],
    ['no samples key',       with("# samples: 20\n", ''),                 ":63: the header has no 'samples';.*"],
    ['samples in words',     with('samples: 20', 'samples: many'),        ":12: samples is 'many', not a whole number.*"],
    ['a number too long',    with('max_ns: 1', 'max_ns: ' . '1' x 130), ":17: interval_max_ns is '1{57}\\.\\.\\.', not a number;.*"],
    ['a number of an infinity', with('max_ns: 1', 'max_ns: ' . '1' x 400), ":17: interval_max_ns is '1{57}\\.\\.\\.', not a number;.*"],
    ['decimals too long',    with('mean_ns: 8027.000', 'mean_ns: 8027.' . '0' x 19), ":18: interval_mean_ns is '8027.0+', not a .*"],
    ['squares too long',     with('sumsq_ns2: 2', 'sumsq_ns2: ' . '2' x 61), ":21: interval_sumsq_ns2 is '2+\\.\\.\\.', not a .*"],
    ['bin edge too long',    with('1.00 1.01 6', '1' x 19 . '.00 1.01 6'), ":38: from_us is '1+\\.00', not a number.*"],
    ['not a number',         with('mean_ns: 8027.000', 'mean_ns: -nan'),  ":18: interval_mean_ns is '-nan', not a number;.*"],
    ['a part of a sum',      with('lateness_sum_ns: 229040', 'lateness_sum_ns: 229040.5'), ":26: lateness_sum_ns is '229040.5', not a .*"],
    ['squares in words',     with('sumsq_ns2: 22541251600', 'sumsq_ns2: nan'), ":21: interval_sumsq_ns2 is 'nan', not a whole number;.*"],
    ['data in the header',   with('# missed: 1', "# missed: 1\n1.00 1.01 6 0 0"), ':15: a data line outside a data set;.*'],
    ['data between sets',    with("\n\n# slices", "\n1 2 3\n\n# slices"), ':\d+: a data line outside a data set;.*'],
    ['header without key',   with('# missed: 1', "# missed: 1\n# what"),  ":15: not a header line .*"],
    ['2002: negative',       "0.0 5\n0.1 -1\n",                           ":2: count '-1' is not a whole number.*"],
    ['2002: fractional',     "0.0 5\n0.1 1.5\n",                          ":2: count '1.5' is not a whole number.*"],
    ['2002: words',          "0.0 5\n0.1 many\n",                         ":2: count 'many' is not .*"],
    ['2002: no count',       "0.0 5\n0.1\n",                              ":2: this is not a line 'MS COUNT' .*"],
    ['2002: finer bucket',   "0.0 5\n0.15 1\n",                           ":2: bucket '0.15' is not a time in steps .*"],
    ['2002: negative time',  "-0.1 5\n",                                  ":1: bucket '-0.1' is not a time in steps .*"],
    ['2002: out of order',   "0.2 5\n0.1 1\n",                            ':2: the buckets do not ascend;.*'],
    ['2002: too many',       "0.0 1\n" . "0.1 " . 9 x 18 . "\n",           ': holds 1000000000000000000 samples, more than .*'],
    ['2002: bucket twice',   "0.1 5\n0.1 1\n",                            ':2: this bucket is there a second time;.*'],
);

# The first event, and each of its columns with what it must not hold.
my $event = '0.001954 2026-11-20T23:05:57.125409Z 3 492.352 489.872 2 0 1 480.120 2 0 3 unknown';
my ($count, $positive) = map { "not a whole number of $_ or more" } 0, 1;
my $known_count = "$count, nor 'unknown';";
my @bad_fields = (
    ['at_s',         0,  'not a number of seconds below 1000000000;', qw(-1 nan unknown 1e3 1000000000)],
    ['utc',          1,  'not a time like 2026-11-20T23:05:57.123456Z;',
        qw(unknown 12:00:00Z 2026-11-20T23:05:57.5 2026-13-20T23:05:57Z 2026-11-32T23:05:57Z 2026-11-00T23:05:57Z
           2026-11-20T24:05:57Z 2026-11-20T23:60:57Z 2026-11-20T23:05:60Z 2026-11-20T23:05:57.Z)],
    ['period',       2,  "$positive;",                               qw(0 -3 1.5 unknown)],
    ['lateness_us',  3,  'not a number;',                            qw(unknown inf +5)],
    ['interval_us',  4,  'not a number;',                            qw(unknown nan --5)],
    ['periods',      5,  "$positive;",                               qw(0 00 -1 2.5 unknown)],
    ['run_delay_us', 8,  "not a number of 0 or more, nor 'unknown';", qw(-480.120 Unknown unknown0 -)],
    map { [@$_, $known_count, qw(-1 0.5 unknow unknowns any)] }
        ['cpu_before', 6], ['cpu', 7], ['switches', 9], ['faults', 10], ['interrupts', 11], ['smis', 12],
);
for (@bad_fields) {
    my ($name, $column, $meaning, @values) = @$_;
    for my $value (@values) {
        my @fields = split ' ', $event;
        $fields[$column] = $value;
        push @bad, ["$name $value", with($event, "@fields", $events), ":93: $name is '\Q$value\E', \Q$meaning\E .*"];
    }
}
push @bad, (
    ['an event too short',   with(' 3 unknown', ' 3', $events),           ':93: 12 columns where 13 are due;.*'],
    ['an event too long',    with(' 3 unknown', ' 3 0 0', $events),       ':93: 14 columns where 13 are due;.*'],
    ['events: columns',      with('at_s utc', 'utc at_s', $events),       ":92: data set 'events' does not begin with .*"],
    ['events: order',        with('40.310 37', '153.041 37', $events),    ':95: lateness_us is 153.041, more than .*'],
    (map { my ($key, $value, $meaning) = @$_; ["$key: $value", with('# missed', "# $key: $value\n# missed"),
        ":14: $key is '\Q$value\E', \Q$meaning\E.*"] }
        (map { [$_, 'abc', 'not a number of 0 or more;'], [$_, '-1', 'not a number of 0 or more;'] } qw(max_ns break_ns phase_ns)),
        (map { [$_, '1.5', "$count, nor 'unknown';"], [$_, '9' x 19, "$count, nor 'unknown';"] } qw(steal_ms migrations stopped_ms)),
        (map { [$_, 'inf', "not a number of seconds below 1000000000, nor 'unknown';"] } qw(suspended_s)),
        ['clock_step_s', '+1', "not a number, nor 'unknown';"], ['slices_joined', '0', "$positive;"]),
    ['a start of two words', with('23:05:57Z', '23:05:57Z x'), ":5: started is '2026-11-20T23:05:57Z x', not a word;.*"],
    ['a duration too long', with('duration_s: 0', 'duration_s: 1000000000'), ":6: duration_s is '1000000000.\\d+', not a .*"],
    map { ["$_ in words", with("$_: ", "$_: x", $events), ":\\d+: $_ is 'x[\\d.]+', not a number of 0 or more;.*"] }
        qw(tsc_hz tsc_error_ppm tsc_drift_ppm),
);

push @bad, (
    ['compressed, cut off',  substr(compressed($good), 0, 400),           ': cannot be decompressed: unexpected end of file; .*'],
    ['cut in its beginning', substr(compressed($good), 0, 5),             ': cannot be decompressed: Header Error.*; .*'],
    ['cut in its end',       substr(compressed($good), 0, -2),            ': cannot be decompressed: .*; .*'],
    ['compressed, damaged',  damaged(compressed($good)),                  ': cannot be decompressed: .*; .*'],
    ['another checksum',     compressed($good) =~ s/.{8}\z/substr compressed($old), -8/ser, ': cannot be decompressed: .*; .*'],
    ['compressed, and text', compressed($good) . $good,                   ': cannot be decompressed: .*; .*'],
    ['compressed binary',    compressed("# realfeel 1\n\0"),              ':2: holds binary data;.*'],
    ['compressed no bytes',  compressed(''),                              ': is empty;.*'],
    ['compressed, bad',      compressed(with('1.00 1.01 6', '1.00 1.01 -6')), ":38: interval is '-6', not a whole number.*"],
);

for (@bad) {
    my ($name, $text, $pattern) = @$_;
    subtest $name => sub { refused(file_with($text), $pattern, $name) };
}

subtest 'what cannot be opened is refused' => sub {
    refused("$dir/none.hist", ': cannot be opened: No such file or directory;.*', 'missing');
    refused($dir, ': is a directory;.*', 'a directory');
};

subtest 'a name that would steer the terminal' => sub {
    my ($status, undef, $err) = run($analyze, "$dir/a\e[31m\nb");
    is($status, 1, 'exit status');
    like($err, qr/a\\x1b\[31m\\x0ab: cannot be opened/, 'the name is printed with escapes');
};

sub read_text { return Realfeel::Model::Report->read(file_with(@_)) }

subtest 'what is no fault' => sub {
    is(read_text($good =~ s/\n/\r\n/gr)->interval->n, 20, 'lines that end in CR LF');
    is(read_text($old =~ s/\n/\r\n/gr)->interval->n, 5_000_000, 'a file of 2002 may have lines that end in CR LF');
    is(read_text($good, "m\xc3\xbc \"q\" 'a'.hist")->latency('lateness')->n, 21, 'a UTF-8 name with quotes');
    is(read_text("0 5\n\n0.1\t1 \n0.2 2\n0.3  4")->interval->n, 12, 'whole milliseconds, other blanks, an empty line');
    is(read_text($good =~ s/\n\z//r)->latency('lateness')->n, 21, 'no newline at the end');
    is(read_text(with('slice_bins', 'later_bins'))->latency('lateness')->n, 21, 'an unknown data set');
};

subtest 'compressed reports are read' => sub {
    is(read_text(compressed($good), 'x.hist.gz')->latency('lateness')->n, 21, 'a compressed report is read');
    is(read_text(compressed($old))->interval->n, 5_000_000, 'one of 2002, by its content, not by its name');
    my @two = Realfeel::Model::Report->read_all(file_with(compressed($good) . compressed($events), 'two.gz'));
    is_deeply([map { $_->latency('lateness')->n } @two], [21, read_text($events)->latency('lateness')->n], 'two, one after the other');
};

subtest 'an open bin from 0 alone' => sub {
    my $report = read_text("# realfeel 1\n# samples: 5\n# periods: 5\n# missed: 0\n\n# histogram\n"
        . "# from_us to_us interval early lateness\n0.00 inf 5 0 5\n\n# end samples=5\n");
    is_deeply([map { $_->n } $report->interval, $report->latency('lateness')], [5, 5], 'an open bin from 0 holds all values');
    is_deeply([$report->interval->mode], [5, 5], 'an open bin from 0 is taken to end somewhere');
    is((run($analyze, $report->{file}))[0], 0, 'a report with an open bin alone is listed');
};

subtest 'several reports in a file' => sub {
    my $path = file_with("$good\n$events$good\n\n", 'three.hist');
    my @reports = Realfeel::Model::Report->read_all($path);
    is_deeply([map { $_->{file} } @reports], [map { "$path#$_" } 1 .. 3], 'several reports in a file have numbers');
    is_deeply([map { $_->header('hostname') } @reports], [map { read_text($_)->header('hostname') } $good, $events, $good],
        'each report of a file has its own header');
    is_deeply([map { scalar @{ $_->events // [] } } @reports], [0, 14, 0], 'each report of a file has its own data sets');
    is(Realfeel::Model::Report->read("$path#2")->{file}, "$path#2", 'a number names a report of the file');
    is(read_text($good, 'x#2')->{file}, "$dir/x#2", 'a file whose name ends like a number is read');
    is_deeply([map { $_->{file} } Realfeel::Model::Report->read_all(file_with($good))], ["$dir/x.hist"],
        'a report alone in its file has no number');
    is_deeply([map { eval { Realfeel::Model::Report->read($_) }; $@ } $path, "$path#4"],
        ["$path: holds 3 reports, but one is needed; choose it, as in $path#1\n",
         "$path: has only 3 reports; choose one, as in $path#1\n"], 'what cannot be read');
    my $one = file_with($good);
    is(eval { Realfeel::Model::Report->read("$one#2") } // $@,
        "$one: has only 1 report; choose one, as in $one#1\n",
        'a file with one report has no second one');
};

subtest 'the events of a report are read' => sub {
    my $list = read_text($events)->events;
    is(scalar @$list, 14, 'a report has all of its events');
    my %first = (
        at_s => 0.001954, utc => '2026-11-20T23:05:57.125409Z', period => 3, lateness_us => 492.352,
        interval_us => 489.872, periods => 2, cpu_before => 0, cpu => 1, smis => undef,
    );
    is_deeply($list->[0], \%first, 'the worst first, what is unknown is undef');
    is_deeply([map { $_->{cpu_before} } @$list[4 .. 6]], [undef, 0, undef], 'each event has its own values');
    is(read_text($good)->events, undef, 'an older report has none');
    is_deeply(read_text(contents("$FindBin::Bin/data/empty.hist"))->events, [], 'a report without wake-ups has no events');
    is(read_text($old)->events, undef, 'a file of 2002 has no events');
    my ($last) = $events =~ /^(.*)\n# end/m;
    is(scalar @{ read_text(with("$last\n", "$last\n" x 40, $events))->events }, 53, 'a report may have more than 32 events');
    is(read_text(with('57.125409Z', '57Z', $events))->events->[0]{utc}, '2026-11-20T23:05:57Z',
        'the time of an event may be in whole seconds');
};

subtest 'the header has values' => sub {
    my $report = read_text(with('6.1.0-rt7', 'a\\\\x41\\x0a\\x1b: b'));
    is($report->header('kernel_release'), "a\\x41\n\e: b", 'escapes are undone, once');
    is($report->header('none'), undef, 'what is not there');
    is($report->us('interval_min_ns'), -1.5, 'nanoseconds as microseconds');
    is(read_text(with('verdict: valid', 'verdict: suspect: a; b'))->{verdict}, 'suspect', 'the word of the verdict');
    is($report->{contradiction}, undef, 'an older report does not contradict its schedule');
    is(read_text($events)->{contradiction}, undef, 'a report that kept its schedule does not contradict it');
    my $contradicted = with('schedule: kept', 'schedule: contradicted: a; b', $events);
    is(read_text($contradicted)->{contradiction}, 'a; b', 'a contradicted schedule has a reason');
    is(read_text($contradicted =~ s/: a; b//r)->{contradiction}, '', 'a contradicted schedule may lack the reason');
};

subtest 'the data sets are read' => sub {
    my $slices = $good =~ s/(# slice_bins\n[^\n]*\n).*?(?=\n\n)/$1 . join "\n", map { "$_->[0] 1.0 $_->[1] 2000 $_->[2]" }
        [0, 1, 1], [0, 2, 1], ['0.1', 1, 3], (map { [2, $_, 1] } 0 .. 6000), [0, 1, 1]/ser;
    my ($report, $of_2002) = (read_text($good), read_text($old, 'old.hist'));
    is(join(' ', ($report->keys)[0 .. 2]), 'status verdict command', 'the keys of the header, in their order');
    is_deeply([$of_2002->keys], [], 'a file of 2002 has none');
    is_deeply([map { $report->has($_) ? 1 : 0 } qw(histogram runs slices slice_bins events)], [1, 0, 1, 1, 0],
        'a report knows which data sets it has');
    is_deeply($report->columns('slices')->{seconds}, ['0.010254'], 'values as they are written');
    is($report->columns('runs'), undef, 'a data set that is not there has no columns');
    is_deeply(read_text(with('1.00 1.01 6', '1.0 1.4 6'))->columns('histogram')->{to_us}[1], '1.40',
        'odd edges of a bin are written with two decimals');
    my $bins = read_text(with('153.00 153.10', '1000 inf'))->columns('histogram');
    is_deeply([map { $bins->{$_}[-1] } qw(from_us to_us lateness)], ['1000.00', 'inf', 1], 'the edge of an open bin is inf');
    is($report->latency('lateness'), $report->latency('lateness'), 'a distribution is made once');
    my @groups = read_text($slices)->groups('slice_bins', 'start_s');
    is_deeply([map { scalar(() = /\n/g) } @groups], [2, 1, 6001, 1], 'rows by slice, however many');
    is_deeply([map { $report->groups(@$_) } ['slice_bins', 'run'], ['runs', 'run']], [], 'a data set without the column has no groups');
    is_deeply(read_text($slices)->columns('slice_bins', $groups[1])->{lateness}, [3], 'the columns of some rows alone');
    is(join(' ', sort keys %{ $of_2002->columns('histogram') }), 'from_us interval to_us', 'the histogram of 2002');
};

subtest 'the signed order of interval errors' => sub {
    my @cells = read_text($good)->interval->cells;
    is_deeply([map { 0 + sprintf '%.2f', $_->[0] } @cells], [-1.51, 0, 1, 2.5, 150], 'early ones come first');
    is_deeply([map { $_->[2] } @cells], [2, 8, 6, 3, 1], 'early errors have their counts');
    is_deeply([map { 0 + $_->[2] } read_text($good)->magnitude->cells], [8, 6, 2, 3, 1], 'errors without sign are added');
};

subtest 'the moments of a file of 2002 are those of its bins' => sub {
    my %rows = (
        'one wake-up'      => [[0.3, 1]],
        'none'             => [[0.3, 0]],
        'a gap'            => [[0, 900], [0.1, 0], [5, 30], [5.1, 7], [600, 1]],
        'many rows'        => [map { [$_ / 10, 1 + $_ % 7] } 3 .. 12_000],
        'far, near others' => [[100_000, 3], [100_000.1, 10**12], [100_000.2, 5]],
        'beyond integers'  => [map { [$_ * 10**7, '1' . 0 x 14] } 1 .. 1_500],
        'many, far, near'  => [map { [10**6 + $_ / 10, $_ == 700 ? 10**9 : 1] } 1 .. 1_500],
        'many, none'       => [map { [$_, 0] } 1 .. 1_500],
    );
    for my $name (sort keys %rows) {
        my $interval = read_text(join '', map { sprintf "%.1f %s\n", @$_ } @{ $rows{$name} })->interval;
        my ($low, $high, $count) = $interval->columns;
        my $bins = Realfeel::Stat::Distribution->new(low => $low, high => $high, count => $count);
        is($interval->n, $bins->n, "$name: their number");
        is_deeply([map { defined ? sprintf '%.8g', $_ : undef } $interval->mean, $interval->variance, $interval->sd],
            [map { defined ? sprintf '%.8g', $_ : undef } $bins->mean, $bins->variance, $bins->sd], "$name: the moments");
    }
};

subtest 'the open last bin' => sub {
    my $report = read_text(with('153.00 153.10', '1000000000 inf') =~ s/lateness_max_ns: 153040/lateness_max_ns: 2500000000000/r);
    is($report->latency('lateness')->max, 2.5e9, 'the maximum is exact');
    is($report->latency('lateness')->quantile(1000), 2.5e9, 'no percentile is above the maximum');
    is($report->latency('lateness')->below(2e9), undef, 'inside of it nothing is known');
};

subtest 'very large counts' => sub {
    my $large = '9007199254740993';
    my $report = read_text(<<"END");
# realfeel 1
# samples: $large
# periods: $large
# missed: 0


# histogram
# from_us to_us interval early lateness
1.00 1.01 9007199254740992 0 $large
2.00 2.01 0 1 0
# end samples=$large
END
    is($report->interval->n, $large, 'large counts are kept to the last digit');
    refused(file_with(contents("$dir/x.hist") =~ s/2\.01 0 1 0/2.01 0 2 0/r),
        ':2: samples is \d+3, but histogram holds \d+4;.*', 'one too many');
};

done_testing;
