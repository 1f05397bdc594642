# SPDX-License-Identifier: GPL-2.0-or-later
# What is said about the figures and the conditions of a run, wherever they are shown. Measures and findings are those
# of Answer::Stats.
package Realfeel::Show::Figures;
use Realfeel::Base::Modern;

use List::Util qw(uniqstr);
use Realfeel::Answer::Stats qw(known later_s lmbench percentiles smis);
use Realfeel::Base::Units qw(counted decimal duration floored short us);
use Realfeel::Input::Keys qw(KEYS);
use Realfeel::Model::Explain qw(cost findings level);
use Realfeel::Model::Report qw(measure_name);

use constant {
    LMBENCH => {
        nothing => 'nothing is left after subtracting it', little => 'the overhead exceeds what is left',
        varied  => 'the overhead varied by more than a tenth of what is left',
    },
    COUNTED => { kept => 'pass (counted)', exceeded => 'FAIL (counted)', unknown => 'unknown' },
    PHASES  => { spread => ', due one after the other', aligned => ', due at the same instant' },
    LABELS  => { asleep => 'not woken', max => 'limit', wakeup => 'wake-up', smis => 'SMIs' },
};

# With a note if the figures are not what they seem, unless $is_short
sub measure_words ($measure, $is_short = undef) {
    my ($key, $code, $note) = @$measure{qw(key code note)};
    my $name = $key eq 'wakeups' ? ($code =~ /^lateness/ ? 'lateness of wake-ups' : 'latency of wake-ups')
        : ($code eq 'signed' ? 'signed ' : '') . measure_name($key);
    return $name if !defined $note || $is_short;
    return $name . ($note eq 'unreliable' ? ' (unreliable)' : ' (early = 0)');
}

# "valid", or another verdict in capitals
sub verdict_word ($verdict) {
    return !defined $verdict ? 'no verdict in the file' : $verdict eq 'valid' ? $verdict : uc $verdict;
}

# Why a percentile has no value; undef if it has one
sub lack_words ($percentile) {
    my ($lack, $needed, $from) = @$percentile{qw(lack needed from_us)};
    return !defined $lack ? undef : $lack eq 'samples' ? "needs $needed samples" : 'at least ' . us($from);
}

# Why the value of a cell of Answer::Grid, or of lmbench, is unreliable; undef if it is not
sub doubt_words ($figure) {
    my $doubt = $figure->{doubt} // return undef;
    return $doubt eq 'says' ? $figure->{says} : LMBENCH->{$doubt} // lack_words($figure);
}

# How rarely a latency exceeds the maximum; undef if unknown
sub later_words ($report, $measure) {
    my $seconds = later_s($report) // return undef;
    my $more = $measure->{key} eq 'interval' ? 'greater' : $report->latency_words('more');
    return "a $more one comes less than once in " . duration($seconds) . ' (95 %)';
}

# What a longer run stays below, by longer() of Answer::Stats
sub longer_words ($longer) {
    return 'a run of ' . duration($longer->{duration_s}) . ' stays below ' . short($longer->{below_us})
        . ' us (90 %), if nothing changes';
}

# What getting more values takes, by needs() of Answer::Stats
sub needs_words ($report, $measure, $needs, $is_short = undef) {
    my $value = $measure->{key} eq 'interval' ? measure_name('interval') : $report->latency_words('value');
    my $words = 'needs ' . counted($needs->{more}, "more $value");
    return $words unless $needs->{seconds};
    return "$words, " . duration($needs->{seconds}) . ($is_short ? '' : ' at this rate');
}

sub objection_words ($objection) {
    return ($objection->{code} eq 'contradicted' ? 'the schedule is contradicted: ' : '') . $objection->{reason};
}

# Whether the run was long enough, by a finding of sufficiency
sub enough_words ($report, $measure, $finding) {
    my ($code, $percentile) = @$finding{qw(code percentile)};
    return 'too short for intervals: measure a minute' if $code eq 'short';
    return longer_words($finding) if $code eq 'longer';
    return "p$percentile " . needs_words($report, $measure, $finding) if $code eq 'needs';
    return "from p$percentile on, percentiles lie beyond the histogram: at least " . us($finding->{from_us})
        if $code eq 'bins';
    return 'worst slice: ' . join ', ', _slice($report, $finding) if $code eq 'slice';
    return counted($finding->{count}, $report->latency_words('value')) . ' '
        . $report->latency_words($finding->{count} == 1 ? 'is_above' : 'are_above') . ' the limit of --max, '
        . us($finding->{limit_us})
        . (defined $finding->{one_in} ? '; at most 1 in ' . floored($finding->{one_in}) . ' (95 %)' : '')
        if $code eq 'limit';
    my ($value, $is_above) = $measure->{key} eq 'interval' ? (measure_name('interval'), 'is above')
        : map { $report->latency_words($_) } qw(value is_above);
    return "no $value $is_above " . us($finding->{max_us}) . '; ' . later_words($report, $measure);
}

# When the worst slice was, its maximum, and, if known, missed periods, and SMIs if there were any
sub _slice ($report, $slice) {
    my ($run, $start, $seconds, $missed, $smis) = @$slice{qw(run start_s seconds missed smis)};
    return (
        (defined $run ? "run $run, " : '') . sprintf('from %.3f s on for %.3f s', $start, $seconds),
        $report->latency_words('most') . ' ' . us($slice->{max_us}),
        defined $missed ? "$missed of " . counted($slice->{periods}, $report->latency_words('value')) . ' missed' : (),
        $smis ? counted($smis, 'SMI') : (),
    );
}

# How much tracing delays each wake-up
sub delay ($cost) {
    my $more = decimal($cost->{more_us}, 1);
    return $more > 0 ? "about $more us later" : 'no later';
}

# A sentence on a finding of Model::Explain
sub finding_words ($finding) {
    my $code = $finding->{code};
    return "self-test failed: the kernel traced $finding->{traced} of $finding->{counted} context switches, so records "
        . 'of tasks have gaps' if $code eq 'self_test';
    return counted($finding->{records}, 'trace record') . ' lost' if $code eq 'lost';
    return "the parts of $finding->{wakeups} of " . counted($finding->{samples}, 'wake-up') . ' are unknown'
        if $code eq 'unknown';
    return 'written by realfeel 0.1 or 0.2, whose account of the worst wake-ups is no longer read; measure again';
}

# Arrays [label, text, code] on the run and its figures
sub facts ($report, @measures) {
    my @facts = $report->{format} eq '2002' ? ()
        : $report->header('lateness_of') ? _facts_of_import($report) : _facts_of_header($report);
    # The origin of figures that the header lacks
    my @estimated = grep { $_->n && grep { !defined } @$_{qw(min max mean)} } map { $_->{distribution} } @measures;
    push @facts, $report->{format} eq '2002' || $report->header('bins') ? (
        [format   => 'from 2002, in buckets 100 us wide'],
        [moments  => 'estimated from bucket midpoints; minimum and maximum are outer edges'],
        [lateness => 'not known'],
    ) : $report->header('lateness_of') || !@estimated ? ()
        : [moments => 'estimated from the bins, as the header lacks some'];
    return map { my ($code, $text) = @$_; [LABELS->{$code} // $code, $text, $code] }
        grep { defined $_->[1] && $_->[1] ne '' } @facts;
}

# Like facts, with start, host and CPU
sub placed ($report, @measures) {
    my ($started, $host) = map { known($report, $_) } qw(started hostname);
    $started =~ tr/TZ/ /d if defined $started;
    my %more = (
        status => _if_known(', from ', $started, ' UTC') . _if_known(' on ', $host),
        source => _if_known(' on CPU ', $report->{cpu}),
    );
    return map { [$_->[0], $_->[1] . ($more{ $_->[2] } // ''), $_->[2]] } facts($report, @measures);
}

sub _if_known ($before, $value, $after = '') { return defined $value ? "$before$value$after" : '' }

sub _listed { return join ', ', grep { defined && $_ ne '' } @_ }

# Other programs record little about their runs
sub _facts_of_import ($report) {
    my @figures = grep { defined $report->header($report->{latency_name} . "_${_}_ns") } qw(min max mean);
    return (
        [source  => _source($report)],
        [runs    => $report->runs],
        [kernel  => _kernel($report)],
        [missed  => 'not known; ' . _missed_elsewhere($report)],
        [moments => !$report->header('moments') ? ''
            : $report->runs || @figures < 3 ? 'as reported by the programs, otherwise from the bins'
            : 'minimum, maximum and mean as reported by ' . $report->header('source') . ', the others from the bins'],
    );
}

# What a program that skips missed periods leaves out
sub _missed_elsewhere ($report) {
    my ($of, $lacking) = map { $report->header($_) } qw(lateness_of lacking);
    return 'the counts include it' if $of eq 'periods' || $of eq 'requests';
    return $lacking ? counted($lacking, 'cycle') . ' fewer than its duration and rate give'
        : 'each ' . $report->latency_words('value') . ' counts once, however late';
}

# Unknown facts are left out, except that periods may have been missed
sub _facts_of_header ($report) {
    my %value = map { $_ => _known($report, $_) } qw(status duration_s clock tsc_hz tsc_error_ppm tsc_drift_ppm missed
        periods early_wakeups explain);
    my ($runs, $early, $uncertainty, $smis)
        = ($report->runs, $value{early_wakeups}, $report->us('anchor_uncertainty_ns'), smis($report));
    my ($load, $ended, $exit) = map { $report->header($_) } qw(load load_ended_by load_exit);
    my ($seconds, $cpus, $phases) = ($value{duration_s}, map { $report->header($_) // '' } qw(cpu phases));
    my $several = $cpus =~ /^\d+[-,]/ ? $cpus . (PHASES->{$phases} // '') : '';
    my ($cost, @findings) = defined level($report) ? (cost($report), findings($report)) : ();
    my @bad = map { finding_words($_) } grep { $_->{code} eq 'self_test' } @findings;
    return (
        [status => _listed($value{status}, defined $seconds ? sprintf('%.3f s', $seconds) : undef,
            $runs && counted($runs, 'run'))],
        (grep { defined $report->header($_) } qw(max_ns break_ns)) ? _limits($report) : (),
        [load => ($load // 'none') eq 'none' ? '' : $load . _if_known('; ended by ', $ended) . _if_known(': ', $exit)],
        [source => _source($report)],
        defined $report->header('thread') ? _of_thread($report) : (),
        $report->latency('delay') || $report->latency('wakeup') ? _of_source($report) : (),
        [clock  => ($value{clock} // '') . _if_known(' at ', $value{tsc_hz}, ' Hz')
            . _if_known(' +- ', $value{tsc_error_ppm}, ' ppm')
            . _if_known(', drift up to ', $value{tsc_drift_ppm}, ' ppm')],
        [kernel => _kernel($report)],
        [cpus   => $several],
        [missed => !defined $value{missed} ? 'not known' : "$value{missed} " . (defined $report->header('thread')
            ? 'on the grid of its timers' : 'of ' . counted($value{periods}, $report->latency_words('value')))],
        [early  => defined $early ? counted($early, 'wake-up') . ' before ' . ($early == 1 ? 'its' : 'their')
            . ' due time' : ''],
        [anchor => $uncertainty ? 'lateness is overstated by at most ' . us($uncertainty) : ''],
        [smis   => !$smis ? '' : !$smis->{count} ? 'none' : $smis->{count} . (defined $smis->{some}
            ? ", in $smis->{some} of " . counted($smis->{slices}, 'slice') : '')],
        [explain => join '; ', $value{explain} // '', $cost ? 'each wake-up is ' . delay($cost) : (), @bad],
        map { my $key = KEYS->{$_}; $key && $key->{alone} ? [$key->{line} => $report->header($_)] : () } $report->keys,
    );
}

sub _known ($report, $key) {
    my $value = known($report, $key);
    return ($value // '') eq 'several' ? 'more than one' : $value;
}

sub _limits ($report) {
    my ($max_us, $break_us) = map { $report->us($_) } qw(max_ns break_ns);
    my ($percentile) = ($report->header('limit') // '') =~ /@(.+)/;
    return (
        defined $max_us ? [max => "$max_us us" . _if_known(' @ ', $percentile) . ', '
            . COUNTED->{ known($report, 'max') // 'unknown' }] : (),
        defined $break_us ? [break => "$break_us us" . _if_known('; trace: ', $report->header('trace'))] : (),
    );
}

sub _source ($report) {
    my ($source, $rate) = (_known($report, 'source') // '', $report->header('frequency_hz'));
    return !defined $rate ? $source : $source eq '' ? "$rate Hz" : "$source at $rate Hz";
}

sub _kernel ($report) {
    return _listed(uniqstr grep { defined } map { _known($report, $_) } qw(kernel_release preemption));
}

# About a ring, deferred work or a kernel's time stamp
sub _of_source ($report) {
    my ($waker, $cpu, $processes, $bytes) = map { $report->header($_) } qw(waker waker_cpu processes array_bytes);
    my ($matched, $unmatched, $unasked) = map { $report->header($_) } qw(matched unmatched unasked);
    my ($lmbench, $wakeup) = (lmbench($report), $report->latency('wakeup'));
    my $of_cpu = !defined $cpu ? undef : $cpu eq 'several' ? 'several CPUs' : $cpu =~ /^\d/ ? "CPU $cpu" : "$cpu CPU";
    return (
        [waker   => _listed($waker, $of_cpu)],
        [ring    => _if_known('', $processes, ' processes') . _if_known(', arrays of ', $bytes, ' bytes')],
        [lmbench => $lmbench ? decimal($lmbench->{value}, 3) . ' us' . (defined $lmbench->{overhead_us}
            ? ' net of ' . decimal($lmbench->{overhead_us}, 3) . ' us overhead' : '')
            . _if_known('; unreliable: ', doubt_words($lmbench)) : ''],
        [matched => defined $report->header('thread') ? '' : _if_known('', $matched, ' events')
            . _if_known(', ', $unmatched, ' unmatched') . _if_known(', ', $unasked, ' unasked')],
        $report->{latency_name} eq 'lateness' && $wakeup
            ? ([stamps => _stamps($report)], [wakeup => 'since the stamp: ' . _since_stamp($wakeup)]) : (),
    );
}

# Which thread of another program, and what woke it
sub _of_thread ($report) {
    my %of = map { $_ => $report->header($_) } qw(thread thread_name thread_policy thread_priority thread_cpus
        thread_ended_s timed preempted samples inferred_missed inferred_rate_hz unmatched threads_asleep);
    return ([thread => 'more than one'], [asleep => _known($report, 'threads_asleep')]) if $of{thread} eq 'several';
    return [thread => $of{thread}] unless grep { defined } @of{qw(thread_name thread_policy)};
    $of{$_} //= 'unknown' for qw(thread_name thread_policy thread_priority thread_cpus inferred_missed);
    my $seconds = $of{samples} && known($report, 'duration_s');
    my ($period, $sleep, $slack, $away) =
        map { $report->us($_) } qw(inferred_period_ns inferred_sleep_ns slack_mean_ns preempted_max_ns);
    return (
        [thread => "$of{thread} $of{thread_name}, $of{thread_policy} $of{thread_priority}, CPUs $of{thread_cpus}"
            . _if_known('; ended after ', $of{thread_ended_s}, ' s')],
        [woken  => "$of{timed} of $of{samples} times by its own timer"
            . ($of{timed} || !$seconds ? '' : sprintf ', %.5g times a second by others', $of{samples} / $seconds)
            . ($slack ? ', which the kernel may delay by ' . short($slack) . ' us' : '')
            . (defined $period ? ', apparently every ' . short($period) . " us, $of{inferred_missed} missed" : '')
            . ($of{unmatched} ? "; $of{unmatched} more with incomplete records" : '')],
        [rate => $of{inferred_rate_hz} ? _rate(@of{qw(inferred_rate_hz inferred_missed)}, $period, $sleep) : ''],
        [preempted => $of{preempted} && defined $away
            ? "after $of{preempted} of these wake-ups, for " . short($away) . ' us at most' : ''],
        [asleep => $of{threads_asleep} // ''],
    );
}

# As realfeel prints it, and with the same digits
sub _rate ($hz, $missed, $period_us, $sleep_us) {
    return sprintf '%.5g a second, on a fixed grid: lateness does not add up', $hz if $hz * ($period_us // 0) > 999_900;
    return sprintf '%.5g a second, not %.5g: it was not asleep at %d of its periods', $hz, 1e6 / $period_us, $missed
        if $period_us && $missed =~ /^[1-9]/;
    my $step = ($sleep_us // 0) < 1000 ? 1 : 10;
    my $sleep = $step * int(0.5 + ($sleep_us // 0) / $step);
    return sprintf '%.5g a second by its own timer, after sleeps that vary', $hz unless $sleep;
    return sprintf '%.5g a second, not %.5g: it sleeps %s us from when it is done, so its work adds up',
        $hz, 1e6 / $sleep, short($sleep);
}

# How irregular the intervals between time stamps were
sub _stamps ($report) {
    my ($min, $max, $sd) = map { $report->us("stamp_interval_${_}_ns") } qw(min max sd);
    return '' unless defined $min && defined $max;
    return 'intervals are off by ' . us($min) . ' to ' . us($max) . (defined $sd ? ', sd ' . us($sd) : '');
}

sub _since_stamp ($wakeup) {
    return 'no samples' unless $wakeup->n;
    my @known = grep { defined $_->{value_us} } percentiles($wakeup, undef, 'wakeup');
    return _listed('mean ' . us($wakeup->mean),
        (map { "p$_->{percentile} " . short($_->{value_us}) . ' us' } @known), 'max ' . us($wakeup->max));
}
1;
