# SPDX-License-Identifier: GPL-2.0-or-later
# What comes of a run: the figures are those of its measures, and the worst wake-up and CPU are told.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use MadeReport;
use Realfeel::Answer::Result qw(headed result);
use Realfeel::Answer::Stats qw(measures);
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Report;
use RunCommand;

my $data = "$FindBin::Bin/data";
my $dir  = tempdir(CLEANUP => 1);

sub result_of {
    my ($file) = @_;
    my ($run) = runs_of(Realfeel::Model::Report->read_all($file));
    my $report = pooled($run);
    return result($run, measures($report, headed($report)));
}

sub keys_of { return [map { $_->{measure}{key} } @{ $_[0]{measures} }] }

subtest 'the result has the measures that count' => sub {
    my %keys = (small => ['lateness'], thread => ['wakeup'], alsa => [qw(lateness wakeup)], suspect => [qw(interval lateness)],
        'low-latency-2.4.17' => ['interval']);
    is_deeply(keys_of(result_of("$data/$_.hist")), $keys{$_}, $_) for sort keys %keys;
};

subtest 'the result has figures that the samples support' => sub {
    my $result = result_of(made("$dir/quiet.hist", [map { [map { 20 + $_ / 1000 } 1 .. 1000] } 1 .. 9]));
    my ($of) = @{ $result->{measures} };
    is_deeply([map { "$_->{percentile} $_->{is_rough}" } @{ $of->{figures} }], ['50 0', '99 0', '99.9 1'],
        'nine values beyond p99.9 are too few');
    my %is = map { $_->{percentile} => $_ } @{ $of->{measure}{summary}{percentiles} };
    is($of->{figures}[1]{value_us}, $is{99}{value_us}, 'p99 is that of the measure');
    is($of->{figures}[2]{value_us}, $is{99.9}{roughly_us}, 'a rough p99.9 is that of the measure');
    is($of->{max_us}, 21, 'the result has the maximum');
    ok(!$of->{is_bound}, 'the maximum is exact');
    my ($of_2002) = @{ result_of("$data/low-latency-2.4.17.hist")->{measures} };
    ok($of_2002->{is_bound}, 'the maximum of 2002 is not exact');
    my ($empty) = @{ result_of("$data/empty.hist")->{measures} };
    is_deeply([@$empty{qw(max_us is_bound)}, @{ $empty->{figures} }], [undef, 0], 'a run without samples has no figures');
};

subtest 'a run on several CPUs has a worst one' => sub {
    my @quiet = map { [(20) x 1000] } 1 .. 6;
    my $file = made_cpus("$dir/cpus.hist", { 0 => \@quiet, 2 => [@quiet[1 .. 5], [(20) x 999, 90]], 3 => [] });
    my $cpu = result_of($file)->{cpu};
    is($cpu->{report}->cpu, 2, 'the CPU with the largest value is named');
    is($cpu->{max_us}, 90, 'the named CPU has the largest value');
    is(result_of("$data/small.hist")->{cpu}, undef, 'no CPU is named if there is one');
};

subtest 'the result explains the worst wake-up' => sub {
    my $worst = result_of("$data/explained.hist")->{worst};
    is_deeply([map { defined } @$worst{qw(at_s cpu utc run)}], [1, 1, 1, ''], 'the worst wake-up has a time and a CPU');
    is($worst->{late}{main}{name}, 'perl', 'the worst wake-up has the task that had the CPU');
    is(result_of("$data/thread.hist")->{worst}{late}, undef, 'nobody knows without --explain');
    is(result_of("$data/small.hist")->{worst}, undef, 'a report without events has no worst wake-up');
};

subtest 'the result has the verdict' => sub {
    my $result = result_of("$data/suspect.hist");
    is($result->{verdict}, 'suspect', 'the verdict is one word');
    is_deeply([map { $_->{code} } @{ $result->{objections} }], [qw(contradicted verdict verdict)], 'what spoils the figures is first');
};

subtest 'remarks are listed behind the verdict' => sub {
    my @quiet = map { [(20) x 1000] } 1 .. 9;
    my $row = sub {
        my ($verdict, $remarks) = @_;
        my $file = made("$dir/remarks.hist", \@quiet, verdict => $verdict, remarks => $remarks);
        return (run($analyze, 'report', $file))[1] =~ m{<dt>run</dt> <dd>(.*?)</dd>} ? $1 =~ s/<.*?>//gr : undef,
            (run($analyze, $file))[1] =~ /^  run       (.*)$/m;
    };
    is_deeply([$row->('valid', 'a')], [('valid remark: a', 'valid; remark: a')], 'a remark casts no doubt on a run');
    is_deeply([$row->('valid', 'a; b; c')], ['valid remark: a, and 2 more', 'valid; remark: a, and 2 more'],
        'the row names the first of several remarks');
    is_deeply([$row->('suspect: x', 'a')], ['suspect x', 'SUSPECT: x'], 'reasons come before them');
    my ($listing, $page) = map { (run($analyze, @$_, "$dir/remarks.hist"))[1] } ['-v'], ['report'];
    like($listing, qr/^  remarks   a$/m, 'the listing has all remarks');
    like($page, qr{>remarks</th><td[^>]*>a<}, 'the page has all remarks');
    is(() = $page =~ />remarks</g, 1, 'the page has the remarks once');
};

done_testing;
