# SPDX-License-Identifier: GPL-2.0-or-later
# Which runs the page is about, and what to say of them first.
package Realfeel::Show::Page::Runs;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(badge badges cpus_of heading headline measure_of objections_to runs title verdict);

use List::Util qw(all uniq);
use Realfeel::Answer::Result qw(headed result);
use Realfeel::Answer::Stats qw(known measures objections);
use Realfeel::Base::Units qw(cut short);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Names qw(names together);
use Realfeel::Model::Report qw(common measure_name);
use Realfeel::Show::Figures qw(objection_words);
use Realfeel::Show::Page::Html qw(element list prose text);
use Realfeel::Show::Result qw(remark result_lines);
use Realfeel::Show::Words qw(words);

use constant VERDICTS => qw(invalid suspect none valid);
use constant {
    NAMES_MAX  => 3,
    VALUES_MAX => 3,
    LENGTH_MAX => 160,
};

# For each run a hash of run; report, all CPUs pooled; name, unique, by default from Model::Names; called, the name, or
# undef for a single run; and measures, from keys to measures of Answer::Stats
sub runs ($runs, @names) {
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

# Its reports, if it is on several CPUs
sub cpus_of ($run) {
    my @reports = @{ $run->{run}{reports} };
    return @reports > 1 ? @reports : ();
}

# The measure that all have, preferably a latency; undef if none
sub measure_of { return common(map { $_->{report} } @_) }

# Their names, or their number
sub title (@runs) {
    return @runs > NAMES_MAX ? words('page.runs', runs => scalar @runs) : join ' / ', map { $_->{name} } @runs;
}

# The title, and when and where they were made: date, host, kernel, load, source, and the CPUs if several
sub heading (@runs) {
    my @facts = (
        [date => _date(_values('started', @runs))], [host => _values('hostname', @runs)], [kernel => _kernels(@runs)],
        [load => map { ($_ // '') eq 'none' ? words('fact.no_load') : $_ } _values('load', @runs)],
        [source => map { _source($_) } @runs],
        (grep { cpus_of($_) } @runs) ? [cpus => _values('cpu', @runs)] : (),
    );
    return element('header', {}, "\n", element('p', {}, text(words('page.about'))), "\n",
        element('h1', {}, text(title(@runs))), "\n", element('dl', {}, "\n", map { _fact(@$_) } @facts)) . "\n";
}

sub _fact ($name, @values) {
    my $text = cut(_together(@values) // words('fact.unknown'), LENGTH_MAX);
    return _line(words("fact.$name"), text($text));
}

sub _together {
    my @known = uniq grep { defined } @_ or return undef;
    return @known > VALUES_MAX ? words('fact.several', values => scalar @known) : together(@known);
}

sub _values ($key, @runs) {
    return map { known($_->{report}, $key) } @runs;
}

# First and last, to the minute
sub _date {
    my @times = sort grep { defined } @_ or return undef;
    my ($first, $last) = map { /\A(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/ ? [$1, $2] : [$_, ''] } @times[0, -1];
    my $zone = $times[0] =~ /Z\z/ ? ' UTC' : '';
    return join(' ', grep { $_ ne '' } @$first) . $zone if "@$first" eq "@$last";
    return words('fact.from_to', first => "@$first", last => "$last->[1]$zone") if $first->[0] eq $last->[0];
    return words('fact.from_to', first => $first->[0], last => $last->[0]);
}

# Releases and preemption models each have their own common words
sub _kernels (@runs) {
    my @known = grep { defined known($_->{report}, 'kernel_release') } @runs or return undef;
    my $models = _together(map { $_->{report}->preemption } @known);
    return join ', ', _together(_values('kernel_release', @known)), $models // ();
}

sub _source ($run) {
    my ($source, $rate) = map { _values($_, $run) } qw(source frequency_hz);
    return defined $source && defined $rate ? words('fact.rate', source => $source, rate => $rate) : $source;
}

# A verdict as a label
sub badge ($verdict, $text = undef) {
    return element('strong', { class => "verdict $verdict" }, text($text // words("verdict.$verdict")));
}

# The verdict of one run; how many of several have which
sub badges (@runs) {
    return badge(verdict(@runs)) if @runs == 1;
    my %runs;
    $runs{ verdict($_) }++ for @runs;
    return join ' ', map { badge($_, words("verdicts.$_", runs => $runs{$_})) } grep { $runs{$_} } VERDICTS;
}

# "none" if the file has none
sub verdict ($run) {
    my $verdict = $run->{report}->verdict // 'none';
    return $verdict =~ /^(?:valid|suspect|invalid)$/ ? $verdict : 'none';
}

# The reasons of the verdicts
sub objections_to (@runs) {
    return list(map {
        my $lead = defined $_->{called} ? "$_->{called}: " : '';
        map { $lead . objection_words($_) } objections($_->{report});
    } @runs);
}

# For one run the result as stats prints it, and other reasons against it. For several, the verdicts, and @conclusions,
# else the best and the worst, and which missed periods.
sub headline ($runs, @conclusions) {
    return _of_one(@$runs) if @$runs == 1;
    my @sentences = @conclusions ? @conclusions : _of_several(@$runs);
    return element('p', { class => 'headline' }, badges(@$runs), ' ', prose(join ' ', @sentences)) . "\n";
}

sub _of_one ($run) {
    my $report = $run->{report};
    my $result = result($run->{run}, grep { defined } @{ $run->{measures} }{ headed($report) });
    my ($reason, @others) = map { objection_words($_) } @{ $result->{objections} };
    my @lines = map { [$_->[0], prose($_->[1])] } result_lines($result, $report);
    $lines[-1][1] = join ' ', badge(verdict($run)), map { prose($_) } grep { defined } $reason // remark($result);
    return element('dl', { class => 'headline' }, "\n", map { _line(@$_) } @lines) . join '', "\n", list(@others);
}

sub _line ($name, $html) {
    return element('div', {}, element('dt', {}, text($name)), ' ', element('dd', {}, $html)) . "\n";
}

sub _of_several (@runs) {
    my $key = measure_of(@runs) // return words('headline.no_common');
    my @known = grep { $_->{measures}{$key}{summary}{count} } @runs or return words('headline.all_none');
    return words('headline.only', name => $known[0]{name}) if @known == 1;
    return (_best_and_worst($key, @known) // words('headline.no_percentile'), _missed_some(@runs));
}

# How many of several runs missed any
sub _missed_some (@runs) {
    my @missed = grep { known($_->{report}, 'missed') } @runs or return;
    my @what = uniq map { $_->{report}->latency_words('value') . 's' } @missed;
    return words('headline.of_runs', missed => scalar @missed, runs => scalar @runs, what => join ' or ', @what);
}

# At the highest percentile that all have; empty if there is none
sub _best_and_worst ($key, @runs) {
    my $value = sub { $_[0]{measures}{$key}{summary}{percentiles}[ $_[1] ]{value_us} };
    my $percentiles = $runs[0]{measures}{$key}{summary}{percentiles};
    for my $i (reverse 0 .. $#$percentiles) {
        next unless all { defined $value->($_, $i) } @runs;
        my ($best, $worst) = (sort { $value->($a, $i) <=> $value->($b, $i) } @runs)[0, -1];
        return words('headline.ends_in', percentile => $percentiles->[$i]{percentile},
            measure => measure_name($key), best => $best->{name}, low => short($value->($best, $i)),
            worst => $worst->{name}, high => short($value->($worst, $i)));
    }
    return;
}

1;
