# SPDX-License-Identifier: GPL-2.0-or-later
# The page that is sent around: its figures are those of stats --json, it needs nothing else, and it shows what a file
# holds as text.
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
use Realfeel::Show::Blocks ();
use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;
copy($_, '.') for glob "$data/*.hist";

my $micro = "\xc2\xb5s";
my @slices = map { my $s = $_; [map { int(20 + 5 * sin($s) + 30 * ($_ / 1024)**40) } 1 .. 1024] } 1 .. 12;
for my $i (1 .. 13) {
    made("run-$i.hist", [map { [map { $_ * (1 + $i / 20) } @$_] } @slices], kernel_release => "6.$i.0");
}
made('one.hist', [[5]]);
made('limited.hist', \@slices, max_ns => 40_000, max => 'exceeded');
my @runs = map { "run-$_.hist" } 1 .. 13;

# The page of these files, which is made once.
my %page;

sub page_of { return $page{"@_"} //= page(@_) }

subtest 'one run' => sub {
    for my $file (qw(small.hist suspect.hist events.hist tail-mixed.hist low-latency-2.4.17.hist one.hist run-1.hist
        thread.hist alsa.hist)) {
        my $page = page_of($file);
        cmp_ok(figures_agree($page, $file), '>', 5, "$file: the page shows more than five figures");
        stands_alone($page, $file);
    }
};

subtest 'runs of two measures have a page' => sub {
    my $page = page(qw(thread.hist small.hist));
    like(headline($page), qr/The runs have no measure in common\.$/, 'runs of two measures have none in common');
    like(seen($page), qr/thread\.hist measures wake-up latency, .* but small\.hist measures lateness,/, 'two measures are not compared');
    figures_agree($page, qw(thread.hist small.hist));
    figures_agree(page(qw(thread.hist alsa.hist)), qw(thread.hist alsa.hist));
    $page = page('ring.hist');
    like(headline($page), qr/^3 valid At p50 the wake-up latency is lowest in 2x0, 1\.41 .* highest in 8x16k, 3\.41/,
        'the headline names the best and the worst cell of a ring');
};

# What stats prints first is what the page says first, but for the sign of the microsecond and the verdict's label.
subtest 'the result is that of stats' => sub {
    for my $file (map { "$_.hist" } qw(small suspect events explained thread alsa low-latency-2.4.17 run-1 limited)) {
        my ($result) = (run($analyze, $file))[1] =~ /\A\S+\n(.*?)\n\n/s;
        my @lines = split /\n(?=  \S)/, $result;
        my (undef, @page) = split /\n/, headline(page_of($file)) =~ s/$micro/us/gr;
        s/^\s+|\s+\z//g, s/\s+/ /g for @lines, @page;
        my @uncut = map { $lines[$_] =~ /(.*) \.\.\.\z/ && index($page[$_], $1) == 0 ? $page[$_] : $lines[$_] } 0 .. $#lines;
        is_deeply([@page[0 .. $#page - 1]], [@uncut[0 .. $#uncut - 1]], $file);
        cmp_ok(scalar @page, '>=', 2, "$file: stats has a result of two lines");
    }
};

# What is visible without scrolling.
subtest 'the top of the page' => sub {
    my %facts = (started => '2026-03-01T23:59:30Z', hostname => 'box', kernel_release => '6.12.0-rt', preemption => 'PREEMPT_RT',
        load => 'stress-ng --cpu 2', source => 'rtc /dev/rtc0', frequency_hz => 2048);
    made('top.hist', \@slices, %facts, verdict => 'suspect: it was; for two reasons');
    made('top-2.hist', [map { [map { $_ + 1 } @$_] } @slices], %facts, load => 'none', started => '2026-03-02T01:00:00Z', label => 'idle');
    my ($top, $rest) = split /<figure /, page('top.hist'), 2;
    like(seen($top), qr/^date 2026-03-01 23:59 UTC\nhost box\nkernel 6\.12\.0-rt, PREEMPT_RT\nload stress-ng --cpu 2$/m,
        'the page of a run begins with its facts');
    like(seen($top), qr/^source \S+ \S+ at 2048 Hz$/m, 'the page of a run has its source and rate');
    like(seen($top), qr/^missed 0 of .*\nrun suspect it was\n\nfor two reasons$/m, 'the answer stands second, with what is against it');
    unlike($top, qr/<table/, 'no table stands before the first picture');
    like($rest, qr/\Aclass="percentiles"/, 'the first picture shows the percentiles');
    ($top) = split /<figure /, my $page = page('top.hist', 'top-2.hist'), 2;
    like(seen($top), qr{^top / idle\n\ndate 2026-03-01 to 2026-03-02\n.*^load stress-ng --cpu 2 / no load$}ms,
        'the page of two runs begins with the facts of both');
    like(headline($page), qr/^1 suspect 1 valid /, 'the headline counts verdicts');
    unlike($top, qr/<table|it was/, 'the reasons of a verdict come below the first picture');
    made("rack-$_.hist", \@slices, %facts, kernel_release => "6.12.$_") for 1, 2;
    like(seen((split /<figure /, page('rack-1.hist', 'rack-2.hist'), 2)[0]), qr{^kernel 6\.12\.1 / 6\.12\.2, PREEMPT_RT$}m,
        'two kernels of one preemption model');
    like(seen($page), qr/top: it wastop: for two reasons/, 'the reasons are given by run');
    ($top) = split /<figure /, page_of(@runs), 2;
    unlike(seen($top) =~ s/<style>.*?<\/style>//sr, qr/run-5/, 'the top has no list of thirteen runs');
    like(headline($page), qr/\. Neither missed a period\.$/, 'the headline says what both runs missed');
    unlike($_, qr/maxim/i, 'the headline says nothing of maxima') for map { headline(page_of(@$_)) } [@runs], ['run-1.hist'];
    like(headline(page(@runs[0, 5, 11])), qr/^3 valid At p99\.9 the lateness is lowest in run-1, \S+ \S+, and highest in run-12, /,
        'the headline names the best and the worst of three');
};

subtest 'what is secondary is folded' => sub {
    my ($seen, @folded) = split /<details>/, page_of('run-1.hist');
    is_deeply([$seen =~ m{<h2>(.*?)</h2>}g], ['Percentiles of the lateness'], 'one table is seen');
    is(scalar(() = $seen =~ /<figure /g), 1, 'one picture is seen');
    like($seen, qr{<div class="columns">\s*<figure .*<table>}s, 'the table stands beside the picture');
    is_deeply([grep { !m{\A<summary><h2>.*</h2></summary>.*</details>}s } @folded], [], 'each part that is folded has a title');
    is_deeply([(map { m{<h2>(.*?)</h2>} } @folded)[-3 .. -1]], ['Conditions', 'Environment', 'To repeat it'],
        'conditions, settings and commands are folded');
    like(page_of('events.hist'), qr{<details><summary><h2>Percentiles of the signed interval error<}, 'signed errors are folded');
    ($seen) = split /<details>/, page_of(qw(run-1.hist run-12.hist));
    is_deeply([$seen =~ m{<h2>(.*?)</h2>}g], ['Comparison by lateness'], 'the comparison of two runs is seen');
};

subtest 'the limit and the run have badges' => sub {
    made("$_.hist", \@slices, max_ns => 40_000, max => $_) for qw(kept exceeded);
    is_deeply([page_of('kept.hist') =~ /class="verdict (\w+)">(.*?)</g], [qw(valid limit valid valid)],
        'a limit that is kept, and the run');
    is_deeply([page_of('limited.hist') =~ /class="verdict (\w+)">(.*?)</g], [qw(invalid limit valid valid)], 'a limit that is exceeded');
    like(headline(page_of('kept.hist', 'exceeded.hist')), qr/^1 FAIL 1 pass 2 valid /, 'the limits of two runs are counted');
};

subtest 'a large difference has a colour of its own' => sub {
    my %class = page_of(qw(run-1.hist run-12.hist)) =~ m{<th scope="row">(p[\d.]+)</th>(?:<td[^>]*>[^<]*</td>){3}<td class="(.*?)"}g;
    is($class{p99}, 'worse much words', 'a difference of a quarter is a large one');
    %class = page_of(qw(run-1.hist run-5.hist)) =~ m{<th scope="row">(p[\d.]+)</th>(?:<td[^>]*>[^<]*</td>){3}<td class="(.*?)"}g;
    is($class{'p99.9'}, 'worse words', 'a small one is less loud') or diag explain \%class;
};

subtest 'sentences and units are written once' => sub {
    for my $files (['events.hist'], ['limited.hist'], [qw(events.hist small.hist run-1.hist)], ['low-latency-2.4.17.hist']) {
        my $text = seen(page_of(@$files) =~ s/<pre>.*?<\/pre>//gsr);
        unlike($text, qr/\d us\b/, "@$files: microseconds have one sign");
        unlike($text, qr/\b(?:Events|Small|Run-1|Limited|Low-latency)\b/, "@$files: names are written as they are");
        my (%seen, @twice);     # of two pairs of runs the same may be found
        @twice = grep { /\w+ \w+ \w+.*\.\z/ && !/^(?:Figure|p[\d.]+:|Maximum:)/ && $seen{$_}++ } split /(?<=[.])\s+|\n/, $text;
        is_deeply(\@twice, [], "@$files: no sentence stands twice");
    }
};

subtest 'a run without samples' => sub {
    my $page = page_of('empty.hist');
    like(headline($page), qr/^lateness no samples\nmissed 0 of 0 periods\nrun invalid no sample was taken$/m,
        'the headline says that a run has no samples');
    figures_agree($page, 'empty.hist');
};

subtest 'two runs' => sub {
    my $page = page_of(qw(run-1.hist run-12.hist));
    cmp_ok(figures_agree($page, qw(run-1.hist run-12.hist)), '>', 20, 'the page of two runs shows more than twenty figures');
    stands_alone($page, 'two runs');
    my ($json) = json('compare', qw(run-1.hist run-12.hist));
    my $conclusion = $json->{conclusion} =~ s/^(no |the |in |over )/\u$1/r;
    is(headline($page), "2 valid $conclusion Neither missed a period.",
        'the headline is the conclusion');
    my ($table) = grep { $_->{section} =~ /^Comparison/ } tables($page);
    like($table->{caption}, qr/^FILE is 6\.12\.0, BASE is 6\.1\.0; /, 'the table of the comparison says which run is which');
    for my $row (@{ $table->{rows} }[1 .. $#{ $table->{rows} }]) {
        my ($is) = grep { "p$_->{percentile}" eq $row->[0] } @{ $json->{percentiles} } or next;
        is_deeply([@$row[1 .. $#$row]], ["needs $is->{needed} samples"], "$row->[0] is refused"), next if $is->{needed};
        is_deeply([@$row[1 .. 3]], [(map { us($_) . " $micro" } @$is{qw(base_us file_us)}), sprintf '%.3f', $is->{ratio}], $row->[0]);
        like($row->[4], $is->{differs} ? qr/ \*$/ : qr/\d$|known$|more$/, "$row->[0] says whether it differs");
    }
    my %rows = map { $_->[0] => $_ } map { @{ $_->{rows} } } grep { $_->{section} =~ /^Environment|^Conditions/ } tables($page);
    is_deeply($rows{"\xe2\x89\xa0 kernel"}, ["\xe2\x89\xa0 kernel", '6.1.0, full', '6.12.0, full'], 'a fact that differs is marked');
    ok(!$rows{kernel_release}, 'the kernel stands there once');
    like($page, qr{<mark>6\.12\.0,</mark>}, 'a value that differs is marked');
    is_deeply($rows{policy}, [qw(policy fifo)], 'a fact that does not differ is not marked');
};

subtest 'thirteen runs' => sub {
    my $page = page_of(@runs);
    cmp_ok(figures_agree($page, @runs), '>', 100, 'the page of thirteen runs shows more than a hundred figures');
    stands_alone($page, 'thirteen runs');
    my ($table) = grep { $_->{section} =~ /^Comparison/ } tables($page);
    is(scalar @{ $table->{rows} }, 13, 'twelve runs are compared with the first');
    is_deeply([$page =~ /<figure class="([\w-]+)"/g], ['matrix'], 'the only picture is the one that has room for thirteen runs');
    my ($json) = (json('compare', $runs[0], $runs[-1]))[0];
    my ($first) = grep { defined } map { $_->{ratio} } @{ $json->{percentiles} };
    like($table->{rows}[12][1], qr/^\Q${\sprintf '%.3f', $first}\E\n/, 'the table has the ratios of compare');
};

subtest 'runs that cannot be compared' => sub {
    my $page = page(qw(low-latency-2.4.17.hist run-1.hist empty.hist));
    like($page, qr/empty\.hist: holds no samples|has no interval/, 'the page says why runs cannot be compared');
    $page = page(qw(low-latency-2.4.17.hist preempt-lolat-2.4.17.hist));
    figures_agree($page, qw(low-latency-2.4.17.hist preempt-lolat-2.4.17.hist));
    stands_alone($page, '2002');
    like($page, qr/class="verdict none">2 without verdict/, 'a file of 2002 has no verdict');
};

subtest 'two of which one has no samples' => sub {
    my $page = page(qw(small.hist empty.hist));
    like(headline($page), qr/Only small holds samples\.$/, 'the headline says which run holds samples');
    like($page, qr{empty is not compared: empty\.hist: holds no samples}, 'the page says why there is no comparison');
    figures_agree($page, qw(small.hist empty.hist));
};

subtest 'merged runs' => sub {
    for (1, 2) { made("part-$_.hist", \@slices, duration_s => 12, period_ns => 976562, started => "2026-01-0${_}T00:00:00Z") }
    is((run($analyze, qw(merge -o merged.hist part-1.hist part-2.hist)))[0], 0, 'two runs are merged');
    my $page = page('merged.hist');
    figures_agree($page, 'merged.hist');
    stands_alone($page, 'merged');
    like($page, qr/2 runs/, 'a merged run is said to be two');
};

subtest 'a hostile report' => sub {
    my $evil = qq{<script>alert(1)</script>&amp;"'`<b onload=x>]]>--></style></title>\e[31m\x07\xff\xe2\x80\xaeutf \xc3\xa9};
    my %header = map { $_ => $evil } qw(command load hostname kernel_release cpu_model trace load_exit load_ended_by policy);
    my $name = qq{<img src=x onerror=alert(1)>&"'\xc3\xa9_{}@~ {\\:Bold x}.hist};
    made($name, \@slices, %header, source => $evil, verdict => "suspect: $evil; <i>two</i>", schedule => "contradicted: $evil",
        explain => $evil, kernel_command_line => $evil, load_cpus => $evil, "a$evil" =~ s/\W//gr => $evil);
    made("\n<u>.hist", \@slices, %header, kernel_release => 'x', verdict => "<b>bad</b>");
    for my $files ([$name], [$name, "\n<u>.hist"], [$name, "\n<u>.hist", 'run-1.hist']) {
        my $page = page(@$files);
        stands_alone($page, @$files . ' with a hostile one');
        unlike($page, qr/<(?:script|img(?! src="data:)|i|u|b onload)\b/, "@$files: a tag in a report is shown as text");
        my $text = plain($page =~ s/<style>.*?<\/style>//sr);
        like($text, qr{<script>alert\(1\)</script>&amp;"'`<b onload=x>}, "@$files: a text is shown as it stands in the file");
        like($text, qr/\\x1b\[31m\\x07\\xff/, "@$files: control characters can be seen");
        unlike($page, qr/\xe2\x80\xae/, "@$files: no character turns the text around");
    }
    my ($name_2) = plain(page("\n<u>.hist")) =~ /realfeel-analyze stats ('.*?')/s;
    is($name_2, q('\x0a<u>.hist'), 'a command line quotes a hostile name');
};

subtest 'a run and its copy' => sub {
    my $page = page(qw(small.hist small.hist));
    is(headline($page), '2 valid Identical runs.', 'the headline says that two runs are identical');
    like(plain($page), qr/is not compared: identical runs$/m, 'no comparison takes place between identical runs');
};

subtest 'report has options' => sub {
    my $page = page('--measure=interval', qw(small.hist events.hist));
    like($page, qr{<h2>Comparison by absolute interval error<}, '--measure names the measure of the comparison');
    link 'small.hist', '-F' or die $!;
    like(plain(page('--', '-F')), qr{^realfeel-analyze stats \./-F$}m, 'a command line names a file like an option with its folder');
    like(plain($page), qr/^realfeel-analyze report --measure=interval small\.hist events\.hist$/m, 'options are in the command line');
    is((run($analyze, qw(report -o out.html small.hist)))[0], 0, '-o writes a file');
    like(contents('out.html'), qr/\A<!DOCTYPE html>.*<\/html>\n\z/s, 'the file is a whole page');
    is((run($analyze, qw(report -o out.html events.hist)))[0], 0, 'the file is replaced');
    link 'small.hist', 'same.html' or die $!;
    like((run($analyze, qw(report -o same.html small.hist)))[2], qr/same\.html is one of the files to read/, '-o spares what is read');
    like((run($analyze, qw(report -o same.html), 'same.html#1'))[2], qr/same\.html is one of the files to read/,
        'a file of which one report is read is not replaced');
    is(contents('same.html'), contents('small.hist'), 'the file that is read stays what it was');
    like((run($analyze, qw(report -o no/out.html small.hist)))[2], qr{\Arealfeel-analyze: no/out\.html: .*; .*\n\z},
        '-o refuses a folder that is not there');
};

subtest 'a page is written without gnuplot' => sub {
    mkdir 'bin' or die $!;
    local $ENV{PATH} = "$ENV{PWD}/bin";
    my ($status, $page, $err) = run($^X, $analyze, 'report', 'events.hist');
    is($status, 0, 'without gnuplot, the page is written');
    my $install = 'install it (package gnuplot-nox or gnuplot)';
    like($err, qr/\Arealfeel-analyze: the page was written, but pictures are missing: gnuplot cannot be started: .*; \Q$install\E\n\z/,
        'without gnuplot, one line says that there is a page and how to get pictures');
    is($err =~ tr/\n//, 1, 'without gnuplot, the warning is the only line');
    cmp_ok(scalar(() = $page =~ /class="missing">No picture: gnuplot .*install it \(package gnuplot-nox/g), '>', 2,
        'without gnuplot, a line takes the place of each picture');
    cmp_ok(figures_agree($page, 'events.hist'), '>', 5, 'without gnuplot, the page has its figures');
};

subtest 'pictures stand in the page' => sub {
    my $svg = qq{<?xml version='1.0'?>\n<svg \n width="800" height="610"\n onload='x'><script>x</script></svg>\n};
    my $picture = Realfeel::Show::Blocks::picture($svg, '"<t>"');
    my ($data, $rest) = $picture =~ m{\A<img src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)" (.*)>\n\z};
    is(decode_base64($data), $svg, 'a picture is in the page as gnuplot drew it');
    is($rest, 'width="800" height="610" alt="&quot;&lt;t&gt;&quot;"', 'a picture has its size and a text in its place');
    like(Realfeel::Show::Blocks::picture($svg, 't', $svg =~ s/800/1200/r),
        qr{\A<picture><source media="[^"]+" srcset="data:[^"]+" width="1200" height="610"><img [^>]+></picture>\n\z},
        'a picture that is wide has a narrow one beside it');
    my $page = drawn_page("events.hist");
    my @drawn = map { decode_base64($_) } $page =~ m{<(?:img src|source media="[^"]*" srcset)="data:image/svg\+xml;base64,([^"]*)"}g;
    cmp_ok(scalar(@drawn), '>', 3, 'the page of a run has more than three pictures');
    is(scalar(grep { !/\A<\?xml.*<\/svg>\s*\z/s } @drawn), 0, 'each picture is whole');
    unlike("@drawn", qr/<script|onload|https?:\/\/(?!www\.w3\.org|www\.gnuplot)/, 'no picture asks for anything');
};

done_testing;
