# SPDX-License-Identifier: GPL-2.0-or-later
# Each fault that make check-mutants would put into the sources finds its lines there, once.
use strict;
use warnings;
use Test::More;

sub contents { my ($path) = @_; open my $in, '<', $path or return ''; local $/; return scalar <$in> }

my (%lines, $fault);
for my $line (split /\n/, contents('tests/mutants/list')) {
    if    ($line =~ /^(\w\S+) .+?: (.*)$/)   { $fault = "$1: $2" }
    elsif ($fault && $line =~ /^-(.*)$/) { $lines{$fault} .= "$1\n" }
}
my @lost = grep { my ($path) = /^([^:]+)/; 1 != (() = contents($path) =~ /\Q$lines{$_}\E/g) } sort keys %lines;
is_deeply(\@lost, [], scalar(keys %lines) . ' faults find their lines');

done_testing;
