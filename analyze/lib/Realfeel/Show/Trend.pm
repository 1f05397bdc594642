# SPDX-License-Identifier: GPL-2.0-or-later
# The text of realfeel-analyze trend.
package Realfeel::Show::Trend;
use Realfeel::Base::Modern;

use List::Util qw(uniqstr);
use Realfeel::Answer::Trend qw(believed name together worse);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted duration multiple printable short);
use Realfeel::Show::Blocks qw(as_text);
use Realfeel::Show::Judge qw(ANSWER limit_text);

# A table of runs, where ^ marks the first run of a higher level and v that of a lower one, and a line for each step
sub text ($series) {
    my @steps = map { _step($series, $_) } together(@{ $series->{changes} });
    my $by = $series->{least_percent} ? " by more than $series->{least_percent} %" : '';
    return as_text([head => _caption($series)], [table => _table($series)],
        [text => @steps ? ('^ higher than before, v lower', @steps) : _too_few($series) // "no level has changed$by",
            _cautions($series)]);
}

sub _table ($series) {
    my @runs = @{ $series->{runs} };
    my %mark = map { ("$_->{run} $_->{key}" => $_->{worse} ? '^' : 'v') } @{ $series->{changes} };
    my $time = @runs == uniqstr(map { _date($_) } @runs) ? \&_date : \&_time;
    my ($kernel, @keys) = ('', map { $_->[1] } @{ $series->{statistics} });
    my @more = grep { my $key = $_; grep { _word($key, $_) ne '' } @runs } qw(limit verdict);
    my @rows = map {
        my ($number, $run, $before) = ($_ + 1, $runs[$_], $kernel);
        $kernel = $run->{kernel_release} // 'unknown';
        [$number, $time->($run), (map { _cell($_, $run, $mark{"$number $_"} // ' ') } @keys),
            (map { _word($_, $run) } @more), $kernel eq $before ? '' : printable($kernel)];
    } 0 .. $#runs;
    my @heads = map { $_->[0] eq 'missed' ? 'missed ' : "$_->[0] us " } @{ $series->{statistics} };
    return Realfeel::Base::Table->new(
        columns => [{ head => '', align => 'right' }, { head => 'started', align => 'left' }, @heads,
            map({ { head => $_, align => 'left' } } @more), 'kernel'],
        rows    => \@rows,
    );
}

# Only what is unusual: a limit not kept, a verdict not valid
sub _word ($key, $run) {
    my $word = $run->{$key} // return $key eq 'verdict' ? 'no verdict' : '';
    return $key eq 'limit' ? ANSWER->{$word} : $word eq 'valid' ? '' : uc $word;
}

# With the limit given, or a note that each run has its own
sub _caption ($series) {
    my ($limit, @runs) = ($series->{asked}, @{ $series->{runs} });
    my $failing = grep { ($_->{limit} // '') eq 'fail' } @runs;
    my $asked = $limit ? limit_text(@$limit{qw(us percentile)}) : 'its limit';
    return name($series) . ': ' . counted(scalar @runs, 'run') . ($failing ? ", $failing FAIL $asked" : '');
}

sub _date ($run) { return $run->{started} =~ s/T.*//r }
sub _time ($run) { return $run->{started} =~ s/^(.*)T(\d\d:\d\d).*/$1 $2/r }

sub _cell ($key, $run, $mark) {
    return ($run->{missed} // '-') . $mark if $key eq 'missed_ppm';
    return defined $run->{$key} ? short($run->{$key}) . $mark : '- ';
}

sub _too_few ($series) {
    my ($judged, $needed, $runs) = @$series{qw(judged needed runs)};
    return undef if $judged >= $needed;
    my $invalid = @$runs - $judged;
    return counted($judged, 'run') . ($invalid ? ", and $invalid invalid" : '')
        . "; at least $needed are needed to detect a change";
}

# Levels before and after each change that began with this run
sub _step ($series, $step) {
    my $run = $series->{runs}[ $step->{run} - 1 ];
    my ($first, @others) = map {
        my ($is_missed, @levels) = ($_->{key} eq 'missed_ppm', @$_{qw(before after)});
        "$_->{statistic} " . join(' -> ', map { $is_missed ? sprintf '%.3g', $_ : short($_) } @levels)
            . ($is_missed ? " per million $run->{counted}s" : '');
    } @{ $step->{changes} };
    $first .= ' us' unless $step->{changes}[0]{key} eq 'missed_ppm';
    my $found = $step->{found} == $step->{found_last} ? "run $step->{found}"
        : "runs $step->{found} to $step->{found_last}";
    return _date($run) . " (run $step->{run}): " . join(', ', $first, @others) . "; detected at $found";
}

sub _cautions ($series) {
    my ($changes, $drifting, $smaller, $false) = @$series{qw(changes drifting smaller false_series)};
    my $likeness = join ', ', map { sprintf '%s %.1f', @$_{qw(statistic likeness)} } @$drifting;
    return (
        @$smaller ? 'smaller steps, which --least=0 tells: ' . join ', ', @$smaller : (),
        @$drifting ? "each run resembles the one before it ($likeness of 1), as on a machine that drifts: of 100 such "
            . "series of 100 runs without a change about $false show one"
        : @$changes ? "of 100 series of 100 runs without a change at most $false show one, if no run depends on the "
            . 'one before it' : (),
    );
}

# Five lines on the last run: conditions, figures, usual figures, changes, and where its report is
sub digest ($series) {
    my @before = @{ $series->{runs} };
    my $run = pop @before;
    my @believed = believed(@before);
    my @worse = worse($series);
    my ($kernel, $last) = map { $_->{kernel_release} // 'unknown' } $run, $before[-1] // $run;
    return join '', map { "$_\n" } (
        join(', ', name($series) . ': ' . ($run->{verdict} // 'no verdict'), _time($run),
            defined $run->{duration_s} ? duration($run->{duration_s}) : (),
            printable($kernel) . ($kernel eq $last ? '' : ' (new)')),
        'last run: ' . _figures($run),
        'usual:    ' . (@believed ? _figures(_usual(@believed)) : 'not known, there is no run before it'),
        @worse ? 'worse:    ' . join '; ', _worse($series, @worse)
            : _too_few($series) // 'no level has risen in ' . counted(1 + @before, 'run'),
        'report:   ' . printable($run->{file}),
    );
}

sub _figures ($run) {
    my @times = map {
        my ($name, $key) = @$_;
        defined $run->{$key} ? "$name " . short($run->{$key}) . ' us' : "$name -";
    } [p50 => 'p50_us'], [p99 => 'p99_us'], ['p99.9' => 'p999_us'], [max => 'max_us'];
    return join ', ', @times, 'missed ' . ($run->{missed} // '-');
}

# Medians of the runs before
sub _usual (@runs) {
    return { map {
        my $key = $_;
        my @sorted = sort { $a <=> $b } map { $_->{$key} // () } @runs;
        $key => @sorted ? $sorted[@sorted / 2] : undef;
    } qw(p50_us p99_us p999_us max_us missed) };
}

# Changes that began on the same day are grouped
sub _worse ($series, @worse) {
    my (%of, @dates);
    for (@worse) {
        push @dates, my $date = _date($series->{runs}[ $_->{run} - 1 ]);
        push @{ $of{$date} }, join ' ', $_->{statistic}, defined $_->{ratio} ? multiple($_->{ratio}, 'higher') : ();
    }
    return map { join(', ', @{ $of{$_} }) . " higher since $_" } uniqstr @dates;
}

1;
