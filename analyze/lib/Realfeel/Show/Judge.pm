# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Judge;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(first_sentence sentence text);

use List::Util qw(first max uniqstr);
use POSIX qw(ceil floor);
use Realfeel::Answer::Judgement;
use Realfeel::Base::Units qw(duration floored grouped significant wrapped);
use Realfeel::Model::Cpus qw(cpu_name);
use Realfeel::Show::Words qw(words);

use constant {
    COLOUR   => { yes => "\e[1;32m", no => "\e[1;31m", not_yet => "\e[1;33m" },
    PLAIN    => "\e[0m",
    UNITS    => [['s', 1e6], ['ms', 1e3], ['us', 1], ['ns', 1e-3]],
    DIGITS   => 12,
    SHORT    => 4,
    LEAST_US => 0.001,
    ROUNDING => 1e-6,       # of divisions
    LEAST_S  => 2,           # a time of one would need another noun
};

=head1 NAME

Realfeel::Show::Judge - whether a limit is kept, in words

=head1 FUNCTIONS

Judgements are those of L<Realfeel::Answer::Judgement>.

=head2 text(@judged)

A line for each, the worst first; where all answers are the same, that of the worst alone. The answer is in colour on a
terminal that has it.

=cut

sub text {
    my @judged = @_;
    my @told = (uniqstr map { $_->{answer} } @judged) > 1 ? @judged : $judged[0];
    my $is_of_files = (uniqstr map { $_->{report}->run_name } @judged) > 1;
    my @besides = @told < @judged ? words('judge.worst_of', of => scalar @judged) : ();
    return join '', map { _line($_, join ', ', @judged > 1 ? _place($_, $is_of_files) : (), @besides) . "\n" } @told;
}

sub _place {
    my ($judgement, $is_of_files) = @_;
    my $report = $judgement->{report};
    return ($is_of_files ? $report->run_name : (), $report->part ? cpu_name($report) : ());
}

sub _line {
    my ($judgement, $place) = @_;
    my ($answer, $lines) = ($judgement->{answer}, wrapped('', sentence($judgement, $place)));
    my $is_plain = !-t STDOUT || ($ENV{NO_COLOR} // '') ne '' || ($ENV{TERM} // 'dumb') eq 'dumb';
    my $word = words("judge.$answer");
    return $is_plain ? $lines : COLOUR->{$answer} . $word . PLAIN . substr $lines, length $word;
}

=head2 sentence($judgement, $place)

What is answered, of which file and CPU, if there is a place, and why.

=head2 first_sentence($judgement)

What is answered of one of C<judged>, and how many latencies were above the limit.

=cut

sub sentence {
    my ($judgement, $place) = @_;
    return _told($judgement, $place // '', _reasons($judgement));
}

sub first_sentence {
    my ($judgement) = @_;
    my $limit = _limit(@$judgement{qw(limit_us percentile)});
    return _told($judgement, join(', ', _place($judgement)), _counted($judgement, $limit));
}

sub _told {
    my ($judgement, $place, $why) = @_;
    return words($place eq '' ? 'judge.told' : 'judge.told_of', answer => words("judge.$judgement->{answer}"),
        place => $place, why => $why);
}

sub _reasons {
    my ($judgement) = @_;
    my $code = $judgement->{code};
    return words('judge.why_empty') if $code eq 'empty';
    my $reason = defined $judgement->{reason} ? words('judge.reason', reason => $judgement->{reason}) : '';
    my %said = (
        counted => _counted($judgement, _time($judgement->{limit_us})), reason => $reason,
        sure => _sure($judgement), more => _more($judgement),
        allowed => _one_in($judgement->{allowed}), keeps => _kept($judgement),
        map { $_ => _time($judgement->{"${_}_us"}) } qw(from to),
    );
    my $shared = $judgement->{allowed} && $code =~ /^(?:kept|exceeded)$/ ? '_share' : '';
    return words("judge.why_$code$shared", %said);
}

sub _counted {
    my ($judgement, $limit) = @_;
    my ($above, $most, $count) = map { grouped($_) } @$judgement{qw(above above_most count)};
    return words("judge.above_$judgement->{measure}", limit => $limit,
        above => $above eq $most ? $above : words('compare.from_to', least => $above, most => $most),
        values => $judgement->{count} == 1 ? $judgement->{value} : "$count $judgement->{value}s");
}

# The largest unit of which it is one or more.
sub _time {
    my ($us) = @_;
    return words('unknown') unless defined $us;
    my ($unit, $divisor) = @{ (first { $us >= $_->[1] } @{ UNITS() }) // UNITS->[-1] };
    return significant($us / $divisor, DIGITS) . " $unit";
}

sub _one_in {
    my ($share) = @_;
    return $share ? words('judge.one_in', of => grouped(1 / $share)) : words('judge.one_in_none');
}

sub _sure {
    my ($judgement) = @_;
    my $one_in = $judgement->{sure_one_in};
    return defined $one_in ? words('judge.sure', of => floored($one_in)) : words('judge.unsure');
}

sub _kept {
    my ($judgement) = @_;
    my $keeps = $judgement->{keeps_us} // return words('judge.keeps_none');
    return words('judge.keeps', keeps => _limit(_ceiling($keeps), $judgement->{percentile}));
}

# Of four digits, so that it is kept.
sub _ceiling {
    my ($us) = @_;
    my $digit = 10**(floor(log(max($us, LEAST_US)) / log 10) + 1 - SHORT);
    return $digit * ceil($us / $digit - ROUNDING);
}

# Rounded up, so that it is enough.
sub _more {
    my ($judgement) = @_;
    my ($more, $seconds) = @$judgement{qw(more more_s)};
    return words('judge.too_long') unless defined $more;
    return words('judge.more', more => grouped($more) . " more $judgement->{value}s") unless defined $seconds;
    my ($time, $unit) = split / /, duration(max(LEAST_S, $seconds));
    return words('judge.more', more => ceil($time) . " more $unit");
}

# With the percentile, if there is one.
sub _limit {
    my ($us, $percentile) = @_;
    my $time = _time($us);
    return defined $percentile ? words('judge.limit', time => $time, percentile => $percentile) : $time;
}

1;
