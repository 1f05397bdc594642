# SPDX-License-Identifier: GPL-2.0-or-later
# Where the report goes: what was there is never lost, what was measured neither, and no other file is left.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Fcntl qw(O_NONBLOCK O_RDONLY);
use POSIX qw(mkfifo uname);
use Program;
use Report;
use RunCommand qw(run start finish contents file_of);
use Test::More;

my @QUICK = qw(-s nanosleep -n 5);
my $KERNEL = (uname())[2];

# A run that does something to the files while it measures, and then ends.
sub run_meanwhile {
    my ($meanwhile, @options) = @_;
    my $run = start(fake_rtc(log => 'log'), realfeel(qw(-f 1024), @options));
    wait_for_reads('log', 10);
    $meanwhile->();
    kill INT => $run->{pid};
    my @result = finish($run);
    unlink 'log';
    return @result;
}

# A run whose descriptors are redirected as a shell does it.
sub run_redirected {
    my ($redirection, @options) = @_;
    return run('sh', '-c', "exec \"\$@\" $redirection", 'sh', realfeel(@QUICK, @options));
}

sub put { my ($path) = @_; return file_of($path, "other\n") }

sub files_are {
    my (@expected) = @_;
    is_deeply([glob '*'], [sort @expected], 'the files that are there');
}

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); $test->() };
}

in_workspace 'the default name is numbered' => sub {
    is((run(realfeel(@QUICK)))[0], 0, 'exit status') for 1 .. 3;
    files_are(my @names = map { "$KERNEL$_.hist" } '', '-2', '-3');
    whole_report(contents($_)) for @names;
};

# Links to nothing: a name that is taken, whether it can be read or not.
in_workspace 'default names are taken before and during the run' => sub {
    symlink 'nothing', "$KERNEL.hist";
    my ($status) = run_meanwhile(sub { symlink 'nothing', "$KERNEL-2.hist" });
    is($status, 0, 'exit status');
    files_are(my @names = map { "$KERNEL$_.hist" } '', '-2', '-3');
    whole_report(contents($names[-1])) if -e $names[-1];
};

in_workspace 'standard output' => sub {
    my ($status, $out, $err) = run(realfeel(@QUICK, '-o', '-'));
    is($status, 0, 'exit status');
    whole_report($out);
    like(said($err),
        qr/\Alateness .*\n.*\nmissed    \d+ of \d+ periods .*\nreport    standard output\nrun       .*\n\z/, 'the result, apart from it');
    files_are();
};

in_workspace '--quiet' => sub {
    my ($status, $out, $err) = run(realfeel(@QUICK, '-q', '-o', 'report'));
    is("$status $out$err", '0 ', 'prints nothing');
    whole_report(contents('report'));
};

in_workspace '--force' => sub {
    put('report');
    is((run(realfeel(@QUICK, '-o', 'report')))[0], 1, 'without it, a file stays');
    is(contents('report'), "other\n", 'as it was');
    is((run(realfeel(@QUICK, '--force', '-o', 'report')))[0], 0, 'with it, it is replaced');
    whole_report(contents('report'));
    files_are('report');
};

in_workspace 'the name is taken during the run' => sub {
    put('x-2.hist');
    my ($status, undef, $err) = run_meanwhile(sub { put('x.hist') }, '-o', 'x.hist');
    is($status, 1, 'exit status');
    like($err, qr/^realfeel: x\.hist .* x-3\.hist\b/m, 'the user is told');
    is(contents('x.hist'), "other\n", 'what came up is left alone');
    whole_report(contents('x-3.hist'));
    files_are(qw(x.hist x-2.hist x-3.hist));
};

# What comes up under the name during the run, and how to see that it is as it was. Nobody reads the pipe, so opening it
# would take for ever.
my %LATE = (
    'a pipe'               => [sub { mkfifo('x.hist', 0600) },      sub { -p 'x.hist' }],
    'a link to a device'   => [sub { symlink '/dev/null', 'x.hist' }, sub { readlink 'x.hist' eq '/dev/null' }],
    'a link to a file'     => [sub { symlink 'other', 'x.hist' },   sub { readlink 'x.hist' eq 'other' }],
    'a directory'          => [sub { mkdir 'x.hist' },              sub { -d 'x.hist' && !glob 'x.hist/*' }],
);
for my $what (sort keys %LATE) {
    my ($make, $is_there) = @{$LATE{$what}};
    for my $force ([], ['--force']) {
        in_workspace "$what takes the name during the run, @$force" => sub {
            put('other');
            my ($status, undef, $err) = run_meanwhile($make, @$force, '-o', 'x.hist');
            is($status, 1, 'exit status');
            like($err, qr/^realfeel: x\.hist appeared during the run; the report is in x-2\.hist instead$/m, 'the user is told');
            ok($is_there->(), 'what came up is left alone');
            is(contents('other'), "other\n", 'so is what it leads to');
            whole_report(contents('x-2.hist'));
            files_are(qw(other x-2.hist x.hist));
        };
    }
}

in_workspace 'a file takes the name during a run with --force' => sub {
    my ($status, undef, $err) = run_meanwhile(sub { put('x.hist') }, qw(--force -o x.hist));
    is($status, 0, 'exit status') or diag $err;
    whole_report(contents('x.hist'));
    files_are('x.hist');
};

# At a low rate, for the report is to fit into the pipe.
in_workspace 'a pipe is what it was at the start' => sub {
    mkfifo('pipe', 0600) or die $!;
    sysopen my $reader, 'pipe', O_RDONLY | O_NONBLOCK or die $!;
    my ($status) = run_meanwhile(sub { rename 'pipe', 'away'; put('pipe') }, qw(-f 32 -o pipe));
    is($status, 0, 'exit status');
    whole_report(join '', <$reader>);
    is(contents('pipe'), "other\n", 'a file that came up is left alone');
    files_are(qw(away pipe));
};

in_workspace 'a default name is always that of a file' => sub {
    mkfifo("$KERNEL.hist", 0600) or die $!;
    is((run(realfeel(@QUICK)))[0], 0, 'exit status');
    whole_report(contents("$KERNEL-2.hist"));
};

in_workspace 'the directory is removed during the run' => sub {
    mkdir 'gone';
    my ($status, $out, $err) = run_meanwhile(sub { rmdir 'gone' }, '-o', 'gone/report');
    is($status, 1, 'exit status');
    is(said($err), "realfeel: write gone/report: No such file or directory; the report follows on standard output\n", 'the user is told');
    whole_report($out);
    files_are();
};

# What an option is given is not the beginning of a load.
for my $case (['-o', '--'], ['--output', '--'], ['-o--'], ['--output=--'], ['-o', '--', '--', 'true'], ['--label', '--', '-o', '--']) {
    in_workspace "@$case" => sub {
        my ($status, undef, $err) = run(realfeel(@QUICK, @$case));
        is($status, 0, 'exit status') or diag $err;
        my $header = whole_report(contents('--'));
        is($header->{load}, $case->[-1] eq 'true' ? 'true' : 'none', 'the load');
    };
}

in_workspace 'a full device' => sub {
    my ($status, $out, $err) = run(realfeel(@QUICK, '-o', '/dev/full'));
    is($status, 1, 'exit status');
    is(said($err), "realfeel: write /dev/full: No space left on device; the report follows on standard output\n", 'the user is told');
    whole_report($out);
    files_are();
};

in_workspace 'a limit on the size of files' => sub {
    my ($status, $out, $err) = run('sh', '-c', 'ulimit -f 1000; exec "$@"', 'sh', realfeel(qw(-s nanosleep -d 1d -o report)));
    is($status, 1, 'exit status');
    like(said($err), qr{\Arealfeel: write report: File too large; make room for 4 MB, or .*\n\z}, 'the user is told');
    files_are();
};

# Of 512 bytes, or of 1024, as the shell counts them: room for a report.
in_workspace 'a limit on the size of files that a report is below' => sub {
    my ($status, undef, $err) = run('sh', '-c', 'ulimit -f 8192; exec "$@"', 'sh', realfeel(@QUICK, '-o', 'report'));
    is($status, 0, 'exit status') or diag $err;
    whole_report(contents('report'));
};

in_workspace 'a full standard output' => sub {
    my ($status, undef, $err) = run_redirected('>/dev/full', '-o', '-');
    is($status, 1, 'exit status');
    is(said($err), "realfeel: write standard output: No space left on device; the report is lost\n", 'the user is told');
    files_are();
};

in_workspace 'a full device, and a full standard output' => sub {
    my ($status, undef, $err) = run_redirected('>/dev/full', '-o', '/dev/full');
    is($status, 1, 'exit status');
    is(said($err), "realfeel: write /dev/full: No space left on device; the report follows on standard output\n"
        . "realfeel: write standard output: No space left on device; the report is lost\n", 'the user is told');
    files_are();
};

in_workspace 'a closed standard output' => sub {
    my ($status, undef, $err) = run_redirected('>&-', '-o', '-');
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: .*standard output.*\n\z/, 'the user is told');
};

in_workspace 'closed descriptors that are not needed' => sub {
    for my $redirection ('<&-', '>&-', '2>&-', '<&- >&- 2>&-') {
        my ($status) = run_redirected($redirection, '--force', '-o', 'report');
        is($status, 0, "exit status with $redirection");
        whole_report(contents('report'));
    }
};

in_workspace 'the command line is one line, and a shell reads it back' => sub {
    my @command = realfeel(@QUICK, '-o', "it's \\x41 \"\$HOME\"\n\t\x7f\xc3\xa9");
    is((run(@command))[0], 0, 'exit status');
    my $value = whole_report(contents($command[-1]))->{command};
    unlike($value, qr/[\x00-\x1f\x7f]/, 'no control character');
    like($value, qr/\xc3\xa9/, 'UTF-8 stays');
    $value =~ s/\\(?:(\\)|x([0-9a-f]{2}))/$1 || chr hex $2/ge;
    my (undef, $words) = run('sh', '-c', "printf '%s\\0' $value");
    is_deeply([split /\0/, $words], \@command, 'every word');
};

done_testing;
