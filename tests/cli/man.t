# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages are well-formed, and of Linux.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use RunCommand;
use Test::More;

if ((run(qw(which mandoc)))[0]) {
    BAIL_OUT('mandoc not found') if ($ENV{CI} // '') eq 'true';
    plan skip_all => 'mandoc not found: apt-get install mandoc';
}

my @pages = glob "$FindBin::Bin/../../man/*.[1-8]";
cmp_ok(scalar @pages, '>=', 2, 'two manual pages or more are read');
for my $page (@pages) {
    my (undef, $out, $err) = run(qw(mandoc -T lint -W warning), $page);
    my $complaints = join '', grep { !/: sections out of conventional order: Sh FILES$/ } split /^/, "$out$err";
    is($complaints, '', $page =~ s{.*/}{}r);
    for my $program (grep { !(run('which', $_->[0]))[0] } ['mandoc'], [qw(nroff -mdoc)]) {
        my @lines = grep { /\S/ } split /\n/, (run(@$program, $page))[1];
        unlike("$lines[0]\n$lines[-1]", qr/BSD|Debian/, "$program->[0]: head and foot name no other system");
        like("$lines[0]\n$lines[-1]", qr/Linux/, "$program->[0]: head and foot name Linux");
    }
}

# What people look for comes before what convention puts before it.
my $text = contents((grep { /\.8$/ } @pages)[0]);
is_deeply([($text =~ /^\.Sh (.*)$/mg)[3 .. 7]],
    ['FIVE COMMANDS', 'READING THE RESULT', 'MY OWN PROGRAM IS LATE', 'FINDING OUT WHY', 'OPTIONS'],
    'the page of the program begins with what to do');

done_testing;
