# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment undoes its change whoever is killed, stopped or interrupted, and whatever a command does.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;
use Time::HiRes qw(sleep);

use Realfeel::Base::File;
use Experiments;
use Program qw(children);
use RunCommand qw(run start finish wait_until contents file_of);

my $KILLS = $ENV{KILLS} // ($ENV{CHECK_ALL} ? 40 : 2);

subtest 'a command that shows the setting' => sub {
    my %refused = (
        'sleep 1000'                          => 'did not end within 10 s; give one that does',
        'head -c 30000000 /dev/zero | tr \\0 x' => 'printed more than 64 KiB; have it print only the setting',
        'yes'                                 => 'printed more than 64 KiB; have it print only the setting',
        'kill -KILL $PPID'                    => 'was stopped, so it is not known whether the setting is restored',
    );
    for my $show (sort keys %refused) {
        folder();
        my ($status, $out, $err) = run(change("--show=$show"));
        is("$status$out", 1, $show);
        like($err, qr/^realfeel-try: show '\Q$show\E' \Q$refused{$show}\E$/m, 'is refused');
        is(contents('calls'), '', 'before anything is done');
    }
    for my $show ('touch begun; sleep 1000', '[ ! -s calls ] || { touch begun; sleep 1000; }') {
        folder();
        my $run = start(change("--show=$show"));
        wait_until(sub { -e 'begun' });
        kill TERM => $run->{pid};
        my ($status, $out, $err) = finish($run);
        is($status, 1, "$show: a signal ends it");
        like($err, qr/^realfeel-try: the experiment was interrupted$/m, 'and the experiment');
        is_undone($show);
    }
};

# Sends the signal at some instant of an experiment that decides nothing: whether it reached anybody, and what the
# experiment returns when all its processes have ended.
sub struck {
    my ($signal, $whom, $takes, $blocks) = @_;
    folder($takes // 0.05);
    my $run = start(experiment("--change=sleep 0.03; $ON; sleep 0.03", "--undo=sleep 0.03; $OFF; sleep 0.03", '--show=cat setting',
        '--at=missed', '--blocks=' . ($blocks // 40)));
    wait_until(sub { children($run->{pid}) });
    sleep rand 0.7;
    my $struck = kill $signal => $whom->($run->{pid});
    return ($struck, finish($run));
}

subtest 'a signal at any instant' => sub {
    for my $whom (sub { -$_[0] }, sub { $_[0] }) {
        for (1 .. $KILLS) {
            my (undef, $status, $out, $err) = struck((qw(INT TERM HUP))[rand 3], $whom);
            is($status, 1, 'exit status');
            like($err, qr/^realfeel-try: the experiment was interrupted$/m, 'it is told');
            like($out, qr/^change: /, 'and what there is');
            is_undone('interrupted');
        }
    }
};

subtest 'kill -9 of the experiment' => sub {
    for (1 .. $KILLS) {
        is((struck(KILL => sub { $_[0] }))[1], 137, 'it is killed');
        is_undone('killed');
    }
};

# The guard saves the script, then makes the change. Strikes once in between.
sub struck_between {
    my ($strike) = @_;
    folder();
    my $save = \&Realfeel::Base::File::save;
    no warnings 'redefine';
    local *Realfeel::Base::File::save = sub { $save->(@_); -e 'struck' or file_of('struck', ''), $strike->() };
    my ($status, $out, $err) = run(change('--at=missed', '--blocks=1'));
    ok(-e 'struck', 'in between');
    return ($status, $err);
}

subtest 'kill -9 between the script and its change' => sub {
    is((struck_between(sub { kill KILL => getppid }))[0], 137, 'of the experiment');
    is_undone('killed');
    my ($status, $err) = struck_between(sub { kill KILL => $$ });
    is($status, UNKNOWN, 'of the guard: the experiment goes on');
    like($err, qr/^realfeel-try: the process that undoes changes was killed; another takes its place$/m, 'it is told');
    is_undone('guard killed');
};

subtest 'kill -9 of the guard' => sub {
    for (1 .. $KILLS) {
        my ($struck, $status, $out, $err) = struck(KILL => sub { (children($_[0]))[0] }, 0.05, 8);
        next unless $struck;
        like($err, qr/^realfeel-try: the process that undoes changes was killed; another takes its place$/m, 'it is told');
        is($status, $err =~ /^realfeel-try: change '.*' of change ended with status 137; correct it$/m ? 1 : UNKNOWN,
            'the experiment goes on');
        is_undone('guard killed');
    }
};

subtest 'a guard that is stopped' => sub {
    for my $during ('a measurement', 'a change') {
        folder($during eq 'a change' ? 0 : 0.5);
        my $change = $ON . ($during eq 'a change' ? '; touch begun; sleep 1' : '');
        my $run = start(experiment("--change=$change", "--undo=$OFF", qw(--at=missed --blocks=1)));
        wait_until(sub { $during eq 'a change' ? -e 'begun' : -s 'calls' });
        kill STOP => (children($run->{pid}))[0];
        my ($status, $out, $err) = finish($run);
        like($err, qr/^realfeel-try: the process that undoes changes was killed; another takes its place$/m, "in $during: is replaced");
        is($status, $during eq 'a change' ? 1 : UNKNOWN, 'exit status');
        is_undone($during);
    }
};

subtest 'kill -9 of the measurement' => sub {
    for (1 .. $KILLS) {
        my $measurement;
        my $found = sub { my ($pid) = @_; wait_until(sub { $measurement = (children($pid))[1] }); return $measurement };
        my (undef, $status, $out, $err) = struck(KILL => $found, 1);
        is($status, 1, 'exit status');
        like($err, qr/^realfeel-try: a block was not measured, realfeel ended with status 137$/m, 'it is told');
        is_undone('measurement killed');
    }
};

chdir '/';
done_testing;
