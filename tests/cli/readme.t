# SPDX-License-Identifier: GPL-2.0-or-later
# What README shows is what the program prints, and what it tells to type works.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use RunCommand qw(contents run);
use Test::More;

my $ROOT   = abs_path("$FindBin::Bin/../..");
my $readme = contents("$ROOT/README");
$ENV{PATH} = "$ROOT:$ROOT/analyze:$ENV{PATH}";
workspace();

ok($readme =~ tr/\n// <= 90, 'README is read in a minute');

my ($printed, $table) = run("$ROOT/tests/lab/machines");
is($printed, 0, 'the table of real machines is printed');
my %figures = $table =~ /^(\S.*?) {2,}(\d.*)$/mg;
my @shown = $readme =~ /^    (\S.*?-rt) {2,}(\d.*)$/mg;
is(@shown, 2 * 3, 'README shows three machines');
while (my ($machine, $figures) = splice @shown, 0, 2) {
    is_deeply([split ' ', $figures], [map { 0 + $_ } split ' ', $figures{$machine} // ''], "$machine: as tests/lab/machines prints it");
}

# What is measured for long is measured for a moment here, with the rights that there are.
sub shorter {
    my ($command) = @_;
    $command =~ s/-n \d+/-s nanosleep -n 300/ or $command =~ s/-d \w+/-s nanosleep -d 300ms/
        or $command =~ s/(?=--break)/-s nanosleep -d 300ms /;
    $command =~ s/-a \K1\b/(allowed_cpus())[0]/e;
    $command =~ s/ --explain\b// if explain_refusal();
    return $command =~ s/^realfeel /'realfeel ' . (has_rights() ? '' : '--best-effort ')/er;
}

my ($recipes) = $readme =~ /^(CAN THIS.*)^WHAT IS A GOOD NUMBER\?/ms;
my @commands = map { /^    (realfeel\S* .*?)(?:  .*)?$/ ? $1 : () } split /\n/, $recipes;
ok(@commands >= 8, 'README has recipes');
my %may_end = ('--check' => [0, 1], 'judge' => [0, 2, 5], '--max' => [0, 2], '--break' => [0, 2]);

my $refusal = explain_refusal();
for my $command (@commands) {
    my ($option) = grep { index($command, $_) >= 0 } reverse sort keys %may_end;     # judge has --max, too
  SKIP: {
        skip $refusal, 1 if $refusal && $command =~ /^realfeel-analyze explain/;
        skip 'stress-ng is not installed', 1 if $command =~ /--load/ && (run(qw(which stress-ng)))[0];
        run(qw(cp new.hist old.hist)) if $command =~ /old\.hist/;
        run('sh', '-c', 'mkdir host && cp old.hist new.hist host') if $command =~ m{\*/};
        my ($ended, undef, $err) = run('sh', '-c', shorter($command));
        ok((grep { $_ == $ended } @{ $option ? $may_end{$option} : [0] }), $command) or diag "status $ended: $err";
    }
}

my ($remedy) = $readme =~ /^ *\* 'hog' \(rt 80\): (.*?)\n *grep/ms;
like(contents("$ROOT/analyze/lib/Realfeel/Show/Why.pm") =~ s/\\'/'/gr, qr/'\Q@{[$remedy =~ s{\s+}{ }gr]}\E'/,
    'the remedy of the first example is one of explain');

my ($measures, $looks) = $readme =~ /^    ssh root\@board \.\/(.*)\n    (.*)$/m;
is((run('sh', '-c', shorter($measures)))[0], 0, "on a target: $measures");
is((run('sh', '-c', $looks))[0], 0, "a report is read at home: $looks");
my ($result) = $readme =~ /^(    lateness .*\n(?:    .*\n)+)/m;
is($result =~ s/ us \K[ .:=+*#@-]{24}(?= )/DRAWN/r =~ s/\d+(?:\.\d+)?/N/gr =~ s/ [um]s\b/ U/gr =~ s/^    //mgr,
    "lateness  pN N U   pN N U   pN N U   max N U\nhistogram N U DRAWN N U at N s on CPU N\n"
    . "missed    N of N periods of nanosleep at N Hz\nreport    run.hist   next: realfeel-analyze run.hist\n"
    . "run       SUSPECT: the hypervisor took N U of CPU time\n",
    'the result has the form that a terminal shows');

done_testing;
