#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What the static analysers of the C compiler and of cppcheck find: nothing.
use strict;
use warnings;
use Test::More;

my @defines = ('-D_GNU_SOURCE', '-DVERSION="0"', '-Isrc');

sub output_of {
    my @command = @_;
    open my $pipe, '-|', @command or return undef;
    local $/;
    my $output = <$pipe> // '';
    return close $pipe ? $output : $output || "exit status $?";
}

sub have { my ($command) = @_; return !system "command -v $command >/dev/null 2>&1" }

sub without {
    my ($command) = @_;
    return fail("$command is installed, as CI needs it") if $ENV{CI};
  SKIP: { skip "$command is not installed", 1 }
}

my $compiler = $ENV{CC} || 'cc';
if (`$compiler --version` =~ /Free Software Foundation/) {
    for my $path (sort glob 'src/*.c src/*/*.c') {
        is(output_of('sh', '-c', 'exec 2>&1; exec "$@"', 'sh', $compiler, '-std=gnu11', '-O2',
                     '-Wall', '-Wextra', '-fanalyzer', @defines, '-c', '-o', '/dev/null', $path),
           '', "-fanalyzer is content with $path");
    }
}
else {
    without('gcc');
}

# The kernel's structures that are declared there have members for which there is no use here.
if (have('cppcheck')) {
    is(output_of('sh', '-c', 'exec 2>&1; exec "$@"', 'sh', qw(cppcheck -q --std=c11),
                 '--enable=warning,performance,portability,style', '--error-exitcode=1', @defines,
                 '--suppress=unusedStructMember:src/source/deferred_*',
                 'src', 'tests/unit'),
       '', 'cppcheck is content');
}
else {
    without('cppcheck');
}

done_testing();
