# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Merge;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(merged);

use List::Util qw(any sum0);
use Realfeel::Merge::Bins qw(added_bins ending_alike);
use Realfeel::Classic ();
use Realfeel::Format1 ();
use Realfeel::Merge::Header qw(merged_header);
use Realfeel::Units qw(printable);

use constant {
    EVENTS_MAX  => 32,
    NS_PER_S    => 1_000_000_000,
    MEASURES    => { interval => ['interval', 'early'], lateness => ['lateness'] },
    OF_2002     => 'of 2002, 0.1 ms wide',
};

=head1 NAME

Realfeel::Merge - several reports made one

=head1 FUNCTIONS

=head2 merged(\%option, @reports)

The reports of L<Realfeel::Report> as one, in the form that L<Realfeel::Writer> takes. Neither the order nor the
grouping of merges matters. What all of them know is added exactly; what one of them does not know is left out.
C<period_ns> is that of files of 2002; with C<mixed>, source and clock may differ. Dies with one line at what must not
be merged.

=cut

sub merged {
    my ($option, @reports) = @_;
    my @parts = map { _part($option, $_) } @reports;
    _refuse_others($option, @parts);
    my @measures = _common_measures(@parts);
    my $histogram = _histogram(\@parts, \@measures);
    my @runs = _in_order(map { _runs($_) } @parts);
    return {
        format    => 1,
        merged_header(\@measures, @parts),
        histogram => $histogram,
        runs      => _columns('runs', map { $_->{row} } @runs),
        (map { _set($_, @runs) } qw(slices slice_bins)),
        _events(@runs),
    };
}

# A report and what is asked of it here: files of 2002 get a header, and those of their kind buckets like theirs.
sub _part {
    my ($option, $report) = @_;
    my %header = map { $_ => $report->header($_) } $report->keys;
    my $of_2002 = $report->format eq '2002';
    if ($of_2002) {
        $header{period_ns} = $option->{period_ns}
            // _refuse($report, 'a file of 2002 tells no period; give it as in --period=488281ns');
        $header{frequency_hz} = 0 + sprintf '%.0f', NS_PER_S / $header{period_ns};
        $header{samples} = sum0(@{ $report->columns('histogram')->{interval} });
        $header{$_} = 'unknown' for qw(periods missed early_wakeups);
        $header{bins} = OF_2002;
    }
    return { report => $report, header => \%header, bins_of_2002 => ($header{bins} // '') eq OF_2002 };
}

sub _refuse_others {
    my ($option, @parts) = @_;
    my $first = $parts[0];
    for my $part (@parts) {
        _refuse_other($first, $part, $_->[0], "$_->[1]; these have no common histogram") for
            ['period_ns', 'another period'], ['lateness_of', 'another way of counting latenesses'];
        next if $option->{mixed};
        _refuse_other($first, $part, $_, "another $_; if that is meant, give --mixed") for qw(source clock);
    }
}

# A file of 2002 tells neither source nor clock: it was the RTC, and an x86's counter.
sub _refuse_other {
    my ($first, $part, $key, $what) = @_;
    my ($one, $other) = map { $_->{header}{$key} // 'none' } $first, $part;
    return if $one eq $other || ($key =~ /^(?:source|clock)$/ && any { $_->{report}->format eq '2002' } $first, $part);
    _refuse($part->{report}, "$key is '$other', but that of " . $first->{report}->file . " is '$one': $what");
}

sub _refuse {
    my ($report, $why) = @_;
    die printable($report->file . ": $why") . "\n";
}

sub _common_measures {
    my @parts = @_;
    my @common = grep { my $measure = $_; !grep { !$_->{report}->$measure } @parts } qw(interval lateness);
    @common = grep { $_ eq 'interval' } @common if any { $_->{bins_of_2002} } @parts;
    die "the files have no measure in common: some know only latenesses, others none; merge each kind by itself\n"
        unless @common;
    return @common;
}

sub _histogram {
    my ($parts, $measures) = @_;
    my @columns = map { @{ MEASURES->{$_} } } @$measures;
    my $coarse = any { $_->{bins_of_2002} } @$parts;
    my @rows = added_bins(ending_alike(map {
        [@{ $coarse ? _buckets($_->{report}) : $_->{report}->columns('histogram') }{qw(from_us to_us), @columns}]
    } @$parts));
    my @sorted = grep { any { $_ } @$_[2 .. $#$_] } @rows;
    $sorted[$_][0] < $sorted[$_ - 1][1] and _refuse_width(@{ $sorted[$_] }) for 1 .. $#sorted;
    my @names = ('from_us', 'to_us', @columns);
    return { map { my $i = $_; $names[$i] => [map { $_->[$i] } @sorted] } 0 .. $#names };
}

sub _refuse_width {
    my ($from) = @_;
    die "the bin from $from us is of another width in one file than in the others; merge each kind by itself\n";
}

# In those of 2002 an early wake-up counted as 0.
sub _buckets {
    my ($report) = @_;
    return $report->columns('histogram') if $report->format eq '2002';
    my @cells = Realfeel::Classic::buckets($report)->cells;
    return {
        from_us  => [map { 0 + sprintf '%.0f', 1000 * $_->[0] } @cells],
        to_us    => [map { 0 + sprintf '%.0f', 1000 * $_->[1] } @cells],
        interval => [map { $_->[2] } @cells],
        early    => [(0) x @cells],
    };
}

# The runs of a report: each is its row in the data set runs, and what the other data sets hold of it.
sub _runs {
    my ($part) = @_;
    my ($report, $header) = @$part{qw(report header)};
    my $runs = $report->columns('runs');
    my @rows = $runs ? _rows($runs) : {
        run => 1, started => $header->{started} // 'unknown', duration_s => $header->{duration_s} // 'unknown',
        (map { $_ => $header->{$_} } qw(samples periods missed)), verdict => $report->verdict // 'none',
    };
    my @made = map { { row => $_ } } @rows;
    for my $name (qw(slices slice_bins events)) {
        my $set = $part->{bins_of_2002} ? undef : $report->columns($name) or next;
        $_->{$name} = [] for @made;
        push @{ $made[($_->{run} // 1) - 1]{$name} }, $_ for _rows($set);
    }
    return @made;
}

sub _rows {
    my ($set) = @_;
    my @names = sort keys %$set;
    return map { my $row = $_; my %row = map { $_ => $set->{$_}[$row] } @names; \%row } 0 .. $#{ $set->{ $names[0] } };
}

# By when they started; those that started in the same second by all that they are.
sub _in_order {
    my @runs = @_;
    $_->{key} = $_->{row}{started} for @runs;
    my %alike;
    push @{ $alike{ $_->{key} } }, $_ for @runs;
    for (grep { @$_ > 1 } values %alike) {
        $_->{key} .= _content($_) for @$_;
    }
    my @sorted = sort { $a->{key} cmp $b->{key} } @runs;
    $sorted[$_]{row}{run} = $_ + 1 for 0 .. $#sorted;
    return @sorted;
}

sub _content {
    my ($run) = @_;
    return join "\n", map { _text($_) } $run->{row}, map { @{ $run->{$_} // [] } } qw(slices slice_bins);
}

sub _text {
    my ($row) = @_;
    return join ' ', map { "$_=$row->{$_}" } grep { $_ ne 'run' } sort keys %$row;
}

# A data set of all the runs, where all have it.
sub _set {
    my ($name, @runs) = @_;
    return if grep { !$_->{$name} } @runs;
    my @rows = map { my $run = $_; map { { %$_, run => $run->{row}{run} } } @{ $run->{$name} } } @runs;
    return ($name => _columns($name, @rows));
}

sub _columns {
    my ($name, @rows) = @_;
    my @names = map { $_->[0] } @{ Realfeel::Format1::COLUMNS->{$name} };
    return { map { my $column = $_; $column => [map { $_->{$column} } @rows] } @names };
}

# The worst of all; of equal ones those of the runs that come first, for a sort leaves equal ones in their order.
sub _events {
    my @runs = @_;
    return if grep { !$_->{events} } @runs;
    my @rows = map { my $run = $_; map { { %$_, run => $run->{row}{run} } } @{ $run->{events} } } @runs;
    my @sorted = sort { $b->{lateness_us} <=> $a->{lateness_us} } @rows;
    return (events => _columns('events', splice @sorted, 0, EVENTS_MAX));
}

1;
