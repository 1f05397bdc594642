# SPDX-License-Identifier: GPL-2.0-or-later
# Files of other programs that were damaged at random: a clear error, or a whole report, which every verb takes. Never a
# warning, nor more than ten seconds or 500 MB.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use IO::Uncompress::Gunzip qw(gunzip);
use List::Util qw(sum0);
use Test::More import => [qw(cmp_ok diag done_testing is is_deeply)];
use Time::HiRes qw(setitimer ITIMER_PROF);

use Realfeel::Draw::Plot;
use Realfeel::Model::Report;
use Realfeel::Output::Export;
use Analyzer;
use RunCommand;
use Seed;

use constant { CPU_S => 10, MEMORY_KB => 500_000, DRAWN => 1 / 50 };

do($0 = $analyze) or die $@ || "$analyze: $!";

my $dir = tempdir(CLEANUP => 1);
srand 1;
my %FORMAT = (json => 'rt-tests', hist => 'cyclictest', log => 'cyclictest', txt => 'cyclictest');
my @files = (map({ [format_of($_), plain($_)] } grep { !/README/ } glob "$FindBin::Bin/data/{import,foreign,wild}/*"),
    [values => join '', map { int(rand 1e5) / 100 . "\n" } 1 .. 200], [values => join '', map { "$_.5 " . rand(90) . "\n" } 1 .. 99]);

sub format_of {
    my ($file) = @_;
    return $file =~ /csv$/ ? 'values' : '' if $file =~ m{/wild/};      # their first lines tell
    my ($name, $extension) = $file =~ s/\.gz$//r =~ m{([^/]+)\.(\w+)$};
    return $name =~ /^rtla/ ? 'rtla' : $FORMAT{$extension};
}

sub plain {
    my ($file) = @_;
    my $bytes = contents($file);
    return $bytes unless $file =~ /\.gz$/;
    gunzip(\$bytes => \my $text) or die $file;
    return $text;
}

my @ODD = ('null', '"x"', '{}', '[]', '-1', '0', '000', '1e30', '1.5', 'true', '-', 'inf', 'nan', '', '9' x 19, '9' x 400, "\n", "\0",
    "\xff", "\xc2\x9b", "\e[2J", '# Histogram', 'over:');

my @MUTATE = (
    sub { substr $_, rand length, 1, $ODD[rand @ODD] },
    sub { substr $_, rand length, 1 + rand 20, '' },
    sub { my @n; push @n, pos while /\d/g; substr $_, $n[rand @n] - 1, 1, int rand 10 if @n },
    \&change_number,
    sub { my @lines = split /^/; splice @lines, rand @lines, 1; $_ = join '', @lines },
    sub { my @lines = split /^/; my $i = int rand @lines; splice @lines, $i, 0, $lines[$i]; $_ = join '', @lines },
    sub { $_ = substr $_, 0, rand length },
    sub { my $other = $files[rand @files][1]; substr $_, rand length, 0, substr $other, rand length $other, rand 300 },
);

sub change_number {
    my @numbers;
    push @numbers, [$-[0], $+[0] - $-[0]] while /\b\d+(?:\.\d+)?\b/g;
    my $number = $numbers[rand @numbers] or return;
    substr $_, $number->[0], $number->[1], $ODD[rand @ODD];
}

# Each takes a report; what is refused must have a reason.
my @small = map { "$FindBin::Bin/data/$_.hist" } qw(small low-latency-2.4.17);
my @VERBS = (['stats'], ['-v'], ['--json'], ['--classic'], ['explain'], ['trend'], ['trend', '--json'],
    (map { ['compare', $_] } @small), ['compare', '--json', $small[0]],
    ['table', '--show=mean,p99,missed'], ['table', '--csv'], ['merge'], ['merge', '--pool', '--period=1ms'],
    map { ['export', "--format=$_"] } Realfeel::Output::Export::formats());

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };
local $SIG{PROF} = sub { die "it hangs\n" };

# What gnuplot draws takes long, so that few are drawn, and each in a process of its own.
my @drawn = ((map { ['plot', $_] } Realfeel::Draw::Plot::kinds()), ['report', '-o', "$dir/page.html"]);

sub drawn {
    my ($report) = @_;
    my @arguments = (@{ $drawn[rand @drawn] }, $report);
    my ($status, undef, $err) = run('sh', '-c', 'ulimit -t ' . CPU_S . '; exec "$@"', 'sh', $analyze, @arguments);
    my @strange = grep { !/\Arealfeel-analyze: [^\n]+\z/ || / at \S+ line \d+\.$/ } split /\n/, $err;
    return map { "@arguments: $_" } $status > 1 ? "status $status" : (), @strange;
}

# The exit status and the two streams of the program, in this process, and what is wrong about them.
sub called {
    my @arguments = @_;
    my ($out, $err, $status) = ('', '');
    {
        local (*STDOUT, *STDERR);
        open STDOUT, '>', \$out or die $!;
        open STDERR, '>', \$err or die $!;
        setitimer(ITIMER_PROF, CPU_S);
        $status = eval { main(@arguments) } // "died: $@";
        setitimer(ITIMER_PROF, 0);
    }
    my @strange = grep { !/\Arealfeel-analyze: [^\n]+\z/ || / at \S+ line \d+\.$/ || /it hangs/ } split /\n/, $err;
    return ($status, $out, map { "@arguments: $_" } $status =~ /^[01]$/ ? () : $status, $status && $err eq '' ? 'no reason' : (),
        @strange, splice @warnings);
}

# What is wrong with an imported report, and with what some of the verbs make of it.
sub faults {
    my ($report) = @_;
    my @reports = eval { Realfeel::Model::Report->read_all($report) } or return $@;
    my @faults = map {
        my ($samples, $histogram) = ($_->header('samples'), $_->columns('histogram'));
        my $sum = sum0(map { @$_ } grep { defined } @$histogram{qw(lateness wakeup)});
        $sum == $samples ? () : "$samples samples, $sum in bins";
    } @reports;
    push @faults, drawn($report) if rand() < DRAWN;
    return (@faults, map { my (undef, undef, @more) = called(@{ $VERBS[rand @VERBS] }, $report); @more } 1 .. 3);
}

sub most_kb { return contents('/proc/self/status') =~ /^VmHWM:\s*(\d+)/m ? $1 : 0 }

my (@wrong, %count);
my @cases = cases(60, 600);
for my $case (@cases) {
    srand $case;
    (my $format, local $_) = @{ $files[rand @files] };
    for my $time (1 .. 1 + rand 2) { $MUTATE[rand @MUTATE]->() if length }
    my $path = file_of("$dir/x", $_);
    my @options = ((map { "--unit=$_" } grep { $format eq 'values' } qw(us)), rand() < 0.3 ? '--period=1ms' : (),
        $format eq 'values' || $format ne '' && rand() < 0.5 ? "--format=$format" : (), /wakeup,/ ? '--column=wakeup' : ());
    my ($status, $text, @faults) = called('import', @options, $path);
    my (undef, undef, @more) = called('audit', @options, $path);
    $count{ $status ? 'refused' : 'right' }++;
    push @faults, @more, $status ? $text ne '' ? 'text of what is refused' : () : faults(file_of("$dir/report", $text));
    push @wrong, "SEED=$case: " . join "\n    ", @faults if @faults;
    rename $path, "$dir/wrong" if @faults;
}
diag(@wrong . ' are wrong; the last is ' . contents("$dir/wrong")) if @wrong;
is(join("\n", splice @wrong, 0, 5), '', 'a mutated file is read right, or refused with a reason and a remedy');
is_deeply([sort keys %count], [qw(refused right)], 'some mutated files are refused, and some are read') if @cases > 1;
cmp_ok(most_kb(), '<', MEMORY_KB, 'no case takes more memory than 500 MB');

done_testing;
