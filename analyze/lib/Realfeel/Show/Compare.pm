# SPDX-License-Identifier: GPL-2.0-or-later
# What differs between runs, in words and as blocks: comparisons of Answer::Compare, experiments of Answer::Trial.
package Realfeel::Show::Compare;
use Realfeel::Base::Modern;

use List::Util qw(uniq uniqnum uniqstr);
use Realfeel::Answer::Compare qw(summed_up);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted decimal duration is_multiple lapse listed multiple percent printable shell_file
    short_us significant width wrapped);
use Realfeel::Model::Likeness qw(PLURAL);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Blocks qw(as_text);

use constant {
    DIGITS_MAX  => 5,
    LABEL_WIDTH => 11,
    CELL_WIDTH  => 16,
    RATIO_WIDTH => 7,
    LINE_WIDTH  => 78,
    MUCH        => 1.25,
    CLASS       => { lower => 'better', higher => 'worse' },
};

sub texts ($is_verbose, @comparisons) {
    return join "\n", map { as_text(_blocks($_, $is_verbose)) } @comparisons;
}

# Ratios as a table with a row for each run that is compared
sub several ($caption, @comparisons) {
    my @given = sort { $a <=> $b } uniqnum map { $_->{percentile} } grep { defined $_->{ratio} }
        map { @{ $_->{percentiles} } } @comparisons;
    return [table => Realfeel::Base::Table->new(
        caption => $caption,
        columns => ['run', map { "$_  " } (map { "p$_" } @given), 'max'],
        rows    => [map { [$_->{names}[1], _ratios($_, @given)] } @comparisons],
    )];
}

sub _ratios ($comparison, @given) {
    return { text => 'identical runs', colspan => 1 + @given } if $comparison->{identical};
    my %row = map { $_->{percentile} => $_ } @{ $comparison->{percentiles} };
    my ($base, $file) = map { $_->{max_us} } @$comparison{qw(base file)};
    return (map { _ratio($_, defined $_->{ratio} ? bounds($_) : reason($_, $comparison->{names})) } @row{@given}),
        _ratio({ ratio => $base > 0 ? $file / $base : undef, differs => $comparison->{maxima}{differ} });
}

# What differs beyond chance is marked by more than a colour
sub _ratio ($row, $note = undef) {
    my ($ratio, $differs) = @$row{qw(ratio differs)};
    return { text => (defined $ratio ? decimal($ratio, 3) : '-') . ($differs ? ' *' : '  '), note => $note,
        class => _class($row) };
}

# Doubts, then the conclusion, then what it rests on, in detail if $is_verbose
sub _blocks ($comparison, $is_verbose) {
    my @legend = _no_intervals($comparison) // (_star($comparison), _of_samples($comparison) // ());
    my @grounds = $is_verbose ? [text => join ' ', intervals($comparison)] : map { [text => $_] } @legend;
    my $parts = $comparison->{composition} ? parts($comparison) : undef;
    my @files = map { shell_file($comparison->{$_}{file}) } qw(base file);
    my @cpus = uniq grep { defined } map { $comparison->{$_}{cpus} } qw(base file);
    return (
        [head => measure($comparison) . ': FILE compared with BASE'],
        [facts => (map { _named($comparison, $_) } 0, 1),
            @cpus ? [$comparison->{threads} ? 'threads' : 'CPUs', join(' and ', @cpus) . ' pooled'] : ()],
        [list => map { 'caution: ' . caution($_) } @{ $comparison->{doubts} }],
        $comparison->{identical}
            ? [text => 'Identical runs: the files hold the same figures, and nothing is judged.']
            : ([text => conclusion($comparison)], [table => _table($comparison)], @grounds,
                defined $parts ? ([facts => [parts => $parts]],
                [text => 'the causes of each:', \"realfeel-analyze explain @files"]) : (),
                _environment($comparison, $is_verbose)),
        $comparison->{limit} ? [text => _limit($comparison)] : (),
    );
}

# The same without what the page shows elsewhere
sub on_page ($comparison) {
    my ($base, $file) = @{ $comparison->{names} };
    my $caption = "FILE is $file, BASE is $base; a ratio below 1 means less late";
    return ([table => _table($comparison, $caption)], [text => join ' ', intervals($comparison)],
        [list => remarks($comparison)]);
}

sub remarks ($comparison) {
    return ((map { 'caution: ' . caution($_) } @{ $comparison->{doubts} }),
        $comparison->{composition} ? 'parts: ' . parts($comparison) : ());
}

# With the way early interval errors count
sub measure ($comparison) {
    my ($errors, $name) = ($comparison->{interval_errors}, measure_name($comparison->{measure}));
    return !defined $errors ? $name : $errors eq 'absolute' ? "absolute $name" : "$name, early as 0";
}

sub _named ($comparison, $i) {
    my ($name, $side, $key) = ($comparison->{names}[$i], (qw(BASE FILE))[$i], (qw(base file))[$i]);
    my $file = printable($comparison->{$key}{file});
    return [$side, $file =~ m{(?:^|/)\Q$name\E\z} || $name eq $side ? $file : "$file ($name)"];
}

# Why the comparison may mislead
sub caution ($doubt) {
    my ($code, $key) = @$doubt{qw(code key)};
    my ($base, $file) = map { defined $_ ? printable($_) : '' } @$doubt{qw(base file)};
    my $plural = PLURAL->{ $key // '' };
    my $recording = $code eq 'unlike' && $key eq 'explain' ? ', and recording delays wake-ups' : '';
    return "the $plural differ: $base and $file$recording" if $code eq 'unlike';
    return "the $plural may differ: $file does not say" if $code eq 'unlike_unknown';
    return "$file counts one lateness per wake-up, the other one per period" if $code eq 'counted';
    return "$file is from 2002: both are compared in buckets of 100 us, early wake-ups in the first"
        if $code eq 'buckets';
    return counted($doubt->{runs}, 'run') . ' in common, which makes them more alike' if $code eq 'shared';
    return "$file holds copies of its own runs: $doubt->{runs}" if $code eq 'repeated';
    return "$file is " . printable($doubt->{verdict}) if $code eq 'verdict';
    return "the lateness of $file is unreliable, as its schedule is contradicted (" . printable($doubt->{reason})
        . '); use --measure=interval' if $code eq 'contradicted';
    return "$file ended when its " . measure_name($doubt->{latency}) . ' exceeded --break';
}

# Sentences: by how much the second run differs at the highest percentile that differs beyond chance, and at the highest
# that differs the other way; how far they may differ where that is unknown; what could not be judged, and why; and
# whether the maxima differ. They hold for these runs alone unless there are five or more on each side.
sub conclusion ($comparison) {
    return 'Identical runs.' if $comparison->{identical};
    my $summary = summed_up(@{ $comparison->{percentiles} });
    my @above = $summary->{code} eq 'differs' ? @{ $summary->{unknown} } : ();
    my ($lacking, $names) = ($summary->{lacking}, $comparison->{names});
    my ($larger, $pieces, $differ) = @{ $comparison->{maxima} }{qw(larger pieces differ)};
    return join ' ', map { "$_." } _found($comparison, $summary),
        (map { "p$_->{percentile}: not known (" . _possible($_) . ')' } @above),
        @{ $summary->{unjudged} } ? _unjudged($summary) : (),
        $lacking ? "p$lacking->{percentile}: "
            . ($lacking->{judgement} eq 'samples' ? 'too few samples' : 'beyond the last bin')
            . ($lacking->{lacking} eq 'both' ? '' : " in $names->[$lacking->{lacking} eq 'file']") : (),
        !$larger ? 'Maximum: equal' : !$differ ? 'Maximum: not known'
            : $larger eq 'file' ? "Maximum: higher in each of $pieces parts"
            : "Maximum: lower than in each of $pieces parts of $names->[0]";
}

sub _found ($comparison, $summary) {
    my @units = map { $comparison->{$_}{unit} // '' } qw(base file);
    my $of = $comparison->{names}[1] . ((grep { $_ ne 'runs' } @units) ? ', in these runs alone: ' : ': ');
    if ($summary->{code} eq 'unjudged') {
        my ($short) = grep { $comparison->{(qw(base file))[$_]}{is_short} } 0, 1;
        my $why = defined $short ? ", as $comparison->{names}[$short] is too short" : '';
        return "${of}no percentile can be judged$why";
    }
    if ($summary->{code} eq 'unknown') {    # the highest one says how far they may differ
        my ($last, @before) = reverse @{ $summary->{unknown} };
        return "${of}not known " . (@before ? 'up to' : 'at') . " p$last->{percentile} (" . _possible($last)
            . (@before ? ' there)' : ')');
    }
    my ($first, $other) = @{ $summary->{differences} };
    # If samples were taken as independent, the interval is too narrow, so the values are more informative
    my $known = !grep({ $_ eq '' } @units) ? between(@$first{qw(factor direction least most)})
        : lapse($first->{file_us}) . ', was ' . lapse($first->{base_us});
    my ($change, $opposite) = map { $_ && multiple(@$_{qw(factor direction)}) . " $_->{direction}" } $first, $other;
    return "${of}p$first->{percentile} is $change ($known)" . ($other ? ", p$other->{percentile} $opposite" : '');
}

# "$least to $most" in the unit of the factor, undef for an open end, with as few digits as distinguish the ends
sub between ($factor, $direction, @ends) {
    my $is_multiple = is_multiple($factor);
    my @in_unit = map { !defined $_ || $is_multiple ? $_ : 100 * ($direction eq 'lower' ? 1 - 1 / $_ : $_ - 1) } @ends;
    my ($least, $most);
    for my $digits (2 .. DIGITS_MAX) {
        ($least, $most) = map { defined $_ ? significant($_, $digits) : undef } @in_unit;
        last if !defined $most || $least ne $most;
    }
    my $unit = $is_multiple ? '' : ' %';
    return "$least$unit or more" unless defined $most;
    return $least eq '0' ? "up to $most$unit" : "$least to $most$unit";
}

sub _possible ($row) {
    my ($low, $high) = @$row{qw(low high)};
    return join ' to ', $low > 0 ? multiple(1 / $low, 'lower') . ' lower' : 'less',
        defined $high ? multiple($high, 'higher') . ' higher' : 'more';
}

# Percentiles that have a value
sub _unjudged ($summary) {
    my @rows = grep { $_->{judgement} ne 'short' } @{ $summary->{unjudged} };
    return map {
        my $why = $_;
        listed(map { "p$_->{percentile}" } grep { $_->{judgement} eq $why } @rows) . ': not judged, as '
            . ($why eq 'open' ? 'an end of the interval is open' : 'a value is 0');
    } uniqstr map { $_->{judgement} } @rows;
}

# Ends with the first percentile without a value, which stands for those above
sub _table ($comparison, $caption = undef) {
    my ($base, $file, @names) = (@$comparison{qw(base file)}, @{ $comparison->{names} });
    @names = qw(BASE FILE) if grep { width($_) > CELL_WIDTH } @names;
    my @rows;
    for (@{ $comparison->{percentiles} }) {
        push @rows, $_;
        last if $_->{lacking};
    }
    my @ratio = ({ head => 'ratio', width => RATIO_WIDTH }, { head => '95 % interval', align => 'left' });
    return Realfeel::Base::Table->new(
        caption => $caption,
        columns => [{ head => '', width => LABEL_WIDTH }, (map { { head => $_, width => CELL_WIDTH } } @names),
            (grep { defined $_->{ratio} } @rows) ? @ratio : ()],
        rows    => [
            ['count', map { "$_->{count}   " } $base, $file],
            (map { ["p$_->{percentile}", _cells($_, \@names)] } @rows),
            ['max', map { short_us($_->{max_us}) } $base, $file],
        ],
    );
}

# Whether it is lower or higher beyond chance, and whether by much
sub _class ($row) {
    my $class = CLASS->{ $row->{judgement} // '' } // return undef;
    return abs(log $row->{ratio}) >= log MUCH ? "$class much" : $class;
}

sub _cells ($row, $names) {
    return { text => reason($row, $names), class => 'words', colspan => 4 } if $row->{lacking};
    my @values = map { short_us($_) } @$row{qw(base_us file_us)};
    return @values unless defined $row->{ratio};
    my $bounds = { text => bounds($row) . ($row->{differs} ? ' *' : ''), class => _class($row) };
    return (@values, decimal($row->{ratio}, 3), $bounds);
}

# What a percentile without a value lacks, and in which run if $names are given; undef if it has one
sub reason ($row, $names = undef) {
    my ($lacking, $needed, $from) = @$row{qw(lacking needed from_us)};
    return undef unless defined $lacking;
    return "needs $needed samples" if $lacking eq 'both' && $row->{judgement} eq 'samples';
    my $side = _side($lacking, $names);
    return $row->{judgement} eq 'samples' ? "$side needs $needed samples" : "$side is at least " . short_us($from);
}

sub _side ($side, $names = undef) { return $names && $side ne 'both' ? $names->[$side eq 'file'] : uc $side }

# The interval of a ratio
sub bounds ($row) {
    my ($low, $high) = map { defined $_ ? decimal($_, 3) : undef } @$row{qw(low high)};
    return $row->{low} > 0 ? "$low to $high" : "up to $high" if defined $high;
    return $row->{low} > 0 ? "$low and more" : 'unknown';
}

# What the star means, what makes intervals doubtful, and where they come from
sub intervals ($comparison) {
    my $missing = _no_intervals($comparison);
    return $missing if defined $missing;
    my @units = map { $comparison->{$_}{unit} // '' } qw(base file);
    my $units = $units[0] ne $units[1] ? 'fifths of one run and the runs of the other'
        : $units[0] eq 'runs' ? 'merged runs' : 'fifths of each run';
    return (
        (map { "$_." } _star($comparison)), _of_samples($comparison)
            // "Runs differ beyond chance where their intervals, from the spread of the $units, do not overlap.",
        (grep { $_->{judgement} eq 'open' } @{ $comparison->{percentiles} })
            ? 'An interval is unknown if a bin starts at 0.' : (),
        (grep { $_ ne 'runs' } @units)
            ? 'The intervals do not cover differences between runs of the same kernel: repeat the runs.' : (),
    );
}

sub _star ($comparison) {
    return (grep { $_->{differs} } @{ $comparison->{percentiles} }) ? '* beyond chance' : ();
}

sub _no_intervals ($comparison) {
    my ($short) = grep { $_->{is_short} } @$comparison{qw(base file)} or return undef;
    return printable($short->{file}) . ': too short for intervals: measure a minute.';
}

sub _of_samples ($comparison) {
    my @files = map { printable($_->{file}) } grep { !$_->{units} } @$comparison{qw(base file)} or return undef;
    return 'Intervals take each sample of ' . join(' and ', @files)
        . ' as independent, without slices: too narrow if late wake-ups come in bursts.';
}

# How the parts of the lateness differ, by the composition, the greatest difference first
sub parts ($comparison) {
    my ($reason, $parts) = @{ $comparison->{composition} }{qw(reason parts)};
    my ($base, $file) = @{ $comparison->{names} };
    return 'not compared: ' . why_no_parts($reason, $comparison->{names}) . '.' if $reason;
    my @apart = sort { _apart($b) <=> _apart($a) } grep { $_->{differs} } @$parts;
    return 'in these runs, none differs by more than it varies within a run and by a twentieth of the lateness or more.'
        unless @apart;
    my ($first, @others) = @apart;
    my $differ = join ', ', _part($first, ' is'), map { _part($_) } @others;
    return "by the medians of these runs, with $file $differ than with $base" . (@apart == @$parts ? '.'
        : '; the other parts differ less, or no more than they vary within a run.');
}

sub _apart ($part) { return abs($part->{file_us} - $part->{base_us}) }

sub _part ($part, $is = '') {
    my ($from, $to) = @$part{qw(base_us file_us)};
    return sprintf "'%s'%s %.1f us %s (%.1f -> %.1f)", $part->{name}, $is, _apart($part),
        $to > $from ? 'longer' : 'shorter', $from, $to;
}

sub why_no_parts ($reason, $names = undef) {
    my ($code, $matched, $unknown) = @$reason{qw(code matched unknown)};
    my $delays = 'and each delays wake-ups by its own time';
    return "both were merged from runs that differ in --explain, $delays" if $code eq 'several';
    return "they were traced with --explain=$reason->{base} and --explain=$reason->{file}, $delays"
        if $code eq 'unlike';
    my $side = _side($reason->{side}, $names);
    return "$side has fewer than $reason->{needed} wake-ups whose parts are known" if $code eq 'few';
    return "in $side, the parts of " . percent($unknown, $matched + $unknown) . ' of the wake-ups are unknown'
        if $code eq 'unknown';
    return "$side has no median lateness";
}

# Imported files record little about their run
sub _environment ($comparison, $is_verbose) {
    my ($recorded, @differences) = (join(', ', @{ $comparison->{recorded} }), @{ $comparison->{environment} });
    return [text => _brief(map { $_->{key} } @differences)] if @differences && !$is_verbose;
    return ([head => 'environment differences (BASE -> FILE)'],
        [list => map { join '  ', $_->{key}, join ' -> ', differing($_) } @differences]) if @differences;
    return [text => 'Machine, rights and settings cannot be compared: not every file records them.'] if $recorded eq '';
    return [text => (grep { $_->{is_imported} } @$comparison{qw(base file)})
        ? "Machine, rights and settings: no differences in what both files record, $recorded."
        : 'No differences in machine, rights or settings.'];
}

# One line of as many keys as fit
sub _brief (@keys) {
    my @given = @keys;
    my $line = sub {
        my $more = @keys - @given;
        return 'environment differs: ' . join(', ', @given) . ($more ? " and $more more" : '') . ' (-v)';
    };
    pop @given while @given > 1 && width($line->()) > LINE_WIDTH;
    return $line->();
}

# The two values of a setting that differs
sub differing ($difference) {
    my @values = @$difference{qw(base file)};
    return ('one order', 'another') unless grep { defined } @values;
    return map { printable($_ // '-') } @values;
}

# A line on a cell that is missing from a table
sub no_cell ($, @runs) {
    my ($cell, $table) = map { printable($_->{reports}[0]{run_name}) } @runs;
    return "$cell is not compared: the table of $table has no such cell";
}

# Whether the ratio passes the limit
sub _limit ($comparison) {
    my ($limit, $percentile, $exceeded, $high) = @{ $comparison->{limit} }{qw(limit percentile exceeded high)};
    my $of = "limit $limit at p$percentile: ";
    return "${of}cannot be judged, @{[_why_no_limit($comparison)]}." unless defined $exceeded;
    my $answer = $exceeded ? 'FAIL' : defined $high && $high <= $limit ? 'pass' : 'NOT YET';
    return "$of$answer (the ratio is @{[bounds($comparison->{limit})]}, 95 %).";
}

use constant REMEDIES => {
    other_run => 'give another run', lower => 'choose a lower percentile', longer => 'measure longer',
    minute => 'measure a minute', finer => 'measure in finer steps',
};

# Why the limit cannot be judged and what to do; empty if it can
sub complaint ($comparison) {
    my ($percentile, $exceeded, $remedy) = @{ $comparison->{limit} }{qw(percentile exceeded remedy)};
    return if defined $exceeded;
    return printable($comparison->{file}{file}) . ": p$percentile cannot be judged: @{[_why_no_limit($comparison)]}; "
        . REMEDIES->{$remedy};
}

sub _why_no_limit ($comparison) {
    my ($code, $percentile) = @{ $comparison->{limit} }{qw(code percentile)};
    my ($row) = grep { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
    return reason($row) if $row && defined $row->{lacking};
    my ($short) = grep { $comparison->{$_}{is_short} } qw(base file);
    return $code eq 'short' ? uc($short) . ' is too short for intervals' : $code eq 'identical' ? 'identical runs'
        : $code eq 'zero' ? 'a value is 0' : 'an end of its interval is open';
}

use constant NEAR => 0.1;       # of 1, a ratio

use constant LACKS => {
    invalid      => 'a run is invalid',
    contradicted => 'the schedule of a run is contradicted',
    samples      => 'a run has fewer than the {needed} samples that this percentile needs',
    bins         => 'the percentile is beyond the histogram of a run',
    empty        => 'a run has no samples',
    unknown      => 'a run did not count them',
};

# What a change does: a sentence for each variant, then its figures. Experiments are those that Answer::Trial has
# answered.
sub trial_text ($experiment) {
    my $trial = $experiment->{trial};
    return join '', (map { wrapped('', $_) . "\n" } trial_sentences($trial)), "\n", as_text(trial_figures($trial));
}

# Blocks: a table with a row for each variant and statistic, and the pairs left out
sub trial_figures ($trial, $caption = undef) {
    my $table = Realfeel::Base::Table->new(
        caption => $caption,
        columns => ['', { head => '' }, 'base', 'changed', 'ratio', '95 % interval', qw(pairs lower higher)],
        rows    => [map { my $one = $_; map { _row($one, $_) } grep { defined } @$one{qw(effect beside)} }
            @{ $trial->{variants} }],
    );
    return ([table => $table], [list => map {
        my @pairs = @{ $_->{left_out} };
        @pairs ? "$_->{name}: " . counted(scalar @pairs, 'pair') . ' left out: ' . lacks($pairs[0]) : ();
    } @{ $trial->{variants} }]);
}

sub trial_sentences ($trial) {
    my $in = defined $trial->{duration_s} ? ' in ' . duration($trial->{duration_s}) : '';
    return map {
        my ($effect, $beside) = @$_{qw(effect beside)};
        "$_->{name}: " . _effect($effect, defined $beside ? _beside($beside) : '') . '; '
            . counted($effect->{pairs}, 'pair') . "$in.";
    } @{ $trial->{variants} };
}

# The effects so far, in a line; $left is the most seconds that may be left
sub progress ($trial, $left) {
    my $effects = join ', ', map { _so_far($_) } @{ $trial->{variants} };
    return "pair $trial->{rounds}: $effects; at most " . duration($left) . ' more';
}

sub _effect ($effect, $beside) {
    my ($statistic, $differs, $ratio) = (_statistic($effect), @$effect{qw(differs ratio)});
    my ($base, $variant) = map { _value($effect, $effect->{$_}) } qw(base variant);
    unless (defined $differs) {
        my $unseen = $effect->{unseen} // return "cannot tell whether $statistic differs; that takes more pairs";
        my $most = multiple($unseen, 'higher');
        return "cannot tell; a difference of less than $most at $statistic would not have been seen";
    }
    return "$statistic is 0, was $base$beside" if $differs eq 'lower' && !$ratio;
    return "$statistic is $variant, was 0$beside" unless defined $ratio;
    return "$statistic is " . _factor($effect) . ' (' . _interval($effect) . ")$beside";
}

sub _statistic ($effect) {
    return $effect->{statistic} eq 'missed' ? 'the share of missed periods' : $effect->{statistic};
}

sub _value ($effect, $value) {
    return '-' unless defined $value;
    return $effect->{statistic} ne 'missed' ? lapse($value) : significant($value) . ' in a million';
}

# "2 times higher", "10 % lower"
sub _factor ($effect) {
    my $direction = $effect->{differs} // ($effect->{ratio} < 1 ? 'lower' : 'higher');
    my $factor = $direction eq 'lower' ? 1 / $effect->{ratio} : $effect->{ratio};
    return multiple($factor, $direction) . " $direction";
}

# The factor in words, unless its interval includes both directions
sub _interval ($effect) {
    my ($ratio, $low, $high) = @$effect{qw(ratio low high)};
    return between($ratio, 'higher', $low, $high) if $low && $low >= 1;
    return between(1 / $ratio, 'lower', map { $_ ? 1 / $_ : undef } $high, $low) if defined $high && $high <= 1;
    return $low && defined $high ? _possible($effect) : 'any ratio is possible yet';
}

sub _beside ($effect) {
    my $statistic = _statistic($effect);
    return ", no difference known at $statistic" unless defined $effect->{differs} && $effect->{ratio};
    return ", $statistic " . _factor($effect);
}

sub _so_far ($variant) {
    my ($name, $effect) = @$variant{qw(name effect)};
    my $is_equal = $effect->{equal} && $effect->{equal} == $effect->{pairs};
    return "$name equal at $effect->{statistic}" if $is_equal || ($effect->{ratio} // 0) == 1;
    return "$name not known at $effect->{statistic}" unless $effect->{ratio};
    return "$name " . _factor($effect) . " at $effect->{statistic} (" . _interval($effect) . ')';
}

# Ratios near 1 have the digits of the difference, as in the sentence
sub _row ($variant, $effect) {
    my ($ratio, @ends) = map {
        !defined $_ ? undef : abs($_ - 1) < NEAR ? 1 + significant($_ - 1) : significant($_, 3)
    } @$effect{qw(ratio low high)};
    return [
        $variant->{name}, $effect->{statistic}, (map { _value($effect, $effect->{$_}) } qw(base variant)),
        $ratio // '-', $effect->{pairs} ? ($ends[0] // 0) . ' to ' . ($ends[1] // 'any') : '-',
        @$effect{qw(pairs lower higher)},
    ];
}

# Why a pair is left out
sub lacks ($pair) { return LACKS->{ $pair->{code} } =~ s/\{needed\}/$pair->{needed}/r }

1;
