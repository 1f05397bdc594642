# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(compare limit);

use List::Util qw(first);
use Realfeel::Compare::Bootstrap qw(blocks spread spread_of_samples);
use Realfeel::Compare::Doubts qw(doubts);
use Realfeel::Compare::Effect qw(a12 distance size);
use Realfeel::Compare::Environment qw(differences names);
use Realfeel::Compare::Maxima qw(maxima);
use Realfeel::Random qw(generator);
use Realfeel::Compare::Ratio qw(ratios);
use Realfeel::Stats qw(summary);
use Realfeel::Units qw(printable);

use constant {
    RESAMPLES  => 1000,
    BLOCKS_MIN => 5,
    VALUES_MIN => 20,           # as a median needs
    BUCKET_US  => 100,          # of 2002
};

=head1 NAME

Realfeel::Compare - the figures of two runs, side by side

=head1 FUNCTIONS

=head2 compare($base, $file, $measure, $seed)

Compares two L<Realfeel::Report>s by C<lateness> or C<interval>; without a measure by lateness, where both have it. Dies
with one line when they have no measure in common, or one of them no samples. Returns a hash:

C<measure>; C<seed>; C<names>, a pair; C<doubts>, a list; C<base> and C<file>, each C<file>, C<count>, C<max_us>,
C<blocks>, their C<unit> and number of C<units>, all undef where samples are drawn, C<widened>, whether it is then known
how these depend on each other, and C<no_interval>, why there is none; C<percentiles>, a list of hashes C<percentile>,
C<base_us>, C<file_us>, and C<ratio>, C<low>, C<high> and C<differs> as of L<Realfeel::Compare::Ratio>, or instead
C<reason>; C<effect>: C<a12>, C<size> or undef where there are too few values, C<distance>, C<at_us>; C<maxima>, as of
L<Realfeel::Compare::Maxima>; C<environment>, as of L<Realfeel::Compare::Environment>; and C<environment_known>, whether
both reports tell of it.

=cut

sub compare {
    my ($base, $file, $wish, $seed) = @_;
    my $measure = _measure($wish, $base, $file);
    my ($b, $f) = _runs($measure, $seed, $base, $file);
    my @differences = differences($base, $file);
    return {
        measure     => $measure,
        seed        => $seed,
        names       => [names($base, $file, @differences)],
        doubts      => [doubts($measure, $base, $file)],
        base        => _side($b),
        file        => _side($f),
        percentiles => [_percentiles($b, $f)],
        effect      => _effect(map { $_->{distribution} } $b, $f),
        maxima      => maxima($b, $f, $measure),
        environment => \@differences,
        environment_known => @{ $base->{keys} // [] } && @{ $file->{keys} // [] } ? 1 : 0,
    };
}

sub _effect {
    my @distributions = @_;
    my ($a12, $distance) = (a12(@distributions), distance(@distributions));
    my $few = grep { $_->n < VALUES_MIN } @distributions;
    return {
        a12 => $a12, size => $few ? undef : size($a12),
        distance => $distance->{distance}, at_us => $distance->{at},
    };
}

sub _measure {
    my ($measure, @reports) = @_;
    $measure //= (grep { !$_->lateness } @reports) ? 'interval' : 'lateness';
    my ($without) = grep { !$_->$measure } @reports or return $measure;
    my $other = $measure eq 'lateness' ? 'interval' : 'lateness';
    my $remedy = (grep { !$_->$other } @reports) ? 'compare it with one that knows as little' : "use --measure=$other";
    die printable($without->file) . ": knows no $measure" . ($measure eq 'interval' ? ' error' : '') . "; $remedy\n";
}

# What is known of each run of the measure, and how much its percentiles vary by chance.
sub _runs {
    my ($measure, $seed, @reports) = @_;
    my $old = grep { $_->format eq '2002' || ($_->header('bins') // '') =~ /^of 2002/ } @reports;
    my @runs = map {
        { report => $_, measure => $measure, distribution => _distribution($measure, $old, $_) }
    } @reports;
    my ($empty) = grep { !$_->{distribution}->n } @runs;
    die printable($empty->{report}->file) . ": holds no samples; compare runs that have some\n" if $empty;
    my $random = generator($seed);
    _vary($_, $random) for @runs;
    return @runs;
}

sub _vary {
    my ($run, $random) = @_;
    my $report = $run->{report};
    $run->{percentiles} = _supported($run);
    my @one_in = map { $_->{one_in} } grep { !$_->{reason} } @{ $run->{percentiles} };
    my @shares = map { 1 - 1 / $_ } @one_in;
    my $slice_bins = $run->{measure} eq 'lateness' ? $report->{slice_bins} : undef;
    $run->{drawn} = blocks($slice_bins) if $slice_bins;
    return if _too_few($run);
    my @spread = $slice_bins ? spread($run->{drawn}, \@shares, RESAMPLES, $random)
        : spread_of_samples($run->{distribution}->n, \@shares, _factors($run, @one_in));
    $run->{spread} = { map { $one_in[$_] => $spread[$_] } 0 .. $#spread };
}

# Where no slices can be drawn, the clusters still tell how far values depend on each other.
sub _factors {
    my ($run, @one_in) = @_;
    my $clusters = $run->{report}->clusters or return;
    my $distribution = $run->{distribution};
    return map {
        my ($edge) = $distribution->beyond($distribution->n / $_);
        ($clusters->dependence($run->{measure}, $distribution, $edge, $_))[0];
    } @one_in;
}

sub _distribution {
    my ($measure, $old, $report) = @_;
    return $report->lateness if $measure eq 'lateness';
    return $old ? $report->interval->regroup(\&_bucket) : $report->magnitude;
}

sub _bucket {
    my ($us) = @_;
    my $index = $us < 0 ? 0 : int($us / BUCKET_US);
    return ($index * BUCKET_US, ($index + 1) * BUCKET_US);
}

sub _side {
    my ($run) = @_;
    my $drawn = $run->{drawn};
    return {
        file    => $run->{report}->file,
        count   => $run->{distribution}->n,
        max_us  => $run->{distribution}->max,
        blocks  => $drawn ? scalar @{ $drawn->{blocks} } : undef,
        (map { $_ => $drawn ? $drawn->{$_} : undef } qw(unit units)),
        widened => $drawn || !$run->{report}->clusters ? 0 : 1,
        no_interval => _too_few($run) ? sprintf('needs %d slices, has %d', BLOCKS_MIN, $drawn->{units}) : undef,
    };
}

sub _too_few {
    my ($run) = @_;
    return $run->{drawn} && @{ $run->{drawn}{blocks} } < BLOCKS_MIN;
}

sub _supported {
    my ($run) = @_;
    my $summary = summary($run->{distribution}, $run->{report}->clusters, $run->{measure});
    return [map { { %$_, one_in => sprintf('%.0f', 100 / (100 - $_->{percentile})) } } @{ $summary->{percentiles} }];
}

sub _percentiles {
    my @runs = @_;
    my ($b, $f) = map { $_->{percentiles} } @runs;
    my @rows = map { _row($b->[$_], $f->[$_]) } 0 .. $#$b;
    return @rows if grep { _too_few($_) } @runs;
    my @given = grep { !$_->{reason} && $_->{file_us} > 0 && $_->{base_us} > 0 } @rows;
    my @ratios = ratios(@runs, map { $_->{one_in} } @given);
    %{ $given[$_] } = (%{ $given[$_] }, %{ $ratios[$_] }) for 0 .. $#given;
    return @rows;
}

sub _row {
    my @sides = @_;
    my %row = map { $_ => $sides[0]{$_} } qw(percentile one_in);
    my $reason = _reason(@sides);
    return { %row, reason => $reason } if $reason;
    return { %row, base_us => $sides[0]{value_us}, file_us => $sides[1]{value_us} };
}

# Of two that lack something, the one that lacks more.
sub _reason {
    my @sides = @_;
    my @refused = grep { $sides[$_]{reason} } 0, 1 or return undef;
    my ($most) = sort { $sides[$b]{more} <=> $sides[$a]{more} } @refused;
    my $reason = $sides[$most]{reason};
    my $both = @refused == 2 && $sides[0]{reason} eq $sides[1]{reason};
    return $both ? $reason : (qw(BASE FILE))[$most] . " $reason" if $reason =~ /^needs/;
    return ($both ? 'both have' : (qw(BASE FILE))[$most] . ' has') . " $reason bursts beyond";
}

=head2 limit($comparison, $percentile, $ratio)

Whether the ratio at this percentile is above a limit beyond chance: a hash of C<percentile>, C<limit>, and C<above>,
which is 1 when the whole interval is above it, else 0. Where the data do not tell, C<above> is undef and C<reason> says
why. The end of the interval decides, for a check that fails on a ratio which chance alone takes above the limit fails
every other time.

=cut

sub limit {
    my ($comparison, $percentile, $limit) = @_;
    my $row = first { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
    my $reason = $row->{reason} // _no_interval($comparison)
        // (!defined $row->{ratio} ? 'a value is not above 0'
            : $row->{low} > 0 || defined $row->{high} ? undef : 'its values come from too few bursts');
    return {
        percentile => $percentile,
        limit      => $limit,
        above      => defined $reason ? undef : $row->{low} > $limit ? 1 : 0,
        reason     => $reason,
    };
}

sub _no_interval {
    my ($comparison) = @_;
    my ($short) = grep { $comparison->{ lc $_ }{no_interval} } qw(BASE FILE) or return undef;
    return "$short $comparison->{ lc $short }{no_interval}";
}

1;
