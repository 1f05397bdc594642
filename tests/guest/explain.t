# SPDX-License-Identifier: GPL-2.0-or-later
# Who makes the measurement late is named, and no one else. Where nothing does, no one is.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Explained;
use Test::More;

my %ARGUMENTS = (stock => ['preempt=none'], rt => []);

subtest $_ => \&check_cases, "explain-$_", $_, [explained($_)], arguments => $ARGUMENTS{$_} for qw(stock rt);

done_testing;
