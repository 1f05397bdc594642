# SPDX-License-Identifier: GPL-2.0-or-later
# The circumstances of a run, for the listing and the page alike.
package Realfeel::Show::Circumstances;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(fact_lines facts placed);

use List::Util qw(uniqstr);
use Realfeel::Answer::Percentiles qw(percentiles);
use Realfeel::Answer::Stats qw(known lmbench smis);
use Realfeel::Base::Units qw(counted decimal short us wrapped);
use Realfeel::Model::Explain qw(cost findings);
use Realfeel::Show::Figures qw(delay doubt_words finding_words periods);
use Realfeel::Show::Words qw(words);

# Labels that differ from their codes
use constant LABELS => { max => 'limit', smis => 'SMIs', wakeup => 'wake-up' };

# Arrays [label, text, code] on the run and its figures
sub facts ($report, @measures) {
    my @facts
        = $report->format eq '2002'      ? ()
        : $report->header('lateness_of') ? _facts_of_import($report)
        :                                  _facts_of_header($report);
    push @facts, _facts_of_bins($report, map { $_->{distribution} } @measures);
    return map { my ($code, $text) = @$_; [LABELS->{$code} // $code, $text, $code] } grep { $_->[1] ne '' } @facts;
}

# Like facts, with start, host and CPU
sub placed ($report, @measures) {
    my ($started, $host) = map { known($report, $_) } qw(started hostname);
    $started =~ tr/TZ/ /d if defined $started;
    my %more = (
        status => _if_known('started', $started) . _if_known('on_host', $host),
        source => _if_known('on_cpu', $report->cpu),
    );
    return map { [$_->[0], $_->[1] . ($more{ $_->[2] } // ''), $_->[2]] } facts($report, @measures);
}

# Lines of [label, text], with labels in a column of $width
sub fact_lines ($width, @facts) {
    return map { wrapped(sprintf('  %-*s', $width, $_->[0]), $_->[1]) } @facts;
}

# The origin of figures that the header lacks
sub _facts_of_bins ($report, @distributions) {
    return (
        [format   => words('format.2002')],
        [moments  => words('moments.2002')],
        [lateness => words('not_known')],
    ) if $report->format eq '2002' || $report->header('bins');
    return if $report->header('lateness_of') || !grep { $_->n && !$_->is_exact } @distributions;
    return [moments => words('moments.bins')];
}

# Other programs record little of their runs
sub _facts_of_import ($report) {
    my @figures = grep { defined $report->header($report->latency_name . "_${_}_ns") } qw(min max mean);
    return (
        [source  => _source($report)],
        [runs    => $report->runs // ''],
        [kernel  => _kernel($report)],
        [missed  => _missed_elsewhere($report)],
        [moments => !$report->header('moments') ? ''
            : $report->runs || @figures < 3 ? words('moments.programs')
            : words('moments.program', source => $report->header('source'))],
    );
}

# What a program that skips missed periods leaves out
sub _missed_elsewhere ($report) {
    my ($of, $lacking) = map { $report->header($_) } qw(lateness_of lacking);
    return words('missed.counted') if $of eq 'periods' || $of eq 'requests';
    return $lacking ? words('missed.lacking', lacking => $lacking)
        : words('missed.once', value => $report->latency_words('value'));
}

# Unknown facts are left out, except that periods may have been missed
sub _facts_of_header ($report) {
    my %value = map { $_ => _told($report, $_) }
        qw(status duration_s clock tsc_hz tsc_error_ppm tsc_drift_ppm missed periods early_wakeups explain);
    my ($runs, $early, $uncertainty) = ($report->runs, $value{early_wakeups}, $report->us('anchor_uncertainty_ns'));
    return (
        [status => _listed($value{status}, _duration($value{duration_s}), $runs && counted($runs, 'run'))],
        _limits($report),
        _load($report),
        [source => _source($report)],
        _of_thread($report),
        _of_source($report),
        [clock  => ($value{clock} // '') . join '', map { _if_known($_, $value{$_}) }
            qw(tsc_hz tsc_error_ppm tsc_drift_ppm)],
        [kernel => _kernel($report)],
        [cpus   => _cpus($report)],
        [missed => defined $value{missed}
            ? words('missed.of', missed => $value{missed}, periods => periods($report, $value{periods}))
            : words('not_known')],
        [early  => !defined $early ? '' : words($early == 1 ? 'early.one' : 'early', early => $early)],
        [anchor => $uncertainty ? words('anchor', most => us($uncertainty)) : ''],
        [smis   => _smis(smis($report))],
        [explain => _explain($report, $value{explain})],
        [remarks => join '; ', $report->remarks],
    );
}

# On a thread, a ring, deferred work or a kernel's stamp
sub _of_source ($report) {
    my $told = sub { join '', map { _if_known($_, $report->header($_)) } @_ };
    return (
        [waker   => _listed($report->header('waker'), _cpu($report->header('waker_cpu')))],
        [ring    => $told->(qw(processes array_bytes))],
        [lmbench => _lmbench(lmbench($report))],
        [matched => defined $report->header('thread') ? '' : $told->(qw(matched unmatched unasked))],
        $report->latency_name eq 'lateness' && $report->wakeup ? ([stamps => _stamps($report)],
            [wakeup => words('since_stamp', figures => _figures($report, 'wakeup'))]) : (),
    );
}

sub _lmbench ($figure) {
    return '' unless $figure;
    my ($overhead_us, $why) = ($figure->{overhead_us}, doubt_words($figure));
    return words('lmbench', value => decimal($figure->{value}, 3))
        . (defined $overhead_us ? words('lmbench.overhead', value => decimal($overhead_us, 3)) : '')
        . (defined $why ? words('lmbench.doubtful', why => $why) : '');
}

# Which thread of another program, and what woke it
sub _of_thread ($report) {
    my %told = map { $_ => $report->header($_) } qw(thread thread_name thread_policy thread_priority thread_cpus
        thread_ended_s timed preempted samples inferred_missed unmatched);
    return unless defined $told{thread};
    return [thread => words('several')] if $told{thread} eq 'several';
    return [thread => $told{thread}] unless grep { defined } @told{qw(thread_name thread_policy)};
    $told{$_} //= words('unknown') for qw(thread_name thread_policy thread_priority thread_cpus inferred_missed);
    my ($period, $slack, $away) = map { $report->us($_) } qw(inferred_period_ns slack_mean_ns preempted_max_ns);
    return (
        [thread => words('thread', %told) . _if_known('thread_ended_s', $told{thread_ended_s})],
        [woken  => words('woken', %told)
            . ($slack ? words('woken.slack', slack => short($slack)) : '')
            . (defined $period ? words('woken.period', period => short($period), missed => $told{inferred_missed}) : '')
            . ($told{unmatched} ? _if_known('unmatched', $told{unmatched}) : '')],
        [preempted => $told{preempted} && defined $away ? words('preempted', %told, most => short($away)) : ''],
    );
}

sub _cpu ($cpu) {
    return undef unless defined $cpu;
    return words('cpus.several') if $cpu eq 'several';
    my $is_number = $cpu =~ /^\d/;
    return words($is_number ? 'cpu' : 'cpu.relative', cpu => $cpu);
}

# How irregular the intervals between them were
sub _stamps ($report) {
    my ($min, $max, $sd) = map { $report->us("stamp_interval_${_}_ns") } qw(min max sd);
    return '' unless defined $min && defined $max;
    my %said = (least => us($min), most => us($max));
    return defined $sd ? words('stamps.sd', %said, sd => us($sd)) : words('stamps', %said);
}

sub _figures ($report, $measure) {
    my $distribution = $report->$measure;
    return words('no_samples') unless $distribution->n;
    my @known = grep { defined $_->{value_us} } percentiles($distribution, undef, $measure);
    return _listed(words('at.mean', value => us($distribution->mean)),
        (map { words('at.percentile', %$_, value => short($_->{value_us})) } @known),
        words('at.max', value => us($distribution->max)));
}

# And in how much of the run, if known
sub _smis ($smis) {
    return '' unless $smis;
    return words('smis.none') unless $smis->{count};
    return defined $smis->{some} ? words('smis.slices', %$smis) : $smis->{count};
}

# With its cost and faults
sub _explain ($report, $level) {
    my $cost = cost($report);
    my @wrong = map { finding_words($_) } grep { $_->{code} eq 'self_test' } findings($report);
    return join '; ', $level // '', ($cost ? words('delays', delay => delay($cost)) : ()), @wrong;
}

sub _told ($report, $key) {
    my $value = known($report, $key);
    return ($value // '') eq 'several' ? words('several') : $value;
}

sub _source ($report) {
    my ($source, $rate) = (_told($report, 'source'), $report->header('frequency_hz'));
    return $source // '' unless defined $rate;
    return words(($source // '') eq '' ? 'rate' : 'source.rate', source => $source, hz => $rate);
}

sub _kernel ($report) {
    return _listed(uniqstr grep { defined } map { _told($report, $_) } qw(kernel_release preemption));
}

# Several that were measured at the same time
sub _cpus ($report) {
    my ($cpus, $phases) = map { $report->header($_) // '' } qw(cpu phases);
    return '' unless $cpus =~ /^\d+[-,]/;
    return $phases eq 'spread' || $phases eq 'aligned' ? words("phases.$phases", cpus => $cpus) : $cpus;
}

sub _listed { return join ', ', grep { defined && $_ ne '' } @_ }

sub _limits ($report) {
    my ($max_us, $break_us) = map { $report->us($_) } qw(max_ns break_ns);
    my $trace = $report->header('trace');
    my ($percentile) = ($report->header('limit') // '') =~ /@(.+)/;
    return (
        defined $max_us ? [max => words(defined $percentile ? 'limit.share' : 'limit', us => $max_us,
            percentile => $percentile, was => words('counted.' . (known($report, 'max') // 'unknown')))] : (),
        defined $break_us ? [break => words('limit.break', us => $break_us) . _if_known('trace', $trace)] : (),
    );
}

sub _load ($report) {
    my $load = $report->header('load') // 'none';
    return if $load eq 'none';
    return [load => join '', $load, map { _if_known($_, $report->header($_)) } qw(load_ended_by load_exit)];
}

sub _duration ($seconds) {
    return defined $seconds ? words('duration', seconds => sprintf '%.3f', $seconds) : undef;
}

sub _if_known ($code, $value) {
    return defined $value ? words("known.$code", value => $value) : '';
}

1;
