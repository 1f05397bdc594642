# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: options, exit status, and the manual that says the same.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Pod::Checker;
use Test::More;

use RunCommand;

my $root    = "$FindBin::Bin/../..";
my $analyze = "$root/analyze/realfeel-analyze";
my $small   = "$FindBin::Bin/data/small.hist";

sub usage_error {
    my ($pattern, @arguments) = @_;
    my ($status, $out, $err) = run($analyze, @arguments);
    is("$status $out", '1 ', "@arguments: exit status, no output");
    like($err, qr/\Arealfeel-analyze: $pattern; .+\nTry 'realfeel-analyze --help'\.\n\z/, "@arguments: message");
}

subtest 'usage errors' => sub {
    usage_error('no file is named');
    usage_error('no file is named', 'stats');
    usage_error('unknown option: bogus', '--bogus', $small);
    usage_error('unknown option: o', '-o', 'x.png', $small);
    usage_error('--classic and --json exclude each other', '--classic', '--json', $small);
    usage_error('no kind of plot is named', 'plot');
    usage_error("there is no plot 'pie'", 'plot', 'pie', $small);
    usage_error('no file is named', 'plot', 'histogram');
    usage_error('no file is named', 'plot', 'overlay');
    usage_error('--measure is not for slices', 'plot', 'slices', '--measure=lateness', $small);
    usage_error("there is no measure 'x'", 'plot', 'histogram', '--measure=x', $small);
    usage_error('option o requires an argument', 'plot', 'histogram', $small, '-o');
    usage_error('no file is named', 'report', '-o', 'x.html');
    usage_error("'x.hist' is no name of a page", 'report', '-o', 'x.hist', $small);
    usage_error("there is no measure 'x'", 'report', '--measure=x', $small);
    usage_error('no file is named', 'tail');
    usage_error("there is no measure 'x'", 'tail', '--measure=x', $small);
    usage_error('--periods and --duration exclude each other', 'tail', '--periods=5', '--duration=5s', $small);
    usage_error("'$_' is not a whole number of 1 or more", 'tail', "--periods=$_", $small) for 0, -1, '1e9', 1.5, '9' x 19, 'x';
    usage_error("'0' is not a whole number of 1 or more", 'tail', '--seed=0', $small);
    usage_error("'$_' is not a time like 250us, 90s, 12h", 'tail', "--duration=$_", $small)
        for 5, 'h', '5d', '0s', '-5s', '1e3s', '9' x 400 . 'h';
};

subtest 'stats is the default' => sub {
    is_deeply([run($analyze, 'stats', $small)], [run($analyze, $small)], 'the same output');
    is((run($analyze, '--', $small))[0], 0, 'after --, too');
};

subtest 'output that cannot be written' => sub {
    plan skip_all => 'there is no /dev/full' unless -c '/dev/full';
    my ($status, undef, $err) = run('/bin/sh', '-c', '"$0" "$1" > /dev/full', $analyze, $small);
    is($status, 1, 'exit status');
    like($err, qr/\Arealfeel-analyze: standard output cannot be written: .*; .*\n\z/, 'message');
};

subtest 'version' => sub {
    my ($version) = contents("$root/Makefile") =~ /^VERSION\s*=\s*(\S+)/m;
    is_deeply([run($analyze, '--version')], [0, "realfeel-analyze $version\n", ''], 'that of the Makefile');
};

subtest 'help' => sub {
    my ($status, $help, $err) = run($analyze, '--help');
    is("$status $err", '0 ', 'exit status');
    like($help, qr/^Usage:\n.*plot KIND/ms, 'the synopsis');
    my ($kinds) = (run($analyze, 'plot'))[2] =~ /name one of (.*)/;
    cmp_ok(scalar(split ' ', $kinds), '>', 7, 'the kinds of plots');
    like(contents($analyze), qr/^=item B<\Q$_\E>$/m, "$_ is described") for split ' ', $kinds;
    is((run($analyze, 'plot', '--help'))[1], $help, 'also after a command');

    # The options that the program parses, each with all its names.
    my ($commands) = contents($analyze) =~ /^use constant COMMANDS => \{\n(.*?)^\};/ms;
    my @specs = ('help|h', 'version|V', map { split } $commands =~ /qw\(([^)]*)\)/g);
    my %is_name = map { $_ => 1 } map { s/=.*//r } map { split /\|/ } @specs;
    my @names = sort keys %is_name;
    cmp_ok(scalar @names, '>', 9, 'the options that are parsed');
    like($help, qr/(?<![-\w])-{1,2}$_\b/, "$_ is explained") for @names;
};

my @pods = ($analyze, glob "$root/analyze/lib/Realfeel/*.pm $root/analyze/lib/Realfeel/*/*.pm");
for my $file (@pods) {
    my $checker = Pod::Checker->new(-quiet => 1, -warnings => 1);
    open my $sink, '>', \my $messages;
    $checker->parse_from_file($file, $sink);
    is($checker->num_errors + $checker->num_warnings, 0, "$file: podchecker") or diag $messages;
}

for my $module (grep { /\.pm$/ } @pods) {
    my $text = contents($module);
    my %described = map { $_ => 1 } $text =~ /^=head2 (\w+)/mg;
    my @public = grep { !/^_/ } $text =~ /^sub (\w+)/mg;
    is_deeply([grep { !$described{$_} } @public], [], "$module: each public function is described");
}

subtest 'the manual has its sections' => sub {
    my @sections = contents($analyze) =~ /^=head1 (.+)$/mg;
    is_deeply(\@sections,
        ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXIT STATUS', 'EXAMPLES', 'DIAGNOSTICS', 'SEE ALSO'], 'in order');
};

done_testing;
