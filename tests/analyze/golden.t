# SPDX-License-Identifier: GPL-2.0-or-later
# What is printed, byte for byte. RECORD=1 prove tests/analyze/golden.t writes the files anew: read the difference.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;

use Analyzer;
use RunCommand;

my $golden  = "$FindBin::Bin/golden";
chdir "$FindBin::Bin/data" or die "data: $!";

sub agrees {
    my ($name, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, @arguments);
    is("$status $err", '0 ', "@arguments: no complaint");
    file_of("$golden/$name", $out) if $ENV{RECORD};
    is($out, contents("$golden/$name"), "@arguments: as in golden/$name");
}

agrees("$_.stats",    "$_.hist") for qw(small events explained suspect empty thread ring workqueue alsa smis);
agrees('small.verbose',   '-v', 'small.hist');
agrees('small.json',      '--json', 'small.hist');
agrees('small.classic',   '--classic', 'small.hist');
agrees("$_.verbose",  '-v', "$_.hist") for qw(events explained suspect empty thread ring workqueue alsa smis);
agrees('events.json',     '--json', 'events.hist');
agrees('explained.text',  'explain', 'explained.hist');
agrees('explained.json',  'explain', '--json', 'explained.hist');
agrees('rt-hog.text',     'explain', 'rt-hog.hist.gz');
agrees('empty.json',      '--json', 'empty.hist');
agrees('empty.classic',   '--classic', 'empty.hist');
agrees('cpus.stats',      'cpus.hist.gz');
agrees('cpus.verbose',    '-v', 'cpus.hist.gz');
agrees('cpus.classic',    '--classic', 'cpus.hist.gz');
agrees('2002.stats',      'preempt-lolat-2.4.17.hist');
agrees('2002.verbose',    '-v', 'preempt-lolat-2.4.17.hist', 'low-latency-2.4.17.hist');
agrees('2002.json',       '--json', 'preempt-lolat-2.4.17.hist');
agrees('2002.classic',    '--classic', 'preempt-lolat-2.4.17.hist', 'low-latency-2.4.17.hist');
agrees('ring.json',       '--json', 'ring.hist, 8x16k');
agrees('alsa.json',       '--json', 'alsa.hist');
agrees('smis.json',       '--json', 'smis.hist');
agrees('judge.text',      'judge', '--max=150us@99.99', 'tail.hist');
agrees('judge.json',      'judge', '--json', '--max=150us@99.99', 'tail.hist');

done_testing;
