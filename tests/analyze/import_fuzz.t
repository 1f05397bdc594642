# SPDX-License-Identifier: GPL-2.0-or-later
# Files of other programs that were damaged at random: a clear error, or a whole report that can be listed and written in
# every format; never a warning. SEED=N repeats, MUTATIONS=N makes so many.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(sum0);
use Test::More;

use Realfeel::Cpus qw(pooled);
use Realfeel::Export;
use Realfeel::Import;
use Realfeel::Listing;
use Realfeel::Report;
use Realfeel::Screen;
use ReportText;
use RunCommand;

my $MUTATIONS = $ENV{MUTATIONS} // 2000;
my $seed = $ENV{SEED} // time;
srand $seed;
diag "$MUTATIONS files, SEED=$seed";

my $dir = tempdir(CLEANUP => 1);
my @files = map { my $format = $_->[0]; map { [$format, contents("$FindBin::Bin/data/import/$_")] } @$_[1 .. $#$_] }
    ['rt-tests', map { "$_.json" } qw(cyclictest two-threads nanoseconds quote)], ['jitterdebugger', 'jitterdebugger.json'],
    ['cyclictest', map { "$_.txt" } qw(cyclictest two-threads histofall)], ['rtla', map { "rtla-$_.txt" } qw(us ns thr 2cpu)],
    ['hlog', 'two-cpus.hlog'];

my @formats = Realfeel::Export::formats();
my @ODD = ('null', '"x"', '{}', '[]', '-1', '1e30', '1.5', 'true', '-', 'inf', 'nan', '', '9' x 19, "\n", "\0", "\xff");

my @MUTATE = (
    sub { substr $_, rand length, 1, $ODD[rand @ODD] },
    sub { substr $_, rand length, 1 + rand 20, '' },
    sub { my @n; push @n, pos while /\d/g; substr $_, $n[rand @n] - 1, 1, int rand 10 if @n },
    \&change_number,
    sub { my @lines = split /^/; splice @lines, rand @lines, 1; $_ = join '', @lines },
    sub { my @lines = split /^/; my $i = int rand @lines; splice @lines, $i, 0, $lines[$i]; $_ = join '', @lines },
    sub { $_ = substr $_, 0, rand length },
);

sub change_number {
    my @numbers;
    push @numbers, [$-[0], $+[0] - $-[0]] while /\b\d+(?:\.\d+)?\b/g;
    my $number = $numbers[rand @numbers] or return;
    substr $_, $number->[0], $number->[1], $ODD[rand @ODD];
}

sub written { my ($name, $text) = @_; return file_of("$dir/$name", $text) }

# Whether it is more than a screen; the name of the file may be as long as it is.
sub is_large {
    my (undef, @lines) = split /\n/, $_[0];
    return @lines > 23 || grep { length > 80 } @lines;
}

# What is wrong with an imported report.
sub faults {
    my @reports = Realfeel::Report->read_all(written('report', report_text(@_)));
    Realfeel::Listing::listing($_) for @reports, pooled({ reports => [@reports] });
    eval { Realfeel::Export::exported($formats[rand @formats], @reports) } or $@ =~ /: holds no samples, / or die $@;
    my @screens = map { Realfeel::Screen::of_run({ reports => $_ }) } @reports < 9 ? [@reports] : (), map { [$_] } @reports;
    return (grep({ is_large($_) } @screens), map {
        my ($samples, $sum) = ($_->header('samples'), sum0(@{ $_->columns('histogram')->{lateness} }));
        $sum == $samples ? () : "$samples samples, $sum in bins";
    } @reports);
}

my (@warnings, @wrong, %count);
local $SIG{__WARN__} = sub { push @warnings, @_ };
local $SIG{ALRM} = sub { die "it hangs\n" };
for my $number (1 .. $MUTATIONS) {
    (my $format, local $_) = @{ $files[rand @files] };
    for my $time (1 .. 1 + rand 2) { $MUTATE[rand @MUTATE]->() if length }
    my $path = written('x', $_);
    alarm 30;
    my @imported = eval { Realfeel::Import::imported($format, $path, {}) };
    my $error = $@;
    $count{@imported ? 'right' : 'refused'}++;
    my @faults = !@imported ? $error =~ /\A\Q$path\E(?::\d+)?: [^\n]+; [^\n]+\n\z/ ? () : $error : eval { faults(@imported) };
    push @faults, $@ if @imported && $@;
    alarm 0;
    push @faults, splice @warnings;
    push @wrong, "number $number: @faults" if @faults;
}
is(join("\n", grep { defined } @wrong[0 .. 4]), '', 'each is refused with a reason and a remedy, or right');
cmp_ok($count{$_} // 0, '>', $MUTATIONS / 20, "some are $_") for qw(right refused);

done_testing;
