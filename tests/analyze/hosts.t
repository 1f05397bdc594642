# SPDX-License-Identifier: GPL-2.0-or-later
# Many hosts side by side: which is bad, since when, and that the worst of equal ones is not.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use MadeReport;
use Realfeel::Answer::Apart qw(apart usual);
use Realfeel::Answer::Hosts qw(hosts);
use Realfeel::Answer::Trend qw(failing);
use Realfeel::Model::Cpus;
use Realfeel::Model::Report;
use Realfeel::Stat::Change qw(LEAST changes_among least);
use Analyzer;
use RunCommand;
use Seed;

chdir tempdir(CLEANUP => 1) or die $!;

seed(USUAL);

# A night of a host: twelve slices about this level, none of them later than that by more than a half.
sub night {
    my ($host, $number, $level, %header) = @_;
    my $slices = delete $header{slices} // 12;
    my @slices = map { [map { $level * (1 + $_ / 1000 + rand() / 20) } 1 .. 100] } 1 .. $slices;
    return made("$host-$number.hist", \@slices, hostname => $host, period_ns => 976562, duration_s => $slices,
        started => sprintf('2026-%02d-%02dT02:00:00Z', 1 + $number / 28, 1 + $number % 28), %header);
}

sub answer {
    my @files = @_;
    my $trend = Realfeel::Answer::Trend->new;
    $trend->add(Realfeel::Model::Cpus::runs_of(Realfeel::Model::Report->read_all($_))) for @files;
    return hosts($trend->series);
}

sub names { return map { $_->{name} } @{ $_[0]{hosts} } }

my @equal = map { night(sprintf('n%02d', $_), 1, 100) } 1 .. 20;

subtest 'equal hosts' => sub {
    my $answer = answer(@equal);
    is_deeply([@$answer{qw(judged needed)}], [20, least(20)], 'all are judged, and each needs more runs than one alone');
    is((grep { $_->{apart} || @{ $_->{worse} } || $_->{exceeds} } @{ $answer->{hosts} }), 0, 'nothing is said of any');
    my @max = map { $_->{max_us} } @{ $answer->{hosts} };
    is_deeply(\@max, [sort { $b <=> $a } @max], 'the greatest maximum stands first');
    my ($status, $out) = run($analyze, qw(trend --fail), @equal);
    is($status, 0, 'none fails');
    like($out, qr/\ANone of 20 hosts stands out among the others\.\nWhether any has changed is not known: that takes 2\d runs/,
        'the first line says so');
    like($out, qr/^20 hosts, 20 runs: .*\nhost +runs +max us +missed +changed since\n(?:n\d\d +1 +1\d\d\.\d +0 +-\n){20}\z/m,
        'a line each');
};

subtest 'a newest run that is lacking' => sub {
    my @newest = (night('n01', 2, 100, slices => 5), night('n02', 2, 100), night('n03', 2, 100), night('n03', 3, 100));
    file_of($_, contents($_) =~ s/^# end .*\n//mr) for @newest[1, 2];
    my (undef, $out, $err) = run($analyze, 'trend', @equal, @newest);
    is((() = $err =~ /cut off/g), 2, 'two files cannot be read');
    my %row = $out =~ /^(n\d\d) .*\d  (\S.*)$/mg;
    is_deeply({ map { $_ => $row{$_} } grep { $row{$_} ne '-' } keys %row },
        { n01 => 'newest run only 5.0 seconds', n02 => 'newest run unreadable' }, 'the rows say whose, unless there is a newer one');
    unlink @newest;
};

subtest 'one that is bad' => sub {
    my $bad = night('bad', 1, 200);
    my $short = made('short.hist', [[(5) x 99, 900]], hostname => 'short', started => '2026-01-02T02:00:00Z');
    my $answer = answer(@equal, $bad, $short);
    is_deeply([(names($answer))[0, 1]], ['bad', 'short'], 'stands before one that is short, which has a great maximum');
    is_deeply([map { $_->{name} } grep { $_->{apart} } @{ $answer->{hosts} }], ['bad'], 'and stands out alone');
    my ($status, $out, $err) = run($analyze, 'trend', @equal, $bad, $short);
    is("$status $err", '0 ', 'is no error');
    like((run($analyze, qw(trend --max=1s), @equal, $bad))[1], qr/\AAll 21 hosts kept 1 s\.\nbad stands/, 'a limit goes before');
    like($out, qr/\Abad stands out of 21: half of its slices have a maximum of 2\d\d\.\d us or more\.$/m,
        'which the first line says');
    is_deeply([$out =~ /^(\w+) .*  stands out$/mg], ['bad'], 'and its row alone');
    unlike($out, qr/\^/, 'no mark is explained that is not there');
    unlink $bad, $short;
};

# Ten slices of which half a burst has come into: the middle one lies far above those of other hosts, by chance.
subtest 'bursts in few slices' => sub {
    my $of = sub {
        my ($times, @in_burst) = @_;
        my @max = map { $times * 80 * (1 + rand() / 5) } 1 .. 10;
        $max[$_] *= 6 for @in_burst;
        return { usual(1, @max) };
    };
    my @others = map { $of->(1, $_ % 10, ($_ + 3) % 10) } 1 .. 39;
    is_deeply(apart(@others, $of->(1, 0, 2, 4, 6, 8))->{apart}, [], 'do not stand out');
    is_deeply(apart(@others, $of->(2, 0, 2, 4, 6, 8))->{apart}, [39], 'but one of which all slices are later');
    my $many = apart(map { $of->(1) } 1 .. 60);
    is_deeply([@$many{qw(judged short needed)}], [0, 60, 11], 'of sixty hosts ten slices tell nothing');
    my @long = map { { usual(1, map { rand } 1 .. 11) } } 1 .. 60;
    is_deeply([@{ apart(@long) }{qw(judged short)}], [60, 0], 'eleven do');
};

subtest 'ten slices of sixty hosts' => sub {
    my @short = map { night(sprintf('s%02d', $_), 1, 100, slices => 10) } 1 .. 60;
    like((run($analyze, 'trend', @short))[1],
        qr/^Whether any of 60 stands out is not known: that takes 11 slices of each; measure\s+a\s+minute\.$/m, 'trend says so');
    like(`$analyze report @short`, qr/Whether any of 60 stands out is not known: that takes 11 slices of each/, 'the page, too');
    unlink @short;
};

subtest 'limits' => sub {
    my @over = (night('over', 1, 100, max_ns => 90_000, max => 'exceeded'), night('kept', 1, 100, max_ns => 900_000, max => 'kept'));
    my $answer = answer(@equal, @over);
    is((names($answer))[0], 'over', 'who exceeds it stands first');
    is_deeply([map { join ' ', @$_{qw(name limited exceeded exceeds)} } grep { $_->{limited} } @{ $answer->{hosts} }],
        ['over 1 1 1', 'kept 1 0 0'], 'the others have none');
    my ($status, $out) = run($analyze, qw(trend --fail), @equal, @over);
    is($status, 2, 'is a failure');
    like($out, qr/\Aover exceeds its limit\.\n/, 'told first');
    like($out, qr/^over +1  1 of 1 above .*^kept +1  kept .*^n\d\d +1  - /ms, 'and in the row');
    is((run($analyze, qw(trend --fail --max=1ms), @equal, @over))[0], 0, 'a limit that is given takes its place');
    ($status, $out) = run($analyze, qw(trend --max=50us --fail), @equal);
    is($status, 2, 'of each');
    like($out, qr/\An\d\d, n\d\d, n\d\d, n\d\d, n\d\d and 15 others exceed their limits\.$/m, 'a few are named');
    like((run($analyze, qw(trend --max=50us), @equal[0 .. 5]))[1],
        qr/^(?:n\d\d, ){5}n\d\d exceed their limits\.$/m, 'each, where one would be left');
    is((run($analyze, qw(trend --max=1ms@99 --fail), @equal, @over))[0], 0, 'also one of a share');
    is((run($analyze, qw(trend --max=50), @equal))[0], 1, 'a limit without a unit is an error');
    my @since = (night('was', 1, 100, max => 'exceeded'), night('was', 2, 100, max => 'kept'), night('was', 3, 900, max => 'exceeded',
        verdict => 'invalid: suspended'));
    my ($was) = @{ answer(@since)->{hosts} };
    is_deeply([@$was{qw(runs limited exceeded exceeds)}], [2, 2, 1, 0], 'the newest run counts that can be believed');
    ok(!failing($was->{series}), 'so it does not fail');
    unlink @over, @since;
};

subtest 'since when' => sub {
    my $nights = least(3) + 4;
    my @files = map { my $n = $_; map {
        my $is_worse = $_ eq 'b' && $n > 16;
        night($_, $n, $is_worse ? 150 : 100, kernel_release => $is_worse ? '6.2' : '6.1');
    } qw(a b c) } 1 .. $nights;
    my $answer = answer(@files);
    is((names($answer))[0], 'b', 'the one that is worse stands first');
    is_deeply([map { scalar @{ $_->{worse} } > 0 ? 1 : 0 } @{ $answer->{hosts} }], [1, 0, 0], 'no other is');
    my ($status, $out, $err) = run($analyze, qw(trend --fail), @files, 'missing.hist');
    is($status, 2, 'who is worse fails, although a file cannot be read');
    is((run($analyze, 'trend', @files, 'missing.hist'))[0], 1, 'which is an error without --fail');
    like($err, qr/\Arealfeel-analyze: missing\.hist: [^\n]+\n\z/, 'a line');
    like($out,
        qr/\Ab\ is\ worse\ since\ 2026-\S+\ \(run\ 17\ of\ $nights,\ its\ first\ of\ 6\.2\):\s+p50\s.*->\s+1\S+\s+us.*
            \nmore:\ .*\ trend,\ with\ the\ files\ of\ b\ alone$/smx,
        'and the first line is the answer');
    like($out, qr/^b +$nights +\d+\.\d +0  2026-01-18 \(run 17\) p50\^/m, 'the row, too');
    is((grep { length > 80 } split /\n/, $out), 0, '80 columns');
    ($status, $out) = run($analyze, qw(trend --fail --max=120us), @files);
    is($status, 2, 'above a limit');
    my $above = $nights - 16;
    like($out, qr/\Ab exceeded 120 us in $above of $nights runs, last on 2026-\S+; the other 2 never\s+did\.\nb is worse/,
        'the first line answers what was asked');
    ($status, $out) = run($analyze, qw(trend --max=1s), @files);
    like($out, qr/\AAll 3 hosts kept 1 s in each run\.\nb is worse/, 'a limit that all keep, too');
    my ($verbose) = (run($analyze, qw(trend -v), @files))[1];
    is(() = $verbose =~ /^[abc], nanosleep at 1024 Hz: $nights runs$/mg, 3, 'the runs with -v');
    unlink @files;
};

subtest 'names' => sub {
    my @files = (night('twice', 1, 100), night('twice', 2, 100, label => 'idle'), night("e\e[31m", 3, 100));
    my ($status, $out) = run($analyze, 'trend', @files);
    like($out, qr/^3 series, 3 runs: /m, 'a host of two series makes all of them series');
    like($out, qr/^\Q$_\E  +1 /m, 'told apart by what differs') for 'twice', 'twice, idle';
    unlike($out, qr/\e/, 'as they stand');
    like($out, qr/\ANothing is known by which to judge 3 series: give a --max, or 2\d runs of each,\s+to find what changed\.\n\n/,
        'with neither limit nor nights one line says what is lacking');
};

# As it is found of one alone, in many it would be found by chance.
subtest 'a change among many' => sub {
    is(least(1), LEAST, 'of one');
    my ($one, $many) = map { least($_) } 1, 40;
    cmp_ok($many, '>', $one, 'of many it takes more runs');
    for my $series (1, 40, 1000) {
        my $n = least($series);
        my @values = ((map { rand } 1 .. $n / 2), map { 2 + rand } 1 .. $n - int($n / 2));
        is_deeply([map { scalar(() = changes_among($series, @values[0 .. $_])) } $n - 2, $n - 1], [0, 1], "of $series, $n");
    }
};

done_testing;
