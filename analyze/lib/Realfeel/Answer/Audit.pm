# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Audit;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(audit);

use List::Util qw(any max sum0);
use Realfeel::Base::Typed qw(number text truth);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Answer::Audit - what the file of another program leaves out, and where it contradicts itself

=head1 FUNCTIONS

=head2 audit($run)

Of a run of L<Realfeel::Input::Import> a hash: C<source>, C<duration_s> and C<period_us>; C<part>, what its parts are
called; C<rows>, an array with a row for each and, where there are several, one for all, whose C<number> is undef;
C<all>, that row; and C<findings>.

A row has C<total>, its samples; how many are C<expected> and C<lacking>; C<skipped>, how many periods passed while
wake-ups were late, at least; C<beyond>, how many samples lie beyond the histogram; and C<max_us>. What cannot be told
is undef.

A finding has a C<code>. Of periods: C<ours>, realfeel counts what it missed; C<cannot_tell>; C<none_skipped>;
C<skipped>. Of samples: C<lacking_unknown>; C<none_lacking>; C<lacking>. C<beyond>, with C<left_out>, whether it is that
many at least.
C<contradiction>, the C<number> of the part and the C<reason>; and C<note>, a C<reason> that the run has.

=cut

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

# Those that are no later than their bins begin, and the one that was the latest.
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
