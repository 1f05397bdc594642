# SPDX-License-Identifier: GPL-2.0-or-later
# The latencies of many runs over the time of their start.
package Realfeel::Draw::Trend;
use Realfeel::Base::Modern;

use List::Util qw(first max min);
use POSIX qw(ceil);
use Realfeel::Answer::Trend qw(name worse);
use Realfeel::Base::Units qw(cut decimal multiple printable width);
use Realfeel::Draw::Axis qw(drawing log_range);
use Realfeel::Draw::Gnuplot qw(draw format_of look_of);
use Realfeel::Draw::Words qw(notes words);

use constant {
    LEAST_US => 0.01,           # a logarithmic axis has no 0
    MARGIN   => 0.02,           # of the axis of time, at either end
    BUNCHED  => 10,             # half of the runs so many times as near to the one before as all are in the mean
    LETTERS  => { p50 => 5, p90 => 0, p99 => 9, 'p99.9' => '*', max => 'M' },       # in a terminal
};

# Draws a series of Answer::Trend to $output, or returns text if that is undef. Runs started in bunches, which would
# overlap, stand by number. Invalid runs are left out. Dies with one line, also if there are @others.
sub plot ($templates, $output, $series, @others) {
    my $all = 1 + @others;
    die "--plot draws one series, and there are $all; name the runs of one\n" if @others;
    my $format = format_of($output);
    my $look = look_of($format);
    my @runs = grep { ($_->{verdict} // '') ne 'invalid' && defined $_->{max_us} } @{ $series->{runs} };
    die "no run of this series is valid; there is nothing to draw\n" unless @runs;
    my @lines = grep { $_->[0] ne 'missed' } @{ $series->{statistics} };
    die "no run has a value of what --series names; name p50 or max, too\n" unless _values(\@lines, @runs);
    if (@lines == @{ $series->{statistics} }) { $_->{missed_ppm} = undef for @runs }
    my $is_bunched = _is_bunched(map { $_->{seconds} } @runs);
    my %number = map { $series->{runs}[$_] => $_ + 1 } 0 .. $#{ $series->{runs} };
    $_->{x} = $is_bunched ? $number{$_} : $_->{seconds} for @{ $series->{runs} };
    my @kernels = _kernels(@runs);
    my ($low, $high) = log_range(_extremes(\@lines, @runs));
    my ($note, $remark) = notes($look, _finding($look, $series, worse($series)), _remark(@kernels));
    return draw($templates, 'trend', $format, $output, drawing($look, {
        _axes($low, $high, $is_bunched, @runs),
        data  => _data(\@lines, $series, \@runs, \@kernels),
        keys  => [map { _key($look, @$_, @runs) } @lines],
        texts => {
            title_text => cut(words('trend.title', name => name($series), runs => scalar @runs), $look->{width}),
            x_text => words($is_bunched ? 'axis.run' : 'axis.started'),
            y_text => words('axis.unit', label => $runs[0]{measure}, unit => $look->{symbol}{us}),
            note => $note, remark => $remark, _legend($format eq 'dumb', @runs),
            letters => join(' ', map { LETTERS->{ $_->[0] } // '+' } @lines),
        },
    }));
}

sub _is_bunched (@seconds) {
    my @gaps = sort { $a <=> $b } map { $seconds[$_] - $seconds[$_ - 1] } 1 .. $#seconds or return 0;
    return BUNCHED * $gaps[@gaps / 2] < ($seconds[-1] - $seconds[0]) / @gaps;
}

sub _extremes {
    my @values = map { max(LEAST_US, $_) } _values(@_);
    return (min(@values) / 1.05, 1.05 * max(@values));
}

sub _values ($lines, @runs) {
    return grep { defined } map { @$_{ map { $_->[1] } @$lines } } @runs;
}

# The first run of each kernel in a row, with a letter
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

sub _data ($lines, $series, $runs, $kernels) {
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

sub _key ($look, $name, $key, @runs) {
    my $last = $runs[-1]{$key};
    return words('key.last_unknown', statistic => $name) unless defined $last;
    my $time = decimal($last, $last < 100 ? 1 : 0);
    return words('key.last', statistic => $name, time => $time, unit => $look->{symbol}{us});
}

# The marks that are not about one line
sub _legend ($is_terminal, @runs) {
    my $most = ceil(_most_missed(@runs));
    return (of_change => words('key.change'),
        of_missed => words($is_terminal ? 'key.missed_runs' : 'key.missed', most => $most));
}

sub _most_missed { return max(map { $_->{missed_ppm} // 0 } @_) }

sub _axes ($low, $high, $is_bunched, @runs) {
    my ($first, $last) = map { $_->{x} } @runs[0, -1];
    my $margin = $is_bunched ? 0.5 : max(3600, MARGIN * ($last - $first));
    return (
        x       => [$first - $margin, $last + $margin],
        y       => [$low, $high, 'log'],
        numbers => { most => _most_missed(@runs), is_time => $is_bunched ? 0 : 1 },
    );
}

# Changes that began on the same day stand together; without room, only the first day, and not by how much
sub _finding ($look, $series, @worse) {
    return '' unless @worse;
    my (%of, %by, @days);
    for (@worse) {
        my $day = $series->{runs}[ $_->{run} - 1 ]{started} =~ s/T.*//r;
        push @days, $day unless $of{$day};
        push @{ $of{$day} }, $_->{statistic};
        push @{ $by{$day} }, !defined $_->{ratio} ? $_->{statistic}
            : words('trend.worse_by', statistic => $_->{statistic}, by => multiple($_->{ratio}, 'higher'));
    }
    my ($first, @later) = my @named = map { "$_: " . join ', ', @{ $of{$_} } } @days;
    my @told = map { words('trend.higher', found => $_) } join('; ', map { "$_: " . join ', ', @{ $by{$_} } } @days),
        join('; ', @named), $first . (@later ? words('trend.later') : '');
    return (first { width($_) <= $look->{width} } @told) // $told[-1];
}

sub _remark (@kernels) {
    my %kernel = map { $_->{letter} => printable($_->{kernel}) } @kernels;
    return words('trend.kernels', kernels => join ', ', map { "$_ $kernel{$_}" } sort keys %kernel);
}

1;
