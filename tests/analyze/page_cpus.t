# SPDX-License-Identifier: GPL-2.0-or-later
# The page of runs on several CPUs: its figures are of all together, and each CPU has a row.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

use MadeReport;
use PageChecks;
use PageTables;
use Analyzer;
use RunCommand;
use Seed;

my $micro = "\xc2\xb5s";
chdir tempdir(CLEANUP => 1) or die $!;
copy("$FindBin::Bin/data/cpus.hist.gz", '.') or die $!;
seed();
my @slices = map { [map { sprintf '%.1f', 20 - 5 * log(1 - rand) } 1 .. 1024] } 1 .. 20;
made('one.hist', \@slices);

# The rows of the table of CPUs that stats prints.
sub listed {
    my ($file) = @_;
    my ($out) = (run($analyze, '-v', $file))[1] =~ /of each CPU, worst first\n(.*?)\n\n/s;
    return [map { [split] } split /\n/, $out];
}

subtest 'a run on several CPUs' => sub {
    my $page = page('cpus.hist.gz');
    cmp_ok(figures_agree($page, 'cpus.hist.gz'), '>', 20, 'the figures are those of all CPUs together');
    stands_alone($page, 'several CPUs');
    my @kinds = $page =~ /<figure class="([\w-]+)"/g;
    is_deeply(\@kinds, [qw(cpus percentiles histogram exceedance slices)], 'the picture of each CPU comes first');
    my ($table) = grep { $_->{section} eq 'CPUs' } tables($page);
    is_deeply($table->{rows}, listed('cpus.hist.gz'), 'the table of the CPUs is that of stats');
    is($table->{caption}, "Lateness in $micro of each CPU, worst first", 'the table of CPUs has a caption');
    like($page, qr{<h2>CPUs</h2>.*<figure class="cpus".*<details><summary><h2>All CPUs together<.*<figure class="percentiles".*<h2>Perc}s,
        'CPUs come before percentiles, which are folded');
    is(scalar(() = $page =~ /<source /g), 1, 'the picture of each CPU is as wide as the page');
    like(seen($page), qr/^cpus 0-3$/m, 'the facts say which CPUs were measured');
    my ($json) = json('stats', 'cpus.hist.gz');
    my %is = map { $_->{cpu} => (grep { $_->{percentile} == 99.9 } @{ $_->{lateness}{percentiles} })[0]{value_us} } @{ $json->{cpus} };
    my ($best, $worst) = (sort { $is{$a} <=> $is{$b} } keys %is)[0, -1];
    like(headline($page), qr/^lateness p50 .*\nCPU 3 p50 2\.220 $micro .* max 1\.152 ms\nmissed 2 of 98306 periods$/m,
        'the headline names all CPUs and the worst');
    unlike(seen(page('one.hist')), qr/\bCPUs\b|^cpus /m, 'the page of a run on one CPU names no CPUs');
    my @shown = opened($page) =~ /, 4 CPUs: /g;
    is(scalar @shown, 5, 'each picture says how many CPUs it shows');
};

subtest 'two runs on several CPUs' => sub {
    made_cpus('a.hist', { 0 => \@slices, 2 => \@slices }, duration_s => 20);
    made_cpus('b.hist', { 0 => \@slices, 2 => [map { [map { $_ * 1.5 } @$_] } @slices], 3 => [] },
        verdict => { 0 => 'valid', 2 => 'valid', 3 => 'invalid: it went offline' });
    my $page = page('a.hist', 'b.hist');
    figures_agree($page, 'a.hist', 'b.hist');
    stands_alone($page, 'two runs on several CPUs');
    my ($json) = json('compare', 'a.hist', 'b.hist');
    my ($comparison) = grep { $_->{section} =~ /^Comparison/ } tables($page);
    my ($first) = @{ $json->{percentiles} };
    my ($row) = grep { $_->[0] eq "p$first->{percentile}" } @{ $comparison->{rows} };
    is_deeply([@$row[1 .. 3]], [(map { us($_) . " $micro" } @$first{qw(base_us file_us)}),
        defined $first->{ratio} ? sprintf '%.3f', $first->{ratio} : undef], 'the comparison is between all CPUs together');
    my @tables = grep { $_->{section} eq 'CPUs' } tables($page);
    is_deeply([map { $_->{rows} } @tables], [map { listed("$_.hist") } qw(a b)], 'each run has a table of its CPUs');
    is_deeply([map { $_->{caption} =~ s/:.*//r } @tables], [qw(a b)], 'each table of CPUs has the name of its run');
    is(scalar(() = $page =~ /<figure class="cpus"/g), 2, 'each run has a picture of its CPUs');
    like(seen($page), qr/A dash takes the place of what the data do not support\./, 'a dash is explained');
    like(seen($page), qr/^b: CPU 3: it went offline$/m, 'the page says which CPU is invalid');
    $page = page('a.hist', 'b.hist', 'one.hist');
    figures_agree($page, 'a.hist', 'b.hist', 'one.hist');
    unlike($page, qr/<figure class="cpus"/, 'the page of three runs has no picture of each CPU');
    is(scalar(grep { $_->{section} eq 'CPUs' } tables($page)), 2, 'the page of three runs has the tables of their CPUs');
    made_cpus('few.hist', { map { $_ => [([(20) x 1000]) x 4] } 0, 1 });
    like(seen(page('few.hist')), qr/~ marks a percentile beyond which there are too few samples\./, 'a tilde is explained');
};

done_testing;
