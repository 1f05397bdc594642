# SPDX-License-Identifier: GPL-2.0-or-later
package RunCommand;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT    = qw(run contents file_of);
our @EXPORT_OK = qw(start finish wait_until beside abandon);

use File::Temp qw(tempdir);
use POSIX qw(_exit);
use Test::Builder;
use Time::HiRes qw(sleep time);

use constant PATIENCE_S => 300;   # only to end what hangs

my @SIGNALS = qw(HUP INT QUIT TERM);
my $test = $$;
my %running;    # the process groups of runs that are not finished
my $folder = tempdir(CLEANUP => 1);    # what runs print, in numbered files: to draw names would change a test
my $runs = 0;
# By paths: a function of the path, whose result, if any, is called with the arguments in place of exec. What is called
# here is so in this process, and what is forked in one of its own.
our (%here, %forked);

# The names of tests are the same in each run: they have no temporary folder.
my $ok = Test::Builder->can('ok');
no warnings 'redefine';
*Test::Builder::ok = sub {
    my ($builder, $passes, $name) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return $builder->$ok($passes, defined $name ? $name =~ s{(?:/tmp|/dev/shm)(?:/\w{10}\b)+}{TMP}gr : $name);
};
use warnings;

# A test that is interrupted ends as others do: what it runs ends with it, and its files are removed.
$SIG{$_} = sub { exit 1 } for @SIGNALS;
END { abandon() if $$ == $test }

# Runs a command, without a shell, and returns its exit status (128 + N for signal N), standard output and standard error.
sub run {
    my ($program, @arguments) = @_;
    my $function = $here{$program} && $here{$program}->($program);
    return $function ? called($function, @arguments) : finish(start(@_));
}

# The same of a function. What it draws by chance leaves what the test draws as it is.
sub called {
    my ($function, @arguments) = @_;
    my %stream = (out => \*STDOUT, err => \*STDERR);
    my $drawn = rand 2**32;
    my %kept;
    for (keys %stream) {
        open $kept{$_}, '>&', $stream{$_} or die $!;
        open $stream{$_}, '>', "$folder/$_" or die $!;
    }
    my $status = eval { $function->(@arguments) } // do { warn $@; 255 };
    for (keys %stream) { open $stream{$_}, '>&', $kept{$_} or die $! }
    srand $drawn;
    return ($status || 0, map { contents("$folder/$_") } qw(out err));
}

# Starts a command; finish() takes what this returns. The command's process is $run->{pid}.
sub start {
    my @command = @_;
    my $name = "$folder/$$-" . ++$runs;
    my $run = {command => "@command", map { $_ => file_of("$name.$_", '') } qw(out err)};
    local $^F = 255;    # the command and all that it starts inherit $alive, so its end is theirs
    pipe $run->{ended}, my $alive or die "pipe: $!";
    my $function = $forked{$command[0]} && $forked{$command[0]}->($command[0]);
    $run->{pid} = fork // die "fork: $!";
    $running{$run->{pid}} = 1 if $run->{pid};
    return $run if $run->{pid};

    setpgrp;
    $^F = 2;    # a function opens files as a program does
    $SIG{$_} = 'DEFAULT' for @SIGNALS;    # even where these tests are run in the background
    open STDIN, '<', '/dev/null' or die $!;
    open STDOUT, '>', $run->{out} or die $!;
    open STDERR, '>', $run->{err} or die $!;
    _exit(eval { $function->(@command[1 .. $#command]) } // do { warn $@; 255 }) if $function;
    exec { $command[0] } @command or _exit(127);
}

# Waits until the command and every process that it started have ended, and returns what run() does.
sub finish {
    my ($run) = @_;
    my $ready = '';
    vec($ready, fileno $run->{ended}, 1) = 1;
    select $ready, undef, undef, PATIENCE_S or die "still running after @{[PATIENCE_S]} s: $run->{command}\n";
    waitpid $run->{pid}, 0;
    delete $running{$run->{pid}};
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    my @printed = map { contents($_) } @$run{qw(out err)};
    unlink @$run{qw(out err)};
    return ($status, @printed);
}

# Kills what start() has started and nobody has waited for.
sub abandon {
    kill KILL => map { -$_ } keys %running;
    %running = ();
}

# Waits until the function returns something true.
sub wait_until {
    my ($function) = @_;
    my $deadline = time + PATIENCE_S;
    until ($function->()) {
        die "what was waited for did not come about in @{[PATIENCE_S]} s\n" if time > $deadline;
        sleep 0.01;
    }
}

# Calls the first function again and again, in another process, while the second one runs.
sub beside {
    my ($again, $function) = @_;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        $again->() while getppid == $test;
        _exit(0);
    }
    $function->();
    kill KILL => $pid;
    waitpid $pid, 0;
}

# The bytes of a file.
sub contents {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!";
    local $/;
    return <$in> // '';
}

# Writes a file of these bytes and returns its path.
sub file_of {
    my ($path, $bytes) = @_;
    open my $out, '>:raw', $path or die "$path: $!";
    print {$out} $bytes;
    close $out or die "$path: $!";
    return $path;
}

1;
