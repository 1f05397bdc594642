# SPDX-License-Identifier: GPL-2.0-or-later
# What another program's file leaves out, and where it contradicts itself: the text of realfeel-analyze audit.
package Realfeel::Show::Audit;
use Realfeel::Base::Modern;

use List::Util qw(any first max sum0 uniq);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(NS_PER_S NS_PER_US counted decimal);
use Realfeel::Show::Blocks qw(as_text);

# Of N cycles in a range R, counted over all threads, chance makes 1.5 N^2 / R coincide; ten times that is not chance.
use constant CHANCE => 10 * 1.5;

# Takes a run of Input::Import
sub text ($path, $run) {
    my @parts = @{ $run->{parts} };
    my $all = _row($run, undef, @parts);
    my $seconds = max(grep { defined } map { $_->{duration_s} } @parts);
    my $title = join ', ', "$path: $run->{source}", defined $seconds ? 0 + decimal($seconds, 3) . ' s' : (),
        $run->{period_ns} ? 'a period of ' . $run->{period_ns} / NS_PER_US . ' us' : ();
    my $table = Realfeel::Base::Table->new(
        columns => [$run->{part}, qw(samples expected lacking skipped beyond), 'max us'],
        rows    => [map {
            [$_->{number} // 'all', map { $_ // '-' } @$_{qw(total expected lacking skipped beyond max_us)}]
        } (map { _row($run, $_->{number}, $_) } @parts), @parts > 1 ? $all : ()],
    );
    return as_text([head => $title], [table => $table], [text => _on_periods($run, $all), _on_samples($run, $all),
        $all->{beyond} ? counted($all->{beyond}, 'sample') . " of $all->{total} beyond the histogram: of these only "
            . 'the maximum is known.' : (), _together($run),
        (map { "Contradiction: $run->{part} $_->{number}: $_->{contradiction}." } grep { $_->{contradiction} } @parts),
        map { "Note: $_." } @{ $run->{reasons} // [] }]);
}

# For one part, or without a number for all together: total (samples); expected and lacking (samples); skipped (the
# least number of periods that passed during late wake-ups); beyond (samples beyond the histogram); and max_us. undef if
# unknown.
sub _row ($run, $number, @parts) {
    my $max = max(grep { defined } map { $_->{max} } @parts);
    return {
        number  => $number,
        (map {
            my $key = $_;
            $key => (any { !defined $_->{$key} } @parts) ? undef : sum0(map { $_->{$key} } @parts);
        } qw(total expected lacking beyond)),
        skipped => _skipped($run, @parts),
        max_us  => defined $max ? decimal($max * $run->{unit_ns} / NS_PER_US, 3) : undef,
    };
}

# Each sample is taken to lie at the start of its bin, except the worst.
sub _skipped ($run, @parts) {
    return undef if $run->{ours} || !$run->{period_ns} || ($run->{of} // '') eq 'turns';
    my $skipped = 0;
    for my $part (@parts) {
        my ($period_ns, @cells) = ($part->{period_ns}, @{ $part->{cells} });
        $skipped += $_->[2] * int($_->[0] / $period_ns) for @cells;
        $skipped += max(0, int(($part->{max} // 0) * $run->{unit_ns} / $period_ns) - int($cells[-1][0] / $period_ns))
            if $part->{beyond} || $run->{bare};
    }
    return $skipped;
}

sub _on_periods ($run, $all) {
    return if ($run->{of} // '') eq 'turns';
    my $skipped = $all->{skipped};
    return 'It was exported by realfeel, which counts the periods that it missed.' if $run->{ours};
    my @more = map { defined ? ('', '') : (' and duration', ' and --duration') } $run->{parts}[0]{duration_s};
    return 'How many periods were skipped and how many samples are lacking is not known without the '
        . "period$more[0]; give --period$more[1]." unless defined $skipped;
    return 'No wake-up was a whole period late, so no period is known to have been skipped.' unless $skipped;
    return 'At least ' . counted($skipped, 'period') . ' passed while a wake-up was late. A program that skips them, '
        . 'as cyclictest does, has them in no percentile.';
}

sub _on_samples ($run, $all) {
    my ($skipped, $lacking) = @$all{qw(skipped lacking)};
    return if !defined $skipped || $run->{source} eq 'stress-ng';     # a note says what it kept
    return 'How many samples are lacking is not known without the duration; give --duration.' unless defined $lacking;
    return 'No sample is lacking.' unless $lacking;
    return counted($lacking, 'sample') . ' fewer than expected. The file does not say why: the run may have been '
        . 'shorter than planned, threads may have started late or ended early, and samples may have been skipped, or '
        . 'lie beyond the histogram.';
}

# What the cycles of the samples beyond the histogram show: when the first came, and those that threads share (counted
# from 0 or 1) more often than by chance
sub _together ($run) {
    my ($cycles, %threads) = $run->{cycles} // return;
    for my $thread (sort { $a <=> $b } keys %$cycles) {
        for my $cycle (@{ $cycles->{$thread} }) {
            push @{ $threads{ (first { $threads{$_} } $cycle, $cycle - 1, $cycle + 1) // $cycle } }, $thread;
        }
    }
    my $at = sub ($cycle) {
        my $seconds = ($run->{period_ns} // 0) * $cycle / NS_PER_S;
        return "cycle $cycle" . ($seconds ? sprintf ', after %.3f s', $seconds : '');
    };
    my @all = sort { $a <=> $b } map { @$_ } values %$cycles;
    my $in_step = 1 >= uniq map { $_->{period_ns} // 0 } @{ $run->{parts} };
    my ($one, @others) = my @shared = sort { $a <=> $b } grep { $in_step && 1 < uniq @{ $threads{$_} } } keys %threads;
    return "The first sample beyond the histogram came in @{[$at->($all[0])]}.",
        CHANCE * @all**2 >= @shared * $all[-1] ? () : 'Threads ' . join(', ', uniq @{ $threads{$one} })
        . ' were late together, in ' . $at->($one) . (@others ? ', and again in ' . counted($#shared, 'cycle') : '')
        . ': something stopped the machine, such as firmware (SMI) or a hypervisor.';
}

1;
