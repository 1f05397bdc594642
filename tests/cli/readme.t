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
my $lab    = contents("$ROOT/tests/lab/README");
$ENV{PATH} = "$ROOT:$ROOT/analyze:$ENV{PATH}";
workspace();

ok($readme =~ tr/\n// <= 100, 'README is read in a minute');

my %name = (none => 'preemption none', voluntary => 'preemption voluntary', full => 'preemption full', rt => 'PREEMPT_RT');
for my $kernel (sort keys %name) {
    my ($row) = $lab =~ /^ *$kernel: Linux .*\n(?:     .*\n)*?     loaded nanosleep (.*)$/m;
    my @cells = split ' ', $row =~ s/ [\d.]+-[\d.]+(?= |$)/ /gr;
    my ($shown) = $readme =~ /^ *\Q$name{$kernel}\E +(\d.*)$/m;
    is_deeply([split ' ', $shown], [@cells[-4 .. -1]], "$name{$kernel}: as in the laboratory");
}

my ($printed, $machines) = run("$ROOT/tests/lab/machines");
is($printed, 0, 'the table of real machines is printed');
my @machines = $machines =~ /^(\S.*?) {2,}(\d.*)$/mg;
ok(@machines >= 2 * 5, 'the table has five machines');
while (my ($machine, $figures) = splice @machines, 0, 2) {
    my ($shown) = $readme =~ /^ *\Q$machine\E +(\d.*)$/m;
    is_deeply([map { 0 + $_ } split ' ', $shown], [map { 0 + $_ } split ' ', $figures], "$machine: as it is printed");
}
my ($skipped) = $readme =~ /^ *(\d+) skipped periods/m;
like((run(qw(realfeel-analyze audit --period=200us --duration=2h), glob "$ROOT/tests/analyze/data/foreign/*rpi3b.log"))[1],
    qr/^  At least $skipped periods passed/m, 'README has the periods that were skipped');

# What is measured for long is measured for a moment here, with the rights that there are.
sub shorter {
    my ($command) = @_;
    $command =~ s/-n \d+/-s nanosleep -n 300/ or $command =~ s/-d \w+/-s nanosleep -d 1s/
        or $command =~ s/(?=--break)/-s nanosleep -d 1s /;
    $command =~ s/-a \K1\b/(allowed_cpus())[0]/e;
    return $command =~ s/^realfeel /'realfeel ' . (has_rights() ? '' : '--best-effort ')/er;
}

my ($recipes) = $readme =~ /^USE IT.*\n\n((?:    .*\n)+)/m;
my @commands = map { /^    (realfeel\S* .*?)(?:  .*)?$/ ? $1 : () } split /\n/, $recipes;
ok(@commands >= 7, 'README has recipes');
my %may_end = ('--check' => [0, 1], 'judge' => [0, 2, 5], '--max' => [0, 2], '--break' => [0, 2]);

for my $command (map { my $one = $_; $one =~ /-o old/ ? ($one, $one =~ s/old/new/r) : $one } @commands) {
    my ($option) = grep { index($command, $_) >= 0 } reverse sort keys %may_end;     # judge has --max, too
  SKIP: {
        my $refusal = $command =~ /explain/ ? explain_refusal() : '';
        skip $refusal, 1 if $refusal;
        skip 'stress-ng is not installed', 1 if $command =~ /--load|run\.hist/ && (run(qw(which stress-ng)))[0];
        run('sh', '-c', 'mkdir host && cp old.hist new.hist host') if $command =~ m{\*/};
        my ($ended, undef, $err) = run('sh', '-c', shorter($command));
        ok((grep { $_ == $ended } @{ $option ? $may_end{$option} : [0] }), $command) or diag "status $ended: $err";
    }
}

my ($measures, $looks) = $readme =~ /^    ssh root\@board \.\/(.*)\n    (.*)$/m;
is((run('sh', '-c', shorter($measures)))[0], 0, "on a target: $measures");
is((run('sh', '-c', $looks))[0], 0, "a report is read at home: $looks");
my ($limit) = $readme =~ /(--max=\S+\@\S+)$/m;
is((run(program($limit, '--usage')))[0], 0, $limit);

my ($result) = $readme =~ /^(    lateness .*\n(?:    .*\n)+)/m;
is($result =~ s/ us \K[ .:=+*#@-]{24}(?= )/DRAWN/r =~ s/\d+(?:\.\d+)?/N/gr =~ s/ [um]s\b/ U/gr =~ s/^    //mgr,
    "lateness  pN N U   pN N U   pN N U   max N U\n          N U DRAWN N U at N s on CPU N\n"
    . "missed    N of N periods of nanosleep at N Hz\nreport    run.hist   next: realfeel-analyze run.hist\n"
    . "run       SUSPECT: the hypervisor took N U of CPU time\n",
    'the result has the form that a terminal shows');

done_testing;
