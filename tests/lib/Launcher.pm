# SPDX-License-Identifier: GPL-2.0-or-later
package Launcher;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(launch);

use Built qw(built);
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use RunCommand qw(contents);

# What RunCommand::run() does, for those that run a thousand programs: another process starts them, tests/lib/launcher.c.

my $test = $$;
my $folder = tempdir(CLEANUP => 1);
my $launcher = open2(my $answers, my $requests, built('launcher'));

# It is waited for, so that what it took is counted.
END {
    local $?;
    close $requests and waitpid $launcher, 0 if $$ == $test;
}

# Runs a command, without a shell, and returns its exit status (128 + N for signal N), standard output and standard error.
sub launch {
    my @command = @_;
    my @files = map { "$folder/$_" } qw(out err);
    my $request = pack '(Z*)*', getcwd(), @files, scalar @command, @command, map { "$_=$ENV{$_}" } keys %ENV;
    syswrite $requests, pack 'L/a*', $request;
    my $ready = '';
    vec($ready, fileno $answers, 1) = 1;
    select $ready, undef, undef, RunCommand::PATIENCE_S or die "still running after @{[RunCommand::PATIENCE_S]} s: @command\n";
    sysread $answers, my $answer, 4 or die "the launcher has ended: @command\n";
    my $status = unpack 'l', $answer;
    return ($status & 127 ? 128 + ($status & 127) : $status >> 8, map { contents($_) } @files);
}

1;
