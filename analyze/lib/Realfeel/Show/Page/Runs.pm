# SPDX-License-Identifier: GPL-2.0-or-later
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
use Realfeel::Model::Report::Measures qw(common measure_name);
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

=head1 NAME

Realfeel::Show::Page::Runs - which runs the page is about, and the answer: what to say of them first

=head1 FUNCTIONS

=head2 runs(\@runs, @names)

For each run of L<Realfeel::Model::Cpus> a hash of C<run>, which it is; C<report>, all its CPUs together; C<name>, which
no other of them has, by default by L<Realfeel::Model::Names>; C<called>, the same, or undef where there is only this
run; and C<measures>, a hash from the key to what L<Realfeel::Answer::Stats> knows of each.

=cut

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

=head2 cpus_of($run)

A L<Realfeel::Model::Report> for each CPU of a run on several, else nothing.

=cut

sub cpus_of ($run) {
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

sub title (@runs) {
    return @runs > NAMES_MAX ? words('page.runs', runs => scalar @runs) : join ' / ', map { $_->{name} } @runs;
}

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
sub _kernels (@runs) {
    my @known = grep { defined known($_->{report}, 'kernel_release') } @runs or return undef;
    my $models = _together(map { $_->{report}->preemption } @known);
    return join ', ', _together(_values('kernel_release', @known)), $models // ();
}

sub _source ($run) {
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

sub badge ($verdict, $text = undef) {
    return element('strong', { class => "verdict $verdict" }, text($text // words("verdict.$verdict")));
}

sub badges (@runs) {
    return badge(verdict(@runs)) if @runs == 1;
    my %runs;
    $runs{ verdict($_) }++ for @runs;
    return join ' ', map { badge($_, words("verdicts.$_", runs => $runs{$_})) } grep { $runs{$_} } VERDICTS;
}

sub verdict ($run) {
    my $verdict = $run->{report}->verdict // 'none';
    return $verdict =~ /^(?:valid|suspect|invalid)$/ ? $verdict : 'none';
}

sub objections_to (@runs) {
    return list(map {
        my $lead = defined $_->{called} ? "$_->{called}: " : '';
        map { $lead . objection_words($_) } objections($_->{report});
    } @runs);
}

=head2 headline(\@runs, @conclusions)

Of one run the result, as stats prints it, and what else is against its verdict. Of several how many have which verdict,
and the conclusions of their comparison, if there are any, else which are best and worst, and which missed periods.

=cut

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

# How many of several runs missed any period, or request.
sub _missed_some (@runs) {
    my @missed = grep { known($_->{report}, 'missed') } @runs or return;
    my @what = uniq map { $_->{report}->latency_words('value') . 's' } @missed;
    return words('headline.of_runs', missed => scalar @missed, runs => scalar @runs, what => join ' or ', @what);
}

# At the highest percentile that all of them support; nothing where there is none.
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
