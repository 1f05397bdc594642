#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The architecture: which file may include which of ours. A module that is not in this table is not part of it.
use strict;
use warnings;
use Test::More;

my %may_include = (
    main                 => [
        qw(clock command_line diag explain_refusal keeper load preflight privilege report_file run setup shared source symbols sysinfo),
    ],
    options              => [qw(cells cpus)],
    command_line         => [qw(options defaults source_registry cells cpus units diag)],
    defaults             => [qw(options source_registry diag)],
    waker                => [qw(options rights sysprocess text)],
    rights               => [qw(cpus)],
    instant              => [],
    requests             => [qw(shared)],
    diag                 => [],
    units                => [],
    cells                => [qw(units)],
    ring                 => [qw(cells clock shared)],
    lmbench              => [qw(cells text totals)],
    cpus                 => [qw(text)],
    sysfile              => [],
    text                 => [],
    syscapability        => [qw(sysfile)],
    syscgroup            => [qw(sysfile)],
    sysfreezer           => [qw(syscgroup sysfile)],
    sysholder            => [qw(sysfile)],
    setup                => [qw(rights setup_cpus options cpus syscapability syscgroup sysprocess sysfile diag text)],
    setup_cpus           => [qw(cpus sysfile text)],
    preflight_findings   => [qw(preflight clock syscgroup sysfile sysinfo_preemption text trace)],
    preflight_needs      => [
        qw(preflight options report_file report_room privilege clock explain_refusal explain_trial load
            setup source_registry symbols signals diag),
    ],
    preflight            => [
        qw(clock diag options privilege report_file shared signals source symbols preflight_findings preflight_needs text),
    ],
    source               => [qw(cells options series)],
    source_registry      => [qw(source clock diag)],
    source_thread        => [qw(requests source_registry source_child clock diag waker)],
    source_ring          => [qw(source_registry source_child ring clock diag)],
    source_child         => [qw(children source privilege diag)],
    source_rtc           => [qw(source_registry clock syscapability sysholder sysfile diag)],
    source_nanosleep     => [qw(instant source_registry)],
    source_timerfd       => [qw(instant source_registry diag)],
    source_alsa          => [qw(source_registry clock sysfile diag)],
    source_deferred      => [qw(source_registry source_deferred_records clock symbols diag)],
    source_deferred_loop => [qw(sysfile)],
    source_deferred_pairs => [],
    source_deferred_records => [qw(source_deferred_pairs source_deferred_trigger trace_ring explain_refusal diag)],
    source_deferred_sqpoll  => [],
    source_deferred_trigger => [qw(source_deferred_loop source_deferred_pairs source_deferred_sqpoll diag)],
    children             => [qw(cells sysprocess clock)],
    clock                => [qw(instant sysfile tsc diag)],
    events               => [],
    explain              => [qw(explain_refusal options listener smis trace_ring)],
    explain_refusal      => [qw(cpus syscapability sysfile sysprocess text tracefs)],
    explain_trial        => [qw(clock explain)],
    lifeline             => [],
    explain_occupant     => [qw(trace_record)],
    tsc                  => [],
    hist                 => [],
    series               => [qw(hist)],
    shared               => [],
    live                 => [qw(series events recording)],
    recording            => [],
    wakelog              => [],
    listener             => [qw(recording wakelog)],
    smis                 => [qw(events sysfile)],
    channel              => [qw(cells children explain live rights shared sysprocess)],
    rest                 => [qw(clock)],
    loop                 => [qw(rest source clock channel listener smis)],
    totals               => [qw(live shared)],
    progress             => [qw(progress_line options totals)],
    progress_line        => [],
    meter                => [qw(instant explain_trial run worker lifeline setup loop sysprocess trace diag)],
    privilege            => [qw(sysfile diag)],
    trace                => [qw(tracefs sysfile text)],
    symbols              => [],
    tracefs              => [qw(sysfile)],
    tracepoint           => [],
    trace_record         => [qw(tracefs tracepoint)],
    explain_parts        => [qw(trace_record)],
    explain_reader       => [qw(explanation trace_ring wakelog)],
    explanation          => [qw(explain_parts shared totals)],
    trace_ring           => [qw(recording trace_record)],
    keeper               => [
        qw(run workers meter standby monitor report report_result report_tell report_file progress signals setup shared clock diag),
    ],
    run                  => [qw(clock load options privilege symbols sysinfo)],
    workers              => [qw(worker options clock)],
    worker               => [qw(channel explain_reader explanation lifeline progress source sysfreezer totals diag)],
    standby              => [qw(load load_reaper load_descendants privilege sysprocess clock diag)],
    load                 => [qw(cpus)],
    load_reaper          => [qw(load load_descendants privilege instant sysfile)],
    load_descendants     => [qw(sysprocess text)],
    signals              => [],
    report_result        => [qw(report report_occupant sysinfo_preemption diag)],
    report_tell          => [qw(report report_result report_table)],
    report_table         => [qw(totals)],
    report_verdict       => [qw(channel totals monitor source text)],
    report               => [
        qw(run workers report_verdict report_data report_explain report_occupant report_lines report_records
            report_ring),
    ],
    report_occupant        => [qw(explain_occupant worker)],
    report_lines         => [qw(hist)],
    report_ring          => [qw(lmbench report_lines worker)],
    report_data          => [qw(explanation report_explain report_lines totals)],
    report_explain       => [qw(explanation report_lines)],
    report_records       => [qw(report_lines symbols totals trace_ring)],
    report_file          => [qw(report_path report_draft report_stream signals diag)],
    report_room          => [qw(options totals)],
    report_path          => [qw(sysfile diag)],
    report_draft         => [qw(sysfile)],
    report_stream        => [qw(signals sysfile diag)],
    sysinfo              => [qw(sysinfo_environment sysinfo_preemption sysfile text)],
    sysinfo_environment  => [qw(sysfile sysprocess text)],
    sysinfo_preemption   => [qw(sysinfo_environment sysfile)],
    sysprocess           => [qw(sysfile)],
    monitor              => [qw(instant syscgroup sysfile sysinfo_preemption)],
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

my @modes = grep { my $path = $_; grep { /source_(?:rtc|nanosleep|timerfd|alsa|thread|ring)\b/ } lines($path) }
    grep { !m{/source} } glob 'src/*.[ch]';
is("@modes", '', 'only the registry knows the sources by name');

done_testing();
