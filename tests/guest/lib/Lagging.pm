# SPDX-License-Identifier: GPL-2.0-or-later
package Lagging;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Answered qw(answered);
use Report qw(whole_parts);

our @EXPORT = qw(lagging);

use constant { TIMES => 10, SECONDS => 4 };

=head1 NAME

Lagging - cases: threads of another program are late, and each time it is said why

=cut

my $MS = qr{\d+\.\d+ ms};
my $LOOP = qr{'loop' itself ran for $MS after it was due: its own work overran the period};
my $HOG = qr{'hog' \(rt \d\d\) (?:ran|took the CPU away for) $MS};
my $LOCK = qr{'ctl' waited $MS to be woken by 'logger' \(rt 10\), which 'hog' \(rt 30\) (?:may have )?kept off the CPU};
my $GIVER = qr{'giver' \(rt 70(?:, lent or given up)?\) (?:ran|took the CPU away for) $MS};

# The kind (see F<tests/lib/laggard.c>); of each thread its name and how often at least it is late by what; and what the row
# below the figures says of the worst.
my @THREADS = (
    [overrun => { loop => [[TIMES, $LOOP]] }, qr{$MS late: 'loop' itself ran for $MS: its own work overran the period}],
    [catch_up => { loop => [[1, $LOOP], [TIMES, $HOG]] }, qr{$MS late: 'loop' itself ran for $MS: its own work overran the period}],
    [lock => { ctl => [[TIMES, $LOCK]] }, qr{$MS late: 'ctl' waited $MS to be woken by 'logger' \(rt 10\)}],
    [two => { audio => [[TIMES, $HOG]], ui => [[TIMES, qr{'ui' itself ran for $MS}], [0, $HOG]] }, qr{$MS late: 'ui' itself ran for $MS}],
);

=head2 lagging()

Those of a process; and of realfeel's own meter, which a process delays that gives its priority up.

=cut

sub lagging {
    my $script = "start -s nanosleep -f 1000 -p 60 -a 0 --explain -d 1h; sleep 1; laggard give_up & laggard=\$!; "
        . 'usleep 1500000; kill $laggard; kill -INT $keeper; end';
    my $row = qr{$MS late: 'giver' \(rt 70\) had the CPU for $MS};
    return ((map { threads(@$_) } @THREADS), [give_up => $script, 3, sub { check({ '' => [[TIMES, $GIVER]] }, $row, @_) }]);
}

sub threads {
    my ($kind, $late, $row) = @_;
    my $names = join ',', sort keys %$late;
    my $script = <<"EOS";
laggard $kind &
laggard=\$!
usleep 500000
realfeel -s task:\$laggard --threads=$names -d @{[SECONDS]}s --explain -o report
status=\$?
kill \$laggard
wait
(exit \$status)
EOS
    return [$kind, $script, 0, sub { check($late, $row, @_) }];
}

sub check {
    my ($late, $row, $left) = @_;
    my @parts = whole_parts($left->{report} // '');
    is_deeply([sort map { $_->{thread_name} // '' } @parts], [sort keys %$late], 'a report for each');
    my @answers = @parts ? answered($left->{report}) : ();
    for my $name (sort keys %$late) {
        my @said = map { $_->{sentence} } grep { ($_->{thread_name} // '') eq $name } @answers;
        for (@{ $late->{$name} }) {
            my ($times, $sentence) = @$_;
            my @right = grep { /$sentence/ } @said;
            cmp_ok(scalar @right, '>=', $times, "$name: " . ($right[0] // $sentence)) or diag join "\n", @said;
            @said = grep { !/$sentence/ } @said;
        }
        is_deeply([grep { /^$MS/ } @said], [], "and for no other reason by a ms or more");
    }
    like($left->{stderr}, qr/^worst +$row/m, 'the row says so, too');
}

1;
