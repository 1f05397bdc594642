# SPDX-License-Identifier: GPL-2.0-or-later
# The manual's section "Finding out why" followed to the letter: from a bad maximum to the name of what caused it, which is
# one of five that was hidden, by the seed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Answered ();
use Cases;
use Culprits qw(culprits);
use Report qw(whole_report);
use RunCommand qw(contents run);
use Seed;
use Test::More;

my $ROOT = "$FindBin::Bin/../..";

# What a newcomer would not put up with, in us.
use constant BAD_US => 1000;

my $seed = seed();

my @culprits = grep { $_->{flavours}{stock} } culprits();
is(scalar @culprits, 5, 'one of five');
my $hidden = $culprits[$seed % @culprits];

# The commands that the section shows, in their order.
sub commands_of_section {
    my ($section) = contents("$ROOT/man/realfeel.8") =~ /^\.Sh FINDING OUT WHY\n(.*?)^\.Sh /ms;
    return $section =~ /^\.Dl (.*)$/mg;
}

my ($measure, $explain, $tell) = commands_of_section();
my $script = <<"EOS";
(while :; do $hidden->{script}; sleep 2; done) >/dev/null 2>&1 &
$measure && $explain
status=\$?
kill \$!
killall hog culprit
(exit \$status)
EOS

# What the third command says, in the directory where the others left their reports.
sub told {
    my ($directory) = @_;
    my ($program, @arguments) = split ' ', $tell;
    is($program, 'realfeel-analyze', 'the third command is the analyzer');
    my ($status, $out, $err) = run('env', '-C', $directory, "$ROOT/analyze/$program", @arguments);
    is($status, 0, 'it tells') or diag $err;
    return $out;
}

check_cases('finding-out', 'stock', [['hidden', $script, 0, sub {
    my ($left) = @_;
    my $report = whole_report($left->{'run.hist'} // '');
    cmp_ok($report->{lateness_max_ns}, '>', BAD_US * 1000, 'a bad maximum');
    my $told = told("$ROOT/build/guest/finding-out/files/hidden");
    like($told =~ s/\s+/ /gr, qr/ \d+ of \d+ [^:]*\Q$hidden->{who}\E/, 'it says who');
    my ($first) = Answered::culprits($left->{'why.hist'} // '');
    is("$first->{kind} $first->{name}", "$hidden->{kind} $hidden->{who}", 'the first culprit is it');
    note $told;
}]], arguments => $hidden->{arguments} // []);

done_testing;
