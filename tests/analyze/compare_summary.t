# SPDX-License-Identifier: GPL-2.0-or-later
# What a comparison comes to: as codes and numbers, and in words.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use Test::More;

use Realfeel::Answer::Compare qw(summed_up);
use Realfeel::Base::Units qw(floored lapse multiple significant);
use Realfeel::Show::Compare qw(conclusion);

subtest 'numbers for people' => sub {
    is_deeply([map { floored($_) } 4, 13, 999, 1000, 14_097, 1_666_666],
        ['4', '13', '990', '1,000', '14,000', '1,600,000'], 'never more than it is');
    is_deeply([map { significant($_) } 330.4, 8.54, 2.01, 0.0123], [330, 8.5, 2, 0.012], 'two digits');
    is_deeply([map { multiple($_, 'higher') } 1.019, 1.9, 1.96, 331], ['1.9 %', '90 %', '2 times', '330 times'],
        'a ratio of two or more is in times');
    is_deeply([map { multiple($_, 'lower') } 1.25, 2, 331], ['20 %', '2 times', '330 times'],
        'a ratio below one is in per cent or times, too');
    is_deeply([map { lapse($_) } -0.05, 0, 3.38, 99.996, 700, 999.96, 1300, 2e6, 4e9],
        ['-0.050 us', '0.000 us', '3.380 us', '100.0 us', '700.0 us', '1.000 ms', '1.300 ms', '2.000 s', '4000 s'], 'times of four digits');
};

# Each percentile as percentile, judgement, ratio, low, high, or what it lacks.
sub percentiles {
    return map {
        my %row;
        @row{qw(percentile judgement ratio low high)} = @$_;
        my $value = $row{judgement} =~ /^(?:samples|bins)$/ ? 'lacking' : 'ratio';
        my %value = $value eq 'lacking' ? (lacking => $row{ratio} // 'both', ratio => undef)
            : (differs => scalar($row{judgement} =~ /er$/), base_us => 1000, file_us => 1000 * $row{ratio});
        +{ %row, %value };
    } @_;
}

sub found { return summed_up(percentiles(@_)) }

# The code, and of each difference the percentile, how many times lower or higher, and the interval of that.
sub differences {
    my ($summary) = @_;
    return [$summary->{code}, map { [map { ref || !/\./ ? $_ : sprintf '%.3g', $_ } grep { defined }
        @$_{qw(percentile direction factor least most)}] } @{ $summary->{differences} }];
}

subtest 'what a comparison comes to' => sub {
    my $found = found([50, 'higher', 1.02, 1.019, 1.022], [99.9, 'lower', 0.1, 0.08, 0.125], [99.99, 'samples']);
    is_deeply(differences($found), ['differs', ['99.9', 'lower', 10, 8, '12.5'], [50, 'higher', '1.02', '1.02', '1.02']],
        'the highest percentile that differs, and the highest the other way');
    is($found->{lacking}{percentile}, 99.99, 'the first percentile with too few samples is named');
    is_deeply([map { $found->{differences}[0]{$_} } qw(base_us file_us)], [1000, 100], 'a difference has the values of both sides');
    is($found->{differences}[0]{factor}, 10, 'a factor is a number that is not rounded');
    is(found([50, 'lower', 1 / 3, 0.3, 0.34])->{differences}[0]{factor}, 3, 'a factor below one is the inverse, not rounded');
    is_deeply(differences(found([50, 'lower', 0.5, 0, 0.625])), ['differs', [50, 'lower', 2, '1.6']], 'an end that is open');
    is_deeply(differences(found([50, 'higher', 4, 3, undef])), ['differs', [50, 'higher', 4, 3]], 'an upper end may be open, too');
    $found = found([50, 'unknown', 1, 0.8, 1.3], [99, 'higher', 2.7, 2.4, 2.9], [99.9, 'unknown', 0.5, 0.2, 1.8],
        [99.99, 'samples', 'file']);
    is_deeply([map { [@$_{qw(percentile low high)}] } @{ $found->{unknown} }], [[99.9, 0.2, 1.8]], 'what is not known above what differs');
    is_deeply([@{ $found->{lacking} }{qw(percentile judgement lacking)}], [99.99, 'samples', 'file'],
        'the side with too few samples is named');
    $found = found([50, 'unknown', 1, 0.8, 1.3], [90, 'unknown', 1, 0.5, 2], [99, 'open', 9, 0, undef]);
    is_deeply([$found->{code}, map { $_->{percentile} } @{ $found->{unknown} }, @{ $found->{unjudged} }], ['unknown', 50, 90, 99],
        'nothing differs');
    $found = found([50, 'samples', 'file']);
    is_deeply([@$found{qw(code unknown)}, differences($found)], ['unjudged', [], ['unjudged']], 'nothing is judged');
};

sub concluded {
    my ($maxima, @percentiles) = @_;
    my ($unit, @rows) = (delete $maxima->{of} // 'fifths', percentiles(@percentiles));
    return conclusion({ names => [qw(old new)], maxima => $maxima, percentiles => \@rows,
        map { $_ => { unit => $unit, units => 5 } } qw(base file) });
}

subtest 'the conclusion is a line of text' => sub {
    is(conclusion({ identical => 1 }), 'Identical runs.', 'a run compared with itself is identical');
    my $equal = sub { return {} };
    my $unknown = sub { return { larger => 'base', pieces => 5, differ => 0, @_ } };
    my $lower = sub { return { larger => 'base', pieces => 5, differ => 1, @_ } };
    is(concluded($lower->(of => 'runs'), [50, 'higher', 1.02, 1.019, 1.022], [99.9, 'lower', 0.101, 0.09, 0.114], [99.99, 'samples']),
        'new: p99.9 is 9.9 times lower (8.8 to 11), p50 2 % higher. p99.99: too few samples. '
        . 'Maximum: lower than in each of 5 parts of old.',
        'runs that were compared by runs: the conclusion does not limit itself to them');
    is(concluded($unknown->(), [50, 'unknown', 1, 0.9, 1.1], [99.9, 'lower', 0.77, 0.75, 0.78], [99.99, 'samples', 'file']),
        'new, in these runs alone: p99.9 is 23 % lower (22 to 25 %). p99.99: too few samples in new. Maximum: not known.',
        'the conclusion limits itself to the two runs; less than twice is in per cent');
    is(concluded($lower->(), [50, 'lower', 0.9, 0.85, 0.9], [99, 'unknown', 1, 0.8, 1.1]),
        'new, in these runs alone: p50 is 10 % lower (10 to 15 %). p99: not known (20 % lower to 10 % higher). '
        . 'Maximum: lower than in each of 5 parts of old.', 'lower at the median alone');
    is(concluded($lower->(larger => 'file'), [99, 'higher', 2.7, 2.4, 2.9], [99.9, 'unknown', 0.34, 0.31, 1.2], [99.99, 'samples']),
        'new, in these runs alone: p99 is 2.7 times higher (2.4 to 2.9). p99.9: not known (3.2 times lower to 20 % higher). '
        . 'p99.99: too few samples. Maximum: higher in each of 5 parts.', 'what is not known higher up');
    is(concluded($equal->(), [50, 'lower', 0.9, 0.85, 0.9], [99, 'higher', 1.5, 1.4, 1.6]),
        'new, in these runs alone: p99 is 50 % higher (40 to 60 %), p50 10 % lower. Maximum: equal.',
        'the median lower and p99 higher are both reported');
    is(concluded($equal->(), [50, 'higher', 4, 3, undef]), 'new, in these runs alone: p50 is 4 times higher (3 or more). Maximum: equal.',
        'no end');
    is(concluded($equal->(), [50, 'lower', 0.6, 0.5, 1]), 'new, in these runs alone: p50 is 40 % lower (up to 50 %). Maximum: equal.',
        'an interval that touches one begins at nothing');
    is(concluded($equal->(), [50, 'higher', 1.36, 1.358, 1.362]),
        'new, in these runs alone: p50 is 36 % higher (35.8 to 36.2 %). Maximum: equal.', 'the ends have the digits that tell them apart');
    is(concluded({ of => '' }, [50, 'higher', 330, 300, 350]), 'new, in these runs alone: p50 is 330 times higher (330.0 ms, was '
        . '1.000 ms). Maximum: equal.', 'values where intervals are too narrow');
    is(concluded($unknown->(), [50, 'unknown', 1, 0.8, 1.3], [90, 'unknown', 1, 0.25, 2], [99, 'open', 9, 0, undef]), 'new, in these '
        . 'runs alone: not known up to p90 (4 times lower to 2 times higher there). p99: not judged, as an end of the interval is open. '
        . 'Maximum: not known.', 'no difference is known, and how large one may be');
    is(concluded($unknown->(), [50, 'unknown', 1, 0.8, 1.3]), 'new, in these runs alone: not known at p50 (20 % lower to 30 % higher). '
        . 'Maximum: not known.', 'a single percentile that is not known is named');
    is(concluded($unknown->(), [50, 'unknown', 1, 0, 1.3]), 'new, in these runs alone: not known at p50 (less to 30 % higher). '
        . 'Maximum: not known.', 'an unknown percentile may have one end alone');
    is(concluded($unknown->(), [99.99, 'open', 15, 0, undef]), 'new, in these runs alone: no percentile can be judged. p99.99: not judged, '
        . 'as an end of the interval is open. Maximum: not known.', 'an open end is no answer');
    is(concluded($unknown->(), [50, 'lower', 0.9, 0.85, 0.9], [99, 'open', 9, 0, undef], [99.9, 'open', 9, 0, undef]),
        'new, in these runs alone: p50 is 10 % lower (10 to 15 %). p99 and p99.9: not judged, as an end of the interval is open. '
        . 'Maximum: not known.', 'an open end beside a difference is no answer');
    is(concluded($equal->(), [50, 'samples', 'file']),
        'new, in these runs alone: no percentile can be judged. p50: too few samples in new. Maximum: equal.',
        'a file with too few samples for any percentile is named');
};

done_testing;
