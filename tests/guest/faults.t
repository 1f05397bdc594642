# SPDX-License-Identifier: GPL-2.0-or-later
# What may go wrong in the laboratory ends in bounded time, and is reported.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Guest qw(spew);
use Kernel qw(cache_name kernel);
use RunLab;
use Test::More;
use Time::HiRes qw(sleep);

use constant ROOM_KIB => 64;    # for the console, and the first of the files

needs_guests('stock');

my $scratch = tempdir(CLEANUP => 1);

# A program in a directory of its own, which goes before all others.
sub program {
    my ($name, $script) = @_;
    my $directory = tempdir(DIR => $scratch);
    spew("$directory/$name", "#!/bin/sh\n$script\n");
    chmod 0755, "$directory/$name";
    return "PATH=$directory:$ENV{PATH}";
}

# An empty cache.
sub new_cache {
    return 'XDG_CACHE_HOME=' . tempdir(DIR => $scratch);
}

sub names_in {
    my ($cache) = @_;
    return map { s{.*/}{}r } glob $cache =~ s{^\w+=}{}r . '/realfeel/*';
}

my @LAB = ('-n', 2048, '-o', "$scratch/lab");

sub told {
    my ($name, $why, @arguments) = @_;
    my ($status, $said) = run_lab(@LAB, @arguments);
    is($status, 1, 'exit status');
    like($said, $why, 'the reason');
    unlike($said, qr/ at \S+ line \d+/, 'not as a trace of the program');
    return $said;
}

sub not_measured {
    my ($name, $why, @arguments) = @_;
    subtest $name => sub {
        my $said = told($name, $why, @arguments);
        like($said, qr/^ idle +rtc +not measured: \S/m, 'the table has a line for it');
    };
}

# What is downloaded.
for (
    ['a package that the mirror has no more',  'echo "E: 404  Not Found" >&2; exit 100', qr/404.*cannot download .*apt-get update/s],
    ['a package of which a part is missing',   'printf "!<arch>\ndebian-binary " >linux.deb', qr/^cannot unpack the kernel.*whole/m],
    ['a download for which there is no room', 'echo "E: No space left" >&2; exit 100', qr/No space.*disk not full/s],
) {
    my ($name, $apt_get, $why) = @$_;
    my $cache = new_cache();
    not_measured($name, $why, program('apt-get', $apt_get), $cache, 'none-idle');
    is_deeply([names_in($cache)], [], 'nothing of it is left in the cache');
}

{
    local $ENV{PATH} = '';
    ok(kernel('stock'), 'with a filled cache apt is not asked');
}

# What is not there.
not_measured('no QEMU', qr/^qemu-system-x86_64 not found: apt-get install/m, 'PATH=' . tempdir(DIR => $scratch), 'none-idle');
subtest 'a name that is none' => sub { told('name', qr/^there is no 'fast-idle'; there are: .*rt-loaded/, 'fast-idle') };

# A guest that does not come to its end: a kernel without a first process that stands still, and one that goes off.
not_measured('a guest that hangs', qr/the guest hangs: it wrote nothing in 20 s of computing; the end of its console:\n.*Kernel panic/s,
    '-t', 20, '--append', 'rdinit=/none', '--append', 'init=/none', '--append', 'panic=0', 'none-idle');
not_measured('a guest that goes off', qr/left no whole report; the end of its console:\n.*Kernel panic/s,
    '--append', 'rdinit=/bin/busybox', 'none-idle');

# No room for what the guest boots, and none for what it sends.
my $booted_kib = (-s "$scratch/lab/none-idle/initramfs.cpio") / 1024;
for my $kib (1024, int $booted_kib + ROOM_KIB) {
    subtest "a disk of $kib KiB that gets full" => sub {
        my ($status, $said) = run_lab_on_small_disk($kib, tempdir(DIR => $scratch), qw(-n 2048 -t 120 none-idle));
        plan(skip_all => 'mounting is not permitted here') if !defined $status;
        is($status, 1, 'exit status');
        like($said, qr/none-idle: .*(?:No space left on device|is the disk full\?)/, 'the reason');
    };
}

sub wait_until {
    my ($what, $function) = @_;
    for (1 .. 3000) { last if $function->(); sleep 0.1 }
    ok($function->(), $what);
}

subtest 'told to end, it takes its guests along' => sub {
    my $directory = "$scratch/told";
    my $pid = fork // die "fork: $!";
    exec 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh', $^X, "$FindBin::Bin/lab", '-o', $directory, 'none-idle' if !$pid;
    wait_until('the guest is at work', sub { -s "$directory/none-idle/console.log" });
    kill TERM => $pid;
    waitpid $pid, 0;
    is($? >> 8, 1, 'exit status');
    wait_until('no guest is left', sub { `pgrep -f $directory/none-idle` eq '' });
};

subtest 'an image that is no kernel' => sub {
    my $cache = new_cache();
    my $directory = $cache =~ s/^\w+=//r . '/realfeel/' . cache_name('stock');
    system(qw(mkdir -p), $directory) == 0 or die;
    spew("$directory/vmlinuz", 'x' x 4096);
    told('image', qr/QEMU failed: .*kernel/, $cache, 'none-idle');
};

done_testing;
