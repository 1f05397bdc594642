# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Draw::Trend;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(ranked);

use List::Util qw(max min);
use Realfeel::Answer::Trend qw(name worse);
use Realfeel::Base::Units qw(counted cut decimal multiple printable);
use Realfeel::Draw::Axis qw(drawing log_range number);
use Realfeel::Draw::Gnuplot qw(draw draw_stills format_of);
use Realfeel::Draw::Words qw(notes title);

use constant {
    LEAST_US => 0.01,           # a logarithmic axis has no 0
    MARGIN   => 0.02,           # of the axis of time, at either end
    LINES    => [['p50', 'p50_us'], ['p99', 'p99_us'], ['p99.9', 'p999_us'], ['max', 'max_us']],
    TERMINAL => { us => 'us', power => '1e%d', x => 64, y => 15, room => 76 },
    PICTURE  => { us => "\xc2\xb5s", power => '10^{%d}', x => 62, y => 13, room => 78 },
};

=head1 NAME

Realfeel::Draw::Trend - the latencies of many runs, over the time when they were started

=head1 FUNCTIONS

=head2 plot($template_directory, $output, $series)

Draws a series of L<Realfeel::Answer::Trend> to the picture C<$output>, or returns the drawing as text when it is undef.
Invalid runs are left out. Dies with one line of reason, also where there are more series.

=head2 ranked($template_directory, $label, @runs)

Draws runs by their rank, as the text of an SVG for a page. A run is a hash of C<report>, C<p50_us>, C<p99_us>,
C<p999_us>, C<max_us> and C<missed_ppm>, the last undef where it is not known; a percentile is undef where the run does
not support it. C<$label> says what is measured. Dies with one line of reason.

=cut

sub plot {
    my ($templates, $output, $series, @others) = @_;
    my $all = 1 + @others;
    die "--plot draws one series, and there are $all; name runs that are alike\n" if @others;
    my $format = format_of($output);
    my $look = $format eq 'dumb' ? TERMINAL : PICTURE;
    my @runs = grep { ($_->{verdict} // '') ne 'invalid' && defined $_->{max_us} } @{ $series->{runs} };
    die "no run of this series is valid; there is nothing to draw\n" unless @runs;
    my @kernels = _kernels(@runs);
    my ($low, $high) = log_range(_extremes(@runs));
    my ($note, $remark) = notes($look->{room}, _finding($series, worse($series)), _remark(@kernels));
    return draw($templates, 'trend', $format, $output, drawing($look, {
        _axes($low, $high, undef, @runs),
        data  => _data($series, \@runs, \@kernels),
        keys  => [map { _key($look, @$_, @runs) } @{ LINES() }],
        texts => {
            title_text => cut(name($series) . ', ' . counted(scalar @runs, 'run'), $look->{room}),
            x_text => 'started (UTC)', y_text => "$runs[0]{measure} ($look->{us})", note => $note, remark => $remark,
        },
    }));
}

sub ranked {
    my ($templates, $label, @runs) = @_;
    $runs[$_]{seconds} = 1 + $_ for 0 .. $#runs;
    my ($low, $high) = log_range(_extremes(@runs));
    my ($svg) = draw_stills($templates, ['trend', drawing(PICTURE, {
        _axes($low, $high, 0.5, @runs),
        data  => _data({ changes => [] }, \@runs, [{ seconds => 0, letter => '-' }]),
        keys  => [map { $_->[0] } @{ LINES() }],
        texts => {
            title_text => title(PICTURE->{room}, map { $_->{report} } @runs),
            x_text => 'rank', y_text => "$label (${\PICTURE->{us}})", note => '', remark => '',
        },
    })]);
    return $svg;
}

sub _extremes {
    my @runs = @_;
    my @values = map { max(LEAST_US, $_) } grep { defined } map { @$_{ map { $_->[1] } @{ LINES() } } } @runs;
    return (min(@values) / 1.05, 1.05 * max(@values));
}

# The first run of each kernel in a row, with a letter.
sub _kernels {
    my ($last, $letter, %letter, @kernels) = ("\0", 'A');
    for (@_) {
        my $kernel = $_->{kernel_release} // 'unknown';
        push @kernels, { seconds => $_->{seconds}, kernel => $kernel, letter => $letter{$kernel} //= $letter++ }
            if $kernel ne $last;
        $last = $kernel;
    }
    return @kernels;
}

sub _data {
    my ($series, $runs, $kernels) = @_;
    my $y = sub { defined $_[0] ? number(max(LEAST_US, $_[0])) : 'nan' };
    my %line = map { LINES->[$_][1] => 1 + $_ } 0 .. $#{ LINES() };
    my @sets = (
        (map { my $key = $_->[1]; [map { [$_->{seconds}, $y->($_->{$key})] } @$runs] } @{ LINES() }),
        [[0, 0], map { [$_->{seconds}, number($_->{missed_ppm} // 0)] } @$runs],
        [map { [@$_{qw(seconds letter)}] } @$kernels],
        [[0, 1, 1, 1], map {
            [$series->{runs}[ $_->{run} - 1 ]{seconds}, $y->($_->{after}), $line{ $_->{key} }, $_->{worse} ? 1 : -1]
        } grep { $line{ $_->{key} } } @{ $series->{changes} }],
    );
    return join "\n\n", map { join '', map { "@$_\n" } @$_ } @sets;
}

sub _key {
    my ($look, $name, $key, @runs) = @_;
    my $last = $runs[-1]{$key};
    return "$name: unknown in the last run" unless defined $last;
    return "$name: " . decimal($last, $last < 100 ? 1 : 0) . " $look->{us} in the last run";
}

# The first axis is one of time where no margin is named.
sub _axes {
    my ($low, $high, $margin, @runs) = @_;
    my ($first, $last) = @{runs}[0, -1];
    my $is_time = defined $margin ? 0 : 1;
    $margin //= max(3600, MARGIN * ($last->{seconds} - $first->{seconds}));
    my $missed = max(map { $_->{missed_ppm} // 0 } @runs);
    return (
        x       => [$first->{seconds} - $margin, $last->{seconds} + $margin, 'own'],
        y       => [$low, $high, 'log'],
        numbers => { most => $missed, is_time => $is_time },
    );
}

# What began on the same day stands together.
sub _finding {
    my ($series, @worse) = @_;
    my (%of, @days);
    for (@worse) {
        my $day = $series->{runs}[ $_->{run} - 1 ]{started} =~ s/T.*//r;
        push @days, $day unless $of{$day};
        push @{ $of{$day} }, $_->{statistic} . (defined $_->{ratio} ? ' ' . multiple($_->{ratio}, 'higher') : '');
    }
    return join '; ', map { "higher since $_: " . join ', ', @{ $of{$_} } } @days;
}

sub _remark {
    my (@kernels) = @_;
    my %kernel = map { $_->{letter} => printable($_->{kernel}) } @kernels;
    return 'kernel ' . join ', ', map { "$_ $kernel{$_}" } sort keys %kernel;
}

1;
