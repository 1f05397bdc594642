# SPDX-License-Identifier: GPL-2.0-or-later
package Lagging;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Answered qw(answered);
use Report qw(whole_parts);

our @EXPORT = qw(lagging);

# How often each reason makes late, and when that is over, in seconds.
use constant { TIMES => 10, SECONDS => 5 };

=head1 NAME

Lagging - cases: threads of another program are late, and each time it is said why

=cut

my $MS = qr{\d+\.\d+ ms};
my $LOOP = qr{'loop' itself ran for $MS after it was due: its own work overran the period};

# At some phases another thread comes when this one has been woken, at others before; and leaves before the priority of
# the giver has changed, or after. Which is not the same on each kernel.
my $HOG = qr{'hog' \(rt \d\d\) (?:ran for|took the CPU away for) $MS};
my $LOCK = qr{'ctl' waited $MS to be woken by 'logger' \(rt 10\), which 'hog' \(rt 30\) (?:may have )?kept off the CPU};
my $GIVER = qr{'giver' \(rt 70(?:, lent or given up)?\) (?:ran for|took the CPU away for) $MS};
my $TIMER = qr{the timer interrupt was $MS late while 'tracer' \(nice 0\) ran};

# The kind (see F<tests/lib/laggard.c>); and of each thread its name and how often it is late by what.
my @THREADS = (
    [overrun  => { loop => [[TIMES, $LOOP]] }],
    [catch_up => { loop => [[1, $LOOP], [TIMES, $HOG]] }],
    [lock     => { ctl => [[TIMES, $LOCK]] }],
    [two      => { audio => [[TIMES, $HOG]], ui => [[TIMES, qr{'ui' itself ran for $MS}], [TIMES, $HOG]] }],
    [timer    => { loop => [[TIMES, $TIMER]] }],
);

# What delays realfeel's own meter.
my @METER = ([give_up => $GIVER], [timer => $TIMER]);

# So much room that it takes some ms to empty it.
my $ROOM = 'room=/sys/kernel/tracing/buffer_size_kb; echo 200000 >$room';

=head2 lagging()

Those of a process, and of realfeel's own meter.

=cut

sub lagging {
    return ((map { threads(@$_) } @THREADS), map { meter(@$_) } @METER);
}

sub threads {
    my ($kind, $late) = @_;
    my $names = join ',', sort keys %$late;
    my $script = <<"EOS";
$ROOM
laggard $kind &
laggard=\$!
usleep 500000
realfeel -s task:\$laggard --threads=$names -d @{[SECONDS]}s --explain -o report
status=\$?
kill \$laggard
wait
echo 1408 >\$room
(exit \$status)
EOS
    return [$kind, $script, 0, sub { check($late, @_) }];
}

sub meter {
    my ($kind, $sentence) = @_;
    my $script = "$ROOM; start -s nanosleep -f 1000 -p 60 -a 0 --explain -d 1h; sleep 1; laggard $kind & laggard=\$!; "
        . "sleep @{[SECONDS]}; kill \$laggard; kill -INT \$keeper; end; status=\$?; echo 1408 >\$room; (exit \$status)";
    return ["$kind-meter", $script, 3, sub { check({ '' => [[TIMES, $sentence]] }, @_) }];
}

sub check {
    my ($late, $left) = @_;
    my @parts = whole_parts($left->{report} // '');
    is_deeply([sort map { $_->{thread_name} // '' } @parts], [sort keys %$late], 'a report for each');
    my @answers = @parts ? answered($left->{report}) : ();
    for my $name (sort keys %$late) {
        my @said = map { $_->{sentence} } grep { ($_->{thread_name} // '') eq $name } @answers;
        for (@{ $late->{$name} }) {
            my ($times, $sentence) = @$_;
            my @right = grep { /^$MS late: $sentence/ } @said;
            is(scalar @right, $times, "$name: " . ($right[0] // $sentence)) or diag join "\n", grep { /^$MS/ } @said;
            @said = grep { !/^$MS late: $sentence/ } @said;
        }
        is_deeply([grep { /^$MS/ } @said], [], "and for no other reason by a ms or more");
    }
}

1;
