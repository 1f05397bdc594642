# SPDX-License-Identifier: GPL-2.0-or-later
# The figures of a comparison, against values computed by hand.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use List::Util qw(max);
use Test::More;

use Realfeel::Answer::Compare qw(maxima);
use Realfeel::Model::Report;
use Realfeel::Stat::Distribution;

sub side { my ($low, $value, $high) = @_; return { value_us => $value, low_us => $low, high_us => $high } }

sub ratio {
    my %ratio = Realfeel::Answer::Compare::_ratio(@_);
    return { %ratio, differs => $ratio{differs} ? 1 : 0 };
}

subtest 'ratios by hand' => sub {
    my ($base, $file) = (side(8, 10, 16), side(18, 20, 24));
    is_deeply(ratio($base, $file), { ratio => 2, low => 18 / 16, high => 3, judgement => 'higher', differs => 1 },
        'intervals that lie apart');
    is_deeply(ratio($file, $base), { ratio => 0.5, low => 0.33333333, high => 0.88888889, judgement => 'lower', differs => 1 },
        'the ratio of the reversed sides is the inverse');
    is_deeply(ratio($base, side(12, 20, 24)), { ratio => 2, low => 0.75, high => 3, judgement => 'unknown', differs => 0 },
        'intervals that overlap');
    is(ratio($base, side(16, 20, 24))->{judgement}, 'higher', 'intervals that touch');
    is(ratio(side(8, 10, 10), side(10, 10, 12))->{judgement}, 'higher', 'intervals that touch from above lie apart');
    is_deeply([@{ ratio($base, side(0, 20, 24)) }{qw(low judgement)}], [0, 'unknown'], 'no low end');
    is_deeply([@{ ratio(side(0, 10, 16), $file) }{qw(high judgement)}], [undef, 'higher'], 'no high one');
    is_deeply([@{ ratio(side(0, 10, 16), side(12, 20, 24)) }{qw(high judgement)}], [undef, 'unknown'],
        'an overlap without a high end is not known');
    is_deeply([@{ ratio(side(0, 10, undef), side(0, 20, undef)) }{qw(low high judgement)}], [0, undef, 'open'],
        'intervals with no end at all are open');
};

# A run of slices, the worst of each in us, and the number of samples.
sub run_of {
    my ($n, @most) = @_;
    my $distribution = Realfeel::Stat::Distribution->new(low => [0], high => [max(@most)], count => [$n]);
    return { distribution => $distribution, report => Realfeel::Model::Report->of({ slices => { lateness_max_us => \@most } }) };
}

subtest 'maxima by hand' => sub {
    my $base = run_of(100, (2) x 10);
    my $differ = sub {
        my $maxima = maxima($base, run_of(@_), 'lateness');
        return [@$maxima{qw(larger pieces)}, $maxima->{differ} ? 1 : 0];
    };
    is_deeply($differ->(100, (2) x 10), [undef, undef, 0], 'equal maxima have no larger side');
    is_deeply($differ->(100, (1, 3) x 5), ['file', 5, 1], 'higher in each fifth');
    is_deeply($differ->(100, (1) x 2, (3) x 8), ['file', 5, 0], 'a maximum that is higher in all fifths but one does not differ');
    is_deeply($differ->(100, (1) x 10), ['base', 5, 1], 'lower than each fifth');
    is_deeply($differ->(200, (3) x 19, 1), ['file', 10, 1], 'a run twice as long has twice as many fifths');
    is_deeply($differ->(200, (3) x 18, 1, 1), ['file', 10, 0], 'each fifth of a long run counts');
    is_deeply($differ->(100, (3) x 4), ['file', undef, 0], 'a run of four slices has no fifths');
    is_deeply($differ->(1e15, 3), ['file', undef, 0], 'a single slice of a very long run has no fifths');
};

done_testing;
