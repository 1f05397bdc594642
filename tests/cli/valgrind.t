#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A short run of all processes under valgrind: no wrong access, no use of what was never set, no leak. Memory that a
# process can still reach when it ends is no leak: the kernel frees it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report qw(whole_report);
use RunCommand qw(run start finish contents);
use Test::More;
use Time::HiRes qw(sleep);

my @valgrind = (qw(valgrind -q --vgdb=no --error-exitcode=99 --leak-check=full), '--show-leak-kinds=definite,possible');

if (is_sanitized()) {
    plan skip_all => 'the sanitizers are in the program, and valgrind cannot run them';
}
if (system 'valgrind --version >/dev/null 2>&1') {
    BAIL_OUT('valgrind is not installed, and CI needs it') if $ENV{CI};
    plan skip_all => 'valgrind is not installed';
}

if (my @missing = grep { (run('which', $_))[0] } qw(prlimit setpriv)) {
    plan skip_all => "@missing not found: apt-get install util-linux";
}

# Where the memory is locked and root's rights are given up, valgrind gets no more of it for itself.
my @not_locked = unprivileged(memlock => 65536);

# But for what valgrind says of itself: it knows neither pidfd_open(2) nor fsopen(2).
sub of_program { my ($err) = @_; return $err =~ s/^--\d+-- .*\n//mgr }

for my $source (qw(nanosleep timerfd)) {
    my @options = (qw(-n 200 -f 100 --best-effort -q -o -), "--source=$source");
    my ($status, $out, $err) = run(@not_locked, @valgrind, program(@options));
    is($status, 0, "$source: exit status");
    is(of_program($err), '', "$source: valgrind has nothing to say");
    whole_report($out);
}

# Once there was a tick of the keeper, the meter has left a buffer that is still to be collected. What the standby says
# goes to standard error as well.
subtest 'the standby in the place of a keeper that was killed' => sub {
    workspace();
    my $run = start(@not_locked, @valgrind, program(qw(-f 100 -C 0 --best-effort -q -s nanosleep -o report)));
    wait_for_sample($run, 'report');
    sleep 1.5;
    kill KILL => $run->{pid};
    my ($status, undef, $err) = finish($run);
    is(of_program($err), "realfeel: the keeper was killed; the standby writes the report\n", 'valgrind has nothing to say');
    is(whole_report(contents('report'))->{status}, 'interrupted', 'status of the report');
};

done_testing();
