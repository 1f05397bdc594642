# SPDX-License-Identifier: GPL-2.0-or-later
# On which CPUs the processes of a run may run: a measured CPU is left to its meter, and so are the other threads of its core.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use MarkedLoad;
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;

my ($FIRST, @OTHERS) = allowed_cpus();

# A run with a load, under a command when one is given: where keeper, standby, meter and load may run, and the report.
sub placed {
    my ($options, @under) = @_;
    workspace();
    my $run = start(@under, realfeel(qw(-s nanosleep -d 1h -o report), @$options, load('touch ready; while :; do sleep 0.1; done')));
    wait_until(sub { has_begun($run->{pid}) && -e 'ready' });
    wait_for_sample($run, 'report');
    my ($standby, $meter) = children($run->{pid});
    my @places = map { allowed_to($_) } $run->{pid}, $standby, $meter, children($standby);
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 3, 'exit status') or diag $err;
    none_is_left();
    return (\@places, whole_report(contents('report')));
}

sub allowed_to {
    my ($pid) = @_;
    return join ' ', cpus_of(contents("/proc/$pid/status") =~ /^Cpus_allowed_list:\s*(\S+)/m);
}

# The siblings are said to be the last of the CPUs that may be used, or all of these.
subtest 'siblings' => sub {
    plan skip_all => 'there is one CPU only' if !@OTHERS;
    for my $siblings ([$OTHERS[-1]], [@OTHERS]) {
        my %is_sibling = map { $_ => 1 } @$siblings;
        my @free = grep { !$is_sibling{$_} } @OTHERS;
        my $rest = join ' ', @free ? @free : @OTHERS;
        my $file = "/sys/devices/system/cpu/cpu$FIRST/topology/thread_siblings_list";
        my ($places, $report) = placed(['-a', $FIRST], fake_root($file => join ',', $FIRST, @$siblings));
        is_deeply($places, [$rest, $rest, $FIRST, $rest], @free ? 'are left, too' : 'are not left where no other CPU is');
        my $is_told = $report->{preflight} =~ /own processes: siblings .* are used by keeper, standby and load on CPU/;
        is($is_told ? 1 : 0, @free ? 0 : 1, 'which the report tells');
    }
};

subtest 'the measured CPU' => sub {
    plan skip_all => 'there is one CPU only' if !@OTHERS;
    plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
    my $other = $OTHERS[-1];
    my ($places) = placed(['-a', $FIRST], qw(taskset -c), "$FIRST,$other");
    is("@$places", "$other $other $FIRST $other", 'is left where there is another');
    ($places) = placed(['-a', $FIRST], qw(taskset -c), $FIRST);
    is("@$places", "$FIRST $FIRST $FIRST $FIRST", 'and not where there is none');
    ($places) = placed([], qw(taskset -c), "$FIRST,$other");
    is((grep { $_ ne "$FIRST $other" } @$places), 0, 'nor where none is measured') or diag "@$places";
};

done_testing;
