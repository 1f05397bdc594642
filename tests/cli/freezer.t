# SPDX-License-Identifier: GPL-2.0-or-later
# A control group is frozen and thawed during the run: the wake-ups that are late for it are not the kernel's.
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

my $REASON = qr/frozen: the control group of the measuring process was frozen/;

# Of each version: where it is mounted, its files, what is written to freeze and to thaw, when it is frozen.
my @VERSIONS = (
    {name => 'version 2', type => 'cgroup2', file => 'cgroup.freeze', on => 1, off => 0,
        state => 'cgroup.events', frozen => qr/^frozen 1$/m},
    {name => 'version 1', type => 'cgroup', option => 'freezer', file => 'freezer.state', on => 'FROZEN', off => 'THAWED',
        state => 'freezer.state', frozen => qr/^FROZEN$/m},
);

my %made;    # groups: the file and the word that thaws each

END {
    for my $group (keys %made) {
        eval { put(@{$made{$group}}) };
        kill KILL => split ' ', eval { contents("$group/cgroup.procs") } // '';
        eval { wait_until(sub { rmdir $group }) };
    }
}

sub put { my ($path, $word) = @_; return file_of($path, "$word\n") }

sub mount_of {
    my ($version) = @_;
    for (split /\n/, contents('/proc/mounts')) {
        my (undef, $mount, $type, $options) = split;
        return $mount if $type eq $version->{type} && (!$version->{option} || $options =~ /(?:^|,)$version->{option}(?:,|$)/);
    }
    return;
}

# A new group, or nothing where none can be made.
sub new_group {
    my ($version) = @_;
    my $mount = mount_of($version) // return;
    my $group = "$mount/realfeel-test-$$";
    mkdir $group or return;
    $made{$group} = ["$group/$version->{file}", $version->{off}];
    return $group if eval { put("$group/$version->{file}", $version->{off}); 1 };
    return;
}

sub freeze {
    my ($version, $group, $on) = @_;
    put("$group/$version->{file}", $on ? $version->{on} : $version->{off});
    wait_until(sub { !$on == contents("$group/$version->{state}") !~ $version->{frozen} });
}

# Starts a run in the group, or whose meter alone goes into it. Returns it when it has measured a little.
sub measuring {
    my ($group, $whole) = @_;
    unlink qw(report log);
    my @enter = $whole ? ('sh', '-c', 'echo $$ >$0/cgroup.procs && exec "$@"', $group) : ();
    my $run = start(@enter, fake_rtc(log => 'log'), realfeel(qw(-f 1000 -d 1h -o report)));
    my $meter = wait_for_reads('log', 50);
    put("$group/cgroup.procs", $meter) if !$whole;
    return $run;
}

sub ended {
    my ($run) = @_;
    wait_for_reads('log', 10 + grep { $_->{event} eq 'read' } events('log'));
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 3, 'exit status') or diag $err;
    my $report = whole_report(contents('report'));
    cmp_ok($report->{missed}, '>', 0, 'it missed periods');
    return $report;
}

sub checkpoint_says {
    my ($run, $pattern) = @_;
    wait_until(sub { kill USR1 => $run->{pid}; -e 'report' && contents('report') =~ $pattern });
}

workspace();

for my $version (@VERSIONS) {
    my $group = new_group($version);

    subtest "$version->{name}, the meter alone" => sub {
        plan skip_all => "no cgroup with a freezer can be made here: $version->{name}" if !$group;
        my $run = measuring($group, 0);
        checkpoint_says($run, qr/^# status: checkpoint$/m);    # without samples there is none
        freeze($version, $group, 1);
        checkpoint_says($run, qr/^# verdict: .*$REASON/m);
        sleep 7;    # longer than a source may be silent
        freeze($version, $group, 0);
        my $report = ended($run);
        is($report->{frozen}, 'yes', 'header');
        like($report->{verdict}, $REASON, 'verdict');
        unlike($report->{verdict}, qr/stopped waking/, 'the source is not taken for dead');
    };

    subtest "$version->{name}, all of the run" => sub {
        plan skip_all => "no cgroup with a freezer can be made here: $version->{name}" if !$group;
        my $run = measuring($group, 1);
        freeze($version, $group, 1);
        sleep 0.1;
        freeze($version, $group, 0);
        my $report = ended($run);
        like($report->{frozen}, $version->{option} ? qr/^(?:unknown|yes)$/ : qr/^yes$/, 'header');
        like($report->{verdict}, $REASON, 'verdict') if !$version->{option};
    };
}

done_testing;
