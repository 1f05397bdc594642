# SPDX-License-Identifier: GPL-2.0-or-later
# An experiment undoes its change whichever process is killed, stopped or interrupted, at each point of it, and whatever a
# command does.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

# The guard's time, in which it waits for nothing: what it reads of the clock leaps from once to the next, and where it is
# in a $hurry its waits are so many times shorter.
our $hurry = 1;
BEGIN {
    my $now = 0;
    *Realfeel::Try::Guard::time = sub () { $now += 10 };
    *Realfeel::Try::Guard::select = sub { CORE::select($_[0], $_[1], $_[2], $_[3] / $hurry) };
}

use Experiments;
use Realfeel::Base::File;
use RunCommand;

# A command that sources this file is at the point that it names. If the point is the one of that number, it sends STRIKE
# there: a signal, the process that gets it, and maybe a command that follows. A guard has a session of its own, and an
# experiment a process group.
file_of('point', <<'END');
n=1
while read -r _; do n=$((n + 1)); done <points
echo "$point" >>points
[ $n = "${STRIKE_AT:-0}" ] || return 0
read -r _ _ _ _ group session _ </proc/$$/stat
case $point in
measurement*) experiment=$group; read -r guard _ </proc/$group/task/$group/children; measurement=$$ ;;
*) guard=$session; read -r stat </proc/$guard/stat; set -- ${stat##*) }; experiment=$2 ;;
esac
eval "kill $STRIKE"
END

sub at { my ($point, $command) = @_; return "point='$point begins'; . ../point; $command; point='$point ends'; . ../point" }

# Strikes an experiment at the point of this number. Returns its exit status, its output and its messages.
sub struck {
    my ($number, $strike, $show) = @_;
    folder();
    file_of('points', '');
    file_of('meanwhile', at('measurement', 'true'));
    local @ENV{qw(STRIKE_AT STRIKE)} = ($number, $strike);
    return run(experiment('--change=' . at(change => $ON), '--undo=' . at(undo => $OFF), $show // '--show=' . at(show => 'cat setting'),
        qw(--at=missed --blocks=1 --seed=2)));
}

is((struck(0, ''))[0], UNKNOWN, 'an experiment that nothing strikes has no answer yet');
my @points = split /\n/, contents('points');
is_deeply(\@points, [map { ("$_ begins", "$_ ends") } qw(show measurement change measurement show undo show)],
    'an experiment has 14 points');

my $REPLACED = qr/^realfeel-try: the process that undoes changes was killed; another takes its place$/m;

for my $i (0 .. $#points) {
    my $point = 'as ' . ($i < $#points / 2 ? 'the first ' : 'a later ') . $points[$i];
    my $strike = ('-INT $experiment', '-TERM -$experiment', '-HUP $experiment', '-INT -$experiment')[$i % 4];
    subtest "kill $strike $point" => sub {
        my ($status, $out, $err) = struck($i + 1, $strike);
        is($status, 1, 'the experiment fails');
        like($err, qr/^realfeel-try: the experiment was interrupted$/m, 'it says that it was interrupted');
        like($out, qr/^change: /, 'the experiment has an answer');
        is_undone($point);
    };
    subtest "kill -KILL of the experiment $point" => sub {
        my $go_on = $points[$i] =~ /measurement/ ? 'exec tail -f /dev/null' : 'true';
        is((struck($i + 1, "-KILL \$experiment; $go_on"))[0], 137, 'the experiment is killed, and its measurement ends');
        is_undone($point);
    };
    subtest "kill -KILL of the guard $point" => sub {
        my ($status, $out, $err) = struck($i + 1, '-KILL $guard');
        my $is_changing = $points[$i] =~ /change/;
        like($err, $REPLACED, 'the guard is replaced');
        is($status, $is_changing ? 1 : UNKNOWN, 'the experiment goes on, unless its change is in doubt');
        like($err, qr/^realfeel-try: change '.*' of change ended with status 137; correct it$/m,
            'the experiment says that its change is in doubt') if $is_changing;
        is_undone($point);
    };
    subtest "a guard that is stopped $point" => sub {
        my ($status, $out, $err) = struck($i + 1, '-STOP $guard');
        like($err, $REPLACED, 'the guard is replaced');
        is($status, $points[$i] =~ /change/ ? 1 : UNKNOWN, 'the experiment goes on, unless its change is in doubt');
        is_undone($point);
    } if $points[$i] =~ /^(?:change|measurement) begins/;
    subtest "kill -KILL of the measurement $point" => sub {
        my ($status, $out, $err) = struck($i + 1, '-KILL $measurement');
        is($status, 1, 'the experiment fails');
        like($err, qr/^realfeel-try: a block was not measured, realfeel ended with status 137$/m, 'the experiment says why it fails');
        is_undone($point);
    } if $points[$i] =~ /measurement/;
}

subtest 'a command that shows the setting' => sub {
    my %refused = (
        'tail -f /dev/null'                     => 'did not end within 10 s; give one that does',
        'head -c 30000000 /dev/zero | tr \\0 x' => 'printed more than 64 KiB; have it print only the setting',
        'yes'                                   => 'printed more than 64 KiB; have it print only the setting',
        'kill -KILL $PPID'                      => 'was stopped, so it is not known whether the setting is restored',
    );
    for my $show (sort keys %refused) {
        folder();
        local $hurry = $show =~ /tail/ ? 100 : 1;
        my ($status, $out, $err) = run(change("--show=$show"));
        is("$status$out", 1, "$show: the experiment fails");
        like($err, qr/^realfeel-try: show '\Q$show\E' \Q$refused{$show}\E$/m, "$show: the experiment says why");
        is(contents('calls'), '', "$show: nothing is measured");
    }
    for my $number (1, 9) {
        my ($status, $out, $err) = struck($number, '-TERM $experiment',
            "--show=point='show begins'; . ../point; [ \$n != $number ] || exec tail -f /dev/null; cat setting; point=; . ../point");
        is($status, 1, "at point $number: a signal ends a command that does not end by itself");
        like($err, qr/^realfeel-try: the experiment was interrupted$/m, "at point $number: a signal ends the experiment");
        is_undone("at point $number");
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
    ok(-e 'struck', 'the script is saved before the change is made');
    return ($status, $err);
}

subtest 'kill -KILL between the script and its change' => sub {
    is((struck_between(sub { kill KILL => getppid }))[0], 137, 'the experiment is killed');
    is_undone('killed');
    my ($status, $err) = struck_between(sub { kill KILL => $$ });
    is($status, UNKNOWN, 'the guard is killed: the experiment goes on');
    like($err, $REPLACED, 'the guard is replaced');
    is_undone('guard killed');
};

chdir '/';
done_testing;
