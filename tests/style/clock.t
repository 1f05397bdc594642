#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What "make check" says is true every time: it waits for no clock, asserts no figure of the machine, and the name of each
# test can be read alone. tests/style/clock.t --names prints all names, and which of them lean on others.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use RunCommand qw(contents run);
use Test::More;

# Who may look at a clock nevertheless.
my %EXCEPTED = (
    'tests/run'                   => 'it prints what each file took',
    'tests/lib/RunCommand.pm'     => 'it waits for other processes, and gives up on those that hang',
    'tests/analyze/fuzz.t'        => 'it bounds the CPU time that a damaged report may take',
    'tests/analyze/import_fuzz.t' => 'it bounds the CPU time that a damaged file may take',
    'tests/machine/lib/Tries.pm'  => 'it says how long the tries took',
    'tests/lib/Seed.pm'           => 'the seed of make check-all is the time',
    'tests/unit/tap.c'            => 'the seed of make check-all is the time',
    'tests/unit/killed.c'         => 'it kills at any moment, for the same must hold at each',
);

# What is bounded in real time nevertheless.
my %BOUNDED = ('tests/cli/rights.t' => 'the memory that each meter locks is its own');

# Words with which a name goes on where another one ended, or points back at it.
my $GOES_ON = qr/(?:and|or|but|nor|neither|either|also|too|so|then|again|still|yet|even|only|once|twice|another|such
    |although|though|unless|except|not|no\ more|none|than|as|of|to|by|up\ to|behind)\b/xi;
my $POINTS = qr/(?:it|its|itself|they|their|theirs|them|that|those|these|this|who|whose|which|whoever|there
    |the\ (?:same|others?|ones?|next|rest))\b(?!\w*\ \w+\ that\b)/xi;

# One of several that a name before has named. A verb follows that is that one's, or nothing.
my $COUNTED = qr/(?!all\ is\ well)(?:one|two|three|four|both|each|all|some|most|many|few|several|others?
    |the\ (?:first|second|third|last|younger|older|youngest|oldest|least|greatest|worst))
    (?:\ of\ (?:them|these|those))?(?:$|\ (?:is|are|was|were|has|have|had|does|may|can|must|that|in|at|on|by|with|without
    |less|too|alone|comes?|ends?|stays?|goe?s?)\b)/xi;
my $VERB = qr/(?:is|are|was|were|has|have|had|does|did|do|can|may|says)\b/i;

# What begins with a circumstance goes on, behind a comma or a colon, with a sentence.
my $CLAUSE = qr/(?:with|without|in|at|on|for|from|after|before|until|where|when|if|while|since|because|within|between|below
    |above|beside)\b(?!.*[,:])/xi;
my $WORD = qr/(?:the |an? )?[\w-]+$/i;

my $STRING   = qr/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\]|\\.)*"/s;
my $PATTERN  = qr{/(?:[^/\\]|\\.)*/};
my $COMPARED = qr/(?:ok|is|isnt|like|unlike|cmp_ok|is_deeply)/;

sub leans {
    my ($name) = @_;
    return $name =~ /^(?:$GOES_ON|$POINTS|$COUNTED|$VERB|$CLAUSE|$WORD)/
        || $name =~ /^(?:%\w+|[\$\@][\w{}>\[\]-]+): (?:and|or|but|nor|neither|either|also|then|so)\b/;
}

# The names of tests in Perl: the last string of a call.
sub names_in_perl {
    my ($text) = @_;
    $text =~ s/^\s*#.*//mg;
    my $end   = qr/\)(?=\s*(?:;|or\b|for\b|if\b|unless\b|\}\s*(?:[;,)]|$)|$))/m;
    my @names = $text =~ /\b$COMPARED\((?:(?!\b$COMPARED\(|,\ \$\w+$end).)*?,\s*($STRING)$end/sg;
    return map { s/\A.|.\z//gsr } @names, $text =~ /\b(?:subtest|pass|fail)[ (]\s*($STRING)/g;
}

# A function of a test in C with a name among its parameters passes it on.
sub passed_on {
    my %place = (ok => 1, is => 2, is_text => 2);
    for my $file (@_) {
        my $text = contents($file);
        while ($text =~ /^(?:static )?\w+ (\w+)\(([^;{]*\bconst char \*name\b[^;{]*)\)/mg) {
            my ($function, @parameters) = ($1, split /,/, $2);
            ($place{"$file $function"}) = grep { $parameters[$_] =~ /\*name\b/ } 0 .. $#parameters;
        }
    }
    return %place;
}

# The arguments of a call, whose text begins behind the parenthesis.
sub arguments {
    my ($text) = @_;
    my ($depth, @arguments) = (1, '');
    while ($text =~ /\G($STRING|[^"'()\[\]{},]+|.)/sg) {
        my $token = $1;
        $depth += $token =~ /^[(\[{]$/ ? 1 : $token =~ /^[)\]}]$/ ? -1 : 0;
        last if !$depth;
        if ($depth == 1 && $token eq ',') { push @arguments, '' }
        else                              { $arguments[-1] .= $token }
    }
    return @arguments;
}

sub names_in_c {
    my ($file, %place) = @_;
    my $text = contents($file);
    my @names;
    while ($text =~ /^\s[^\n"]*?\b(\w+)\(/mg) {
        my $place = $place{$1} // $place{"$file $1"} // $place{"tests/unit/evidence.c $1"} // next;
        my $argument = (arguments(substr $text, pos $text))[$place] // '';
        push @names, map { s/\A.|.\z//gsr } $argument =~ /($STRING)(?!\s*")/g if $argument =~ s/"\s+"//gr =~ /^\s*(?:\w+ \? )?"/;
    }
    return @names;
}

sub names_in {
    my ($file) = @_;
    return $file =~ /\.c$/ ? names_in_c($file, passed_on(grep { -e } $file, 'tests/unit/evidence.c')) : names_in_perl(contents($file));
}

# Lines without their comments, strings and patterns.
sub code {
    my ($file) = @_;
    my $text = contents($file);
    return map { s/$STRING//gr } split /\n/, $text =~ s{/\*.*?\*/}{}gsr if $file =~ /\.c$/;
    $text =~ s/\n__END__\n.*//s;
    $text =~ s/\bqr$PATTERN|(?:[({,]|=~) $PATTERN//gs;
    return map { s/$STRING|\bqw\([^)]*\)//gr =~ s/(?:^|\s)#.*//r } split /\n/, $text;
}

my $CLOCK_OF_PERL = qr/(?<![\$\@%&>{:\w-])(?:(?:u?sleep|alarm|setitimer|localtime|gmtime|gettimeofday|clock_gettime)\b
    (?!\s*(?:=>|[\}=]))|(?<!\d\ )times?(?=\s*(?:[-+<>:;,)]|$)))|\bselect\s*\(?\s*undef|\bTime::HiRes\b|\$RANDOM\b/x;
my $CLOCK_OF_C = qr/\b(?:u?sleep|nanosleep|clock_nanosleep|alarm|setitimer|timer_settime|time|gettimeofday|clock_gettime
    |monotonic_ns|s?random|s?rand)\(|\bSYS_(?:nanosleep|clock_gettime)\b|\b(?:RLIMIT_CPU|ru_utime|ru_stime|ru_nvcsw)\b
    |\bpoll\(.*,\ [1-9A-Z]\w*\)/x;

# What looks at a clock of the machine, or at the time that it took. A test in C may bring a clock of its own.
sub looks_at_clock {
    my ($file) = @_;
    my @code = code($file);
    return grep { /$CLOCK_OF_PERL/ } @code if $file !~ /\.c$/;
    my $own = grep { /^int clock_gettime\(/ } @code;
    return grep { /$CLOCK_OF_C/ && !/^int (?:clock_|us)/ && !($own && /\bmonotonic_ns\(/) } @code;
}

# The files that "make check" runs, or links.
sub gate {
    delete local @ENV{grep { /^(?:MAKE|SAN$)/ } keys %ENV};
    my $list = '$(filter-out $(long),$(tests)) $(unit_tools) $(filter-out $(machine_units),$(unit_tests))';
    my (undef, $files) = run('make', '-s', "--eval=gate: ; \@echo $list", 'gate');
    return map { s{^build/(unit/.*)}{tests/$1.c}r } split ' ', $files;
}

# The modules that these use, and what those use.
sub modules_of {
    my %module;
    my @next = @_;
    while (defined(my $file = shift @next)) {
        my ($folder) = $file =~ m{(.*?)(?:/lib)?/[^/]+$};
        push @next, grep { -e && !$module{$_}++ } map { ("tests/lib/$_.pm", "$folder/lib/$_.pm") } contents($file) =~ /^use ([A-Z]\w+)/mg;
    }
    return sort keys %module;
}

# What draws, or uses what draws, must have a seed. RunCommand only keeps what others draw.
sub draws { my ($file) = @_; return $file !~ /RunCommand/ && grep { /(?<![\$\@%&>{:\w-])(?:s?rand|shuffle)\b/ && !/^use / } code($file) }

sub lacks_seed {
    my ($file) = @_;
    my @with = ($file, modules_of($file));
    return (grep { !$EXCEPTED{$_} && draws($_) } @with) && !grep { m{/Seed\.pm$} } @with;
}

# What comes of the machine is bounded nowhere: a run in real time may be compared for equality alone.
sub bounds_machine {
    my ($file) = @_;
    my $text = contents($file);
    return $text =~ /^use Program\b/m && $text !~ /^use Sim;/m && !$BOUNDED{$file} ? grep { /\bcmp_ok\(/ } split /\n/, $text : ();
}

my @files = gate();
if ("@ARGV" eq '--names') {
    for my $file (@files) {
        print map { (leans($_) ? 'leans ' : 'stands') . " $file: $_\n" } names_in($file);
    }
    exit;
}

for my $file (@files, modules_of(grep { /\.t$/ } @files), 'tests/run') {
    my @looks = looks_at_clock($file);
    if   ($EXCEPTED{$file}) { ok(scalar @looks, "$file looks at a clock: $EXCEPTED{$file}") }
    else                    { is_deeply(\@looks, [], "$file looks at no clock") }
}
for my $file (grep { /\.t$/ } @files) {
    ok(!lacks_seed($file), "$file draws the same each time");
    is_deeply([bounds_machine($file)], [], "$file bounds no figure of the machine");
}
is_deeply([grep { leans($_) } names_in($_)], [], "$_: each name can be read alone") for @files;

ok(leans($_), "'$_' leans on another name") for 'and the same', 'it is killed', 'which is said', 'either way', 'of the run',
    'with the line', 'the second', 'one is pending', 'says so', 'expiries';
ok(!leans($_), "'$_' can be read alone") for 'the load runs as the invoking user', 'after a kill, nothing is counted twice';

done_testing;
