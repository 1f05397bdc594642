# SPDX-License-Identifier: GPL-2.0-or-later
# The result of a run: the figures are those of its measures, and the worst wake-up and CPU are named.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use MadeReport;
use Realfeel::Answer::Stats qw(headed measures);
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Report;
use Realfeel::Show::Stats qw(result_lines);
use RunCommand;

my $data = "$FindBin::Bin/data";
my $dir  = tempdir(CLEANUP => 1);

# The lines of the result of a run.
sub result_of {
    my ($file) = @_;
    my ($run) = runs_of(Realfeel::Model::Report->read_all($file));
    my $report = pooled($run);
    return result_lines($run, measures($report, headed($report)));
}

sub labels_of { my ($code, $file) = @_; return [map { $_->[0] } grep { $_->[2] eq $code } result_of($file)] }
sub text_of { my ($code, $file) = @_; return (map { $_->[1] } grep { $_->[2] eq $code } result_of($file))[0] }

subtest 'the result has the measures that count' => sub {
    my %keys = (small => ['lateness'], thread => ['wake-up'], alsa => [qw(lateness wake-up)], suspect => [qw(interval lateness)],
        'low-latency-2.4.17' => ['interval']);
    is_deeply(labels_of('figures', "$data/$_.hist"), $keys{$_}, $_) for sort keys %keys;
};

subtest 'the result has figures that the samples support' => sub {
    my $file = made("$dir/quiet.hist", [map { [map { 20 + $_ / 1000 } 1 .. 1000] } 1 .. 9]);
    is(text_of('figures', $file), 'p50 20.51 us  p99 21.00 us  p99.9 ~21.00 us  max 21.00 us', 'nine values beyond p99.9 are too few');
    like(text_of('figures', "$data/low-latency-2.4.17.hist"), qr/  max < \S+ \w+\z/, 'the maximum of 2002 is not exact');
    is(text_of('figures', "$data/empty.hist"), 'no samples', 'a run without samples has no figures');
};

subtest 'a run on several CPUs has a worst one' => sub {
    my @quiet = map { [(20) x 1000] } 1 .. 6;
    my $file = made_cpus("$dir/cpus.hist", { 0 => \@quiet, 2 => [@quiet[1 .. 5], [(20) x 999, 90]], 3 => [] });
    is_deeply(labels_of('cpu', $file), ['CPU 2'], 'the CPU with the largest value is named');
    like(text_of('cpu', $file), qr/max 90\.00 us\z/, 'the named CPU has the largest value');
    is_deeply(labels_of('cpu', "$data/small.hist"), [], 'no CPU is named if there is one');
};

subtest 'the result explains the worst wake-up' => sub {
    like(text_of('worst', "$data/explained.hist"), qr/\Aat \d+\.\d{3} s, [\d:.]+ UTC, on CPU \d+: .*'perl'/,
        'the worst wake-up has a time, a CPU and the task that had it');
    unlike(text_of('worst', "$data/thread.hist"), qr/: [a-z']/, 'nobody knows without --explain');
    is(text_of('worst', "$data/small.hist"), undef, 'a report without events has no worst wake-up');
};

subtest 'the result has the verdict' => sub {
    like(text_of('verdict', "$data/suspect.hist"), qr/\ASUSPECT: the schedule is contradicted: /, 'what spoils the figures is first');
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
