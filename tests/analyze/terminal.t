# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal the answers are as wide as it is, and coloured; what is for programs is refused there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use List::Util qw(max);

use Analyzer;
use RunCommand;
use Terminal;

plan skip_all => 'no pseudo-terminal can be opened' unless has_terminals();
chdir "$FindBin::Bin/data" or die $!;
delete $ENV{NO_COLOR};
$ENV{TERM} = 'xterm';
my $dir = tempdir(CLEANUP => 1);

sub widest { return max map { length s/\e\[[\d;]*m//gr } split /\n/, $_[0] }

for ([200, 120], [100, 100], [60, 60], [20, 60], [0, 80]) {
    my ($columns, $most) = @$_;
    my $shown = on_terminal($columns, $analyze, 'explain', 'explained.hist');
    my $widest = widest($shown);
    ok($widest <= $most && $widest > $most - 15, "a terminal of $columns columns has lines of up to $most") or diag $shown;
}
my ($status, $out) = run($analyze, 'explain', 'explained.hist');
cmp_ok(abs(widest($out) - 75), '<=', 5, 'a file has lines of up to 80 columns');

like(on_terminal(80, $analyze, 'suspect.hist'), qr/^  run +\e\[1;33mSUSPECT\e\[0m: /m, 'a suspect run is yellow');
like(on_terminal(80, $analyze, 'small.hist'), qr/^  run +\e\[1;32mvalid\e\[0m/m, 'a valid one is green');
my @judge = ($analyze, 'judge', '--max=1us', 'small.hist');
like(on_terminal(80, @judge), qr/^\e\[1;31mFAIL\e\[0m: /, 'a failed limit is red');
file_of("$dir/FAIL", contents('small.hist'));
unlike(on_terminal(80, $analyze, "$dir/FAIL"), qr/\e.*\n(?=.*\e)/s, 'the name of a file is no answer');
unlike((run(@judge))[1], qr/\e/, 'a file has no colours');
{
    local $ENV{NO_COLOR} = 1;
    unlike(on_terminal(80, @judge), qr/\e/, 'NO_COLOR leaves them out');
}
for my $term ('dumb', '') {
    local $ENV{TERM} = $term;
    unlike(on_terminal(80, @judge), qr/\e/, "TERM='$term' leaves them out");
}

my $refusal = "realfeel-analyze: the output is not meant for a terminal; name a file with -o, or redirect it\n";
is(on_terminal(80, $analyze, $_, 'small.hist'), $refusal, "$_ does not fill a terminal") for qw(merge report);
like(on_terminal(80, $analyze, qw(merge -o - small.hist)), qr/^# realfeel 1\n.*^# end /ms,
    "merge fills a terminal if -o - asks for it");

done_testing;
