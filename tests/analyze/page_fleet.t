# SPDX-License-Identifier: GPL-2.0-or-later
# The page of more runs than it can show whole: a row for each, the worst first, and all about the worst few.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

use MIME::Base64 qw(decode_base64);
use MadeReport;
use PageChecks;
use PageTables;
use Realfeel::Model::Report;
use Realfeel::Answer::Fleet;
use Realfeel::Stat::Change;
use ReportText;
use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;
copy($_, '.') for glob "$data/*.hist";

# Of so many periods, each latest one in a hundred this much later, and one that is the maximum.
sub late {
    my ($us, $max) = @_;
    my @usual = map { $us + ($_ % 100 == 7 ? $us : 0) } 1 .. 1000;
    my @latest = @usual;
    $latest[500] += $max;
    return [map { $_ == 4 ? \@latest : \@usual } 1 .. 12];
}

# Host 5 is the worst, host 9 the next, and host 1 the best.
my %us = (5 => 900, 9 => 700, 11 => 500, 1 => 20);
for my $host (1 .. 14) {
    made("run-$host.hist", late($us{$host} // 100 + $host, 1), hostname => "node$host");
}
made('suspect.hist', late(800, 1), hostname => 'doubted', verdict => 'suspect: it was; twice');
made('low.hist', late(5, 1), hostname => 'low', verdict => 'invalid: no right to real time');
made('short.hist', [[5, 900_000]], hostname => 'short');
made('median.hist', [[1 .. 30]], hostname => 'median');
my @runs = map { "run-$_.hist" } 1 .. 13;

# The same where so many periods of the first slice were missed.
sub missing {
    my ($file, $slices, $missed, %header) = @_;
    my $n = map { @$_ } @$slices;
    my $contents = MadeReport::contents($slices, samples => $n - $missed, missed => $missed, %header);
    my ($first, @others) = @{ $contents->{slices}{periods} };
    @{ $contents->{slices} }{qw(wakeups missed)} = ([$first - $missed, @others], [$missed, map { 0 } @others]);
    return file_of($file, report_text($contents));
}

sub the_table {
    my ($page, $section) = @_;
    my ($table) = grep { $_->{section} =~ $section } tables($page);
    return @{ $table->{rows} };
}

sub names {
    my (undef, @rows) = @_;
    return map { $_->[0] } @rows;
}

# Without the mark of those that stand out.
sub rows { return map { my ($name, @cells) = @$_; [$name =~ s/ \(stands out\)$//r, @cells] } the_table($_[0], qr/^Runs$/) }

sub marked { return map { /(.*) \(stands out\)$/ } names(the_table($_[0], qr/^Runs$/)) }

subtest 'thirteen are a fleet' => sub {
    my $page = page(@runs);
    stands_alone($page, 'a fleet');
    is_deeply([(names(rows($page)))[0 .. 3, -1]], [qw(node5 node9 node11 node13 node1)],
        'the worst first');
    is(scalar rows($page), 14, 'a row each');
    my %json = map { 'node' . $_->{file} =~ s/\D//gr => $_ } json('stats', @runs);
    for my $row ((rows($page))[1 .. 13]) {
        my ($name, $verdict, @figures) = @$row;
        my %is = map { $_->{percentile} => us($_->{value_us}) } @{ $json{$name}{lateness}{percentiles} };
        is_deeply([@figures, $verdict], [us($json{$name}{lateness}{max_us}), $json{$name}{missed}, @is{50, 99, 99.9}, 'valid'],
            "$name: the figures are those of stats");
    }
    like(headline($page), qr/ 13 runs is 1800 \S+s \(node5\); half are 216\.0 \S+s or less, the least is 40\.00 \S+s\.$/,
        'the headline tells the greatest maximum last');
    like(headline($page), qr/^13 valid node5, node9, node11 stand out: half of .* a maximum of 1000 to 1800 \S+s or more\. Of 100 /,
        'and those that stand out');
    is_deeply([marked($page)], [qw(node5 node9 node11)], 'which are marked in the table');
    like(seen($page), qr/^host 13 different$/m, 'the head is of all');
    my ($picture) = $page =~ m{<figure class="fleet">(.*?)</figure>}s;
    my ($drawn) = map { decode_base64($_) } ($picture // "") =~ m{base64,([^"]*)"};
    my @points = ($drawn // "") =~ m{<use [^>]*href=.#gpPt6.}g;
    is(@points, 4 * 13 + 4, 'the picture: four points each, and the key') if has_gnuplot();
};

subtest 'which are told in detail' => sub {
    my $page = page(@runs);
    is_deeply([names(the_table($page, qr/^Percentiles/))], [qw(node1 node5 node9 node11)], 'the best and the three worst');
    unlike($page, qr/<h2>Comparison/, 'which are not compared, for they were chosen as what they are');
    like(seen($page), qr/What follows is about node5, node9, node11, and about node1, the best\./, 'as the page says');
    cmp_ok(scalar(() = $page =~ /<figure class="percentiles"/g), '==', 1, 'and drawn') if has_gnuplot();
    unlike($page =~ s/.*in detail//sr, qr/node1[023]|run-2\b/, 'nothing of the others');
    is_deeply([(names(the_table(page(reverse @runs), qr/^Percentiles/)))[0, 1]], [qw(node1 node5)], 'in whatever order they come');
};

subtest 'those that are doubted' => sub {
    my $page = undrawn(@runs, 'suspect.hist', 'low.hist');
    my @rows = rows($page);
    is_deeply([map { "@$_[0, 1]" } @rows[1, 2, 3, -1]], ['node5 valid', 'doubted suspect', 'node9 valid', 'low invalid'],
        'are ranked, and marked');
    is_deeply([names(the_table($page, qr/^Percentiles/))], [qw(node1 node5 doubted node9)], 'but are not the best');
    $page = undrawn(map({ "run-$_.hist" } 1 .. 4, 6 .. 14), 'suspect.hist');
    like(headline($page), qr/^1 suspect 13 valid doubted, node9, .* is 1600 \S+s \(doubted, suspect\);/, 'the headline says so');
    made("doubted-$_.hist", late(10 + $_, 1), hostname => "d$_", verdict => 'suspect: x') for 1 .. 13;
    $page = undrawn(map { "doubted-$_.hist" } 1 .. 13);
    is_deeply([names(the_table($page, qr/^Percentiles/))], [qw(d13 d12 d11)], 'where all are doubted there is no best');
};

subtest 'runs that are too short for a percentile' => sub {
    missing('short.hist', [[5, (4733) x 10]], 9, hostname => 'short');
    my $page = undrawn(@runs, 'short.hist', 'empty.hist');
    is_deeply([(names(rows($page)))[0, 1, -1]], ['short', 'node5', 'empty'], 'are ranked by what they missed and their maximum');
    like(headline($page), qr/^1 invalid 14 valid .*short missed the most, 9 periods\. .* is 4733 \S+s \(short\);/, 'and named');
    like(headline($page), qr/\bnode5, node9, node11 stand out/, 'the others are judged by theirs');
    like(seen($page), qr/Without samples, and so not ranked: empty\./, 'an empty one is not, which is said');
    like(headline(undrawn(@runs, 'events.hist')), qr/\. 1 of 14 runs missed periods\. The greatest/, 'their missed periods count');
    like(headline(undrawn(@runs, 'median.hist')), qr/\bnode5, node9, node11 stand out/, 'one short run takes nothing from the others');
    made("short-$_.hist", [[5, 900_000]], hostname => "short$_") for 1 .. 13;
    $page = undrawn(map { "short-$_.hist" } 1 .. 13);
    like(headline($page), qr/Too few runs have slices of the same length to judge whether any stands out\. The greatest/,
        'of nothing but these none is judged');
    stands_alone($page, 'only short ones');
};

subtest 'what fails stands first' => sub {
    made('limit.hist', late(2, 1), hostname => 'limit', max => 'exceeded', max_ns => 1000);
    missing('missed.hist', late(3, 1), 40, hostname => 'missing');
    my $page = undrawn(@runs, 'missed.hist', 'limit.hist');
    is_deeply([(names(rows($page)))[0 .. 2]], [qw(limit missing node5)], 'above its limit, then missed periods, then the maximum');
    like(headline($page), qr/^15 valid limit exceeds its limit\. .* missing missed the most, 40 periods\./, 'which is said');
    is_deeply([map { $_->[2] } (rows($page))[1 .. 3]], ['exceeded', '-', '-'], 'and stands in a column');
    $page = undrawn('--max=1ms', @runs, 'missed.hist', 'limit.hist');
    is_deeply([map { $_->[2] } (rows($page))[1 .. 4]], ['exceeded', 'exceeded', 'kept', 'kept'], 'a limit that is given is that of all');
    like(headline(undrawn('--max=9ms', @runs)), qr/^13 valid All 13 runs kept their limit\./, 'all keep it');
};

subtest 'equal hosts' => sub {
    my @equal = map { made("equal-$_.hist", late(100 * exp(0.05 * sin(100 * $_)), 1), hostname => "e$_") } 1 .. 20;
    like(headline(undrawn(@equal)), qr/ None of 20 stands out by its usual maximum, which half of its slices reach\. The greatest/,
        'the worst is the worst by chance');
    unlike(seen(undrawn(@equal)), qr/worst is|is higher|significant/, 'and nothing else is said of it');
};

subtest 'what is not alike' => sub {
    my @others = (made('loaded.hist', late(100, 1), hostname => 'loaded', load => 'stress-ng', started => 'x', kernel_release => '6.12'),
        made('idle.hist', late(100, 1), hostname => 'idle', load => 'none'),
        made('long.hist', late(101, 1), hostname => 'long', duration_s => 60),
        made('brief.hist', late(102, 1), hostname => 'brief', duration_s => 12));
    my $page = undrawn(@runs, @others, 'run-3.hist');
    like(seen($page), qr/The runs are not alike: they differ in load, kernel_release\./, 'is said');
    like(seen($page), qr/They are 12 seconds \(brief\) to 60 seconds long: a longer one has a greater maximum\./, 'and how long they are');
    like(seen($page), qr/Given more than once, and counted once: run-3\.hist\./, 'a copy counts once');
    is(scalar rows($page), 1 + 13 + 4, 'and has no row');
};

# A stall is a single wake-up.
subtest 'too few wake-ups' => sub {
    my @slices = map { my $s = $_; [map { $s == 7 && $_ <= 200 ? 1000 * $_ : 20 + $_ / 1000 } 1 .. 1024] } 1 .. 12;
    made("stall-$_.hist", \@slices, hostname => "stall$_", period_ns => 1e6) for 1 .. 13;
    my $page = undrawn(map { "stall-$_.hist" } 1 .. 13);
    like((rows($page))[1]->[5], qr/^~/, 'p99 is not supported');
    like(seen($page), qr/~ marks a percentile beyond which there are too few wake-ups\./, 'which is explained');
};

subtest 'names' => sub {
    made("lab-$_.hist", late(10 + $_, 1), hostname => 'box', $_ % 2 ? (label => "rack $_") : ()) for 1 .. 13;
    is_deeply([(names(rows(undrawn(map { "lab-$_.hist" } 1 .. 13))))[0 .. 2]], ['rack 13', 'lab-12', 'rack 11'],
        'the label, else of one host the file');
    made("twice-$_.hist", late(10 + $_, 1), hostname => 'box' . $_ % 2) for 1 .. 13;
    is_deeply([(names(rows(undrawn(map { "twice-$_.hist" } 1 .. 13))))[0, 1]], ['box1, twice-13', 'box0, twice-12'], 'two runs of a host');
    my $evil = q{<script>alert(1)</script>"'&amp;};
    made("evil-$_.hist", late(10 + $_, 1), hostname => "$evil$_", kernel_release => $evil) for 1 .. 13;
    my $page = undrawn(map { "evil-$_.hist" } 1 .. 13);
    stands_alone($page, 'hostile hosts');
    is((names(rows($page)))[0], "${evil}13", 'are shown as they stand');
};

subtest 'measures' => sub {
    my $on_hosts = sub {
        my ($file) = @_;
        my $text = contents($file) =~ s/^# hostname: box\n//mr;
        return map { file_of("host-$_-$file", $text =~ s/^(?=# status:)/# hostname: host$_\n/mr) } 1 .. 13;
    };
    my $page = undrawn('--measure=interval', $on_hosts->('small.hist'));
    like($page, qr/<caption>Interval error of each run/, 'the one that is asked for');
    my $asked = headline(undrawn($on_hosts->('thread.hist')));
    like($asked, qr/ missed the most, 4 requests\..* is 4200 /, 'that of the source, which has requests');
    like($asked, qr/ 13 of 13 runs missed requests\./, 'in each run');
    my @old = map { my $n = $_; file_of("old-$n.hist", contents('low-latency-2.4.17.hist') =~ s/^(\S+\s+)(\d+)/$1 . ($2 + $n)/re) } 1 .. 13;
    like(headline(undrawn(@old)), qr/^13 without verdict .*The greatest maximum of 13 runs is /, 'of 2002');
    my ($status, $out, $err) = run($analyze, 'report', '-o', 'x.html', @runs, 'thread.hist');
    is("$status $out$err", "1 realfeel-analyze: 14 runs have no measure in common; name those of one kind, or a --measure\n",
        'none in common');
    ok(!-e 'x.html', 'and nothing is written');
};

subtest 'what is in a file' => sub {
    made_cpus("cpus-$_.hist", { 0 => late(10 + $_, 1), 1 => late(20 + $_, 1) }, hostname => "c$_") for 1 .. 11;
    system('cat cpus-1.hist run-5.hist run-9.hist >several.hist') and die $!;
    my $page = undrawn('several.hist', map { "cpus-$_.hist" } 2 .. 11);
    is_deeply([(names(rows($page)))[0 .. 2, -1]], [qw(node5 node9 c11 c1)], 'all its runs, each with its CPUs together');
    is_deeply([names(the_table($page, qr/^Percentiles/))], [qw(c1 node5 node9 c11)], 'also in detail');
    is(scalar(grep { $_->{section} eq 'CPUs' } tables($page)), 2, 'there the CPUs are told apart');
};

subtest 'files that cannot be read' => sub {
    file_of('cut.hist', contents('run-3.hist') =~ s/# end.*//sr);
    my ($status, $out, $err) = run($analyze, 'report', '-o', 'y.html', @runs, 'cut.hist', 'missing.hist');
    is("$status $out", '1 ', 'are an error');
    like($err, qr/\A\S+ cut\.hist:\d+: [^\n]+\n\S+ missing\.hist: cannot be opened: [^\n]+\n\z/, 'a line for each');
    my $page = contents('y.html');
    is(scalar rows($page), 1 + 13, 'the others are shown');
    like(seen($page), qr/Not here, because they could not be read: cut\.hist, missing\.hist\./, 'and these are named');
    run($analyze, qw(report --max=9ms -o limit.html), @runs, 'cut.hist');
    like(headline(contents('limit.html')), qr/All 13 readable runs kept their limit; 1 file could not be read\./, 'nor kept it');
    ($status, $out, $err) = run($analyze, 'report', '-o', 'z.html', @runs[0, 1], 'cut.hist');
    is($status, 1, 'of few');
    ok(!-e 'z.html', 'nothing is written');
};

subtest 'several nights of each host' => sub {
    my $nights = Realfeel::Stat::Change::least(2) + 4;
    my $night = sub {
        my ($host, $n, $level) = @_;
        return made("$host-$n.hist", [([map { $level + $_ / 1000 } 1 .. 600]) x 2], hostname => $host,
            started => sprintf('2026-%02d-%02dT02:00:00Z', 1 + $n / 28, 1 + $n % 28));
    };
    my @nights = map { ($night->('steady', $_, 20), $night->('other', $_, $_ > 16 ? 40 : 20)) } 1 .. $nights;
    my $page = undrawn(@nights);
    like(headline($page), qr/ valid other is worse since 2026-01-18 \(run 17 of $nights\): p50 20\.\S+ -> 40\.\S+ \S+s,/,
        'since when one is worse');
    is_deeply([map { "@$_[0, 1]" } the_table($page, qr/^Hosts$/)], ['host runs', "other $nights", "steady $nights"], 'a row each');
    unlike(seen(undrawn(@runs)), qr/^Hosts$/m, 'not where a host has one');
};

# What is kept of the runs does not grow with them.
subtest 'memory' => sub {
    my @names = map { "run-$_.hist" } (1 .. 14) x 4;
    my $gathered = Realfeel::Answer::Fleet->new;
    my $held = sub { scalar grep { @{ $_->{run}{reports} } } @{ $gathered->{rows} } };
    my @held;
    for (@names) {
        Realfeel::Model::Report->read_all($_, sub { $gathered->add(@_) });
        push @held, $held->();
    }
    cmp_ok($held[13], '<=', 12, 'only some of fourteen are kept');
    cmp_ok($held[-1], '<=', 12, 'of more no more');
    is(scalar $gathered->whole, 0, 'none beside them');
};

done_testing;
