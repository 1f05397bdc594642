# SPDX-License-Identifier: GPL-2.0-or-later
# Compares each run with the first, on the page.
package Realfeel::Show::Page::Comparison;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(comparison_section comparisons conclusions);

use File::Basename qw(basename);
use List::Util qw(all first sum0 uniq uniqnum);
use Realfeel::Answer::Compare qw(compare);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Units qw(decimal refusal);
use Realfeel::Show::Compare::Conclusion qw(conclusion);
use Realfeel::Show::Compare::Grounds qw(bounds cautions intervals measure parts reason until_refused);
use Realfeel::Show::Page::Html qw(element in_us list number paragraph section table text);
use Realfeel::Show::Page::Runs qw(measure_of);
use Realfeel::Show::Words qw(words);

# One for each run after the first, by default by the measure that all have; where impossible, a hash of just reason and
# run
sub comparisons ($measure, $base, @others) {
    $measure //= measure_of($base, @others);
    return map { _compared($measure, $base, $_, scalar @others) } @others;
}

# Two runs may be named by what differs, but with three the first would need two names. File names are shorter here.
sub _compared ($measure, $base, $run, $others) {
    my $comparison = eval { compare($base->{report}, $run->{report}, $measure) };
    return { reason => refusal($@) =~ s/\n\z//r, run => $run } unless $comparison;
    my @files = map { basename($_->{report}->file) } $base, $run;
    $comparison->{names} = [$base->{name}, $run->{name}]
        if $others > 1 || "@{ $comparison->{names} }" eq "@files";
    return { %$comparison, run => $run };
}

# What comes of comparing two runs, and how many periods each missed
sub conclusions ($comparison, @runs) {
    return (conclusion($comparison), $comparison->{identical} ? () : _missed($comparison->{names}, @runs));
}

sub _missed ($names, @runs) {
    my @missed = map { known($_->{report}, 'missed') } @runs;
    return unless all { defined } @missed;
    my $value = $runs[0]{report}->latency_words('value');
    return words('headline.neither', value => $value) unless sum0(@missed);
    return words('headline.both', value => $value, base => $names->[0], of_base => $missed[0], file => $names->[1],
        of_file => $missed[1]);
}

# A table of both sides; with several comparisons, a table of ratios
sub comparison_section {
    my @comparisons = @_ or return;
    my @good = grep { !$_->{reason} && !$_->{identical} } @comparisons;
    my @bad = map { words('page.not_compared', name => $_->{run}{name},
        reason => $_->{reason} // words('compare.limit_identical')) }
        grep { $_->{reason} || $_->{identical} } @comparisons;
    return section(_title(@good), list(@bad), @good == 0 ? () : @comparisons == 1 ? _pair(@good) : _several(@good));
}

sub _title ($comparison = undef, @) {
    return $comparison ? words('page.comparison_by', measure => measure($comparison)) : words('page.comparison');
}

sub _pair ($comparison) {
    my ($names, $base, $file) = @$comparison{qw(names base file)};
    return (
        list(_cautions($comparison)),
        table(
            caption => words('page.compared', base => $names->[0], file => $names->[1]),
            columns => ['', (map { in_us($_) } @$names), words('head.ratio'), words('head.interval')],
            rows    => [(map { _row($names, $_) } until_refused(@{ $comparison->{percentiles} })),
                [in_us(words('head.max')), (map { number($_->{max_us}) } $base, $file), '', '']],
        ),
        map { paragraph($_) } join(' ', intervals($comparison)), _parts($comparison),
    );
}

sub _cautions ($comparison) { return map { words('compare.caution', doubt => $_) } cautions($comparison) }

sub _parts ($comparison) { return map { words('page.parts', parts => $_) } parts($comparison) // () }

sub _row ($names, $row) {
    my $head = words('head.percentile', %$row);
    return [$head, { text => reason($row, $names), class => 'words', colspan => 4 }] if $row->{lacking};
    return [$head, (map { number($_) } @$row{qw(base_us file_us)}),
        defined $row->{ratio} ? (decimal($row->{ratio}, 3), _interval($row)) : (undef, undef)];
}

# Significance is marked by more than a colour
sub _interval ($row) {
    my %class = (lower => 'better', higher => 'worse');
    return { text => bounds($row) . ($row->{differs} ? ' *' : ''), class => $class{ $row->{judgement} } };
}

sub _several (@comparisons) {
    my @given = grep { defined $_->{ratio} } map { @{ $_->{percentiles} } } @comparisons;
    my @percentiles = sort { $a <=> $b } uniqnum map { $_->{percentile} } @given;
    my $base = $comparisons[0]{names}[0];
    return (
        table(
            caption => words('page.ratios', base => $base),
            columns => [words('head.run'), (map { words('head.percentile', percentile => $_) } @percentiles),
                in_us(words('head.max'))],
            rows    => [map { _ratios($_, @percentiles) } @comparisons],
        ),
        paragraph(join ' ', uniq map { intervals($_) } @comparisons),
        paragraph(words('page.each_alone', base => $base)),
        (map { _of_one($_) } @comparisons),
    );
}

sub _ratios ($comparison, @percentiles) {
    my @cells = map { _ratio($comparison, $_) } @percentiles;
    return [$comparison->{names}[1], @cells, number($comparison->{file}{max_us})];
}

sub _ratio ($comparison, $percentile) {
    my $row = first { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
    return { note => reason($row, $comparison->{names}) // words('unknown') } unless defined $row->{ratio};
    my $interval = _interval($row);
    return { text => decimal($row->{ratio}, 3), note => $interval->{text}, class => $interval->{class} };
}

sub _of_one ($comparison) {
    return element('h3', {}, text($comparison->{names}[1])) . "\n"
        . list(conclusion($comparison), _cautions($comparison), _parts($comparison));
}

1;
