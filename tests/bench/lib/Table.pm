# SPDX-License-Identifier: GPL-2.0-or-later
package Table;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(print_table);

use List::Util qw(uniq);

my @COLUMNS = qw(cyclictest bare monotonic tsc);
use constant WIDTH => 80;

# Each row is a label, the format of its values, the values (subject => number), and its mark: the most that the values may
# be, by magnitude (subject => number). What was not measured is "-".
sub print_table {
    my @rows = @_;
    print_line('', '', 'bare', 'realfeel', '', '');
    print_line('', 'cyclictest', 'wait', 'monotonic', 'tsc', 'at most');
    print '-' x WIDTH, "\n";
    print_row(@$_) for @rows;
}

sub print_row {
    my ($label, $format, $values, $most) = @_;
    my @cells = map { defined $values->{$_} ? sprintf $format, $values->{$_} : '-' } @COLUMNS;
    print_line($label, @cells, $most ? mark($values, $most) : '');
}

sub print_line {
    print sprintf("%-31s%10s%7s%10s%7s  %s", @_) =~ s{ +\z}{}r, "\n";
}

sub mark {
    my ($values, $most) = @_;
    my $limits = join ', ', uniq map { $most->{$_} // () } @COLUMNS;
    my @judged = grep { defined $values->{$_} } keys %$most;
    my $missed = grep { abs($values->{$_}) > $most->{$_} } @judged;
    return sprintf '%-8s%s', $limits, !@judged ? '-' : $missed ? 'missed' : 'met';
}

1;
