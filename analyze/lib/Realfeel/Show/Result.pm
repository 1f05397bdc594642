# SPDX-License-Identifier: GPL-2.0-or-later
# What comes of a run, in the lines that head both stats and the page.
package Realfeel::Show::Result;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(remark result_lines);

use Realfeel::Base::Units qw(lapse printable);
use Realfeel::Model::Cpus qw(cpu_name);
use Realfeel::Show::Circumstances qw(facts);
use Realfeel::Show::Figures qw(objection_words);
use Realfeel::Show::Words qw(words);

# Arrays [label, text, code]: the figures of each measure (figures) and of the worst CPU (cpu); missed periods and
# limit, with codes of Show::Circumstances; the worst wake-up and its cause, if explained (worst); and the verdict with
# its first reason, or a remark if valid (verdict)
sub result_lines ($result, $report) {
    my %fact = map { $_->[2] => $_ } facts($report);
    my ($cpu, $limit, $worst) = @$result{qw(cpu limit worst)};
    $fact{max} = ['limit', _limit($limit), 'max'] if $limit;
    return (
        (map {
            my $key = $_->{measure}{key};
            [$key eq 'wakeup' ? 'wake-up' : $key, _figures($_), 'figures'];
        } @{ $result->{measures} }),
        $cpu ? [_name($cpu->{report}), _figures($cpu), 'cpu'] : (),
        @fact{ grep { $fact{$_} } qw(missed max) },
        $worst ? ['worst', _worst($worst), 'worst'] : (),
        ['run', _verdict($result), 'verdict'],
    );
}

# Truncated, as names of threads may be long
sub _name ($report) {
    return defined $report->header('thread_name') ? $report->header('thread') : cpu_name($report);
}

sub _figures ($of) {
    return words('no_samples') unless defined $of->{max_us};
    return join '  ', (map { _figure($_) } @{ $of->{figures} }),
        words($of->{is_bound} ? 'result.max_below' : 'result.max', value => lapse($of->{max_us}));
}

sub _figure ($figure) {
    my ($value, $from) = @$figure{qw(value_us from_us)};
    my $code = !defined $value ? 'result.from' : $figure->{is_rough} ? 'result.roughly' : 'result.percentile';
    return words($code, %$figure, value => lapse($value // $from));
}

sub _worst ($worst) {
    my ($run, $cpu, $late) = @$worst{qw(run cpu late)};
    my ($time) = $worst->{utc} =~ /T([\d:]+(?:\.\d{1,3})?)/;
    my $place = join ', ', words(defined $run ? 'worst.at_of_run' : 'worst.at', run => $run,
        seconds => sprintf '%.3f', $worst->{at_s}), defined $time ? words('worst.utc', time => $time) : (),
        defined $cpu ? words('worst.on_cpu', cpu => $cpu) : ();
    return $place unless $late;
    require Realfeel::Show::Why;        # which most runs do without
    return words('worst.why', place => $place, reason => printable(Realfeel::Show::Why::reason($late)));
}

sub _limit ($judgement) {
    require Realfeel::Show::Judge;
    return Realfeel::Show::Judge::first_sentence($judgement);
}

sub _verdict ($result) {
    my ($verdict, $first) = ($result->{verdict}, @{ $result->{objections} });
    my $word = !defined $verdict ? words('no_verdict') : $verdict eq 'valid' ? $verdict : uc $verdict;
    return words('result.verdict', verdict => $word, reason => objection_words($first)) if $first;
    my $remark = remark($result);
    return defined $remark ? words('result.valid', verdict => $word, remark => $remark) : $word;
}

# The first remark, and how many more; undef without any, or if the run is not valid
sub remark ($result) {
    my ($first, @others) = @{ $result->{remarks} };
    return undef if !defined $first || ($result->{verdict} // '') ne 'valid';
    return words(@others ? 'result.remarks' : 'result.remark', remark => $first, more => scalar @others);
}

1;
