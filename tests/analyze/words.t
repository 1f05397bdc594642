# SPDX-License-Identifier: GPL-2.0-or-later
# The sentences of the analyzer, all in one table, and the types of what they are filled with.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use Test::More;

use Realfeel::Base::Typed qw(is_truth number text truth);
use Realfeel::Show::Words qw(words);
use RunCommand qw(contents);

my $LIB = "$FindBin::Bin/../../analyze/lib/Realfeel";
my %words = %{ Realfeel::Show::Words::SENTENCES() };
my @TABLES = ("$LIB/Show/Words.pm", glob "$LIB/Show/Words/*.pm");
my %is_table = map { $_ => 1 } @TABLES;

# Without comments.
sub code_of { my ($path) = @_; return contents($path) =~ s/^\s*#.*\n//mgr }

sub refused { my ($call) = @_; return eval { $call->(); 'not refused' } // $@ }

subtest 'a sentence is filled with values' => sub {
    is(words('cause.interrupt', who => 'eth0', lapse => '3.0 us'), 'eth0 3.0 us', 'each value is in its place');
    is(words('cause.interrupt', who => 0, lapse => '', other => 1), '0 ', 'a value may be 0 or empty, and another may be given');
    like(refused(sub { words('cause.none') }), qr/^no words for 'cause.none' at \Q$0\E/, 'a code that is not there');
    for my $value ([], [lapse => undef]) {
        like(refused(sub { words('cause.interrupt', who => 'eth0', @$value) }),
            qr/^the words for 'cause.interrupt' lack the value of 'lapse'/, 'a value that is not there');
    }
};

subtest 'each sentence is as a reader wants it' => sub {
    my @codes = map { contents($_) =~ /^    '?([\w.-]+)'?\s+=>/mg } @TABLES;
    is_deeply([sort @codes], [sort keys %words], 'each code is there once');
    for my $code (sort keys %words) {
        unlike($words{$code}, qr/%[sd]|[^\x20-\x7e]/, "$code has no format and only ASCII");
        unlike($words{$code} =~ s/\{\w+(?::[\w -]+)?\}//gr, qr/[{}]/, "$code has all braces in pairs");
    }
};

# A part of a code may be one that an answer has: words("cause.$code").
subtest 'each sentence is said, and each that is said is there' => sub {
    my $code = join '', map { code_of($_) } grep { !$is_table{$_} } glob "$LIB/Show/*.pm $LIB/Show/*/*.pm $LIB/Draw/*.pm $LIB/Try/*.pm";
    my @said = $code =~ /\bwords\(\s*'([^']+)'\s*[,)]/g;
    is_deeply([grep { !exists $words{$_} } @said], [], 'each sentence that is said is in the table');
    my %quoted = map { $_ => 1 } $code =~ /'([\w.-]+)'/g, $code =~ /\b([a-z]\w*\.[\w.-]+)/g;
    my @ends = $code =~ /"([\w.-]*\$[\w.>{}-]+)"/g;
    my @made = ((map { s/\$[\w>{}-]+/*/gr } @ends), (map { "$_*" } grep { /[._]\z/ } keys %quoted));
    my $made = join '|', map { quotemeta($_) =~ s{\\\*}{[\\w-]+}gr } grep { /\w[._]|[._]\w/ } @made;
    is_deeply([grep { !$quoted{$_} && !/\A(?:$made)\z/ } sort keys %words], [], 'each sentence of the table is said');

    # What is put behind "cause." is a word of whoever found the cause.
    my %known = map { $_ => 1 } map { split /[\W_]+/, code_of($_) } grep { !$is_table{$_} }
        map { glob "$LIB/$_/*.pm $LIB/$_/*/*.pm" } qw(Stat Input Model Answer Show Draw Try);
    my @unknown = grep { !$quoted{$_} && grep { !$known{$_} } split /[_-]/, s/.*?[.]//r } sort keys %words;
    is_deeply(\@unknown, [], 'the end of a code is a code that an answer has');
};

# A text of three words and more that is printed. What a refusal says stands where it is raised, behind a die.
sub sentences_in {
    my ($code) = @_;
    my $text = qr/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/;
    my @texts = grep { /(?:^|[ ('"])[A-Za-z][a-z]*,? [a-z]+,? [a-z]+[ ,.:;)'"]/ } map { /($text)/g }
        grep { !/^\s*(?:use|our)\b|\bqw[({]|\bdie\b/ } split /\n/, $code;
    return @texts;
}

subtest 'no sentence stands elsewhere' => sub {
    is_deeply([sentences_in("f('no period is late')\n\"\$n of the runs\"\ndie \"it has no runs\"\n'one two'")],
        ["'no period is late'", '"$n of the runs"'], 'sentences outside of the table are found');
    for my $path (grep { !$is_table{$_} && !m{/(?:Help|Json|Page)\.pm$} } glob "$LIB/Show/*.pm $LIB/Show/Compare/*.pm") {
        is_deeply([sentences_in(code_of($path))], [], $path =~ s{.*/Realfeel/}{}r);
    }
};

# Formats of other programs have such names, too, which are none of ours to change.
subtest 'a measure is named in one place' => sub {
    my @paths = grep { !m{/Model/Report\.pm$} } map { glob "$LIB/$_/*.pm $LIB/$_/*/*.pm" } qw(Stat Model Answer Show Draw);
    for my $path (@paths) {
        my @named = code_of($path) =~ /['"]((?:signed |absolute )?(?:wake-up latency|interval error)\b|lateness(?=,))/g;
        is_deeply(\@named, [], $path =~ s{.*/Realfeel/}{}r);
    }
};

# Words that a browser reads, and commands, are none.
subtest 'the page has no words of its own' => sub {
    for my $path ("$LIB/Show/Page.pm", glob "$LIB/Show/Page/*.pm") {
        my $code = contents($path) =~ s/<<'(\w+)'.*?^\g1$//msgr =~ s/^\s*#.*\n//mgr;
        my @quoted = grep { defined } map { /'([^']*)'|"([^"]*)"/g } split /\n/, $code;
        my @words = grep { /\A[A-Z][a-z]|[a-z]{2}:? [a-z]{2}/ && !/\A(?:<span |screen and|realfeel-analyze )/ } @quoted;
        is_deeply(\@words, [], $path =~ s{.*/Realfeel/}{}r);
    }
};

# Whether one of its statements matches a pattern against what is a sentence.
my $MATCHES = qr/[=!]~|\bsplit\s*m?\W|\b(?:grep|map|first|any|all)\s*\{\s*!?(?:\/|m\W|s\/)/;

sub functions_of { my ($code) = @_; return $code =~ /^sub (\w+) [^{\n]*(\{ .*? \}$|\{\n.*?^\}$)/msg }

# The functions of a module that return sentences: those that call words(), and those that return what one of these
# returns. A whole text is none.
sub speakers {
    my ($code, @known) = @_;
    my %body = functions_of($code);
    delete @body{qw(text texts table listing verbose)};
    my %speaks = map { $_ => 1 } @known;
    while (1) {
        my $names = join '|', keys %speaks;
        my @more = grep { !$speaks{$_} && $body{$_} =~ /\breturn\b[^;]*\b(?:$names)\(/ } keys %body or return keys %speaks;
        @speaks{@more} = (1) x @more;
    }
}

sub readers {
    my ($names, $code) = @_;
    my $sentence = qr/\b(?:$names)\(|->(?:caption|note)\b|\{(?:reason|sentence|caption|conclusion|doubt)\}
        |header\('(?:verdict|explain|schedule)'\)/x;
    my @statements = split /;\n|\{\n/, $code;
    my @found = grep { /$sentence[^;]*?$MATCHES/s || /$MATCHES[^;]*?$sentence/s } @statements;
    my @variables = map { /my [(]?([^=]*)=[^;]*\b(?:$names)\(/s ? $1 =~ m{\$(\w+)}g : () } @statements;
    return @found, grep { my $one = $_; grep { $one =~ /\$$_\b\s*[=!]~|\bsplit\b[^;]*\$$_\b/ } @variables } @statements;
}

subtest 'no sentence is read back' => sub {
    my @paths = grep { !m{/Show/(?:Words|Help)\.pm$} } map { glob "$LIB/$_/*.pm $LIB/$_/*/*.pm" } qw(Show Answer Draw Output);
    my $line_end = qr/\$@ =~ s\/\\n\\z\/\/r/;          # of a complaint, which is no part of what it says
    my %code = map { $_ => contents($_) =~ s/^\s*#.*\n//mgr =~ s/$line_end/\$@/gr } @paths;
    my @public = ('latency_words', grep { !/^_/ } map { speakers($_, 'words') } values %code);
    my $names = join '|', @public;
    like($names, qr/\bneeds_words\b/, 'functions that return a sentence are found');
    for my $bad ('my $x = needs_words(@y) =~ s/ at//r', 'return grep { /^p/ } needs_words(@y)', "my \$x = needs_words();\nf(\$x =~ /a/)",
        'my ($x) = $table->caption =~ /us/', 'split /:/, $report->header(\'verdict\')') {
        ok(scalar(() = readers($names, $bad)), "$bad: is found");
    }
    is_deeply([readers(join('|', speakers($code{$_}, @public)), $code{$_})], [], s{.*/Realfeel/}{}r) for sort keys %code;
};

subtest 'values have types in JSON' => sub {
    is(0 + number('5.50'), 5.5, 'a number out of a text');
    is(number($_), undef, defined $_ ? "$_ is no number" : 'an undefined value is no number') for undef, 'inf', 'nan', '', '5 us';
    is(text(5), '5', 'a number becomes a text');
    is(text(undef), undef, 'an undefined text stays undefined');
    ok(truth(1) && !truth(0) && !truth('') && !defined truth(undef), 'a truth is one for Perl');
    is_deeply([map { is_truth($_) ? 1 : 0 } truth(1), truth(0), 1, 0, '', undef], [1, 1, 0, 0, 0, 0], 'a truth is no number');
    is(truth(0) + 0, 0, 'a false truth is 0 in sums');
};

done_testing;
