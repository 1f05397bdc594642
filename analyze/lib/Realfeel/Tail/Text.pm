# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Text;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Realfeel::Units qw(duration printable);
use Text::Wrap ();

use constant {
    WIDTH      => 80,
    FACT_WIDTH => 12,
    LARGE      => 1e15,
    MEASURES   => { lateness => 'lateness', interval => 'signed interval error' },
    WARNING    => 'This is an extrapolation: figures for what was not measured. It is neither a bound nor a guarantee.'
        . ' It must not be believed where the machine, its load or its settings changed during the run or change after'
        . ' it, nor where a rare cause makes wake-ups later than the frequent ones do. It knows nothing of a cause that'
        . ' did not act during the run.',
    DOUBTED    => 'The figures show what the reasons mean; they are not to be quoted.',
    READING    => 'A return level is what is exceeded once in so many periods on average; 37 of 100 runs of that'
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
    return join "\n",
        printable($report->file) . ': tail estimate' . (@doubts ? ', UNRELIABLE' : ''),
        (map { _wrapped('  * ', $_) } @doubts), (@doubts ? (_wrapped('  ', DOUBTED), '') : ()),
        _wrapped('  ', WARNING), '',
        _facts($estimate), '',
        _levels($estimate), '', _wrapped('  ', READING), '';
}

sub _facts {
    my ($estimate) = @_;
    my ($run, $blocks, $fit) = @$estimate{qw(run blocks fit)};
    return map { _wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } (
        [measure => MEASURES->{ $estimate->{measure} } . ', the maximum of each block'],
        [run => sprintf '%s periods, %s, maximum %s us', $run->{periods}, duration($run->{duration_s}), $run->{max_us}],
        [blocks => _blocks($blocks)],
        [fit => "generalized extreme value distribution of the $fit->{fitted} latest, above $fit->{threshold_us} us"],
        (map { [$_ => _number($fit->{"${_}_us"}) . ' us'] } qw(location scale)),
        [shape => _number($fit->{shape})],
    );
}

sub _blocks {
    my ($blocks) = @_;
    return sprintf '%d of %s periods, %s s%s%s%s',
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
    my ($estimate) = @_;
    return '  return levels in us' . (@{ $estimate->{doubts} } ? ' (unreliable)' : ''),
        _table(['run', 'periods', 'time', 'level', '95 % interval'],
        map { [_number($_->{times_the_run}) . ' x', $_->{periods}, duration($_->{duration_s}), _number($_->{level_us}),
            join ' to ', map { _number($_) } @$_{qw(low_us high_us)}] } @{ $estimate->{levels} });
}

# Right-justified.
sub _table {
    my @rows = @_;
    my @widths;
    for my $row (@rows) {
        for my $i (0 .. $#$row) {
            $widths[$i] = length $row->[$i] if length $row->[$i] > ($widths[$i] // 0);
        }
    }
    my $format = '    ' . join '  ', map { "%${_}s" } @widths;
    return map { sprintf $format, @$_ } @rows;
}

sub _wrapped {
    my ($lead, $text) = @_;
    local $Text::Wrap::columns  = WIDTH + 1;
    local $Text::Wrap::huge     = 'overflow';
    local $Text::Wrap::unexpand = 0;
    return Text::Wrap::wrap($lead, ' ' x length $lead, printable($text));
}

1;
