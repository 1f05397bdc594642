# SPDX-License-Identifier: GPL-2.0-or-later
# Why wake-ups were late, as tables and as the text of realfeel-analyze explain. Functions mostly take a report, some
# take wake-ups of Answer::Why; without data they return nothing.
package Realfeel::Show::Explain;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(culprits_table facts parts_rows parts_table sentence_lines sentences text verbose);

use List::Util qw(max min sum0);
use Realfeel::Answer::Why qw(causes culprits wakeups);
use Realfeel::Answer::Why::Remedies qw(remedies);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(decimal printable short us wrapped);
use Realfeel::Model::Cpus qw(cpu_name pooled threads);
use Realfeel::Model::Explain qw(beyond cost counts findings is_blamed level parts records scheduling unexplained);
use Realfeel::Show::Circumstances qw(fact_lines);
use Realfeel::Show::Figures qw(delay finding_words);
use Realfeel::Show::Why qw(about causes_told remedy sentence);
use Realfeel::Show::Words qw(words);

use constant {
    BEYOND      => 10,          # values beyond a percentile that is given, at least
    FACT_WIDTH  => 10,
    RECORDS     => 20,          # of a trace
    CAUSES      => 5,           # and remedies: what is read at a glance
    REMEDIES    => 3,
    PERCENTILES => [[p50 => 2], [p99 => 100], ['p99.9' => 1000]],
    SHARES      => [[share => 1], ['> p99' => 100], ['> p99.9' => 1000]],
};

# Causes of the worst wake-ups of a run, remedies, and the parts of the latency; several threads one by one. Dies with
# one line if it was measured without --explain.
sub text ($run)    { return _text($run, 0) }
# And who had the CPU, a sentence for each of the worst, and the last records before a break
sub verbose ($run) { return _text($run, 1) }

sub _text ($run, $is_verbose) {
    my $report = pooled($run);
    my $level = level($report) // _refuse($report);
    my @findings = map { wrapped('  * ', finding_words($_)) } findings($report);
    my @threads = threads($run);
    my @sections = (
        (map { _explained($is_verbose, $_, _heading($_)) } @threads),
        @threads ? () : _explained($is_verbose, $report, '  ' . words('explain.why')),
        [map { _indented($_) } parts_table($report) // ()],
        [fact_lines(FACT_WIDTH, facts($report))],
        $is_verbose || !is_blamed($report) ? () : ['  ' . words('more')],
    );
    my $title = words('explain.title', file => $report->file, level => $level,
        verdict => $report->verdict // words('verdict.none'));
    return join "\n", printable($title), @findings, @findings ? '' : (), (map { (@$_, '') } grep { @$_ } @sections);
}

sub _explained ($is_verbose, $report, $heading) {
    my @wakeups = wakeups($report);
    return ([_answer($is_verbose, $heading, @wakeups)], [_remedies($is_verbose, @wakeups)],
        $is_verbose ? _details($report, @wakeups) : ());
}

sub _heading ($report) {
    my ($policy, $priority) = scheduling($report);
    my $scheduling = join ' ', $policy, $policy =~ /^(?:fifo|rr)$/ ? $priority : ();
    return printable('  ' . words('explain.thread', thread => cpu_name($report), scheduling => $scheduling,
        most => about($report->latency->max // 0)));
}

sub _details ($report, @wakeups) {
    my $sentences = sentences(@wakeups);
    my @worst = $sentences ? map { "  $_" } sentence_lines($sentences) : ();
    return (\@worst, map { [_indented($_)] } culprits_table($report, @wakeups) // (), _trace_table($report) // ());
}

sub _indented ($table) { return map { "  $_" } $table->text }

sub _answer ($is_verbose, $heading, @wakeups) {
    my @causes = causes(@wakeups);
    return unless @wakeups;
    return ($heading, '  ' . words('explain.none')) unless @causes;
    my @told = causes_told(\@causes, scalar @wakeups, $is_verbose ? () : CAUSES);
    my $width = max(map { length $_->[0] } @told);
    my @lines = map { wrapped(sprintf("  %${width}s: ", $_->[0]), printable($_->[1])) } @told;
    return ($heading, @lines);
}

sub _refuse ($report) {
    my $unexplained = unexplained($report);
    die printable($report->file . ': ' . words("unexplained.$unexplained->{code}", %$unexplained)) . "\n";
}

# What the explanation rests on: [label, text]
sub facts ($report) {
    my ($count, $cost) = (counts($report), cost($report));
    my ($lost, $traced) = @$count{qw(lost traced)};
    return (
        [words('label.matched') => words($lost ? 'explained.matched' : 'explained.all', %$count,
            samples => $report->header('samples'))],
        defined $traced ? [words('label.self_test') => words('explained.self_test', %$count)] : (),
        $cost ? [words('label.cost') => _cost($cost)] : (),
    );
}

sub _cost ($cost) {
    my ($with, $without) = map { us($_) } @$cost{qw(with_us without_us)};
    return words('explained.cost', delay => delay($cost), with => $with, without => $without);
}

sub _remedies ($is_verbose, @wakeups) {
    my @remedies = map { remedy($_) } remedies(@wakeups) or return;
    my @told = @remedies[0 .. min($is_verbose ? @remedies : REMEDIES, scalar @remedies) - 1];
    my $more = @remedies - @told;
    my (undef, @later) = $is_verbose ? () : grep { defined $_->{try} } @told;
    $_->{try} = undef for @later;                   # one at a time
    return ('  ' . words('explain.remedies'), (map { _remedy(%$_) } @told),
        $more ? '  * ' . words('explain.more', more => $more) : ());
}

sub _remedy (%remedy) {
    my @commands = map { printable("        $_") } split /\n/, $remedy{command} // '';
    my $advice = wrapped('  * ', printable(words('explain.remedy', %remedy)));
    my @codes = ('explain.see', defined $remedy{try} ? 'explain.try' : ());
    return ($advice, @commands, map { '      ' . printable(words($_, %remedy)) } @codes);
}

# For each part of the lateness percentiles with ten values beyond, the maximum, and its share in all lateness and in
# that of wake-ups beyond a percentile
sub parts_table ($report) {
    my @rows = parts_rows($report) or return undef;
    my $times = grep { defined $rows[0]{percentiles}{ $_->[0] } } @{ PERCENTILES() };
    my @times = (map { $_->[0] } @{ PERCENTILES() }[0 .. $times - 1]);
    my @shares = grep { defined $rows[0]{shares}{$_} } map { $_->[0] } @{ SHARES() };
    return Realfeel::Base::Table->new(
        caption => words(@shares > 1 ? 'explain.parts_above' : 'explain.parts', latency => $report->latency_words),
        columns => [{ head => '', width => 16 }, @times, words('column.max'), @shares],
        rows    => [map {
            my $row = $_;
            [$row->{name}, (map { short($row->{percentiles}{$_}) } @times), short($row->{max_us}),
                map { _share($row->{shares}{$_}) } @shares];
        } @rows],
    );
}

sub _share ($share) { return decimal(100 * $share, 1) . ' %' }

# The same as hashes: what parts of Model::Explain has, max_us, and percentiles and shares (0 to 1) by heading; undef
# where the data do not suffice
sub parts_rows ($report) {
    my @parts = grep { $_->{distribution}->n } parts($report);
    my %beyond = map { $_->[0] => beyond($report, $_->[1]) } @{ SHARES() };
    return map {
        my ($key, $values) = @$_{qw(key distribution)};
        +{
            %$_, max_us => $values->max,
            percentiles => { map { $_->[0] => _quantile($values, $_->[1]) } @{ PERCENTILES() } },
            shares => { map { $_ => $beyond{$_} && $beyond{$_}{share}{$key} } keys %beyond },
        };
    } @parts;
}

sub _quantile ($values, $one_in) {
    return $values->n >= BEYOND * $one_in ? $values->quantile($one_in) : undef;
}

# Who had the CPU in these wake-ups, for how long, and its share in their lateness
sub culprits_table ($report, @wakeups) {
    my @culprits = culprits(@wakeups) or return undef;
    my $late = sum0(map { $_->{late_us} } @wakeups) || 1;
    my $worst = @{ $report->events };
    my $code = (@wakeups == 1 ? 'culprit' : 'culprits') . (@wakeups < $worst ? '_of' : '');
    return Realfeel::Base::Table->new(
        caption => words("explain.$code", told => scalar @wakeups,
            worst => $worst == 1 ? words('explain.worst_one') : words('explain.worst', worst => $worst)),
        columns => [(map { { head => words("column.$_"), align => 'left' } } qw(kind name)), words('column.wakeups'),
            { head => words('column.us'), title => "\xc2\xb5s" }, words('column.share')],
        rows    => [map {
            [$_->{kind}, printable($_->{name} // '-'), $_->{wakeups}, decimal($_->{us}, 3), _share($_->{us} / $late)]
        } @culprits],
    );
}

# A table of sentences, one for each wake-up
sub sentences {
    my @told = @_ or return undef;
    return Realfeel::Base::Table->new(
        caption => words('explain.traced'),
        columns => [{ head => '', align => 'right' }, { head => '', align => 'left' }],
        rows    => [map { [$_->{number}, printable(sentence($_))] } @told],
    );
}

# The end of what was recorded before --break ended the run
sub _trace_table ($report) {
    return undef unless ($report->header('status') // '') eq 'break';
    my @trace = _records($report) or return undef;
    my @last = @trace[-min(RECORDS, scalar @trace) .. -1];
    return Realfeel::Base::Table->new(
        caption => words('explain.trace', last => scalar @last, all => scalar @trace),
        columns => [words('column.at_us'), map { { head => words("column.$_"), align => 'left' } } qw(event text)],
        rows    => [map { [decimal($_->{at_us}, 3), map { printable($_) } @$_{qw(event text)}] } @last],
    );
}

sub _records ($report) {
    return map {
        +{ at_us => $_->{line}{at_us}, event => $_->{kind}, text => $_->{kind} eq 'switch' ? _switch($_) : _thing($_) };
    } @{ records($report, 1)->{1} // [] };
}

sub _switch ($record) {
    my ($prev, $next) = map { join ' ', $_->{name} . ($_->{id} < 0 ? '' : ":$_->{id}"), $_->{priority} // () }
        map { { %$_, name => $_->{name} // '-' } } @$record{qw(prev next)};
    return "$prev $record->{state} ==> $next";
}

sub _thing ($record) {
    my ($id, @more) = grep { $_ ne '-' } @{ $record->{line} }{qw(id priority detail)};
    return join ' ', join(':', grep { defined } $record->{name}, $id), @more;
}

# At most 78 columns, to be indented by two
sub sentence_lines ($table) {
    my @rows = $table->rows;
    my $lead = '  %' . length($rows[-1][0]) . 'd  ';
    my @lines = map { split /\n/, wrapped(sprintf($lead, $_->[0]), $_->[1]) } @rows;
    return ($table->caption, map { substr $_, 2 } @lines);
}

1;
