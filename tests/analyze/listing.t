# SPDX-License-Identifier: GPL-2.0-or-later
# The listing and the JSON document of tests/analyze/data/small.hist, whose figures were computed by hand:
# interval errors, in us: -1.5 twice, 0 eight times, 1 six times, 2.5 three times, 150.04; lateness: 3 ten times, 4 six
# times, 5.5 four times, 153.04.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use Realfeel::Base::Units qw(decimal percent printable us);
use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);

sub listing_of {
    my ($status, $out, $err) = run($analyze, $_[0] eq '--json' ? () : '-v', @_);
    is($err, '', 'nothing on standard error');
    is($status, 0, 'exit status');
    return $out;
}

sub json_of { return JSON::PP->new->utf8->decode(listing_of('--json', @_)) }

sub changed {
    my ($name, $change) = @_;
    local $_ = contents("$data/small.hist");
    $change->();
    return file_of("$dir/$name", $_);
}

subtest 'figures by hand' => sub {
    my $listing = listing_of("$data/small.hist");
    for my $row (
        ['count',     '20',          '21'],
        ['min',       '-1.500 us',   '3.000 us'],
        ['mean',      '8.027 us',    '10.907 us'],
        ['sd',        '33.445 us',   '32.581 us'],
        ['mode',      '0.005 us',    '3.005 us'],
        ['max',       '150.040 us',  '153.040 us'],
        ['< 1 us',    '50 %',        '0 %'],
        ['< 2 us',    '80 %',        '0 %'],
        ['< 5 us',    '95 %',        '76 %'],
        ['< 10 us',   '95 %',        '95 %'],
        ['< 200 us',  '100 %',       '100 %'],
    ) {
        my ($label, $interval, $lateness) = @$row;
        like($listing, qr/^  \Q$label\E\s+\Q$interval\E\s+\Q$lateness\E$/m, $label);
    }
    like($listing, qr/^ +50 %  +0\.01  +4\.01  +4\.01$/m, 'a percentile, without its interval');
    like($listing, qr/^ +90 %  +~2\.51  +~5\.51  +~5\.51$/m, 'a percentile with few samples beyond it is marked');
    unlike($listing, qr/^ +99 %/m, 'a percentile that no measure has is not listed');
    like($listing, qr/^  p90 needs 79 more periods, less than a second at this rate$/m, 'the listing says what the percentile takes');
    like($listing, qr/^  too short for intervals: measure a minute$/m, 'the listing says why there are no intervals');
    unlike($listing, qr/< 500 us/, 'no threshold after the first above the maximum');
};

subtest 'the listing has the conditions of a run' => sub {
    my $listing = listing_of("$data/small.hist");
    like($listing, qr/\A\S+small\.hist: valid\n/, 'the verdict comes first');
    like($listing, qr/^  status +complete, 0\.010 s, from 2026-11-20 23:05:57 UTC$/m, 'status, duration and start');
    like($listing, qr/^  source +rtc \/dev\/rtc0 at 2048 Hz$/m, 'source and rate');
    like($listing, qr/^  clock +monotonic$/m, 'the listing has the clock');
    like($listing, qr/^  kernel +6\.1\.0-rt7, PREEMPT_RT$/m, 'the listing has kernel and preemption');
    like($listing, qr/^  missed +1 of 21 periods$/m, 'missed periods');
    like(listing_of(changed('early.hist', sub { s/early_wakeups: 0/early_wakeups: 1/ })),
        qr/^  early +1 wake-up before its due time$/m, 'a single one');
    like($listing, qr/^  early +0 wake-ups /m, 'early wake-ups');
    like($listing, qr/^  anchor .* at most 0\.812 us$/m, 'anchor uncertainty');
    unlike($listing, qr/^  explain/m, 'what an older report does not tell');
    $listing = listing_of("$data/events.hist");
    like($listing, qr/^  clock +tsc at 2893202764\.3 Hz \+- 0\.0120 ppm, drift up to 0\.0310 ppm$/m,
        'a counter is listed with its rate and its drift');
    like($listing, qr/^  explain +on, 0\.71 us a sample$/m, 'what the counters cost');
};

# small.hist with more periods, all of the others missed.
sub periods {
    my ($n) = @_;
    return changed("$n.hist", sub {
        s/periods: 21/periods: $n/;
        s/missed: 1$/"missed: " . ($n - 20)/me;
        s/0 0 10$/"0 0 " . ($n - 11)/me;
        s/20 21 1 /"20 $n " . ($n - 20) . ' '/e;
    });
}

subtest 'a percentile that one measure alone has' => sub {
    like(listing_of(periods(100)), qr{^ +90 % +~2\.51 +4\.01 +~5\.51\n}m, 'the listing has a percentile that one measure alone supports');
    like(listing_of(periods(99)), qr/^  p90 needs 1 more period, /m, '99 periods do not support a p90');
};

subtest 'a run that is not valid' => sub {
    my $listing = listing_of("$data/suspect.hist");
    like($listing, qr/\A\S+: SUSPECT\n  \* the schedule .*\n.*\n  \* the clock source .*\n.*\n  \* memory was not locked\n/,
        'the listing begins with the verdict and its reasons');
    unlike($listing, qr/[^\n\x20-\xff]/, 'no control character reaches the terminal');
    cmp_ok(length, '<=', 80, "80 columns: $_") for grep { !/hist:/ } split /\n/, $listing;
};

subtest 'a file of 2002' => sub {
    my $listing = listing_of("$data/low-latency-2.4.17.hist");
    like($listing, qr/^  moments +estimated from bucket midpoints/m, 'the listing says where the moments come from');
    like($listing, qr/^  lateness +not known$/m, 'the listing says that the lateness is not known');
    like($listing, qr/^  < 100 us +96\.66250 %$/m, 'the ladder as published');
    unlike($listing, qr/< 50 us/, 'no threshold inside a bucket');
};

subtest 'merged reports' => sub {
    my $merged = sub {
        my ($day, @files) = 20;
        for (@_) {      # each on a day, or with counts, of its own
            my $text = contents("$data/$_.hist") =~ s/^# started: \S+-\K\d\d(?=T)/$day++/mer;
            $text =~ s/^(\S+\s+)(\d+)/$1 . ($2 + $day++)/e if $text !~ /^#/;
            push @files, file_of("$dir/$day-$_.hist", $text);
        }
        my ($status, undef, $err) = run($analyze, qw(merge --mixed --period=488281ns -F -o), "$dir/merged.hist", @files);
        is("$status $err", '0 ', "@_");
        return listing_of("$dir/merged.hist");
    };
    my $two = $merged->('small', 'events');
    like($two, qr/^  status +complete, 0\.\d+ s, 2 runs, from /m, 'how many runs');
    like($two, qr/^  clock +more than one$/m, 'what differs');
    like($merged->('small', 'small') =~ s/\s+/ /gr, qr/ worst slice: run 1, from 0\.000 s on /, 'the run of the worst slice');
    my $old = $merged->('low-latency-2.4.17', 'low-latency-2.4.17');
    like($old, qr/^  source    2048 Hz\n  missed    not known\n  format    from 2002, .*\n  moments .*\n  lateness  not known\n\n/m,
        'what is known of 2002');
    unlike($old, qr/unknown|clock|kernel|early|anchor/, 'the listing has no other conditions of 2002');
    unlike($merged->('small', 'low-latency-2.4.17'), qr/(?<!or )unknown|several|early|anchor/, 'a report of 2002 and one of today');
};

subtest 'blank lines' => sub {
    unlike(listing_of("$data/$_.hist"), qr/\n\n\n|\n\n\z/, "$_: one at a time, none at the end") for qw(small events suspect empty);
};

subtest 'a header without moments' => sub {
    my $file = changed('lean.hist', sub { s/^# (?:interval|lateness)_.*\n//mg });
    my $listing = listing_of($file);
    like($listing, qr/^  moments +estimated from the bins/m, 'the listing says that the moments come from the bins');
    like($listing, qr/^  min +-1\.510 us +3\.000 us$/m, 'edges of bins');
    like($listing, qr/^  mean +8\.031 us +10\.912 us$/m, 'middles of bins');
};

subtest 'several files' => sub {
    my $listing = listing_of("$data/small.hist", "$data/suspect.hist");
    like($listing, qr/\n\n\S+suspect\.hist: SUSPECT\n/, 'a blank line separates the runs');
    my ($status, $out, $err) = run($analyze, "$dir/none", "$data/small.hist");
    is($status, 1, 'a bad one: exit status');
    like($out, qr/small\.hist\n  lateness /, 'the good one is listed');
    like($err, qr/\Arealfeel-analyze: \S+none: .*\n\z/, 'the bad one is named');
};

subtest 'JSON has the run' => sub {
    my ($run) = @{ json_of("$data/small.hist") };
    my ($environment, $results) = @$run{qw(environment results)};
    is_deeply([@$run{qw(verdict status)}, @$environment{qw(source clock kernel_release)}],
        ['valid', 'complete', 'rtc /dev/rtc0', 'monotonic', '6.1.0-rt7'], 'JSON has the texts of the header');
    is_deeply([@$environment{qw(frequency_hz period_ns)},
        @$results{qw(samples periods missed early_wakeups duration_s anchor_uncertainty_ns)}],
        [2048, 488_281, 20, 21, 1, 0, 0.010254, 812], 'JSON has the numbers of the header');
    is_deeply([@{ $run->{lateness} }{qw(count min_us mean_us max_us mode_us)}],
        [21, 3, 10.906667, 153.04, 3.005], 'JSON has the lateness');
    is($run->{interval}{min_us}, -1.5, 'interval error');
    is_deeply($run->{interval}{percentiles}[0], { percentile => 50, value_us => 0.01, low_us => undef, high_us => undef,
        open => 'short' }, 'JSON has percentiles');
    is_deeply($run->{interval}{percentiles}[4],
        { percentile => 99.9, value_us => undef, lack => 'samples', needed => 10_000, more => 9980 },
        'a percentile that is not given');
    is_deeply($run->{interval}{below}[1], { threshold_us => 2, count => 16 }, 'JSON has thresholds');
};

subtest 'JSON of hostile files' => sub {
    my ($suspect, $empty, $old) = @{ json_of("$data/suspect.hist", "$data/empty.hist", "$data/low-latency-2.4.17.hist") };
    is($suspect->{environment}{kernel_release}, "a \"quoted\" \e[31m\n na\xefve \\ name", 'quotes, control characters and UTF-8');
    is($empty->{lateness}{$_}, undef, "no samples: $_") for qw(min_us mean_us sd_us mode_us max_us);
    is($old->{lateness}, undef, 'a file of 2002 has no lateness');
    my $file = changed("m\xc3\xbc \"q\".hist", sub { s/6\.1\.0-rt7/a\xff/ });
    my ($run) = @{ json_of($file) };
    like($run->{file}, qr/m\xfc "q"\.hist\z/, 'a file name in UTF-8');
    is($run->{environment}{kernel_release}, "a\x{fffd}", 'a byte that is not UTF-8');
    unlike(listing_of('--json', "$data/empty.hist"), qr/\bnan\b|\binf\b/i, 'JSON of an empty run has no nan and no inf');
};

subtest 'JSON of very large counts' => sub {
    my $file = changed('large.hist', sub {
        s/samples: 20/samples: 9007199254741005/;
        s/periods: 21/periods: 9007199254741006/;
        s/^1\.00 1\.01 6/1.00 1.01 9007199254740991/m;
        s/ 10$/ 9007199254740995/m;
        s/\n\n# slices.*(?=# end)//s;
        s/end samples=20/end samples=9007199254741005/;
    });
    like(listing_of('--json', $file), qr/"samples": 9007199254741005\b/, 'JSON has large numbers to the last digit');
};

subtest 'numbers as text' => sub {
    is(us(12.3456), '12.346 us', 'a time has its unit');
    is(decimal(-0.0001, 3), '0.000', 'no negative zero');
    is(decimal(-0.0006, 3), '-0.001', 'a small negative number keeps its sign');
    is(percent(1, 3), '33 %', 'a share of few');
    is(percent(4_915_634, 5_000_000), '98.31268 %', 'a share of many');
    is(percent(4_999_999, 5_000_000), '99.99998 %', 'all but one');
    is(percent('9007199254740992', '9007199254740993'), '99.999999999999 %', 'a share below 1 is never 100 %');
    is(percent(7, 7), '100 %', 'a share of 1 is 100 %');
    is(printable("a\tb\x7f"), 'a\\x09b\\x7f', 'control characters');
};

subtest 'limits and a load' => sub {
    my $file = changed('load.hist', sub {
        my @lines = ('max_ns: 150500', 'max: exceeded', 'break_ns: 200000', 'load: make -j8',
            'load_exit: signal 15', 'load_ended_by: the run');
        my $header = join '', map { "# $_\n" } @lines;
        s/^(?=# samples:)/$header/m or die;
    });
    my $listing = listing_of($file);
    like($listing, qr/^  limit     150\.5 us, FAIL \(counted\)$/m, 'the greatest lateness that passes');
    like($listing, qr/^  break     200 us$/m, 'the listing has the lateness to break at');
    like($listing, qr/^  load      make -j8; ended by the run: signal 15$/m, 'the listing has the load and how it ended');
    my ($json) = @{ json_of($file) };
    is_deeply([@{ $json->{results} }{qw(max_ns max break_ns)}, $json->{environment}{load}], [150_500, 'exceeded', 200_000, 'make -j8'],
        'JSON has limits and load');
};

done_testing;
