# SPDX-License-Identifier: GPL-2.0-or-later
# However a run on two CPUs ends, what was measured is in whole reports, the other CPU goes on, and no process is left.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use RunEnd;
use Test::More;

my @CPUS = allowed_cpus();
plan skip_all => 'there is one CPU only' if @CPUS < 2;

my $KILLED = 128 + 9;
my $DEAD = 'the measuring process was killed';

# A run on two CPUs of which both have been measured, and that is in the report: with its processes, and the group of them.
sub measuring {
    my @options = @_;
    unlink glob '*';
    my $run = start(fake_rtc(log => 'rtc'), realfeel(qw(-f 1000 -C 0 -o report -a), "$CPUS[0],$CPUS[1]", @options));
    wait_until(sub { has_begun($run->{pid}, 2) });
    my ($standby, @meters) = children($run->{pid});
    my $measuring = {%$run, keeper => $run->{pid}, standby => $standby, meter0 => $meters[0], meter1 => $meters[1]};
    wait_for_samples($measuring, 1, 1);
    return $measuring;
}

# What there is beside the report.
sub others { return grep { !/^(?:report|rtc)$/ } glob '*' }

# Checks the end of a run, and that no files but these are left. Returns what was said and the parts of the report.
sub ended {
    my ($run, $status, @left) = @_;
    my ($got, $out, $err) = finish($run);
    is($got, $status, 'exit status') or diag $err;
    is_over($run);
    is_deeply([grep { $_->{event} =~ /rate|on|read/ } events('rtc')], [], 'the RTC was left alone');
    my @parts = whole_parts(contents('report'));
    is_deeply([map { "$_->{part} of CPU $_->{cpu}" } @parts], ["1 of 2 of CPU $CPUS[0]", "2 of 2 of CPU $CPUS[1]"], 'its parts');
    is_deeply([others()], \@left, 'no other file is left');
    return ($err, @parts);
}

sub tells_of_kill {
    my ($part) = @_;
    return $part->{verdict} =~ /\Q$DEAD\E/ ? 1 : 0;
}

# Kill them at once, the meters first: none is to see the others die.
sub kill_all {
    my ($run, @whom) = @_;
    kill STOP => @$run{@whom} if @whom > 1;
    kill KILL => @$run{@whom};
}

workspace();

# The row of the verdict with this cause, unless it is one of several: the machine took time or lost it before, somebody else
# changed a setting, or no CPU was measured in real time, which is worse.
sub named {
    my ($cpu, $cause) = @_;
    my $lost = qr/the hypervisor took|may have throttled|was suspended|the wall clock was set|the hardware clock moved/;
    my $before = qr/(?:.*(?:$lost|\w changed:)|not real-time:) .* more;/;
    return qr/^run       (?:SUSPECT|INVALID): (?:CPU $cpu: \Q$cause\E|$before)/m;
}

# Of these the run goes on, on the CPUs whose meters live.
for my $whom (['standby'], ['meter0'], ['meter1'], [qw(standby meter0)], [qw(standby meter1)]) {
    subtest "kill of the @$whom" => sub {
        my $run = measuring(qw(-d 1h));
        my %killed = map { $_ => 1 } @$whom;
        my @dead = map { $killed{"meter$_"} ? 1 : 0 } 0, 1;
        my @before = wait_for_samples($run, 50, 50);
        kill_all($run, @$whom);
        my @more = map { $dead[$_] ? $before[$_]{samples} : 1500 + $before[$_]{samples} } 0, 1;
        my @then = wait_for_samples($run, @more);
        is_deeply([grep { / Z/ } processes($run)], [], 'the dead are waited for');
        is_deeply([map { $_->{status} } @then], [map { $_ ? 'interrupted' : 'checkpoint' } @dead], 'a checkpoint then');
        is_deeply([map { tells_of_kill($_) } @then], \@dead, 'and its verdicts');
        kill INT => $run->{keeper};
        my ($err, @parts) = ended($run, 3);
        is_deeply([map { $_->{status} } @parts], [qw(interrupted interrupted)], 'status');
        is_deeply([map { tells_of_kill($_) } @parts], \@dead, 'whose meter was killed');
        is_deeply([grep { $parts[$_]{samples} < $then[$_]{samples} } 0, 1], [], 'nothing that was saved is lost');
        my ($number) = grep { $dead[$_] } 0, 1;
        like($err, named($CPUS[$number], $DEAD), 'the CPU is named') if defined $number;
    };
}

subtest 'the other CPU goes on to its end' => sub {
    my $run = measuring(qw(-n 8000));
    kill KILL => $run->{meter0};
    my ($err, @parts) = ended($run, 3);
    is_deeply([map { $_->{status} } @parts], [qw(interrupted complete)], 'status');
    is($parts[1]{samples}, 8000, 'samples');
    unlike($parts[1]{verdict}, qr/killed/, 'verdict');
};

subtest 'kill of both meters' => sub {
    my $run = measuring(qw(-d 1h));
    kill_all($run, qw(meter0 meter1));
    my ($err, @parts) = ended($run, 3);
    is_deeply([map { tells_of_kill($_) } @parts], [1, 1], 'whose meter was killed');
};

# The standby writes the report.
for my $whom (['keeper'], [qw(meter0 keeper)], [qw(meter1 keeper)], [qw(meter0 meter1 keeper)]) {
    subtest "kill of the @$whom" => sub {
        my $run = measuring(qw(-d 1h));
        my @before = wait_for_samples($run, 50, 50);
        kill_all($run, @$whom);
        my ($err, @parts) = ended($run, $KILLED);
        my %killed = map { $_ => 1 } @$whom;
        is_deeply([map { tells_of_kill($_) } @parts], [map { $killed{"meter$_"} ? 1 : 0 } 0, 1], 'whose meter was killed');
        is_deeply([map { $_->{status} } @parts], [qw(interrupted interrupted)], 'status');
        is_deeply([grep { $parts[$_]{samples} < $before[$_]{samples} } 0, 1], [], 'nothing that was saved is lost');
        like($err, qr/^realfeel: the keeper was killed; the standby writes the report$/m, 'warning');
        like($err, qr/^report    report\nrun       .*; interrupted after \d+\.\d s of 3600 s$/m, 'verdict');
    };
}

# Nobody is left who could write, or remove the draft of a checkpoint that they were about to put in place.
for my $whom ([qw(standby keeper)], [qw(standby keeper meter0)], [qw(standby keeper meter0 meter1)]) {
    subtest "kill of the @$whom" => sub {
        my $run = measuring(qw(-d 1h));
        kill STOP => @$run{qw(standby keeper)};
        wait_until(sub { !grep { contents("/proc/$run->{$_}/stat") !~ /\) T / } qw(standby keeper) });
        my $saved = contents('report');
        my @left = others();
        is((grep { !/^report\.[0-9a-f]{16}\.tmp$/ } @left), 0, 'beside it at most a draft') or diag "@left";
        cmp_ok(scalar @left, '<=', 1, 'of one checkpoint');
        kill KILL => @$run{@$whom};
        my ($err, @parts) = ended($run, $KILLED, @left);
        is(contents('report'), $saved, 'the last checkpoint stands');
        is_deeply([map { $_->{status} } @parts], [qw(checkpoint checkpoint)], 'status');
    };
}

for my $signal (qw(INT TERM HUP QUIT)) {
    subtest "$signal to the group" => sub {
        my $run = measuring(qw(-d 1h));
        kill $signal => -$run->{keeper};
        my ($err, @parts) = ended($run, 3);
        is_deeply([map { $_->{status} } @parts], [qw(interrupted interrupted)], 'status');
        is_deeply([grep { $_->{verdict} =~ /killed|stopped/ } @parts], [], 'verdict');
    };
}

# Stops one, for a second or longer, until the other has measured more. Returns the parts from then.
sub stop_meter {
    my ($run) = @_;
    kill STOP => $run->{meter0};
    wait_until(sub { contents("/proc/$run->{meter0}/stat") =~ /\) T / });
    sleep 1;    # the last checkpoint may be older than the stop
    my @before = wait_for_samples($run, 1, 1);
    return wait_for_samples($run, $before[0]{samples}, $before[1]{samples} + 1000);
}

subtest 'a meter is stopped, and goes on' => sub {
    my $run = measuring(qw(-d 1h));
    my @stopped = stop_meter($run);
    kill CONT => $run->{meter0};
    wait_for_samples($run, map { $_->{samples} + 1000 } @stopped);
    kill INT => $run->{keeper};
    my ($err, @parts) = ended($run, 3);
    cmp_ok($parts[0]{stopped_ms}, '>=', 900, 'for how long');
    like($parts[0]{verdict}, qr/stopped: a signal stopped the measuring process for \d+\.\d{3} s/, 'its verdict');
    cmp_ok($parts[0]{missed}, '>=', 900, 'what it missed is counted');
    is($parts[1]{stopped_ms}, 0, 'the other was not stopped');
    unlike($parts[1]{verdict}, qr/stopped/, 'its verdict');
};

subtest 'the run ends while a meter is stopped' => sub {
    my $run = measuring(qw(-d 1h));
    stop_meter($run);
    kill INT => $run->{keeper};
    my ($err, @parts) = ended($run, 3);
    like($parts[0]{verdict}, qr/stopped: a signal stopped/, 'verdict');
};

subtest 'the keeper is killed while a meter is stopped' => sub {
    my $run = measuring(qw(-d 1h));
    stop_meter($run);
    kill KILL => $run->{keeper};
    my ($err, @parts) = ended($run, $KILLED);
    like($parts[0]{verdict}, qr/stopped: a signal stopped/, 'verdict');
};

# The kernel does the same to what is bound to a CPU that goes offline.
subtest 'a meter is moved off its CPU' => sub {
    plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
    my $run = measuring(qw(-d 1h));
    run(qw(taskset -cp), join(',', @CPUS), $run->{meter1});
    my @before = wait_for_samples($run, 1, 1);
    wait_for_samples($run, map { $_->{samples} + 1000 } @before);
    kill INT => $run->{keeper};
    my ($err, @parts) = ended($run, 3);
    like($parts[1]{verdict}, qr/^(?:suspect|invalid): .*no longer bound to CPU $CPUS[1]/, 'it says so');
    unlike($parts[0]{verdict}, qr/bound/, 'the other was not moved');
    like($err, named($CPUS[1], "no longer bound to CPU $CPUS[1]"), 'told at the end');
};

done_testing;
