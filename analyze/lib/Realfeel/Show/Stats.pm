# SPDX-License-Identifier: GPL-2.0-or-later
# The texts of realfeel-analyze stats: a run on one screen, all of it with --verbose, and in the form of 2002.
package Realfeel::Show::Stats;
use Realfeel::Base::Modern;

use List::Util qw(max min reduce uniqnum uniqstr);
use Realfeel::Answer::Stats qw(figured headed known ladder measures needs objections percentiles sufficiency);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(DOTS beginning columns decimal lapse percent printable shell_file short us width wrapped);
use Realfeel::Input::Keys qw(KEYS PARTS);
use Realfeel::Model::Cpus qw(cpu_name pooled);
use Realfeel::Model::Explain qw(is_blamed level policy unexplained);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Blocks qw(as_text coloured);
use Realfeel::Show::Figures qw(enough_words facts lack_words later_words measure_words
    needs_words objection_words placed verdict_word);

use constant {
    GIVEN    => { map { $_ => 1 } 50, 99, 99.9 },       # percentiles of the result

    # The screen
    REASONS  => 3,              # against the verdict, each of two lines
    RESULT   => 3,              # lines at most for each part of the result
    LEFT_OUT => { map { $_ => 1 } qw(stamps wakeup moments),
        map { $_->{is_long} ? $_->{line} : () } values %{ +KEYS } },
    ALWAYS   => 99.9,           # percentiles up to here are given where they have any value
    SKIPPED  => 99.999,         # where the one above it is known
    WORDS    => 20,             # characters that must be left for a line to be cut at a word

    # CPUs and the worst wake-ups
    RANKED   => [50, 99, 99.9],
    INFINITY => 9**9**9,
    EVENTS   => 10,

    # The tables of --verbose
    LABEL_WIDTH => 16,
    CELL_WIDTH  => 25,
    UNIT_WIDTH  => length ' us',

    # The table of 2002
    LADDER_MS => [0.1, 0.2, 0.5, 0.7, 1, 5, 10, 50, 100, 500, 1000, 5000, 10000],
    US_PER_MS => 1000,
};

# As wide as the terminal, and 24 lines unless there is much to say against the run: result, conditions, and the
# figures of its latency, or of interval errors if that is all; several CPUs have a row each instead. Long text is
# truncated, except for a command.
sub screen ($run) {
    my $report = pooled($run);
    my @measures = measures($report, headed($report));
    my ($first) = grep { !$report->latency || $_->{key} eq $report->{latency_name} } @measures;
    my @figures = @{ $run->{reports} } == 1 ? _few_figures($report, $first)
        : (cpus_table($run)->text, ($first && later_words($report, $first)) // ());
    my %is_nothing = (early => !$report->header('early_wakeups'), explain => ($report->explained)[0] eq 'off');
    my @facts = grep { !LEFT_OUT->{ $_->[2] } && !$is_nothing{ $_->[2] } } placed($report, @measures);
    my (undef, @reasons) = map { objection_words($_) } objections($report);
    my @next = defined level($report) ? 'next: realfeel-analyze explain ' . printable(shell_file($report->{file}))
        : @{ $report->events // [] } ? _not_explained($report, 'run with --explain to see why the worst was late') : ();
    my @given = splice @reasons, 0, @reasons > REASONS - 1 ? REASONS - 2 : REASONS - 1;
    return coloured(join "\n", printable($report->{file}),
        (map { _fitted(RESULT, @$_[0, 1]) } result_lines($run, @measures)),
        (map { _fitted(2, '', $_) } @given), @reasons ? _fitted(1, '', 'and ' . @reasons . ' more (-v)') : (),
        '', (map { _fitted($_->[2] eq 'rate' ? 2 : 1, @$_[0, 1]) } @facts),
        '', (map { _cut("  $_") } @figures), '', '  ' . join('; ', 'more with -v', @next), '');
}

sub _few_figures ($report, $measure) {
    my $summary = $measure ? $measure->{summary} : { count => 0 };
    return 'no samples' unless $summary->{count};
    my ($least, $mean, $most) = map { defined $_ ? short($_) : '-' } @$summary{qw(min_us mean_us max_us)};
    my $is_short = grep { $_->{open} } @{ $summary->{percentiles} };
    # The median and those of nines; the others with -v
    my @known = grep { sprintf('%.0f', 100 / (100 - $_->{percentile})) =~ /^(?:2|10+)$/ } @{ $summary->{percentiles} };
    my ($first) = grep { !defined $_->{value_us} } @known;      # that the data do not support; it ends the list
    my @chosen = grep {
        defined $_->{value_us} ? $first || $_->{percentile} != SKIPPED
            : $_ == $first || $_->{percentile} <= ALWAYS && defined $_->{roughly_us};
    } @known;
    my $table = Realfeel::Base::Table->new(
        caption => measure_words($measure) . ' in us'
            . ($is_short ? '; too short for intervals: measure a minute' : ', with 95 % confidence intervals'),
        columns => [map { { head => '', align => $_ } } qw(left right left)],
        rows    => [
            [min => $least, "mean $mean"],
            (map { [_few_percentiles($report, $measure, $_)] } @chosen),
            [max => $most, later_words($report, $measure) // ''],
        ],
    );
    my ($caption, @rows) = $table->text;
    return ($caption, map { "  $_" } @rows);
}

sub _few_percentiles ($report, $measure, $percentile) {
    my ($name, $more) = ("p$percentile->{percentile}", $percentile->{more});
    my $cell = _percentile($percentile);
    return ($name, $cell->{value}, $cell->{note} // '') if ref $cell;
    return ($name, '-', 'beyond the histogram, ' . lack_words($percentile)) unless defined $more;
    my $is_rough = defined $percentile->{roughly_us};
    return ($name, $is_rough ? $cell : '-', needs_words($report, $measure, needs($report, $measure, $more), $is_rough));
}

# The cell of a percentile: its value and interval, or what it lacks
sub _percentile ($percentile) {
    my ($value, $roughly, @ends) = map { defined $_ ? short($_) : undef } @$percentile{qw(value_us roughly_us low_us
        high_us)};
    return defined $roughly ? "~$roughly" : $percentile->{lack} eq 'samples' ? "needs $percentile->{needed}"
        : lack_words($percentile) unless defined $value;
    my ($low, $high) = ($ends[0] // 'less', $ends[1] // 'more');
    return { value => $value, (grep { defined } @ends) ? (text => "$value [$low, $high]", note => "$low to $high")
        : (text => $value) };
}

# $count lines; dots end the last if there are more
sub _fitted ($count, $name, $text) {
    my @lines = map { _cut($_) } split /\n/, wrapped(sprintf('  %-10s', $name), $text);
    my @first = @lines[0 .. min($count, scalar @lines) - 1];
    $first[-1] = _ended("$first[-1] ") if @first < @lines;
    return @first;
}

sub _cut ($line) { return width($line) > columns() ? _ended($line) : $line }

# After a word, if one ends far enough from the start
sub _ended ($line) {
    my $start = beginning($line, columns() - length DOTS);
    return ($start =~ /\A(.{${\WORDS},}\s)/s ? $1 : $start) . DOTS;
}

# The result of a run with these measures, as arrays [label, text, code]: the figures of each measure (figures) and of
# the CPU with the greatest value (cpu); missed periods and limit, with codes of facts; the worst wake-up and its cause,
# if explained (worst); and the verdict with its first reason, or a remark if valid (verdict). What most runs do not
# need is loaded on demand.
sub result_lines ($run, @measures) {
    my ($report, @cpus) = (pooled($run), @{ $run->{reports} });
    my %fact = map { $_->[2] => $_ } facts($report);
    if (defined $cpus[0]->header('limit')) {
        require Realfeel::Show::Judge;
        my $judgement = Realfeel::Answer::Judgement::of_run($run);
        $fact{max} = [limit => Realfeel::Show::Judge::first_sentence($judgement), 'max'] if $judgement;
    }
    my ($reason) = map { objection_words($_) } objections($report);
    my $verdict = verdict_word($report->{verdict});
    return (
        (map { [$_->{key} eq 'wakeup' ? 'wake-up' : $_->{key}, _figures($_->{distribution},
            @{ $_->{summary}{percentiles} }), 'figures'] } @measures),
        @measures && @cpus > 1 ? _worst_cpu($measures[0]{key}, @cpus) : (),
        @fact{ grep { $fact{$_} } qw(missed max) },
        @{ $report->events // [] } ? _worst_wakeup($report) : (),
        [run => defined $reason ? "$verdict: $reason" : join('; ', $verdict, remark($report) // ()), 'verdict'],
    );
}

# p50, p99 and p99.9, if known, and the maximum
sub _figures ($distribution, @percentiles) {
    return 'no samples' unless $distribution->n;
    my @given = map {
        my ($value, $roughly, $from) = map { defined $_ ? lapse($_) : undef } @$_{qw(value_us roughly_us from_us)};
        my $text = $value // (defined $roughly ? "~$roughly" : defined $from ? "$from or more" : undef);
        defined $text ? "p$_->{percentile} $text" : ();
    } grep { GIVEN->{ $_->{percentile} } } @percentiles;
    return join '  ', @given, ($distribution->max_is_exact ? 'max ' : 'max < ') . lapse($distribution->max);
}

# Without names of threads, which may be long
sub _worst_cpu ($key, @reports) {
    my $of = sub ($report) { $key eq 'interval' ? $report->interval : $report->latency($key) };
    my $worst = reduce { $of->($a)->max < $of->($b)->max ? $b : $a } grep { $of->($_) && $of->($_)->n } @reports;
    return unless $worst;
    my $name = defined $worst->header('thread_name') ? $worst->header('thread') : cpu_name($worst);
    return [$name, _figures($of->($worst), percentiles($of->($worst), undef, $key)), 'cpu'];
}

sub _worst_wakeup ($report) {
    my ($at_s, $utc, $run, $cpu) = @{ $report->events->[0] }{qw(at_s utc run cpu)};
    my ($time) = $utc =~ /T([\d:]+(?:\.\d{1,3})?)/;
    my $place = join ', ', sprintf('at %.3f s', $at_s) . (defined $run ? " of run $run" : ''),
        defined $time ? "$time UTC" : (), defined $cpu ? "on CPU $cpu" : ();
    return [worst => $place, 'worst'] unless is_blamed($report);
    require Realfeel::Show::Why;
    my ($late) = Realfeel::Answer::Why::wakeups($report, 1);
    return [worst => $place . ($late ? ': ' . printable(Realfeel::Show::Why::reason($late)) : ''), 'worst'];
}

# The first remark, and how many more; undef without any, or if the run is not valid
sub remark ($report) {
    my ($first, @others) = $report->remarks;
    return undef if !defined $first || ($report->{verdict} // '') ne 'valid';
    return "remark: $first" . (@others ? ', and ' . @others . ' more' : '');
}

# All CPUs together, preceded by a row for each of several; verdict first, worst wake-ups last; 80 columns if header
# values allow
sub verbose ($run) {
    my $report = pooled($run);
    my @measures = measures($report);
    my @first = figured($report, { map { $_->{key} => $_ } @measures });
    my ($latency) = grep { $_->{key} eq $report->{latency_name} } @first;
    return as_text(
        [head => $report->{file} . ': ' . verdict_word($report->{verdict})],
        [list => map { objection_words($_) } objections($report)],
        [table => @{ $run->{reports} } > 1 ? cpus_table($run) : undef],
        [facts => placed($report, @first)],
        [table => Realfeel::Base::Table->new(
            columns => [{ head => '', width => LABEL_WIDTH },
                map { { head => _aligned(measure_words($_), ''), width => CELL_WIDTH } } @first],
            rows    => [figure_rows(@first)],
        )],
        [table => _percentiles_table(grep { $_->{key} ne 'wakeup' || $_ == $latency } @measures)],
        [text => map { enough_words($report, $first[-1], $_) } sufficiency($report, @first)],
        $latency ? worst($latency, $report) : (),
    );
}

# For measures side by side, undef where a run lacks one: count, moments and shares below thresholds
sub figure_rows (@measures) {
    my @known = grep { $_ && $_->{summary}{count} } @measures;
    my @thresholds = sort { $a <=> $b } uniqnum map { ladder($_->{distribution}) } @known;
    return (
        ['count', map { $_ ? _aligned($_->{summary}{count}, '') : undef } @measures],
        (map {
            my $key = "${_}_us";
            my @us = map { $_ && $_->{summary}{$key} } @measures;
            [$_, map { defined $_ ? _aligned(us($_), ' us') : _aligned('-', '') } @us];
        } qw(min mean sd mode max)),
        @thresholds ? [] : (),
        map {
            my $threshold = $_;
            ["< $threshold us", map {
                my $count = $_ && $_->{summary}{count};
                my $below = $count ? $_->{distribution}->below($threshold) : undef;
                !$count ? undef : defined $below ? _aligned(percent($below, $count), ' %') : _aligned('-', '');
            } @measures];
        } @thresholds,
    );
}

# Numbers end in one column, whether their unit is " us" or " %"
sub _aligned ($text, $unit) {
    return $text . ' ' x max(0, min(CELL_WIDTH - length $text, UNIT_WIDTH - length $unit));
}

sub _percentiles_table (@measures) {
    my @rows = percentile_rows(@measures) or return undef;
    return Realfeel::Base::Table->new(
        caption => 'percentiles in us, each with its 95 % confidence interval',
        columns => [{ head => '', align => 'right', width => 9 },
            map { { head => measure_words($_, 1), width => 21 } } @measures],
        rows    => \@rows,
    );
}

# The percentiles that one of the measures has
sub percentile_rows (@measures) {
    my @lists = map { $_ && $_->{summary}{percentiles} } @measures;
    my ($known) = grep { $_ } @lists;
    my @rows;
    for my $i (0 .. $#$known) {
        last unless grep { $_ && defined($_->[$i]{value_us} // $_->[$i]{roughly_us}) } @lists;
        push @rows, ["$known->[$i]{percentile} %", map { $_ ? _percentile($_->[$i]) : undef } @lists];
    }
    return @rows;
}

sub _us ($us) { return defined $us ? decimal($us, 3) : undef }

# Columns of the worst wake-ups: each has a function from an event to its cell, undef if unknown; those with a key are
# not in every report
use constant AT => { head => 'at s', title => 'at (s)', of => sub ($event) { decimal($event->{at_s}, 6) } };
use constant COLUMNS_OF_EVENTS => (
    AT,
    { head => 'utc', title => 'time of day (UTC)', of => sub ($event) { $event->{utc} =~ s/.*T|Z//gr } },
    map {
        my ($name, $key) = ($_ eq 'wakeup' ? 'wake-up' : $_, "${_}_us");
        +{ head => "$name us", title => "$name (\xc2\xb5s)", key => $key, of => sub ($event) { _us($event->{$key}) } };
    } qw(delay lateness interval wakeup),
);

# A row for each CPU or thread, those without samples first, then by maximum, and one for all. A ~ (sign roughly) marks
# a percentile with too few wake-ups beyond it, a dash (sign lacking) one that the data do not support.
sub cpus_table ($run) {
    my ($all, @reports) = (pooled($run), @{ $run->{reports} });
    my $measure = $all->latency ? $all->{latency_name} : 'interval';
    my %max = map { $_ => $_->measured($measure)->max // INFINITY } @reports;
    my @ranked = sort { $max{$b} <=> $max{$a} } @reports;
    my $of = defined $all->header('thread') ? 'thread' : 'CPU';
    my $has_policy = $of eq 'thread' && grep { policy($_) ne '' } @reports;
    my $is_judged = grep { ($_->{verdict} // '') ne 'valid' } @reports;
    my @rows = map {
        my ($name, $report) = @$_;
        +{ %{ _cpu_row($measure, $report) }, names => [$name, $has_policy ? policy($report) : ()],
            verdict => $report->{verdict} };
    } (map { [$of eq 'CPU' ? $_->{cpu} // cpu_name($_) : cpu_name($_) =~ s/\Athread //r, $_] } @ranked), [all => $all];
    return Realfeel::Base::Table->new(
        caption => measure_name($measure) . " in us of each $of, worst first",
        columns => [$of, $has_policy ? { head => 'policy', align => 'left' } : (), 'samples',
            (map { "p$_" } @{ RANKED() }), 'max', 'missed', $is_judged ? { head => 'verdict', align => 'left' } : ()],
        rows    => [map { [@{ $_->{names} }, @{ $_->{cells} }, $is_judged ? $_->{verdict} // 'none' : ()] } @rows],
        signs   => [sort(uniqstr(map { @{ $_->{signs} } } @rows))],
    );
}

sub _cpu_row ($measure, $report) {
    my $distribution = $report->measured($measure);
    my %percentile = map { $_->{percentile} => $_ } percentiles($distribution, undef, $measure);
    my @cells = map {
        my ($value, $roughly) = map { defined $_ ? short($_) : undef } @$_{qw(value_us roughly_us)};
        $value // (defined $roughly ? "~$roughly" : '-');
    } @percentile{ @{ RANKED() } }, { value_us => $distribution->max };
    push @cells, known($report, 'missed') // '-';
    return { cells => [$report->header('samples'), @cells],
        signs => [(grep { /^~/ } @cells) ? 'roughly' : (), (grep { $_ eq '-' } @cells) ? 'lacking' : ()] };
}

# Blocks on the worst wake-ups, none if there are none; $latency is their measure. Below the table a sentence each, else
# the parts of the lateness. Code for that is loaded only if there is something to explain.
sub worst ($latency, $report) {
    my @events = @{ $report->events // [] } or return;
    my @listed = @events[0 .. min(EVENTS, scalar @events) - 1];
    my @known = ((grep { !$_->{key} || exists $events[0]{ $_->{key} } } COLUMNS_OF_EVENTS),
        { head => $report->latency_words('value') . 's', of => sub ($event) { $event->{periods} } },
        { head => 'cpu', of => sub ($event) {
            my ($before, $cpu) = @$event{qw(cpu_before cpu)};
            return defined $cpu && defined $before && $before != $cpu ? "$before>$cpu" : $cpu;
        } });
    my $caption = 'worst wake-ups by ' . measure_words($latency) . ': ' . @listed . ' of ' . @events
        . (exists $events[0]{interval_us} ? '; interval errors signed' : '');
    my $table = sub ($caption, @columns) {
        my @rows = map { my $event = $_; [map { $_->{of}->($event) // 'unknown' } @columns] } @listed;
        return [table => Realfeel::Base::Table->new(caption => $caption, columns => \@columns, rows => \@rows)];
    };
    my $worst = $table->($caption, @known);
    if (is_blamed($report)) {
        require Realfeel::Show::Why;
        return ($worst, Realfeel::Show::Why::sentences(Realfeel::Answer::Why::wakeups($report, EVENTS)));
    }
    my @parts = map { my $part = $_; { head => $part, of => sub ($event) { _us($event->{"${part}_us"}) } } } PARTS;
    return ($worst, defined level($report) ? $table->('the parts of their lateness in us', AT, @parts)
        : [text => _not_explained($report, 'run with --explain to see why they were late')]);
}

# Why the causes of late wake-ups cannot be shown, or $how to see them. Empty if they are shown already, for rings,
# which have too many processes, and for threads of other programs.
sub _not_explained ($report, $how) {
    my $unexplained = unexplained($report) // return;
    my ($code, $reason) = @$unexplained{qw(code reason)};
    return 'no explanation: ' . printable($reason) if $code eq 'refused';
    return defined $report->header('processes') || $code =~ /^(?:earlier|thread)$/ ? () : $how;
}

# In the words of the program of 2002, so that its tables can be compared with these: every sample is taken to be in the
# middle of its bucket. What needs more samples is left out.
sub classic ($run) {
    my $report = pooled($run);
    my $buckets = $report->in_buckets(US_PER_MS)
        // die printable($report->{file}) . ": has no interval errors, which the table of 2002 needs; leave it out\n";
    my $n = $buckets->n;
    my $head = printable($report->{file}) . ' had ' . $buckets->{bins} . " buckets containing $n samples\n";
    return $head unless $n;
    my ($variance, $top, @cells) = ($buckets->variance, $buckets->max, $buckets->cells);
    my @figures = (
        ['minimum latency: < %.15gms', $cells[0][1]], ['maximum latency: %.15gms', $cells[-1][0]],
        ['Mean: %.15gms', $buckets->mean], ['Median: %.15gms', $buckets->median],
        ['Mode: %.15gms (occurred %d times)', $buckets->mode],
        defined $variance ? (['Variance: %.15g', $variance], ['Standard Deviation: %.15g', sqrt $variance]) : (),
        map { ['%.5f%% of samples < %.15gms', 100 * $buckets->below($_) / $n, $_] }
            (grep { $_ < $top } @{ LADDER_MS() }), $top,
    );
    return join '', "$head\n", map { my ($format, @values) = @$_; sprintf "    $format\n", @values } @figures;
}

1;
