# SPDX-License-Identifier: GPL-2.0-or-later
# The text of realfeel-analyze stats: a run on one screen.
package Realfeel::Show::Screen;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(of_run);

use List::Util qw(min);
use Realfeel::Answer::Result qw(headed result);
use Realfeel::Answer::Stats qw(measures needs);
use Realfeel::Base::Table;
use Realfeel::Base::Shell qw(shell_file);
use Realfeel::Base::Units qw(beginning printable short width wrapped);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Explain qw(level);
use Realfeel::Show::Circumstances qw(placed);
use Realfeel::Show::Figures qw(interval_words lack_words later_words measure_words needs_words objection_words);
use Realfeel::Show::Ranking qw(cpus_table not_explained);
use Realfeel::Show::Result qw(result_lines);
use Realfeel::Show::Words qw(words);

use constant {
    COLUMNS  => 80,
    REASONS  => 3,              # against the verdict, each of two lines
    RESULT   => 3,              # lines at most for what each of the result tells
    DOTS     => '...',
    LEAD     => '  %-10s',
    LEFT_OUT => { map { $_ => 1 } qw(clock waker matched stamps wakeup woken anchor moments missed max remarks) },
    ALWAYS   => 99.9,           # percentiles up to here are told where they have any value
    SKIPPED  => 99.999,         # where the one above it is known
    LISTED   => 95,             # with -v, but not on a screen
    WORDS    => 20,             # a line that is cut ends with a word if so many characters are left
};

# 80 columns, and 24 lines unless there is much to say against the run: result, circumstances, and the figures of its
# latency, or of interval errors if that is all; several CPUs have a row each instead. Long text is truncated, except
# for a command.
sub of_run ($run) {
    my $report = pooled($run);
    my @measures = measures($report, headed($report));
    my ($first) = grep { !$report->latency || $_->{key} eq $report->latency_name } @measures;
    my @figures = @{ $run->{reports} } > 1 ? _of_cpus($run, $first) : _table($report, $first);
    return join "\n", printable($report->file), _result(result($run, @measures), $report), '',
        (map { _fitted(1, @$_[0, 1]) } _facts($report, @measures)), '',
        (map { _cut("  $_") } @figures), '', '  ' . _more($report), '';
}

# Other reasons against the verdict follow it
sub _result ($result, $report) {
    my (undef, @reasons) = map { objection_words($_) } @{ $result->{objections} };
    my @told = splice @reasons, 0, @reasons > REASONS - 1 ? REASONS - 2 : REASONS - 1;
    return ((map { _fitted(RESULT, @$_[0, 1]) } result_lines($result, $report)), (map { _fitted(2, '', $_) } @told),
        @reasons ? _fitted(1, '', words('and_more', more => scalar @reasons)) : ());
}

sub _more ($report) {
    return printable(words('more.explained', file => shell_file($report->file))) if defined level($report);
    my ($why) = @{ $report->events // [] } ? not_explained($report, 'why') : ();
    return defined $why ? words('more.why', why => $why) : words('more');
}

sub _facts ($report, @measures) {
    my %is_nothing = (early => !$report->header('early_wakeups'), explain => ($report->explained)[0] eq 'off');
    return grep { !LEFT_OUT->{ $_->[2] } && !$is_nothing{ $_->[2] } } placed($report, @measures);
}

sub _of_cpus ($run, $measure) {
    return (cpus_table($run)->text, ($measure && later_words(pooled($run), $measure)) // ());
}

sub _table ($report, $measure) {
    my $summary = $measure ? $measure->{summary} : { count => 0 };
    return words('no_samples') unless $summary->{count};
    my ($least, $mean, $most) = map { defined $_ ? short($_) : '-' } @$summary{qw(min_us mean_us max_us)};
    my $is_short = grep { $_->{open} } @{ $summary->{percentiles} };
    my $table = Realfeel::Base::Table->new(
        caption => words($is_short ? 'figures.short' : 'figures',
            name => measure_words($measure), short => words('short')),
        columns => [map { { head => '', align => $_ } } qw(left right left)],
        rows    => [
            ['min' => $least, words('at.mean', value => $mean)],
            (map { [_percentile($report, $measure, $_)] } _told(@{ $summary->{percentiles} })),
            ['max' => $most, later_words($report, $measure) // ''],
        ],
    );
    my ($caption, @rows) = $table->text;
    return ($caption, map { "  $_" } @rows);
}

# Ends with the first percentile that the data do not support
sub _told {
    my @percentiles = grep { $_->{percentile} != LISTED } @_;
    my ($first) = grep { !defined $_->{value_us} } @percentiles;
    @percentiles = grep { $_->{percentile} != SKIPPED } @percentiles unless $first;
    return grep { defined $_->{value_us} || $_ == $first || $_->{percentile} <= ALWAYS && defined $_->{roughly_us} }
        @percentiles;
}

sub _percentile ($report, $measure, $percentile) {
    my ($value, $low, $high, $more, $roughly) = @$percentile{qw(value_us low_us high_us more roughly_us)};
    my $name = "p$percentile->{percentile}";
    return ($name, short($value), interval_words(map { defined $_ ? short($_) : undef } $low, $high)) if defined $value;
    return ($name, '-', words('needs.histogram', from => lack_words($percentile))) unless defined $more;
    my $needs = needs_words($report, $measure, needs($report, $measure, $more), defined $roughly);
    return ($name, defined $roughly ? '~' . short($roughly) : '-', $needs);
}

sub _wrapped { return map { _cut($_) } split /\n/, wrapped(@_) }

sub _fitted ($lines, $name, $text) {
    return _first($lines, _wrapped(sprintf(LEAD, $name), $text));
}

# $count lines; dots end the last if there are more
sub _first ($count, @lines) {
    my @first = @lines[0 .. min($count, scalar @lines) - 1];
    $first[-1] = _ended("$first[-1] ") if @first < @lines;
    return @first;
}

sub _cut ($line) { return width($line) > COLUMNS ? _ended($line) : $line }

# After a word, if one ends far enough from the start
sub _ended ($line) {
    my $start = beginning($line, COLUMNS - length DOTS);
    return ($start =~ /\A(.{${\WORDS},}\s)/s ? $1 : $start) . DOTS;
}

1;
