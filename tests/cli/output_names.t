# SPDX-License-Identifier: GPL-2.0-or-later
# How a report comes to its name on all kinds of file systems, and that the name under which it is written does not matter.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Errno qw(EPERM);
use FakeLinks;
use FakeRoot;
use FakeRtc;
use Program;
use Report;
use RunCommand qw(run start finish contents file_of);
use Test::More;

my @QUICK = realfeel(qw(-s nanosleep -f 10000 -n 1));

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); $test->() };
}

# A run of two checkpoints and its end, on a machine of this kind.
sub run_with_checkpoints {
    my ($machine, @options) = @_;
    my $run = start(no_rtc(), @$machine, realfeel(qw(-s nanosleep -f 1000), @options, qw(-o x.hist)));
    wait_for_sample($run, 'x.hist') for 1 .. 2;
    kill INT => $run->{pid};
    return finish($run);
}

# The first of the names that are tried is taken, by others or by a process that was killed in a container.
sub plant { return file_of("x.hist.0000000000000000.tmp", "other\n") }

my %SYSTEM = (
    'one that makes files without a name' => [fake_root()],
    'one that does not'                   => [fake_root(no_tmpfile => 1)],
    'one that does not link, either'      => [fake_root(no_tmpfile => 1), fake_links(errno => EPERM)],
);
for my $what (sort keys %SYSTEM) {
    in_workspace "checkpoints: $what" => sub {
        my ($status, undef, $err) = run_with_checkpoints($SYSTEM{$what});
        is($status, 0, 'exit status') or diag $err;
        is(whole_report(contents('x.hist'))->{status}, 'complete', 'the last is there');
        is_deeply([glob '*'], ['x.hist'], 'and nothing else');
    };
    in_workspace "a temporary name is taken: $what" => sub {
        my $planted = plant();
        my @random = fake_links(random => 1, errno => $what =~ /link/ ? EPERM : 0);
        my ($status, undef, $err) = run_with_checkpoints([@{$SYSTEM{$what}}, @random]);
        is($status, 0, 'exit status') or diag $err;
        whole_report(contents('x.hist'));
        is(contents($planted), "other\n", 'what has it stays');
        is_deeply([glob '*'], ['x.hist', $planted], 'and nothing else is there');
    };
    in_workspace "a name is taken during the run: $what" => sub {
        my $run = start(no_rtc(), @{$SYSTEM{$what}}, realfeel(qw(-s nanosleep -f 1000 -C 0 -d 1h -o x.hist)));
        RunCommand::wait_until(sub { has_begun($run->{pid}) });
        file_of('x.hist', "other\n");
        kill INT => $run->{pid};
        my ($status, undef, $err) = finish($run);
        is(contents('x.hist'), "other\n", 'it is left alone');
        is_deeply([grep { !/^x(?:-2)?\.hist$/ } glob '*'], [], 'nothing else is there');
        whole_report(contents('x-2.hist')) if $err !~ /before the first wake-up/;
    };
}

# A container gives the same numbers to processes again and again.
in_workspace 'the number of the process does not foretell it' => sub {
    my @taken = ('sh', '-c', 'echo other >x.hist.$$.tmp; exec "$@"', 'sh');
    for my $machine (values %SYSTEM) {
        my ($status, undef, $err) = run(no_rtc(), @$machine, @taken, @QUICK, qw(-F -o x.hist));
        is($status, 0, 'exit status') or diag $err;
        whole_report(contents('x.hist'));
    }
};

in_workspace 'a name as long as a file system takes' => sub {
    my $name = 'n' x 255;
    is((run(no_rtc(), @$_, @QUICK, qw(-F -o), $name))[0], 0, 'exit status') for values %SYSTEM;
    whole_report(contents($name));
};

# A report replaces its checkpoints, and the file of --force: where that can never be, it is said before the run.
SKIP: {
    workspace();
    mkdir 'folder';
    file_of('file', "other\n");
    skip 'only root may set attributes: run as root', 1 if $>;
    skip 'this file system has no attributes', 1 if (run(qw(chattr +a folder file)))[0];
    for my $attribute ('a', 'i') {
        run('chattr', '-ai', 'folder', 'file');
        run('chattr', "+$attribute", 'folder', 'file');
        subtest "chattr +$attribute" => sub {
            my ($status, undef, $err) = run(no_rtc(), @QUICK, qw(-o folder/x));
            is($status, 1, 'exit status');
            like(said($err), qr{\Arealfeel: --output=folder/x: its folder is append-only or immutable .*; name .*\n\z}, 'of a folder');
            ($status, undef, $err) = run(no_rtc(), @QUICK, qw(-F -o file));
            is($status, 1, 'exit status');
            like(said($err), qr{\Arealfeel: --output=file: is append-only or immutable .*; name another.*\n\z}, 'of a file');
            is(contents('file'), "other\n", 'it is as it was');
            is_deeply([glob 'folder/*'], [], 'no file is left');
        };
    }
    run('chattr', '-ai', 'folder', 'file');
}

done_testing;
