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

my @RUN = qw(-s nanosleep -f 400 -n 1400);    # 3.5 s: the first line comes after 2

sub on_terminal {
    my $command = join ' ', map { "'$_'" } realfeel(@_);
    return start('script', '-qec', $command, '/dev/null');
}

my %run = (
    shown    => on_terminal(@RUN, '-o', 'shown'),
    quiet    => on_terminal(@RUN, '-o', 'quiet', '-q'),
    redirect => start(realfeel(@RUN, '-o', 'redirect')),
);
my %result = map { $_ => [finish($run{$_})] } keys %run;

is($result{$_}[0], 0, "$_: exit status") for sort keys %result;
like($result{shown}[1], qr/\r\d+ samples  \d+%  \d+:\d\d:\d\d left  worst \d+\.\d us late  \d+ missed/, 'a terminal sees it');
like($result{shown}[1], qr/\r\e\[K[^\r]*\b1400 samples\b[^\r]*; report: shown\r\n\z/, 'it makes way for the result');
is($result{quiet}[1], '', 'with --quiet a terminal sees nothing');
unlike($result{redirect}[2], qr/[\r\e]/, 'a file gets the result only');

done_testing;
