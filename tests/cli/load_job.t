# SPDX-License-Identifier: GPL-2.0-or-later
# --load: a load by its name, or a job file, is run by stress-ng. What cannot be run is refused before anything starts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path getcwd);
use FakeRoot;
use FakeRtc;
use File::Copy qw(copy);
use File::Path qw(make_path);
use Listing;
use Program;
use Report;
use RunCommand qw(run start finish contents file_of wait_until);
use Test::More;

my $PACKAGING = abs_path("$FindBin::Bin/../../packaging");
my %FILES     = map { m{([^/]+)\.job$} ? ($1 => $_) : () } glob "$PACKAGING/*.job";

# A stress-ng that notes how it was called; a file named refuse is what it says to a trial, and then it fails.
my $STRESS_NG = <<'SH';
#!/bin/sh
echo "$*" >>calls
[ "$1" = --dry-run ] || exec sleep 1000
[ ! -e refuse ] || { cat refuse >&2; exit 1; }
echo 'stress-ng: info:  [1] dispatching hogs: 1 cpu'
SH

sub program_at {
    my ($file, $text) = @_;
    file_of($file, $text);
    chmod 0755, $file or die $!;
}

# With the only stress-ng in PATH, which is searched first.
sub with_stress_ng {
    my ($name, $test) = @_;
    subtest $name => sub {
        workspace();
        mkdir 'bin' or die $!;
        program_at('bin/stress-ng', $STRESS_NG);
        local $ENV{PATH} = getcwd() . "/bin:$ENV{PATH}";
        $test->();
    };
}

# Interrupts a run when the load has noted how it was called, for a run with an end of its own may be over before that.
# Returns what finish() does.
sub interrupted {
    unlink qw(calls report);
    my $run = start(@_, qw(-s nanosleep -o report));
    wait_for_sample($run, 'report');
    wait_until(sub { contents('calls') =~ /^--quiet/m });
    kill INT => $run->{pid};
    return finish($run);
}

subtest 'list' => sub {
    my ($status, $out, $err) = run(program('--load=list'));
    is("$status $err", '0 ', 'exit status');
    my %listed = $out =~ /^(\S+) +(\S.*)$/mg;
    is_deeply([sort keys %listed], [sort keys %FILES], 'every load that ships');
    is((grep { length > 79 } split /\n/, $out), 0, 'a line on each');
    my ($help) = map { s/\n\s+/ /gr } (run(program('--help')))[1] =~ /(--load=(?:.*\n {20,})*.*)/;
    is_deeply([sort $help =~ /\b(@{[join '|', keys %FILES]})\b/g], [sort keys %FILES], '--help names them');
};

with_stress_ng 'by name and by file' => sub {
    file_of($_, "run parallel\ncpu 1\n") for qw(own.job kernel);
    my %words = (
        (map { $_ => "--timeout 0 --temp-path /dev/shm --job $FILES{$_}" } keys %FILES),
        (map { $_ => "--timeout 0 --job $_" } qw(own.job ./kernel)),
    );
    for my $given (sort keys %words) {
        my ($status, undef, $err) = interrupted(realfeel("--load=$given"));
        is($status, 0, $given) or diag $err;
        my $report = whole_report(contents('report'));
        is($report->{load}, $FILES{$given} ? $given : "stress-ng --quiet $words{$given}", 'the report says what ran');
        is($report->{load_ended_by}, 'the run', 'for as long as it');
        is(contents('calls'), "--dry-run $words{$given}\n--quiet $words{$given}\n", 'after a trial');
    }
};

# A job has no end of its own, so who interrupts the run ends it as meant.
with_stress_ng 'until interrupted' => sub {
    my ($status, undef, $err) = interrupted(realfeel('--load=kernel'));
    is($status, 0, 'exit status') or diag $err;
    is(whole_report(contents('report'))->{status}, 'complete', 'status of the report');
};

with_stress_ng 'real-time threads that nothing keeps off' => sub {
    my $runtime = '/proc/sys/kernel/sched_rt_runtime_us';
    my %well = ('/proc/sys/kernel/sched_rt_period_us' => 1000000, release => '6.1.0');
    for ([rr => 950000, 0], [rr => -1, 1], [kernel => -1, 0]) {
        my ($load, $runtime_us, $refused) = @$_;
        my @command = (fake_root(%well, $runtime => $runtime_us), program(qw(-s nanosleep --check), "--load=$load"));
        my (undef, undef, @lines) = check(@command);
        my $said = $refused ? qr{ may take every CPU for good: .*; echo 950000 >$runtime$} : qr/^ok: /;
        like("@{[of_area('load', @lines)]}", $said, "$load, where they may run $runtime_us us");
    }
};

# Nothing starts: no device is read, and there is no report.
sub refused {
    my ($line, @options) = @_;
    my ($status, undef, $err) = run(fake_rtc(log => 'log'), realfeel(qw(-n 1 -o report), @options));
    is($status, 1, "@options");
    like($err, qr/\A(?:realfeel: warning: .*\n)*realfeel: $line\n\z/, 'what it says');
    ok(!-e 'report', 'no report');
    is((grep { $_->{event} eq 'read' } events('log')), 0, 'nothing measured');
}

my $NOT_TAKEN = "stress-ng does not take ./own.job: cannot set scheduler 'rr': errno=1; "
    . "raise the rtprio limit \\(ulimit -r\\) of who runs it, or mend it";

with_stress_ng 'refused' => sub {
    refused('--load=nope: no load has that name, and no file; --load=list names .*', '--load=nope');
    refused('--load=./nope.job: no load has .*', '--load=./nope.job');
    refused("true: --load=$FILES{kernel} is the load already; leave one out", '--load=kernel', '--', 'true');
    ok(!-e 'calls', 'before stress-ng is asked');

    file_of('own.job', "run parallel\nsched rr\n");
    file_of('refuse', "stress-ng: info:  [7] defaulting to a day\nstress-ng: info:  [7] cannot set scheduler 'rr': errno=1\n");
    refused($NOT_TAKEN, '--load=./own.job');
    is(contents('calls'), "--dry-run --timeout 0 --job ./own.job\n", 'it was not started');
    my (undef, undef, @lines) = check(no_rtc(), program(qw(--check --load=./own.job)));
    like("@{[of_area('load', @lines)]}", qr/\A$NOT_TAKEN\z/, '--check finds it, too');

    file_of('refuse', '');
    file_of('own.job', "run parallel\n");
    (undef, undef, @lines) = check(no_rtc(), program(qw(--check --load=./own.job)));
    like("@{[of_area('load', @lines)]}", qr{ ./own.job: it fails and says nothing; mend it, or .*\z}, 'in silence, too');

    chmod 0644, 'bin/stress-ng' or die $!;
    local $ENV{PATH} = getcwd() . '/bin';
    for my $why ('Permission denied', 'No such file or directory') {
        (undef, undef, @lines) = check(program(qw(-s nanosleep --check --load=kernel)));
        is("@{[of_area('load', @lines)]}", "start stress-ng: $why; install it, as in apt-get install stress-ng", 'it cannot be run');
        unlink 'bin/stress-ng';
    }
};

with_stress_ng 'what is installed' => sub {
    make_path('usr/bin', 'usr/share/realfeel');
    copy((program())[0], 'usr/bin/realfeel') or die $!;
    chmod 0755, 'usr/bin/realfeel' or die $!;
    my $usr = getcwd() . '/usr';
    my (undef, $out) = run('usr/bin/realfeel', '--load=list');
    is($out, '', 'nothing');
    file_of("$usr/share/realfeel/mine.job", "# Load: of this lab\ncpu 1\n");
    (undef, $out) = run('usr/bin/realfeel', '--load=list');
    is($out, "mine    of this lab\n", 'a load that was put there');
    interrupted(qw(usr/bin/realfeel --best-effort --load=mine));
    like(contents('calls'), qr{^--quiet .* --job \Q$usr\E/share/realfeel/mine\.job$}m, 'is run');
    is(whole_report(contents('report'))->{load}, 'mine', 'wherever it is, the report has its name');
    unlink "$usr/share/realfeel/mine.job";
    rmdir "$usr/share/realfeel" or die $!;
    my ($status, undef, $err) = run('usr/bin/realfeel', '--load=list');
    is($status, 1, 'the program alone');
    is($err, "realfeel: no loads are installed: $usr/share/realfeel: No such file or directory; give a job file of stress-ng to --load\n",
        'says so');
};

done_testing;
