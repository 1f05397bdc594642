# SPDX-License-Identifier: GPL-2.0-or-later
# What a change does, in words. Experiments are those that Answer::Trial has answered.
package Realfeel::Show::Trial;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(figures lacks progress sentences text);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted duration lapse multiple significant wrapped);
use Realfeel::Show::Blocks qw(as_text);
use Realfeel::Show::Compare qw(between);

use constant NEAR => 0.1;       # of 1, a ratio

use constant LACKS => {
    invalid      => 'a run is invalid',
    contradicted => 'the schedule of a run is contradicted',
    samples      => 'a run has fewer than the {needed} samples that this percentile needs',
    bins         => 'the percentile is beyond the histogram of a run',
    empty        => 'a run has no samples',
    unknown      => 'a run did not count them',
};

# A sentence for each variant, then its figures
sub text ($experiment) {
    my $trial = $experiment->{trial};
    return join '', (map { wrapped('', $_) . "\n" } sentences($trial)), "\n", as_text(figures($trial));
}

# Blocks: a table with a row for each variant and statistic, and the pairs left out
sub figures ($trial, $caption = undef) {
    my $table = Realfeel::Base::Table->new(
        caption => $caption,
        columns => ['', { head => '' }, 'base', 'changed', 'ratio', '95 % interval', qw(pairs lower higher)],
        rows    => [map { my $one = $_; map { _row($one, $_) } grep { defined } @$one{qw(effect beside)} }
            @{ $trial->{variants} }],
    );
    return ([table => $table], [list => map { _left_out($_->{name}, @{ $_->{left_out} }) } @{ $trial->{variants} }]);
}

sub sentences ($trial) {
    my $in = defined $trial->{duration_s} ? ' in ' . duration($trial->{duration_s}) : '';
    return map {
        my ($effect, $beside) = @$_{qw(effect beside)};
        "$_->{name}: " . _effect($effect, defined $beside ? _beside($beside) : '') . '; '
            . counted($effect->{pairs}, 'pair') . "$in.";
    } @{ $trial->{variants} };
}

# The effects so far, in a line; $left are the seconds still to come at most
sub progress ($trial, $left) {
    my $effects = join ', ', map { _so_far($_) } @{ $trial->{variants} };
    return "pair $trial->{rounds}: $effects; at most " . duration($left) . ' more';
}

sub _effect ($effect, $beside) {
    my ($statistic, $differs, $ratio) = (_statistic($effect), @$effect{qw(differs ratio)});
    my ($base, $variant) = map { _value($effect, $effect->{$_}) } qw(base variant);
    unless (defined $differs) {
        my $unseen = $effect->{unseen} // return "cannot tell whether $statistic differs, it takes more pairs";
        my $most = multiple($unseen, 'higher');
        return "cannot tell; a difference of less than $most at $statistic would not have been seen";
    }
    return "$statistic is 0, was $base$beside" if $differs eq 'lower' && !$ratio;
    return "$statistic is $variant, was 0$beside" unless defined $ratio;
    return "$statistic is " . _factor($effect) . ' (' . _interval($effect) . ")$beside";
}

sub _statistic ($effect) {
    return $effect->{statistic} eq 'missed' ? 'the share of missed periods' : $effect->{statistic};
}

sub _value ($effect, $value) {
    return '-' unless defined $value;
    return $effect->{statistic} ne 'missed' ? lapse($value) : significant($value) . ' in a million';
}

# "2 times higher", "10 % lower"
sub _factor ($effect) {
    my $direction = $effect->{differs} // ($effect->{ratio} < 1 ? 'lower' : 'higher');
    my $factor = $direction eq 'lower' ? 1 / $effect->{ratio} : $effect->{ratio};
    return multiple($factor, $direction) . " $direction";
}

# In the words of the factor, unless it includes both directions
sub _interval ($effect) {
    my ($low, $high) = @$effect{qw(low high)};
    my ($up, $down) = map { $_ ? 1 / $_ : undef } $high, $low;
    return between($effect->{ratio}, 'higher', $low, $high) if $low && $low >= 1;
    return between(1 / $effect->{ratio}, 'lower', $up, $down) if defined $high && $high <= 1;
    return 'any is possible yet' unless $low && defined $high;
    return multiple($down, 'lower') . ' lower to ' . multiple($high, 'higher') . ' higher';
}

sub _beside ($effect) {
    my $statistic = _statistic($effect);
    return ", no difference known at $statistic" unless defined $effect->{differs} && $effect->{ratio};
    return ", $statistic " . _factor($effect);
}

sub _so_far ($variant) {
    my ($name, $effect) = @$variant{qw(name effect)};
    my $is_equal = $effect->{equal} && $effect->{equal} == $effect->{pairs};
    return "$name equal at $effect->{statistic}" if $is_equal || ($effect->{ratio} // 0) == 1;
    return "$name not known at $effect->{statistic}" unless $effect->{ratio};
    return "$name " . _factor($effect) . " at $effect->{statistic} (" . _interval($effect) . ')';
}

sub _row ($variant, $effect) {
    my ($ratio, @ends) = map { defined $_ ? _shown($_) : undef } @$effect{qw(ratio low high)};
    return [
        $variant->{name}, $effect->{statistic}, (map { _value($effect, $effect->{$_}) } qw(base variant)),
        $ratio // '-', $effect->{pairs} ? ($ends[0] // 0) . ' to ' . ($ends[1] // 'any') : '-',
        @$effect{qw(pairs lower higher)},
    ];
}

# Near 1 with the digits of the difference, as in the sentence
sub _shown ($ratio) {
    return abs($ratio - 1) < NEAR ? 1 + significant($ratio - 1) : significant($ratio, 3);
}

sub _left_out ($name, @pairs) {
    return map { "$name: " . counted(scalar @pairs, 'pair') . ' left out: ' . lacks($_) } @pairs ? $pairs[0] : ();
}

# Why a pair is left out
sub lacks ($pair) { return LACKS->{ $pair->{code} } =~ s/\{needed\}/$pair->{needed}/r }

1;
