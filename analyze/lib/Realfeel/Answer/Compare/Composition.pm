# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Answer::Compare::Composition;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(composition);

use List::Util qw(max);
use POSIX qw(ceil);
use Realfeel::Base::Typed qw(number text truth);
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

Of two L<Realfeel::Model::Report>s a hash of C<reason> and C<parts>. Undef unless both runs have parts.

C<reason> is why nothing is said, else undef: a hash of C<code>, C<unlike>, traced in other ways, C<base> and C<file>;
C<several>, both were merged from such; or of one C<side> C<few>, not the C<needed> wake-ups with parts, C<unknown>, the
parts of so many are, or C<no_median>.

C<parts> are an array of hashes of C<key>, C<name>, the medians C<base_us> and C<file_us>, and C<differs>. A part
differs when the median of either run lies outside of the middle half of the values of the other, and the difference is
a twentieth of the median lateness or more.

=cut

sub composition (@reports) {
    return undef if grep { !defined level($_) } @reports;
    my $reason = _refusal(@reports);
    return { reason => $reason, parts => [] } if $reason;
    my ($base, $file) = map { [parts($_)] } @reports;
    my $notable = NOTABLE * max(map { $_->latency->median } @reports);
    return { reason => undef, parts => [map { _compared($notable, $base->[$_], $file->[$_]) } 0 .. $#$base] };
}

sub _refusal (@reports) {
    my ($one, $other) = map { level($_) } @reports;
    return { code => 'unlike', base => text($one), file => text($other) } if $one ne $other;
    return { code => 'several' } if $one eq 'several';
    return (map { _refusal_of((qw(base file))[$_], $reports[$_]) } 0, 1)[0];
}

sub _refusal_of ($side, $report) {
    my $count = counts($report);
    my %of = (side => $side, map { $_ => number($count->{$_}) } qw(matched unknown));
    return { %of, code => 'few', needed => LEAST } if $of{matched} < LEAST;
    return { %of, code => 'unknown' } if $of{unknown} > UNKNOWN * ($of{matched} + $of{unknown});
    return defined $report->latency->median ? () : { %of, code => 'no_median' };
}

sub _compared ($notable, @parts) {
    my ($key, $name) = @{ $parts[0] }{qw(key name)};
    my ($base, $file) = map { _middle($_->{distribution}) } @parts;
    my $apart = abs($file->{median} - $base->{median});
    my $is_far = $apart > 0 && $apart >= $notable;
    my $differs = $is_far && _outside($base->{median}, $file) && _outside($file->{median}, $base) ? 1 : 0;
    return { key => text($key), name => text($name), differs => truth($differs),
        base_us => number($base->{median}), file_us => number($file->{median}) };
}

# The median, and the edges of the middle half of the values.
sub _middle ($values) {
    my $n = $values->n;
    return { median => $values->median, low => ($values->edges(ceil($n / 4)))[0],
        high => ($values->edges($n + 1 - ceil($n / 4)))[1] };
}

sub _outside ($median, $other) {
    return $median < $other->{low} || $median > $other->{high};
}

1;
