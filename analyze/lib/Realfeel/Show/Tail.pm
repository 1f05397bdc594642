# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Tail;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(figures text);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration printable significant wrapped);
use Realfeel::Model::Report::Measures qw(measure_name);
use Realfeel::Show::Circumstances qw(fact_lines);
use Realfeel::Show::Words qw(words);

use constant {
    DIGITS     => 4,            # an extrapolation has no more
    FACT_WIDTH => 12,
    LARGE      => 1e15,
};

=head1 NAME

Realfeel::Show::Tail - a tail estimate in words

=head1 FUNCTIONS

=head2 text($report, $estimate)

The text of an estimate that L<Realfeel::Answer::Tail> made of a L<Realfeel::Model::Report>: first the limit of the
longer run, or why it must not be believed, where that is so; then all limits, and what they are made from.

=cut

sub text {
    my ($report, $estimate) = @_;
    my $told = figures($estimate);
    my $counted = words('column.values', value => $report->latency_words('value'));
    my $is_good = $told->{believable};
    return join "\n",
        words($is_good ? 'tail.title' : 'tail.title_doubted', file => printable($report->file)),
        $is_good ? wrapped('  ', _answer($told)) : _against(@{ $told->{doubts} }),
        '', _levels($told, $counted), '', _facts($told, $counted), '', wrapped('  ', words('tail.warning')), '';
}

sub _against {
    my @doubts = @_;
    return ((map { wrapped('  * ', $_) } @doubts), '  ' . words('tail.doubted'));
}

# The first that is longer than the run.
sub _answer {
    my ($told) = @_;
    my $level = $told->{levels}[1];
    my ($times, $high) = map { _number($_) } @$level{qw(times_the_run high_us)};
    return words('tail.answer', measure => _measure($told), duration => duration($level->{duration_s}),
        times => $times, high => $high);
}

sub _measure {
    my ($told) = @_;
    my ($key, $name) = ($told->{measure}, measure_name($told->{measure}));
    return $key eq 'interval' ? words('measure.signed', measure => $name) : $name;
}

=head2 figures($estimate)

The estimate as it is told: with four significant digits, and its doubts in words.

=cut

sub figures {
    my ($estimate) = @_;
    my ($blocks, $tail, $levels, $doubts) = @$estimate{qw(blocks tail levels doubts)};
    return {
        %$estimate,
        doubts => [map { _doubt(%$_) } @$doubts],
        blocks => _rounded($blocks, qw(periods duration_s trend)),
        tail   => _rounded($tail, 'exponent'),
        levels => [map { _rounded($_, qw(duration_s times_the_run high_us)) } @$levels],
    };
}

sub _rounded {
    my ($figures, @keys) = @_;
    my @known = grep { defined $figures->{$_} } @keys;
    return { %$figures, map { $_ => significant($figures->{$_}, DIGITS) } @known };
}

sub _doubt {
    my (%doubt) = @_;
    my $one = $doubt{code} eq 'not_valid' && $doubt{runs} == 1 ? '_one' : '';
    return words("tail.doubt_$doubt{code}$one", %doubt, keys => join(', ', @{ $doubt{keys} // [] }),
        tau => sprintf '%+.2f', $doubt{tau} // 0);
}

sub _levels {
    my ($told, $counted) = @_;
    my $table = Realfeel::Base::Table->new(
        columns => [words('tail.run'), $counted, words('tail.time'), words('tail.at_most')],
        rows    => [map { _level($_) } @{ $told->{levels} }],
    );
    return map { "    $_" } $table->text;
}

sub _level {
    my ($level) = @_;
    my ($times, $high) = map { _number($_) } @$level{qw(times_the_run high_us)};
    return ["$times x", $level->{periods}, duration($level->{duration_s}), $high];
}

sub _facts {
    my ($told, $counted) = @_;
    my ($run, $blocks, $tail) = @$told{qw(run blocks tail)};
    my %facts = (
        measure => words('tail.of_blocks', measure => _measure($told)),
        run     => words('tail.of_run', %$run, counted => $counted, duration => duration($run->{duration_s})),
        blocks  => _blocks($blocks, $counted),
        tail    => words('tail.goes_on', %$tail, times => _number(0 + sprintf '%.3g', 10**$tail->{exponent})),
    );
    return fact_lines(FACT_WIDTH, map { [words("label.$_"), $facts{$_}] } qw(measure run blocks tail));
}

sub _blocks {
    my ($blocks, $counted) = @_;
    my ($periods, $seconds) = map { _number($_) } @$blocks{qw(periods duration_s)};
    return join '',
        words('tail.blocks', %$blocks, periods => $periods, counted => $counted, seconds => $seconds),
        words($blocks->{slices} > 1 ? 'tail.slices_each' : 'tail.slice_each', %$blocks),
        $blocks->{runs} > 1 ? words('tail.of_runs', %$blocks) : (),
        $blocks->{slices_left_out} ? words('tail.left_out', %$blocks) : ();
}

sub _number {
    my ($number) = @_;
    return words('unknown') unless defined $number;
    return sprintf $number != int $number ? '%.15g' : abs $number < LARGE ? '%.0f' : '%.3e', $number;
}

1;
