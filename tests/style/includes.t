#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The architecture: which file may include which of ours. A module that is not in this table is not part of it.
use strict;
use warnings;
use Test::More;

my %may_include = (
    main             => [
        qw(check clock diag keeper ledger load meter options output privilege report setup share signals source status sysinfo witness),
    ],
    options          => [qw(units diag)],
    diag             => [],
    units            => [],
    sysfile          => [],
    text             => [],
    capability       => [qw(sysfile)],
    cgroup           => [qw(sysfile)],
    freezer          => [qw(cgroup sysfile)],
    holder           => [qw(sysfile)],
    setup            => [qw(capability cgroup standing sysfile units diag text)],
    flaw             => [qw(options source cgroup sysfile trace)],
    check            => [qw(options output privilege clock setup explain source flaw signals diag text)],
    source           => [qw(diag)],
    source_rtc       => [qw(source capability holder sysfile diag)],
    source_nanosleep => [qw(source diag)],
    source_timerfd   => [qw(source diag)],
    clock            => [qw(tsc diag)],
    cpu              => [],
    events           => [],
    explain          => [qw(events clock diag)],
    tsc              => [],
    hist             => [],
    share            => [qw(hist events standing witness)],
    loop             => [qw(source clock share events explain cpu)],
    ledger           => [qw(hist)],
    status           => [qw(ledger)],
    schedule         => [qw(ledger)],
    meter            => [qw(setup source clock share standing loop trace privilege diag)],
    privilege        => [qw(diag)],
    trace            => [qw(text)],
    keeper           => [
        qw(clock freezer share ledger report output result standing status source privilege load signals sysinfo witness diag),
    ],
    load             => [qw(clock privilege warden offspring diag)],
    warden           => [qw(clock load offspring sysfile privilege)],
    offspring        => [],
    signals          => [],
    result           => [qw(share ledger report schedule verdict witness diag text)],
    verdict          => [qw(share ledger witness text)],
    report           => [qw(load options sysinfo source clock ledger events hist)],
    output           => [qw(place draft diag)],
    place            => [qw(diag)],
    draft            => [],
    sysinfo          => [qw(environment preemption sysfile text)],
    environment      => [qw(sysfile text)],
    preemption       => [qw(environment sysfile)],
    standing         => [],
    witness          => [qw(sysfile text)],
);

sub stem { my ($path) = @_; return $path =~ m{([^/]+)\.[ch]$} ? $1 : die "$path is no C file" }

sub lines { my ($path) = @_; open my $file, '<', $path or die "$path: $!"; return <$file> }

sub included { my ($path) = @_; return map { /^#include "(.+)\.h"/ ? $1 : () } lines($path) }

for my $path (sort glob 'src/*.[ch]') {
    my $module = stem($path);
    my %allowed = map { $_ => 1 } $module, @{ $may_include{$module} // [] };
    my @wrong = grep { !$allowed{$_} } included($path);
    ok($may_include{$module}, "$path is in the table");
    is("@wrong", '', "$path includes only what it may");
}

for my $module (sort keys %may_include) {
    ok(scalar(() = glob "src/$module.[ch]"), "$module of the table exists");
}

my @main = lines('src/main.c');
my ($start) = grep { $main[$_] =~ /^int main/ } 0 .. $#main;
my ($end) = grep { $_ > $start && $main[$_] =~ /^}/ } 0 .. $#main;
cmp_ok($end - $start, '<=', 60, 'main fits on a screen');

my @assembly = grep { my $path = $_; grep { /__asm__|\basm\b/ } lines($path) } glob 'src/*.[ch]';
is("@assembly", 'src/tsc.h', 'all assembly is in one header');

my @modes = grep { my $path = $_; grep { /source_(?:rtc|nanosleep|timerfd)\b/ } lines($path) }
    grep { !m{/source} } glob 'src/*.[ch]';
is("@modes", '', 'only the registry knows the sources by name');

done_testing();
