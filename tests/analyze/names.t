# SPDX-License-Identifier: GPL-2.0-or-later
# Runs are named by what they do not have in common.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use List::Util qw(uniq);
use Test::More;

use Realfeel::Model::Names qw(different names together);
use Seed;

sub are_named {
    my ($expected, @files) = @_;
    my @reports = map { FakeReport->new(ref $_ ? @$_ : $_) } @files;
    is_deeply([names(@reports)], $expected, "@$expected");
}

are_named(['run.hist'], 'run.hist');
are_named(['run.hist'], 'folder/run.hist');
are_named(['run.hist'], 'run.hist.gz');
are_named(['.gz'], '.gz');
are_named(['the new one'], ['run.hist', 'the new one']);
are_named([qw(none voluntary)], 'x/none-loaded-rtc.hist', 'x/voluntary-loaded-rtc.hist');
are_named([qw(cloud rt)], '6.1.0-56-cloud-amd64.hist', '6.1.0-56-rt-amd64.hist');
are_named([qw(6.1.0 6.12.0)], '6.1.0-rt.hist', '6.12.0-rt.hist');
are_named([qw(run-1 run-12)], 'run-1.hist', 'run-12.hist');
are_named([qw(run run-2)], 'run.hist', 'run-2.hist');
are_named([qw(rt rt-2)], '6.1.0-rt.hist', '6.1.0-rt-2.hist');
are_named([qw(monday tuesday)], 'monday/run.hist', 'tuesday/run.hist');
are_named(['a.hist', 'a.txt'], 'a.hist', 'a.txt');
are_named(['a', 'b', 'c#1', 'c#2'], 'a.hist', 'b.hist.gz', 'c.hist#1', 'c.hist#2');
are_named([qw(run.hist run.hist.gz)], 'run.hist', 'run.hist.gz');
are_named(['x (1)', 'x (2)'], 'x.hist', 'x.hist');
are_named(['tuned', 'b'], ['a.hist', 'tuned'], 'b.hist');
are_named(['rt, a', 'rt, b', 'full'], ['a.hist', 'rt'], ['b.hist', 'rt'], ['c.hist', 'full']);
are_named(['  ', '--'], '  .hist', '--.hist');

is(together('6.1.0-56-cloud-amd64', '6.1.0-56-rt-amd64'), '6.1.0-56-{cloud,rt}-amd64', 'what is common before and behind is written once');
is(together('full (PREEMPT_DYNAMIC)', 'none (PREEMPT_DYNAMIC)'), '{full,none} (PREEMPT_DYNAMIC)',
    'what is common behind alone is written once');
is(together('6.1.0', '6.2.0', '6.1.0'), '6.1.0 / 6.2.0', 'nothing in common');
is(together('a b'), 'a b', 'a single name stays whole');

# Whatever the files are called, no two runs have one name, and none is empty.
seed();
for (1 .. 2000) {
    my @files = map { join '', map { (qw(a b rt 1 12 6.1.0 - - _ . .hist / .gz), ' ', '#1')[rand 15] } 0 .. rand 7 } 1 .. 1 + rand 4;
    my @names = names(map { FakeReport->new($_ eq '' ? 'x' : $_, rand() < 0.2 ? 'tuned' : undef) } @files);
    next if @names == uniq(@names) && !grep { $_ eq '' } @names;
    fail("names for '" . join("' '", @files) . "': '" . join("' '", @names) . "'");
}

done_testing;

package FakeReport;

sub new { my ($class, $file, $label) = @_; return bless { file => $file, label => $label }, $class }

sub file { return $_[0]{file} }

sub header { return $_[0]{label} }
