# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Tail;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration printable wrapped);
use Realfeel::Model::Report::Measures qw(measure_name);

use constant {
    FACT_WIDTH => 12,
    LARGE      => 1e15,
    WARNING    => 'This is an extrapolation: it goes beyond what was measured. It is neither a bound nor a guarantee.'
        . ' It must not be believed where the machine, its load or its settings changed during the run or change after'
        . ' it, nor where a rare cause makes wake-ups later than the frequent ones do. It does not include causes that'
        . ' did not act during the run.',
    DOUBTED    => 'Do not use these figures.',
    READING    => 'What is exceeded once in that many %s on average is no more than the limit, with 95 %% confidence.',
};

=head1 NAME

Realfeel::Show::Tail - a tail estimate in words

=head1 FUNCTIONS

=head2 text($report, $estimate)

The text of an estimate that L<Realfeel::Answer::Tail> made of a L<Realfeel::Model::Report>: first why it must not be
believed, where that is so, then the limits, and what they are made from.

=cut

sub text {
    my ($report, $estimate) = @_;
    my @doubts = @{ $estimate->{doubts} };
    my $counted = $report->latency_words('value') . 's';
    return join "\n",
        printable($report->file) . ': tail estimate' . (@doubts ? ', UNRELIABLE' : ''),
        (map { wrapped('  * ', $_) } @doubts), (@doubts ? (wrapped('  ', DOUBTED), '') : ()),
        _levels($estimate, $counted), '', wrapped('  ', sprintf READING, $counted), '',
        _facts($estimate, $counted), '', wrapped('  ', WARNING), '';
}

sub _levels {
    my ($estimate, $counted) = @_;
    my $table = Realfeel::Base::Table->new(
        columns => ['run', $counted, 'time', 'at most us'],
        rows    => [map { _level($_) } @{ $estimate->{levels} }],
    );
    return map { "    $_" } $table->text;
}

sub _level {
    my ($level) = @_;
    my ($times, $high) = map { _number($_) } @$level{qw(times_the_run high_us)};
    return ["$times x", $level->{periods}, duration($level->{duration_s}), $high];
}

sub _facts {
    my ($estimate, $counted) = @_;
    my ($run, $blocks, $tail) = @$estimate{qw(run blocks tail)};
    return map { wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } (
        [measure => ($estimate->{measure} eq 'interval' ? 'signed ' : '') . measure_name($estimate->{measure})
            . ', the maximum of each block'],
        [run => "$run->{periods} $counted, " . duration($run->{duration_s}) . ", maximum $run->{max_us} us"],
        [blocks => _blocks($blocks, $counted)],
        [tail => sprintf 'ten times the run is at most %s times as late, by the %d latest maxima, above %s us',
            _number(0 + sprintf '%.3g', 10**$tail->{exponent}), @$tail{qw(fitted threshold_us)}],
    );
}

sub _blocks {
    my ($blocks, $counted) = @_;
    return sprintf "%d of %s $counted, %s s%s%s%s",
        $blocks->{count}, _number($blocks->{periods}), _number($blocks->{duration_s}),
        $blocks->{slices} > 1 ? ", $blocks->{slices} slices each" : ', one slice each',
        $blocks->{runs} > 1 ? ", of $blocks->{runs} runs" : '',
        $blocks->{slices_left_out} ? "; slices left out at the end: $blocks->{slices_left_out}" : '';
}

sub _number {
    my ($number) = @_;
    return 'unknown' unless defined $number;
    return sprintf $number != int $number ? '%.15g' : abs $number < LARGE ? '%.0f' : '%.3e', $number;
}

1;
