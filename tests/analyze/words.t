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

sub refused { my ($call) = @_; return eval { $call->(); 'not refused' } // $@ }

subtest 'a sentence is filled with values' => sub {
    is(words('cause.interrupt', who => 'eth0', lapse => '3.0 us'), 'eth0 3.0 us', 'each in its place');
    is(words('cause.interrupt', who => 0, lapse => '', other => 1), '0 ', 'also 0 and nothing; one that is not named may be there');
    like(refused(sub { words('cause.none') }), qr/^no words for 'cause.none' at \Q$0\E/, 'a code that is not there');
    for my $value ([], [lapse => undef]) {
        like(refused(sub { words('cause.interrupt', who => 'eth0', @$value) }),
            qr/^the words for 'cause.interrupt' lack the value of 'lapse'/, 'a value that is not there');
    }
};

subtest 'each sentence is as a reader wants it' => sub {
    my @codes = contents("$LIB/Show/Words.pm") =~ /^    '?([\w.-]+)'?\s+=>/mg;
    is_deeply([sort @codes], [sort keys %words], 'each code is there once');
    for my $code (sort keys %words) {
        unlike($words{$code}, qr/%[sd]|[^\x20-\x7e]/, "$code has no format and only ASCII");
        unlike($words{$code} =~ s/\{\w+(?::[\w -]+)?\}//gr, qr/[{}]/, "$code has all braces in pairs");
    }
};

# A part of a code may be one that an answer has: words("cause.$code").
subtest 'each sentence is said, and each that is said is there' => sub {
    my @modules = grep { !m{/Words\.pm$} || m{/Draw/} } glob "$LIB/Show/*.pm $LIB/Show/*/*.pm $LIB/Draw/*.pm";
    my $code = join '', map { contents($_) } @modules;
    my @said = $code =~ /\bwords\(\s*'([^']+)'\s*[,)]/g;
    is_deeply([grep { !exists $words{$_} } @said], [], 'none is missing');
    my %quoted = map { $_ => 1 } $code =~ /'([\w.-]+)'/g, $code =~ /\b([a-z]\w*\.[\w.-]+)/g;
    my @ends = $code =~ /"([\w.-]*\$[\w.>{}-]+)"/g;
    my @made = ((map { s/\$[\w>{}-]+/*/gr } @ends), (map { "$_*" } grep { /[._]\z/ } keys %quoted));
    my $made = join '|', map { quotemeta($_) =~ s{\\\*}{[\\w-]+}gr } grep { /\w[._]|[._]\w/ } @made;
    is_deeply([grep { !$quoted{$_} && !/\A(?:$made)\z/ } sort keys %words], [], 'none is there for nothing');
};

subtest 'types' => sub {
    is(0 + number('5.50'), 5.5, 'a number out of a text');
    is(number($_), undef, defined $_ ? "$_ is no number" : 'nor is what is not known') for undef, 'inf', 'nan', '', '5 us';
    is(text(5), '5', 'a text');
    is(text(undef), undef, 'that is not known');
    ok(truth(1) && !truth(0) && !truth('') && !defined truth(undef), 'a truth is one for Perl');
    is_deeply([map { is_truth($_) ? 1 : 0 } truth(1), truth(0), 1, 0, '', undef], [1, 1, 0, 0, 0, 0], 'and is told from numbers');
    is(truth(0) + 0, 0, 'and counts as one');
};

done_testing;
