# SPDX-License-Identifier: GPL-2.0-or-later
# CI finds each test that was skipped, and lets none be skipped for a reason that its list does not give.
use strict;
use warnings;
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

# The status and output of the check, for one test whose output was this.
sub skipped {
    my ($part, $tap) = @_;
    my $folder = tempdir(CLEANUP => 1);
    make_path("$folder/tests/cli");
    open my $out, '>', "$folder/tests/cli/foo.t" or die $!;
    print {$out} $tap;
    close $out or die $!;
    open my $pipe, '-|', '.ci/skipped', $part, $folder or die $!;
    my $said = join '', <$pipe>;
    close $pipe;
    return ($? >> 8, $said);
}

my %TAP = (
    'a file'        => "1..0 # SKIP REASON\n",
    'a test'        => "ok 1 - well\nok 2 # skip REASON\n1..2\n",
    'a unit test'   => "ok 3 - # skip REASON\n",
    'a subtest'     => "# Subtest: foo\n    1..0 # SKIP REASON\nok 1 # skip REASON\n1..1\n",
    'in a subtest'  => "# Subtest: foo\n    ok 1 # skip REASON\n    1..1\nok 1 - foo\n1..1\n",
    'in two levels' => "        ok 1 # skip REASON\n        1..1\n    ok 1 - foo\n    1..1\n",
);

for my $what (sort keys %TAP) {
    my ($with, $without) = map { $TAP{$what} =~ s/REASON/$_/gr } 'chromium is not installed', 'I am tired';
    is_deeply([skipped('test', $with)], [0, "skipped: tests/cli/foo.t: chromium is not installed\n"], "$what: for a reason that is given");
    is_deeply([skipped('check', $with)], [1, "SKIPPED, AND MAY NOT BE: tests/cli/foo.t: chromium is not installed\n"],
        "$what: not where it is given for another part of CI");
    is_deeply([skipped('test', $without)], [1, "SKIPPED, AND MAY NOT BE: tests/cli/foo.t: I am tired\n"], "$what: for one that is not");
}

is_deeply([skipped('test', "ok 1 - the file is skipped\nok 2 - # 3\n1..2\n")], [0, ''], 'nothing that is not skipped');

is(system('.ci/skipped test ' . tempdir(CLEANUP => 1) . ' >/dev/null') >> 8, 1, 'without any TAP, nothing is let pass');

open my $list, '<', '.ci/may-skip' or die $!;
for (grep { !/^#/ } <$list>) {
    like($_, qr/^(?:any|[a-z]+(?:,[a-z]+)*)\t[^\t]+\t[^\t]+\n\z/, "line $. has parts, a pattern and why");
    my (undef, $pattern) = split /\t/;
    ok(defined eval { qr/$pattern/ }, "line $. has a pattern that Perl accepts");
}

done_testing;
