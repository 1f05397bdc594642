# SPDX-License-Identifier: GPL-2.0-or-later
# Which part of the lateness differs between two runs. Slices do not cover the parts, so how far their values depend on
# each other is unknown and there is no interval. A weaker statement is possible: the medians lie further apart than the
# part varies within either run, slow changes of the load included.
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

# undef unless both runs have parts; else a hash of reason and parts. reason says why they are not compared, or is
# undef: a hash of code, with unlike, traced in different ways, base and file; several, both merged from such; or, on
# one side, few, fewer wake-ups with parts than needed, unknown, too many without, or no_median.
#
# parts are hashes of key, name, the medians base_us and file_us, and differs: the median of either run lies outside of
# the other's middle half, and they differ by a twentieth of the median lateness or more.
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

# The median, and the edges of the middle half
sub _middle ($values) {
    my $n = $values->n;
    return { median => $values->median, low => ($values->edges(ceil($n / 4)))[0],
        high => ($values->edges($n + 1 - ceil($n / 4)))[1] };
}

sub _outside ($median, $other) {
    return $median < $other->{low} || $median > $other->{high};
}

1;
