# SPDX-License-Identifier: GPL-2.0-or-later
# What needs no rights is done without: the report belongs to the user who called, and root's capabilities are given up.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use POSIX qw(mkfifo);
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;

plan skip_all => 'only root has something to give up: run as root' if $>;
plan skip_all => 'no right to real-time scheduling here' if !has_rights();

my $NOBODY = 65534;
no warnings "portable";    # 64 bits
my $KEPT = hex(status_of('self')->{CapPrm}) & 1 << 24;    # CAP_SYS_RESOURCE, which a container's root has not
my @SUDO = ('env', "SUDO_UID=$NOBODY", "SUDO_GID=$NOBODY");

sub status_of {
    my ($pid) = @_;
    my %status = contents("/proc/$pid/status") =~ /^(Uid|Gid|CapPrm|Groups):\t?(.*)$/mg;
    return \%status;
}

# Starts a run, looks at its processes when each does what it is for, ends it with a signal.
sub look_at {
    my ($check, $signal, @under) = @_;
    unlink qw(log report);
    # The log is of the fake RTC, which every user writes to.
    open my $log, '>', 'log' or die $!;
    chmod 0666, 'log';
    my $run = start(@under, fake_rtc(log => 'log'), realfeel(qw(-f 1000 -o report)));
    my $meter = wait_for_reads('log', 50);
    my @processes = ($run->{pid}, children($run->{pid}));
    wait_until(sub { !grep { status_of($_)->{CapPrm} ne status_of($meter)->{CapPrm} } @processes });
    is(scalar @processes, 3, 'keeper, standby and meter');
    $check->(status_of($_)) for @processes;
    kill $signal => $signal eq 'KILL' ? $run->{pid} : $meter;
    my ($status) = finish($run);
    return ($status, whole_report(contents('report')), events('log'));
}

sub rate_is_back {
    my @rates = map { $_->{value} } grep { $_->{event} eq 'rate' } @_;
    is("@rates", '1000 1024', 'the rate of the RTC is put back');
}

subtest 'root itself' => sub {
    workspace();
    my (undef, undef, @events) = look_at(sub {
        my ($status) = @_;
        is(hex $status->{CapPrm}, $KEPT, 'no capability but that for the rate of the RTC');
        like($status->{Uid}, qr/^0\t/, 'the process runs as root');
    }, 'TERM');
    is((stat 'report')[4], 0, 'owner of the report');
    rate_is_back(@events);
};

for my $signal (qw(TERM KILL)) {
    subtest "a run behind sudo is ended by $signal" => sub {
        workspace();
        chmod 0777, '.';
        my (undef, undef, @events) = look_at(sub {
            my ($status) = @_;
            is($status->{Uid}, join("\t", ($NOBODY) x 4), 'the user who called');
            is($status->{Gid}, join("\t", ($NOBODY) x 4), 'the process has the group of the user');
            is(hex $status->{CapPrm}, $KEPT, 'no capability but that for the rate of the RTC');
            unlike($status->{Groups}, qr/(^|\s)0\s/, 'the process is not in the group of root');
        }, $signal, @SUDO);
        is(join(' ', (stat 'report')[4, 5]), "$NOBODY $NOBODY", 'owner of the report');
        rate_is_back(@events);
    };
}

# The report's file is made at the end.
subtest 'a run of one sample behind sudo' => sub {
    workspace();
    chmod 0777, '.';
    my ($status) = run(@SUDO, realfeel(qw(-s nanosleep -n 1 -o report)));
    is($status, 0, 'exit status');
    is(join(' ', (stat 'report')[4, 5]), "$NOBODY $NOBODY", 'owner of the report');
};

subtest 'a run behind sudo to a pipe of the user' => sub {
    workspace();
    chmod 0777, '.';
    mkfifo('pipe', 0600) or die $!;
    chown $NOBODY, $NOBODY, 'pipe';
    my $reader = start(qw(cat pipe));
    is((run(@SUDO, no_rtc(), realfeel(qw(-s nanosleep -n 1 -o pipe))))[0], 0, 'exit status');
    whole_report((finish($reader))[1]);
};

subtest 'a run behind sudo in a folder of root' => sub {
    workspace();
    chmod 0755, '.';
    look_at(sub { like($_[0]{Uid}, qr/^0\t/, 'root stays') }, 'TERM', @SUDO);
    is((stat 'report')[4], 0, 'owner of the report');
};

subtest 'root in a folder of a user' => sub {
    workspace();
    chown $NOBODY, $NOBODY, '.';
    chmod 0755, '.';
    look_at(sub { is(hex($_[0]{CapPrm}) & ~($KEPT | 1 << 1), 0, 'what is needed to write there') }, 'TERM');
};

subtest 'no right is kept without an RTC' => sub {
    workspace();
    my $run = start(no_rtc(), realfeel(qw(-s nanosleep -o report)));
    wait_until(sub { status_of($run->{pid})->{CapPrm} =~ /^0+$/ });
    wait_until(sub { kill USR1 => $run->{pid}; -e 'report' });    # so there is a sample
    kill INT => $run->{pid};
    is((finish($run))[0], 0, 'exit status');
    whole_report(contents('report'));
};

# What a file or the caller's environment gave, where nobody is root.
SKIP: {
    my @user = (qw(setpriv --reuid), $NOBODY, '--regid', $NOBODY, '--clear-groups');
    my @ambient = (@user, map { ($_, '+sys_nice,+ipc_lock,+sys_ptrace') } qw(--inh-caps --ambient-caps));
    workspace();
    chmod 0777, '.';
    skip 'another user cannot reach the program here', 1 if (run(@user, program('--version')))[0];
    run('cp', program(), 'program');
    my %given = ('ambient capabilities' => [@ambient, program()], 'capabilities of the file' => [@user, './program']);
    for my $what (sort keys %given) {
        subtest "$what are given up" => sub {
            if ($what =~ /file/) {
                plan skip_all => 'a sanitizer needs more' if is_sanitized();
                plan skip_all => 'setcap not found: apt-get install libcap2-bin' if (run(qw(which setcap)))[0];
                is((run('setcap', 'cap_sys_nice,cap_ipc_lock,cap_sys_ptrace+ep', 'program'))[0], 0, 'the file has them');
            }
            my @load = (qw(sh -c), 'cat /proc/self/status >load; sleep 1000');
            my $run = start(@{$given{$what}}, qw(-s nanosleep -f 100 -d 1h -F -o report --), @load);
            wait_for_sample($run, 'report');
            my @processes = ($run->{pid}, children($run->{pid}));
            wait_until(sub { !grep { hex status_of($_)->{CapPrm} } @processes });
            pass("keeper, standby and meter give up their rights");
            wait_until(sub { (eval { contents('load') } // '') =~ /^CapAmb:.*\n/m });
            is(hex +(contents('load') =~ /^$_:\s*(\w+)/m)[0], 0, "$_ of the load") for qw(CapPrm CapAmb);
            kill INT => $run->{pid};
            my ($status, undef, $err) = finish($run);
            is($status, 3, 'exit status') or diag $err;
            is(whole_report(contents('report'))->{policy}, 'fifo', 'the policy that they were for');
        };
    }
}

subtest 'a link that another user has planted is not followed' => sub {
    workspace();
    chmod 01777, '.';
    symlink '/dev/null', 'link';
    my $run = sub { run(no_rtc(), realfeel(qw(-s nanosleep -n 1 -o link))) };
    is(($run->())[0], 0, 'our own is');
    run(qw(chown -h), $NOBODY, 'link');
    my ($status, undef, $err) = $run->();
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: --output=link: belongs to another user, .*; name .*\n\z/, 'what it says');
};

subtest 'setuid is refused' => sub {
    plan skip_all => 'a sanitizer does not run setuid' if is_sanitized();
    workspace();
    my ($program) = program();
    run('cp', $program, 'setuid');
    chown $NOBODY, $NOBODY, 'setuid';
    chmod 04755, 'setuid';
    my ($status, $out, $err) = run('./setuid', qw(-n 1 -o -));
    is($status, 1, 'exit status');
    like($err, qr/\Arealfeel: setuid is not supported; .*\n\z/, 'what it says');
};

done_testing;
