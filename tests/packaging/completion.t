#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Bash completes what the programs take: all of it, and nothing else.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Analyzer;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use RunCommand qw(run file_of);
use Test::More;

my ($script, $realfeel) = map { abs_path($_) } qw(packaging/realfeel.bash realfeel);
chdir tempdir(CLEANUP => 1) or die "chdir: $!";

my $ASK = 'source "$1"; shift; COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); "$1" "$2" "${!#}"; printf "%s\n" "${COMPREPLY[@]}"';

# What is offered for the last of the words; --option=value is three.
sub offered {
    my ($function, @words) = @_;
    my ($status, $out, $err) = run('bash', '-c', $ASK, 'bash', $script, $function, @words);
    is("$status $err", '0 ', "@words[1 .. $#words]");
    return [sort grep { length } split /\n/, $out];
}

sub of_realfeel { return offered('_realfeel', $realfeel, @_) }
sub of_try      { return offered('_realfeel_try', $try, @_) }
sub of_analyze  { return offered('_realfeel_analyze', $analyze, @_) }

# What a refusal names.
sub named {
    my @command = @_;
    my ($status, undef, $err) = run(@command);
    is($status, 1, "@command[1 .. $#command] is refused");
    my ($names) = $err =~ /^(?!.* --best-effort$).*?(?:one of|use(?! one of)) (.*)/m or return [];
    return [sort split /,? (?:or )?/, $names =~ s/\[.*?\]|:[A-Z|]+//gr];
}

# Those at the beginnings of entries, which end where two blanks are.
sub options_in { return [sort map { /(?:^|, )(--[a-z-]+=?)/g } $_[0] =~ /^ {2,6}(-\S+(?: \S+)*)/mg] }

subtest 'completion for realfeel' => sub {
    my $options = options_in((run($realfeel, '--help'))[1]);
    cmp_ok(@$options, '>', 20, 'options of --help');
    is_deeply(of_realfeel('--'), $options, 'all options');
    is_deeply([grep { !/^--/ } @{ of_realfeel('-') }], [sort((run($realfeel, '--help'))[1] =~ /^  (-\w)/mg)], 'the short ones, too');
    is_deeply(of_realfeel("--$_", '='), named($realfeel, qw(-n 1), "--$_=?"), "all of --$_") for qw(source clock policy explain);
    is_deeply(of_realfeel('--load', '='), [qw(kernel list rr)], 'names of loads');
    is_deeply(of_realfeel('-s', 'n'), [grep { /^n/ } @{ named($realfeel, qw(-n 1 -s ?)) }], 'sources that begin alike');
    is_deeply(of_realfeel('-q', '-s', ''), of_realfeel('--source', '=', ''), 'values after a short option');
    is_deeply(of_realfeel(@$_), [], 'files alone') for ['-o', ''], ['--label', '='], ['-n', '5', ''], ['-;w x', ''];
    ok((grep { $_ eq 'env' } @{ of_realfeel('-q', '--', 'en') }), 'a command is the load');
};

subtest 'completion for realfeel-analyze' => sub {
    my $help = (run($analyze, '--help'))[1];
    my ($commands, $kinds) = map { [sort $_ =~ /^  ([a-z-]+)/mg] } $help =~ /^One run:\n(.*?)^Kinds of plots:\n(.*?)^'/ms;
    is_deeply(of_analyze(''), $commands, 'all commands');
    file_of('plain.hist', '');
    is_deeply(of_analyze('pl'), ['plain.hist', 'plot'], 'commands and files that begin alike');
    is_deeply(of_analyze('plot', ''), $kinds, 'kinds of plots');
    is_deeply(of_analyze('plot', $kinds->[0], ''), [], 'files to plot');
    for my $command (@$commands) {
        my ($options) = (run($analyze, $command, '--help'))[1] =~ /^Options:\n(.*?)^(?:Examples:|For more)/ms;
        is_deeply([grep { /^--/ } @{ of_analyze($command, '-') }], options_in($options), "all options of $command");
    }
    is_deeply(of_analyze('--j'), ['--json', '--json='], 'options of stats');
    is_deeply(of_analyze($_, '--format', '='), named($analyze, $_, '--format=?', 'x'), "the formats of $_") for qw(import export);
    is_deeply(of_analyze('plot', 'overlay', '--measure', '=', ''), named($analyze, qw(plot overlay --measure=?)), 'all measures');
    is_deeply(of_analyze(@$_), [], 'files alone') for ['report', '--at', '='], ['merge', '-o', ''], ['stats', '-?', ''];
};

subtest 'completion for realfeel-try' => sub {
    my ($options) = (run($try, '--help'))[1] =~ /^Options:\n(.*)/ms;
    is_deeply([grep { /^--/ } @{ of_try('-') }], options_in($options), 'all options');
    my @experiments = (run($try, '--list'))[1] =~ /^([a-z-]+): /mg;
    cmp_ok(@experiments, '>', 10, 'many experiments');
    is_deeply(of_try(''), [sort @experiments], 'all experiments');
    is_deeply(of_try('governor', 'pree'), ['preempt-full'], 'experiments that begin alike');
    is_deeply(of_try('--settle', '='), [], 'a value that has no list');
    ok((grep { $_ eq 'env' } @{ of_try('--change=x', '--', 'en') }), 'a command is measured');
};

done_testing();
