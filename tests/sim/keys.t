# SPDX-License-Identifier: GPL-2.0-or-later
# realfeel(5) has each key of a report's header, in its order, and each key that it has is in a report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(uniq);
use RunCommand;
use Sim;
use Test::More;

# Of what is not simulated, the keys of reports that are kept; and those that none has: unit/report_lines has a sleep.
my @KEPT = map { contents("$FindBin::Bin/../analyze/data/$_.hist") } qw(explained asked task sleepless workqueue alsa);
my @NONE = qw(threads_asleep threads_begun inferred_sleep_ns tsc_hz tsc_error_ppm tsc_drift_ppm slack_mean_ns);

my %RUN = (
    'several CPUs, --break' => simulate([qw(-s nanosleep -n 200 --break=1us -o report -a), '0,1']),
    'a limit, a load, a remark' => simulate([qw(-s nanosleep -f 4000 -n 12000 --max=1h --label=x -o report), actor('exit=0')],
        script => ['1 step 0.002']),
    'a ring' => simulate([qw(-s ring -n 200 -o report)]),
    'a waker' => simulate([qw(-s thread -n 200 -o report)]),
);

my ($page) = contents("$FindBin::Bin/../../man/realfeel.5") =~ /^\.Ss Header\n(.*?)^\.Ss/ms;
my @documented;
for (grep { /^\.It Cm / } split /\n/, $page) {
    my @keys = /\b([a-z]\w+)\b/g;
    push @documented, / No \.\.\. / ? figures(@keys) : @keys;
}

# From the first key to the last, which is of the same series or of the last of the parts.
sub figures {
    my ($first, $last) = map { /^([a-z_]+)_(?:min|sumsq)_/ } @_;
    my @series = $first eq $last ? $first : qw(expiry waking switch again stamp);
    return map { my $series = $_; map { "${series}_$_" } qw(min_ns max_ns mean_ns sd_ns sum_ns sumsq_ns2) } @series;
}

sub keys_of { return $_[0] =~ /^# (\w+): /mg }

my %is_known = map { $_ => 1 } @NONE, map { keys_of($_) } @KEPT;
for my $name (sort keys %RUN) {
    for my $report (split /^(?=# realfeel )/m, $RUN{$name}{report}) {
        my @keys = keys_of($report);
        my %has = map { $_ => 1 } @keys;
        is_deeply(\@keys, [grep { $has{$_} } @documented], "$name: each key is documented, in this order");
        $is_known{$_} = 1 for @keys;
    }
}
is_deeply([grep { !$is_known{$_} } @documented], [], 'each documented key is in a report');
is(scalar @documented, scalar(uniq @documented), 'no key is documented twice');

done_testing;
