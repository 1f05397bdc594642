# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Tail::Text;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Realfeel::Units qw(decimal duration printable);
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
    SILENCE    => 'No check speaks against it. That proves little: so few blocks do not tell a rare second cause from'
        . ' chance.',
    DOUBTED    => 'The figures show what the reasons mean; they are not to be quoted.',
    READING    => 'A return level is what is exceeded once in so many periods on average; 37 of 100 runs of that'
        . ' length stay below it. The interval has a confidence of 95 % where the fit is right, and says nothing of'
        . ' whether it is.',
    TAILS => {
        bounded     => 'less than 0, the fit has an upper end at ',
        heavy       => 'more than 0, a heavy tail that falls off like a power',
        'not known' => 'not told from 0, as of a tail that falls off exponentially',
    },
    CHECKS => [
        [fit        => 'Anderson-Darling distance from the fit'],
        [modes      => 'dip of Hartigan: more than one mode?'],
        [gap        => 'widest gap in the upper half: one cause?'],
        [trend      => 'Mann-Kendall tau: trend over the run?'],
        [halves     => 'Kolmogorov-Smirnov distance of the halves'],
        [neighbours => 'rank correlation of neighbouring blocks'],
        [runs       => 'Kruskal-Wallis: do the runs differ?'],
    ],
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
        (map { _wrapped('  * ', $_) } @doubts), _wrapped('  ', @doubts ? DOUBTED : SILENCE), '',
        _wrapped('  ', WARNING), '',
        _facts($estimate), '',
        _levels($estimate), '', _wrapped('  ', READING), '',
        _checks($estimate), '',
        _maxima($estimate), '';
}

sub _facts {
    my ($estimate) = @_;
    my ($run, $blocks, $fit, $peaks) = @$estimate{qw(run blocks fit peaks)};
    return map { _wrapped(sprintf('  %-*s', FACT_WIDTH, $_->[0]), $_->[1]) } (
        [measure => MEASURES->{ $estimate->{measure} } . ', the maximum of each block'],
        [run => sprintf '%s periods, %s, maximum %s us', $run->{periods}, duration($run->{duration_s}), $run->{max_us}],
        [blocks => _blocks($blocks)],
        [fit => 'generalized extreme value distribution, by maximum likelihood'],
        (map { [$_ => _parameter($fit, $_, '_us') . ' us'] } qw(location scale)),
        [shape => _parameter($fit, 'shape', '') . ': ' . TAILS->{ $fit->{tail} }
            . (defined $fit->{endpoint_us} ? _number($fit->{endpoint_us}) . ' us' : '')],
        $peaks ? [peaks => sprintf 'generalized Pareto distribution of %d peaks over %s us, in %d slices; shape %s',
            $peaks->{count}, $peaks->{threshold_us}, $peaks->{slices_above}, _parameter($peaks, 'shape', '')] : (),
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

sub _parameter {
    my ($fit, $name, $unit) = @_;
    return _number($fit->{"$name$unit"}) . ' +- ' . _number($fit->{"${name}_error$unit"});
}

sub _number {
    my ($number) = @_;
    return 'unknown' unless defined $number;
    return sprintf $number != int $number ? '%.15g' : abs $number < LARGE ? '%.0f' : '%.3e', $number;
}

sub _levels {
    my ($estimate) = @_;
    my $mark = @{ $estimate->{doubts} } ? 'return levels in us (unreliable)' : 'return levels in us';
    my $peaks = grep { defined $_->{peaks_us} } @{ $estimate->{levels} };
    return "  $mark", _table(
        ['run', 'periods', 'time', 'level', '95 % interval', $peaks ? ('by peaks', '95 % interval') : ()],
        map { [_number($_->{times_the_run}) . ' x', $_->{periods}, duration($_->{duration_s}), _estimate($_, ''),
            $peaks ? _estimate($_, 'peaks_') : ()] } @{ $estimate->{levels} });
}

sub _estimate {
    my ($level, $of) = @_;
    my $value = $level->{ $of ? 'peaks_us' : 'level_us' };
    return ('-', '-') unless defined $value;
    return (_number($value), join ' to ', map { _number($level->{"$of${_}_us"}) } qw(low high));
}

sub _checks {
    my ($estimate) = @_;
    my $checks = $estimate->{checks};
    my @rows = map { my ($name, $text) = @$_; my $check = $checks->{$name};
        $check ? [$text, decimal($check->{value}, 3), $check->{p} < 0.001 ? '< 0.001' : decimal($check->{p}, 3)] : ()
    } @{ CHECKS() };
    return "  checks (p: how often chance alone does this; drawings from the fit with seed $estimate->{seed})",
        _table(['', 'value', 'p'], @rows);
}

sub _maxima {
    my ($estimate) = @_;
    return '  the largest block maxima in us', _table(['rank', 'measured', 'fitted'],
        map { [$_->{rank}, _number($_->{measured_us}), _number($_->{fitted_us})] } @{ $estimate->{maxima} }),
        sprintf '  By the fit, %s of 100 such runs reach the maximum of this one.',
            $estimate->{checks}{maximum}{p} < 0.001 ? 'fewer than 0.1'
                : decimal(100 * $estimate->{checks}{maximum}{p}, 1);
}

# Right-justified; a first column without a heading is one of texts.
sub _table {
    my @rows = @_;
    my @widths;
    for my $row (@rows) {
        for my $i (0 .. $#$row) {
            $widths[$i] = length $row->[$i] if length $row->[$i] > ($widths[$i] // 0);
        }
    }
    my $first = $rows[0][0] eq '' ? '-' : '';
    my $format = '    ' . join '  ', map { '%' . ($_ ? '' : $first) . "$widths[$_]s" } 0 .. $#widths;
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
