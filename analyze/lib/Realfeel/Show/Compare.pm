# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Compare;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text texts);

use List::Util qw(uniq uniqnum);

use Realfeel::Answer::Compare::Composition qw(composition_words);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(decimal printable us width wrapped);
use Realfeel::Show::Conclusion qw(bounds capital conclusion intervals legend maxima measure until_refused);

use constant {
    LABEL_WIDTH => 11,
    CELL_WIDTH  => 16,
    RATIO_WIDTH => 7,
    WIDTH       => 80,
    BY_ITSELF   => 'each CPU is judged by itself: of twenty that do not differ, one is said to',
    IDENTICAL   => 'Identical runs: the files hold the same figures, and nothing is judged.',
};

=head1 NAME

Realfeel::Show::Compare - the text that C<realfeel-analyze compare> prints

=head1 FUNCTIONS

=head2 texts($is_verbose, @comparisons)

The texts of all. Those of the CPUs of a run have a table before them, with a row for each CPU.

=cut

sub texts {
    my ($is_verbose, @comparisons) = @_;
    my @of_cpus = grep { defined $_->{cpu} } @comparisons;
    my @runs = uniq map { $_->{file}{report}->run_name } @of_cpus;
    my @overviews = map { my $run = $_; _overview(grep { $_->{file}{report}->run_name eq $run } @of_cpus) } @runs;
    return join "\n", @overviews, map { text($_, $is_verbose) } @comparisons;
}

sub _overview {
    my @of_cpus = @_;
    my @given = uniqnum map { $_->{percentile} } grep { defined $_->{ratio} } map { @{ $_->{percentiles} } } @of_cpus;
    my $table = Realfeel::Base::Table->new(
        caption => 'ratio of FILE to BASE on each CPU; * differs beyond chance',
        columns => ['CPU', map { "$_  " } (map { "p$_" } @given), 'max'],
        rows    => [map { [$_->{cpu}, _ratios($_, @given)] } @of_cpus],
    );
    my ($base, $file) = map { printable($of_cpus[0]{$_}{report}->run_name) } qw(base file);
    return join '', map { "$_\n" } measure($of_cpus[0]) . ': FILE compared with BASE, CPU by CPU', "  BASE  $base",
        "  FILE  $file", wrapped('  ', BY_ITSELF), '', map { "  $_" } $table->text;
}

sub _ratios {
    my ($comparison, @given) = @_;
    return { text => 'identical runs', colspan => 1 + @given } if $comparison->{identical};
    my %row = map { $_->{percentile} => $_ } @{ $comparison->{percentiles} };
    my ($base, $file) = map { $_->{max_us} } @$comparison{qw(base file)};
    return ((map { _ratio(@{ $row{$_} }{qw(ratio differs)}) } @given),
        _ratio($base > 0 ? $file / $base : undef, $comparison->{maxima}{differ}));
}

sub _ratio {
    my ($ratio, $differs) = @_;
    return (defined $ratio ? decimal($ratio, 3) : '-') . ($differs ? ' *' : '  ');
}

=head2 text($comparison, $is_verbose)

The text of a L<Realfeel::Answer::Compare>, at most 80 columns wide where the names allow it: doubts first, then the
conclusion, then what it comes from, which is told at length if asked for.

=cut

sub text {
    my ($comparison, $is_verbose) = @_;
    return join '', map { "$_\n" } _title($comparison), '', '  ' . IDENTICAL, _limit($comparison)
        if $comparison->{identical};
    return join '', map { "$_\n" } _title($comparison), @{ $comparison->{doubts} } ? '' : (),
        (map { wrapped('  * ', "caution: $_") } @{ $comparison->{doubts} }),
        '', wrapped('  ', capital(conclusion($comparison))), '',
        _table($comparison), '',
        (map { (wrapped('  ', $_), '') } $is_verbose ? intervals($comparison) : legend($comparison)),
        $is_verbose ? (wrapped('  maxima   ', maxima($comparison)), '') : (),
        (map { (wrapped('  parts    ', $_), '') } composition_words($comparison) // ()),
        _environment($comparison, $is_verbose), _limit($comparison);
}

sub _title {
    my ($comparison) = @_;
    return (measure($comparison) . ': FILE compared with BASE', (map { _named($comparison, $_) } 0, 1),
        map { wrapped('  ', $_) } _cpus($comparison));
}

sub _cpus {
    my ($comparison) = @_;
    my @cpus = map { $_->{cpus} // return } @$comparison{qw(base file)};
    my $number = $cpus[0] == $cpus[1] ? $cpus[0] : "$cpus[0] and $cpus[1]";
    return "$number CPUs pooled; --per-cpu compares them one by one";
}

sub _named {
    my ($comparison, $i) = @_;
    my ($name, $file) = ($comparison->{names}[$i], printable($comparison->{(qw(base file))[$i]}{file}));
    my $side = (qw(BASE FILE))[$i];
    return "  $side  $file" . ($file =~ m{(?:^|/)\Q$name\E(?:, CPU \d+)?\z} || $name eq $side ? '' : " ($name)");
}

sub _table {
    my ($comparison) = @_;
    my @names = @{ $comparison->{names} };
    @names = qw(BASE FILE) if grep { width($_) > CELL_WIDTH } @names;
    my ($base, $file) = @$comparison{qw(base file)};
    my @rows = until_refused(@{ $comparison->{percentiles} });
    my @ratio = ({ head => 'ratio', width => RATIO_WIDTH }, { head => '95 % interval', align => 'left' });
    my $table = Realfeel::Base::Table->new(
        columns => [{ head => '', width => LABEL_WIDTH }, (map { { head => $_, width => CELL_WIDTH } } @names),
            (grep { defined $_->{ratio} } @rows) ? @ratio : ()],
        rows    => [
            [count => map { "$_->{count}   " } $base, $file],
            (map { [_percentile($_)] } @rows),
            [max => map { us($_->{max_us}) } $base, $file],
        ],
    );
    return map { "  $_" } $table->text;
}

sub _percentile {
    my ($row) = @_;
    my $label = "p$row->{percentile}";
    return ($label, { text => $row->{reason}, colspan => 4 }) if $row->{reason};
    my @ratio = defined $row->{ratio} ? (decimal($row->{ratio}, 3), bounds($row) . ($row->{differs} ? ' *' : '')) : ();
    return ($label, (map { us($_) } @$row{qw(base_us file_us)}), @ratio);
}

sub _environment {
    my ($comparison, $is_verbose) = @_;
    my @differences = @{ $comparison->{environment} };
    return wrapped('  ', _no_difference($comparison)) unless @differences;
    return _differing(map { $_->[0] } @differences) unless $is_verbose;
    return ('  environment differences (BASE -> FILE)',
        map { wrapped("    $_->[0]  ", "$_->[1] -> $_->[2]") } @differences);
}

# An imported file tells little of its run.
sub _no_difference {
    my ($comparison) = @_;
    my @told = @{ $comparison->{environment_told} };
    my $is_imported = grep { defined $comparison->{$_}{report}->header('lateness_of') } qw(base file);
    return !@told ? 'Machine, rights and settings cannot be compared: not every file records them.'
        : $is_imported
        ? 'Machine, rights and settings: no differences in what both files record, ' . join(', ', @told) . '.'
        : 'No differences in machine, rights or settings.';
}

# One line of as many as fit.
sub _differing {
    my @keys = @_;
    my @told = @keys;
    my $line = sub {
        my $more = @keys - @told;
        return '  environment differs: ' . join(', ', @told) . ($more ? " and $more more" : '') . ' (-v)';
    };
    pop @told while @told > 1 && width($line->()) > WIDTH;
    return $line->();
}

sub _limit {
    my ($comparison) = @_;
    my $limit = $comparison->{limit} or return;
    my $known = defined $limit->{exceeded};
    return ('', wrapped('  ', sprintf 'limit: the ratio at p%s %s %s%s.', $limit->{percentile},
        !$known ? 'cannot be judged against' : $limit->{exceeded} ? 'is above' : 'is not above',
        $limit->{limit}, $known ? ' beyond chance' : ": $limit->{reason}"));
}

1;
