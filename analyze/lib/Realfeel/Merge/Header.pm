# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Merge::Header;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(merged_header);

use List::Util qw(any max minstr sum0 uniq uniqstr);
use Realfeel::Merge::Moments;

use constant {
    COUNT_MAX => 10**18 - 1,      # what a report can hold
    STATUSES  => [qw(complete checkpoint interrupted break)],
    GRADES    => [qw(valid suspect invalid)],
    MICRO     => 1_000_000,

    # What stands at the head of a report; all else follows by the alphabet.
    FIRST => [
        qw(status verdict label command version started duration_s source frequency_hz period_ns anchor_uncertainty_ns
            clock tsc_hz tsc_error_ppm tsc_drift_ppm schedule explain max_ns max break_ns load
            samples periods missed early_wakeups lateness_of moments bins),
        map { my $measure = $_; map { "${measure}_$_" } qw(min_ns max_ns mean_ns sd_ns sum_ns sumsq_ns2) }
            qw(interval lateness),
    ],

    # How values are put together that are not the same in all. A rule gets all values, undef where there is none.
    RULE => {
        status   => \&_worst_status,
        verdict  => \&_worst_verdict,
        schedule => \&_contradictions,
        started  => sub { minstr(map { $_ // 'unknown' } @_) },
        max      => sub { (any { ($_ // '') eq 'exceeded' } @_) ? 'exceeded' : _same(@_) },
        (map { $_ => sub { (any { ($_ // '') eq 'yes' } @_) ? 'yes' : 'unknown' } } qw(rt_throttled frozen)),
        (map { $_ => sub { _greatest(@_) } } qw(anchor_uncertainty_ns tsc_error_ppm tsc_drift_ppm)),
        (map { $_ => \&_added } qw(samples periods missed early_wakeups steal_ms migrations stopped_ms)),
        (map { $_ => \&_added_seconds } qw(duration_s suspended_s clock_step_s)),
    },
    ADDED => [
        qw(samples periods missed early_wakeups steal_ms migrations stopped_ms duration_s suspended_s clock_step_s),
    ],
};

=head1 NAME

Realfeel::Merge::Header - the header of a merged report

=head1 FUNCTIONS

=head2 merged_header(\@measures, @parts)

C<header> and C<keys>, as L<Realfeel::Writer> takes them, of the parts of L<Realfeel::Merge>. What is a sum is added,
of the rest each value stands that is the same in all. Where they differ, a text becomes C<several>, and a number is
left out.

=cut

sub merged_header {
    my ($measures, @parts) = @_;
    my %is_moment = map { $_ => 1 } grep { /_(?:min|max|mean|sd|sum|sumsq)_ns2?$/ } @{ FIRST() };
    my @keys = grep { !$is_moment{$_} && $_ ne 'moments' } uniqstr map { keys %{ $_->{header} } } @parts;
    my %header = map { my $key = $_; $key => _value($key, map { $_->{header}{$key} } @parts) } @keys;
    $header{bins} = (grep { defined } map { $_->{header}{bins} } @parts)[0];
    for my $measure (@$measures) {
        my $moments = Realfeel::Merge::Moments->of($measure, map { $_->{report} } @parts);
        %header = (%header, $moments->header($measure));
        $header{moments} = 'from the bins' if $moments->from_bins;
    }
    $header{verdict} //= 'suspect: no run has a verdict';
    _refuse_flood(\%header);
    my %place = map { FIRST->[$_] => $_ } 0 .. $#{ FIRST() };
    my $last = @{ FIRST() };
    my @kept = grep { defined $header{$_} } keys %header;
    return (
        header => { map { $_ => $header{$_} } @kept },
        keys   => [sort { ($place{$a} // $last) <=> ($place{$b} // $last) || $a cmp $b } @kept],
    );
}

sub _refuse_flood {
    my ($header) = @_;
    for (grep { $header->{$_} ne 'unknown' } qw(samples periods)) {
        die "the $_ of all files together are more than @{[COUNT_MAX]}, which no report can hold; merge fewer\n"
            if $header->{$_} > COUNT_MAX;
    }
}

sub _value {
    my ($key, @values) = @_;
    my %added = map { $_ => 1 } @{ ADDED() };
    return $values[0] if !$added{$key} && !grep { !defined || $_ ne ($values[0] // '') } @values;
    my $rule = RULE->{$key};
    return $rule ? $rule->(@values) : $key =~ /_(?:ns2?|us|ms|s|hz|ppm|kb)$/ ? undef : _same(@values);
}

sub _same {
    my @values = @_;
    return (any { !defined || $_ ne ($values[0] // '') } @values) ? 'several' : $values[0];
}

sub _greatest {
    my @values = @_;
    return (any { !defined } @values) ? undef : max(@values);
}

sub _added {
    my @values = @_;
    return (any { !defined || $_ eq 'unknown' } @values) ? 'unknown' : sum0(@values);
}

# In whole microseconds, so that the order is of no account.
sub _added_seconds {
    my @values = @_;
    return undef if any { !defined } @values;
    return 'unknown' if any { $_ eq 'unknown' } @values;
    my $sum = sum0(map { sprintf '%.0f', $_ * MICRO } @values);
    return sprintf '%d.%06d', int($sum / MICRO), $sum % MICRO;
}

sub _worst {
    my ($ranks, @words) = @_;
    my %rank = map { $ranks->[$_] => $_ } 0 .. $#$ranks;
    return $ranks->[max(map { $rank{$_} // $#$ranks } @words)];
}

sub _worst_status {
    return _worst(STATUSES, grep { defined } @_);
}

# The worst grade, with every reason once.
sub _worst_verdict {
    my @verdicts = map { $_ // 'suspect: a file holds no verdict' } @_;
    my @reasons = sort { $a cmp $b } uniqstr map { /^\w+: (.*)/s ? split /;\s*/, $1 : () } @verdicts;
    my $grade = _worst(GRADES, map { /^(\w+)/ } @verdicts);
    return @reasons ? "$grade: " . join('; ', @reasons) : $grade;
}

sub _contradictions {
    my @reasons = sort { $a cmp $b } uniqstr map { ($_ // '') =~ /^contradicted: (.*)/s ? split /;\s*/, $1 : () } @_;
    return @reasons ? 'contradicted: ' . join('; ', @reasons) : _same(@_);
}

1;
