# SPDX-License-Identifier: GPL-2.0-or-later
# What hangs is killed, and what is slow is not. No guest is needed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Patience qw(hangs outlast);
use Test::More;

my %LIMIT = (computing => 240, idle => 120, all => 3600);

# By a clock that is made up: a list of wall-clock time, CPU time and bytes written, and when the last is too much.
sub judged {
    my ($name, $why, @moments) = @_;
    my %seen;
    my @reasons = map { hangs(\%LIMIT, \%seen, @$_) } @moments;
    my $last = pop @reasons;
    is_deeply([grep { defined } @reasons], [], "$name: patience until then");
    is($last, $why, $name);
}

judged('a busy host, and output',        undef, map { [100 * $_, 2 * $_, $_] } 0 .. 36);
judged('a busy host, and no output',     undef, map { [100 * $_, 6 * $_, 1] } 0 .. 36);
judged('a guest that computes for ever', 'it wrote nothing in 240 s of computing', map { [$_, $_, 9] } 0, 1, 100, 240, 242);
judged('a guest that waits for ever',    'it stood still for 120 s', [0, 0, 0], map { [$_, 1, 9] } 1, 60, 121, 122);
judged('output, but for too long',       'it did not end within 3600 s', map { [50 * $_, $_, $_] } 0 .. 73);

my $file = tempdir(CLEANUP => 1) . '/console';

sub ran {
    my ($limit, $script) = @_;
    return outlast({%LIMIT, %$limit}, [$file], $^X, '-e', '$| = 1; open STDOUT, ">", shift; ' . $script, $file);
}

# Of user and system together: asking for it is mostly the system's.
my $COMPUTE = 'sub used { my ($user, $system) = times; $user + $system } sub compute { my $end = used() + shift; 1 while used() < $end }';

is_deeply([ran({}, 'print "x"; exit 3')], [3 << 8, undef], 'a command that ends');
is_deeply([ran({idle => 2}, 'print "x"; sleep 1000')], [9, 'it stood still for 2 s'], 'one that prints, and stands still');
is_deeply([ran({computing => 1}, "$COMPUTE print 'x'; compute(1000)")], [9, 'it wrote nothing in 1 s of computing'],
    'one that prints, and computes for ever');
is_deeply([ran({computing => 1}, "$COMPUTE for (1 .. 10) { print 'x'; compute(0.2) }")], [0, undef],
    'one that computes for longer, and goes on printing');
is_deeply([ran({all => 1}, 'for (1 .. 1000) { print "x"; sleep 1 }')], [9, 'it did not end within 1 s'], 'there is an end to all');
is_deeply([outlast(\%LIMIT, [], "$file/none")], [127 << 8, undef], 'a command that is none');

done_testing;
