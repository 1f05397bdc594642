# SPDX-License-Identifier: GPL-2.0-or-later
# All of a run is frozen and thawed: the kernel says that it happened, when nobody could see it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(start finish contents file_of wait_until);
use Test::More;
use Time::HiRes qw(sleep);

my $group = new_group() // plan skip_all => 'no cgroup with a freezer can be made here';

END {
    if ($group) {
        eval { put('cgroup.freeze', 0) };
        kill KILL => split ' ', eval { contents("$group/cgroup.procs") } // '';
        eval { wait_until(sub { rmdir $group }) };
    }
}

sub put { my ($file, $word) = @_; return file_of("$group/$file", "$word\n") }

# A new group of version 2, or nothing where none can be made.
sub new_group {
    my ($mount) = contents('/proc/mounts') =~ /^\S+ (\S+) cgroup2 /m or return;
    my $made = "$mount/realfeel-test-$$";
    mkdir $made or return;
    return $made if -e "$made/cgroup.freeze";
    rmdir $made;
    return;
}

sub freeze {
    my ($on) = @_;
    put('cgroup.freeze', $on);
    wait_until(sub { contents("$group/cgroup.events") =~ /^frozen $on$/m });
}

workspace();

subtest 'all of the run' => sub {
    my @enter = ('sh', '-c', 'echo $$ >$0/cgroup.procs && exec "$@"', $group);
    my $run = start(@enter, fake_rtc(log => 'log'), realfeel(qw(-f 1000 -d 1h -o report)));
    wait_for_reads('log', 50);
    freeze(1);
    sleep 0.1;
    freeze(0);
    wait_for_reads('log', 10 + grep { $_->{event} eq 'read' } events('log'));
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 3, 'exit status') or diag $err;
    my $report = whole_report(contents('report'));
    cmp_ok($report->{missed}, '>', 0, 'it missed periods');
    is($report->{frozen}, 'yes', 'header');
    like($report->{verdict}, qr/frozen: the control group of the measuring process was frozen/, 'verdict');
};

done_testing;
