# SPDX-License-Identifier: GPL-2.0-or-later
# A report that goes to a pipe nobody reads, or no further: a signal ends the wait, and the report is on standard output.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Fcntl qw(O_NONBLOCK O_RDONLY);
use POSIX qw(mkfifo);
use Program;
use Report;
use RunCommand qw(run start finish wait_until contents);
use Test::More;

my $WAITS = qr/^realfeel: warning: nobody reads pipe yet; start a reader within \d+ s, or interrupt .*$/m;

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); mkfifo('pipe', 0600) or die $!; $test->() };
}

sub measure { return start(no_rtc(), realfeel(qw(-s nanosleep -f 1000), @_)) }

sub has_said {
    my ($run, $what) = @_;
    wait_until(sub { contents($run->{err}) =~ $what });
}

for my $signal (qw(INT TERM HUP QUIT)) {
    in_workspace "SIG$signal while nobody reads" => sub {
        my $run = measure(qw(-n 5 -o pipe));
        has_said($run, $WAITS);
        kill USR1 => $run->{pid};    # which asks for a checkpoint, and ends nothing
        kill $signal => $run->{pid};
        my ($status, $out, $err) = finish($run);
        is($status, 1, 'exit status');
        like($err, qr/^realfeel: write pipe: interrupted; the report follows on standard output$/m, 'what it says');
        is(whole_report($out)->{status}, 'complete', 'the report');
    };
}

in_workspace 'a reader that comes late' => sub {
    my $run = measure(qw(-n 5 -o pipe));
    has_said($run, $WAITS);
    my $reader = start(qw(cat pipe));
    is((finish($run))[0], 0, 'exit status');
    whole_report((finish($reader))[1]);
};

# There is more to be written than a pipe holds: 64 kB, or 4 kB where a user has too many of them.
my @LONG = qw(-n 4000 -f 10000);

in_workspace 'a reader that does not read' => sub {
    sysopen my $reader, 'pipe', O_RDONLY | O_NONBLOCK or die $!;
    fcntl $reader, 1031, 4096 or die $!;    # F_SETPIPE_SZ
    my $run = measure(@LONG, qw(-o pipe));
    wait_until(sub { has_filled($reader) });
    kill TERM => $run->{pid};
    my ($status, $out, $err) = finish($run);
    is($status, 1, 'exit status');
    like($err, qr/^realfeel: write pipe: interrupted; the report follows on standard output$/m, 'what it says');
    whole_report($out);
};

in_workspace 'a reader that goes away' => sub {
    sysopen my $reader, 'pipe', O_RDONLY | O_NONBLOCK or die $!;
    fcntl $reader, 1031, 4096 or die $!;
    my $run = measure(@LONG, qw(-o pipe));
    wait_until(sub { has_filled($reader) });
    close $reader;
    my ($status, $out, $err) = finish($run);
    is($status, 1, 'exit status');
    like($err, qr/^realfeel: write pipe: Broken pipe; the report follows on standard output$/m, 'what it says');
    whole_report($out);
};

in_workspace 'standard output that nobody reads on' => sub {
    sysopen my $reader, 'pipe', O_RDONLY | O_NONBLOCK or die $!;
    fcntl $reader, 1031, 4096 or die $!;
    my $run = start('sh', '-c', 'exec "$@" >pipe', 'sh', no_rtc(), realfeel(qw(-s nanosleep), @LONG, qw(-o -)));
    wait_until(sub { has_filled($reader) });
    kill TERM => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is($status, 1, 'exit status');
    like($err, qr/^realfeel: write standard output: interrupted; the report is lost$/m, 'what it says');
};

in_workspace 'the standby waits as the keeper does' => sub {
    my $run = start(fake_rtc(log => 'log'), realfeel(qw(-f 1024 -d 1h -o pipe)));
    wait_for_reads('log', 10);
    my ($standby) = children($run->{pid});
    kill KILL => $run->{pid};
    has_said($run, $WAITS);
    kill TERM => $standby;
    my ($status, $out) = finish($run);
    whole_report($out);
};

# Does the pipe hold all that it can hold, so that who writes waits?
sub has_filled {
    my ($reader) = @_;
    my $held = pack 'i', 0;
    ioctl $reader, 0x541b, $held or die $!;    # FIONREAD
    return unpack('i', $held) >= 4096;
}

done_testing;
