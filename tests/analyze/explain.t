# SPDX-License-Identifier: GPL-2.0-or-later
# What realfeel-analyze explain says, and what the listing says of the worst wake-ups.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use RandomExplain;
use RandomReport;
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

chdir "$FindBin::Bin/data" or die "data: $!";
my $good    = contents('explained.hist');
my $dir     = tempdir(CLEANUP => 1);
seed();

sub file_with { return file_of("$dir/x.hist", @_) }

sub output_of {
    my ($status, $out, $err) = run($analyze, @_);
    is("$status $err", '0 ', "@_: no complaint");
    is((grep { length > 80 } split /\n/, $out), 0, "@_: 80 columns");
    return $out;
}

# Without the data sets that a lesser level has not.
sub only_parts { return $good =~ s/\n\n# records\n.*(?=# end)//sr =~ s/explain: stacks/explain: parts/r }

subtest 'a short run' => sub {
    my $text = output_of('explain', 'explained.hist');
    like($text, qr/\A\S+: stacks, valid\n  \* the parts of 1 of 20 wake-ups are unknown\n\n/, 'the text begins with its flaws');
    my ($causes, $advice, $parts) = split /\n\n/, $text =~ s/.*?\n\n//sr;
    like($causes, qr/\A  why the worst 4 of 20 wake-ups were late\n  1 of 4    the timer interrupt was 426 us late while 'perl'/,
        'causes come first');
    like($advice, qr/\A  what can be done about it\n  \* 'perl' .*\n      preempt=full\n    see Doc\S+-parameters\.txt; /ms,
        'the remedies come second');
    is_deeply([$advice =~ /; try it:\n +(.*)/g], ['realfeel-try preempt-full -- realfeel -a 1'],
        'the first remedy can be tried');
    like($parts, qr/\A  the parts of the lateness/, 'the parts come third');
    cmp_ok(($text =~ s/.*\K\n\n  the parts .*//sr) =~ tr/\n//, '<', 24, 'causes and remedies fit a screen');
    unlike($text, qr/what had the CPU|as the kernel traced it/, 'the short text has no records');
    like($text, qr/\n  more with -v\n\z/, 'the short text names -v');
};

subtest 'all of it' => sub {
    my $text = output_of('explain', '-v', 'explained.hist');
    like($text, qr/^  matched   19 of 20 wake-ups with what the kernel traced; no records lost$/m, '-v has what was matched');
    like($text, qr/^  self-test 18178 of 18181 context switches traced$/m, '-v has the self-test');
    like($text, qr/4\.3 us later: the median was\s+38\.700 us with it, 34\.400 us without\n/, '-v has the cost');
    like($text, qr/^ +max +share\n  due to expiry +425\.6 +33\.4 %\n/m, 'no percentile that 19 wake-ups do not support');
    like($text, qr/^  what had the CPU while 4 of the 20 worst wake-ups were late$/m, '-v says how many wake-ups have culprits');
    like($text, qr/^  task +perl +1 +449\.297 +35\.6 %\n  task +dash +1 +347\.509 +27\.6 %\n/m, '-v has the culprits');
    like($text, qr/^  4         180\.2 us late: the records begin 100\.0 us after due; softirq NET_RX\n            64\.0 us; /m,
        '-v has sentences');
    like($text, qr/^  \* 'dash' \(nice 0\): .*\n(?:.*\n)?      preempt=full\n    see Documentation\S+; try it:\n/m, '-v has the remedies');
    like($text, qr/; try it:\n      realfeel-try preempt-full -- realfeel -a 1$/m, '-v says how to try a remedy');
};

subtest 'a long run' => sub {
    my @late = map { $_ % 100 == 99 ? 900_000 + int rand 1000 : 50_000 + int rand 10_000 } 1 .. 12_000;
    my $slices = [[map { [$_, 1 + int $late[$_] / 488_281, $late[$_]] } 0 .. $#late]];
    my $text = output_of('explain', file_with(report_text(explained(report_of($slices), $slices, 0))));
    like($text, qr/^ +p50 +p99 +p99\.9 +max +share +> p99 +> p99\.9$/m, 'the parts have the percentiles that 12,000 wake-ups support');
    my ($stamp) = $text =~ /^  switch to stamp (.*)$/m;
    my @share = $stamp =~ /([\d.]+) %/g;
    cmp_ok($share[1], '<', $share[0], 'late wake-ups have other parts than most');
};

subtest 'parts alone' => sub {
    my $text = output_of('explain', file_with(only_parts()));
    like($text, qr/: parts, valid\n/, 'a run of parts alone says so');
    unlike($text, qr/what had the CPU|why the worst|what can be done/, 'a run of parts alone has no causes');
    my $listing = output_of('-v', file_with(only_parts()));
    like($listing, qr/^  the parts of their lateness in us\n +at s +expiry +waking +switch +again +stamp\n  0\.003348 +425\.565 /m,
        'the listing has them of the worst');
};

subtest 'a run without matched wake-ups has no parts' => sub {
    my $slices = [[map { [0, 1, 5000] } 1 .. 20]];
    my $text = output_of('explain', file_with(report_text(explained(report_of($slices), $slices, 1))));
    like($text, qr/the parts of 20 of 20 wake-ups are unknown/, 'a run without matched wake-ups says so');
    unlike($text, qr/the parts of the lateness in us/, 'a run without matched wake-ups has no table');
};

subtest 'a failed self-test' => sub {
    my $file = file_with($good =~ s/18178 of/9000 of/r =~ s/trace_lost: 0/trace_lost: 7/r);
    like(output_of('explain', $file), qr/\n  \* self-test failed: .*\n(?:    .*\n)*  \* 7 trace records lost\n/, 'the failure is first');
    like(output_of('-v', $file), qr/^  explain   stacks; each wake-up is about 4\.3 us later; self-test failed: /m,
        'a failed self-test is in the listing');
};

subtest 'the listing explains the worst' => sub {
    my $listing = output_of('-v', 'explained.hist');
    like($listing, qr/^  explain   stacks; each wake-up is about 4\.3 us later$/m, 'the listing has the cost');
    like($listing, qr/\n\n  why the worst wake-ups were late, as the kernel traced it\n  1         474\.1 us late: /,
        'the listing has sentences');
    like(output_of('-v', file_with(contents('events.hist') =~ s/explain: on.*/explain: off (no right to trace)/r)),
        qr/\n\n  no explanation: no right to trace\n\z/, 'the listing says why there is no explanation');
};

subtest 'what recording costs' => sub {
    for (['36.000', 'no later'], ['34.420', 'no later'], ['34.300', 'about 0.1 us later']) {
        my ($without, $later) = ($_->[0] * 1000, $_->[1]);
        my $file = file_with($good =~ s/without_ns: 34400/without_ns: $without/r =~ s/with_ns: 38700/with_ns: 34400/r);
        like(output_of('explain', $file), qr/^  cost      with --explain each wake-up is $later: the median/m, "explain: $later");
        like(output_of('-v', $file), qr/^  explain   stacks; each wake-up is $later$/m, "the listing: $later");
    }
};

subtest 'records before a break are shown' => sub {
    my $recorded = $good =~ s/status: complete/status: break/r;
    my $many = join '', map { sprintf "1 %.3f 1 waking a\\x20b %d nice:0 - -\n", $_ - 1500.5, $_ } 1 .. 1000;
    my $text = output_of('explain', '-v', file_with($recorded =~ s/^(?=1 -480)/$many/mr));
    like($text, qr/^  the last 20 of 1006 records before the break; .*\n +at us  event +text\n +-513\.500  waking +a b:987 nice:0\n/m,
        '-v has the last records before a break');
    $text = output_of('explain', '-v', file_with($recorded));
    like($text, qr/^  the last 6 of 6 records before the break; .*\n +at us  event +text\n +-480\.000  switch +realfeel:1200 rt:95 S /m,
        '-v has all of few records before a break');
    like($text, qr/ ==> perl:88 nice:0\n +425\.565  vector_entry  timer interrupt:236\n/, 'records have the names of what was recorded');
    unlike(output_of('explain', file_with($recorded)), qr/before the break/, 'records before a break need -v');
};

subtest 'several CPUs' => sub {
    my @cpus = map { my ($report, $slices) = random_report(100); explained($report, $slices, 0.1) } 1 .. 2;
    like(output_of('explain', file_with(parts_text(@cpus))), qr/ 36356 of 36362 context switches traced\n/, 'CPUs are together');
};

subtest 'names that would steer the terminal' => sub {
    my $text = $good =~ s/ perl / p\\x1b\\xffl /gr;
    unlike(output_of('explain', file_with($text)), qr/[\e\xff]/, 'hostile names are escaped');
};

subtest 'a report of 0.1' => sub {
    my $text = output_of('explain', '-v', 'rt-hog.hist.gz');
    like($text, qr/^  \* written by realfeel 0\.1 or 0\.2, whose account of the worst wake-ups is no\n    longer read; /m,
        'a report of 0.1 says what is not read');
    like($text, qr/^  the parts of the lateness in us/m, 'a report of 0.1 has the parts');
    unlike($text, qr/why the worst|what can be done|what had the CPU/, 'a report of 0.1 has no causes');
    unlike(output_of('explain', $_), qr/written by realfeel 0\.1/, 'a later report does not name version 0.1')
        for 'explained.hist', file_with($good =~ s/(?<=\n# event at_us ).*?\n\K.*(?=# end)//sr), file_with(only_parts());
};

subtest 'what is not explained is refused' => sub {
    my @cases = (
        [contents('small.hist'), 'was measured without realfeel --explain; measure again with it'],
        [contents('events.hist'), 'was explained by an earlier realfeel, which recorded no parts; measure again'],
        [contents('small.hist') =~ s/^(?=# samples)/# explain: several\n/mr,
            'was merged from runs with --explain and others; explain those by themselves'],
        [$good =~ s/explain: stacks/explain: off (lockdown)/r, 'has no records to explain: lockdown; measure again where .*'],
        [contents('task.hist'), 'is of a thread that was measured without --explain; run realfeel -s task again with it'],
    );
    for (@cases) {
        my ($text, $what) = @$_;
        my ($status, $out, $err) = run($analyze, 'explain', file_with($text));
        is("$status $out", '1 ', 'a refusal shows nothing');
        like($err, qr/\Arealfeel-analyze: \Q$dir\E\/x\.hist: $what\n\z/, $what);
    }
};

done_testing;
