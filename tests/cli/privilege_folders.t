# SPDX-License-Identifier: GPL-2.0-or-later
# Behind sudo the report is the user's where the user may write, and root's where not: by the rights of all of that user's
# groups, and of no group of root's.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(run start finish contents file_of wait_until);
use Test::More;

plan skip_all => 'only root has a user behind it: run as root' if $>;
plan skip_all => 'no right to real-time scheduling here' if !has_rights();
plan skip_all => 'a mount namespace is not to be had here' if (run(qw(unshare -m true)))[0];

# Modes and owners of the folder, and whose the report in it is then: of 'login', who is in the group 'lab', behind sudo.
my %LOGIN = (uid => 60001, gid => 60001, lab => 60002);
my @FOLDERS = (
    [0777,  0, 0,           'login'],
    [01777, 0, 0,           'login'],
    [0755,  0, 0,           'root'],
    [0775,  0, 0,           'root'],
    [0770,  0, 0,           'root'],
    [0775,  0, $LOGIN{lab}, 'login'],
    [02775, 0, $LOGIN{lab}, 'login'],
    [0330,  0, $LOGIN{lab}, 'login'],
    [02755, 0, $LOGIN{lab}, 'root'],
    [0757,  0, $LOGIN{lab}, 'root'],
    [0700,  $LOGIN{uid}, 0, 'login'],
    [0500,  $LOGIN{uid}, 0, 'root'],
);

# The command behind sudo, which is in groups of root, where that user and that group are.
sub sudo_of_login {
    my @command = @_;
    for my $database (qw(passwd group)) {
        my $more = $database eq 'passwd' ? "login:x:$LOGIN{uid}:$LOGIN{gid}::/:\n" : "lab:x:$LOGIN{lab}:login\n";
        file_of($database, contents("/etc/$database") . $more);
    }
    return (qw(unshare -m sh -c), 'mount --bind passwd /etc/passwd && mount --bind group /etc/group && exec "$@"', 'sh',
        'setpriv', '--groups', '0,4242', 'env', "SUDO_UID=$LOGIN{uid}", "SUDO_GID=$LOGIN{gid}", @command);
}

sub rights_of { return (contents("/proc/$_[0]/status") =~ /^CapPrm:\s*(\w+)/m)[0] }
sub groups_of { return (contents("/proc/$_[0]/status") =~ /^Groups:\s*(.*?) *$/m)[0] }

for (@FOLDERS) {
    my ($mode, $uid, $gid, $owner) = @$_;
    subtest sprintf('in a folder of mode %04o, %d:%d', $mode, $uid, $gid) => sub {
        workspace();
        chmod 0755, '.';
        mkdir 'folder';
        chown $uid, $gid, 'folder';
        chmod $mode, 'folder';
        my @command = (no_rtc(), realfeel(qw(-s nanosleep -n 1 -o folder/report)));
        my ($status, undef, $err) = run(sudo_of_login(@command));
        is($status, 0, 'exit status') or diag $err;
        my $group = $mode & 02000 ? $gid : $owner eq 'root' ? 0 : $LOGIN{gid};
        is(join(' ', (stat 'folder/report')[4, 5]), join(' ', $owner eq 'root' ? 0 : $LOGIN{uid}, $group), 'the report has this owner');
    };
}

subtest 'the groups of each process' => sub {
    for my $mode (02775, 0755) {
        workspace();
        chmod 0755, '.';
        chmod 0666, file_of('log', '');
        mkdir 'folder';
        chown 0, $LOGIN{lab}, 'folder';
        chmod $mode, 'folder';
        my @command = (fake_rtc(log => 'log'), realfeel(qw(-f 1000 -o folder/report)));
        my $run = start(sudo_of_login(@command));
        my $meter = wait_for_reads('log', 50);
        my @processes = ($run->{pid}, children($run->{pid}));
        wait_until(sub { !grep { rights_of($_) ne rights_of($meter) } @processes });
        my $expected = $mode & 0020 ? "$LOGIN{gid} $LOGIN{lab}" : '0 4242';
        is(groups_of($_), $expected, sprintf 'mode %04o', $mode) for @processes;
        kill TERM => $meter;
        finish($run);
    }
};

done_testing;
