# SPDX-License-Identifier: GPL-2.0-or-later
# The text of realfeel-analyze stats --verbose.
package Realfeel::Show::Listing;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(listing named of_run);

use List::Util qw(max min uniqnum);
use Realfeel::Answer::Percentiles qw(ladder);
use Realfeel::Answer::Stats qw(figured measures objections);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(percent printable short us wrapped);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Show::Circumstances qw(fact_lines placed);
use Realfeel::Show::Figures qw(bracketed lack_words measure_words objection_words sufficiency_words);
use Realfeel::Show::Ranking qw(cpus_table worst_lines);
use Realfeel::Show::Words qw(words);

use constant {
    FACT_WIDTH  => 10,
    LABEL_WIDTH => 16,
    CELL_WIDTH  => 26,
    UNIT_WIDTH  => length ' us',
};

# All CPUs together, preceded by a row for each of several
sub of_run ($run) {
    return listing(pooled($run), @{ $run->{reports} } > 1 ? cpus_table($run) : ());
}

# Verdict first, then @tables, worst wake-ups last; 80 columns if header values allow
sub listing ($report, @tables) {
    my @measures = measures($report);
    my @first = figured($report, { map { $_->{key} => $_ } @measures });
    my ($latency) = grep { $_->{key} eq $report->latency_name } @first;
    my @sections = (
        (map { [map { "  $_" } $_->text] } @tables),
        [fact_lines(FACT_WIDTH, placed($report, @first))],
        [map { $_ && "  $_" } _table(@first)->text(1)],
        [map { "  $_" } map { $_->text } _percentiles(grep { $_->{key} ne 'wakeup' || $_ == $latency } @measures)],
        [map { wrapped('  ', $_) } sufficiency_words($report, @first)],
        [map { $_ && "  $_" } $latency ? worst_lines($latency, $report) : ()],
    );
    return join "\n", named($report), _objections($report), (map { (@$_, '') } grep { @$_ } @sections);
}

# The first line: the name of the run and its verdict
sub named ($report) {
    my $verdict = $report->verdict;
    my $word = !$verdict ? words('no_verdict') : $verdict eq 'valid' ? $verdict : uc $verdict;
    return printable($report->file) . ": $word";
}

sub _objections ($report) {
    my @objections = map { wrapped('  * ', objection_words($_)) } objections($report);
    return (@objections, @objections ? '' : ());
}

sub _table (@measures) {
    my @summaries = map { $_->{summary} } @measures;
    return Realfeel::Base::Table->new(
        columns => [{ head => '', width => LABEL_WIDTH },
            map { { head => _aligned(measure_words($_), ''), width => CELL_WIDTH } } @measures],
        rows    => [
            ['count', map { _aligned($_->{count}, '') } @summaries],
            (map { _time_row($_, @summaries) } qw(min mean sd mode max)),
            _ladder_rows(map { $_->{distribution} } @measures),
        ],
    );
}

sub _time_row ($name, @summaries) {
    my @times = map { $_->{"${name}_us"} } @summaries;
    return [$name, map { defined $_ ? _aligned(us($_), ' us') : _aligned('-', '') } @times];
}

sub _ladder_rows {
    my @distributions = grep { $_->n } @_;
    my @thresholds = sort { $a <=> $b } uniqnum map { ladder($_) } @distributions;
    my @rows = map { my $below = $_; [words('below', threshold => $below), map { _share($_, $below) } @distributions] }
        @thresholds;
    return @rows ? ([], @rows) : ();
}

sub _share ($distribution, $threshold) {
    my $count = $distribution->below($threshold);
    return defined $count ? _aligned(percent($count, $distribution->n), ' %') : _aligned('-', '');
}

# Those that one of the measures has
sub _percentiles (@measures) {
    my @lists = map { $_->{summary}{percentiles} } @measures;
    my @rows;
    for my $i (0 .. $#{ $lists[0] }) {
        last unless grep { defined($_->[$i]{value_us} // $_->[$i]{roughly_us}) } @lists;
        push @rows, ["$lists[0][$i]{percentile} %", map { _cell($_->[$i]) } @lists];
    }
    return unless @rows;
    return Realfeel::Base::Table->new(
        caption => words('percentiles'),
        columns => [{ head => '', align => 'right', width => 9 },
            map { { head => measure_words($_, 1), width => 21 } } @measures],
        rows    => \@rows,
    );
}

sub _cell ($percentile) {
    my $roughly = $percentile->{roughly_us};
    return words('roughly', value => short($roughly)) if defined $roughly;
    return $percentile->{lack} eq 'samples' ? words('lack.short', %$percentile) : lack_words($percentile)
        unless defined $percentile->{value_us};
    my ($value, @ends) = map { defined $_ ? short($_) : undef } @$percentile{qw(value_us low_us high_us)};
    return bracketed($value, @ends) // $value;
}

# Numbers end in one column, whether their unit is " us" or " %"
sub _aligned ($text, $unit) {
    return $text . ' ' x max(0, min(CELL_WIDTH - length $text, UNIT_WIDTH - length $unit));
}

1;
