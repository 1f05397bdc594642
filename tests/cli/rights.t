# SPDX-License-Identifier: GPL-2.0-or-later
# Rights that are refused: the run does not begin, or with --best-effort says what it lacked.
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

my $LOCK_REMEDY = 'raise the limit \(ulimit -l, now 64 kB\) to 8192 kB, or use --best-effort';
my $CPU_REMEDY  = 'name one that taskset .* lists, or use --best-effort';
my $RAISE       = 'or raise the rtprio limit \(ulimit -r, now 0\)';
my $TAKE_REMEDY = "run .*, $RAISE to 95, or use --best-effort";

my $BIND = "bind to CPU 1023: Invalid argument: the machine has CPUs [-,\\d]+; $CPU_REMEDY";
my $LOCK = "lock memory: Cannot allocate memory; $LOCK_REMEDY";
my $TAKE = "take SCHED_FIFO 95: Operation not permitted; $TAKE_REMEDY";

# What a user may lock, what the options ask for, the lines behind "realfeel: ".
my @REFUSED = (
    [64,   [],                 $LOCK, $TAKE],
    [64,   [qw(-P other)],     $LOCK],
    [8192, [],                 $TAKE],
    [8192, [qw(-p 7)],         "take SCHED_FIFO 7: .*; run .*, $RAISE to 7, .*"],
    [8192, [qw(-P rr)],        "take SCHED_RR 95: .*; $TAKE_REMEDY"],
    [8192, [qw(-P deadline)],  "take SCHED_DEADLINE: Operation not permitted; run .*, or use --best-effort"],
    [8192, [qw(-P other -a 1023)], $BIND],
    [8192, [qw(-P foo -a 1023)], $BIND, '--policy=foo: unknown; one of .*'],
    [64,   ['-a', 1023, '-o', 'closed/report'], '.*closed/report: .*Permission denied; name .* --output', $BIND, $LOCK, $TAKE],
);

# The same, with --best-effort: the verdict.
my @BEST_EFFORT = (
    [64,   [],               'lock memory: Cannot allocate memory; take SCHED_FIFO 95: Operation not permitted'],
    [8192, [],               'take SCHED_FIFO 95: Operation not permitted'],
    [8192, [qw(-P deadline)], 'take SCHED_DEADLINE: Operation not permitted'],
    [8192, [qw(-P other -a 1023)], 'bind to CPU 1023: Invalid argument'],
);

# A command of a user who may lock so much, and may not take a real-time policy.
sub user {
    my ($lockable_kb, @command) = @_;
    return (unprivileged(memlock => $lockable_kb * 1024, rtprio => 0), @command);
}

# Why a case cannot be tried here, or nothing.
sub obstacle {
    my ($lockable_kb, $lines) = @_;
    return 'with the sanitizer locking memory does nothing' if is_sanitized() && $lines =~ /lock memory/;
    return "the machine's limit is below $lockable_kb kB: ulimit -l" if (run(user($lockable_kb, 'true')))[0];
    return;
}

sub refused {
    my ($lockable_kb, $options, @lines) = @_;
    my ($status, $out, $err) = run(user($lockable_kb, no_rtc(), program(qw(-n 1 -o -), @$options)));
    is($status, 1, 'exit status');
    like(said($err), qr/\A@{[join '', map { "realfeel: $_\\n" } @lines]}\z/, 'what it says: all of it, in lines');
    is($out, '', 'no report');
}

sub best_effort {
    my ($lockable_kb, $options, $reasons) = @_;
    my @command = (no_rtc(), calm(), program(qw(--best-effort -f 1000 -n 20 -o -), @$options));
    my ($status, $out) = run(user($lockable_kb, @command));
    my $report = whole_report($out);
    is($status, 0, 'exit status');
    like($report->{verdict}, qr/^invalid: not real-time: $reasons$/, 'verdict');
    is("$report->{policy} $report->{priority}", 'other 0', 'the policy that was granted');
    like($report->{cpu}, allowed_cpus() > 1 ? qr/^any \(/ : qr/^(?:any \(\d+\)|\d+)$/, 'bound to no CPU');
}

sub each_case {
    my ($test, @cases) = @_;
    for (@cases) {
        my ($lockable_kb, $options, @lines) = @$_;
        SKIP: {
            my $obstacle = obstacle($lockable_kb, "@lines");
            skip $obstacle, 1 if $obstacle;
            subtest "$lockable_kb kB, @$options: $lines[0]" => $test, @$_;
        }
    }
}

# In kB: below the least, and from there on.
sub limited_stack {
    my ($kb) = @_;
    my ($status, undef, $err) = run('sh', '-c', 'ulimit -s "$0" && exec "$@"', $kb, no_rtc(), realfeel(qw(-s nanosleep -n 5 -o -)));
    return is($status, 0, "a stack of $kb kB is enough") || diag $err if $kb >= 256;
    is($status, 1, "a stack of $kb kB is not enough");
    is(said($err), "realfeel: the stack is limited to $kb kB; raise the limit (ulimit -s) to 256 kB or more\n", 'what it says');
}

subtest 'a ring needs none' => sub {
    my ($status, $out, $err) = run(user(0, program(qw(-s ring -n 100 -o -))));
    is($status, 0, 'exit status') or diag $err;
    is(whole_report($out)->{memory_locked_kb}, 0, 'no memory is locked');
};

subtest 'the memory that each of 64 meters locks' => sub {
    plan skip_all => 'no right to real-time scheduling: run as root, or raise the limits (ulimit -r, ulimit -l)' if !has_rights();
    my ($status, $out, $err) = run(fake_root(CPUS => 64), realfeel(qw(-s nanosleep -q -n 1 -o - -a 0-63)));
    is($status, 0, 'exit status') or diag $err;
    my @locked_kb = map { $_->{memory_locked_kb} } whole_parts($out);
    is(scalar @locked_kb, 64, 'parts');
    cmp_ok(max(@locked_kb), '<=', 5.5 * 1024, 'kB');
};

SKIP: {
    skip 'a sanitizer needs more', 1 if is_sanitized();
    limited_stack($_) for 48, 64, 96, 100, 128, 255, 256, 512;
}
workspace();
mkdir "closed", 0555 or die $!;
each_case(\&refused, @REFUSED);
each_case(\&best_effort, @BEST_EFFORT);
done_testing;
