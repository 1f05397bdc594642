# SPDX-License-Identifier: GPL-2.0-or-later
# A report that goes to a pipe nothing is reading, or no further: a signal ends the wait, and the report is on standard output.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX qw(mkfifo);
use Sim;
use Test::More;

my $NOBODY  = 'warning: nothing is reading pipe yet; start a reader within 60 s, or interrupt to get the report on standard output';
my $FOLLOWS = 'the report follows on standard output';
my $WHOLE   = 'complete 50, valid';

# Of half a second, on one CPU; or on many, so that the report is longer than what a pipe holds.
my @SHORT = qw(-s nanosleep -f 100 -n 50);
my @LONG  = (@SHORT, qw(-a 0-31));

# One test: a run that may write to a pipe ends so, with its report on standard output, where a reader prints, too.
sub writes {
    my ($name, $options, $of, $script, @outcome) = @_;
    my $run = simulate($options, at => '-', prepare => sub { mkfifo('pipe', 0600) or die $! }, %$of,
        script => ['set cpus 32', @$script]);
    ends_so($name, $run, @outcome);
    return $run;
}

# A checkpoint is asked for, too, which ends nothing.
writes("SIG$_ while nothing is reading", [@SHORT, qw(-o pipe)], {}, ['2 USR1 keeper', "3 $_ keeper"],
    'exit 1', $NOBODY, "write pipe: interrupted; $FOLLOWS", $WHOLE) for qw(INT TERM HUP QUIT);
my $run = writes('nobody ever reads', [@SHORT, qw(-o pipe)], {}, [],
    'exit 1', $NOBODY, "write pipe: nothing is reading it; $FOLLOWS", $WHOLE);
like($run->{log}, qr/^60\.5\d+ keeper ends /m, 'a reader is waited for one minute');
writes('the standby waits as the keeper does', [qw(-s nanosleep -f 100 -d 1h -o pipe)], {},
    ['0.505 KILL keeper', '3 TERM standby'], 'exit 137', 'the keeper was killed; the standby writes the report', $NOBODY,
    "write pipe: interrupted; $FOLLOWS", 'interrupted 49, valid');
writes('a reader that comes late', [@SHORT, qw(-o pipe)], { under => ['cat=2'] }, [], 'exit 0', $NOBODY, $WHOLE);

my @PARTS = ($WHOLE) x 32;
writes('a reader that is slow', [@LONG, qw(-o pipe)], { under => ['cat=0'] },
    ['trial0:read:3 STOP trial0', '5 CONT trial0'], 'exit 0', @PARTS);
writes('a reader that does not read', [@LONG, qw(-o pipe)], { under => ['cat=0'] },
    ['trial0:read:1 STOP trial0', '5 TERM keeper', '6 KILL trial0'], 'exit 1', "write pipe: interrupted; $FOLLOWS", @PARTS);
writes('a reader that goes away', [@LONG, qw(-o pipe)], { under => ['cat=0'] }, ['trial0:read:1 STOP trial0', '5 KILL trial0'],
    'exit 1', "write pipe: Broken pipe; $FOLLOWS", @PARTS);
writes('standard output that nothing is reading', [@LONG, qw(-o -)], { shell => 'exec "$@" 1<>pipe' }, ['5 TERM keeper'],
    'exit 1', 'write to standard output: interrupted; the report is lost');

done_testing;
