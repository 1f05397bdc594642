# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Output::Writer;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(report_pieces run_pieces);

use List::Util qw(min);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(HEADER SETS fault in_order);

use constant {
    TOGETHER => 1000,       # rows in a piece
    OPEN     => 9**9**9,    # the end of a bin that has none
    BINNED   => { map { $_ => 1 } qw(histogram slice_bins parts parts_by_lateness) },
};

=head1 NAME

Realfeel::Output::Writer - the text of reports

=head1 FUNCTIONS

=head2 report_pieces($report)

The text of a report as realfeel(5) describes it, in pieces: a function that returns the next one, undef after the last.
C<$report> is a hash of C<header>, C<keys> and data sets, of which only the histogram must be there. A data set is a
hash from the columns' names to their values, with the edges of bins as numbers of microseconds; or an array of the
names and a function that returns rows, whole lines, undef after the last.

=head2 run_pieces(@reports)

The same of the reports of a run, one for each CPU: where there are several, each says which part it is.

=cut

sub report_pieces ($report, $part = undef) {
    my $header = $report->{header};
    my @pieces = (
        "# realfeel 1\n",
        defined $part ? "# part: $part\n" : (),
        (map { _line($_, $header->{$_}) } grep { defined $header->{$_} } @{ $report->{keys} }),
        (map { _set($_, $report->{$_}) } grep { $report->{$_} } 'histogram', SETS),
        "# end samples=$header->{samples}\n",
    );
    return _one_after_another(@pieces);
}

sub run_pieces (@reports) {
    return report_pieces(@reports) if @reports == 1;
    return _one_after_another(map { report_pieces($reports[$_], 1 + $_ . ' of ' . @reports) } 0 .. $#reports);
}

# What several texts and functions return, until the last is at its end.
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

# What no reader would take is not written.
sub _line ($key, $value) {
    my $text = printable($value =~ s/\\/\\\\/gr);
    my $fault = HEADER->{$key} && fault($key, HEADER->{$key}, $text);
    die "of these reports $fault; leave out those that are damaged\n" if defined $fault;
    return "# $key: $text\n";
}

sub _set ($name, $set) {
    my ($names, $rows) = ref $set eq 'HASH' ? _columns($name, $set) : @$set;
    return ("\n\n# $name\n# @$names\n", $rows);
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
