# SPDX-License-Identifier: GPL-2.0-or-later
# Where a link leads the report, and a folder that is not what it was: nothing is written or replaced but what was named.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeLinks;
use FakeRtc;
use POSIX qw(lchown mkfifo);
use Program;
use Report;
use RunCommand qw(run start finish contents file_of);
use Test::More;

my $NOBODY = 65534;
my @WITHOUT_RIGHTS = ('setpriv', '--inh-caps=-all', '--bounding-set=-dac_override,-dac_read_search');
my @MEASURE = realfeel(qw(-s nanosleep -f 10000 -n 1));
my @QUICK = (no_rtc(), @MEASURE);

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); $test->() };
}

# What it says, of this name; and that nothing was measured.
sub refused {
    my ($name, $reason, @command) = @_;
    my ($status, $out, $err) = run(@command, '-o', $name);
    is("$status $out", '1 ', "exit status for $name");
    like(said($err), qr/\Arealfeel: --output=$name: $reason\n\z/, 'what it says');
}

# Root's commands see a /dev of their own, for a program that is wrong would replace what is in the machine's.
sub with_own_dev {
    my @command = @_;
    return @command if $>;
    return (qw(unshare -m sh -c),
        'mkdir -p dev && cp -a /dev/null /dev/stdout /dev/fd dev && mount --bind dev /dev && exec "$@"', 'sh', @command);
}

# All that leads to standard output is standard output, also a file, which is not to be replaced by another.
SKIP: {
    workspace();
    skip 'a mount namespace is not to be had here', 1 if (run(with_own_dev('true')))[0];
    for my $name (qw(/dev/stdout /dev/fd/1 /proc/self/fd/1 link)) {
        for my $option ([], ['--force']) {
            in_workspace "@$option $name to a file" => sub {
                symlink '/dev/stdout', 'link';
                my ($status, undef, $err) = run('sh', '-c', 'exec "$@" >out', 'sh', with_own_dev(@QUICK, @$option, '-o', $name));
                is($status, 0, 'exit status') or diag $err;
                like($err, qr/^report    standard output$/m, 'what it says');
                whole_report(contents('out'));
                is(readlink 'link', '/dev/stdout', 'our link stays');
                is(readlink 'dev/stdout', '/proc/self/fd/1', 'and that of the machine') if !$>;
            };
        }
    }
    in_workspace '/dev/stdout to a pipe' => sub {
        my ($status, $out) = run('sh', '-c', '"$@" | cat', 'sh', with_own_dev(@QUICK, qw(-F -o /dev/stdout)));
        whole_report($out);
    };
    in_workspace '/dev/stdout to what is closed' => sub {
        my ($status, undef, $err) = run('sh', '-c', 'exec "$@" >&-', 'sh', with_own_dev(@QUICK, qw(-o /dev/stdout)));
        is($status, 1, 'exit status');
        like(said($err), qr{\Arealfeel: --output=/dev/stdout: .*; name a.*\n\z}, 'what it says');
    };
}

# What -o leaves as it is, whether it may replace files or not.
my %LEFT_ALONE = (
    'a link to a file'         => [sub { file_of('other', "other\n"); symlink 'other', 'x' }, 'is a link; name the file that it leads to'],
    'a link to nothing'        => [sub { symlink 'nothing', 'x' },    'is a link that leads nowhere; name a file'],
    'a link to itself'         => [sub { symlink 'x', 'x' },          'leads through too many links; name a file'],
    'a link into no directory' => [sub { symlink 'no/thing', 'x' },   'is a link that leads nowhere; name a file'],
    'a directory'              => [sub { mkdir 'x' },                 'is a directory; name a file in it'],
    'a link to a directory'    => [sub { mkdir 'y'; symlink 'y', 'x' }, 'is a directory; name a file in it'],
);
for my $what (sort keys %LEFT_ALONE) {
    my ($make, $reason) = @{$LEFT_ALONE{$what}};
    in_workspace $what => sub {
        $make->();
        my @before = map { join ' ', $_, (lstat)[1, 2, 7] } glob '*';
        refused('x', $reason, @QUICK, @$_) for [], ['--force'];
        is_deeply([map { join ' ', $_, (lstat)[1, 2, 7] } glob '*'], \@before, 'all is as it was');
    };
}

in_workspace 'links to a pipe are followed' => sub {
    mkdir 'far';
    mkfifo('far/pipe', 0600) or die $!;
    symlink 'pipe', 'far/near';
    symlink 'far/near', 'link';
    my $reader = start(qw(cat far/pipe));
    my ($status, undef, $err) = run(@QUICK, qw(--force -o link));
    is($status, 0, 'exit status') or diag $err;
    whole_report((finish($reader))[1]);
};

in_workspace 'what can never be written to' => sub {
    require IO::Socket::UNIX;
    my $socket = IO::Socket::UNIX->new(Local => 'x', Listen => 1) or die $!;
    refused('x', 'is a socket, which cannot be opened; name a file', @QUICK);
    mkfifo('y', 0400) or die $!;
    chown $NOBODY, $NOBODY, 'y';
    chmod 0755, '.';
    refused('y', 'you have no permission to write to it; name another file, or get the permission', $> ? () : @WITHOUT_RIGHTS, @QUICK);
};

in_workspace 'a name that ends in a slash' => sub {
    mkdir 'x';
    refused('x/', 'is a directory; name a file in it', @QUICK);
};

# The folder is that of the start, wherever it is at the end and whatever has its name.
for my $what ('moved', 'moved, and replaced by a link') {
    in_workspace "the folder is $what during the run" => sub {
        mkdir $_ for qw(folder evil);
        my $run = start(@QUICK[0 .. $#QUICK - 2], qw(-d 1h -o folder/x));
        wait_for_sample($run, 'folder/x');
        rename 'folder', 'away';
        symlink 'evil', 'folder' if $what =~ /link/;
        kill INT => $run->{pid};
        my ($status, undef, $err) = finish($run);
        is($status, 1, 'exit status');
        like($err, qr{^realfeel: the folder of folder/x was moved during the run; the report is in /.*/away/x$}m, 'what it says');
        is(whole_report(contents('away/x'))->{status}, 'interrupted', 'the report, which replaces that of the checkpoint');
        is_deeply([glob 'away/* evil/*'], ['away/x'], 'and nothing else');
    };
}

sub planted {
    my ($target, $name) = @_;
    symlink $target, 'new' or die $!;
    lchown($NOBODY, $NOBODY, 'new') or die $!;
    rename 'new', $name or die $!;
}

SKIP: {
    skip 'only root can make what is another user\'s: run as root', 1 if $>;

    # The mode of the folder, and whether it lets others plant something there that is not theirs to take away.
    my %MODE = ('1777' => 1, '1775' => 1, '0777' => 0, '2775' => 0, '0755' => 0);
    my %KIND = (
        'link to a device' => sub { planted('/dev/null', 'x') },
        'pipe'             => sub { mkfifo('x', 0666); chown $NOBODY, $NOBODY, 'x'; chmod 0666, 'x' },
        'link to a link'   => sub { planted('/dev/null', 'y'); symlink 'y', 'x' },
        'file'             => sub { file_of('x', "other\n"); chown $NOBODY, $NOBODY, 'x' },
    );
    for my $mode (sort keys %MODE) {
        for my $kind (sort keys %KIND) {
            in_workspace "another user's $kind in a folder of mode $mode" => sub {
                chmod oct $mode, '.';
                $KIND{$kind}->();
                my $foreign = qr/belongs to another user, in a folder that others may write to; name .*/;
                return refused('x', $foreign, @QUICK, '--force') if $MODE{$mode};
                my $reader = $kind eq 'pipe' ? start(qw(cat x)) : undef;
                is((run(@QUICK, qw(--force -o x)))[0], 0, 'exit status');
                whole_report($reader ? (finish($reader))[1] : contents('x')) if $kind !~ /link/;
            };
        }
    }

    in_workspace 'our own in a folder for all' => sub {
        chmod 01777, '.';
        symlink '/dev/null', 'x';
        is((run(@QUICK, qw(-o x)))[0], 0, 'exit status');
    };

    # The link is there for some of the first looks at the name, and not for the others. Nothing but it leads to the pipe.
    in_workspace 'a link that is planted between two looks is not followed' => sub {
        mkdir $_ for qw(safe all);
        chmod 01777, 'all';
        mkfifo('safe/pipe', 0600) or die $!;
        sysopen my $reader, 'safe/pipe', POSIX::O_RDONLY() | POSIX::O_NONBLOCK() or die $!;
        for my $when (0 .. 15) {
            unlink glob 'all/*';
            planted('../safe/pipe', 'all/x.away');
            run(no_rtc(), fake_links(comes => 'all/x', when => $when), @MEASURE, qw(-q -F -o all/x));
            is(sysread($reader, my $bytes, 1 << 20), 0, sprintf 'there when looked at: %04b', $when);
        }
    };
}

done_testing;
