# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Verdict;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(headline verdicts);

use Realfeel::Compare::Conclusion qw(conclusion);
use Realfeel::Compare::Words qw(capital);
use Realfeel::Listing qw(facts objections);
use Realfeel::Page::Html qw(element list prose text);
use Realfeel::Page::Run qw(measure_of);
use Realfeel::Units qw(us);

=head1 NAME

Realfeel::Page::Verdict - what a reader sees first

=head1 FUNCTIONS

=head2 verdicts(@runs)

The verdict of each run, with its reasons.

=cut

sub verdicts {
    my @runs = @_;
    return element('ol', { class => 'verdicts' }, "\n", map { element('li', {}, _verdict($_)) . "\n" } @runs) . "\n";
}

sub _verdict {
    my ($run) = @_;
    my $report = $run->{report};
    my $verdict = $report->verdict // 'none';
    my $class = $verdict =~ /^(?:valid|suspect|invalid)$/ ? $verdict : 'none';
    my ($kernel) = map { $_->[1] } grep { $_->[0] eq 'kernel' } facts($report);
    return (
        element('strong', { class => "verdict $class" }, text($verdict eq 'none' ? 'no verdict' : $verdict)), ' ',
        element('b', {}, text($run->{name})), defined $kernel ? text(", kernel $kernel") : (),
        $verdict eq 'none' ? text(', for the file does not hold one') : (),
        list(objections($report)),
    );
}

=head2 headline(\@runs, \@comparisons)

The sentence that one would say: of one run how late it was, of two the conclusion, of more where the maxima lie.

=cut

sub headline {
    my ($runs, $comparisons) = @_;
    my $sentence = @$runs == 1 ? _of_one($runs->[0])
        : @$runs == 2 && @$comparisons ? capital(conclusion($comparisons->[0])) : _of_several(@$runs);
    return element('p', { class => 'headline' }, prose($sentence)) . "\n";
}

sub _of_one {
    my ($run) = @_;
    my $report = $run->{report};
    my $measure = defined $report->contradiction ? $run->{measures}{interval} : undef;
    $measure //= $run->{measures}{lateness} // $run->{measures}{interval};
    return 'The run holds no samples.' unless $measure && $measure->{summary}{count};
    return join('; ', defined $report->contradiction ? 'The lateness is not to be relied on' : (),
        _latest($report, $measure), _most($measure), _missed($report)) =~ s/; Of/; of/r . '.';
}

sub _latest {
    my ($report, $measure) = @_;
    my ($count, $max) = ($measure->{summary}{count}, us($measure->{summary}{max_us}));
    my $is = $measure->{distribution}->max_is_exact ? '' : 'less than ';
    return "Of $count intervals between wake-ups, the longest was $is$max longer than a period"
        if $measure->{key} eq 'interval';
    my $values = $report->header('lateness_of') // 'periods';
    return "Of $count $values, the latest was served $is$max late";
}

sub _missed {
    my ($report) = @_;
    my $missed = $report->header('missed') // 'unknown';
    return $missed eq '1' ? '1 period was missed' : $missed =~ /^[1-9]/ ? "$missed periods were missed" : ();
}

# The highest percentile that the run supports.
sub _most {
    my ($measure) = @_;
    my ($highest) = grep { defined $_->{value_us} } reverse @{ $measure->{summary}{percentiles} } or return;
    return "$highest->{percentile} % were not above " . us($highest->{value_us});
}

sub _of_several {
    my @runs = @_;
    my $key = measure_of(@runs) // return 'The runs have no measure in common.';
    my @known = grep { $_->{measures}{$key}{summary}{count} } @runs or return 'The runs hold no samples.';
    return "Only $known[0]{name} holds samples." if @known == 1;
    my ($least, $most) = (sort { _max($a, $key) <=> _max($b, $key) } @known)[0, -1];
    return sprintf 'Of %d runs, the maximum of the %s is least in %s, %s, and greatest in %s, %s.', scalar @runs,
        $key eq 'interval' ? 'interval error' : 'lateness',
        map { ($_->{name}, us(_max($_, $key))) } $least, $most;
}

sub _max {
    my ($run, $key) = @_;
    return $run->{measures}{$key}{summary}{max_us};
}

1;
