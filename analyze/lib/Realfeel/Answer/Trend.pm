# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Trend;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(LEAST_STEP believed chosen failing name steps worse);

use List::Util qw(max min sum0 uniqnum uniqstr);
use Realfeel::Answer::Judgement qw(answer limit_of);
use Realfeel::Answer::Percentiles qw(is_percentile percentiles);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Typed qw(number text truth);
use Realfeel::Base::Units qw(epoch printable);
use Realfeel::Input::Format1::Columns qw(LATENCIES);
use Realfeel::Model::Cpus qw(totals);
use Realfeel::Model::Likeness qw(METHOD fact);
use Realfeel::Model::Report::Measures qw(measure_name);
use Realfeel::Stat::Change qw(LEAST changes_among least likeness);

# What is looked at of each run unless others are chosen.
use constant USUAL => qw(p50 p99 p99.9 max missed);
use constant LEAST_STEP => 5;        # percent
use constant SERIES => (qw(hostname label cell), map { $_->[0] } METHOD);

# Of 100 series of 100 runs without a change, each with so much of the run before it or more, in how many one is found
# in any of five values (tests/statistics/trend); and where no run depends on the one before it.
use constant FALSE       => ([0.45, 95], [0.35, 75], [0.25, 50], [0, 20]);
use constant INDEPENDENT => 5;

use constant NAMED  => { map { $_ => 1 } qw(hostname label cell source frequency_hz processes array_bytes) };

=head1 NAME

Realfeel::Answer::Trend - many runs in the order of their start, and from which of them on their levels have changed

=head1 DESCRIPTION

Of each run only its own numbers are kept, so that there may be many. Runs that agree in host, label and cell of a ring,
and in how they were measured (L<Realfeel::Model::Likeness>), make a series. The unit is the run, however many periods
it has: nights differ by more than their periods tell. What a run leaves unknown, and all of an invalid one, is left out
when changes are looked for.

=head1 METHODS

=head2 new($max, $chosen, $least)

No runs. The limit of that text takes the place of those of the runs. What is looked at is C<chosen>. Levels that differ
by less than so many percent, 5 by default, are one.

=head2 add($run)

Takes the numbers of a run of L<Realfeel::Model::Cpus>. Dies with one line when it has no latency, or not the time when
it was started.

=cut

sub new ($class, $max = undef, $chosen = undef, $least = undef) {
    return bless { series => {}, least => $least // LEAST_STEP, limit => limit_of($max),
        %{ chosen($chosen) } }, $class;
}

sub add ($self, $run) {
    my $report = totals($run);
    my $measure = $self->{measure} // $report->latency_name;
    my $name = $self->{measure} ? measure_name($measure) : $report->latency_words;
    my $values = $report->measured($measure) // _refuse($report, "has no $name; name a report that realfeel wrote");
    my $seconds = epoch(known($report, 'started'))
        // _refuse($report, 'does not tell when it was started, so it has no place in time; leave it out');
    my ($missed, $periods) = map { known($report, $_) } qw(missed periods);
    push @{ $self->_series_of($report)->{runs} }, {
        (map { $_ => text(known($report, $_)) } qw(started kernel_release)),
        measure => $name, counted => $report->latency_words('value'),
        file => text($report->run_name), verdict => text($report->verdict),
        seconds => number($seconds), duration_s => number(known($report, 'duration_s')),
        limit => text(answer($run, $self->{limit})),
        missed => number($missed), periods => number($periods),
        max_us => $values->n ? number($values->max) : undef, $self->_percentiles($measure, $values),
        missed_ppm => defined $missed && $periods ? 1e6 * $missed / $periods : undef,
    };
    return 1;
}

# The usual ones are always known.
sub _percentiles ($self, $measure, $values) {
    my @wanted = uniqstr map { /^p(.*)/ ? $1 : () } USUAL, map { $_->[0] } @{ $self->{statistics} };
    return map { _key("p$_->{percentile}") => number($_->{value_us}) } percentiles($values, undef, $measure, @wanted);
}

sub _series_of ($self, $report) {
    my %facts = (
        (map { $_ => text(known($report, $_)) } qw(hostname label)), cell => text($report->cell),
        (map { $_->[0] => _typed($_->[0], fact($report, $_->[0])) } METHOD),
    );
    return $self->{series}{ join "\0", map { $_ // '' } @facts{+SERIES} } //= { %facts, runs => [] };
}

# A CPU may be a list of several.
sub _typed ($key, $value) {
    return $key eq 'frequency_hz' || $key eq 'cpu' ? number($value) // text($value) : text($value);
}

sub _refuse ($report, $what) { die printable($report->run_name . ": $what") . "\n" }

=head2 series

A list of hashes, in the order of their hosts: C<asked>, the limit that was given, of L<Realfeel::Answer::Judgement>;
C<hostname>, C<label>, C<cell> and how they were measured; C<statistics>, what was C<chosen>; C<besides>, hashes C<key>
and C<value> of that in which any series differ; C<runs>, an array of hashes C<file>, C<verdict>, C<started>,
C<kernel_release>, C<duration_s>, C<missed> and C<periods>, as the report has them, C<measure> and C<counted>, what its
latency and what has one are called, the time of the start in C<seconds> from 1970 on, C<p50_us>, C<p99_us>, C<p999_us>,
C<max_us> and C<missed_ppm>, each undef where it is not known, and C<limit>, the C<answer> of
L<Realfeel::Answer::Judgement>; C<judged>, how many of them are not invalid, and C<needed>, how many it takes to find a
change; C<changes>, in the order of their runs, an array of hashes C<statistic>, C<key>, C<run>, the number of the first
run of the new level, C<found>, that of the run by which this was known, C<before> and C<after>, the medians of the
levels, of C<missed_ppm> the means, C<ratio>, undef where before was 0, and C<worse>, whether it lies higher; C<steps>,
the C<changes> that begin with the same C<run>, and from C<found> to C<found_last>; C<drifting>, hashes of the
C<statistic> whose runs are like those before them, and of C<likeness>, how much each has of the one before;
C<false_series>, of 100 such series of 100 runs without a change how many show one; C<least_percent>, and C<smaller>,
the names of the statistics that have a step of less.

=cut

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
        least_percent => number($self->{least}), judged => scalar believed(@runs), needed => least($among),
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
    my @changes = sort { $a->{run} <=> $b->{run} } @{ $series{changes} };
    return { %series, changes => \@changes, steps => [_together(@changes)],
        false_series => _false_series(@{ $series{drifting} }) };
}

# What begins with the same run is one step.
sub _together (@changes) {
    return map {
        my $run = $_;
        my @of_run = grep { $_->{run} == $run } @changes;
        my @found = map { $_->{found} } @of_run;
        +{ run => $run, found => min(@found), found_last => max(@found), changes => \@of_run };
    } uniqnum map { $_->{run} } @changes;
}

# Of as many series as are simulated.
sub _false_series {
    my @drifting = @_ or return INDEPENDENT;
    my $most = max(map { $_->{likeness} } @drifting);
    return (grep { $_->[0] <= $most } FALSE)[0][1];
}

# Most runs miss nothing, even on a level where some do.
sub _level ($key, @values) {
    return $key eq 'missed_ppm' ? sum0(@values) / @values : (sort { $a <=> $b } @values)[@values / 2];
}

=head1 FUNCTIONS

=head2 chosen($text)

What is to be looked at, by names with commas between them: of the latency, or of one C<measure> that is named, those of
C<statistics>, an array of arrays of name and key; without any the usual ones. Undef where a name is none of these.

=cut

sub chosen ($text) {
    my %is_measure = map { $_ => 1 } LATENCIES, 'interval';
    my @names = split /,/, $text // join(',', USUAL), -1;
    my ($measure, @more) = grep { $is_measure{$_} } @names;
    my @chosen = uniqstr grep { !$is_measure{$_} } @names;
    return undef if !@names || @more || grep { !/\A(?:max|missed)\z/ && !is_percentile($_) } @chosen;
    return { measure => $measure, statistics => [map { [$_ => _key($_)] } @chosen ? @chosen : USUAL] };
}

sub _key ($name) { return $name eq 'missed' ? 'missed_ppm' : ($name =~ s/\.//r) . '_us' }

=head2 steps($key, $least, $among, @values)

From which of these values on their level is another: a hash of C<steps>, which are such changes, but count from 0; how
many changes are C<smaller> than so many percent; and C<likeness>, 0 where the values are not like those before them. A
level is compared with that of the last step, so many small changes are a step in the end. They are of one among so
many series, of each of which it takes more to be told than of one alone.

=cut

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

=head2 believed(@runs)

Those that are not invalid, for no other is looked at.

=cut

sub believed { return grep { ($_->{verdict} // '') ne 'invalid' } @_ }

=head2 worse($series)

The last change of each statistic for which it was one for the worse.

=cut

sub worse ($series) {
    my %last = map { $_->{key} => $_ } @{ $series->{changes} };
    return grep { $_ == $last{ $_->{key} } && $_->{worse} } @{ $series->{changes} };
}

=head2 failing($series)

Whether the newest run that can be believed fails its limit, or a level is higher than it was.

=cut

sub failing ($series) {
    my ($newest) = reverse believed(@{ $series->{runs} });
    return $newest && ($newest->{limit} // '') eq 'fail' || worse($series) ? 1 : 0;
}

=head2 name($series)

What tells a series from others, in a few words.

=cut

sub name ($series) {
    my ($host, $label, $cell, $source, $rate) = @$series{qw(hostname label cell source frequency_hz)};
    my @besides = map { "$_->{key} " . ($_->{value} // 'unknown') } @{ $series->{besides} };
    my $what = join ' at ', grep { defined } $source, defined $rate ? "$rate Hz" : undef;
    return printable(join ', ', grep { defined } $host // 'unknown host', $label, $what, $cell, @besides);
}

1;
