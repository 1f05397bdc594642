# SPDX-License-Identifier: GPL-2.0-or-later
# What a terminal shows: how far the run is, and the result in its place. tests/unit/progress.c has all widths.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Sim;
use Test::More;

local $ENV{TERM}   = 'xterm';
local $ENV{LC_ALL} = 'C';    # without the characters of Unicode
delete $ENV{NO_COLOR};

my @RUN = qw(-n 1400 -o shown);    # of 3.5 s: once a second there is a line, by which the one before is cleared

# One test: on a terminal of so many columns, or in a file, a run prints these lines. What it clears is one, too.
sub shows {
    my ($name, $columns, $options, @lines) = @_;
    my $run = simulate([qw(-s nanosleep -f 400), @$options], script => ["set columns $columns"], at => 'shown');
    is_deeply([split /\n|(?<=\e\[K)/, $run->{err}], \@lines, $name) or diag $run->{err};
}

my @PROGRESS = map { "\r$_\e[K" } '29%  worst 4.055 us late  0:00:03 left  0 missed  400 samples',
    '57%  worst 4.055 us late  0:00:02 left  0 missed  800 samples',
    '86%  worst 4.055 us late  0:00:00 left  0 missed  1201 samples', '';
my @EXCEEDED = map { s/(?=\d\d%)/--max exceeded  /r } @PROGRESS;
my @FIGURES = ('lateness  p50 3.100 us   p99 4.055 us   p99.9 ~4.055 us   max 4.055 us',
    'histogram 2.000 us # # # # ## # ## ## ####@ 4.055 us at 0.015 s on CPU 0',
    'missed    0 of 1400 periods of nanosleep at 400 Hz');
my $NEXT  = 'report    shown   next: realfeel-analyze';
my $VALID = "run       \e[1;32mvalid\e[0m";

shows('a terminal', 100, \@RUN, @PROGRESS, @FIGURES, "$NEXT shown", $VALID);
shows('a limit that is exceeded', 100, [@RUN, '--max=1ns'], @EXCEEDED, @FIGURES,
    "limit     \e[1;31mexceeded:\e[0m counted 1400 of 1400 periods later than 1 ns", "$NEXT shown", $VALID);
shows('a share that is exceeded', 100, [@RUN, '--max=1ns@99'], @EXCEEDED, @FIGURES,
    "limit     \e[1;31mexceeded:\e[0m counted 1400 of 1400 periods later than 1 ns; 99 % allow 14", "$NEXT judge shown", $VALID);
shows('a limit that is kept', 100, [@RUN, '--max=1h'], @PROGRESS, @FIGURES,
    "limit     \e[1;32mkept:\e[0m counted 0 of 1400 periods later than 3600 s", "$NEXT judge shown", $VALID);
{
    local $ENV{NO_COLOR} = 1;
    shows('a terminal without colour', 100, \@RUN, @PROGRESS, @FIGURES, "$NEXT shown", 'run       valid');
}
shows('--quiet', 100, [@RUN, '-q']);
shows('a file', 0, \@RUN, @FIGURES, 'report    shown', 'run       valid');
shows('a narrow terminal', 20, \@RUN, (map { "\r$_\e[K" } '29%  0:00:03 left', '57%  0:00:02 left', '86%  0:00:00 left', ''),
    'lateness  p50 3.100', map({ "          $_" }
    'us', 'p99 4.055', 'us', 'p99.9', '~4.055 us', 'max 4.055', 'us'),
    'histogram 2.000 us #', map({ "          $_" } '# # # ## #', '## ##', '####@', '4.055 us',
    'at 0.015 s', 'on CPU 0'), 'missed    0 of 1400', map({ "          $_" } 'periods of', 'nanosleep', 'at 400 Hz'),
    'report    shown', map({ "          $_" } 'next:', 'realfeel-analyze', 'shown'), $VALID);

# A line that is full is followed by what the load prints, which begins in the next one.
my @FULL = map { sprintf "\r%-60s", "worst 4.055 us late  0 missed  $_ samples" } 400, 800, 1201;
shows('a load that prints', 60, [qw(-o shown), actor(qw(sleep=2.2 say=hello sleep=1.5))], "$FULL[0]$FULL[1]hello", "$FULL[2]\r\e[K",
    'lateness  p50 3.100 us   p99 4.055 us   p99.9 ~4.055 us', '          max 4.055 us',
    'histogram 2.000 us # # # # ## # ## ## ####@ 4.055 us at', '          0.015 s on CPU 0',
    'missed    0 of 1478 periods of nanosleep at 400 Hz', "$NEXT shown", $VALID);

done_testing;
