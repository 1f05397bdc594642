# SPDX-License-Identifier: GPL-2.0-or-later
# Worst first: the CPUs of a run, and the worst wake-ups.
package Realfeel::Show::Ranking;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(cpus_table not_explained worst_lines worst_tables);

use List::Util qw(min sum uniqstr);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(decimal percent printable short);
use Realfeel::Input::Keys qw(PARTS);
use Realfeel::Model::Cpus qw(cpu_name pooled);
use Realfeel::Model::Explain qw(is_blamed level unexplained);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Figures qw(measure_words);
use Realfeel::Show::Words qw(words);

use constant {
    GIVEN    => [50, 99, 99.9],
    INFINITY => 9**9**9,
    LISTED   => 10,
};
use constant COUNTERS => qw(switches faults interrupts smis);
use constant US => "\xc2\xb5s";

sub _utc ($event) { return $event->{utc} =~ s/.*T|Z//gr }

# A column of times that not every report has
sub _time ($measure) {
    my ($name, $key) = (words("column.$measure"), "${measure}_us");
    return { head => words('column.times', name => $name), title => words('html.times', name => $name, unit => US),
        key => $key, of => sub { _us($_[0]{$key}) } };
}

# Columns: each has a function from an event to its cell, undef if unknown
use constant AT => { head => words('column.at_s'), title => words('html.at_s'), of => sub { decimal($_[0]{at_s}, 6) } };
use constant CIRCUMSTANCES => (
    AT,
    { head => words('column.utc'), title => words('html.utc'), of => \&_utc },
    map { _time($_) } qw(delay lateness interval wakeup),
);

# A row for each CPU, those without samples first, then by maximum, and one for all. ~ marks a percentile with too few
# wake-ups beyond and a dash what the data do not support, as signs roughly and lacking.
sub cpus_table ($run) {
    my ($all, @reports) = (pooled($run), @{ $run->{reports} });
    my $measure = $all->latency ? $all->latency_name : 'interval';
    my %max = map { $_ => $_->measured($measure)->max // INFINITY } @reports;
    my @ranked = sort { $max{$b} <=> $max{$a} } @reports;
    my $of = defined $all->header('thread') ? 'thread' : 'CPU';
    my $is_judged = grep { ($_->verdict // '') ne 'valid' } @reports;
    my @rows = map { { %{ _cpu_row($measure, $_->[1]) }, name => $_->[0], verdict => $_->[1]->verdict } }
        (map { [_row_name($_), $_] } @ranked), [words('column.all'), $all];
    return Realfeel::Base::Table->new(
        caption => words($of eq 'thread' ? 'threads' : 'cpus', name => measure_name($measure)),
        columns => [words("column.$of"), words('column.samples'), (map { "p$_" } @{ GIVEN() }), words('column.max'),
            words('column.missed'), $is_judged ? { head => words('column.verdict'), align => 'left' } : ()],
        rows    => [map {
            [$_->{name}, @{ $_->{cells} }, $is_judged ? $_->{verdict} // words('column.no_verdict') : ()];
        } @rows],
        signs   => [sort(uniqstr(map { @{ $_->{signs} } } @rows))],
    );
}

sub _row_name ($report) {
    return $report->cpu // cpu_name($report) unless defined $report->header('thread');
    return cpu_name($report) =~ s/\Athread //r;
}

sub _cpu_row ($measure, $report) {
    my $distribution = $report->measured($measure);
    my %percentile = map { $_->{percentile} => $_ } percentiles($distribution, undef, $measure);
    my @given = @percentile{ @{ GIVEN() } };
    my ($max, $missed) = ($distribution->max, known($report, 'missed'));
    return {
        cells => [$report->header('samples'), (map { _percentile($_) } @given),
            defined $max ? short($max) : '-', $missed // '-'],
        signs => [(map { _sign($_) // () } @given), defined $max && defined $missed ? () : 'lacking'],
    };
}

sub _percentile ($percentile) {
    my $sign = _sign($percentile) // return short($percentile->{value_us});
    return $sign eq 'roughly' ? '~' . short($percentile->{roughly_us}) : '-';
}

sub _sign ($percentile) {
    return defined $percentile->{value_us} ? undef : defined $percentile->{roughly_us} ? 'roughly' : 'lacking';
}

# The table of the worst wake-ups as lines, none without any; $latency is their measure
sub worst_lines ($latency, $report) {
    my @tables = worst_tables($latency, $report) or return;
    my $told = _sentences($report);
    pop @tables if $told;
    my @lines = ((map { ('', $_->text) } @tables), $told ? ('', Realfeel::Show::Explain::sentence_lines($told)) : ());
    return @lines[1 .. $#lines];
}

# The same as tables; one that only says what could be there has no columns
sub worst_tables ($latency, $report) {
    my @events = @{ $report->events // [] } or return;
    my @listed = @events[0 .. min(LISTED, scalar @events) - 1];
    my $values = words('column.values', value => $report->latency_words('value'));
    my $served = { head => $values, of => sub { $_[0]{periods} } };
    my @known = ((grep { !$_->{key} || exists $events[0]{ $_->{key} } } CIRCUMSTANCES), $served,
        { head => words('column.cpu'), of => \&_cpu });
    my $caption = words(exists $events[0]{interval_us} ? 'worst.signed' : 'worst', name => measure_words($latency),
        listed => scalar @listed, of => scalar @events);
    return (
        _table(\@listed, $caption, undef, @known),
        _explanation($report, @listed),
    );
}

# A sentence each, else the parts of the lateness; earlier versions knew only how long the process had waited
sub _explanation ($report, @listed) {
    return _sentences($report) // _parts(@listed) if defined level($report);
    return _spent(@listed) if unexplained($report)->{code} eq 'earlier';
    return map { _table([], $_) } not_explained($report, 'worst');
}

# Loaded only if there is something to explain
sub _sentences ($report) {
    return undef unless is_blamed($report);
    require Realfeel::Answer::Why;
    require Realfeel::Show::Explain;
    return Realfeel::Show::Explain::sentences(Realfeel::Answer::Why::wakeups($report, LISTED));
}

# How to see why wake-ups were late, or why that is impossible. Empty if it is shown already, and for rings, which have
# too many processes, and threads of other programs. $where is "worst", below their table, or "why", behind that word.
sub not_explained ($report, $where) {
    my $unexplained = unexplained($report) // return;
    my ($code, $reason) = @$unexplained{qw(code reason)};
    return words("$where.refused", reason => printable($reason)) if $code eq 'refused';
    return defined $report->header('processes') || grep({ $code eq $_ } qw(earlier thread)) ? ()
        : words("$where.not_asked");
}

sub _parts (@events) {
    my @parts = map { my $part = $_; { head => words("column.$part"), of => sub { _us($_[0]{"${part}_us"}) } } } PARTS;
    return _table(\@events, words('worst.parts'), undef, AT, @parts);
}

sub _us ($us) { return defined $us ? decimal($us, 3) : undef }

sub _cpu ($event) {
    my ($before, $cpu) = @$event{qw(cpu_before cpu)};
    return defined $cpu && defined $before && $before != $cpu ? "$before>$cpu" : $cpu;
}

sub _spent (@events) {
    my @known = grep { my $counter = $_; grep { defined $_->{$counter} } @events } COUNTERS;
    my @counters = map {
        my $counter = $_;
        +{ head => words("column.$counter"), of => sub { $_[0]{$counter} } };
    } @known;
    return _table(\@events, words('worst.spent'), _waiting_of_all(@events),
        AT, { head => words('column.waiting'), of => \&_waiting }, @counters);
}

# Runnable for longer than the lateness explains no more than all of it
sub _waiting_us ($event) {
    my ($delay, $lateness) = @$event{qw(run_delay_us lateness_us)};
    return defined $delay && $lateness > 0 ? min($delay, $lateness) : undef;
}

# The share in the lateness of these events; undef unless known for each
sub _waiting (@events) {
    return undef if grep { !defined _waiting_us($_) } @events;
    my $share = sum(map { _waiting_us($_) } @events) / sum(map { $_->{lateness_us} } @events);
    return percent(100 * $share, 100);
}

sub _waiting_of_all (@events) {
    my @known = grep { defined _waiting_us($_) } @events or return undef;
    return words(@known == @events ? 'worst.waited' : 'worst.waited_of', share => _waiting(@known),
        known => scalar @known, of => scalar @events);
}

sub _table ($events, $caption, $note = undef, @columns) {
    my @rows = map { my $event = $_; [map { $_->{of}->($event) // words('unknown') } @columns] } @$events;
    return Realfeel::Base::Table->new(caption => $caption, note => $note, columns => \@columns, rows => \@rows);
}

1;
