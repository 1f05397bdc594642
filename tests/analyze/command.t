# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: options, exit status, and the manual that says the same.
use strict;
use warnings;
use Cwd qw(getcwd);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Pod::Checker;
use Test::More;

use Analyzer;
use RunCommand;

my $root  = "$FindBin::Bin/../..";
my $small = "$FindBin::Bin/data/small.hist";

sub usage_error {
    my ($pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, @arguments);
    is("$status $out", '1 ', "@arguments: exit status, no output");
    like($err, qr/\Arealfeel-analyze: $pattern; .+\nTry 'realfeel-analyze --help'\.\n\z/, "@arguments: message");
}

subtest 'usage errors' => sub {
    usage_error('no file was given');
    usage_error('no file was given', 'stats');
    usage_error('no file was given', 'table', '--rows=cpu,nonesuch');
    usage_error('unknown option --bogus', '--bogus', $small);
    usage_error('unknown option -o', '-o', 'x.png', $small);
    usage_error('--classic and --json cannot be combined', '--classic', '--json', $small);
    usage_error('--verbose and --json cannot be combined', @$_, '-v', '--json', $small) for [], ['compare'];
    usage_error('--verbose and --classic cannot be combined', '-v', '--classic', $small);
    usage_error("there is no plot 'pie', nor a file of that name", 'plot', 'pie', $small);
    usage_error('no file was given', 'plot');
    usage_error('no file was given', 'plot', 'histogram');
    usage_error('no file was given', 'plot', 'overlay');
    usage_error('--measure is not for slices', 'plot', 'slices', '--measure=lateness', $small);
    usage_error("there is no measure 'x'", 'plot', 'histogram', '--measure=x', $small);
    usage_error('option o requires an argument', 'plot', 'histogram', $small, '-o');
    usage_error('no file was given', 'report', '-o', 'x.html');
    usage_error("'x.hist' is not the name of a page", 'report', '-o', 'x.hist', $small);
    usage_error("there is no measure 'x'", 'report', '--measure=x', $small);
    usage_error("'$_' is not a time like 250us, 90s, 12h, 7d", 'audit', "--duration=$_", $small)
        for 5, 'h', '5w', '0s', '-5s', '1e3s', '.s', '293000d', '9' x 400 . 'h';
};

subtest 'stats is the default' => sub {
    is_deeply([run($analyze, 'stats', $small)], [run($analyze, $small)], 'a file without a command has the output of stats');
    is((run($analyze, '--', $small))[0], 0, 'after --, too');
};

subtest 'output that cannot be written' => sub {
    plan skip_all => 'there is no /dev/full' unless -c '/dev/full';
    my ($status, undef, $err) = run('/bin/sh', '-c', '"$0" "$1" > /dev/full', $analyze, $small);
    is($status, 1, 'exit status');
    like($err, qr/\Arealfeel-analyze: standard output cannot be written: .*; .*\n\z/,
        'the message says that standard output cannot be written');
};

subtest 'a file that may not grow' => sub {
    my $dir = tempdir(CLEANUP => 1);
    for (['merge', 1, "$dir/out.hist", qr{\Q$dir\E/out\.hist cannot be written: .*; .*}],
            ['plot histogram', 8, "$dir/out.png", qr{\Q$dir\E/out\.png cannot be written: .*; .*}]) {
        my ($command, $blocks, $output, $complaint) = @$_;
        my ($written) = run($analyze, split(' ', $command), '-o', $output, $small);    # by the way, a cache of fonts
        is($written, 0, "$command: it can be written where it may");
        unlink $output;
        my ($status, undef, $err) = run('/bin/sh', '-c', "ulimit -f $blocks; \"\$0\" $command -o \"\$@\"", $analyze, $output, $small);
        is($status, 1, "$command: exit status");
        like($err, qr/\Arealfeel-analyze: $complaint\n\z/, "$command: message");
    }
    is_deeply([glob "$dir/* $dir/.real*"], [], 'nothing is left');
};

subtest '--version prints a version' => sub {
    like((run($analyze, '--version'))[1], qr/\Arealfeel-analyze \d+\.\d+\n\z/, 'the version follows the name of the program');
};

# The commands that the program knows, each with the names of its options.
my @pages  = glob dirname($analyze) . '/../man/*.pod';
my $manual = join '', map { contents($_) } @pages;
my ($table) = contents($analyze) =~ /^use constant COMMANDS => \{\n(.*?)^\};/ms;
my %options = map { /^\s+(\S+)\s+=> \[[^ ]+\s+'[^']*', qw\((.*)\)\],$/s ? ($1 => [map { s/=.*//r } map { split /\|/ } split ' ', $2]) : () }
    split /^(?=    \w)/m, $table;
my @kinds = split /, /, ((run($analyze, qw(plot pie)))[2] =~ /the plots are (.*)/)[0];

# As it stands in the manual, without its markup.
sub is_of_the_manual { return index($manual =~ s/[BIC]<([^<>]*)>/$1/gr =~ s/\s+/ /gr, $_[0]) >= 0 }

subtest 'help in short' => sub {
    my ($status, $help, $err) = run($analyze, '--help');
    is("$status $err", '0 ', 'exit status');
    cmp_ok(scalar(keys %options), '>', 7, 'the table of commands was read');
    cmp_ok(scalar @kinds, '>', 7, 'the kinds of plots');
    for my $name (keys %options, @kinds) {
        my ($summary) = $help =~ /^  $name {2,}(\S.{15,})$/m;
        ok(is_of_the_manual("$summary."), "$name has a line, which is the manual's");
    }
    is((grep { length > 80 } split /\n/, $help), 0, 'the help fits 80 columns');
    is_deeply([run($analyze, $small, '-h')], [0, $help, ''], '-h after a file prints the help');
};

subtest 'help of a command' => sub {
    for my $command (sort keys %options) {
        my ($status, $help, $err) = run($analyze, $command, '--help');
        is("$status $err", '0 ', "$command: exit status");
        my $called = qr/  realfeel-analyze \[?$command\b(?:(?!realfeel-analyze).)*?/s;
        my ($does) = $help =~ /\AUsage:\n$called\n\n  (\S.*?)\.\n\n/s;
        my ($explained, $examples) = $help =~ /^Options:\n(.*?)^(?:Examples:\n(.*))?For more, see realfeel-$command\(1\)/ms;
        ok(is_of_the_manual("realfeel-$command - " . lcfirst $does =~ s/\s+/ /gr),
            "$command: its usage, and what it does, as its page has it");
        my @calls = ($examples // '') =~ /^  (realfeel-analyze .*)$/mg;
        is((grep { !is_of_the_manual($_ =~ s/\s+/ /gr) } @calls), 0, "$command: examples of the manual");
        unlike($examples // '', qr/[\\|]\n(?! {6}\S)/, "$command: each to its end");
        cmp_ok($help =~ tr/\n//, '<=', 60, "$command: two screens and no more");
        my %is_explained = map { $_ => 1 } map { /(?<![-\w])-{1,2}([A-Za-z][-a-z]*)/g } $explained =~ /^  (-.*)$/mg;
        is_deeply([sort keys %is_explained], [sort @{ $options{$command} }, qw(help h version V)], "$command: its options, no others");
        is((grep { length > 80 } split /\n/, $help), 0, "$command: 80 columns");
    }
    my $help = (run($analyze, 'plot', '-h'))[1];
    like($help, qr/^  \Q$_\E {2,}\S/m, "the help names $_") for @kinds;
};

subtest 'an option or a kind of plot that there is not' => sub {
    my @is = (
        [['--jsno', $small] => 'the options are --classic, --help, --json, --verbose, --version'],
        [['plot', '-x', $small] => 'the options are --help, --measure, --output, --version'],
        [['report', '--max=1ms', $small] => 'the options are --at, --help, --measure, --output, --version'],
        [['plot', 'hitsogram', $small] => 'the plots are ' . join ', ', sort @kinds],
    );
    for (@is) {
        my ($arguments, $valid) = @$_;
        like((run($analyze, @$arguments))[2], qr/; $valid$/m, "@$arguments[0, 1]: which there are");
    }
    like((run($analyze, 'report', '--max=1ms', $small))[2], qr/^realfeel-analyze: --max is an option of judge and trend; /,
        'the commands that have the option are named');
};

subtest 'a command that there is not' => sub {
    for (qw(plto Report a vw-xy)) {
        usage_error("there is no command '$_', nor a file of that name", $_, $small);
        like((run($analyze, $_))[2], qr/; the commands are audit, compare, explain, export, .*, trend$/m, "$_: which there are");
    }
    my $folder = tempdir(CLEANUP => 1);
    copy($small, "$folder/$_") or die $! for qw(plto plot);
    my $here = getcwd();
    chdir $folder or die $!;
    is((run($analyze, 'plto'))[0], 0, 'a file of that name is read');
    is((run($analyze, './plot'))[0], 0, 'a file with the name of a command is read if its folder is named');
    chdir $here or die $!;
    like((run($analyze, 'plto.hist'))[2], qr/plto\.hist: cannot be opened: /, 'what is no word is the name of a file');
};

subtest 'experiments are made by another program' => sub {
    for (['try', '--list'], ['try', 'governor', '--', 'realfeel', '-d', '1s'], ['try', 'x-01-base.hist']) {
        is_deeply([run($analyze, @$_)], [1, '', "realfeel-analyze: try is a program of its own; call realfeel-try instead\n"], "@$_");
    }
};

subtest 'help of realfeel-try' => sub {
    my ($status, $help, $err) = run($try, '--help');
    is("$status $err", '0 ', 'exit status');
    my ($options) = contents($try) =~ /^use constant OPTIONS => qw\((.*?)\);/ms;
    my ($explained, $examples)
        = $help =~ /\AUsage:\n  realfeel-try .*^Options:\n(.*?)^Examples:\n(.*?)\n\nFor more, see realfeel-try\(1\)/ms;
    is_deeply([sort map { /(?<![-\w])-{1,2}([A-Za-z][-a-z]*)/g } $explained =~ /^  (-.*)$/mg],
        [sort qw(help h version V), map { s/=.*//r } map { split /\|/ } split ' ', $options],
            'the help explains the options of realfeel-try, no others');
    is((grep { !/^  realfeel-try / } split /\n/, $examples), 0, 'the examples call realfeel-try');
    is((grep { length > 80 } split /\n/, $help), 0, '80 columns');
    cmp_ok($help =~ tr/\n//, '<=', 80, 'the help fits 80 lines');
    my ($version) = (run($analyze, '--version'))[1] =~ / (\S+)/;
    is((run($try, '-V'))[1], "realfeel-try $version\n", 'realfeel-try has the version of the analyzer');
    like((run($try, '--blosk=1'))[2], qr/\Arealfeel-try: unknown option --blosk; .+\nTry 'realfeel-try --help'\.\n\z/,
        'a refusal names it');
};

subtest 'several reports in a file, which is compressed' => sub {
    my $folder = tempdir(CLEANUP => 1);
    mkdir "$folder/$_" or die $! for qw(separate together);
    my ($file, $one, $other) = ("$folder/together/both.hist.gz", map { "$folder/separate/both.hist.gz#$_" } 1, 2);
    copy(@$_) or die $! for ["$FindBin::Bin/data/tail.hist", $one], [$small, $other];
    is(system("cat '$one' '$other' | gzip > '$file'"), 0, 'made by cat and gzip');
    my $of_files = sub { $_[0] =~ s{\Q$folder\E/separate}{$folder/together}gr };
    for (['stats'], ['--json'], ['--classic'], ['compare'], ['merge', '--mixed'], ['plot', 'percentiles']) {
        my ($status, @said) = run($analyze, @$_, $one, $other);
        is_deeply([run($analyze, @$_, $file)], [$status, map { $of_files->($_) } @said], "@$_: as of two files");
    }
    is((run($analyze, "$file#2"))[1], $of_files->((run($analyze, $other))[1]), 'a number names one of the runs');
    is((run($analyze, qw(export --format=csv), "$file#1"))[0], 0, 'a run that its number names can be exported');
    like((run($analyze, qw(export --format=csv), $file))[2], qr/: holds 2 runs, but one is needed; choose it, as in /,
        'two runs cannot be exported together');
};

for my $file (@pages) {
    my $checker = Pod::Checker->new(-quiet => 1, -warnings => 1);
    open my $sink, '>', \my $messages;
    $checker->parse_from_file($file, $sink);
    is($checker->num_errors + $checker->num_warnings, 0, "$file: podchecker") or diag $messages;
}

subtest 'each page has its sections' => sub {
    for my $page (grep { !/statistics/ } @pages) {
        my @sections = contents($page) =~ /^=head1 (.+)$/mg;
        my %usual = map { $_ => 1 } @sections;
        is_deeply([grep { $usual{$_} } qw(NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES), 'SEE ALSO'],
            ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXAMPLES', 'SEE ALSO'], "$page has the usual sections");
    }
    is_deeply([sort map { m{/realfeel-(\w+)\.pod} } @pages], [sort keys %options, qw(analyze statistics try)], 'each command has a page');
};

done_testing;
