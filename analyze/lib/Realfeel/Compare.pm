# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(compare limit untold);

use List::Util qw(all first);
use Realfeel::Chance qw(generator);
use Realfeel::Compare::Chance qw(maxima ratios);
use Realfeel::Compare::Composition qw(composition);
use Realfeel::Compare::Environment qw(differences doubts names of_2002 told_by_both);
use Realfeel::Report::Measures qw(common measure_name);
use Realfeel::Stats qw(percentiles);
use Realfeel::Units qw(printable);

use constant {
    INFINITY  => 9**9**9,
    SINCE     => {
        lateness => 'lateness, since a wake-up was due', wakeup => 'wake-up latency, since a request',
    },
};

=head1 NAME

Realfeel::Compare - the figures of two runs, side by side

=head1 FUNCTIONS

=head2 compare($base, $file, $measure, $seed, $at)

Compares two L<Realfeel::Report>s by C<lateness>, C<wakeup> or C<interval>; without a measure by the first of them that
both have. Dies with one line when they have no measure in common, or one of them no samples. With C<$at> that
percentile alone is judged. Returns a hash:

C<measure>; C<interval_errors>, how these count: C<absolute>, C<early as 0> where a file is of 2002, undef for latency;
C<seed>; C<names>, a pair; C<identical>, whether the files hold the same run, of which nothing else is said then;
C<doubts>, a list; C<base> and C<file>, each C<report>, C<file>, C<count>, C<max_us>, C<runs>, how many were merged,
C<units>, how many parts of it tell how far its values depend on each other, C<unit>, what these are, and
C<no_interval>, why there is none; C<percentiles>, a list of hashes C<percentile>, C<base_us>, C<file_us>,
and C<ratio>, C<low>, C<high>, C<coarse> and C<differs> as of L<Realfeel::Compare::Chance>, or instead C<reason> and
C<open>, whether it lies in an open bin; C<maxima>, as of the same; C<composition>,
as of L<Realfeel::Compare::Composition>; C<environment>, as of L<Realfeel::Compare::Environment>; and
C<environment_told>, the keys of which both reports tell.

=cut

sub compare {
    my ($base, $file, $wish, $seed, $at) = @_;
    my $measure = _measure($wish, $base, $file);
    my $old = of_2002($base, $file);
    my ($b, $f) = _runs($measure, $old, $base, $file);
    my @differences = differences($base, $file);
    my $identical = _identical($b, $f);
    my %judged = $identical ? (doubts => [], percentiles => [], maxima => undef, composition => undef)
        : _judged($measure, $at, $seed, $b, $f);
    return {
        %judged,
        measure     => $measure,
        interval_errors => $measure ne 'interval' ? undef : $old ? 'early as 0' : 'absolute',
        seed        => $seed,
        names       => [names($base, $file, @differences)],
        identical   => $identical,
        base        => _side($b),
        file        => _side($f),
        environment => \@differences,
        environment_told => [told_by_both($base, $file)],
    };
}

sub _judged {
    my ($measure, $at, $seed, @runs) = @_;
    _vary($_) for @runs;
    return (
        doubts      => [doubts($measure, map { $_->{report} } @runs)],
        percentiles => [_percentiles($at, generator($seed), @runs)],
        maxima      => maxima(@runs, $measure),
        composition => _composition($measure, map { $_->{report} } @runs),
    );
}

# Of the latency that is explained.
sub _composition {
    my ($measure, @reports) = @_;
    return (all { $_->latency_name eq $measure } @reports) ? composition(@reports) : undef;
}

# A run and its copy: all figures that both hold are the same. Few pairs need them written out, which takes long.
sub _identical {
    my ($base, $file) = @_;
    return 0 if grep { $base->{distribution}->$_ != $file->{distribution}->$_ } qw(n bins max);
    my ($one, $other) = map { $_->{report} } $base, $file;
    my @sets = grep { $one->has($_) && $other->has($_) } qw(histogram slices slice_bins events runs);
    return (all { _same($one->columns($_), $other->columns($_)) } @sets) ? 1 : 0;
}

sub _same {
    my ($one, $other) = @_;
    my @names = sort keys %$one;
    return "@names" eq join(' ', sort keys %$other) && (all { _figures($one->{$_}) eq _figures($other->{$_}) } @names);
}

sub _figures {
    my ($column) = @_;
    return join ' ', map { $_ // 'unknown' } @$column;
}

sub _measure {
    my ($measure, @reports) = @_;
    my $common = common(@reports);
    my $wanted = $measure // $common // 'interval';
    my ($without) = grep { !$_->$wanted } @reports or return $wanted;
    _refuse_other(@reports) unless defined $measure || grep { !$_->latency } @reports;
    my $remedy = defined $common ? "use --measure=$common" : 'compare files with a common measure';
    die printable($without->file) . ": has no @{[measure_name($wanted)]}; $remedy\n";
}

sub _refuse_other {
    my @files = map { printable($_->file) . ' measures ' . SINCE->{ $_->latency_name } } @_;
    die join(', but ', @files) . "; compare files with a common measure\n";
}

sub _runs {
    my ($measure, $old, @reports) = @_;
    my @runs = map {
        { report => $_, measure => $measure, distribution => _distribution($measure, $old, $_) }
    } @reports;
    my ($empty) = grep { !$_->{distribution}->n } @runs;
    die printable($empty->{report}->file) . ": holds no samples; compare runs that do\n" if $empty;
    return @runs;
}

# The percentiles, and of each how far the share of values up to there is off, and what makes it so.
sub _vary {
    my ($run) = @_;
    my ($distribution, $dependence) = ($run->{distribution}, $run->{report}->dependence);
    my $n = $distribution->n;
    $run->{unknown} = $dependence->unknown;
    for my $row (percentiles($distribution, $dependence, $run->{measure})) {
        my $one_in = sprintf '%.0f', 100 / (100 - $row->{percentile});
        push @{ $run->{percentiles} }, { %$row, one_in => $one_in };
        next if $row->{reason};
        my ($edge) = $distribution->beyond($n / $one_in);
        my $beyond = $dependence->beyond($run->{measure}, $distribution, $edge, $one_in);
        my $sd = sqrt($beyond->{spread} * (1 - 1 / $one_in) / $one_in / $n);
        $run->{spread}{$one_in} = { sd => $sd, off => $beyond->{off} };
    }
}

sub _distribution {
    my ($measure, $old, $report) = @_;
    return $old && $measure eq 'interval' ? $report->in_buckets : $report->measured($measure);
}

sub _side {
    my ($run) = @_;
    my $dependence = $run->{report}->dependence;
    return {
        file    => $run->{report}->file,
        report  => $run->{report},
        count   => $run->{distribution}->n,
        max_us  => $run->{distribution}->max,
        units   => $dependence->units,
        unit    => $dependence->unit,
        runs    => $run->{report}->runs // 1,
        no_interval => $run->{unknown},
    };
}

sub _percentiles {
    my ($at, $random, @runs) = @_;
    my ($b, $f) = map { $_->{percentiles} } @runs;
    my @rows = grep { !defined $at || $_->{percentile} == $at } map { _row($b->[$_], $f->[$_]) } 0 .. $#$b;
    return @rows if grep { defined $_->{unknown} } @runs;
    my @given = grep { !$_->{reason} && $_->{file_us} > 0 && $_->{base_us} > 0 } @rows;
    my @ratios = ratios(@runs, $random, map { $_->{one_in} } @given);
    %{ $given[$_] } = (%{ $given[$_] }, %{ $ratios[$_] }) for 0 .. $#given;
    return @rows;
}

sub _row {
    my @sides = @_;
    my %row = map { $_ => $sides[0]{$_} } qw(percentile one_in);
    my $lacking = _lacking(@sides) // return { %row, base_us => $sides[0]{value_us}, file_us => $sides[1]{value_us} };
    return { %row, reason => _reason($lacking, @sides), open => defined $sides[$lacking]{more} ? 0 : 1 };
}

# Which of two that lack something lacks more: what lies in an open bin no number of values can tell.
sub _lacking {
    my @sides = @_;
    my @refused = grep { $sides[$_]{reason} } 0, 1;
    return (sort { ($sides[$b]{more} // INFINITY) <=> ($sides[$a]{more} // INFINITY) } @refused)[0];
}

sub _reason {
    my ($lacking, @sides) = @_;
    my ($reason, $side) = ($sides[$lacking]{reason}, (qw(BASE FILE))[$lacking]);
    return "$side is $reason" unless defined $sides[$lacking]{more};
    my $both = ($sides[1 - $lacking]{reason} // '') eq $reason;
    return $both ? $reason : "$side $reason" if $reason =~ /^needs/;
    return ($both ? 'both have' : "$side has") . " $reason beyond";
}

=head2 limit($comparison, $percentile, $ratio)

Whether the ratio at this percentile is above a limit beyond chance: a hash of C<percentile>, C<limit>, and C<exceeded>,
which is 1 when the whole interval is above it, else 0. Where the data do not tell, C<exceeded> is undef and C<reason>
says why. The end of the interval decides, for a check that fails on a ratio which chance alone takes above the limit
fails every other time.

=cut

sub limit {
    my ($comparison, $percentile, $limit) = @_;
    my $row = _at($comparison, $percentile);
    my ($reason) = _untold($comparison, $row);
    return {
        percentile => $percentile,
        limit      => $limit,
        exceeded   => defined $reason ? undef : $row->{low} > $limit ? 1 : 0,
        reason     => $reason,
    };
}

=head2 untold($comparison)

Of a comparison whose C<limit> cannot be judged a line that says so, with the reason and what to do; else nothing.

=cut

sub untold {
    my ($comparison) = @_;
    my $limit = $comparison->{limit} or return;
    return if defined $limit->{exceeded};
    my ($reason, $remedy) = _untold($comparison, _at($comparison, $limit->{percentile}));
    return printable($comparison->{file}{report}->file) . ": p$limit->{percentile} cannot be judged: $reason; $remedy";
}

sub _at {
    my ($comparison, $percentile) = @_;
    return first { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
}

# Why a ratio cannot be judged, and what to do about that.
sub _untold {
    my ($comparison, $row) = @_;
    return ('identical runs', 'name another run') if $comparison->{identical};
    return ($row->{reason}, $row->{open} ? 'name a lower percentile' : 'measure longer') if $row->{reason};
    my $short = _no_interval($comparison);
    return ($short, 'measure longer') if defined $short;
    return ('a value is 0', 'measure in finer steps') unless defined $row->{ratio};
    return if $row->{low} > 0 || defined $row->{high};
    return ('an end of its interval is open', $row->{coarse} ? 'measure in finer steps' : 'measure longer');
}

sub _no_interval {
    my ($comparison) = @_;
    my ($short) = grep { $comparison->{ lc $_ }{no_interval} } qw(BASE FILE) or return undef;
    return "$short: $comparison->{ lc $short }{no_interval}";
}

1;
