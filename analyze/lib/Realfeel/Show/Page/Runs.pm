# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Runs;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(badge badges cpus_of heading headline measure_of missed_some objections_to runs title verdict);

use List::Util qw(all uniq);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known measures objections);
use Realfeel::Base::Units qw(cut decimal);
use Realfeel::Model::Cpus qw(cpu_name pooled);
use Realfeel::Model::Names qw(names together);
use Realfeel::Model::Report::Measures qw(common measure_name);
use Realfeel::Show::Figures qw(objection_words periods);
use Realfeel::Show::Page::Html qw(element list prose text);
use Realfeel::Show::Words qw(words);

use constant VERDICTS => qw(invalid suspect none valid);
use constant {
    NAMES_MAX  => 3,
    VALUES_MAX => 3,
    LENGTH_MAX => 160,
};

=head1 NAME

Realfeel::Show::Page::Runs - which runs the page is about, and the answer: what to say of them first

=head1 FUNCTIONS

=head2 runs(\@runs, @names)

For each run of L<Realfeel::Model::Cpus> a hash of C<run>, which it is; C<report>, all its CPUs together; C<name>, which
no other of them has, by default by L<Realfeel::Model::Names>; C<called>, the same, or undef where there is only this
run; and C<measures>, a hash from the key to what L<Realfeel::Answer::Stats> knows of each.

=cut

sub runs {
    my ($runs, @names) = @_;
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

=head2 cpus_of($run)

A L<Realfeel::Model::Report> for each CPU of a run on several, else nothing.

=cut

sub cpus_of {
    my ($run) = @_;
    my @reports = @{ $run->{run}{reports} };
    return @reports > 1 ? @reports : ();
}

=head2 measure_of(@runs)

The measure that all of them have, a latency rather than interval; undef when there is none.

=cut

sub measure_of { return common(map { $_->{report} } @_) }

=head2 title(@runs)

The names of the runs, or how many they are.

=head2 heading(@runs)

The title, and below it when and where the runs were made: date, host, kernel, load and source, and the CPUs of runs on
several.

=cut

sub title {
    my @runs = @_;
    return @runs > NAMES_MAX ? words('page.runs', runs => scalar @runs) : join ' / ', map { $_->{name} } @runs;
}

sub heading {
    my @runs = @_;
    my @facts = (
        [date => _date(_values('started', @runs))], [host => _values('hostname', @runs)], [kernel => _kernels(@runs)],
        [load => map { ($_ // '') eq 'none' ? words('fact.no_load') : $_ } _values('load', @runs)],
        [source => map { _source($_) } @runs],
        (grep { cpus_of($_) } @runs) ? [cpus => _values('cpu', @runs)] : (),
    );
    return element('header', {}, "\n", element('p', {}, text(words('page.about'))), "\n",
        element('h1', {}, text(title(@runs))), "\n", element('dl', {}, "\n", map { _fact(@$_) } @facts)) . "\n";
}

sub _fact {
    my ($name, @values) = @_;
    my $text = cut(_together(@values) // words('fact.unknown'), LENGTH_MAX);
    return element('div', {}, element('dt', {}, text(words("fact.$name"))), ' ', element('dd', {}, text($text))) . "\n";
}

sub _together {
    my @known = uniq grep { defined } @_ or return undef;
    return @known > VALUES_MAX ? words('fact.several', values => scalar @known) : together(@known);
}

sub _values {
    my ($key, @runs) = @_;
    return map { known($_->{report}, $key) } @runs;
}

# The first and the last, to the minute.
sub _date {
    my @times = sort grep { defined } @_ or return undef;
    my ($first, $last) = map { /\A(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/ ? [$1, $2] : [$_, ''] } @times[0, -1];
    my $zone = $times[0] =~ /Z\z/ ? ' UTC' : '';
    return join(' ', grep { $_ ne '' } @$first) . $zone if "@$first" eq "@$last";
    return words('fact.from_to', first => "@$first", last => "$last->[1]$zone") if $first->[0] eq $last->[0];
    return words('fact.from_to', first => $first->[0], last => $last->[0]);
}

# Releases and preemption models have their own words in common.
sub _kernels {
    my @runs = @_;
    my @known = grep { defined known($_->{report}, 'kernel_release') } @runs or return undef;
    my $models = _together(map { $_->{report}->preemption } @known);
    return join ', ', _together(_values('kernel_release', @known)), $models // ();
}

sub _source {
    my ($run) = @_;
    my ($source, $rate) = map { _values($_, $run) } qw(source frequency_hz);
    return defined $source && defined $rate ? words('fact.rate', source => $source, rate => $rate) : $source;
}

=head2 badge($verdict)

A verdict as a label.

=head2 badges(@runs)

The verdict of one run, or how many of several have which.

=head2 verdict($run)

C<valid>, C<suspect>, C<invalid>, or C<none> where the file does not hold one.

=head2 objections_to(@runs)

The reasons of the verdicts, where there are any.

=cut

sub badge {
    my ($verdict, $text) = @_;
    return element('strong', { class => "verdict $verdict" }, text($text // words("verdict.$verdict")));
}

sub badges {
    my @runs = @_;
    return badge(verdict(@runs)) if @runs == 1;
    my %runs;
    $runs{ verdict($_) }++ for @runs;
    return join ' ', map { badge($_, words("verdicts.$_", runs => $runs{$_})) } grep { $runs{$_} } VERDICTS;
}

sub verdict {
    my ($run) = @_;
    my $verdict = $run->{report}->verdict // 'none';
    return $verdict =~ /^(?:valid|suspect|invalid)$/ ? $verdict : 'none';
}

sub objections_to {
    my @runs = @_;
    return list(map {
        my $lead = defined $_->{called} ? "$_->{called}: " : '';
        map { $lead . objection_words($_) } objections($_->{report});
    } @runs);
}

=head2 headline(\@runs, @conclusions)

The verdict, or how many runs have which, and the sentences that one would say: of one run the highest percentile that
it supports, and which of its CPUs are best and worst; of several the conclusions of their comparison, if there are any,
else which are best and worst. It says which periods were missed.

=cut

sub headline {
    my ($runs, @conclusions) = @_;
    my @sentences = @$runs == 1 ? _of_one(@$runs) : @conclusions ? @conclusions : _of_several(@$runs);
    return element('p', { class => 'headline' }, badges(@$runs), ' ', prose(join ' ', @sentences)) . "\n";
}

sub _of_one {
    my ($run) = @_;
    my $report = $run->{report};
    my $contradicted = defined $report->contradiction;
    my $measure = $contradicted ? $run->{measures}{interval} : undef;
    $measure //= $run->{measures}{ $report->latency_name } // $run->{measures}{interval};
    return words('headline.none') unless $measure && $measure->{summary}{count};
    return (
        $contradicted ? words('headline.contradicted') : (),
        _most($report, $measure, scalar cpus_of($run)), _of_cpus($measure->{key}, cpus_of($run)), _missed($report),
        _limit($report),
    );
}

# The highest percentile that the run supports.
sub _most {
    my ($report, $measure, $cpus) = @_;
    my ($count, $percentiles) = @{ $measure->{summary} }{qw(count percentiles)};
    my $values = $measure->{key} eq 'interval' ? words('headline.intervals') : $report->latency_words('value') . 's';
    $values = words('headline.on_cpus', values => $values, cpus => $cpus) if $cpus;
    my ($highest) = grep { defined $_->{value_us} } reverse @$percentiles;
    return words($count == 1 ? 'headline.single' : 'headline.too_few', count => $count, values => $values)
        unless $highest;
    return words("headline.$measure->{key}", count => $count, values => $values, percentile => $highest->{percentile},
        value => _short($highest->{value_us}), interval => _interval($highest));
}

sub _interval {
    my ($percentile) = @_;
    my ($low, $high) = map { defined $_ ? _short($_) : undef } @$percentile{qw(low_us high_us)};
    my $code = defined $low ? defined $high ? 'from_to' : 'or_more' : defined $high ? 'up_to' : 'open';
    return words("headline.$code", low => $low, high => $high);
}

# As far as they measured anything.
sub _of_cpus {
    my ($key, @reports) = @_;
    return _best_and_worst('on', $key, map { {
        name     => cpu_name($_),
        measures => { $key => { summary => { percentiles => [percentiles($_->$key, $_->pieces, $key)] } } },
    } } grep { $_->$key && $_->$key->n } @reports);
}

sub _short { return decimal($_[0], 3) =~ s/\.?0+\z//r }

sub _missed {
    my ($report) = @_;
    my $missed = known($report, 'missed') // return;
    return words('headline.missed_none', value => $report->latency_words('value')) unless $missed;
    return words($missed == 1 ? 'headline.missed_one' : 'headline.missed', periods => periods($report, $missed));
}

sub _limit {
    my ($report) = @_;
    my ($limit, $was) = ($report->us('max_ns'), $report->header('max'));
    return defined $limit && defined $was ? words('headline.limit', limit => _short($limit), was => $was) : ();
}

sub _of_several {
    my @runs = @_;
    my $key = measure_of(@runs) // return words('headline.no_common');
    my @known = grep { $_->{measures}{$key}{summary}{count} } @runs or return words('headline.all_none');
    return words('headline.only', name => $known[0]{name}) if @known == 1;
    return (_best_and_worst('in', $key, @known) // words('headline.no_percentile'), missed_some(@runs));
}

=head2 missed_some(@runs)

A sentence on how many of several runs missed any period, or request; nothing where none did.

=cut

sub missed_some {
    my @runs = @_;
    my @missed = grep { known($_->{report}, 'missed') } @runs or return;
    my @what = uniq map { $_->{report}->latency_words('value') . 's' } @missed;
    return words('headline.of_runs', missed => scalar @missed, runs => scalar @runs, what => join ' or ', @what);
}

# At the highest percentile that all of them support; nothing where there is none.
sub _best_and_worst {
    my ($where, $key, @runs) = @_;
    return if @runs < 2;
    my $value = sub { $_[0]{measures}{$key}{summary}{percentiles}[ $_[1] ]{value_us} };
    my $percentiles = $runs[0]{measures}{$key}{summary}{percentiles};
    for my $i (reverse 0 .. $#$percentiles) {
        next unless all { defined $value->($_, $i) } @runs;
        my ($best, $worst) = (sort { $value->($a, $i) <=> $value->($b, $i) } @runs)[0, -1];
        return words("headline.ends_$where", percentile => $percentiles->[$i]{percentile},
            measure => measure_name($key), best => $best->{name}, low => _short($value->($best, $i)),
            worst => $worst->{name}, high => _short($value->($worst, $i)));
    }
    return;
}

1;
