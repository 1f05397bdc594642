# SPDX-License-Identifier: GPL-2.0-or-later
# The text of realfeel-analyze trend.
package Realfeel::Show::Trend;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(digest text);

use List::Util qw(uniqstr);
use Realfeel::Answer::Trend qw(believed name worse);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration multiple printable short wrapped);
use Realfeel::Show::Judge qw(limit_text);
use Realfeel::Show::Words qw(words);

use constant LATENCIES => qw(p50_us p99_us p999_us max_us);

# A table of runs, where ^ marks the first run of a higher level and v that of a lower one, and a line for each step
sub text ($series) {
    my @runs = @{ $series->{runs} };
    my %mark = map { ("$_->{run} $_->{key}" => $_->{worse} ? '^' : 'v') } @{ $series->{changes} };
    my $time = @runs == uniqstr(map { _date($_) } @runs) ? \&_date : \&_time;
    my ($kernel, @keys) = ('', map { $_->[1] } @{ $series->{statistics} });
    my @more = grep { my $key = $_; grep { _word($key, $_) ne '' } @runs } qw(limit verdict);
    my @rows = map {
        my ($number, $run, $before) = ($_ + 1, $runs[$_], $kernel);
        $kernel = $run->{kernel_release} // words('unknown');
        [$number, $time->($run), (map { _cell($_, $run, $mark{"$number $_"} // ' ') } @keys),
            (map { _word($_, $run) } @more), $kernel eq $before ? '' : printable($kernel)];
    } 0 .. $#runs;
    my $table = Realfeel::Base::Table->new(
        caption => _caption($series),
        columns => [{ head => '', align => 'right' }, { head => 'started', align => 'left' },
            (map { _head(@$_) . ' ' } @{ $series->{statistics} }),
            map { { head => $_, align => 'left' } } @more, 'kernel'],
        rows    => \@rows,
    );
    return join '', map { "$_\n" } $table->text, '',
        map { wrapped('  ', $_) } %mark ? words('trend.marks') : (), _changes($series), _cautions($series);
}

# Only what is unusual: a limit not kept, a verdict not valid
sub _word ($key, $run) {
    my $word = $run->{$key} // return $key eq 'verdict' ? words('verdict.none') : '';
    return $key eq 'limit' ? words("judge.$word") : $word eq 'valid' ? '' : uc $word;
}

sub _caption ($series) {
    my @runs = @{ $series->{runs} };
    my $failing = grep { ($_->{limit} // '') eq 'fail' } @runs;
    return words($failing ? 'trend.caption_failing' : 'trend.caption', name => name($series), runs => scalar @runs,
        failing => $failing, limit => _asked($series->{asked}));
}

# The limit given for all, or that each run has its own
sub _asked ($limit) {
    return $limit ? limit_text(@$limit{qw(us percentile)}) : words('trend.own_limit');
}

sub _time ($run) { return $run->{started} =~ s/^(.*)T(\d\d:\d\d).*/$1 $2/r }

sub _head ($name, $key) {
    return $name eq 'missed' ? 'missed' : "$name us";
}

sub _cell ($key, $run, $mark) {
    return ($run->{missed} // '-') . $mark if $key eq 'missed_ppm';
    return defined $run->{$key} ? short($run->{$key}) . $mark : '- ';
}

sub _changes ($series) {
    my $least = $series->{least_percent};
    return map { _step($series, $_) } @{ $series->{steps} } if @{ $series->{steps} };
    return _too_few($series) // words($least ? 'trend.none_above' : 'trend.none', least => $least);
}

sub _too_few ($series) {
    my ($judged, $needed, $runs) = @$series{qw(judged needed runs)};
    return undef if $judged >= $needed;
    my $invalid = @$runs - $judged;
    return words($invalid ? 'trend.too_few_valid' : 'trend.too_few', runs => $judged, invalid => $invalid,
        needed => $needed);
}

sub _step ($series, $step) {
    my $run = $series->{runs}[ $step->{run} - 1 ];
    return words($step->{found} == $step->{found_last} ? 'trend.step' : 'trend.step_found_to', %$step,
        date => _date($run), changes => _levels($run, @{ $step->{changes} }));
}

# Before and after each change that began with this run
sub _levels ($run, @changes) {
    my ($first, @others) = map { _level($run, $_) } @changes;
    $first .= words('trend.us') unless $changes[0]{key} eq 'missed_ppm';
    return join ', ', $first, @others;
}

sub _level ($run, $change) {
    my ($is_missed, @levels) = ($change->{key} eq 'missed_ppm', @$change{qw(before after)});
    my ($before, $after) = map { $is_missed ? sprintf '%.3g', $_ : short($_) } @levels;
    return words($is_missed ? 'trend.change_missed' : 'trend.change', statistic => $change->{statistic},
        before => $before, after => $after, counted => $run->{counted});
}

sub _date ($run) { return $run->{started} =~ s/T.*//r }

sub _cautions ($series) {
    my ($changes, $drifting, $smaller, $false) = @$series{qw(changes drifting smaller false_series)};
    my @likeness = map { words('trend.likeness', %$_, likeness => sprintf '%.1f', $_->{likeness}) } @$drifting;
    return (
        @$smaller ? words('trend.smaller', statistics => join ', ', @$smaller) : (),
        @$drifting ? words('trend.drifting', likeness => join(', ', @likeness), series => $false)
            : @$changes ? words('trend.independent', series => $false) : (),
    );
}

# Five lines on the last run: circumstances, figures, usual figures, changes, and where its report is
sub digest ($series) {
    my @before = @{ $series->{runs} };
    my $run = pop @before;
    my @believed = believed(@before);
    my @worse = worse($series);
    return join '', map { "$_\n" } (
        join(', ', _circumstances($series, $run, @before)),
        words('trend.last', figures => _figures($run)),
        @believed ? words('trend.usual', figures => _figures(_usual(@believed))) : words('trend.usual_unknown'),
        @worse ? words('trend.worse', steps => join '; ', _worse($series, @worse))
            : _too_few($series) // words('trend.not_worse', runs => 1 + @before),
        words('trend.report', file => printable($run->{file})),
    );
}

sub _circumstances ($series, $run, @before) {
    my ($kernel, $last) = map { $_->{kernel_release} // words('unknown') } $run, $before[-1] // $run;
    return (
        words('trend.digest', name => name($series), verdict => $run->{verdict} // words('verdict.none')), _time($run),
        defined $run->{duration_s} ? duration($run->{duration_s}) : (),
        words($kernel eq $last ? 'trend.kernel' : 'trend.new_kernel', kernel => printable($kernel)),
    );
}

sub _figures ($run) {
    my %times = map { $_ => defined $run->{$_} ? short($run->{$_}) . words('trend.us') : '-' } LATENCIES;
    return words('trend.figures', %times, missed => $run->{missed} // '-');
}

# Medians of the runs before
sub _usual (@runs) {
    return { map { my $key = $_; $key => scalar _middle(map { $_->{$key} // () } @runs) } LATENCIES, 'missed' };
}

sub _middle {
    my @sorted = sort { $a <=> $b } @_;
    return @sorted ? $sorted[@sorted / 2] : undef;
}

# Changes that began on the same day stand together
sub _worse ($series, @worse) {
    my @date = map { _date($series->{runs}[ $_->{run} - 1 ]) } @worse;
    return map {
        my $date = $_;
        my @of_date = map { _higher_by($worse[$_]) } grep { $date[$_] eq $date } 0 .. $#worse;
        words('trend.worse_since', changes => join(', ', @of_date), date => $date);
    } uniqstr @date;
}

sub _higher_by ($change) {
    my ($statistic, $ratio) = @$change{qw(statistic ratio)};
    return $statistic unless defined $ratio;
    return words('trend.worse_by', statistic => $statistic, by => multiple($ratio, 'higher'));
}

1;
