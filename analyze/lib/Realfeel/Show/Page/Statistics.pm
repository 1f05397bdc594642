# SPDX-License-Identifier: GPL-2.0-or-later
# Figures and worst wake-ups, as tables of the page.
package Realfeel::Show::Page::Statistics;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(cpus events more statistics);

use List::Util qw(uniq uniqnum);
use Realfeel::Answer::Percentiles qw(ladder);
use Realfeel::Answer::Stats qw(figured known sufficiency);
use Realfeel::Base::Units qw(percent);
use Realfeel::Input::Keys qw(LATENCIES);
use Realfeel::Show::Figures qw(enough_words lack_words measure_words);
use Realfeel::Show::Page::Html qw(element in_us list micro number paragraph retold section table text);
use Realfeel::Show::Page::Runs qw(badge cpus_of measure_of objections_to verdict);
use Realfeel::Show::Ranking qw(cpus_table worst_tables);
use Realfeel::Show::Words qw(words);

use constant MEASURES => (LATENCIES, qw(interval wakeups));
use constant {
    BEGINS_WITH_PERCENTILE => { needs => 1 },       # p99, which has no capital
    SHORT => 4.5,               # a column of the CPUs, in the height of a letter
};

# A table for each run on several CPUs, with a row for each
sub cpus (@runs) {
    return section(words('page.cpus'), map { _cpus_of($_) } grep { cpus_of($_) } @runs);
}

sub _cpus_of ($run) {
    my $table = cpus_table($run->{run});
    my @signs = map { words("sign.$_") } $table->signs;
    return retold($run->{called}, $table, note => @signs ? "@signs" : undef,
        columns => [map { { %$_, room => SHORT } } $table->columns]);
}

# The first sections: the measures of one run side by side; for several the percentiles of their common measure,
# verdicts and missed periods
sub statistics (@runs) {
    my $key = measure_of(@runs) // 'lateness';
    return (_percentiles_section($key, \&_percentiles, @runs), _figures_section($key, @runs), _enough_section(@runs))
        if @runs == 1;
    my $columns = sub { (_circumstances(@runs), _percentiles(@_), _maximum(@_)) };
    return (_percentiles_section($key, $columns, @runs), objections_to(@runs));
}

# The rest: other measures of several runs, whether they are long enough, and shares below thresholds
sub more (@runs) {
    my $first = measure_of(@runs) // 'lateness';
    my @others = @runs == 1 ? () : grep { $_ ne $first } MEASURES;
    return (
        @runs == 1 ? () : (_enough_section(@runs), _figures_section($first, @runs)),
        (map { (_figures_section($_, @runs), _percentiles_section($_, \&_percentiles, @runs)) } @others),
        section(words('page.shares'), map { _table($_, \&_shares, 'shares', @runs) } @runs == 1 ? $first : MEASURES),
    );
}

sub _figures_section ($key, @runs) {
    my $figures = sub { (_count(@_), @runs == 1 ? _missed($runs[0], @_) : (), _moments(@_)) };
    return section(_title('figures', $key, @runs), _table($key, $figures, 'figures', @runs));
}

sub _percentiles_section ($key, $figures, @runs) {
    return section(_title('percentiles', $key, @runs), _table($key, $figures, 'percentiles', @runs));
}

# One run has all measures in a table
sub _title ($code, $key, @runs) {
    my ($known) = @runs > 1 ? grep { defined } map { $_->{measures}{$key} } @runs : ();
    return $known ? words("page.${code}_of", measure => measure_words($known, 1)) : words("page.$code");
}

sub _enough_section (@runs) {
    return section(words('page.enough'), map { _enough($_) } @runs);
}

# For one run a column for each measure, for several a row for each run. $figures->(@measures) returns for each figure
# its heading and a cell for each measure, undef if missing.
sub _table ($key, $figures, $caption, @runs) {
    my @measures = @runs > 1 ? map({ $_->{measures}{$key} } @runs)
        : grep { defined } @{ $runs[0]{measures} }{ +MEASURES };
    my ($known) = grep { defined } @measures or return;
    my @figures = $figures->(@measures) or return;
    $caption = words("caption.$caption") . ($caption eq 'percentiles' ? _without_interval(@measures) : '');
    return table(caption => ucfirst $caption, columns => ['', map { measure_words($_) } @measures], rows => \@figures)
        if @runs == 1;
    my @rows = map { my $i = $_; [$runs[$i]{name}, map { $_->[$i + 1] } @figures] } 0 .. $#runs;
    return table(
        caption => words('caption.of_measure', measure => ucfirst measure_words($known, 1), caption => $caption),
        columns => [words('head.run'), map { $_->[0] } @figures],
        rows    => \@rows,
    );
}

# Said once, not in each cell
sub _without_interval {
    my $is_short = grep { $_->{open} } map { @{ $_->{summary}{percentiles} } } grep { defined } @_;
    return $is_short ? words('caption.short', short => words('short')) : '';
}

sub _count { return [words('head.count'), map { $_ && $_->{summary}{count} } @_] }

# Beside the latency, whose periods they are
sub _missed ($run, @measures) {
    my $latency = $run->{report}->latency_name;
    return unless grep { $_->{key} eq $latency } @measures;
    return [words('head.missed'), map { $_->{key} eq $latency ? known($run->{report}, 'missed') : '' } @measures];
}

sub _moments (@measures) {
    return map {
        my $moment = $_;
        [in_us(words("head.$moment")), map { number($_ && $_->{summary}{"${moment}_us"}) } @measures];
    } qw(min mean sd mode max);
}

sub _maximum { return (_moments(@_))[-1] }

sub _circumstances (@runs) {
    return ([words('head.verdict'), map { { html => badge(verdict($_)) } } @runs],
        [words('head.missed'), map { known($_->{report}, 'missed') } @runs]);
}

# Those that any of them has
sub _percentiles {
    my @lists = map { $_ && $_->{summary}{percentiles} } @_;
    my ($known) = grep { defined } @lists;
    my @rows;
    for my $i (0 .. $#$known) {
        last unless grep { $_ && defined($_->[$i]{value_us} // $_->[$i]{roughly_us}) } @lists;
        my $head = in_us(words('head.percentile', %{ $known->[$i] }));
        push @rows, [$head, map { $_ ? _percentile($_->[$i]) : undef } @lists];
    }
    return @rows;
}

sub _percentile ($percentile) {
    my $roughly = $percentile->{roughly_us};
    return { text => defined $roughly ? '~' . number($roughly) : undef, note => lack_words($percentile) }
        unless defined $percentile->{value_us};
    my ($low, $high) = map { number($_) } @$percentile{qw(low_us high_us)};
    my $ends = defined $low ? defined $high ? 'ends' : 'or_more' : defined $high ? 'up_to' : undef;
    return { text => number($percentile->{value_us}),
        note => defined $ends ? words("between.$ends", low => $low, high => $high) : undef };
}

sub _shares {
    my @distributions = map { $_ && $_->{summary}{count} ? $_->{distribution} : undef } @_;
    my @thresholds = sort { $a <=> $b } uniqnum map { ladder($_) } grep { defined } @distributions;
    return map {
        my $threshold = $_;
        [micro(words('head.below', threshold => $threshold)), map { $_ && _share($_, $threshold) } @distributions];
    } @thresholds;
}

sub _share ($distribution, $threshold) {
    my $count = $distribution->below($threshold);
    return defined $count ? percent($count, $distribution->n) : undef;
}

sub _enough ($run) {
    my ($report, @measures) = ($run->{report}, figured($run->{report}, $run->{measures}));
    my @sentences = map {
        my $sentence = enough_words($report, $measures[-1], $_);
        BEGINS_WITH_PERCENTILE->{ $_->{code} } ? $sentence : ucfirst $sentence
    } sufficiency($report, @measures) or return;
    return (defined $run->{called} ? element('h3', {}, text($run->{called})) . "\n" : (), list(@sentences));
}

# The worst wake-ups; empty if no run has any
sub events (@runs) {
    return section(words('page.worst'), uniq map { _worst_of($_) } @runs);
}

sub _worst_of ($run) {
    my $latency = $run->{measures}{ $run->{report}->latency_name } or return;
    return map { _worst($run->{called}, $_) } worst_tables($latency, $run->{report});
}

# A table without columns only says what could be there
sub _worst ($name, $table) {
    return paragraph(ucfirst $table->caption) unless $table->columns;
    return retold($name, $table, note => defined $table->note ? ucfirst $table->note : undef);
}

1;
