# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that are not alike are not added, nor is one run twice.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use MadeReport ();
use RandomReport;
use Realfeel::Model::Merge;
use Realfeel::Model::Report;
use ReportText;
use Analyzer;
use RunCommand;
use Seed;

my $data = "$FindBin::Bin/data";
my $dir = tempdir(CLEANUP => 1);
seed();

my $files = 0;

sub file { return file_of("$dir/" . ++$files . '.hist', @_) }

sub made { return file(report_text((random_report(20, @_))[0])) }

sub refused {
    my ($name, $pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, 'merge', @arguments);
    is("$status $out", '1 ', "$name: nothing is written");
    like($err, qr/\Arealfeel-analyze: $pattern/, "$name: the message");
}

subtest 'runs that are not alike' => sub {
    my %other = (source => 'timerfd', clock => 'tsc', policy => 'rr', priority => 20, load => 'stress-ng --cpu 0', hostname => 'b',
        cpu_model => 'z80', kernel_release => '6.12', kernel_version => '#2', preemption => 'PREEMPT_RT', governor => 'powersave',
        isolcpus => 1, sched_ext => 'scx_lavd');
    my %usual = (policy => 'fifo', priority => 95, load => 'none', clock => 'monotonic', cpu_model => 'x', kernel_release => '6.1',
        kernel_version => '#1', preemption => 'none', governor => 'performance', isolcpus => 'none', explain => 'off', hostname => 'a',
        sched_ext => 'none');
    my $usual = made(%usual);
    for my $key (sort keys %other) {
        my $file = made(%usual, started => '2026-11-21T00:00:00Z', $key => $other{$key});
        refused($key, qr/\Q$file: $key is '$other{$key}', but in $usual\E it is .*; if that is intended, give --mixed$/m, $usual, $file);
        my ($status, $out) = run($analyze, 'merge', '--mixed', $usual, $file);
        like($out, qr/^# verdict: suspect: runs of several [\w -]+$/m, "$key: the verdict of a --mixed merge says that the runs differ");
        like($out, qr/^# $key: several$/m, "$key: the header says that there are several");
        like((run($analyze, 'merge', '--mixed', file($out)))[1], qr/^# verdict: suspect: runs of several/m,
            "$key: a further merge keeps the verdict of several runs");
    }
    my @seeds = map { made(started => "2026-11-2${_}T00:00:00Z", load => "stress-ng --seed $_ --cpu 0") } 1, 2;
    like((run($analyze, 'merge', @seeds))[1], qr/^# verdict: valid\n(?:#.*\n)*# load: stress-ng --cpu 0$/m, 'a seed makes no other load');
    my $silent = made(started => '2026-11-21T00:00:00Z');
    like((run($analyze, 'merge', $silent, $usual))[1], qr/^# verdict: valid\n(?:#.*\n)*# governor: performance or unknown$/m,
        'a missing value does not count as different');
};

sub merged_text {
    my $merge = Realfeel::Model::Merge->new;
    $merge->add(Realfeel::Model::Report->read(file($_))) for @_;
    return report_text($merge->reports);
}

subtest 'a run that is given twice counts once' => sub {
    my @texts = map { report_text((random_report(20, started => "2026-11-2${_}T00:00:00Z", hostname => 'a'))[0]) } 1 .. 3;
    my @files = map { file($_) } @texts;
    my $once = merged_text(@texts[0, 1]);
    my ($copy, $noted) = map { file($_) } $texts[0], $texts[0] =~ s/^# verdict: \Kvalid/suspect: x/mr;
    my $zipped = file($texts[1]);
    system(gzip => $zipped) and die $!;
    for (['given twice', $files[0]], ['a copy of another name', $copy], ['a .gz', "$zipped.gz"], ['with another verdict', $noted],
        ['a merged report, given again', file($once), file($once)]) {
        my ($name, @again) = @$_;
        my ($status, $out, $err) = run($analyze, 'merge', @again == 2 ? () : @files[0, 1], @again);
        is("$status $out", "0 $once", "$name: counts once");
        like($err, qr/\Arealfeel-analyze: \S+ is the same run as \S+; it counts once\n\z/, "$name: the message says so");
    }
    my ($merged, $overlapping) = (file($once), file(merged_text(@texts[1, 2])));
    my ($status, $out) = run($analyze, 'merge', $merged, $files[1]);
    is("$status $out", "0 $once", 'a run that a merged report holds');
    refused('the merged report after it', qr/\Q$merged: holds 1 run that $files[1]\E holds, too/, $files[1], $merged);
    refused('two that overlap', qr/\Q$overlapping: holds 1 run that $merged\E holds, too/, $merged, $overlapping);
    my $saved = file($texts[0] =~ s/^# status: \Kcomplete/checkpoint/mr =~ s/^# duration_s: \K.*/0.001/mr);
    refused('a checkpoint of the run', qr/\Q$saved: is another state of the run in $files[0]\E/, $files[0], $saved);
    my @cpus = map { my $cpu = $_; file($texts[0] =~ s/^(?=# samples)/# cpu: $cpu\n/mr) } 0, 1;
    is((run($analyze, 'merge', @cpus))[2], '', 'two CPUs are two runs');
    is((run($analyze, 'merge', map { file($texts[0] =~ s/^# hostname: \K.*/$_/mr) } 'a', 'b'))[0], 1,
        'two hosts are two runs, and are refused if they are unlike');
    my $old = "$data/low-latency-2.4.17.hist";
    like((run($analyze, 'merge', '--period=488281ns', $old, $old))[2], qr/is the same run as/,
        'a run of 2002 that is given twice is noticed');
};

subtest 'compare tells of copies' => sub {
    my @texts = map { report_text((random_report(40, started => "2026-11-2${_}T00:00:00Z", hostname => 'a'))[0]) } 1 .. 3;
    my ($one, $other, $both, $twice) = map { file($_) } @texts[0, 2], merged_text(@texts[0, 1]), merged_text(@texts[1, 1]);
    my $told = sub { (run($analyze, 'compare', @_))[1] =~ s/\s+/ /gr };
    like($told->($one, $both), qr/ caution: 1 run in common\b/, 'a run against the sum that it is in');
    like($told->($other, $twice), qr/\Q$twice\E holds copies of its own runs: 1\b/, 'a sum of copies');
    unlike($told->($other, $both), qr/copies|in common/, 'a sum of other runs is no copy');
};

subtest 'two runs of the same start' => sub {
    my @files = map { file(report_text(MadeReport::contents([map { [$_, $_, 5] } $_ .. $_ + 5], started => '2026-11-21T00:00:00Z',
        hostname => 'guest', duration_s => 6))) } 10, 20;
    my ($status, $out, $err) = run($analyze, 'merge', @files);
    is("$status $err", '0 ', 'two machines whose clocks begin at the same time are merged');
    like($out, qr{^# samples: 36$}m, 'two runs of one start are added');
    like((run($analyze, 'merge', @files, $files[0]))[2], qr{is the same run as $files[0];},
        'a run of the same start that is given again is noticed');
};

done_testing;
