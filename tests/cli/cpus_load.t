# SPDX-License-Identifier: GPL-2.0-or-later
# A load beside two meters: one for both, and gone with the run, whoever is killed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use MarkedLoad;
use Program;
use Report;
use RunCommand qw(start finish contents wait_until);
use RunEnd;
use Test::More;

my @CPUS = allowed_cpus();
plan skip_all => 'there is one CPU only' if @CPUS < 2;

my $KILLED = 128 + 9;
my $CHILDREN = 'setsid sh -c "(touch ready; exec sleep 1000) &" & (while :; do sleep 1; done) & sleep 1000';

# A load that goes on until a report has samples of both CPUs.
my $BRIEF = q(touch ready; until [ "$(grep -cs '^# samples: [1-9]' report)" = 2 ]; do sleep 0.1; done);

# A run with a load that is ready, of which both CPUs have been measured since. A short run may be over by then.
sub measuring {
    my ($options, $script) = @_;
    unlink qw(ready report);
    my $run = start(realfeel(qw(-s nanosleep -f 1000 -C 0 -o report -a), "$CPUS[0],$CPUS[1]", @$options, load($script)));
    wait_until(sub { -e 'report' || has_begun($run->{pid}, 2) && -e 'ready' });
    wait_until(sub { kill USR1 => $run->{pid}; -e 'report' && (() = contents('report') =~ /^# samples: [1-9]/mg) == 2 });
    my ($standby, @meters) = children($run->{pid});
    return {%$run, keeper => $run->{pid}, standby => $standby, meter0 => $meters[0], meter1 => $meters[1]};
}

sub ended {
    my ($run, $status) = @_;
    my ($got, undef, $err) = finish($run);
    is($got, $status, 'exit status') or diag $err;
    none_is_left();
    my @parts = whole_parts(contents('report'));
    is(scalar @parts, 2, 'parts');
    for my $key (qw(load load_cpus load_exit load_ended_by)) {
        is($parts[1]{$key}, $parts[0]{$key}, "one $key");
    }
    return @parts;
}

# What is told of its end, in both parts.
sub ends {
    return map { "$_->{load_exit}, by $_->{load_ended_by}" } @_;
}

workspace();

subtest 'it ends with the run' => sub {
    my @parts = ended(measuring([qw(-n 1000)], 'touch ready; while :; do sleep 0.1; done'), 0);
    is_deeply([ends(@parts)], [('signal 15, by the run') x 2], 'how it ended');
    is_deeply([map { "$_->{status} $_->{samples}" } @parts], [('complete 1000') x 2], 'status');
    is_deeply([grep { $_->{verdict} =~ /load/ } @parts], [], 'verdict');
};

subtest 'the run ends with it' => sub {
    my @parts = ended(measuring([], $BRIEF), 0);
    is_deeply([ends(@parts)], [('exit status 0, by itself') x 2], 'how it ended');
    is_deeply([map { $_->{status} } @parts], [('complete') x 2], 'status');
};

subtest 'it fails, and the run goes on' => sub {
    my $run = measuring([qw(-d 1h)], "$BRIEF; exit 3");
    wait_until(sub { contents($run->{err}) =~ /the load has ended/ });
    wait_for_samples($run, map { 100 + $_->{samples} } parse_parts(contents('report')));
    kill INT => $run->{keeper};
    my @parts = ended($run, 3);
    is_deeply([map { $_->{status} } @parts], [('interrupted') x 2], 'status');
    is_deeply([grep { $_->{verdict} !~ /the load failed after .*: exit status 3/ } @parts], [], 'verdict');
};

# Whom SIGKILL hits, what the shell sees then, and the parts whose meters were killed.
my @KILLS = (
    [[qw(meter0)], 3, 1, 0],
    [[qw(meter1)], 3, 0, 1],
    [[qw(meter0 meter1)], 3, 1, 1],
    [[qw(keeper)], $KILLED, 0, 0],
    [[qw(meter0 keeper)], $KILLED, 1, 0],
    [[qw(standby)], 3, 0, 0],
    [[qw(meter1 standby)], 3, 0, 1],
);
for (@KILLS) {
    my ($whom, $status, @dead) = @$_;
    subtest "kill of the @$whom" => sub {
        my $run = measuring([qw(-d 1h)], $CHILDREN);
        my ($standby) = grep { $_ eq 'standby' } @$whom;
        kill STOP => @$run{@$whom} if @$whom > 1;
        kill KILL => @$run{@$whom};
        wait_until(sub { !processes_of_load() }) if $standby;
        kill INT => $run->{keeper} if grep { !$_ } @dead;
        my @parts = ended($run, $status);
        is_deeply([map { $_->{verdict} =~ /the measuring process was killed/ ? 1 : 0 } @parts], \@dead, 'whose meter was killed');
        is_deeply([map { $_->{verdict} =~ /the load was ended after .*: the standby was killed/ ? 1 : 0 } @parts],
            [($standby ? 1 : 0) x 2], 'what became of the load');
    };
}

done_testing;
