# SPDX-License-Identifier: GPL-2.0-or-later
# All that is known about some runs, as one HTML file.
package Realfeel::Show::Page;
use Realfeel::Base::Modern;

use File::Basename qw(basename);
use List::Util qw(all first sum0 uniq);
use Realfeel::Answer::Stats qw(figured headed is_result known measures objections sufficiency);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(cut printable refusal shell_file shell_word short us);
use Realfeel::Draw::Plot qw(inline_svgs);
use Realfeel::Input::Keys qw(LATENCIES key);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Explain qw(is_blamed level);
use Realfeel::Model::Names qw(names together);
use Realfeel::Model::Report qw(common measure_name);
use Realfeel::Show::Figures qw(enough_words facts measure_words objection_words);
use Realfeel::Show::Blocks qw(as_html css element figure folded list micro paragraph picture prose retold section table
    text);
use Realfeel::Show::Stats qw(cpus_table figure_rows percentile_rows remark result_lines worst);

# A browser must neither fetch nor run anything, whatever a file holds; an empty icon is not requested
use constant HEAD => <<'HTML';
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
HTML

use constant MEASURES => (LATENCIES, qw(interval wakeups));
use constant {
    NAMES_MAX  => 3,            # of runs, and of values of a fact
    LENGTH_MAX => 160,
    SHORT      => 4.5,          # a column of the CPUs, in the height of a letter
    VERDICTS   => [qw(invalid suspect none valid)],
    LIMITS     => [['FAIL', invalid => qw(exceeded fail)], ['NOT YET', suspect => 'not_yet'],
        ['pass', valid => qw(kept pass)]],

    # Shown as in the header: units there are not ours
    AS_IT_IS   => qr/^(?:load|source|kernel)$/,
};

# For pictures
use constant {
    OF_EACH_MAX => 2,           # so that a page of many runs can still be mailed
    OF_ALL_MAX  => 12,          # runs that one drawing holds
    CAPTIONS    => {
        histogram   => 'The number of values of each size. Both axes are logarithmic, so that a single late wake-up is '
            . 'visible beside millions of others.',
        overlay     => 'The share of each run at each size. Both axes are logarithmic; a symbol marks the maximum.',
        percentiles => 'The value that each percentage does not exceed. Each step to the right leaves a tenth of the '
            . 'values beyond it; where a line is thin, fewer than ten.',
        exceedance  => 'The share of values above each value; of one or two runs also its upper bound, thin.',
        slices      => 'The run over time: how often each latency occurred, and the worst of each slice.',
        cpus        => 'Each CPU in a row, each cell in the colour of its share of the values of that CPU. Lines mark '
            . 'the maximum and, if ten values lie beyond it, p99.9.',
        matrix      => 'Each run by itself, all on one scale.',
        parts       => 'What the latencies were made of. Each step to the right leaves a tenth of the wake-ups beyond '
            . 'it; above stand the latencies.',
        timeline    => 'What had the CPU before the worst wake-ups. Each row is the whole time of one of them, up to '
            . 'its stamp; what was short is drawn wider.',
    },
};

# HTML that needs no other file, followed by lines, without newlines, on pictures that could not be drawn. %$asked has
# templates (the folder of gnuplot's); measure (undef for the default); options, with which the page was made; version;
# and experiment, undef unless the runs are its blocks, of which the first round is shown in detail. Dies with one line
# if no page can be made of the runs.
sub page ($asked, @reports) {
    my $experiment = $asked->{experiment};
    my @runs = $experiment ? _first_round($experiment) : _runs(\@reports);
    my ($comparison, $is_compared, @conclusions)
        = $experiment || @runs < 2 ? ('', 0) : _compared($asked->{measure}, @runs);
    my ($of_cpus, $first_picture, $pictures, $explaining, @complaints)
        = _pictures(@$asked{qw(templates measure)}, @runs);
    my $title = @runs > NAMES_MAX ? @runs . ' runs' : join ' / ', map { $_->{name} } @runs;
    my @cpus = ($of_cpus || (), map { _cpus($_) } grep { @{ $_->{run}{reports} } > 1 } @runs);
    my $main = element('div', { class => @runs > 2 ? undef : 'columns' }, $first_picture,
        $is_compared ? $comparison : _statistics(\&section, @runs)) . "\n";
    my $made_by = "Made by realfeel-analyze $asked->{version}. Its manual page, realfeel-analyze(1), explains the "
        . 'figures. Times are in microseconds (us).';
    my $html = join '', HEAD, element('title', {}, text("realfeel: $title")), "\n<style>\n", css(),
        "</style>\n</head>\n<body>\n", _heading($title, @runs),
        $experiment ? _experiment($asked->{templates}, $experiment)
            : @runs == 1 ? _of_one(@runs) : _of_several(\@runs, @conclusions ? @conclusions : _best_and_missed(@runs)),
        (grep { defined level($_->{report}) } @runs) ? _explained($explaining, @runs) : (),
        @runs == 1 && $of_cpus ? (section('CPUs', @cpus), folded('All CPUs together', $main))
            : ($main, folded('CPUs', @cpus)),
        $is_compared ? _statistics(\&folded, @runs) : $comparison, $pictures, _more(@runs), _environment(@runs),
        $experiment ? () : _repeat($asked->{options}, @runs), element('footer', {}, paragraph($made_by)),
        "\n</body>\n</html>\n";
    return ($html, uniq @complaints);
}

# For each run a hash of run; report, all CPUs pooled; name, unique, by default from Model::Names; called, the name, or
# undef for a single run; and measures, from keys to measures of Answer::Stats
sub _runs ($runs, @names) {
    my @reports = map { pooled($_) } @$runs;
    @names = names(@reports) unless @names;
    return map { {
        run      => $runs->[$_],
        report   => $reports[$_],
        name     => $names[$_],
        called   => @names > 1 ? $names[$_] : undef,
        measures => { map { $_->{key} => $_ } measures($reports[$_]) },
    } } 0 .. $#reports;
}

# The runs of the first complete round
sub _first_round ($experiment) {
    my @names = ('base', @{ $experiment->{names} });
    my $round = (first { @names == grep { defined } @$_ } @{ $experiment->{rounds} })
        or die "this experiment has no complete round; measure longer\n";
    return _runs([map { { reports => [$_], of => 1 } } @$round], @names);
}

# The title, and when and where they were made: date, host, kernel, load, source, and the CPUs if several
sub _heading ($title, @runs) {
    my @known = grep { defined known($_->{report}, 'kernel_release') } @runs;
    my $models = _together(map { $_->{report}->preemption } @known);    # not with the releases, which share other words
    my @facts = (
        [date => _date(_values('started', @runs))], [host => _values('hostname', @runs)],
        [kernel => @known ? join ', ', _together(_values('kernel_release', @known)), $models // () : ()],
        [load => map { ($_ // '') eq 'none' ? 'no load' : $_ } _values('load', @runs)],
        [source => map {
            my ($source, $rate) = map { known($_, 'source'), known($_, 'frequency_hz') } $_->{report};
            defined $source && defined $rate ? "$source at $rate Hz" : $source;
        } @runs],
        (grep { @{ $_->{run}{reports} } > 1 } @runs) ? [cpus => _values('cpu', @runs)] : (),
    );
    my @lines = map {
        my ($name, @of) = @$_;
        _line($name, text(cut(_together(@of) // 'not recorded', LENGTH_MAX)));
    } @facts;
    return element('header', {}, "\n", element('p', {}, 'realfeel: how late a process was woken'), "\n",
        element('h1', {}, text($title)), "\n", element('dl', {}, "\n", @lines)) . "\n";
}

# $class makes the name a badge
sub _line ($name, $html, $class = undef) {
    my $label = $class ? _badge($class, $name) : text($name);
    return element('div', {}, element('dt', {}, $label), ' ', element('dd', {}, $html)) . "\n";
}

sub _together {
    my @known = uniq grep { defined } @_ or return undef;
    return @known > NAMES_MAX ? @known . ' different' : together(@known);
}

sub _values ($key, @runs) { return map { known($_->{report}, $key) } @runs }

# First and last, to the minute
sub _date {
    my @times = sort grep { defined } @_ or return undef;
    my ($first, $last) = map { /\A(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/ ? [$1, $2] : [$_] } @times[0, -1];
    my $zone = $times[0] =~ /Z\z/ ? ' UTC' : '';
    return "@$first$zone" if "@$first" eq "@$last";
    return $first->[0] eq $last->[0] ? "@$first to $last->[1]$zone" : "$first->[0] to $last->[0]";
}

# A verdict as a label
sub _badge ($verdict, $text = $verdict =~ s/^none$/no verdict/r) {
    return element('strong', { class => "verdict $verdict" }, text($text));
}

# The row of LIMITS, undef if it is unknown whether a limit is kept
sub _limit ($run) {
    require Realfeel::Answer::Judgement;
    my $judgement = defined $run->{report}->header('limit') && Realfeel::Answer::Judgement::of_run($run->{run});
    my $answer = $judgement ? $judgement->{answer} : $run->{report}->header('max') // return undef;
    return first { grep { $_ eq $answer } @$_[2 .. $#$_] } @{ LIMITS() };
}

# "none" if the file has none
sub _verdict ($run) {
    my $verdict = $run->{report}{verdict} // 'none';
    return $verdict =~ /^(?:valid|suspect|invalid)$/ ? $verdict : 'none';
}

# The result as stats prints it, and further reasons to doubt it
sub _of_one ($run) {
    my $report = $run->{report};
    my @measures = grep { defined } @{ $run->{measures} }{ headed($report) };
    my ($reason, @others) = map { objection_words($_) } objections($report);
    my $limit = _limit($run) // [];
    my @lines = map { [$_->[0], prose($_->[1]), $_->[2] eq 'max' ? $limit->[1] : undef] }
        result_lines($run->{run}, @measures);
    $lines[-1][1] = join ' ', _badge(_verdict($run)), map { prose($_) } grep { defined } $reason // remark($report);
    return element('dl', { class => 'headline' }, "\n", map { _line(@$_) } @lines) . join '', "\n", list(@others);
}

# How many of several runs fail and pass their limit, and how many have which verdict; then the conclusions
sub _of_several ($runs, @sentences) {
    my (%runs, %limit);
    $runs{ _verdict($_) }++ for @$runs;
    $limit{ $_->[0] }++ for map { _limit($_) // () } @$runs;
    my @badges = map { _badge($_->[1], "$limit{ $_->[0] } $_->[0]") } grep { $limit{ $_->[0] } } @{ LIMITS() };
    push @badges, map { _badge($_, "$runs{$_} " . s/^none$/without verdict/r) } grep { $runs{$_} } @{ VERDICTS() };
    return element('p', { class => 'headline' }, join(' ', @badges), ' ', prose(join ' ', @sentences)) . "\n";
}

# The best, worst, and those that missed periods
sub _best_and_missed (@runs) {
    my $key = common(map { $_->{report} } @runs) // return 'The runs have no measure in common.';
    my @known = grep { $_->{measures}{$key}{summary}{count} } @runs or return 'The runs hold no samples.';
    return "Only $known[0]{name} holds samples." if @known == 1;
    my @missed = grep { known($_->{report}, 'missed') } @runs;
    my $what = join ' or ', uniq map { $_->{report}->latency_words('value') . 's' } @missed;
    return (_best_and_worst($key, @known) // 'No percentile is supported by all runs.',
        @missed ? @missed . ' of ' . @runs . " runs missed $what." : ());
}

# At the highest percentile that all have; undef if there is none
sub _best_and_worst ($key, @runs) {
    my $value = sub { $_[0]{measures}{$key}{summary}{percentiles}[ $_[1] ]{value_us} };
    my $percentiles = $runs[0]{measures}{$key}{summary}{percentiles};
    my $i = first { my $i = $_; all { defined $value->($_, $i) } @runs } reverse 0 .. $#$percentiles;
    return undef unless defined $i;
    my ($best, $worst) = (sort { $value->($a, $i) <=> $value->($b, $i) } @runs)[0, -1];
    return "At p$percentiles->[$i]{percentile} the " . measure_name($key) . " is lowest in $best->{name}, "
        . short($value->($best, $i)) . " us, and highest in $worst->{name}, " . short($value->($worst, $i)) . ' us.';
}

# The section that compares each run with the first, whether it compares two, and the conclusions about these. A single
# run loads none of this.
sub _compared ($measure, $base, @others) {
    require Realfeel::Show::Compare;
    $measure //= common(map { $_->{report} } $base, @others);
    my @comparisons = map { _comparison($measure, $base, $_, scalar @others) } @others;
    my @good = grep { !$_->{reason} } @comparisons;
    my @bad = map { "$_->{run}{name} is not compared: $_->{reason}" } grep { $_->{reason} } @comparisons;
    my $title = @good ? 'Comparison by ' . Realfeel::Show::Compare::measure($good[0]) : 'Comparison';
    my $section = section($title, list(@bad),
        as_html(!@good ? () : @others == 1 ? Realfeel::Show::Compare::on_page(@good) : _several($base, @good)));
    my ($only) = @others > 1 ? () : @comparisons;
    my @missed = $only && @good ? grep { defined } map { known($_->{report}, 'missed') } $base, @others : ();
    my $value = $base->{report}->latency_words('value');
    my $missed = @missed < 2 ? undef : !sum0(@missed) ? "Neither missed a $value."
        : "Missed ${value}s: $only->{names}[0] $missed[0], $only->{names}[1] $missed[1].";
    return ($section, $only && @good ? 1 : 0,
        $only && $only->{measure} ? Realfeel::Show::Compare::conclusion($only) : (), $missed // ());
}

# Only reason and run if a comparison is impossible. Two runs may be named by what differs, but with three the first
# would need two names. File names are shorter here.
sub _comparison ($measure, $base, $run, $others) {
    my $comparison = eval { Realfeel::Answer::Compare::compare($base->{report}, $run->{report}, $measure) };
    return { reason => refusal($@) =~ s/\n\z//r, run => $run } unless $comparison;
    my @files = map { basename($_->{report}{file}) } $base, $run;
    my $is_named = $others > 1 || "@{ $comparison->{names} }" eq "@files";
    return { %$comparison, run => $run, $is_named ? (names => [$base->{name}, $run->{name}]) : (),
        $comparison->{identical} ? (reason => 'identical runs') : () };
}

sub _several ($base, @comparisons) {
    my $caption = "ratio of each percentile of a run (FILE) to that of $base->{name} (BASE), and its 95 % interval; "
        . 'below 1 is less late';
    return (
        Realfeel::Show::Compare::several($caption, @comparisons),
        [text => join ' ', uniq map { Realfeel::Show::Compare::intervals($_) } @comparisons],
        [text => "Each run is compared with $base->{name} alone. Of 50 equivalent runs, one may differ by chance."],
        map { ([head => "run $_->{names}[1]"],
            [list => Realfeel::Show::Compare::conclusion($_), Realfeel::Show::Compare::remarks($_)]) } @comparisons,
    );
}

# What a change does, and what the rest of the page is about
sub _experiment ($templates, $experiment) {
    require Realfeel::Draw::Series;
    require Realfeel::Show::Compare;
    my $trial = $experiment->{trial};
    my @reports = map { { report => $_ } } grep { defined } map { @$_ } @{ $experiment->{rounds} };
    my ($svg, $wide) = eval { Realfeel::Draw::Series::pairs_svgs($templates, $experiment) };
    my $reason = defined $svg ? undef : refusal($@);
    my $alt = 'pairs of the base and ' . join ', ', @{ $experiment->{names} };
    my $picture = defined $svg ? picture($svg, $alt, $wide) : undef;
    return (
        _of_several(\@reports, Realfeel::Show::Compare::trial_sentences($trial)),
        section('The effect', figure('pairs', 'On the left a line for each pair of runs, on the right the effect as '
            . 'the pairs came in, and between which it lies.', $picture, $reason),
            as_html(Realfeel::Show::Compare::trial_figures($trial,
                'what was measured, and how many times that of the base it is'))),
        section('The first round in detail',
            paragraph('What follows is about the first round. For others, give their files to realfeel-analyze '
                . 'report.')),
    );
}

# A row for each CPU
sub _cpus ($run) {
    my $table = cpus_table($run->{run});
    my %meaning = (
        roughly => '~ marks a percentile beyond which there are too few samples.',
        lacking => 'A dash takes the place of what the data do not support.',
    );
    return retold(defined $run->{called} ? "$run->{called}: $table->{caption}" : ucfirst $table->{caption}, $table,
        note => (join ' ', map { $meaning{$_} } @{ $table->{signs} // [] }) || undef,
        columns => [map { { %$_, room => SHORT } } @{ $table->{columns} }]);
}

# The first table: the percentiles of the measure that all have; for several runs also verdicts and missed periods.
# $section is section or folded.
sub _statistics ($section, @runs) {
    my $key = common(map { $_->{report} } @runs) // 'lateness';
    return _percentiles($section, $key, undef, @runs) if @runs == 1;
    my @max = map { $_->{measures}{$key} && $_->{measures}{$key}{summary}{max_us} } @runs;
    my $more = sub (@percentiles) {
        return (['verdict', map { { html => _badge(_verdict($_)) } } @runs], ['missed', _values('missed', @runs)],
            @percentiles, ['max', map { defined $_ ? us($_) : undef } @max]);
    };
    return (_percentiles($section, $key, $more, @runs), list(map {
        my $lead = "$_->{called}: ";
        map { $lead . objection_words($_) } objections($_->{report});
    } @runs));
}

# The rest: whether runs are long enough, other figures, and the worst wake-ups
sub _more (@runs) {
    my (@enough, @worst);
    for my $run (@runs) {
        my ($report, $measures) = @$run{qw(report measures)};
        my $head = [head => defined $run->{called} ? "run $run->{called}" : undef];
        my @measures = figured($report, $measures);
        my @sentences = map {
            my $sentence = enough_words($report, $measures[-1], $_);
            $_->{code} eq 'needs' ? $sentence : ucfirst $sentence;      # p99 has no capital
        } sufficiency($report, @measures);
        push @enough, as_html($head, [list => @sentences]) if @sentences;
        my @blocks = map { worst($_, $report) } $measures->{ $report->{latency_name} } // ();
        push @worst, as_html($head, @blocks) if @blocks;
    }
    my $first = common(map { $_->{report} } @runs) // 'lateness';
    my $figures = sub (@measures) {
        return ('moments and extremes, and shares below thresholds', grep { @$_ } figure_rows(@measures));
    };
    my @of_each = map {
        (_section(\&folded, 'Figures', $_, $figures, @runs),
            $_ eq $first ? () : _percentiles(\&folded, $_, undef, @runs));
    } $first, grep { $_ ne $first } MEASURES;
    return (folded('Is it enough?', @enough), @of_each, folded('Worst wake-ups', @worst));
}

sub _percentiles ($section, $key, $more, @runs) {
    return _section($section, 'Percentiles', $key, sub (@measures) {
        my $is_short = grep { $_->{open} } map { @{ $_->{summary}{percentiles} } } grep { defined } @measures;
        my @rows = percentile_rows(@measures);
        return ('in us, each with its 95 % confidence interval below it'
            . ($is_short ? ', if it has one; too short for intervals: measure a minute' : ''),
            $more ? $more->(@rows) : @rows);
    }, @runs);
}

# A table with a column for one run, or a row for each of several; nothing if no run has the measure. $contents takes
# that of each run, undef if missing, and returns the caption and rows.
sub _section ($section, $title, $key, $contents, @runs) {
    my @measures = map { $_->{measures}{$key} } @runs;
    my ($known) = grep { defined } @measures or return;
    my ($caption, @rows) = $contents->(@measures) or return;
    return unless @rows;
    my @columns = @runs == 1 ? ('', map { measure_words($_) } @measures) : ('run', map { $_->[0] } @rows);
    my @of_runs = map { my $i = $_; [$runs[$i]{name}, map { $_->[$i + 1] } @rows] } 0 .. $#runs;
    return $section->("$title of the " . measure_words($known, 1), as_html([table => Realfeel::Base::Table->new(
        caption => $caption, columns => \@columns, rows => @runs == 1 ? \@rows : \@of_runs)]));
}

sub _explained ($figures, @runs) {
    require Realfeel::Show::Why;
    return section('Why it was late', as_html(Realfeel::Show::Why::of_page(@runs)),
        @$figures ? folded('Why, in pictures', element('div', { class => 'pictures' }, "\n", @$figures)) : ());
}

# The conditions as in the listing, and all other header lines. Among several runs, rows that differ come first and
# are marked, as are the parts of values that not all runs have.
sub _environment (@runs) {
    my @facts = map {
        my $report = $_->{report};
        my @known = facts($report, figured($report, $_->{measures}));
        [[file => $report->{file}], map { [$_->[0], $_->[2] =~ AS_IT_IS ? $_->[1] : micro($_->[1])] } @known];
    } @runs;
    my @headers = map { my $report = $_->{report}; +{ map { $_ => $report->header($_) } $report->keys } } @runs;
    my ($import, $threads) = map { my $key = $_; 0 + grep { $_->{report}->header($key) } @runs } qw(lateness_of thread);
    my @keys = grep {
        my $line = key($_)->{line} // '';
        $line eq '' || $import && $line !~ /^(?:-|remarks)$/;
    } grep { $threads < @runs || !/^(?:policy|priority)$/ } uniq map { $_->{report}->keys } @runs;
    return (
        folded('Conditions', _values_table('How the runs went', \@runs, [map { { map { @$_ } @$_ } } @facts],
            uniq map { map { $_->[0] } @$_ } @facts)),
        folded('Environment',
            _values_table('Machine, rights and settings', \@runs, \@headers, grep { !is_result($_) } @keys),
            _values_table('What was found during the runs', \@runs, \@headers, grep { is_result($_) } @keys)),
    );
}

sub _values_table ($caption, $runs, $values, @keys) {
    return unless @keys;
    my (@differ, @same);
    for my $key (@keys) {
        my @values = map { $_->{$key} } @$values;
        if (uniq(map { $_ // '' } @values) == 1) {
            push @same, [$key, { text => $values[0] // '-', colspan => @values > 1 ? scalar @values : undef }];
            next;
        }
        my @parts = map { [split /(?<=[,;|])\s+|\s+/, $_ // '-'] } @values;
        my %runs_with;
        $runs_with{$_}++ for map { uniq @$_ } @parts;
        my $marked = sub ($part) {
            return $runs_with{$part} == @values || $part eq '-' ? text($part) : element('mark', {}, text($part));
        };
        push @differ, [{ html => '<span class="differs">&ne;</span> ' . text($key) },
            map { { html => join ' ', map { $marked->($_) } @$_ } } @parts];
    }
    return table(caption => $caption . (@differ ? '; what differs is marked' : ''), rows => [@differ, @same],
        columns => ['', map { { head => $_->{called} // 'value', align => 'left' } } @$runs]);
}

# The commands that make all of this again; the page was made with @$options
sub _repeat ($options, @runs) {
    my @files = map { shell_file($_->{report}{file}) } @runs;
    my @words = map { shell_word($_) } @$options;
    my @commands = uniq map { printable($_) } grep { defined } map { $_->{report}->header('command') } @runs;
    return folded('To repeat it', as_html(
        @commands ? [text => 'The runs, each on the machine that is described above:', \join "\n", @commands] : (),
        [text => 'The figures, and this page:', \join "\n", map { printable($_) } "realfeel-analyze stats @files",
            @runs > 1 ? join(' ', 'realfeel-analyze compare', (grep { /^--/ } @words), @files) : (),
            join(' ', 'realfeel-analyze report', @words, @files)],
    ));
}

# Returns the picture of the CPUs, for runs on several; the first of the other pictures; the section of these; an array
# of those that explain; and lines, without newlines, on what is wrong with gnuplot. Only the page says that there is
# nothing to draw.
sub _pictures ($templates, $measure, @runs) {
    my @kinds = _kinds(@runs);
    my $wish = sub ($format, $kind, @of) {
        my $cpus = $kind eq 'cpus' ? undef : 'together';
        return [$kind, $measure, [map { $_->{run} } @of], [map { $_->{name} } @of], $cpus, $format];
    };
    my @wide = grep { $_->[0] eq 'cpus' } @kinds;         # the first of them
    my @drawn = inline_svgs($templates, (map { $wish->(undef, @$_) } @kinds), map { $wish->('wide', @$_) } @wide);
    my @complaints = map { $_->[2] ? $_->[1] =~ s/\n\z//r : () } @drawn;
    my @of_wide = map { $_->[0] } splice @drawn, @kinds;
    my @figures = map {
        my ($kind, @of) = @{ $kinds[$_] };
        my ($svg, $reason) = @{ $drawn[$_] };
        my $alt = "$kind of " . join ', ', map { $_->{name} } @of;
        figure($kind, 'Figure ' . ($_ + 1) . (@of == 1 ? ", $of[0]{name}" : '') . '. ' . CAPTIONS->{$kind},
            defined $reason ? undef : picture($svg, $alt, $of_wide[$_]), $reason);
    } 0 .. $#kinds;
    my @of_cpus = splice @figures, 0, @wide;
    my @explaining = splice @figures, @figures - grep { $_->[0] =~ /^(?:parts|timeline)$/ } @kinds;
    my ($first, @others) = @figures;
    my $others = @others ? folded('More pictures', element('div', { class => 'pictures' }, "\n", @others)) : '';
    return (join('', @of_cpus), $first, $others, \@explaining, @complaints);
}

# The kind of each picture, and its runs
sub _kinds (@runs) {
    my @each = @runs > OF_EACH_MAX ? () : @runs;
    my @of_cpus = grep { my @cpus = @{ $_->{run}{reports} }; @cpus > 1 && !grep { !defined $_->{cpu} } @cpus } @each;
    my @kinds = @runs > OF_ALL_MAX ? () : ('percentiles', @runs == 1 ? 'histogram' : 'overlay', 'exceedance');
    push @kinds, 'matrix' if @runs > OF_EACH_MAX;
    my @timed = grep { $_->{report}->latency } @each;
    return ((map { ['cpus', $_] } @of_cpus), (map { [$_, @runs] } @kinds),
        (map { ['slices', $_] } grep { $_->{report}->has('slices') && $_->{report}->has('slice_bins') } @timed),
        (map { ['parts', $_] } grep { (($_->{report}->rows('parts'))[1] // '') ne '' } @timed),
        (map { ['timeline', $_] } grep { is_blamed($_->{report}) } @timed));
}

1;
