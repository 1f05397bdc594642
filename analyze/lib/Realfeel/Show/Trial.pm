# SPDX-License-Identifier: GPL-2.0-or-later
# What a change does, in words.
package Realfeel::Show::Trial;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(effects left_out progress sentences text);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration lapse multiple printable significant wrapped);
use Realfeel::Show::Compare::Conclusion qw(between);
use Realfeel::Show::Words qw(words);

use constant NEAR => 0.1;       # of 1, a ratio

# A sentence for each variant of an answered experiment, then its figures
sub text ($experiment) {
    my ($trial, $seconds) = @$experiment{qw(trial seconds)};
    return join "\n", (map { wrapped('', $_) } sentences($trial, $seconds)), '',
        (map { "  $_" } effects($trial)->text, left_out($trial)), '';
}

# $seconds is how long the experiment took, undef if unknown
sub sentences ($trial, $seconds) {
    return map { _sentence($_, $seconds) } @{ $trial->{variants} };
}

# The effects so far, in a line; $left are the seconds still to come at most
sub progress ($trial, $left) {
    return words('try.progress', pair => $trial->{rounds}, time => duration($left),
        effects => join ', ', map { _so_far($_) } @{ $trial->{variants} });
}

sub _sentence ($variant, $seconds) {
    my ($effect, $beside) = @$variant{qw(effect beside)};
    my ($code, %said) = _known($effect);
    return words("try.$code", name => $variant->{name}, %said, beside => defined $beside ? _beside($beside) : '',
        pairs => defined $seconds ? words('try.pairs_in', pairs => $effect->{pairs}, time => duration($seconds))
            : words('try.pairs', pairs => $effect->{pairs}));
}

# Which sentence, and its values
sub _known ($effect) {
    my %said = (statistic => _statistic($effect), map { $_ => _value($effect, $effect->{$_}) } qw(base variant));
    unless (defined $effect->{differs}) {
        my $unseen = $effect->{unseen} // return (unknown_any => %said);
        return (unknown => %said, unseen => multiple($unseen, 'higher'));
    }
    return (none => %said) if $effect->{differs} eq 'lower' && !$effect->{ratio};
    return (from_none => %said) unless defined $effect->{ratio};
    return (differs => %said, _factor($effect), known => _interval($effect));
}

sub _statistic ($effect) {
    return $effect->{statistic} eq 'missed' ? words('try.missed') : $effect->{statistic};
}

sub _value ($effect, $value) {
    return '-' unless defined $value;
    return $effect->{statistic} ne 'missed' ? lapse($value) : words('try.in_a_million', count => significant($value));
}

# How many times higher or lower
sub _factor ($effect) {
    my $direction = $effect->{differs} // ($effect->{ratio} < 1 ? 'lower' : 'higher');
    my $factor = $direction eq 'lower' ? 1 / $effect->{ratio} : $effect->{ratio};
    return (factor => multiple($factor, $direction), direction => $direction);
}

# In the words of the factor, unless it includes both directions
sub _interval ($effect) {
    my ($low, $high) = @$effect{qw(low high)};
    my ($up, $down) = map { $_ ? 1 / $_ : undef } $high, $low;
    return between($effect->{ratio}, 'higher', $low, $high) if $low && $low >= 1;
    return between(1 / $effect->{ratio}, 'lower', $up, $down) if defined $high && $high <= 1;
    return words('try.open') unless $low && defined $high;
    return words('try.either_way', less => multiple($down, 'lower'), more => multiple($high, 'higher'));
}

sub _beside ($effect) {
    my $statistic = _statistic($effect);
    return words('try.beside_unknown', statistic => $statistic) unless defined $effect->{differs} && $effect->{ratio};
    return words('try.beside', statistic => $statistic, _factor($effect));
}

sub _so_far ($variant) {
    my $effect = $variant->{effect};
    my %said = (name => $variant->{name}, statistic => $effect->{statistic});
    my $is_equal = $effect->{equal} && $effect->{equal} == $effect->{pairs};
    return words('try.so_far_alike', %said) if $is_equal || ($effect->{ratio} // 0) == 1;
    return words('try.so_far_open', %said) unless $effect->{ratio};
    return words('try.so_far', %said, _factor($effect), known => _interval($effect));
}

# A table with a row for each variant and statistic
sub effects ($trial) {
    return Realfeel::Base::Table->new(
        columns => [{ head => '' }, { head => '' }, map { { head => $_ } }
            qw(base changed ratio), '95 % interval', qw(pairs lower higher)],
        rows => [map { my $one = $_; map { _row($one, $_) } grep { defined } @$one{qw(effect beside)} }
            @{ $trial->{variants} }],
    );
}

sub _row ($variant, $effect) {
    my ($ratio, @ends) = map { defined $_ ? _shown($_) : undef } @$effect{qw(ratio low high)};
    return [
        $variant->{name}, $effect->{statistic}, (map { _value($effect, $effect->{$_}) } qw(base variant)),
        $ratio // '-',
        $effect->{pairs} ? words('compare.from_to', least => $ends[0] // 0, most => $ends[1] // words('try.any')) : '-',
        @$effect{qw(pairs lower higher)},
    ];
}

# Near 1 with the digits of the difference, as in the sentence
sub _shown ($ratio) {
    return abs($ratio - 1) < NEAR ? 1 + significant($ratio - 1) : significant($ratio, 3);
}

# A sentence for each variant that lacks pairs
sub left_out ($trial) {
    return map { words('try.left_out', name => $_->{name}, pairs => scalar @{ $_->{left_out} },
        why => words("try.lacks_$_->{left_out}[0]{code}", %{ $_->{left_out}[0] })) }
        grep { @{ $_->{left_out} } } @{ $trial->{variants} };
}

1;
