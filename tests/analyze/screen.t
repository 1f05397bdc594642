# SPDX-License-Identifier: GPL-2.0-or-later
# A run is listed on one screen; one that is made here, of which there is more to say than of any, on six lines more.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use MadeReport ();
use Realfeel::Base::Units qw(width);
use Realfeel::Model::Cpus qw(runs_of);
use Realfeel::Model::Report;
use Realfeel::Show::Stats;
use RunCommand;

use constant { LINES => 24, MOST => 30, COLUMNS => 80 };

my $dir = tempdir(CLEANUP => 1);
chdir $FindBin::Bin or die $!;

# The screens of the runs in a file, by their names.
sub screens {
    my ($file) = @_;
    my %screens = map { $_->{reports}[0]{run_name} => Realfeel::Show::Stats::screen($_) }
        runs_of(Realfeel::Model::Report->read_all($file));
    for my $name (sort keys %screens) {
        my @lines = split /\n/, $screens{$name};
        cmp_ok(scalar @lines, '<=', $file =~ /^\Q$dir\E/ ? MOST : LINES, "$name: its lines") or diag $screens{$name};
        is_deeply([grep { width($_) > COLUMNS && !/; next: realfeel-analyze / } @lines[1 .. $#lines]], [], "$name: its columns");
        my ($result) = $screens{$name} =~ /\A\S.*\n((?:  .*\n)+)\n/;
        like($result // '', qr/\A(?:  (?:interval|delay|lateness|wake-up) .*\n)+/, "$name: figures come first");
        like($result // '', qr/^  run       (?:valid|(?:SUSPECT|INVALID):.*|no verdict in the file)\n(?: {12}.*\n)*\z/m,
            "$name: the verdict ends the result");
        cmp_ok(scalar(() = $result =~ /^  \S/mg), '<=', 7, "$name: which is short");
        like($lines[-1], qr/^  more with -v(?:[,;] .*)?\z/, "$name: its end");
    }
    return %screens;
}

screens($_) for sort glob('data/*.hist data/*.gz ../lab/examples/*.gz ../lab/examples/documents/*.gz');

# The explained run with more of everything than any has.
sub changed {
    my ($reasons, @header) = @_;
    local $_ = contents('data/explained.hist');
    my $header = join '', map { "# $_\n" } @header;
    s/^# verdict: .*/# verdict: suspect: $reasons/m;
    s/^# load: .*\n//m;
    s/^(?=# samples:)/$header/m;
    return file_of("$dir/x.hist", $_);
}

subtest 'many reasons are cut to two' => sub {
    my @reasons = map { "reason $_ that takes more than one line of a terminal with eighty columns, as some do" } 1 .. 30;
    my ($screen) = (screens(changed(join '; ', @reasons)))[1];
    like($screen, qr/^  run       SUSPECT: reason 1 .*\n {12}\S.*\n {12}reason 2 .*\n {12}.*\n {12}and 28 more \(-v\)\n\n  status /m,
        'the screen has two reasons, and how many more there are');
    ($screen) = (screens(changed(join ' ', ('reason') x 400)))[1];
    like($screen, qr/ reason \.\.\.\n\n  status /, 'a long one is cut after a word');
    ($screen) = (screens(changed('x' x 400)))[1];
    like($screen, qr/^  run       SUSPECT:\n {12}x+\.\.\.\n\n  status /m, 'a long word is cut where the line ends');
    my $contradicted = changed('memory was not locked; the schedule is contradicted: lateness is unreliable');
    file_of($contradicted, contents($contradicted) =~ s/^# schedule: .*/# schedule: contradicted: late/mr);
    like((screens($contradicted))[1], qr/^  run       SUSPECT: the schedule is contradicted: late\n {12}memory was not locked\n\n  status/m,
        'what spoils the figures comes first, and once');
};

subtest 'long conditions are cut' => sub {
    my $load = 'stress-ng ' . "--cpu \xc3\xa9" x 40;
    my ($screen) = (screens(changed('a; ' x 9 . 'b', "load: $load", 'max_ns: 1000', 'max: exceeded', 'break_ns: 1000',
        'trace: ' . 'marked ' x 30)))[1];
    like($screen, qr/^  load      stress-ng .*\.\.\.$/m, 'a long load is cut');
    like($screen, qr/^  limit     1 us, FAIL \(counted\)$/m, 'each circumstance is on one line');
};

subtest 'a word of --explain that is none' => sub {
    my $file = changed('a');
    file_of($file, contents($file) =~ s/^# explain: .*/# explain: [31m/mr);
    my @warnings;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    like((screens($file))[1], qr/^  explain   \[31m; /m, 'an unknown level of --explain is shown as it stands');
    is_deeply(\@warnings, [], 'an unknown level of --explain makes Perl warn of nothing');
};

subtest 'a long run has all percentiles' => sub {
    my $file = changed('a; b; c', 'load: x', 'max_ns: 1000', 'max: exceeded', 'break_ns: 1000');
    local $_ = contents($file);
    s/^# early_wakeups: .*/# early_wakeups: 5/m;
    s/^# duration_s: .*/# duration_s: 9765/m;
    s/\n\n# slices\n.*?(?=\n\n# events)//s;
    s/^# (samples|periods): 20/# $1: 20000000/mg;
    s/^# parts_unknown: 1$/# parts_unknown: 19999981/m;
    s/end samples=20\n/end samples=20000000\n/;
    s/^# (?:interval|lateness)_.*\n//mg;
    s{(?<=# from_us to_us interval early lateness\n)(.*?)(?=\n\n\n)}{$1 =~ s/ (\d+) (\d+) (\d+)$/ ${1}000000 ${2}000000 ${3}000000/gmr}se;
    my ($screen) = (screens(file_of("$dir/all.hist", $_)))[1];
    like($screen, qr/^    p99\.9999 +[\d.]+  [\d.]+ to /m, 'the screen has room for all percentiles');
    like($screen, qr/^  worst     at \d\S+ s, .*: \S/m, 'the screen has room for the cause');
    like($screen, qr/^  run       SUSPECT: a\n {12}b\n {12}c\n\n  status /m, 'the screen has room for three reasons');
};

subtest 'eight CPUs' => sub {
    my %of = map { my $cpu = $_; $cpu => [map { [map { 5 + $cpu + $_ % 10 / 10 } 1 .. 1000] } 1 .. 6] } 0 .. 7;
    my ($screen) = (screens(MadeReport::made_cpus("$dir/cpus.hist", \%of, verdict => 'suspect: a')))[1];
    like($screen, qr/^ +7 +6000 .*(?:\n.*){7}\n +all +48000 /m, 'a row each');
};

subtest 'what is measured' => sub {
    my %alsa = screens('data/alsa.hist');
    like($alsa{'data/alsa.hist'}, qr/^  lateness in us/m, 'alsa: the screen shows the lateness');
    unlike($alsa{'data/alsa.hist'}, qr/interval error/, 'alsa: the screen shows no interval error');
    my %ring = screens('data/ring.hist');
    like($ring{'data/ring.hist, 8x16k'}, qr/^  wake-up latency in us/m, 'the screen shows the wake-up latency of a ring');
    unlike($ring{'data/ring.hist, 8x16k'}, qr/explain/, 'a ring has no line for --explain');
    like((screens('data/low-latency-2.4.17.hist'))[1], qr/^  interval error \(early = 0\) in us/m,
        'the screen shows the interval error of 2002');
    like((screens('data/small.hist'))[1],
        qr/^  lateness in us; too short for intervals: measure a minute\n.*\n    p50 +4\.01\n    p90 +~5\.51  needs 79 .*\n    max /m,
        'the screen ends with the last percentile that has any value');
    my @quiet = map { my $s = $_; [map { 20 + ($_ * 7 + $s) % 1000 / 1000 } 1 .. 2048] } 1 .. 10;
    like((screens(MadeReport::made("$dir/quiet.hist", \@quiet, frequency_hz => 2048)))[1],
        qr/^(?:    p(?:50|90|99|99\.9) +\d\S+  \S+ to .*\n){4}    p99\.99 /m,
        'ten seconds of a quiet machine: up to p99.9, each with its interval');
};

done_testing;
