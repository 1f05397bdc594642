# SPDX-License-Identifier: GPL-2.0-or-later
# On each series of the kernel that Debian has, what README says works does, and what it says is refused is, with a remedy.
# KERNELS=all in the environment: on all of them; else on a few, of which a version that is not in README yet may refuse
# other things.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases qw(run_cases);
use RunCommand qw(contents);
use Series qw(cases features outcomes series version);
use SeriesTable qw(expected);
use Test::More;

my $README = contents("$FindBin::Bin/README");
my $all = ($ENV{KERNELS} // '') eq 'all';

for my $series (grep { $all || $_->{short} } series()) {
    subtest $series->{name} => sub {
        my %expected = expected($README, $series->{name});
        my $run = run_cases("kernels-$series->{flavour}", $series->{flavour}, [cases()], sound => 1, loop => 1);
        my %outcome = outcomes($run);
        my $version = version($run);
        return is_deeply(\%outcome, \%expected, $version) if $all || $README =~ /^ *\Q$series->{name}\E +\Q$version\E /m;
        is_deeply([grep { /^FAILS/ } values %outcome], [], "$version, which is new");
        $outcome{$_} eq $expected{$_} or diag "$_: $outcome{$_}" for features();
    };
}

done_testing;
