# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Trial;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(effects left_out progress sentences text);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration lapse multiple printable significant wrapped);
use Realfeel::Show::Compare::Conclusion qw(between);
use Realfeel::Show::Words qw(words);

use constant NEAR => 0.1;       # of 1, a ratio

=head1 NAME

Realfeel::Show::Trial - what a change does, in words

=head1 FUNCTIONS

Trials are those of L<Realfeel::Answer::Trial>.

=head2 text($experiment)

A sentence for each variant, then its figures. The experiment is C<answered>.

=head2 sentences($trial, $seconds)

The sentences alone. C<$seconds> is how long the experiment took, undef where that is not known.

=head2 effects($trial)

The figures as a L<Realfeel::Base::Table>.

=head2 left_out($trial)

Of each variant that lacks pairs a sentence that says why.

=head2 progress($trial, $left)

The effects so far, in a line; C<$left> are the seconds that the experiment takes at most from now on.

=cut

sub text ($experiment) {
    my ($trial, $seconds) = @$experiment{qw(trial seconds)};
    return join "\n", (map { wrapped('', $_) } sentences($trial, $seconds)), '',
        (map { "  $_" } effects($trial)->text, left_out($trial)), '';
}

sub sentences ($trial, $seconds) {
    return map { _sentence($_, $seconds) } @{ $trial->{variants} };
}

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

# Which sentence, and what is said in it.
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

# How many times higher or lower.
sub _factor ($effect) {
    my $direction = $effect->{differs} // ($effect->{ratio} < 1 ? 'lower' : 'higher');
    my $factor = $direction eq 'lower' ? 1 / $effect->{ratio} : $effect->{ratio};
    return (factor => multiple($factor, $direction), direction => $direction);
}

# Of the ratio, in the words of the factor unless it may be on either side.
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

# Each row is of a variant and one of its effects.
sub effects ($trial) {
    return Realfeel::Base::Table->new(
        columns => [{ head => '' }, { head => '' }, map { { head => words("column.$_") } }
            qw(base tried ratio confidence pairs lower higher)],
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

# Next to 1 the digits are those of the difference, as the sentence has it.
sub _shown ($ratio) {
    return abs($ratio - 1) < NEAR ? 1 + significant($ratio - 1) : significant($ratio, 3);
}

sub left_out ($trial) {
    return map { words('try.left_out', name => $_->{name}, pairs => scalar @{ $_->{left_out} },
        why => words("try.lacks_$_->{left_out}[0]{code}", %{ $_->{left_out}[0] })) }
        grep { @{ $_->{left_out} } } @{ $trial->{variants} };
}

1;
