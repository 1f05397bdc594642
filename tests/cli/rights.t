# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel refuses to a user without rights, and the memory that it grants: tests/sim/refusals.t has all that is printed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use List::Util qw(max);
use Program;
use Report;
use RunCommand;
use Test::More;

my @MISSING = grep { (run('which', $_))[0] } qw(prlimit setpriv);
plan skip_all => "@MISSING not found: apt-get install util-linux" if @MISSING;

# A run without a right to lock memory or to a real-time policy.
sub without_rights { return run(unprivileged(memlock => 0, rtprio => 0), no_rtc(), program(@_)) }

workspace();

SKIP: {
    skip 'with the sanitizer locking memory does nothing', 3 if is_sanitized();
    my ($status, $out, $err) = without_rights(qw(-s nanosleep -n 1 -o report));
    is($status, 1, 'exit status without rights');
    like(said($err), qr/\Arealfeel: lock memory: .*; raise the limit .*\nrealfeel: take SCHED_FIFO 95: .*; run .*\n\z/,
        'the memory and the policy are refused');
    ($status, $out) = without_rights(qw(-s nanosleep -n 20 -o - --best-effort));
    like(whole_report($out)->{verdict}, qr/^invalid: not real-time: lock memory: .*; take SCHED_FIFO 95: /, '--best-effort without rights');
}

my ($status, $out, $err) = without_rights(qw(-s ring -n 100 -o -));
is("$status " . whole_report($out)->{memory_locked_kb}, '0 0', 'a ring needs no right') or diag $err;

SKIP: {
    skip 'no right to real-time scheduling: run as root, or raise the limits (ulimit -r, ulimit -l)', 2 if !has_rights();
    ($status, $out, $err) = run(fake_root(CPUS => 64), realfeel(qw(-s nanosleep -q -n 1 -o - -a 0-63)));
    my @locked_kb = map { $_->{memory_locked_kb} } whole_parts($out);
    is("$status " . @locked_kb, '0 64', '64 meters') or diag $err;
    cmp_ok(max(@locked_kb), '<=', 5.5 * 1024, 'each of 64 meters locks little memory, in kB');
}

SKIP: {
    skip 'a sanitizer needs more', 1 if is_sanitized();
    ($status, undef, $err) = run('sh', '-c', 'ulimit -s 256 && exec "$@"', 'sh', no_rtc(), realfeel(qw(-s nanosleep -n 5 -o -)));
    is($status, 0, 'a stack of 256 kB is enough') or diag $err;
}

done_testing;
