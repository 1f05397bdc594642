# SPDX-License-Identifier: GPL-2.0-or-later
# --idle-latency limits the idle states of the measured CPUs alone, for as long as they are measured.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use FakeRtc;
use File::Temp qw(tempdir);
use Listing;
use Program;
use Report;
use RunCommand qw(contents finish run start wait_until);
use Test::More;
use WellMachine;

my @SOURCE = (qw(-s nanosleep -f 500 -o report --force));
my @CPUS   = allowed_cpus();
my $WHAT   = 'limit the idle states of';

# Of a CPU, in us: "0" is none, and "n/a" is 0.
sub limit { return "/sys/devices/system/cpu/cpu$_[0]/power/pm_qos_resume_latency_us" }

sub limits { my ($text) = @_; return map { limit($_) => $text } @CPUS }

sub line { my ($path) = @_; return contents($path) =~ s/\n.*//sr }

# A machine with this limit on each CPU, the words to be put before a command on it, and where its files are.
sub limited {
    my ($text, %files) = @_;
    my $root = tempdir(CLEANUP => 1);
    return ($root, machine(limits($text), %files, root => $root));
}

# A run that measures, whom to signal, and the file of the limit.
sub measuring {
    my ($former, @options) = @_;
    unlink 'report';
    my ($root, @machine) = limited($former);
    my $run = start(no_rtc(), @machine, realfeel(@SOURCE, '-a', $CPUS[0], @options));
    wait_for_sample($run, 'report');
    return {%$run, file => $root . limit($CPUS[0]), root => $root};
}

workspace();

# The limit before, the option, what is written meanwhile, and what the header says.
for (['0', '0', 'n/a', '0'], ['0', '500ns', 'n/a', '0'], ['20', '5us', '5', '5'], ['n/a', '1ms', '1000', '1000']) {
    my ($former, $asked, $set, $told) = @$_;
    subtest "$former, then --idle-latency=$asked" => sub {
        my $run = measuring($former, "--idle-latency=$asked");
        is(line($run->{file}), $set, 'while it is measured');
        is(line($run->{root} . limit($_)), $former, "not on CPU $_") for @CPUS[1 .. $#CPUS];
        kill INT => $run->{pid};
        finish($run);
        is(line($run->{file}), $former, 'and after');
        my $report = whole_report(contents('report'));
        is($report->{idle_latency_us}, $told, 'the header has it');
        is($report->{dma_latency_us}, 'off', 'the machine is left alone');
        unlike("@{[%$report]}", qr/idle_latency_us_after|idle_latency_us changed/, 'nothing has changed');
    };
}

subtest 'what another program sets meanwhile' => sub {
    my $run = measuring('0', '--idle-latency=0');
    put($run->{file}, 100);
    kill INT => $run->{pid};
    finish($run);
    my $report = whole_report(contents('report'));
    is("$report->{idle_latency_us} $report->{idle_latency_us_after}", '0 100', 'is told');
    like($report->{verdict}, qr/^(?:suspect|invalid): .*idle_latency_us changed: 0 -> 100/, 'and in the verdict');
    is(line($run->{file}), 100, 'and stays');
};

subtest 'a second run' => sub {
    my $run = measuring('0', '--idle-latency=0');
    my @machine = machine(root => $run->{root}, limits('n/a'));
    my ($status, undef, $err) = run(no_rtc(), @machine, realfeel(qw(-s nanosleep -n 5 -o - --idle-latency=5us -a), $CPUS[0]));
    SKIP: {
        skip 'real-time rights are refused here', 1 if !has_rights();    # it goes on with --best-effort
        is($status, 1, 'on the same CPU is refused');
    }
    like($err, qr/$WHAT CPU $CPUS[0]: another run does; wait until it has ended/, 'with the reason');
    is(line($run->{file}), 'n/a', 'and changes nothing');
    kill INT => $run->{pid};
    finish($run);
    is(line($run->{file}), '0', 'what was before the first run is put back');
};

subtest 'several CPUs' => sub {
    my ($root, @machine) = limited('0', limit($CPUS[0]) => 7);
    my (undef, $out) = run(no_rtc(), @machine, realfeel(qw(-s nanosleep -n 5 -o - --idle-latency=3us)));
    is(whole_report($out)->{idle_latency_us}, 3, 'without --cpu all are limited');
    is(line($root . limit($CPUS[0])), 7, 'each is as before');
    SKIP: {
        skip 'there is one CPU only', 1 if @CPUS < 2;
        (undef, $out) = run(no_rtc(), @machine, realfeel(qw(-s nanosleep -n 5 -o -)));
        like(whole_report($out)->{idle_latency_us}, qr/\ACPU $CPUS[0]: 7, CPU \S+: off\z/, 'limits of others are told, too');
    }
};

# --dma-latency, and what is held on the machine.
for (['--idle-latency=0', 'off'], ['--dma-latency=5us', 5], ['--dma-latency=off', 'off']) {
    my ($option, $held) = @$_;
    my (undef, $out) = run(no_rtc(), machine(limits('0')), realfeel(qw(-s nanosleep -n 5 -o -), $option, '--idle-latency=0'));
    is(whole_report($out)->{dma_latency_us}, $held, "$option and --idle-latency");
}

sub refused {
    my ($options, $machine, $pattern) = @_;
    my @options = (qw(-P other -s nanosleep -n 5 --idle-latency=0), @$options);
    my ($status, $out, $err) = run(no_rtc(), @$machine, program(@options, qw(-o -)));
    is("$status $out", '1 ', 'nothing is measured');
    like($err, qr/^realfeel: $WHAT $pattern, or use --best-effort$/m, 'the reason and the remedy');
    my (undef, undef, @lines) = check(no_rtc(), @$machine, program(@options, '--check'));
    like("@{[of_area('idle latency', @lines)]}", qr/\A$WHAT $pattern, or use --best-effort\z/, '--check');
    ($status, $out, $err) = run(no_rtc(), @$machine, program(@options, qw(-o - --best-effort)));
    is($status, 0, 'exit status with --best-effort');
    like($err, qr/^realfeel: warning: $WHAT $pattern$/m, 'the warning');
    return whole_report($out);
}

subtest 'a CPU without the file' => sub {
    my $report = refused(['-a', 1023], [], qr{CPU 1023: No such file or directory: \S+cpu1023/power/\S+; give --dma-latency});
    is($report->{idle_latency_us}, 'none', 'the header');
};

subtest 'no right to write it' => sub {
    plan skip_all => 'prlimit or setpriv not found: apt-get install util-linux' if (run(qw(which prlimit setpriv)))[0];
    my ($root, @machine) = limited('20');
    chmod 0444, $root . limit($CPUS[0]) or die $!;
    my @user = (@machine, unprivileged(memlock => 8 << 20));
    plan skip_all => "the machine's limit is below 8192 kB: ulimit -l" if (run(@user, 'true'))[0];
    my $report = refused(['-a', $CPUS[0]], \@user, qr/CPU $CPUS[0]: Permission denied; run .*/);
    is($report->{idle_latency_us}, 20, 'the header has what is there');
};

subtest '--check' => sub {
    my ($root, @machine) = limited('20');
    my (undef, undef, @lines) = check(no_rtc(), @machine, program(qw(-s nanosleep --check --idle-latency=3us -a), $CPUS[0]));
    is("@{[of_area('idle latency', @lines)]}", 'ok: can be limited to 3 us', 'it can be had');
    is(line($root . limit($CPUS[0])), 20, 'and is not taken');
};

done_testing;
