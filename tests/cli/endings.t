# SPDX-License-Identifier: GPL-2.0-or-later
# However a run ends, there is a whole report, the RTC is as before, and no process is left (finish() waits for all).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use List::Util qw(sum0);
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;
use Time::HiRes qw(sleep);

my @ENDLESS  = ();
my @DURATION = qw(-d 1h);
my @SAMPLES  = qw(-n 1000000);
my $KILLED   = 128 + 9;

my $HZ        = 1000;
my $FORMER_HZ = 1024;    # as the fake RTC has it before we come

# What happens, to whom, options, exit status, the report's status.
my @ENDINGS = (
    (map { [$_, 'keeper', \@DURATION, 3, 'interrupted'] } qw(INT TERM HUP QUIT)),
    (map { [$_, 'keeper', \@ENDLESS,  0, 'complete'] } qw(INT TERM HUP QUIT)),
    ['INT',  'keeper', \@SAMPLES,  3,       'interrupted'],
    ['INT',  'group',  \@DURATION, 3,       'interrupted'],
    ['TERM', 'meter',  \@DURATION, 3,       'interrupted'],
    ['KILL', 'meter',  \@DURATION, 3,       'interrupted'],
    ['KILL', 'meter',  \@ENDLESS,  3,       'interrupted'],
    ['KILL', 'keeper', \@DURATION, $KILLED, 'interrupted'],
    ['KILL', 'keeper', \@ENDLESS,  $KILLED, 'interrupted'],
    ['KILL', 'meter keeper', \@DURATION, $KILLED, 'interrupted'],
    ['KILL', 'meter standby', \@DURATION, 3,      'interrupted'],
);

# Starts a run, under a command when one is given. Returns it when it has measured a little, with whom to signal.
sub measuring {
    my ($options, @under) = @_;
    unlink qw(report log);
    my $run = start(@under, fake_rtc(log => 'log'), realfeel('-f', $HZ, '-o', 'report', @$options));
    my $meter = wait_for_reads('log', 50);
    my $keeper = $run->{pid};
    my ($standby) = grep { $_ != $meter } children($keeper);
    return {%$run, keeper => $keeper, meter => $meter, standby => $standby, group => -$keeper};
}

# A shell in the background leaves its commands with signals ignored; so does nohup.
sub ignoring {
    my ($signal) = @_;
    return ('sh', '-c', "trap '' $signal; exec \"\$@\"", 'sh');
}

# Checks the end of a run, and returns its report and what it said.
sub ended {
    my ($run, $status, $word) = @_;
    my ($got, $out, $err) = finish($run);
    my $report = whole_report(contents('report'));
    my @changes = grep { $_->{event} =~ /rate|off|leave/ && $_->{pid} != $run->{meter} } events('log');
    is($got, $status, 'exit status');
    is($report->{status}, $word, 'status of the report');
    my @stop = map { "$_->{event} $_->{value}" } @changes[1 .. 3];
    is_deeply(\@stop, ["off $HZ", "rate $FORMER_HZ", "leave $FORMER_HZ"], 'the RTC is as before');
    is_deeply([grep { $_->{policy} ne 'other' && $_->{event} =~ /rate|off|leave/ } events('log')], [],
        'none of it done by a real-time process');
    return ($report, $err);
}

workspace();

for (@ENDINGS) {
    my ($signal, $whom, $options, $status, $word) = @$_;
    subtest "$signal to the $whom, @$options" => sub {
        my $run = measuring($options);
        kill STOP => $run->{keeper} if $whom =~ / /;    # it is not to see the first of two dead before the second is
        kill $signal => @$run{split ' ', $whom};
        kill CONT => $run->{keeper};
        my ($report, $err) = ended($run, $status, $word);
        like($report->{verdict}, qr/the measuring process was killed/, 'verdict') if "$signal $whom" =~ /KILL.*meter/;
        like($err, qr/^realfeel: the keeper was killed; the standby writes the report$/m, 'warning')
            if "$signal $whom" =~ /KILL.*keeper/;
    };
}

# Nobody is left who could write a report, but the RTC is as before.
subtest 'KILL to the keeper and the standby' => sub {
    my $run = measuring(\@DURATION);
    kill_in_turn(@$run{qw(standby keeper)});
    is((finish($run))[0], $KILLED, 'exit status');
    ok(!-e 'report', 'no report');
    my @changes = grep { $_->{event} =~ /off|rate|leave/ && $_->{pid} == $run->{meter} } events('log');
    is_deeply([map { "$_->{policy} $_->{event} $_->{value}" } @changes],
        ["other off $HZ", "other rate $FORMER_HZ", "other leave $FORMER_HZ"], 'the RTC is as before');
};

# A process in its group that is ours: without one, the kernel would let those go on that are stopped there.
sub bystander {
    my ($run) = @_;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        setpgrp 0, $run->{keeper};
        exec qw(sleep 1000) or die "sleep: $!";
    }
    wait_until(sub { getpgrp($pid) == $run->{keeper} });
    return $pid;
}

# Which holds the other end of the meter's lifeline until it is dead.
subtest 'KILL to the keeper, and then to the standby, which has not yet taken over' => sub {
    my $run = measuring(\@DURATION);
    my $bystander = bystander($run);
    kill STOP => $run->{standby};
    kill_in_turn($run->{keeper});
    sleep 0.1;
    kill KILL => $run->{standby}, $bystander;
    waitpid $bystander, 0;
    is((finish($run))[0], $KILLED, 'exit status');
    my @changes = grep { $_->{event} =~ /off|rate|leave/ && $_->{pid} == $run->{meter} } events('log');
    is_deeply([map { "$_->{policy} $_->{event} $_->{value}" } @changes],
        ["other off $HZ", "other rate $FORMER_HZ", "other leave $FORMER_HZ"], 'the RTC is as before');
};

# The load is started before anything is measured. It may be too late all the same, and then there is a report.
subtest 'KILL to the keeper by its load' => sub {
    my $kill_grandparent = 'read -r _ _ _ keeper _ </proc/$PPID/stat; kill -KILL $keeper';
    my @wrong;
    for my $number (1 .. 20) {
        unlink 'report';
        my $run = start(realfeel(qw(-q -s nanosleep -d 1h -o report -- sh -c), $kill_grandparent));
        my ($status, undef, $err) = finish($run);
        my $promised = $err =~ /the standby writes the report/;
        push @wrong, "$number: $status $err" if $status != $KILLED || (-e 'report' xor $promised);
    }
    is_deeply(\@wrong, [], 'the report that is promised is there');
};

# A shell may have started it, and have become realfeel then.
subtest 'KILL to the standby, where the keeper has a child that is none of ours' => sub {
    my $run = measuring([@DURATION, qw(-- sleep 1000)], 'sh', '-c', 'sleep 1000 & exec "$@"', 'sh');
    my ($other, $standby) = grep { $_ != $run->{meter} } children($run->{keeper});
    kill KILL => $standby;
    wait_until(sub { !grep { $_ == $standby } children($run->{keeper}) });
    kill INT => $run->{keeper};
    wait_until(sub { -e 'report' });
    like(contents("/proc/$other/stat"), qr/\) S /, 'that lives on');
    kill TERM => $other;
    is((finish($run))[0], 3, 'exit status');
    like(contents('report'), qr/^# verdict: .*the standby was killed/m, 'verdict');
};

subtest 'KILL to all' => sub {
    my $run = measuring(\@DURATION);
    kill STOP => @$run{qw(keeper standby)};
    kill KILL => @$run{qw(meter standby keeper)};
    is((finish($run))[0], $KILLED, 'exit status');
    ok(!-e 'report', 'no report, but nothing is left');
};

# Where a signal comes just before the wait, and nothing else ends that.
subtest 'the keeper is killed while the source is silent' => sub {
    my $run = measuring(\@DURATION, qw(env FAKE_RTC_SILENT_AFTER=50 FAKE_RTC_DEAF=1));
    kill KILL => $run->{keeper};
    my ($report) = ended($run, $KILLED, 'interrupted');
    is($report->{samples}, 49, 'what was measured until then');
};

subtest 'no timer for --duration' => sub {
    plan skip_all => 'prlimit not found: apt-get install util-linux' if (run(qw(which prlimit)))[0];
    unlink qw(report log);
    my ($status, undef, $err) = run(qw(prlimit --sigpending=0), fake_rtc(log => 'log'), realfeel(@DURATION, qw(-o report)));
    my @events = events('log');
    my ($on) = grep { $_->{event} eq 'on' } @events;
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: set a timer for --duration: .*; use --samples\n\z/, 'what it says');
    is_deeply([map { $_->{policy} } grep { $_->{event} eq 'leave' && $_->{pid} == $on->{pid} } @events], ['other'],
        'the meter ends as an ordinary process, with the interrupt on');
    is_deeply([(map { "$_->{event} $_->{value}" } grep { $_->{pid} != $on->{pid} } @events)[1 .. 2]],
        ['off 2048', "rate $FORMER_HZ"], 'the RTC is as before');
};

for my $signal (qw(INT TERM QUIT CHLD)) {
    subtest "$signal was ignored before" => sub {
        my $run = measuring(\@DURATION, ignoring($signal));
        kill $signal eq 'CHLD' ? 'INT' : $signal => $run->{keeper};
        ended($run, 3, 'interrupted');
    };
}

# Seconds before the keeper stops, while it is stopped, and after it goes on again. The second pause is longer than a
# source may be silent, and comes when the keeper waits for a buffer.
for (['a while', 0, 1.5, 0], ['longer than a source may be silent', 1.5, 7, 2]) {
    my ($pause, $before, $stopped, $after) = @$_;
    subtest "the keeper stops for $pause" => sub {
        my $run = measuring(\@DURATION);
        sleep $before;
        kill STOP => $run->{keeper};
        sleep $stopped;
        kill CONT => $run->{keeper};
        sleep $after;
        kill INT => $run->{keeper};
        my ($report) = ended($run, 3, 'interrupted');
        unlike($report->{verdict}, qr/stopped waking/, 'the source is not taken for dead');
        is($report->{samples}, (grep { $_->{event} eq 'read' } events('log')) - 1, 'no sample is lost');
        is($report->{stopped_ms}, 0, 'it was not the meter that stopped');
    };
}

# Whom a signal stops, and where it goes: ^Z is for the group.
for (['STOP', 'meter', 'meter'], ['TSTP', 'group', 'meter', 'keeper'], ['TTIN', 'meter', 'meter']) {
    my ($signal, $whom, @stopped) = @$_;
    subtest "$signal to the $whom, and on" => sub {
        my $run = measuring(\@DURATION);
        kill $signal => $run->{$whom};
        wait_until(sub { !grep { !is_stopped($run->{$_}) } @stopped });
        sleep 0.2;
        kill CONT => $run->{$whom};
        wait_for_reads('log', 10 + grep { $_->{event} eq 'read' } events('log'));
        kill INT => $run->{keeper};
        my ($report) = ended($run, 3, 'interrupted');
        my (undef, @counts) = map { $_->{value} } grep { $_->{event} eq 'read' } events('log');
        is($report->{missed}, sum0(map { $_ - 1 } @counts), 'what it missed is counted');
        cmp_ok($report->{missed}, '>', 0, 'and it missed some');
        cmp_ok($report->{stopped_ms}, '>=', 200, 'for how long it was stopped');
        like($report->{verdict}, qr/stopped: a signal stopped the measuring process for \d+\.\d{3} s/, 'verdict');
    };
}

sub is_stopped {
    my ($pid) = @_;
    return contents("/proc/$pid/stat") =~ /\) T /;
}

subtest 'HUP was ignored before, and is still' => sub {
    my $run = measuring(\@ENDLESS, ignoring('HUP'));
    my $reads = grep { $_->{event} eq 'read' } events('log');
    kill HUP => $run->{keeper};
    wait_for_reads('log', $reads + 200);
    kill INT => $run->{keeper};
    my ($report) = ended($run, 0, 'complete');
    cmp_ok($report->{samples}, '>=', $reads + 199, 'the run went on');
};

done_testing;
