# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that is full at the start, fills up in the run, or is fought for: told, and no report is lost.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(getcwd);
use FakeRtc;
use IPC::Open2 qw(open2);
use Program;
use Report;
use RunCommand qw(beside contents finish run start wait_until);
use Sleeper;
use Test::More;
use Time::HiRes qw(sleep);

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

with_disk 'full at the start' => 2048, sub {
    my ($status, $out, $err) = run(no_rtc(), realfeel(qw(-d 1d -o disk/report)));
    is($status, 1, 'exit status');
    like(said($err), qr{\Arealfeel: write disk/report: No space left on device; make room for 4 MB, or .* --output\n\z},
        'the user is told');
    is_deeply([glob 'disk/*'], [], 'no file made');
};

# Of a run on four CPUs, which need not be there: that the room is missing is found first, or not at all.
with_disk 'full for several CPUs' => 8192, sub {
    my ($status, $out, $err) = run(no_rtc(), realfeel(qw(-a 0-3 -d 1d -o disk/report)));
    is($status, 1, 'exit status');
    like(said($err), qr{^realfeel: write disk/report: No space left on device; make room for 16 MB, or }m, 'room for all is missed');
    is_deeply([glob 'disk/*'], [], 'no file made');
};

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

with_disk 'filled during a run on two CPUs' => 12288, sub {
    my @cpus = allowed_cpus();
    plan skip_all => 'there is one CPU only' if @cpus < 2;
    my $run = start(no_rtc(), realfeel(qw(-s nanosleep -f 1000 -C 0 -o disk/report -a), "$cpus[0],$cpus[1]"));
    wait_until(sub { has_begun($run->{pid}, 2) });
    sleep 1;
    fill();
    kill USR1 => $run->{pid};
    wait_until(sub { -e 'disk/report' });
    is(scalar(whole_parts(contents('disk/report'))), 2, 'a checkpoint has its room');
    my ($status, $err) = ended($run);
    is($status, 0, 'exit status') or diag $err;
    is_deeply([map { $_->{status} } whole_parts(contents('disk/report'))], [qw(complete complete)], 'so has the report');
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

# The room is lost when a checkpoint fails for another reason.
with_disk 'full at a checkpoint and at the end' => 6144, sub {
    my $run = measuring();
    limit_files($run, '4096:unlimited');    # less than a report, and more than is printed
    kill USR1 => $run->{pid};
    wait_until(sub { contents($run->{err}) =~ /not saved/ });
    limit_files($run, 'unlimited');
    fill();
    kill USR1 => $run->{pid};
    wait_for_reads('log', 200 + @{[events('log')]});
    my ($status, $err, $out) = ended($run);
    is($status, 1, 'exit status');
    like($err, qr{write disk/report: File too large; the report so far is not saved, and the run goes on}, 'the checkpoint that failed');
    like($err, qr{write disk/report: No space left on device; the report follows on standard output$}m, 'and the report');
    is(whole_report($out)->{status}, 'complete', 'status');
    is_deeply([glob 'disk/report*'], [], 'no file is left where there was no room');
};

# Somebody takes every byte that is free, at once.
with_disk 'fought for' => 6144, sub {
    my $run = measuring();
    my ($status, $err, $out);
    beside(sub { fill(); sleep 0.0005 }, sub {
        for (1 .. 100) { kill USR1 => $run->{pid}; sleep 0.01 }
        wait_until(sub { -e 'disk/report' });
        whole_report(contents('disk/report'), 'the last checkpoint that had room');
        ($status, $err, $out) = ended($run);
    });
    is(whole_report($status ? $out : contents('disk/report'))->{status}, 'complete', 'the report');
    like($err, qr{the report follows on standard output$}m, 'the user is told where') if $status;
};

done_testing;
