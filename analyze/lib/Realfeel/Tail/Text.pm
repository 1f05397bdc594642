# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Text;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Realfeel::Report::Measures qw(measure_name);
use Realfeel::Table;
use Realfeel::Units qw(duration printable wrapped);

use constant {
    FACT_WIDTH => 12,
    LARGE      => 1e15,
    WARNING    => 'This is an extrapolation: it goes beyond what was measured. It is neither a bound nor a guarantee.'
        . ' It must not be believed where the machine, its load or its settings changed during the run or change after'
        . ' it, nor where a rare cause makes wake-ups later than the frequent ones do. It does not include causes that'
        . ' did not act during the run.',
    DOUBTED    => 'The figures show what the reasons mean; do not quote them.',
    READING    => 'A return level is exceeded once in that many %s on average; 37 of 100 runs of that'
        . ' length stay below it.',
};

=head1 NAME

Realfeel::Tail::Text - a tail estimate in words

=head1 FUNCTIONS

=head2 text($report, $estimate)

The text of an estimate that L<Realfeel::Tail> made of a L<Realfeel::Report>: first what it is, then why it must not be
believed, where that is so.

=cut

sub text {
    my ($report, $estimate) = @_;
    my @doubts = @{ $estimate->{doubts} };
    my $counted = $report->latency_words('value') . 's';
    return join "\n",
        printable($report->file) . ': tail estimate' . (@doubts ? ', UNRELIABLE' : ''),
        (map { wrapped('  * ', $_) } @doubts), (@doubts ? (wrapped('  ', DOUBTED), '') : ()),
        wrapped('  ', WARNING), '',
        _facts($estimate, $counted), '',
        _levels($estimate, $counted), '', wrapped('  ', sprintf READING, $counted), '';
}

sub _facts {
    my ($estimate, $counted) = @_;
    my ($run, $blocks, $fit) = @$estimate{qw(run blocks fit)};
    return map { wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } (
        [measure => ($estimate->{measure} eq 'interval' ? 'signed ' : '') . measure_name($estimate->{measure})
            . ', the maximum of each block'],
        [run => "$run->{periods} $counted, " . duration($run->{duration_s}) . ", maximum $run->{max_us} us"],
        [blocks => _blocks($blocks, $counted)],
        [fit => "generalized extreme value distribution of the $fit->{fitted} latest, above $fit->{threshold_us} us"],
        (map { [$_ => _number($fit->{"${_}_us"}) . ' us'] } qw(location scale)),
        [shape => _number($fit->{shape})],
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

sub _levels {
    my ($estimate, $counted) = @_;
    my $table = Realfeel::Table->new(
        columns => ['run', $counted, 'time', 'level', '95 % interval'],
        rows    => [map { _level($_) } @{ $estimate->{levels} }],
    );
    return '  return levels in us' . (@{ $estimate->{doubts} } ? ' (unreliable)' : ''), map { "    $_" } $table->text;
}

sub _level {
    my ($level) = @_;
    my ($times, $value, $low, $high) = map { _number($_) } @$level{qw(times_the_run level_us low_us high_us)};
    return ["$times x", $level->{periods}, duration($level->{duration_s}), $value, "$low to $high"];
}

1;
