# SPDX-License-Identifier: GPL-2.0-or-later
# What a run on two CPUs comes to: each part's status, the run's, and what is said of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use List::Util qw(max min sum0 uniq);
use POSIX qw(mkfifo);
use Program;
use Report;
use RunCommand qw(run start finish contents wait_until);
use Test::More;

my @CPUS = allowed_cpus();
plan skip_all => 'there is one CPU only' if @CPUS < 2;
my @TWO = (qw(-s nanosleep -f 1000 -a), "$CPUS[0],$CPUS[1]");

# The table on standard error: its rows, by what stands in front, without the mark of the worst.
sub table {
    my ($err) = @_;
    return map { $_->[0] => $_ } map { [split] } map { /^[> ]\s*(\d+\s+\d+ .*)$/ ? $1 : () } split /\n/, $err;
}

# What holds of every run that has ended: status, and what stands in the report and on standard error. Returns the parts.
sub ended {
    my ($wanted, $status, $text, $err) = @_;
    is($status, $wanted, 'exit status') or diag $err;
    my @parts = whole_parts($text);
    is_deeply([map { "$_->{part} of CPU $_->{cpu}" } @parts], ["1 of 2 of CPU $CPUS[0]", "2 of 2 of CPU $CPUS[1]"], 'parts');
    my %row = table($err);
    is_deeply([map { "@{$row{$_}}[1, -1]" } @CPUS[0, 1]], [map { "$_->{samples} $_->{missed}" } @parts], 'a row for each');
    my ($missed, $periods) = map { $parts[0]{$_} + $parts[1]{$_} } qw(missed periods);
    like($err, qr/^missed    $missed of $periods periods of nanosleep at 1000 Hz on 2 CPUs$/m, 'and all of them');
    my ($worst) = map { $_->[0] } sort { $b->[1] <=> $a->[1] } map { [$CPUS[$_], $parts[$_]{lateness_max_ns}] } 0, 1;
    like($err, qr/^> +\Q$worst\E /m, 'the worst is marked');
    my ($verdict) = map { my $word = $_; (grep { $_->{verdict} =~ /^$word/ } @parts) ? $word : () } qw(invalid suspect valid);
    my ($doubted) = grep { $parts[$_]{verdict} =~ /^$verdict/ } 0, 1;
    my ($cause) = $parts[$doubted]{verdict} =~ /^\w+: ([^;]*)/;
    my $shown = defined $cause ? uc($verdict) . ": (?:CPU $CPUS[$doubted]: )?\Q$cause\E.*?" : $verdict;
    my @cut = grep { $_->{status} ne 'complete' } @parts;
    my $end = !@cut ? '()' : '; ' . ($cut[0]{status} eq 'break' ? 'ended by --break' : $cut[0]{status}) . ' after (\d+\.\d) s.*';
    my ($after_s) = $err =~ /^run       $shown$end\n\z/m;
    ok(defined $after_s, 'the worst verdict, and how the run ended') or diag $err;
    cmp_ok($after_s, '>=', max(map { $_->{duration_s} } @cut) - 0.06, 'after how long') if @cut;
    return @parts;
}

# Starts one; and stops the first meter for two seconds, so that it is more than one late, once it has measured.
sub late {
    my @options = @_;
    unlink 'report';
    my $run = start(realfeel(@TWO, qw(-C 0 -o report), @options));
    wait_until(sub { has_begun($run->{pid}, 2) });
    my (undef, @meters) = children($run->{pid});
    wait_until(sub { my @samples = samples_of($run); @samples == 2 && !grep { !$_ } @samples });
    kill STOP => $meters[0];
    sleep 2;
    kill CONT => $meters[0];
    return $run;
}

# What a checkpoint has.
sub samples_of {
    my ($run) = @_;
    kill USR1 => $run->{pid};
    return -e 'report' ? contents('report') =~ /^# samples: (\d+)$/mg : ();
}

workspace();

subtest 'so many samples' => sub {
    my ($status, $out, $err) = run(realfeel(@TWO, qw(-n 300 -o -)));
    my @parts = ended(0, $status, $out, $err);
    is_deeply([map { "$_->{status} $_->{samples}" } @parts], [('complete 300') x 2], 'on each');
    for my $key (qw(command version started kernel_release kernel_version cpus_online source frequency_hz period_ns clock)) {
        is(scalar(uniq(map { $_->{$key} } @parts)), 1, "one $key");
    }
};

subtest 'so long' => sub {
    my ($status, $out, $err) = run(realfeel(@TWO, qw(-d 2s -o -)));
    my @parts = ended(0, $status, $out, $err);
    is_deeply([map { $_->{status} } @parts], [('complete') x 2], 'status');
    is_deeply([grep { !$_->{samples} } @parts], [], 'on each');
};

subtest 'quiet' => sub {
    my ($status, $out, $err) = run(realfeel(@TWO, qw(-q -n 5 -o -)));
    is("$status $err", '0 ', 'nothing is said');
    is(scalar(whole_parts($out)), 2, 'parts');
};

subtest 'through pipes' => sub {
    my ($status, $out, $err) = run('sh', '-c', '"$@" | cat', 'sh', realfeel(@TWO, qw(-n 20 -o -)));
    ended(0, $status, $out, $err);
    mkfifo('pipe', 0600) or die $!;
    my $reader = start('cat', 'pipe');
    ($status, undef, $err) = run(realfeel(@TWO, qw(-n 20 -o pipe)));
    ended(0, $status, (finish($reader))[1], $err);
    unlink 'pipe';
};

subtest 'one CPU has ended before the other' => sub {
    unlink 'report';
    my $run = start(realfeel(@TWO, qw(-C 0 -n 5000 -o report)));
    wait_until(sub { has_begun($run->{pid}, 2) });
    my (undef, @meters) = children($run->{pid});
    wait_until(sub { my @samples = samples_of($run); @samples == 2 && !grep { !$_ } @samples });
    kill STOP => $meters[0];
    wait_until(sub { samples_of($run); (contents('report') =~ /^# status: (\w+)$/mg)[1] ne 'checkpoint' });
    my @parts = whole_parts(contents('report'));
    is_deeply([map { $_->{status} } @parts], [qw(checkpoint complete)], 'a checkpoint says so');
    is($parts[1]{samples}, 5000, 'and has all its samples');
    kill CONT => $meters[0];
    my ($status, undef, $err) = finish($run);
    @parts = ended(0, $status, contents('report'), $err);
    is_deeply([map { "$_->{status} $_->{samples}" } @parts], [('complete 5000') x 2], 'at the end');
};

subtest 'one CPU was too late' => sub {
    my $run = late(qw(-n 6000 --max=1s));
    my ($status, undef, $err) = finish($run);
    my @parts = ended(2, $status, contents('report'), $err);
    my $max = $parts[1]{lateness_max_ns} > 1e9 ? 'exceeded' : 'kept';    # where the machine stands still, both are late
    is_deeply([map { $_->{max} } @parts], ['exceeded', $max], 'as its part says');
    is_deeply([map { "$_->{status} $_->{samples}" } @parts], [('complete 6000') x 2], 'both went on');
    my @late = map { sum0(map { $_->{lateness} } grep { $_->{from_us} >= 1e6 } @{ $_->{sets}{histogram} }) } @parts;
    my $most = $late[1] > $late[0] ? 1 : 0;
    like($err, qr/^limit     FAIL: counted $late[$most] of $parts[$most]{periods} periods later than 1 s on CPU $CPUS[$most]$/m, 'told');
};

subtest 'one CPU was too late, and ends the run' => sub {
    my $run = late(qw(-d 1h --break=1s));
    my ($status, undef, $err) = finish($run);
    my @parts = ended(2, $status, contents('report'), $err);
    is_deeply([map { $_->{status} } @parts], [qw(break break)], 'on all');
    ok(length $parts[0]{trace}, 'what became of the trace stands in its part');
    ok(!exists $parts[1]{trace}, 'and in no other');
    like($err, qr/^break     ended at the first above 1 s   trace: \Q$parts[0]{trace}\E$/m, 'told');
};

subtest 'interrupted' => sub {
    my $run = start(realfeel(@TWO, qw(-F -n 1000000 -o report)));
    wait_until(sub { has_begun($run->{pid}, 2) });
    unlink 'report';
    wait_until(sub { my @samples = samples_of($run); @samples == 2 && !grep { !$_ } @samples });
    is_deeply([map { $_->{status} } whole_parts(contents('report'))], [qw(checkpoint checkpoint)], 'after a checkpoint of all');
    kill INT => $run->{pid};
    my ($status, undef, $err) = finish($run);
    my @parts = ended(3, $status, contents('report'), $err);
    is_deeply([map { $_->{status} } @parts], [qw(interrupted interrupted)], 'status');
};

subtest 'best effort' => sub {
    chmod 0777, '.';
    my ($status, $out, $err) = run(unprivileged(rtprio => 0, memlock => 0), program(@TWO, qw(-n 20 -o - --best-effort)));
    my @parts = ended(0, $status, $out, $err);
    is_deeply([grep { $_->{verdict} !~ /^invalid: not real-time: / } @parts], [], 'every verdict says so');
    ($status, $out, $err) = run(unprivileged(rtprio => 0, memlock => 0), program(@TWO, qw(-n 20 -o -)));
    is("$status $out", '1 ', 'else there is no run');
    my @refused = (is_sanitized() ? () : 'lock memory', 'take SCHED_FIFO');
    is_deeply([said($err) =~ /^realfeel: (take SCHED_FIFO|lock memory)/mg], \@refused, 'each is refused once');
};

# It runs on the CPU that is left, where that is only one, but is not bound to it.
subtest 'best effort on a CPU that is not there' => sub {
    my @here = (qw(taskset -c), "$CPUS[0],$CPUS[1]");
    plan skip_all => 'taskset not found: apt-get install util-linux' if (run(qw(which taskset)))[0];
    my ($status, $out) = run(@here, program(qw(-s nanosleep -f 1000 -n 20 -o - --best-effort -a), "$CPUS[0],1022,1023"));
    my @parts = whole_parts($out);
    is($status, 0, 'exit status');
    is_deeply([map { $_->{cpu} } @parts], [$CPUS[0], ("any ($CPUS[1])") x 2], 'where each may run');
    like($parts[$_]{verdict}, qr/^invalid: .*bind to CPU 102[23]: Invalid argument/, "the verdict of part @{[$_ + 1]}") for 1, 2;
};

# Until when the meters slept, in the period: each by itself.
sub sleeps {
    my ($period_ns) = @_;
    my %sleeps;
    for (split /\n/, contents('sleeps')) {
        my ($pid, $ns) = split;
        push @{$sleeps{$pid}}, $ns % $period_ns;
    }
    return map { [uniq(@{$sleeps{$_}})] } keys %sleeps;
}

for my $phases (qw(spread aligned)) {
    subtest "phases: $phases" => sub {
        unlink 'sleeps';
        my @options = $phases eq 'aligned' ? '--aligned' : ();
        my ($status, $out) = run(fake_root(SLEEPS => 'sleeps'), realfeel(@TWO, @options, qw(-f 300 -n 50 -o -)));
        my @parts = whole_parts($out);
        my $period = $parts[0]{period_ns};
        is($period, 3333333, 'a period that is no round number');
        my @due = sleeps($period);
        is_deeply([map { scalar @$_ } @due], [1, 1], 'each wakes at one time in the period');
        # Whichever was forked first: the numbers of processes may have begun again in between.
        my $apart = min(map { $_ % $period } $due[1][0] - $due[0][0], $due[0][0] - $due[1][0]);
        is($apart, $parts[1]{phase_ns}, 'apart by the phase');
        is($parts[1]{phase_ns}, $phases eq 'aligned' ? 0 : 1666666, 'which is that');
    };
}

done_testing;
