# SPDX-License-Identifier: GPL-2.0-or-later
package Mutation;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(damaged twisted);

my @ODD = ("\n", "\n\n\n", ' ', "\t", '#', '# end samples=20', '-', '.', '0', '9' x 19, '1e5', 'inf', 'nan', 'unknown', "\0",
    "\xff", '\\', '\\x0a', ':', '# histogram', '0x10', '+1', '1_000', ' | ', "\r\n", "\f");

my @DAMAGE = (
    sub { substr $_, rand length, 1, $ODD[rand @ODD] },
    sub { substr $_, rand length, 0, $ODD[rand @ODD] },
    sub { substr $_, rand length, 1, chr 32 + rand 96 },
    sub { substr $_, rand length, 1 + rand 8, '' },
    sub { my @n; push @n, pos while /\d/g; substr $_, $n[rand @n] - 1, 1, int rand 10 if @n },
    sub { lines(sub { my $i = rand @_; splice @_, $i, 1; @_ }) },
    sub { lines(sub { my $i = int rand @_; splice @_, $i, 0, $_[$i]; @_ }) },
    sub { lines(sub { my ($i, $j) = map { int rand @_ } 1, 2; @_[$i, $j] = @_[$j, $i]; @_ }) },
    sub { lines(sub { my $i = int rand @_; $_[$i] =~ s/(\S+)\s+(\S+)/$2 $1/; @_ }) },
    sub { $_ = substr $_, 0, rand length },
);

# Numbers at the ends of what may be written; words, and what steers a terminal or is not UTF-8.
my @NUMBERS = ('0', '1', '7', '-1', '1.5', '0.000000001', '9' x 18, '9' x 18 . '.' . '9' x 18, '-' . '9' x 18, '0.' . '0' x 17 . '1',
    map { 10**$_ } 1 .. 17);
my @WORDS = (
    '', ' ', '-', 'abc', 'unknown', 'none', 'several', 'inf', 'nan', '1e9', '9' x 19, '9' x 130, '1' x 400, '0.' . '0' x 320 . '1',
    '1 of 2', '5 of 0', '0-3,6', 'valid', 'suspect: a; b', 'invalid', 'contradicted: early', 'off (none)', 'exceeded', 'complete',
    'break', '%s%n', '<b>&"\'', '2026-02-30T23:59:59Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', '2026-11-20T23:05:57Z x',
    "\e[31m", "\xc2\x9b31m", "\xe2\x80\xae", "\xff\xfe", "\xc3", "\xc3\xa9" x 200, "\xe6\xbc\xa2" x 60, 'x' x 3000, '\\x1b[31m',
    '\\xc2\\x9b', '\\x', 'x ' x 200,
);

my @TWIST = (
    (sub { replace(qr/^# [a-z]\w*: \K.*/m) }) x 6,
    sub { lines(sub { my @at = grep { $_[$_] =~ /^# \w+:/ } 0 .. $#_; splice @_, $at[rand @at], 1 if @at; @_ }) },
    sub { my @sets = split /(?=\n\n# )/; splice @sets, 1 + rand $#sets, 1 if @sets > 1; $_ = join '', @sets },
    (sub { my $column = int rand 8; replace(qr/^[\d.-]+(?: \S+){$column} \K\S+/m) }) x 3,
    \&replace_column, \&multiply,
    sub { replace(qr/\d+(?:\.\d+)?/) },
    sub { s/^# (?:periods|missed|early_wakeups): \K.*/unknown/mg },
);

# The text with one thing changed anywhere: most such reports must be refused.
sub damaged {
    local ($_) = @_;
    $DAMAGE[rand @DAMAGE]->() if length;
    return $_;
}

# The text with values of the header or of a row replaced by odd ones, or without a line of the header or a data set: most
# such reports can be read.
sub twisted {
    local ($_) = @_;
    $TWIST[rand @TWIST]->() if length;
    return $_;
}

sub lines {
    my ($change) = @_;
    my @lines = split /^/;
    $_ = join '', $change->(@lines) if @lines;
}

sub replace {
    my ($pattern) = @_;
    my @places;
    push @places, [$-[0], $+[0] - $-[0]] while /$pattern/g;
    my $place = $places[rand @places] or return;
    substr $_, $place->[0], $place->[1], odd(substr $_, $place->[0], $place->[1]);
}

# A number mostly becomes another one.
sub odd {
    my ($value) = @_;
    my $odd = $value =~ /\A-?[\d.]+\z/ && rand() < 0.8 ? \@NUMBERS : \@WORDS;
    return $odd->[rand @$odd];
}

# The same value in all rows of a data set.
sub replace_column {
    my @sets = split /(?=\n\n# )/;
    my ($set, $column, $value) = (\$sets[rand @sets], int rand 8, odd(0));
    $$set =~ s/^[\d.-]+(?: \S+){$column} \K\S+/$value/mg;
    $_ = join '', @sets;
}

# All counts alike, so that sums hold.
sub multiply {
    my $zeros = '0' x (1 + rand 15);
    s/^# (?:(?:samples|periods|missed|early_wakeups|parts_matched|parts_unknown): |end samples=)\d*[1-9]\d*\K/$zeros/mg;
    s{^# (?:histogram|slices|parts)\n#.*\n\K(.*\n)+?(?=\n|#)}{
        join '', map { my ($from, $to, @counts) = split; join(' ', $from, $to, map { /\A[1-9]\d*\z/ ? "$_$zeros" : $_ } @counts) . "\n" }
            split /\n/, $&
    }mge;
}

1;
