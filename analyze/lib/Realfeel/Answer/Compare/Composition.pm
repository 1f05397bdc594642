# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Composition;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(composition composition_words);

use List::Util qw(max);
use POSIX qw(ceil);
use Realfeel::Base::Units qw(decimal percent);
use Realfeel::Model::Explain qw(counts level parts);

use constant {
    LEAST   => 20,              # wake-ups
    UNKNOWN => 0.1,             # of the wake-ups, at most
    NOTABLE => 0.05,            # of the median lateness, at least
};

=head1 NAME

Realfeel::Answer::Compare::Composition - which part of the lateness differs between two runs

=head1 DESCRIPTION

A report has no slices of the parts, so how far their values depend on each other is not known, and no interval can be
given. What can be said is weaker: that the medians lie further apart than a part varies within either run, slow changes
of its load included.

=head1 FUNCTIONS

=head2 composition($base, $file)

Of two L<Realfeel::Model::Report>s a hash: C<reason>, why nothing is said, else undef; and C<parts>, an array of hashes
of C<key>, C<name>, the medians C<base_us> and C<file_us>, and C<differs>. A part differs when the median of either run
lies outside of the middle half of the values of the other, and the difference is a twentieth of the median lateness or
more. Undef unless both runs have parts.

=cut

sub composition {
    my @reports = @_;
    return undef if grep { !defined level($_) } @reports;
    my $reason = _refusal(@reports);
    return { reason => $reason, parts => [] } if defined $reason;
    my ($base, $file) = map { [parts($_)] } @reports;
    my $notable = NOTABLE * max(map { $_->latency->median } @reports);
    return { reason => undef, parts => [map { _compared($notable, $base->[$_], $file->[$_]) } 0 .. $#$base] };
}

sub _refusal {
    my @reports = @_;
    my ($one, $other) = map { level($_) } @reports;
    return "BASE was traced with --explain=$one, FILE with --explain=$other, and each delays wake-ups by its own time"
        if $one ne $other;
    return 'both were merged from runs that differ in --explain, and each delays wake-ups by its own time'
        if $one eq 'several';
    my @refusals = map { _refusal_of((qw(BASE FILE))[$_], $reports[$_]) } 0, 1;
    return $refusals[0];
}

sub _refusal_of {
    my ($side, $report) = @_;
    my $count = counts($report);
    my ($known, $all) = ($count->{matched}, $count->{matched} + $count->{unknown});
    return "$side has fewer than " . LEAST . ' wake-ups whose parts are known' if $known < LEAST;
    return "in $side, the parts of " . percent($count->{unknown}, $all) . ' of the wake-ups are unknown'
        if $count->{unknown} > UNKNOWN * $all;
    return defined $report->latency->median ? () : "$side has no median lateness";
}

sub _compared {
    my ($notable, @parts) = @_;
    my ($key, $name) = @{ $parts[0] }{qw(key name)};
    my ($base, $file) = map { _middle($_->{distribution}) } @parts;
    my $apart = abs($file->{median} - $base->{median});
    my $is_far = $apart > 0 && $apart >= $notable;
    my $differs = $is_far && _outside($base->{median}, $file) && _outside($file->{median}, $base) ? 1 : 0;
    return { key => $key, name => $name, base_us => $base->{median}, file_us => $file->{median}, differs => $differs };
}

# The median, and the edges of the middle half of the values.
sub _middle {
    my ($values) = @_;
    my $n = $values->n;
    return { median => $values->median, low => ($values->edges(ceil($n / 4)))[0],
        high => ($values->edges($n + 1 - ceil($n / 4)))[1] };
}

sub _outside {
    my ($median, $other) = @_;
    return $median < $other->{low} || $median > $other->{high};
}

=head2 composition_words($comparison)

Of a L<Realfeel::Answer::Compare> what there is to say of the parts: a sentence, the part that differs most first; undef
where there are none.

=cut

sub composition_words {
    my ($comparison) = @_;
    my $composition = $comparison->{composition} or return undef;
    return "not compared: $composition->{reason}." if defined $composition->{reason};
    my ($base, $file) = @{ $comparison->{names} };
    my @parts = @{ $composition->{parts} };
    my @apart = sort { _apart($b) <=> _apart($a) } grep { $_->{differs} } @parts;
    return 'in these runs, none differs by a twentieth of the lateness and by more than it varies within a run.'
        unless @apart;
    my $differing = join(', ', map { _words($_) } @apart) =~ s/' /' is /r;
    return "by the medians of these runs, with $file $differing than with $base"
        . (@apart == @parts ? '.' : '; the other parts differ less, or no more than they vary within a run.');
}

sub _apart { return abs($_[0]{file_us} - $_[0]{base_us}) }

sub _words {
    my ($part) = @_;
    my ($from, $to) = @$part{qw(base_us file_us)};
    return sprintf "'%s' %s us %s (%s -> %s)", $part->{name}, _short(_apart($part)), $to > $from ? 'longer' : 'shorter',
        map { _short($_) } $from, $to;
}

sub _short { return decimal($_[0], 1) }

1;
