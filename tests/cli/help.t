# SPDX-License-Identifier: GPL-2.0-or-later
# --help, the manual page and the program name the same options.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use RunCommand;
use Test::More;

# From "  -n, --samples=N   stop after N samples": ["n samples N"]; from "--explain[=WHAT]": [" explain WHAT"].
sub options_of_help {
    return map {
        /^ {2}(?:-(\w),| {3}) --([\w-]+)(?:\[?=(\w+))?/ ? join ' ', $1 // '', $2, $3 // '' : ()
    } split /\n/, $_[0];
}

# The same from ".It Fl n , -samples Ns = Ns Ar N", in whatever order the macros stand.
sub options_of_page {
    return map {
        my $item = $_;
        my ($short) = $item =~ /Fl (\w)\b/;
        my ($long)  = $item =~ /(?<!\S)-([\w-]+)/;
        my ($value) = $item =~ /Ar (\w+)/;
        $long ? join ' ', $short // '', $long, $value // '' : ();
    } $_[0] =~ /^\.It (Fl .*)$/mg;
}

my ($status, $out, $err) = run(program('--help'));
is($status, 0, 'exit status of --help');
is($err, '', '--help writes nothing to standard error');
like($out, qr/\AUsage: realfeel \[OPTION/, '--help begins with the usage');
is((run(program('-h')))[1], $out, '-h is the same');

my @options = options_of_help($out);
ok(@options > 10, 'options were found in --help');
my @documented = options_of_page(contents("$FindBin::Bin/../../man/realfeel.8"));
is_deeply([sort @documented], [sort @options], 'realfeel(8) has the same');

my @headings = $out =~ /^ (\S.*):$/mg;
is_deeply(\@headings, ['What to measure', 'How long, and whether it passes', 'The report', 'Safety and rights'], '--help has these groups');
my ($examples) = $out =~ /^Examples:\n((?:  realfeel .*\n){4})\z/m;
ok($examples, 'four examples at its end') or diag $out;
is_deeply([grep { length > 80 } split /\n/, $out], [], 'no line is cut at 80 columns');
for my $example ($examples =~ /^  (realfeel .*?) {2,}/mg) {
    my ($load) = $example =~ / -- (.*)/;
    my @words = split ' ', $example =~ s/ -- .*//r;
    my @end = ('--usage', $load ? ('--', split ' ', $load) : ());
    is((run(program(@words[1 .. $#words], @end)))[0], 0, "the example works: $example");
}

for my $option (qw(--version -V)) {
    my ($status, $out) = run(program($option));
    is($status, 0, "exit status of $option");
    like($out, qr/\Arealfeel \d+\.\d+\S*\n\z/, "$option");
}

for my $option (qw(--help --usage --version --check)) {
    my ($status, undef, $err) = run('sh', '-c', 'exec "$@" >/dev/full', 'sh', program($option));
    is($status, 1, "$option where nothing can be written");
    like($err, qr/\Arealfeel: write to standard output: No space left on device; .*\n\z/, 'a full disk is reported');
}

done_testing;
