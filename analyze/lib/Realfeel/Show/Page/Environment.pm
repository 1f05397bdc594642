# SPDX-License-Identifier: GPL-2.0-or-later
# How the runs were made, with differences marked, and how to repeat them.
package Realfeel::Show::Page::Environment;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(environment repeat);

use List::Util qw(uniq);
use Realfeel::Answer::Compare::Environment qw(is_result);
use Realfeel::Answer::Stats qw(figured);
use Realfeel::Base::Shell qw(shell_file shell_word);
use Realfeel::Show::Circumstances qw(facts);
use Realfeel::Show::Page::Html qw(element micro paragraph section table text);
use Realfeel::Show::Words qw(words);

# Header lines shown elsewhere on the page; and those that the circumstances of a run of realfeel show
use constant TOLD => qr/^(?:verdict|remarks|command|samples|latency_.*|\w+_(?:min|max|mean|sd|sum)_ns|\w+_sumsq_ns2)$/;
use constant CIRCUMSTANCES => qr/^(?:status|duration_s|max(?:_ns)?|break_ns|load|load_exit|load_ended_by|source
    |frequency_hz|clock|tsc_(?:hz|error_ppm|drift_ppm)|kernel_release|preemption|missed|periods|early_wakeups
    |anchor_uncertainty_ns|explain|waker(?:_cpu)?|processes|array_bytes|hop_overhead_ns|lmbench_.*|(?:un)?matched
    |unasked|timed|preempted(?:_max_ns)?|threads?(?:_.*)?|inferred_.*)$/x;

# Shown as in the header: units there are not ours
use constant AS_IT_IS => qr/^(?:load|source|kernel)$/;

# The circumstances as in the listing, and all other header lines. Among several runs, rows that differ come first and
# are marked, as are the parts of values that not all runs have.
sub environment (@runs) {
    my @facts = map { [_facts($_)] } @runs;
    my @names = uniq map { map { $_->[0] } @$_ } @facts;
    my @headers = map { my $report = $_->{report}; +{ map { $_ => $report->header($_) } $report->keys } } @runs;
    my $told = grep({ $_->{report}->header('lateness_of') } @runs) ? TOLD : qr/${\TOLD}|${\CIRCUMSTANCES}/;
    my @keys = grep { $_ !~ $told } uniq map { $_->{report}->keys } @runs;
    return (
        section(words('page.circumstances'),
            _table('circumstances', \@runs, [map { { map { @$_ } @$_ } } @facts], @names)),
        section(words('page.environment'),
            _table('settings', \@runs, \@headers, grep { !is_result($_) } @keys),
            _table('found', \@runs, \@headers, grep { is_result($_) } @keys)),
    );
}

sub _facts ($run) {
    my $report = $run->{report};
    my @facts = facts($report, figured($report, $run->{measures}));
    return ([file => $report->file], map { [$_->[0], $_->[2] =~ AS_IT_IS ? $_->[1] : micro($_->[1])] } @facts);
}

sub _table ($caption, $runs, $values, @keys) {
    return unless @keys;
    my (@differ, @same);
    for my $key (@keys) {
        my @values = map { $_->{$key} } @$values;
        if (uniq(map { $_ // '' } @values) > 1) { push @differ, _different($key, @values) }
        else { push @same, [$key, { text => $values[0] // '-', colspan => @values > 1 ? scalar @values : undef }] }
    }
    $caption = words("caption.$caption");
    return table(
        caption => @differ ? words('caption.marked', caption => $caption) : $caption,
        columns => ['', map { { head => $_->{called} // words('head.value'), align => 'left' } } @$runs],
        rows    => [@differ, @same],
    );
}

sub _different ($key, @values) {
    my %runs_with;
    $runs_with{$_}++ for map { uniq(_parts($_ // '')) } @values;
    my $marked = sub {
        join ' ', map { $runs_with{$_} == @values ? text($_) : element('mark', {}, text($_)) } _parts($_[0]);
    };
    return [{ html => '<span class="differs">&ne;</span> ' . text($key) },
        map { { html => defined $_ ? $marked->($_) : '-' } } @values];
}

sub _parts ($value) { return split /(?<=[,;|])\s+|\s+/, $value }

# The commands that make all of this again; the page was made with @$options
sub repeat ($options, @runs) {
    my @files = map { shell_file($_->{report}->file) } @runs;
    my @analysis = grep { /^--/ } @$options;
    return section(words('page.repeat'),
        _commands('repeat.runs',
            uniq grep { defined } map { $_->{report}->header('command') } @runs),
        _commands('repeat.figures', "realfeel-analyze stats @files",
            @runs > 1 ? join(' ', 'realfeel-analyze compare', (map { shell_word($_) } @analysis), @files) : (),
            join(' ', 'realfeel-analyze report', (map { shell_word($_) } @$options), @files)));
}

sub _commands ($code, @lines) {
    return unless @lines;
    return paragraph(words($code)) . element('pre', {}, join "\n", map { text($_) } @lines) . "\n";
}

1;
