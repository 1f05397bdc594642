#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The architecture of the analyzer: its rooms, the folders of analyze/lib/Realfeel, and which may use which.
# tests/style/modules.t --print draws it: each module with its lines of code and what it uses.
use strict;
use warnings;
use File::Find qw(find);
use FindBin;
use lib map { "$FindBin::Bin/../$_" } qw(lib ../analyze/lib);
use List::Util qw(first sum0);
use RunCommand qw(contents);
use Test::More;

# From the ground up: nobody uses what stands to the right. Statistics, histograms included, know no report, only
# numbers, and so stand left of those who read and make one; a report reads itself, and so stands right of the formats.
# Files and Options are the programs'; experiments, which change the machine, are above all.
my @ROOMS = map { [split /\|/] } split ' ', 'Base Stat Input Model Answer Show|Draw|Output Files Options Try';

# Who may do it nevertheless.
my %EXCEPTED = (
    'Show/Page Draw/Plot'          => 'a page holds its pictures',
    'Show/Page Draw/Series'        => 'and that of an experiment',
    'Draw/Cells Show/Figures'      => 'a finding is said as in the text',
    'Output/Export Show/Compare'   => 'and so are the messages of tests',
);

# A verb leads to a file of its name, unless a room to its left has the word for something else.
my %CALLED = (report => 'Page', table => 'Grid', explain => 'Why');

# A file is opened for so many lines of code and more, unless there is a reason.
use constant LEAST => 35;
my %SMALL = ('Base/Modern' => 'every file begins with it', 'Base/Typed' => 'all answers use it');

my $ANALYZER = "$FindBin::Bin/../../analyze";
my %code     = map { $_ => code("$ANALYZER/lib/Realfeel/$_.pm") } modules();
my %uses     = map { $_ => [used($_, $code{$_})] } keys %code;
my ($program, $try) = map { code("$ANALYZER/realfeel-$_") } qw(analyze try);

sub modules {
    my @modules;
    find(sub { push @modules, $File::Find::name =~ m{/lib/Realfeel/(.+)\.pm$} }, "$ANALYZER/lib");
    return @modules;
}

# The lines that are neither empty nor comments nor manual.
sub code {
    my ($file) = @_;
    my $text = contents($file) =~ s/^__END__\n.*//msr;
    return [grep { !/^\s*(?:#|$)/ } split /\n/, $text];
}

# A module is used where its name stands in the code. Of those that are loaded by a name in a variable, the table that it
# comes from has the names in quotes.
sub used {
    my ($module, $code) = @_;
    my $text = join "\n", @$code;
    my @named = map { existing($_) } $text =~ m{\bRealfeel(?:::|/)((?:(?:::|/)?[A-Z]\w*)+)}g;
    my @quoted = $text =~ /'([A-Z]\w*)'/g;
    for my $folder ($text =~ m{"Realfeel/(\w+)/\$}g) {
        push @named, grep { $code{$_} } map { "$folder/$_" } @quoted;
    }
    my %used = map { $_ => 1 } grep { $_ ne $module } @named;
    return sort keys %used;
}

# What follows the name of a module is one of its functions or constants.
sub existing {
    my ($name) = @_;
    $name =~ s{::}{/}g;
    1 while !$code{$name} && $name =~ s{/[^/]+$}{};
    return $code{$name} ? $name : ();
}

# The room, counted from the ground, and its name.
sub place {
    my ($module) = @_;
    my ($name) = split m{/}, $module;
    my $number = first { grep { $_ eq $name } @{ $ROOMS[$_] } } 0 .. $#ROOMS;
    return defined $number ? ($number, $name) : ();
}

sub may_use {
    my ($user, $used) = @_;
    my ($from, $here) = place($user) or return 0;
    my ($to, $there)  = place($used) or return 0;
    return $to < $from || $here eq $there || $EXCEPTED{"$user $used"};
}

# What is reached from these modules; a module's own name is included where there is a way back.
sub reached {
    my @next = @_;
    my %reached;
    while (defined(my $next = pop @next)) {
        push @next, @{ $uses{$next} } unless $reached{$next}++;
    }
    return \%reached;
}

sub print_graph {
    for my $room (map { @$_ } @ROOMS) {
        my @here = grep { (place($_))[1] eq $room } sort keys %code;
        printf "%s: %d modules, %d lines of code\n", $room, scalar @here, sum0(map { scalar @{ $code{$_} } } @here);
        printf "    %-26s%4d  %s\n", $_, scalar @{ $code{$_} }, "@{ $uses{$_} }" for @here;
    }
    printf "%d modules and the programs, %d lines of code\n", scalar keys %code,
        sum0(map { scalar @$_ } values %code, $program, $try);
}

if ("@ARGV" eq '--print') {
    print_graph();
    exit;
}

for my $module (sort keys %code) {
    ok(defined place($module), "$module is in a room");
    my $text = contents("$ANALYZER/lib/Realfeel/$module.pm");
    like($text, qr/\A#.*\n(?:# .+\n|#\n)+package .+;\nuse (?:strict|Realfeel::Base::Modern);\n/, "$module says what it is for");
    unlike($text, qr/^=\w/m, "$module has its contracts in comments");
    is_deeply([grep { !may_use($module, $_) } @{ $uses{$module} }], [], "$module uses only what it may");
    ok(!reached(@{ $uses{$module} })->{$module}, "$module is in no circle");
    is(@{ $code{$module} } < LEAST ? 'small' : '', $SMALL{$module} ? 'small' : '', "$module is worth a file");
}

for my $excepted (sort keys %EXCEPTED) {
    my ($user, $used) = split ' ', $excepted;
    ok((grep { $_ eq $used } @{ $uses{$user} // [] }), "$user uses $used: $EXCEPTED{$excepted}");
}

my $led_to = reached(used('the program', $program));
for my $verb (map { /^    (\w+) +=> \[\\&/ } @$program) {
    my $name = $CALLED{$verb} // ucfirst $verb;
    ok((grep { m{/$name\z} } keys %$led_to), "$verb leads to $name.pm");
}
is_deeply([grep { m{^Try/} } keys %$led_to], [], 'nothing that changes the machine is in reach of realfeel-analyze');
is_deeply([grep { m{^Try/} && !reached(used('realfeel-try', $try))->{$_} } keys %code], [], 'all of that is in reach of realfeel-try');

# A report answers questions, and has the facts that Model/Report lists; what else is in it is the affair of those who read
# it. What is written is a plain hash.
my %is_inside = map { $_ => 1 } qw(Model/Report Input/Format1 Input/Format2002 Input/Lines Output/Writer);
my $inside = join '|', qw(header keys sets bins pieces);
for my $module (grep { !$is_inside{$_} } sort keys %code) {
    my @reaching = grep { /(?:\$(?:report|base|file)->|\{report\})\{(?:$inside)\}/ } @{ $code{$module} };
    is_deeply(\@reaching, [], "$module does not reach into a report");
}

ok(eval 'use Realfeel::Base::Units qw(short); short(1)', 'a module exports what is asked for');
ok(!eval "use Realfeel::Base::Units qw($_); 1", "$_ is not exported") for qw(_escaped missing);

done_testing;
