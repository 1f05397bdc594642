# SPDX-License-Identifier: GPL-2.0-or-later
# What latenesses are made of: the share of each part over the percentiles of lateness.
package Realfeel::Draw::Composition;
use Realfeel::Base::Modern;

use List::Util qw(first max min sum0);
use Realfeel::Base::Units qw(cut);
use Realfeel::Draw::Words qw(finding_words four_digits rounded words);
use Realfeel::Model::Explain qw(by_lateness counts findings parts);

use constant {
    PERCENT   => 100,
    FEW       => 0.01,          # of the wake-ups
    STEP      => 1.1,           # how much rarer a column is, at least, than the one before
    DECADES   => 15,
    SPARSE    => 6,             # decades, of more every second has its lateness written
    GAP       => 5,             # so many times rarer is the largest, which is written in the middle of its column
    MIDDLE    => sqrt 2,
    US_PER_MS => 1000,
};

# Columns are as wide as their wake-ups are rare, so that few of them, which differ by chance, do not fill the picture.
# Parts that are negative, as wake-ups were early, have no share.
sub plan ($runs) {
    my ($report) = $runs->reports;
    my $look = $runs->look;
    my $counts = counts($report) or die "the run was not explained, by its header; name another report\n";
    my @parts = parts($report);
    my @columns = _columns([map { $_->{key} } @parts], by_lateness($report))
        or die "the parts of no wake-up are known; name another report\n";
    my ($end, $latency) = ($columns[-1]{to}, $report->latency_words);
    return {
        labels  => [words('axis.percentile_of', latency => $latency), words('axis.share_of', latency => $latency)],
        x       => [1, $end],
        y       => [0, PERCENT],
        data    => [_stairs(@columns), _heads($look, $runs->max, @columns)],
        keys    => [map { _key($look, $_) } @parts],
        texts   => { above_text => words('parts.' . $report->latency_name) },
        remark  => _remark($counts),
        finding => finding_words(_grave($counts, findings($report))),
    };
}

# Hashes of from and to, one in so many; shares in %, cumulative; and high, which latenesses of the column do not
# exceed. The last ends where half a wake-up would.
sub _columns ($keys, @rows) {
    my $n = sum0(map { $_->{wakeups} } @rows);
    my ($beyond, $from, @columns) = ($n, 1);
    my @sum = (0) x @$keys;
    for my $row (@rows) {
        $beyond -= $row->{wakeups};
        $sum[$_] += $row->{wakeups} * $row->{ $keys->[$_] } for 0 .. $#sum;
        my $to = $beyond > 0 ? $n / $beyond : 2 * $n;
        next if $beyond > 0 && $to < STEP * $from || !grep { $_ > 0 } @sum;
        push @columns, { from => $from, to => $to, shares => [_added(@sum)], high => $row->{to_us} };
        ($from, @sum) = ($to, (0) x @sum);
    }
    return @columns;
}

sub _added {
    my @sum = map { max(0, $_) } @_;
    my ($all, $below) = (sum0(@sum), 0);
    return map { PERCENT * ($below += $_) / $all } @sum;
}

# Two rows [one in, share, share, ...] for each column
sub _stairs { return [map { [$_->{from}, @{ $_->{shares} }], [$_->{to}, @{ $_->{shares} }] } @_] }

# What to write above, and where: the lateness at some percentiles, and the largest
sub _heads ($look, $max, @columns) {
    my $end = $columns[-1]{to};
    my $each = $end > 10**SPARSE ? 2 : 1;
    my @places = grep { $_ * GAP <= $end } 2, map { 10**($each * $_) } 1 .. DECADES;
    my @heads = map { my $place = $_; [$place, min($max, (first { $_->{to} > $place } @columns)->{high})] } @places;
    return [map { [$_->[0], \rounded($look, $_->[1])] } @heads, [$end / MIDDLE, min($max, $columns[-1]{high})]];
}

# Truncated at its end
sub _key ($look, $part) {
    my ($name, $values) = @$part{qw(name distribution)};
    return $name unless $values && $values->n;
    my ($median, $max) = map { _time($look, $_) } $values->quantile(2), $values->max;
    return cut(words('key.part', name => $name, median => $median, max => $max), $look->{room});
}

sub _time ($look, $us) {
    my ($unit, $time) = abs $us < US_PER_MS ? ('us', $us) : ('ms', $us / US_PER_MS);
    return four_digits($time) . " $look->{symbol}{$unit}";
}

# A few unknown wake-ups only make a remark
sub _grave ($counts, @findings) {
    my $many = $counts->{unknown} > FEW * $counts->{matched};
    return grep { $_->{code} eq 'unknown' ? $many : $_->{code} ne 'earlier' } @findings;
}

sub _remark ($counts) {
    my %wakeups = (all => $counts->{matched} + $counts->{unknown}, unknown => $counts->{unknown});
    return words($wakeups{unknown} ? 'parts.unknown' : 'parts.known', %wakeups);
}

1;
