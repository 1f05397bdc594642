# SPDX-License-Identifier: GPL-2.0-or-later
# The text of reports.
package Realfeel::Output::Writer;
use Realfeel::Base::Modern;

use List::Util qw(min);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Keys qw(SETS in_order fault ordered);

use constant {
    TOGETHER => 1000,       # rows in a piece
    OPEN     => 9**9**9,    # the end of a bin that has none
    BINNED   => { map { $_ => 1 } qw(histogram slice_bins parts parts_by_lateness) },
};

# A report of realfeel(5) in pieces: a function that returns the next, undef at the end. %$report has header, keys, by
# default in the order of realfeel(5), and data sets, at least the histogram. A data set is a hash from names to values,
# edges in us; or [names, a function that returns rows as whole lines, undef at the end].
sub report_pieces ($report, $part = undef) {
    my $header = $report->{header};
    my @keys = $report->{keys} ? @{ $report->{keys} } : ordered(keys %$header);
    my @pieces = (
        "# realfeel 1\n",
        defined $part ? "# part: $part\n" : (),
        (map { _line($_, $header->{$_}) } grep { defined $header->{$_} } @keys),
        (map {
            my ($names, $rows) = ref $report->{$_} eq 'HASH' ? _columns($_, $report->{$_}) : @{ $report->{$_} };
            ("\n\n# $_\n# @$names\n", $rows);
        } grep { $report->{$_} } 'histogram', SETS),
        "# end samples=$header->{samples}\n",
    );
    return _one_after_another(@pieces);
}

# For the reports of a run, one for each CPU; several are marked as parts
sub run_pieces (@reports) {
    return report_pieces(@reports) if @reports == 1;
    return _one_after_another(map { report_pieces($reports[$_], 1 + $_ . ' of ' . @reports) } 0 .. $#reports);
}

# Each text or function until it ends
sub _one_after_another (@pieces) {
    return sub {
        while (@pieces) {
            my $piece = ref $pieces[0] ? $pieces[0]->() : shift @pieces;
            return $piece if defined $piece;
            shift @pieces;
        }
        return undef;
    };
}

# Refuses to write what no reader would accept
sub _line ($key, $value) {
    my $text = printable($value =~ s/\\/\\\\/gr);
    my $fault = fault($key, $text);
    die "of these reports $fault; leave out those that are damaged\n" if defined $fault;
    return "# $key: $text\n";
}

sub _columns ($name, $set) {
    my @names = grep { $set->{$_} } map { $_->[0] } in_order($name, $set);
    my $row = 0;
    return (\@names, sub {
        my @rows = $row .. min($row + TOGETHER, scalar @{ $set->{ $names[0] } }) - 1 or return undef;
        $row += TOGETHER;
        my @columns = map { [@{ $set->{$_} }[@rows]] } @names;
        for my $i (BINNED->{$name} ? grep { $names[$_] =~ /^(?:from|to)_us$/ } 0 .. $#names : ()) {
            $_ = $_ == OPEN ? 'inf' : sprintf '%.2f', $_ for @{ $columns[$i] };
        }
        return join '', map { my $i = $_; join(' ', map { $_->[$i] } @columns) . "\n" } 0 .. $#rows;
    });
}

1;
