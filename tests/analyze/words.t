# SPDX-License-Identifier: GPL-2.0-or-later
# The sentences of the analyzer, which are made where they are printed, and the types of values in an answer.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use Test::More;

use Realfeel::Base::Typed qw(is_truth number text truth);
use RunCommand qw(contents);

my $LIB = "$FindBin::Bin/../../analyze/lib/Realfeel";

# Without comments.
sub code_of { my ($path) = @_; return contents($path) =~ s/^\s*#.*\n//mgr }

# Formats of other programs have such names, too, which are none of ours to change.
subtest 'a measure is named in one place' => sub {
    my @paths = grep { !m{/Model/Report\.pm$} } map { glob "$LIB/$_/*.pm $LIB/$_/*/*.pm" } qw(Stat Model Answer Show Draw);
    for my $path (@paths) {
        my @named = code_of($path) =~ /['"]((?:signed |absolute )?(?:wake-up latency|interval error)\b|lateness(?=,))/g;
        is_deeply(\@named, [], $path =~ s{.*/Realfeel/}{}r);
    }
};

# Whether one of its statements matches a pattern against what is a sentence.
my $MATCHES = qr/[=!]~|\bsplit\s*m?\W|\b(?:grep|map|first|any|all)\s*\{\s*!?(?:\/|m\W|s\/)/;

sub functions_of { my ($code) = @_; return $code =~ /^sub (\w+) [^{\n]*(\{ .*? \}$|\{\n.*?^\}$)/msg }

# The functions of a module that return sentences, and those that return what one of these returns. A whole text is none.
sub speakers {
    my ($code, @known) = @_;
    my %body = functions_of($code);
    delete @body{qw(text texts table screen verbose)};
    my %speaks = map { $_ => 1 } @known;
    while (1) {
        my $names = join '|', keys %speaks;
        my @more = grep { !$speaks{$_} && $body{$_} =~ /\breturn\b[^;]*\b(?:$names)\(/ } keys %body or return keys %speaks;
        @speaks{@more} = (1) x @more;
    }
}

sub readers {
    my ($names, $code) = @_;
    my $sentence = qr/\b(?:$names)\(|\{(?:reason|sentence|caption|note|conclusion|doubt)\}
        |header\('(?:verdict|explain|schedule)'\)/x;
    my @statements = split /;\n|\{\n/, $code;
    my @found = grep { /$sentence[^;]*?$MATCHES/s || /$MATCHES[^;]*?$sentence/s } @statements;
    my @variables = map { /my [(]?([^=]*)=[^;]*\b(?:$names)\(/s ? $1 =~ m{\$(\w+)}g : () } @statements;
    return @found, grep { my $one = $_; grep { $one =~ /\$$_\b\s*[=!]~|\bsplit\b[^;]*\$$_\b/ } @variables } @statements;
}

subtest 'no sentence is read back' => sub {
    my @paths = grep { !m{/Show/Help\.pm$} } map { glob "$LIB/$_/*.pm $LIB/$_/*/*.pm" } qw(Show Answer Draw Output);
    my $line_end = qr/\$@ =~ s\/\\n\\z\/\/r/;          # of a complaint, which is no part of what it says
    my %code = map { $_ => contents($_) =~ s/^\s*#.*\n//mgr =~ s/$line_end/\$@/gr } @paths;
    my @words = ('latency_words', qw(conclusion reason sentence), map { /^sub (\w+_words) /mg } values %code);
    my @public = (@words, grep { !/^_/ } map { speakers($_, @words) } values %code);
    my $names = join '|', @public;
    like($names, qr/\bneeds_words\b/, 'functions that return a sentence are found');
    for my $bad ('my $x = needs_words(@y) =~ s/ at//r', 'return grep { /^p/ } needs_words(@y)', "my \$x = needs_words();\nf(\$x =~ /a/)",
        'my ($x) = $table->{caption} =~ /us/', 'split /:/, $report->header(\'verdict\')') {
        ok(scalar(() = readers($names, $bad)), "$bad: is found");
    }
    is_deeply([readers(join('|', speakers($code{$_}, @public)), $code{$_})], [], s{.*/Realfeel/}{}r) for sort keys %code;
};

subtest 'values have types in JSON' => sub {
    is(0 + number('5.50'), 5.5, 'a number out of a text');
    is(number($_), undef, defined $_ ? "$_ is not a number" : 'an undefined value is not a number') for undef, 'inf', 'nan', '', '5 us';
    is(text(5), '5', 'a number becomes a text');
    is(text(undef), undef, 'an undefined text stays undefined');
    ok(truth(1) && !truth(0) && !truth('') && !defined truth(undef), 'a truth is one for Perl');
    is_deeply([map { is_truth($_) ? 1 : 0 } truth(1), truth(0), 1, 0, '', undef], [1, 1, 0, 0, 0, 0], 'a truth is not a number');
    is(truth(0) + 0, 0, 'a false truth is 0 in sums');
};

done_testing;
