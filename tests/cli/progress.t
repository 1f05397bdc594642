# SPDX-License-Identifier: GPL-2.0-or-later
# The line on a terminal that shows how far the run is.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use RunCommand qw(run start finish);
use Test::More;

plan skip_all => 'script not found: apt-get install bsdutils' if (run(qw(which script)))[0];
workspace();
$ENV{TERM} = 'xterm';
delete $ENV{NO_COLOR};

my @RUN = qw(-s nanosleep -f 400 -n 1400);    # 3.5 s: the first line comes after 2

sub on_terminal {
    my ($columns, @options) = @_;
    my $command = join ' ', map { "'$_'" } realfeel(@options);
    return start('script', '-qec', "stty cols $columns && exec $command", '/dev/null');
}

# What a terminal of so many columns shows in the end: its lines. A line that is full goes on in the next one with the
# next character, not before.
sub screen {
    my ($columns, $written) = @_;
    my @lines = (q{});
    my $at = 0;
    for my $piece ($written =~ /(\e\[K|.)/gs) {
        if    ($piece eq "\r")    { $at = 0 }
        elsif ($piece eq "\n")    { push @lines, q{} }
        elsif ($piece eq "\e[K")  { $lines[-1] = substr $lines[-1], 0, $at }
        else {
            if ($at == $columns) { push @lines, q{}; $at = 0 }
            $lines[-1] .= q{ } x ($at - length $lines[-1]) if length $lines[-1] < $at;
            substr $lines[-1], $at++, 1, $piece;
        }
    }
    return map { s/ +\z//r } @lines;
}

# After the last line that was cleared there are these rows and no other, but for warnings of what this machine lacks.
sub is_rows {
    my ($written, $name, @rows) = @_;
    my @lines = split /\r?\n/, said($written =~ s/.*\e\[[KJ]//sr);
    is(scalar @lines, scalar @rows, "$name, in so many rows") or diag join "\n", @lines;
    like($lines[$_] // '', qr/\A$rows[$_]\z/, "row $_") for 0 .. $#rows;
}

my @LOAD = ('--', 'sh', '-c', 'sleep 1; for i in 1 2 3; do sleep 0.7; echo hello $i; done; sleep 1');

my %run = (
    shown    => on_terminal(100, @RUN, '-o', 'shown'),
    narrow   => on_terminal(20, @RUN, '-o', 'narrow'),
    load     => on_terminal(60, qw(-s nanosleep -f 400 -o load), @LOAD),
    max      => on_terminal(100, @RUN, '-o', 'max', '--max=1ns'),
    share    => on_terminal(100, @RUN, '-o', 'share', '--max=1ns@99'),
    kept     => on_terminal(100, @RUN, '-o', 'kept', '--max=1h'),
    plain    => do { local $ENV{NO_COLOR} = 1; on_terminal(100, @RUN, '-o', 'plain') },
    quiet    => on_terminal(100, @RUN, '-o', 'quiet', '-q'),
    redirect => start(realfeel(@RUN, '-o', 'redirect')),
);
my %result = map { $_ => [finish($run{$_})] } keys %run;

is($result{$_}[0], /max|share/ ? 2 : 0, "$_: exit status") for sort keys %result;
like($result{shown}[1], qr/\r\d+ samples  \d+%  \d+:\d\d:\d\d left  worst \d+\.\d us late  \d+ missed/, 'a terminal sees it');

# A figure has four digits and the unit that fits.
my $time = qr/(?:\d\.\d{3}|\d\d\.\d\d|\d{3}\.\d) (?:us|ms|s)/;
my @figures = (qr/lateness  p50 $time   p99 ~?$time   p99\.9 ~$time   max $time/,
    qr/ {10}$time [ \x80-\xff.:=+*#@-]{24,72} $time at \d+\.\d{3} s on CPU \d+/);
my $missed = qr/missed    \d+ of \d+ periods of nanosleep at 400 Hz/;
my $verdict = qr/run       \e\[1;3\dm\w+:?\e\[0m[^\r]*/;
is_rows($result{shown}[1], 'it makes way for the result', @figures, $missed, qr/report    shown   next: realfeel-analyze shown/, $verdict);
is_rows($result{max}[1], 'which has the limit', @figures, $missed,
    qr/limit     \e\[1;31mFAIL:\e\[0m counted (\d+) of \1 periods later than 1 ns/, qr/report    max   next: realfeel-analyze max/,
    $verdict);
like($result{$_}[1], qr/\r\nreport    $_   next: realfeel-analyze judge $_\r/, "$_: judge tells more") for qw(share kept);
unlike($result{plain}[1] =~ s/.*\e\[K//sr, qr/\e/, 'without colour for who wants none');
is_rows($result{redirect}[2], 'elsewhere it is plain, without what to type', @figures, $missed, qr/report    redirect/,
    qr/run       \w.*/);
for my $written ($result{shown}[1], $result{max}[1], $result{redirect}[2]) {
    my ($missed, $periods) = $written =~ /^missed    (\d+) of (\d+) periods/m;
    is($periods, 1400 + $missed, 'those missed are counted beside the samples');
}
unlike($result{redirect}[2], qr/[^ -~\n]/, 'in characters that all have');
like($result{max}[1], qr/worst \d+\.\d us late  --max exceeded  \d+ missed/, '--max is exceeded already');
unlike($result{shown}[1], qr/--max/, 'where there is one');

my $narrow = join q{}, screen(20, $result{narrow}[1] =~ s/\e\[[\d;]*m//gr);
like($narrow =~ s/realfeel: warning: .*?(?=lateness)//r, qr/\Alateness  p50/, 'on a narrow terminal nothing is left but the result');

my @load = screen(60, $result{load}[1]);
my $hellos = grep { /\Ahello [123]\z/ } @load;
is($hellos, 3, 'what a load prints has lines of its own') or diag join "\n", @load;
is($result{quiet}[1], '', 'with --quiet a terminal sees nothing');
unlike($result{redirect}[2], qr/[\r\e]/, 'a file gets the result only');

done_testing;
