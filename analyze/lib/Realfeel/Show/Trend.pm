# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Trend;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(digest text texts);

use List::Util qw(max);
use Realfeel::Answer::Facts qw(short);
use Realfeel::Answer::Trend;
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted duration printable wrapped);
use Realfeel::Stat::Change qw(LEAST);

use constant {
    # Of 100 series of 100 runs without a change, each with so much of the run before it or more, in how many one is
    # found in any of five values (tests/statistics/trend).
    FALSE       => [[0, 20], [0.25, 50], [0.35, 75], [0.45, 95]],
    INDEPENDENT => 'of 100 series of 100 runs without a change 5 at most show one, if no run depends on the one'
        . ' before it',
};
use constant LATENCIES => qw(p50_us p99_us p999_us max_us);

=head1 NAME

Realfeel::Show::Trend - the text that C<realfeel-analyze trend> prints

=head1 FUNCTIONS

=head2 text($series)

A table of the runs of a series of L<Realfeel::Answer::Trend>, where C<^> marks the first run of a higher level and C<v>
that of a lower one, and what has changed.

=cut

sub text {
    my ($series) = @_;
    my @runs = @{ $series->{runs} };
    my %mark = map { ("$_->{run} $_->{key}" => $_->{worse} ? '^' : 'v') } @{ $series->{changes} };
    my $kernel = '';
    my @rows = map {
        my ($number, $run, $before) = ($_ + 1, $runs[$_], $kernel);
        $kernel = $run->{kernel_release} // 'unknown';
        my $verdict = $run->{verdict} // 'no verdict';
        [$number, _time($run), (map { _cell($run->{$_}, $mark{"$number $_"}) } LATENCIES),
            ($run->{missed} // '-') . ($mark{"$number missed_ppm"} // ' '),
            join ' ', $kernel eq $before ? () : printable($kernel),
                $verdict eq 'valid' ? () : $verdict eq 'invalid' ? 'INVALID' : $verdict];
    } 0 .. $#runs;
    my $table = Realfeel::Base::Table->new(
        caption => Realfeel::Answer::Trend::name($series) . ': ' . counted(scalar @runs, 'run'),
        columns => [{ head => '', align => 'right' }, { head => 'started', align => 'left' },
            (map { "$_ us " } qw(p50 p99 p99.9 max)), 'missed ', { head => 'kernel', align => 'left' }],
        rows    => \@rows,
    );
    return join '', map { "$_\n" } $table->text, '', map { wrapped('  ', $_) } _changes($series), _cautions($series);
}

sub _time { return $_[0]{started} =~ s/^(.*)T(\d\d:\d\d).*/$1 $2/r }
sub _cell { return defined $_[0] ? short($_[0]) . ($_[1] // ' ') : '- ' }

sub _changes {
    my ($series) = @_;
    my ($runs, $changes) = @$series{qw(runs changes)};
    return _too_few($series) // 'no level has changed' . _least($series) unless @$changes;
    return map {
        my $run = $runs->[ $_->{run} - 1 ];
        "$_->{statistic} is " . _by($_) . " since run $_->{run}, " . _time($run) . ', ' . printable($run->{file})
            . ': ' . _values($_, $run) . "; found with run $_->{found}";
    } @$changes;
}

sub _least {
    my ($series) = @_;
    return $series->{least_percent} ? " by more than $series->{least_percent} %" : '';
}

# Those that are not invalid, for no other is looked at.
sub _too_few {
    my ($series) = @_;
    my $runs = _believed(@{ $series->{runs} });
    return undef if $runs >= LEAST;
    return 'to find a change takes ' . LEAST . " runs or more that are not invalid; these are $runs";
}

sub _believed {
    return grep { ($_->{verdict} // '') ne 'invalid' } @_;
}

sub _by {
    my ($change) = @_;
    my ($higher, $ratio) = @$change{qw(worse ratio)};
    return ($higher ? 'higher' : 'lower') . (defined $ratio ? sprintf ', %.3g times', $ratio : '') . ',';
}

sub _values {
    my ($change, $run) = @_;
    my ($before, $after) = @$change{qw(before after)};
    return short($after) . ' us, before ' . short($before) . ' us' unless $change->{key} eq 'missed_ppm';
    return sprintf '%.3g of a million %ss, before %.3g', $after, $run->{counted}, $before;
}

sub _cautions {
    my ($series) = @_;
    my ($changes, $drifting, $smaller) = @$series{qw(changes drifting smaller)};
    return (
        @$smaller ? 'smaller steps, which --least=0 tells: ' . join ', ', @$smaller : (),
        @$drifting ? _drift(@$drifting) : @$changes ? INDEPENDENT : (),
    );
}

# Of as many series as are simulated.
sub _drift {
    my @drifting = @_;
    my @shares = map { sprintf '%s %.1f', @$_{qw(statistic likeness)} } @drifting;
    my $most = max(map { $_->{likeness} } @drifting);
    my ($false) = map { $_->[1] } grep { $_->[0] <= $most } reverse @{ FALSE() };
    return 'each run has much of the one before it (' . join(', ', @shares) . ' of 1), as on a machine that drifts: of '
        . "100 such series of 100 runs without a change about $false show one";
}

=head2 texts($is_digest, @series)

What is printed of all: the digests, or the tables.

=cut

sub texts {
    my ($is_digest, @series) = @_;
    return join "\n", map { $is_digest ? digest($_) : text($_) } @series;
}

=head2 digest($series)

Five lines on the last run: what it was, its figures, the usual ones, what has changed, and where its report is.

=cut

sub digest {
    my ($series) = @_;
    my @runs = @{ $series->{runs} };
    my $run = pop @runs;
    my @believed = _believed(@runs);
    my $kernel = $run->{kernel_release} // 'unknown';
    my $new = @runs && $kernel ne ($runs[-1]{kernel_release} // 'unknown') ? ' (new)' : '';
    my @worse = Realfeel::Answer::Trend::worse($series);
    return join '', map { "$_\n" } (
        join(', ', Realfeel::Answer::Trend::name($series) . ': ' . ($run->{verdict} // 'no verdict'), _time($run),
            (map { duration($_) } grep { defined } $run->{duration_s}), printable($kernel) . $new),
        'last run: ' . _figures($run),
        'usual:    ' . (@believed ? _figures(_usual(@believed)) : 'not known, there is no run before it'),
        @worse ? 'worse:    ' . join ', ', map { _short_change($_, $series) } @worse
            : _too_few($series) // 'no level is higher than before, of ' . counted(@runs + 1, 'run'),
        'report:   ' . printable($run->{file}),
    );
}

sub _figures {
    my ($run) = @_;
    my @times = map { defined $run->{$_} ? short($run->{$_}) . ' us' : '-' } LATENCIES;
    return sprintf 'p50 %s, p99 %s, p99.9 %s, max %s, missed %s', @times, $run->{missed} // '-';
}

# The middle ones of the runs before.
sub _usual {
    my @runs = @_;
    return { map { my $key = $_; $key => scalar _middle(map { $_->{$key} // () } @runs) } LATENCIES, 'missed' };
}

sub _middle {
    my @sorted = sort { $a <=> $b } @_;
    return @sorted ? $sorted[@sorted / 2] : undef;
}

sub _short_change {
    my ($change, $series) = @_;
    my ($ratio, $run) = ($change->{ratio}, $series->{runs}[ $change->{run} - 1 ]);
    return "$change->{statistic} " . (defined $ratio ? sprintf '%.3g times ', $ratio : '') . 'since ' . _time($run);
}

1;
