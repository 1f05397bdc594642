# SPDX-License-Identifier: GPL-2.0-or-later
# Worst first: the CPUs of a run, and the worst wake-ups.
package Realfeel::Show::Ranking;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(cpus_table not_explained worst);

use List::Util qw(min sum uniqstr);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(decimal percent printable short);
use Realfeel::Input::Format1::Columns qw(PARTS);
use Realfeel::Model::Cpus qw(cpu_name pooled);
use Realfeel::Model::Explain qw(is_blamed level unexplained);
use Realfeel::Model::Report::Measures qw(measure_name);
use Realfeel::Show::Figures qw(measure_words);

use constant {
    GIVEN    => [50, 99, 99.9],
    INFINITY => 9**9**9,
    LISTED   => 10,
};

sub _time ($name, $key) {
    my $of = sub ($event) { _us($event->{$key}) };
    return { head => "$name us", title => "$name (\xc2\xb5s)", key => $key, of => $of };
}

sub _us ($us) { return defined $us ? decimal($us, 3) : undef }

# Columns: each has a function from an event to its cell, undef if unknown; those with a key are not in every report
use constant AT => { head => 'at s', title => 'at (s)', of => sub ($event) { decimal($event->{at_s}, 6) } };
use constant CIRCUMSTANCES => (
    AT,
    { head => 'utc', title => 'time of day (UTC)', of => sub ($event) { $event->{utc} =~ s/.*T|Z//gr } },
    map { _time($_ eq 'wakeup' ? 'wake-up' : $_, "${_}_us") } qw(delay lateness interval wakeup),
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
        (map { [$of eq 'CPU' ? $_->cpu // cpu_name($_) : cpu_name($_) =~ s/\Athread //r, $_] } @ranked), [all => $all];
    return Realfeel::Base::Table->new(
        caption => measure_name($measure) . " in us of each $of, worst first",
        columns => [$of, 'samples', (map { "p$_" } @{ GIVEN() }), 'max', 'missed',
            $is_judged ? { head => 'verdict', align => 'left' } : ()],
        rows    => [map { [$_->{name}, @{ $_->{cells} }, $is_judged ? $_->{verdict} // 'none' : ()] } @rows],
        signs   => [sort(uniqstr(map { @{ $_->{signs} } } @rows))],
    );
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

# Blocks on the worst wake-ups, none without any; $latency is their measure
sub worst ($latency, $report) {
    my @events = @{ $report->events // [] } or return;
    my @listed = @events[0 .. min(LISTED, scalar @events) - 1];
    my @known = ((grep { !$_->{key} || exists $events[0]{ $_->{key} } } CIRCUMSTANCES),
        { head => $report->latency_words('value') . 's', of => sub ($event) { $event->{periods} } },
        { head => 'cpu', of => \&_cpu });
    my $caption = 'worst wake-ups by ' . measure_words($latency) . ': ' . @listed . ' of ' . @events
        . (exists $events[0]{interval_us} ? '; interval errors signed' : '');
    return (_table(\@listed, $caption, undef, @known), _explanation($report, @listed));
}

sub _cpu ($event) {
    my ($before, $cpu) = @$event{qw(cpu_before cpu)};
    return defined $cpu && defined $before && $before != $cpu ? "$before>$cpu" : $cpu;
}

# A sentence each, else the parts of the lateness; earlier versions knew only how long the process had waited. What
# explains is loaded only if there is something to explain.
sub _explanation ($report, @listed) {
    if (is_blamed($report)) {
        require Realfeel::Show::Why;
        return Realfeel::Show::Why::sentences(Realfeel::Answer::Why::wakeups($report, LISTED));
    }
    my @parts = map { my $part = $_; { head => $part, of => sub ($event) { _us($event->{"${part}_us"}) } } } PARTS;
    return _table(\@listed, 'the parts of their lateness in us', undef, AT, @parts) if defined level($report);
    return _spent(@listed) if unexplained($report)->{code} eq 'earlier';
    return [text => not_explained($report, 'run with --explain to see why they were late')];
}

# Why it is impossible to see why wake-ups were late, or $how to see it. Empty if it is shown already, and for rings,
# which have too many processes, and threads of other programs.
sub not_explained ($report, $how) {
    my $unexplained = unexplained($report) // return;
    my ($code, $reason) = @$unexplained{qw(code reason)};
    return 'no explanation: ' . printable($reason) if $code eq 'refused';
    return defined $report->header('processes') || $code =~ /^(?:earlier|thread)$/ ? () : $how;
}

sub _spent (@events) {
    my @known = grep { my $counter = $_; grep { defined $_->{$counter} } @events } qw(switches faults interrupts smis);
    my @counters = map { my $counter = $_; { head => $counter, of => sub ($event) { $event->{$counter} } } } @known;
    return _table(\@events, 'where the time went', _waiting_of_all(@events),
        AT, { head => 'waiting to run', of => \&_waiting }, @counters);
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
    return 'waiting to run took ' . _waiting(@known) . ' of their lateness'
        . (@known == @events ? '' : ' (known for ' . @known . ' of ' . @events . ')');
}

sub _table ($events, $caption, $note, @columns) {
    my @rows = map { my $event = $_; [map { $_->{of}->($event) // 'unknown' } @columns] } @$events;
    return [table => Realfeel::Base::Table->new(caption => $caption, note => $note, columns => \@columns,
        rows => \@rows)];
}

1;
