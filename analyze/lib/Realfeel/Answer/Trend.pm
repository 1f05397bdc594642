# SPDX-License-Identifier: GPL-2.0-or-later
# Many runs in order of their start, and where their levels change. Only the figures of each run are kept. Runs with the
# same host, label and cell of a ring, measured alike (Model::Likeness), form a series. The unit is the run, however
# long, because nights differ more than periods within a night. Invalid runs and unknown values are ignored.
package Realfeel::Answer::Trend;
use Realfeel::Base::Modern;

use List::Util qw(max min sum0 uniqnum uniqstr);
use Realfeel::Answer::Judgement qw(answer limit_of);
use Realfeel::Answer::Stats qw(is_percentile known percentiles);
use Realfeel::Base::Typed qw(number text truth);
use Realfeel::Base::Units qw(epoch printable);
use Realfeel::Input::Keys qw(LATENCIES);
use Realfeel::Model::Cpus qw(totals);
use Realfeel::Model::Likeness qw(METHOD fact);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Stat::Trend qw(LEAST changes_among least likeness);

# Used unless others are chosen
use constant USUAL => qw(p50 p99 p99.9 max missed);
use constant LEAST_STEP => 5;        # percent
use constant SERIES => (qw(hostname label cell), map { $_->[0] } METHOD);

# [likeness, how many of 100 series of 100 unchanging runs show a change in any of five values] if each run depends that
# much, or more, on the one before (tests/statistics/trend)
use constant FALSE       => ([0.45, 95], [0.35, 75], [0.25, 50], [0, 20]);
use constant INDEPENDENT => 5;

use constant NAMED  => { map { $_ => 1 } qw(hostname label cell source frequency_hz processes array_bytes) };

# $max is a limit that replaces the runs' own; $chosen comes from chosen(); levels that differ by less than $least
# percent, by default 5, are equal
sub new ($class, $max = undef, $chosen = undef, $least = undef) {
    return bless { series => {}, least => $least // LEAST_STEP, limit => limit_of($max), %{ chosen($chosen) } }, $class;
}

# Dies with one line if the run has no latency or no start
sub add ($self, $run) {
    my $report = totals($run);
    my $measure = $self->{measure} // $report->{latency_name};
    my $name = $self->{measure} ? measure_name($measure) : $report->latency_words;
    my $values = $report->measured($measure) // _refuse($report, "has no $name; give a report that realfeel wrote");
    my $seconds = epoch(known($report, 'started'))
        // _refuse($report, 'does not say when it was started, so it cannot be put in order; leave it out');
    my ($missed, $periods) = map { known($report, $_) } qw(missed periods);
    # The usual ones are always included
    my @wanted = uniqstr map { /^p(.*)/ ? $1 : () } USUAL, map { $_->[0] } @{ $self->{statistics} };
    push @{ $self->_series_of($report)->{runs} }, {
        (map { $_ => text(known($report, $_)) } qw(started kernel_release)),
        measure => $name, counted => $report->latency_words('value'),
        file => text($report->{run_name}), verdict => text($report->{verdict}),
        seconds => number($seconds), duration_s => number(known($report, 'duration_s')),
        limit => text(answer($run, $self->{limit})),
        missed => number($missed), periods => number($periods),
        max_us => $values->n ? number($values->max) : undef,
        (map { _key("p$_->{percentile}") => number($_->{value_us}) } percentiles($values, undef, $measure, @wanted)),
        missed_ppm => defined $missed && $periods ? 1e6 * $missed / $periods : undef,
    };
    return 1;
}

sub _series_of ($self, $report) {
    my %facts = (
        (map { $_ => text(known($report, $_)) } qw(hostname label)), cell => text($report->{cell}),
        map { $_->[0] => text(fact($report, $_->[0])) } METHOD,
    );
    for (qw(frequency_hz cpu)) { $facts{$_} = number($facts{$_}) // $facts{$_} }     # or a list of several CPUs
    return $self->{series}{ join "\0", map { $_ // '' } @facts{+SERIES} } //= { %facts, runs => [] };
}

sub _refuse ($report, $what) { die printable($report->{run_name} . ": $what") . "\n" }

# Hashes sorted by host:
#
#   asked           the limit given, see Answer::Judgement
#   hostname, label, cell, and how it was measured
#   statistics      as chosen
#   besides         hashes of key and value that differ between series
#   runs            hashes of file, verdict, started, kernel_release, duration_s, missed and periods, as in the report;
#                   measure and counted, names of the latency and of what has one; seconds, the start since 1970;
#                   p50_us, p99_us, p999_us, max_us and missed_ppm, undef if unknown; and limit, an answer of
#                   Answer::Judgement
#   judged, needed  the number of runs that are not invalid, and how many it takes to find a change
#   changes         by run: statistic, key, run, index of the first run of a new level, found, index of the run that
#                   revealed it, before and after, medians of the levels (means of missed_ppm), ratio, undef if before
#                   is 0, and worse
#   drifting        hashes of statistic and likeness: how much each run depends on the one before
#   false_series    how many of 100 such series of 100 runs show a change by chance
#   least_percent, smaller       the threshold, and the statistics with smaller steps
sub series ($self) {
    my $of = $self->{series};
    my $among = max(1, scalar grep { LEAST <= believed(@{ $_->{runs} }) } values %$of);
    my @series = map { $self->_series($of->{$_}, $among) } sort keys %$of;
    my @differing = grep { my $key = $_; !NAMED->{$key} && uniqstr(map { $_->{$key} // '' } @series) > 1 } SERIES;
    for my $series (@series) {
        $series->{besides} = [map { { key => $_, value => $series->{$_} } } @differing];
    }
    return @series;
}

sub _series ($self, $facts, $among) {
    my @runs = sort { $a->{seconds} <=> $b->{seconds} || $a->{file} cmp $b->{file} } @{ $facts->{runs} };
    my %series = (%$facts, runs => \@runs, asked => $self->{limit}, statistics => $self->{statistics},
        least_percent => number($self->{least}), judged => number(scalar believed(@runs)), needed => least($among),
        map { $_ => [] } qw(changes drifting smaller));
    for (@{ $self->{statistics} }) {
        my ($statistic, $key) = @$_;
        my @known = grep { defined $runs[$_]{$key} && believed($runs[$_]) } 0 .. $#runs;
        my $told = steps($key, $self->{least}, $among, map { $_->{$key} } @runs[@known]);
        push @{ $series{drifting} }, { statistic => $statistic, likeness => $told->{likeness} } if $told->{likeness};
        push @{ $series{smaller} }, $statistic if $told->{smaller};
        push @{ $series{changes} }, map {
            my ($run, $found) = map { 1 + $known[$_] } @$_{qw(run found)};
            +{ %$_, statistic => $statistic, key => $key, run => $run, found => $found };
        } @{ $told->{steps} };
    }
    my $likeness = max(0, map { $_->{likeness} } @{ $series{drifting} });
    return { %series, changes => [sort { $a->{run} <=> $b->{run} } @{ $series{changes} }],
        false_series => @{ $series{drifting} } ? (grep { $_->[0] <= $likeness } FALSE)[0][1] : INDEPENDENT };
}

# Changes that begin with the same run as one step: hashes of run, changes, and found and found_last, the first and the
# last run that revealed one
sub together (@changes) {
    return map {
        my $run = $_;
        my @of_run = grep { $_->{run} == $run } @changes;
        my @found = map { $_->{found} } @of_run;
        +{ run => $run, found => min(@found), found_last => max(@found), changes => \@of_run };
    } uniqnum map { $_->{run} } @changes;
}

# A mean for missed periods, as most runs have none even where some do
sub _level ($key, @values) {
    return $key eq 'missed_ppm' ? sum0(@values) / @values : (sort { $a <=> $b } @values)[@values / 2];
}

# Parses names with commas between them: statistics, by default the usual ones, of the latency or of one measure. A hash
# of measure and statistics, [name, key] each; undef for an unknown name.
sub chosen ($text) {
    my %is_measure = map { $_ => 1 } LATENCIES, 'interval';
    my @names = split /,/, $text // join(',', USUAL), -1;
    my ($measure, @more) = grep { $is_measure{$_} } @names;
    my @chosen = uniqstr grep { !$is_measure{$_} } @names;
    return undef if !@names || @more || grep { !/\A(?:max|missed)\z/ && !is_percentile($_) } @chosen;
    return { measure => $measure, statistics => [map { [$_ => _key($_)] } @chosen ? @chosen : USUAL] };
}

sub _key ($name) { return $name eq 'missed' ? 'missed_ppm' : ($name =~ s/\.//r) . '_us' }

# Where the level of @values changes: a hash of steps, like changes but with indices from 0; smaller, the number of
# changes of less than $least percent; and likeness, 0 if values are independent. Levels are compared with the last
# step's, so successive small changes finally count as one. The more series ($among), the more it takes.
sub steps ($key, $least, $among, @values) {
    my @changes = changes_among($among, @values);
    my @starts = (0, (map { $_->[0] } @changes), scalar @values);
    my @levels = map { [@values[$starts[$_] .. $starts[$_ + 1] - 1]] } 0 .. $#starts - 1;
    my %told = (steps => [], smaller => 0, likeness => likeness(\@levels));
    return \%told unless @changes;
    my $before = _level($key, @{ $levels[0] });
    for (0 .. $#changes) {
        my ($run, $found) = @{ $changes[$_] };
        my $after = _level($key, @{ $levels[$_ + 1] });
        my ($lower, $higher) = sort { $a <=> $b } $before, $after;
        if ($higher <= $lower * (1 + $least / 100)) { $told{smaller}++; next }
        push @{ $told{steps} }, { run => $run, found => $found, before => $before, after => $after,
            ratio => $before > 0 ? $after / $before : undef, worse => truth($after > $before) };
        $before = $after;
    }
    return \%told;
}

# Runs that are not invalid
sub believed { return grep { ($_->{verdict} // '') ne 'invalid' } @_ }

# The last change of each statistic, if for the worse
sub worse ($series) {
    my %last = map { $_->{key} => $_ } @{ $series->{changes} };
    return grep { $_ == $last{ $_->{key} } && $_->{worse} } @{ $series->{changes} };
}

# Whether the newest credible run fails its limit, or a level has risen
sub failing ($series) {
    my ($newest) = reverse believed(@{ $series->{runs} });
    return $newest && ($newest->{limit} // '') eq 'fail' || worse($series) ? 1 : 0;
}

# What tells the series from others
sub name ($series) {
    my ($host, $label, $cell, $source, $rate) = @$series{qw(hostname label cell source frequency_hz)};
    my @besides = map { "$_->{key} " . ($_->{value} // 'unknown') } @{ $series->{besides} };
    my $what = join ' at ', grep { defined } $source, defined $rate ? "$rate Hz" : undef;
    return printable(join ', ', grep { defined } $host // 'unknown host', $label, $what, $cell, @besides);
}

1;
