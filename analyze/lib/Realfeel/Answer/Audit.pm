# SPDX-License-Identifier: GPL-2.0-or-later
# What another program's file leaves out, and where it contradicts itself.
package Realfeel::Answer::Audit;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(audit);

use List::Util qw(any max sum0);
use Realfeel::Base::Typed qw(number text truth);

use constant NS_PER_US => 1000;

# Takes a run of Input::Import. Returns a hash of source, duration_s and period_us; part, what its parts are called;
# rows, one for each part and, if there are several, one for all, without a number; all, that row; and findings.
#
# A row has total, samples; expected and lacking samples; skipped, the least number of periods that passed during late
# wake-ups; beyond, samples beyond the histogram; and max_us. Unknown values are undef.
#
# A finding has a code. On periods: ours, realfeel counts missed ones; cannot_tell; none_skipped; skipped. On samples:
# lacking_unknown; none_lacking; lacking; beyond, where left_out says that there may be more. contradiction has number,
# of the part, and reason; note has a reason that is in the run.
sub audit ($run) {
    my @parts = @{ $run->{parts} };
    my $all = _row($run, undef, @parts);
    return {
        source     => text($run->{source}),
        duration_s => number(max(grep { defined } map { $_->{duration_s} } @parts)),
        period_us  => $run->{period_ns} ? number($run->{period_ns} / NS_PER_US) : undef,
        part       => text($run->{part}),
        rows       => [(map { _row($run, $_->{number}, $_) } @parts), @parts > 1 ? $all : ()],
        all        => $all,
        findings   => [_findings($run, $all, @parts)],
    };
}

sub _row ($run, $number, @parts) {
    my $max = max(grep { defined } map { $_->{max} } @parts);
    return {
        number  => text($number),
        (map { $_ => _sum($_, @parts) } qw(total expected lacking beyond)),
        skipped => number(_skipped($run, @parts)),
        max_us  => defined $max ? number($max * $run->{unit_ns} / NS_PER_US) : undef,
    };
}

sub _sum ($key, @parts) {
    my @values = map { $_->{$key} } @parts;
    return (any { !defined } @values) ? undef : number(sum0(@values));
}

# No sample is taken to be later than its bin begins, except the latest one.
sub _skipped ($run, @parts) {
    my $period_ns = $run->{ours} ? undef : $run->{period_ns};
    return undef unless $period_ns;
    my $skipped = 0;
    for my $part (@parts) {
        my @cells = @{ $part->{cells} };
        $skipped += $_->[2] * int($_->[0] / $period_ns) for @cells;
        $skipped += max(0, int(($part->{max} // 0) * $run->{unit_ns} / $period_ns) - int($cells[-1][0] / $period_ns))
            if $part->{beyond};
    }
    return $skipped;
}

sub _findings ($run, $all, @parts) {
    my $left_out = truth(scalar grep { $_->{is_least} } @parts);
    return (
        _of_periods($run, $all), _of_samples($all),
        $all->{beyond} ? { code => 'beyond', left_out => $left_out } : (),
        (map { { code => 'contradiction', number => text($_->{number}), reason => text($_->{contradiction}) } }
            grep { $_->{contradiction} } @parts),
        map { { code => 'note', reason => text($_) } } @{ $run->{reasons} // [] },
    );
}

sub _of_periods ($run, $all) {
    my $skipped = $all->{skipped};
    return { code => 'ours' } if $run->{ours};
    return { code => !defined $skipped ? 'cannot_tell' : $skipped ? 'skipped' : 'none_skipped' };
}

sub _of_samples ($all) {
    my ($skipped, $lacking) = @$all{qw(skipped lacking)};
    return unless defined $skipped;
    return { code => $lacking ? 'lacking' : defined $lacking ? 'none_lacking' : 'lacking_unknown' };
}

1;
