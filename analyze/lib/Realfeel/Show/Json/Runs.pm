# SPDX-License-Identifier: GPL-2.0-or-later
# What many runs tell, as JSON.
package Realfeel::Show::Json::Runs;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(trend trial);

use Realfeel::Base::Typed qw(number rounded);
use Realfeel::Show::Trial qw(sentences);

sub trend ($series) {
    my @kept = qw(file started kernel_release verdict limit duration_s p50_us p99_us p999_us max_us missed periods);
    return {
        %$series{qw(hostname label cell source frequency_hz clock policy priority cpu load least_percent smaller
            drifting)},
        runs    => [map { { %$_{@kept} } } @{ $series->{runs} }],
        changes => [map { _change($_) } @{ $series->{changes} }],
    };
}

sub _change ($change) {
    my ($unit) = $change->{key} =~ /_(us|ppm)$/;
    return { %$change{qw(statistic run found worse)}, ratio => rounded($change->{ratio}),
        map { ("${_}_$unit" => rounded($change->{$_})) } qw(before after) };
}

# Of an answered experiment. Keys of values end in their unit, us, or ppm for missed periods.
sub trial ($experiment) {
    my ($trial, $seconds) = @$experiment{qw(trial seconds)};
    my @sentences = sentences($trial, $seconds);
    return {
        %$trial{qw(at measure rounds decided)},
        duration_s => number($seconds),
        variants   => [map { { _variant($_), sentence => shift @sentences } } @{ $trial->{variants} }],
    };
}

sub _variant ($variant) {
    return (%$variant{qw(name left_out)}, map { $_ => _effect($variant->{$_}) } qw(effect beside));
}

sub _effect ($effect) {
    return undef unless $effect;
    my $unit = $effect->{statistic} eq 'missed' ? 'ppm' : 'us';
    my @pairs = map { { round => $_->{round}, pair_ratio => rounded($_->{pair_ratio}), _known($_, $unit) } }
        @{ $effect->{so_far} };
    return { %$effect{qw(statistic pairs higher lower equal)}, unseen => rounded($effect->{unseen}), so_far => \@pairs,
        _known($effect, $unit) };
}

# After a pair, or after all
sub _known ($known, $unit) {
    return (differs => $known->{differs}, (map { ("${_}_$unit" => number($known->{$_})) } qw(base variant)),
        map { $_ => rounded($known->{$_}) } qw(ratio low high));
}

1;
