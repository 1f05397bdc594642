# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that fills up in the run has the room that was reserved; tests/sim/saving.t has what is said when it is full.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use IPC::Open2 qw(open2);
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use Sleeper;
use Test::More;

# Disks of our own, in a mount namespace that ends with us. An ordinary user needs a user namespace for it.
if (!$ENV{OWN_MOUNTS}) {
    my @alone = (qw(unshare --mount), $> ? qw(--user --map-root-user) : ());
    plan skip_all => 'mounting is not permitted here' if (run(@alone, qw(mount -t tmpfs none /mnt)))[0];
    $ENV{OWN_MOUNTS} = 1;
    exec @alone, $^X, $0;
}

# A disk of so many KiB, mounted on "disk" in an empty directory.
sub with_disk {
    my ($name, $size, $test) = @_;
    subtest $name => sub {
        workspace();
        mkdir 'disk' or die $!;
        is((run(qw(mount -t tmpfs -o), "size=${size}k", 'none', 'disk'))[0], 0, 'a disk');
        $test->();
        run(qw(umount disk));
    };
}

sub measuring {
    my $run = start(fake_rtc(log => 'log'), realfeel(qw(-f 1000 -C 0 -o disk/report), @_));
    wait_for_reads('log', 50);
    return $run;
}

sub ended {
    my ($run) = @_;
    kill INT => $run->{pid};
    my ($status, $out, $err) = finish($run);
    return ($status, $err, $out);
}

# Writes to a file until nothing more goes in.
sub fill {
    open my $out, '>>', 'disk/filler' or die $!;
    1 while syswrite $out, 'x' x 4096;
}

# That the program has so many is known only when it was found.
with_disk 'full for several threads' => 8192, sub {
    my $pid = open2(my $out, my $in, $SLEEPER, qw(nanosleep other 100 6));
    is(scalar(split ' ', <$out>), 6, 'a program of six threads');
    my ($status, undef, $err) = run(realfeel('-s', "task:$pid", qw(-n 1 -o -)));
    plan skip_all => "--source=task is refused here: $err" if $status;
    ($status, undef, $err) = run(realfeel('-s', "task:$pid", qw(-d 1d -o disk/report)));
    is($status, 1, 'exit status');
    like(said($err), qr{\Arealfeel: write disk/report: No space left on device; make room for \d\d MB, or .*\n\z},
        'room for all is missed');
    is_deeply([glob 'disk/*'], [], 'no file made');
    close $in;
    1 while readline $out;    # it prints all of its wake-ups
    waitpid $pid, 0;
};

with_disk 'with room for a few samples' => 1024, sub {
    my ($status, $out, $err) = run(no_rtc(), realfeel(qw(-n 20 -o disk/report)));
    is($status, 0, 'exit status') or diag $err;
};

with_disk 'filled during the run' => 6144, sub {
    my $run = measuring();
    fill();
    my ($status, $err) = ended($run);
    is($status, 0, 'exit status') or diag $err;
    whole_report(contents('disk/report'));
};

with_disk 'filled, and checkpoints' => 6144, sub {
    my $run = measuring();
    fill();
    kill USR1 => $run->{pid};
    wait_until(sub { -e 'disk/report' });
    is(whole_report(contents('disk/report'))->{status}, 'checkpoint', 'a checkpoint has its room');
    is((ended($run))[0], 0, 'so has the report');
    is(whole_report(contents('disk/report'))->{status}, 'complete', 'status');
};

done_testing;
