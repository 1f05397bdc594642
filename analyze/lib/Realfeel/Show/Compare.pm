# SPDX-License-Identifier: GPL-2.0-or-later
# The text of realfeel-analyze compare.
package Realfeel::Show::Compare;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(text texts);

use List::Util qw(uniq uniqnum);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(decimal printable short_us width wrapped);
use Realfeel::Show::Compare::Conclusion qw(conclusion);
use Realfeel::Show::Compare::Grounds qw(bounds cautions differing intervals legend limit measure parts reason
    until_refused);
use Realfeel::Show::Circumstances qw(fact_lines);
use Realfeel::Show::Words qw(words);

use constant {
    FACT_WIDTH  => 9,
    LABEL_WIDTH => 11,
    CELL_WIDTH  => 16,
    RATIO_WIDTH => 7,
    WIDTH       => 80,
};

# Comparisons of the CPUs of a run are preceded by a table with a row for each CPU
sub texts ($is_verbose, @comparisons) {
    my @of_cpus = grep { defined $_->{cpu} } @comparisons;
    my @runs = uniq map { $_->{file}{report}->run_name } @of_cpus;
    my @overviews = map { my $run = $_; _overview(grep { $_->{file}{report}->run_name eq $run } @of_cpus) } @runs;
    return join "\n", @overviews, map { text($_, $is_verbose) } @comparisons;
}

sub _overview (@of_cpus) {
    my @given = uniqnum map { $_->{percentile} } grep { defined $_->{ratio} } map { @{ $_->{percentiles} } } @of_cpus;
    my $table = Realfeel::Base::Table->new(
        caption => words('compare.ratios_of_cpus'),
        columns => ['CPU', map { "$_  " } (map { "p$_" } @given), 'max'],
        rows    => [map { [$_->{cpu}, _ratios($_, @given)] } @of_cpus],
    );
    my ($base, $file) = map { printable($of_cpus[0]{$_}{report}->run_name) } qw(base file);
    return join '', map { "$_\n" } words('compare.title_per_cpu', measure => measure($of_cpus[0])), "  BASE  $base",
        "  FILE  $file", wrapped('  ', words('compare.by_itself')), '', map { "  $_" } $table->text;
}

sub _ratios ($comparison, @given) {
    return { text => words('compare.limit_identical'), colspan => 1 + @given } if $comparison->{identical};
    my %row = map { $_->{percentile} => $_ } @{ $comparison->{percentiles} };
    my ($base, $file) = map { $_->{max_us} } @$comparison{qw(base file)};
    return ((map { _ratio(@{ $row{$_} }{qw(ratio differs)}) } @given),
        _ratio($base > 0 ? $file / $base : undef, $comparison->{maxima}{differ}));
}

sub _ratio ($ratio, $differs) {
    return (defined $ratio ? decimal($ratio, 3) : '-') . ($differs ? ' *' : '  ');
}

# Doubts, then the conclusion, then what it rests on, in detail if $is_verbose; 80 columns if names allow
sub text ($comparison, $is_verbose) {
    my @cautions = map { wrapped('  * ', words('compare.caution', doubt => $_)) } cautions($comparison);
    my @lines = (_title($comparison), @cautions ? ('', @cautions) : (), '');
    push @lines, $comparison->{identical} ? '  ' . words('compare.identical_text')
        : (wrapped('  ', conclusion($comparison)), '', _grounds($comparison, $is_verbose));
    push @lines, '', wrapped('  ', limit($comparison)) if $comparison->{limit};
    return join '', map { "$_\n" } @lines;
}

sub _grounds ($comparison, $is_verbose) {
    return (_table($comparison), '',
        (map { (wrapped('  ', $_), '') } $is_verbose ? join ' ', intervals($comparison) : legend($comparison)),
        (map { (fact_lines(FACT_WIDTH, ['parts', $_]), '') } parts($comparison) // ()),
        _environment($comparison, $is_verbose));
}

sub _title ($comparison) {
    return (words('compare.title', measure => measure($comparison)), (map { _named($comparison, $_) } 0, 1),
        map { wrapped('  ', $_) } _cpus($comparison));
}

sub _cpus ($comparison) {
    my @cpus = map { $_->{cpus} // return } @$comparison{qw(base file)};
    my $pooled = $comparison->{are_threads} ? 'compare.pooled_threads' : 'compare.pooled';
    return words($pooled, cpus => $cpus[0] == $cpus[1] ? $cpus[0]
        : words('compare.and', names => $cpus[0], last => $cpus[1]));
}

sub _named ($comparison, $i) {
    my ($name, $file) = ($comparison->{names}[$i], printable($comparison->{(qw(base file))[$i]}{file}));
    my $side = (qw(BASE FILE))[$i];
    return "  $side  $file" . ($file =~ m{(?:^|/)\Q$name\E(?:, CPU \d+)?\z} || $name eq $side ? '' : " ($name)");
}

sub _table ($comparison) {
    my @names = @{ $comparison->{names} };
    @names = qw(BASE FILE) if grep { width($_) > CELL_WIDTH } @names;
    my ($base, $file) = @$comparison{qw(base file)};
    my @rows = until_refused(@{ $comparison->{percentiles} });
    my @ratio = ({ head => 'ratio', width => RATIO_WIDTH },
        { head => '95 % interval', align => 'left' });
    my $table = Realfeel::Base::Table->new(
        columns => [{ head => '', width => LABEL_WIDTH }, (map { { head => $_, width => CELL_WIDTH } } @names),
            (grep { defined $_->{ratio} } @rows) ? @ratio : ()],
        rows    => [
            ['count', map { "$_->{count}   " } $base, $file],
            (map { [_percentile($_, \@names)] } @rows),
            ['max', map { short_us($_->{max_us}) } $base, $file],
        ],
    );
    return map { "  $_" } $table->text;
}

sub _percentile ($row, $names) {
    my $label = "p$row->{percentile}";
    return ($label, { text => reason($row, $names), colspan => 4 }) if $row->{lacking};
    my @ratio = defined $row->{ratio} ? (decimal($row->{ratio}, 3), bounds($row) . ($row->{differs} ? ' *' : '')) : ();
    return ($label, (map { short_us($_) } @$row{qw(base_us file_us)}), @ratio);
}

sub _environment ($comparison, $is_verbose) {
    my @differences = @{ $comparison->{environment} };
    return wrapped('  ', _no_difference($comparison)) unless @differences;
    return _differing(map { $_->{key} } @differences) unless $is_verbose;
    return ('  ' . words('compare.environment'),
        map { wrapped("    $_->{key}  ", join ' -> ', differing($_)) } @differences);
}

# Imported files tell little of their run
sub _no_difference ($comparison) {
    my @told = @{ $comparison->{environment_told} } or return words('compare.environment_unknown');
    my $is_imported = grep { defined $comparison->{$_}{report}->header('lateness_of') } qw(base file);
    return words($is_imported ? 'compare.environment_told' : 'compare.environment_alike', keys => join ', ', @told);
}

# One line of as many keys as fit
sub _differing (@keys) {
    my @told = @keys;
    my $line = sub {
        my $more = @keys - @told;
        return '  ' . words('compare.environment_brief', keys => join(', ', @told),
            more => $more ? words('compare.environment_more', more => $more) : '');
    };
    pop @told while @told > 1 && width($line->()) > WIDTH;
    return $line->();
}

1;
