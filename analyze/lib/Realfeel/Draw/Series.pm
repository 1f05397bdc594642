# SPDX-License-Identifier: GPL-2.0-or-later
# Many runs one after the other: the latencies of a trend over their start times, and the pairs of an experiment.
package Realfeel::Draw::Series;
use Realfeel::Base::Modern;

use List::Util qw(first max min uniq);
use POSIX qw(ceil);
use Realfeel::Base::Units qw(counted cut cut_middle decimal multiple printable significant width);
use Realfeel::Draw::Gnuplot qw(draw draw_stills format_of look_of);
use Realfeel::Draw::Runs qw(log_range notes title);
use Realfeel::Model::Report qw(measure_name);

use constant {
    # For a trend.
    LEAST_US   => 0.01,         # a logarithmic axis has no 0
    ROOM       => 1.05,         # beyond the extremes
    HOUR       => 3600,
    MINUTE     => 60,
    ENDS       => 0.02,         # of the axis of time, before the first and after the last
    BUNCHED    => 10,           # factor by which half of the gaps between runs are shorter than the mean gap
    LETTERS    => { p50 => 5, p90 => 0, p99 => 9, 'p99.9' => '*', max => 'M' },       # in a terminal

    # For pairs.
    BELOW      => 5,            # factor by which a ratio of 0 is drawn below the least one
    MARGIN     => 1.06,         # beyond the greatest value, and the least
    LEAST      => 1.25,         # the least that the effects are drawn from 1
    DIGITS     => 3,
    NAMES_ROOM => 24,           # below the pairs, for all names
};

# Draws a series of Answer::Trend to $output, or returns text if that is undef. Runs started in bunches, or within a
# minute of each other, would overlap, so they are placed by number. Invalid runs are left out. Dies with one line, also
# if there are @others.
sub trend ($templates, $output, $series, @others) {
    my $all = 1 + @others;
    die "--plot draws one series, and there are $all; give the runs of one\n" if @others;
    my $format = format_of($output);
    my $look = look_of($format);
    my @runs = grep { ($_->{verdict} // '') ne 'invalid' && defined $_->{max_us} } @{ $series->{runs} };
    die "no run of this series is valid; there is nothing to draw\n" unless @runs;
    my @lines = grep { $_->[0] ne 'missed' } @{ $series->{statistics} };
    my @values = map { max(LEAST_US, $_) } grep { defined } map { @$_{ map { $_->[1] } @lines } } @runs;
    die "no run has a value for any statistic in --series; add p50 or max\n" unless @values;
    if (@lines == @{ $series->{statistics} }) { $_->{missed_ppm} = undef for @runs }
    my $is_bunched = _is_bunched(map { $_->{seconds} } @runs);
    my %number = map { $series->{runs}[$_] => $_ + 1 } 0 .. $#{ $series->{runs} };
    $_->{x} = $is_bunched ? $number{$_} : $_->{seconds} for @{ $series->{runs} };
    my @kernels = _kernels(@runs);
    my $missed = max(map { $_->{missed_ppm} // 0 } @runs);
    my $name = Realfeel::Answer::Trend::name($series);
    my %kernel = map { $_->{letter} => printable($_->{kernel}) } @kernels;
    my ($note, $remark) = notes($look, _finding($look, $series, Realfeel::Answer::Trend::worse($series)),
        'kernel ' . join ', ', map { "$_ $kernel{$_}" } sort keys %kernel);
    my ($first, $last) = map { $_->{x} } @runs[0, -1];
    my $days = join ' to ', uniq map { $_->{started} =~ s/T.*//r } @runs[0, -1];
    my $margin = $is_bunched ? 0.5 : max(HOUR, ENDS * ($last - $first));
    return draw($templates, 'trend', $format, $output, {
        data    => _trend_data(\@lines, $series, \@runs, \@kernels),
        x       => [$first - $margin, $last + $margin],
        y       => [log_range(min(@values) / ROOM, ROOM * max(@values)), 'log'],
        keys    => [map {
            my ($name, $us) = ($_->[0], $runs[-1]{ $_->[1] });
            "$name: " . (defined $us ? decimal($us, $us < 100 ? 1 : 0) . " $look->{symbol}{us}" : 'unknown')
                . ' in the last run';
        } @lines],
        numbers => { most => $missed, is_time => $is_bunched ? 0 : 1 },
        texts   => {
            title_text => join("\n", ucfirst "$runs[0]{measure} by run, $days",
                cut("$name, " . counted(scalar @runs, 'run'), $look->{width})),
            x_text => $is_bunched ? 'run' : 'started (UTC)', y_text => "$runs[0]{measure} ($look->{symbol}{us})",
            note => $note, remark => $remark, letters => join(' ', map { LETTERS->{ $_->[0] } // '+' } @lines),
            of_change => 'from here on higher; upside down: lower',
            of_missed => ($format eq 'dumb' ? 'runs that missed some' : 'missed') . ', up to ' . ceil($missed)
                . ' of a million',
        },
    });
}

sub _is_bunched (@seconds) {
    my @gaps = sort { $a <=> $b } map { $seconds[$_] - $seconds[$_ - 1] } 1 .. $#seconds or return 0;
    return $gaps[@gaps / 2] <= MINUTE || BUNCHED * $gaps[@gaps / 2] < ($seconds[-1] - $seconds[0]) / @gaps;
}

# The first of consecutive runs of each kernel, with a letter
sub _kernels {
    my ($last, $letter, %letter, @kernels) = ("\0", 'A');
    for (@_) {
        my $kernel = $_->{kernel_release} // 'unknown';
        push @kernels, { x => $_->{x}, kernel => $kernel, letter => $letter{$kernel} //= $letter++ }
            if $kernel ne $last;
        $last = $kernel;
    }
    return @kernels;
}

sub _trend_data ($lines, $series, $runs, $kernels) {
    my $y = sub { defined $_[0] ? max(LEAST_US, $_[0]) : undef };
    my %line = map { $lines->[$_][1] => 1 + $_ } 0 .. $#$lines;
    return [
        (map { my $key = $_->[1]; [map { [$_->{x}, $y->($_->{$key})] } @$runs] } @$lines),
        [map { [$_->{x}, $_->{missed_ppm} // 0] } @$runs],
        [map { [$_->{x}, \$_->{letter}] } @$kernels],
        [map {
            [$series->{runs}[ $_->{run} - 1 ]{x}, $y->($_->{after}), $line{ $_->{key} }, $_->{worse} ? 1 : -1]
        } grep { $line{ $_->{key} } } @{ $series->{changes} }],
    ];
}

# Changes that began on the same day are grouped; if space is short, only the first day and no amount
sub _finding ($look, $series, @worse) {
    return '' unless @worse;
    my (%of, @days);
    for (@worse) {
        push @days, my $day = $series->{runs}[ $_->{run} - 1 ]{started} =~ s/T.*//r;
        my $ratio = defined $_->{ratio} ? ' ' . multiple($_->{ratio}, 'higher') : '';
        push @{ $of{$day}[0] }, $_->{statistic} . $ratio;
        push @{ $of{$day}[1] }, $_->{statistic};
    }
    my ($by, $named) = map { my $i = $_; [map { "$_: " . join ', ', @{ $of{$_}[$i] } } uniq @days] } 0, 1;
    my @findings = map { "higher since $_" } join('; ', @$by), join('; ', @$named),
        $named->[0] . (@$named > 1 ? '; and later' : '');
    return (first { width($_) <= $look->{width} } @findings) // $findings[-1];
}

# Draws an answered experiment to $output, or returns text if that is undef; a terminal only has room for the effects.
# Dies with one line if there is no pair.
sub pairs ($templates, $output, $experiment) {
    my $format = format_of($output);
    return draw($templates, 'pairs', $format, $output, _pairs(look_of($format), $experiment));
}

# Two SVGs for a page: the usual one, and one as wide as the page
sub pairs_svgs ($templates, $experiment) {
    return draw_stills($templates, map { ['pairs', _pairs(look_of($_), $experiment), $_] } qw(page wide));
}

# Each pair, and the effect as pairs came in
sub _pairs ($look, $experiment) {
    my $trial = $experiment->{trial};
    my @variants = grep { $_->{effect}{pairs} } @{ $trial->{variants} };
    die "there is no pair to draw; measure longer, or choose another --at\n" unless @variants;
    my @effects = map { $_->{effect} } @variants;
    my @pairs = map { @{ $_->{so_far} } } @effects;
    my @values = _axis(map { @$_{qw(base variant)} } @pairs);
    my @ratios = _axis(1 / LEAST, LEAST, map { @$_{qw(pair_ratio ratio)}, _interval($_) } @pairs);
    my @reports = grep { defined } map { @$_ } @{ $experiment->{rounds} };
    my ($note, $remark) = notes($look, '', $look->{is_terminal} ? '-: the ends of the 95 % confidence interval'
        : 'circles: pairs; line: all so far, dots: known; shade: 95 % sure');
    my $of = "$effects[0]{statistic} of the " . measure_name($trial->{measure}) . " ($look->{symbol}{us})";
    return {
        data    => [map {
            my @so_far = @{ $_->{so_far} };
            my @lines = map { [$_->{round}, map { _within($_, @values) } @$_{qw(base variant)}] } @so_far;
            (\@lines, _course(\@so_far, @ratios));
        } @effects],
        x       => [0.5, max(map { $_->{pairs} } @effects) + 0.5],
        y       => \@values,
        keys    => [map { cut(_effect($_), $look->{room}) } @variants],
        texts   => {
            title_text => title($look->{width}, 'Pairs of runs', @reports), note => $note, remark => $remark,
            x_text => 'pair',
            y_text => $trial->{at} eq 'missed' ? 'missed periods in a million' : $of,
            effect_text => 'times the base', base_name => 'base',
            name => [map { cut_middle(printable($_->{name}), NAMES_ROOM / @variants) } @variants],
        },
        numbers => {
            ratio_low => $ratios[0], ratio_high => $ratios[1],
            base_middle => [map { _within($_->{base}, @values) } @effects],
            middle => [map { _within($_->{ratio} ? $_->{base} * $_->{ratio} : $_->{variant}, @values) } @effects],
        },
    };
}

sub _effect ($variant) {
    my ($effect, $name) = ($variant->{effect}, printable($variant->{name}));
    my ($low, $high) = map { defined $_ ? significant($_, DIGITS) : 'any' } my @interval = _interval($effect);
    my $ratio = !defined $effect->{ratio} ? 'no ratio to a base of 0'
        : significant($effect->{ratio}, DIGITS) . ' times the base' . (@interval ? " ($low to $high)" : ' so far');
    return "$name: $ratio; " . counted($effect->{pairs}, 'pair');
}

# Empty if neither end is known
sub _interval ($pair) {
    return $pair->{low} || defined $pair->{high} ? @$pair{qw(low high)} : ();
}

# The ends of a logarithmic axis; 0 and infinity go to these
sub _axis (@values) {
    my @finite = grep { defined && $_ > 0 && $_ < 9**9**9 } @values;
    my ($low, $high) = (min(@finite, 1e6) / MARGIN, max(@finite, 1e-6) * MARGIN);
    $low /= BELOW if grep { defined && !$_ } @values;
    return ($low, $high);
}

sub _within ($value, $low, $high) { return max($low, min($high, $value // $high)) }

sub _course ($so_far, @axis) {
    return [map {
        my $pair = $so_far->[$_];
        my ($low, $high) = map { _within($_, @axis) } _interval($pair);
        my @ratios = map { defined || $pair->{variant} ? _within($_, @axis) : undef } @$pair{qw(pair_ratio ratio)};
        [1 + $_, @ratios, $low, $high, defined $pair->{differs} ? 1 : 0];
    } 0 .. $#$so_far];
}

1;
