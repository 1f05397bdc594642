# SPDX-License-Identifier: GPL-2.0-or-later
# The table of header keys has those of realfeel(5), in its order, with types and merge rules that exist.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use List::Util qw(uniq);
use Test::More;

use Analyzer;
use Realfeel::Input::Keys qw(MOMENTS PARTS TYPE fault key ordered);
use Realfeel::Model::Header;
use RunCommand;

# Of earlier versions: still shown, or skipped.
my @OLD = qw(lmbench_us lmbench_overhead_us lmbench_doubtful deduced);

my $table = Realfeel::Input::Keys::KEYS();
my $manual = contents("$FindBin::Bin/../../man/realfeel.5");
my %is_old = map { $_ => 1 } @OLD;
my @all;
for my $section ('Header', 'Merged and imported reports') {
    my ($text) = $manual =~ /^\.Ss \Q$section\E\n(.*?)^\.Ss/ms;
    my @documented = map { my @keys = /\b([a-z]\w+)\b/g; / No \.\.\. / ? figures(@keys) : @keys }
        grep { /^\.It Cm / } split /\n/, $text;
    is_deeply([ordered(reverse @documented)], \@documented, "$section: the table has the order of realfeel(5)");
    push @all, @documented;
}
is_deeply([sort grep { !$is_old{$_} } keys %$table], [sort @all], 'the table has the keys of realfeel(5)');

# From the first key to the last, which is of the same series or of the last of the parts.
sub figures {
    my ($first, $last) = map { /^([a-z_]+)_(?:min|sumsq)_/ } @_;
    return map { my $series = $_; map { "${series}_$_" } MOMENTS } $first eq $last ? $first : PARTS;
}

my @keys = values %$table;
is_deeply([sort(uniq(map { $_->{class} } @keys))], [qw(hidden result setting source)], 'each key has a class');
is_deeply([grep { !TYPE->{$_} } grep { defined } map { $_->{type} } @keys], [], 'each type is known');
my %rules = (%{ Realfeel::Model::Header::SUMS() }, %{ Realfeel::Model::Header::RULES() });
is_deeply([sort keys %rules], [sort(uniq(grep { defined } map { $_->{rule} } @keys))], 'each merge rule is of some keys');

is_deeply([ordered(qw(zeta hostname alpha samples hostname_after status))],
    [qw(status samples hostname hostname_after alpha zeta)], 'unknown keys come last; one of after the run behind its key');
is_deeply([map { key($_)->{class} } qw(hostname source samples hostname_after of_another_version)],
    [qw(setting source result result setting)], 'a key of another version is a setting, or a result after the run');
is_deeply([grep { defined } map { fault($_, 'x') } qw(hostname of_another_version samples)],
    ["samples is 'x', not a whole number of 0 or more"], 'a key without a type has no fault');

my $data = "$FindBin::Bin/data";
for my $command (['merge', "$data/culprits.hist.gz"], ['import', "$data/foreign/oslat.json"]) {
    my ($status, $out) = run($analyze, @$command);
    my @written = $out =~ /^# (\w+): /mg;
    is_deeply(\@written, [ordered(@written)], "$command->[0] writes the keys in this order");
}

# A new line of stats needs only the table.
{
    local $table->{new_count} = { %{ $table->{smis} }, line => 'news', alone => 1 };
    my $file = file_of(tempdir(CLEANUP => 1) . '/x.hist', contents("$data/small.hist") =~ s/^(?=# samples)/# new_count: 12\n/mr);
    like((run($analyze, $file))[1], qr/^  news {6}12$/m, 'a key with a line of its own is shown by the table alone');
    my $page = (run($analyze, 'report', $file))[1];
    is(scalar(() = $page =~ />news</g), 1, 'a page shows such a key once');
    unlike($page, qr/>new_count</, 'a page has no row of such a key beside it');
}

done_testing;
