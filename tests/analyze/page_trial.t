# SPDX-License-Identifier: GPL-2.0-or-later
# The page of an experiment: what the change does first, with a line for each pair, then the first round in detail.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use MadeReport;
use PageChecks;
use PageTables;
use Analyzer;
use RunCommand;

chdir tempdir(CLEANUP => 1) or die $!;

# Of so many rounds the base is about 400 us at its maximum, and with the change 200.
sub experiment {
    my ($prefix, $rounds, %of_last) = @_;
    for my $round (1 .. $rounds) {
        my %us = (base => 400 + $round, fast => 200 + $round);
        for my $name (keys %us) {
            made(sprintf('%s-%02d-%s.hist', $prefix, $round, $name), [[(10) x 99, $us{$name}], [(11) x 100]],
                started => sprintf('2026-03-01T02:%02d:0%dZ', $round, $name eq 'fast'), duration_s => '2.0',
                $round == $rounds ? %of_last : ());
        }
    }
    return sort glob "$prefix-*.hist";
}

my @files = experiment('x', 8);

subtest 'an experiment has a page' => sub {
    my $page = page('--at=max', @files);
    stands_alone($page, 'an experiment');
    my ($sentence) = (run($try, '--at=max', @files))[1] =~ /\A(.*?)\n\n/s;
    is(headline($page) =~ s/\xc2\xb5/u/gr, '16 valid ' . $sentence =~ s/\n/ /gr, 'the headline is the sentence of realfeel-try');
    my ($table) = grep { $_->{section} eq 'The effect' } tables($page);
    my (undef, @rows) = @{ $table->{rows} };
    is_deeply([map { @$_[0, 1, 4, 6] } @rows], ['fast', 'max', '0.506', 8, 'fast', 'p50', 1, 8], 'the table has the effects');
    like(opened($page), qr{<figure class="pairs">.*<text>fast: 0\.506 times the base \(0\.501 to 0\.507\)}s,
        'the picture names the effect');
    my ($percentiles) = grep { $_->{section} =~ /^Percentiles/ } tables($page);
    like(seen($page), qr/What follows is about the first round\./, 'the page says that its details are those of the first round');
    is_deeply([map { $_->[0] } @{ $percentiles->{rows} }], [qw(run base fast)], 'the details are those of the base and the change');
};

subtest 'some of it' => sub {
    unlike(page('x-01-base.hist', 'x-02-base.hist'), qr/The effect/, 'the page of the base alone has no effect');
    made('other.hist', [[5, 6]]);
    unlike(page(@files[0, 1], 'other.hist'), qr/The effect/, 'the page of an experiment and another run has no effect');
    is((run($analyze, qw(report --at=max), 'other.hist'))[2] =~ s/\n.*//sr,
        'realfeel-analyze: --at is for the page of an experiment; leave it out', 'the page of other runs takes no --at');
    my @doubted = experiment('y', 3, verdict => 'invalid: it was late');
    like(seen(page('--at=max', @doubted)), qr/left out/, 'the page says what is left out');
};

subtest 'what the data do not support' => sub {
    my $page = page(@files);
    like($page, qr{<figure class="pairs">\s*<p class="missing">No picture: there is no pair to draw}, 'a picture without data says why');
};

subtest 'the picture alone' => sub {
    my (undef, $told) = run($try, '--at=max', @files);
    my ($status, $out, $err) = run($try, qw(--at=max --plot), @files);
    like("$status $out$err", qr/\A0 \Q$told\E\n +Pairs of runs, .*\n +Linux .*\n +max of the lateness \(us\), times the base\n/,
        'realfeel-try draws in the terminal');
    is_deeply([run($try, qw(--at=max --plot -o x.svg), @files)], [0, $told, ''], 'realfeel-try draws to a file');
    is((run($try, qw(-o x.svg), @files))[2] =~ s/\n.*//sr,
        'realfeel-try: -o is for the picture that --plot draws; redirect the text', 'realfeel-try writes its text to no file');
};

done_testing;
