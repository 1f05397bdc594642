# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Verdict;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(badge headline objections_to verdict);

use List::Util qw(all sum0);
use Realfeel::Compare::Conclusion qw(capital difference);
use Realfeel::Facts qw(known objections);
use Realfeel::Page::Html qw(element list prose text);
use Realfeel::Page::Run qw(measure_of);
use Realfeel::Units qw(counted decimal);

use constant VERDICTS => qw(invalid suspect none valid);

=head1 NAME

Realfeel::Page::Verdict - the answer, and whether to rely on it

=head1 FUNCTIONS

=head2 badge($verdict)

A verdict as a label.

=head2 verdict($run)

C<valid>, C<suspect>, C<invalid>, or C<none> where the file does not hold one.

=head2 objections_to(@runs)

The reasons of the verdicts, where there are any.

=cut

sub badge {
    my ($verdict, $text) = @_;
    $text //= $verdict eq 'none' ? 'no verdict' : $verdict;
    return element('strong', { class => "verdict $verdict" }, text($text));
}

sub verdict {
    my ($run) = @_;
    my $verdict = $run->{report}->verdict // 'none';
    return $verdict =~ /^(?:valid|suspect|invalid)$/ ? $verdict : 'none';
}

sub objections_to {
    my @runs = @_;
    return list(@runs == 1 ? objections($runs[0]{report})
        : map { my $run = $_; map { "$run->{name}: $_" } objections($run->{report}) } @runs);
}

=head2 headline(\@runs, \@comparisons)

The verdict, or how many runs have which, and the sentence that one would say: of one run the highest percentile that it
supports, of two the conclusion of their comparison, of more which are best and worst. It says which periods were
missed, and does not speak of maxima, each of which is a single value.

=cut

sub headline {
    my ($runs, $comparisons) = @_;
    my @sentences = @$runs == 1 ? _of_one($runs->[0])
        : @$runs == 2 && @$comparisons ? _of_two($comparisons->[0], @$runs) : _of_several(@$runs);
    return element('p', { class => 'headline' }, _badges(@$runs), ' ', prose(join ' ', @sentences)) . "\n";
}

sub _badges {
    my @runs = @_;
    return badge(verdict(@runs)) if @runs == 1;
    my %runs;
    $runs{ verdict($_) }++ for @runs;
    my @known = grep { $runs{$_} } VERDICTS;
    return join ' ', map { badge($_, $_ eq 'none' ? "$runs{$_} without verdict" : "$runs{$_} $_") } @known;
}

sub _of_one {
    my ($run) = @_;
    my $report = $run->{report};
    my $contradicted = defined $report->contradiction;
    my $measure = $contradicted ? $run->{measures}{interval} : undef;
    $measure //= $run->{measures}{lateness} // $run->{measures}{interval};
    return 'The run holds no samples.' unless $measure && $measure->{summary}{count};
    return (
        $contradicted ? 'The lateness is unreliable, because the schedule is contradicted.' : (),
        _most($report, $measure), _missed($report), _limit($report),
    );
}

# The highest percentile that the run supports.
sub _most {
    my ($report, $measure) = @_;
    my ($count, $percentiles) = @{ $measure->{summary} }{qw(count percentiles)};
    my $is_interval = $measure->{key} eq 'interval';
    my $values = $is_interval ? 'intervals between wake-ups' : $report->header('lateness_of') // 'periods';
    my ($highest) = grep { defined $_->{value_us} } reverse @$percentiles;
    return "$count $values are too few for a percentile." unless $highest;
    my ($value, $low, $high) = map { defined $_ ? _short($_) : undef } @$highest{qw(value_us low_us high_us)};
    my $interval = defined $low ? (defined $high ? "$low to $high us" : "$low us or more")
        : defined $high ? "up to $high us" : 'open';
    return "$highest->{percentile} % of $count $values were at most $value us "
        . ($is_interval ? 'longer than a period' : 'late') . " (95 % confidence interval: $interval).";
}

sub _short { return decimal($_[0], 3) =~ s/\.?0+\z//r }

sub _missed {
    my ($report) = @_;
    my $missed = known($report, 'missed') // return;
    return $missed ? counted($missed, 'period') . ($missed == 1 ? ' was missed.' : ' were missed.')
        : 'No period was missed.';
}

sub _limit {
    my ($report) = @_;
    my ($limit, $was) = ($report->us('max_ns'), $report->header('max'));
    return defined $limit && defined $was ? 'The limit of ' . _short($limit) . " us was $was." : ();
}

sub _of_two {
    my ($comparison, @runs) = @_;
    my @missed = map { known($_->{report}, 'missed') } @runs;
    my @of_missed = $comparison->{identical} ? () : _missed_of($comparison->{names}, \@missed);
    return (capital(difference($comparison)) . '.', @of_missed);
}

sub _missed_of {
    my ($names, $missed) = @_;
    return unless all { defined } @$missed;
    return 'Neither missed a period.' unless sum0(@$missed);
    return "Missed periods: $names->[0] $missed->[0], $names->[1] $missed->[1].";
}

sub _of_several {
    my @runs = @_;
    my $key = measure_of(@runs) // return 'The runs have no measure in common.';
    my @known = grep { $_->{measures}{$key}{summary}{count} } @runs or return 'The runs hold no samples.';
    return "Only $known[0]{name} holds samples." if @known == 1;
    my @missed = grep { ($_->{report}->header('missed') // '') =~ /^[1-9]/ } @runs;
    return (_best_and_worst($key, @known),
        @missed ? @missed . ' of ' . @runs . ' runs missed periods.' : ());
}

# At the highest percentile that all of them support.
sub _best_and_worst {
    my ($key, @runs) = @_;
    my $value = sub { $_[0]{measures}{$key}{summary}{percentiles}[ $_[1] ]{value_us} };
    my $percentiles = $runs[0]{measures}{$key}{summary}{percentiles};
    for my $i (reverse 0 .. $#$percentiles) {
        next unless all { defined $value->($_, $i) } @runs;
        my ($best, $worst) = (sort { $value->($a, $i) <=> $value->($b, $i) } @runs)[0, -1];
        return sprintf 'At p%s the %s is lowest in %s, %s us, and highest in %s, %s us.',
            $percentiles->[$i]{percentile}, $key eq 'interval' ? 'interval error' : 'lateness',
            map { ($_->{name}, _short($value->($_, $i))) } $best, $worst;
    }
    return 'No percentile is supported by all runs.';
}

1;
