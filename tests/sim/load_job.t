# SPDX-License-Identifier: GPL-2.0-or-later
# Which program becomes the load: one that PATH has, or stress-ng with the job of a name or of a file, which it tries before.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path);
use Report;
use RunCommand qw(contents file_of);
use Sim;
use Test::More;

my $PACKAGING = abs_path("$FindBin::Bin/../../packaging");
my %FILES     = map { m{([^/]+)\.job$} ? ($1 => $_) : () } glob "$PACKAGING/*.job";
my @ENDLESS   = qw(-s nanosleep -f 100 -o report);
my @RUN       = (@ENDLESS, qw(-n 100));
my $ENDED     = 'complete 100, valid; load: signal 15, by the run';
my $RUNTIME   = '/proc/sys/kernel/sched_rt_runtime_us';

# A stress-ng that notes how it was called; a file named refuse is what it prints at a trial, and then it fails.
my $STRESS_NG = <<"SH";
#!/bin/sh
echo "\$*" >>calls
[ "\$1" = --dry-run ] || exec @{[(actor())[1]]} sleep=1000
if [ -e refuse ]; then while read -r line; do echo "\$line"; done <refuse; exit 1; fi
echo 'stress-ng: info:  [1] dispatching hogs: 1 cpu'
SH

sub make_program {
    my ($file, $text) = @_;
    chmod 0755, file_of($file, $text // "#!/bin/sh\n") or die $!;
}

# A run with this stress-ng, and with files by their names.
sub run_of {
    my ($options, $files, %of) = @_;
    local $ENV{PATH} = "bin:$ENV{PATH}";
    return simulate($options, %of, prepare => sub {
        mkdir 'bin' or die $!;
        make_program('bin/stress-ng', $STRESS_NG);
        file_of($_, $files->{$_}) for keys %$files;
    });
}

# What the report has of the load, and how stress-ng was called: for a trial first.
my %own = map { $_ => "run parallel\ncpu 1\n" } qw(own.job kernel);
for (
    (map { [$_, $_, "--timeout 0 --temp-path /dev/shm --job $FILES{$_}"] } sort keys %FILES),
    (map { [$_, "stress-ng --quiet --timeout 0 --job $_", "--timeout 0 --job $_"] } qw(own.job ./kernel)),
) {
    my ($load, $told, $words) = @$_;
    my $run = run_of([@RUN, "--load=$load"], \%own);
    my $report = parse_report($run->{report} // '');
    is_deeply([outcome($run), $report->{load}, contents('calls')],
        ['exit 0', $ENDED, $told, "--dry-run $words\n--quiet $words\n"], "--load=$load") or diag $run->{err};
}

# A job has no end of its own, so whoever interrupts the run ends it as meant.
is_deeply([outcome(run_of([@ENDLESS, '--load=kernel'], {}, script => ['1 INT keeper']))],
    ['exit 0', 'complete 98, valid; load: signal 15, by the run'], 'a job ends when the user interrupts it');

# One test: what --check says of the load, and how often stress-ng was called.
sub checked {
    my ($name, $load, $files, $machine, $line, $calls) = @_;
    my $run = run_of([@RUN, '--check', "--load=$load"], $files, files => $machine);
    my @calls = -e 'calls' ? split /\n/, contents('calls') : ();
    is_deeply([$run->{out} =~ /^load: (.*)$/m, scalar @calls], [$line, $calls], $name) or diag $run->{err};
}

my $NO_GUARD = "$FILES{rr} may occupy every CPU for good: nothing limits real-time processes; echo 950000 >$RUNTIME";
checked('real-time threads that are throttled', 'rr', {}, {}, "ok: $FILES{rr}", 1);
checked('real-time threads that nothing keeps off', 'rr', {}, { $RUNTIME => -1 }, $NO_GUARD, 1);
checked('ordinary threads where nothing is throttled', 'kernel', {}, { $RUNTIME => -1 }, "ok: $FILES{kernel}", 1);

my $TRIAL = "stress-ng: info:  [7] defaulting to a day\nstress-ng: info:  [7] cannot set scheduler 'rr': errno=1\n";
my $TAKES = 'stress-ng rejects ./own.job:';
my $RIGHT = "$TAKES cannot set scheduler 'rr': errno=1; raise the rtprio limit (ulimit -r) of the user who runs it, or correct it";
checked('a job that is refused', './own.job', { 'own.job' => "run parallel\nsched rr\n", refuse => $TRIAL }, {}, $RIGHT, 1);
checked('a job that is refused in silence', './own.job', { 'own.job' => "run parallel\n", refuse => '' }, {},
    "$TAKES it fails and says nothing; correct it, or give another with --load", 1);
my $run = run_of([@RUN, '--load=./own.job'], { 'own.job' => "run parallel\nsched rr\n", refuse => $TRIAL });
is_deeply([outcome($run), contents('calls')], ['exit 1', $RIGHT, "--dry-run --timeout 0 --job ./own.job\n"],
    'a job that is refused is not started');

# The folders of PATH are searched in turn: the program may be in the second, or in the current one.
for (['sub', 'sub'], ['none:sub', 'sub'], ['sub:', '.'], ['', '.'], ['none', undef]) {
    my ($path, $folder) = @$_;
    simulate(['--version']);    # loads what Perl needs before PATH has nothing
    local $ENV{PATH} = $path;
    my $run = simulate([@RUN, qw(--check -- here)],
        prepare => sub { mkdir 'sub' or die $!; make_program("$folder/here") if defined $folder });
    is(($run->{out} =~ /^load: (.*)$/m)[0], defined $folder ? 'ok' : 'start here: No such file or directory; name a program that can be '
        . 'run, after --', "PATH=$path, a load in " . ($folder // 'no folder'));
}
for my $why ('Permission denied', 'No such file or directory') {
    local $ENV{PATH} = 'bin';
    my $run = simulate([@RUN, qw(--check --load=kernel)], prepare => sub {
        mkdir 'bin' or die $!;
        chmod 0644, file_of('bin/stress-ng', $STRESS_NG) if $why =~ /Permission/;
    });
    is(($run->{out} =~ /^load: (.*)$/m)[0], "start stress-ng: $why; install it, as in apt-get install stress-ng", "stress-ng: $why");
}

# Without PATH the system's folders are searched.
{
    local $ENV{PATH};
    delete $ENV{PATH};
    is((simulate([@RUN, qw(--check -- true)])->{out} =~ /^load: (.*)$/m)[0], 'ok', 'no PATH');
}

done_testing;
