# SPDX-License-Identifier: GPL-2.0-or-later
# No two verbs say different things of one run: random reports, judged by the intervals, compared, exported, drawn.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(max min);
use Test::More;

use Analyzer;
use MadeReport;
use PageChecks;
use RunCommand;
use Realfeel::Answer::Compare qw(compare limit);
use Realfeel::Answer::Judgement qw(judge limit_of);
use Realfeel::Answer::Stats qw(intervals percentiles);
use Realfeel::Answer::Trend;
use Realfeel::Draw::Curves;
use Realfeel::Draw::Runs;
use Realfeel::Model::Cpus qw(runs_of);
use Realfeel::Model::Report;
use Realfeel::Output::Export qw(tap);
use Seed;

use constant { SLICES => 12, VALUES => 250 };
use constant ONE_IN => { 50 => 2, 90 => 10, 95 => 20, 99 => 100 };

my $dir = tempdir(CLEANUP => 1);

# A level that wanders more or less, and a tail.
sub random_slices {
    my ($level, $wander, $tail) = (10 * exp(rand 2), rand 0.5, rand 0.3);
    return [map {
        $level *= exp($wander * (rand() - 0.5));
        my $of_slice = $level;
        [map { $of_slice * (1 - rand 0.999)**-$tail } 1 .. VALUES];
    } 1 .. SLICES];
}

# The limit lies at an end of the interval, close to it, or near it.
sub random_limit {
    my ($of) = @_;
    my $percentile = (sort { $a <=> $b } keys %{ ONE_IN() })[rand 4];
    my @near = grep { defined } @{ $of->{$percentile} }{qw(low_us value_us high_us)};
    my $us = $near[rand @near] * exp((0, 0.04, 0.4)[rand 3] * (rand() - 0.5));
    return sprintf '%.0fns@%s', max(1, 1000 * $us), $percentile;
}

sub by_interval {
    my ($us, $low, $high) = @_;
    return defined $low && $low > $us ? 'fail' : defined $high && $high <= $us ? 'pass' : 'not_yet';
}

sub percentiles_of {
    my ($report) = @_;
    return { map { $_->{percentile} => $_ } percentiles($report->latency('lateness'), $report->pieces, 'lateness') };
}

# What is wrong, in words; nothing where all agree.
sub faults_of_one {
    my ($report, $of, $text) = @_;
    my ($limit, @faults) = (limit_of($text));
    my ($low, $high) = @{ $of->{ $limit->{percentile} } }{qw(low_us high_us)};
    my $answer = judge($report, $limit)->{answer};
    push @faults, "judge: $answer" if $answer ne by_interval($limit->{us}, $low, $high);
    my $tap = tap($report);
    push @faults, 'TAP' if ($tap =~ /^ok \d+ - within --max$/m ? 'pass' : 'no pass') ne ($answer eq 'pass' ? 'pass' : 'no pass');
    my $trend = Realfeel::Answer::Trend->new(undef, undef, undef);
    $trend->add((runs_of($report))[0]);
    my ($told) = map { $_->{limit} } map { @{ $_->{runs} } } $trend->series;
    push @faults, "trend: $told" if $told ne $answer;
    my @known = grep { defined $_->{value_us} } @$of{ sort { $a <=> $b } keys %$of };
    for my $key (qw(low_us high_us)) {
        my @ends = map { $_->{$key} // 'inf' } @known;
        push @faults, "$key: @ends" if grep { $ends[$_] < $ends[$_ - 1] } 1 .. $#ends;
    }
    return @faults, faults_of_bound($report, $limit, $answer);
}

# The bound that is drawn falls, and passes what judge does.
sub faults_of_bound {
    my ($report, $limit, $answer) = @_;
    my $runs = Realfeel::Draw::Runs->new({ symbol => { us => 'us', ms => 'ms' } }, 'lateness', $report);
    my $drawn = Realfeel::Draw::Curves::exceedance($runs);
    my @bound = @{ $drawn->{data}[1] };
    my @faults = map { "exceedance rises at $bound[$_][0]" } grep { $bound[$_][1] > $bound[$_ - 1][1] } 1 .. $#bound - 1;
    my ($before) = grep { $_->[0] * $drawn->{unit}{us} <= $limit->{us} } reverse @bound[0 .. $#bound - 1];
    my ($share, $allowed) = ($before ? $before->[1] : 1, $limit->{share});
    push @faults, "exceedance: $share" if $share <= $allowed * (1 - 1e-9) && $answer ne 'pass';
    my $sure = intervals($report->latency('lateness'), $report->pieces, 'lateness')->sure_one_in($limit->{us}) // 1;
    push @faults, "at most 1 in $sure" if ($sure >= 1 / $allowed * (1 - 1e-9)) != ($answer eq 'pass');
    return @faults;
}

sub faults_of_pair {
    my ($base, $file, @of) = @_;
    my ($comparison, @faults) = (compare($base, $file, 'lateness'));
    for my $row (grep { defined $_->{ratio} } @{ $comparison->{percentiles} }) {
        my ($b, $f) = map { $_->{ $row->{percentile} } } @of;
        my $lies = $f->{low_us} >= ($b->{high_us} // 'inf') ? 'higher' : ($f->{high_us} // 'inf') <= $b->{low_us} ? 'lower' : '';
        push @faults, "star at p$row->{percentile}: $row->{judgement}" if ($row->{differs} ? $row->{judgement} : '') ne $lies;
        my $failed = limit($comparison, $row->{percentile}, 1)->{exceeded};
        push @faults, "--fail-above=1\@$row->{percentile}" if $failed && $lies ne 'higher';
    }
    return @faults;
}

# The report that a case makes, its percentiles, and its limit.
sub report_of {
    my ($case) = @_;
    srand $case;
    my $file = made("$dir/$case.hist", random_slices(), duration_s => 60, period_ns => 20_000_000, started => "2026-01-01T00:00:00Z");
    my $of = percentiles_of(Realfeel::Model::Report->read($file));
    my $limit = random_limit($of);
    my ($ns) = $limit =~ /(\d+)/;
    file_of($file, contents($file) =~ s/^(?=# status)/# limit: $limit\n# max_ns: $ns\n/mr);
    return (Realfeel::Model::Report->read($file), $of, $limit);
}

my (@faults, %file, $last, $last_of);
for my $case (cases(24, 200)) {
    my ($report, $of, $limit) = report_of($case);
    push @faults, map { "SEED=$case, $limit: $_" } faults_of_one($report, $of, $limit);
    push @faults, map { "SEED=$case, and the one before: $_" } faults_of_pair($last, $report, $last_of, $of) if $last;
    ($last, $last_of) = ($report, $of);
    $file{ judge($report, limit_of($limit))->{answer} } = $report->{file};
}
is(join("\n", @faults[0 .. min(9, $#faults)]), '', 'no two verbs disagree about a run, or about two') or diag scalar(@faults) . ' faults';

my %word = (pass => 'pass', fail => 'FAIL', not_yet => 'NOT YET');
for my $answer (sort keys %word) {
    my $file = $file{$answer} // next;
    like((run($analyze, 'judge', $file))[1], qr/\A$word{$answer}:/, "judge prints $word{$answer}");
    like((run($analyze, $file))[1], qr/^  limit     $word{$answer}:/m, "stats prints $word{$answer}");
    like(page($file), qr{<dt><strong class="verdict \w+">limit</strong></dt> <dd>$word{$answer}:}, "the page shows $word{$answer}");
}
is_deeply([sort keys %file], [sort keys %word], 'the cases have all answers') unless defined $ENV{SEED};

done_testing;
