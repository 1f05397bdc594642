#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The architecture of the analyzer: which module may use which. A module that is not in the table is not part of it.
# tests/style/modules.t --print draws it: each module with its lines of code and what it uses.
use strict;
use warnings;
use File::Find qw(find);
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(first sum0);
use RunCommand qw(contents);
use Test::More;

# From the view down to the ground: a module uses what stands below its layer, or beside it in its own quotes.
my @LAYERS = (
    ['Options', 'Page Page/*'],
    ['Screen Listing Ranking Json Help Audit */Text'],
    ['Compare Compare/*', 'Tail', 'Plot Plot/* Gnuplot', 'Merge Merge/Runs Merge/Cpus', 'Import',
        'Export Export/*', 'Grid/Figures'],
    ['Trend Trend/Change'],
    ['Stats Modes Names Classic Facts Circumstances Grid Model/Copies'],
    ['Cpus Cpus/*'],
    ['Model/Likeness'],
    ['Show/Why'],
    ['Answer/Why', 'Answer/Remedies'], ['Answer/Segments', 'Answer/Blame'], ['Answer/Waiting'],
    ['Explain', 'Explain/Sum', 'Model/Records'],
    ['Report Report/*', 'Merge/Header', 'Merge/Events'], ['Merge/Sums'],
    ['Format1 Format1/Explain Format2002 Parts Writer', 'Input/*'], ['Format1/Columns'],
    ['Bins Pieces', 'Stat/Bounds'],
    ['Distribution Lines'],
    ['Chance', 'Stat/Outliers'],
    ['Table'], ['Units'],
);

# A file is opened for so many lines of code and more, unless there is a reason.
use constant LEAST => 40;
my %SMALL = ('Input/Jitterdebugger' => 'one file a format');

my $ANALYZER = "$FindBin::Bin/../../analyze";
my %code     = map { $_ => code("$ANALYZER/lib/Realfeel/$_.pm") } modules();
my %uses     = map { $_ => [used($_)] } keys %code;

sub modules {
    my @modules;
    find(sub { push @modules, $File::Find::name =~ m{/lib/Realfeel/(.+)\.pm$} }, "$ANALYZER/lib");
    return @modules;
}

# The lines that are neither empty nor comments nor manual.
sub code {
    my ($file) = @_;
    my $text = contents($file) =~ s/^__END__\n.*//msr =~ s/^=\w.*?^=cut\n//msgr;
    return [grep { !/^\s*(?:#|$)/ } split /\n/, $text];
}

# A module is used where its name stands in the code. Of those that are loaded by a name in a variable, the table that it
# comes from has the names in quotes.
sub used {
    my ($module) = @_;
    my $text = join "\n", @{ $code{$module} };
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

sub matches {
    my ($module, $patterns) = @_;
    return grep { my $pattern = quotemeta($_) =~ s/\\\*/\\w+/r; $module =~ /^$pattern$/ } split ' ', $patterns;
}

# The layer, counted from the view, and what stands together there.
sub place {
    my ($module) = @_;
    for my $layer (0 .. $#LAYERS) {
        my $together = first { matches($module, $_) } @{ $LAYERS[$layer] };
        return ($layer, $together) if defined $together;
    }
    return;
}

sub may_use {
    my ($user, $used) = @_;
    my ($from, $here) = place($user) or return 0;
    my ($to, $there)  = place($used) or return 0;
    return $from < $to || $here eq $there;
}

# What a module reaches, its own name included where there is a way back.
sub reached {
    my ($module) = @_;
    my (%reached, @next);
    @next = @{ $uses{$module} };
    while (defined(my $next = pop @next)) {
        push @next, @{ $uses{$next} } unless $reached{$next}++;
    }
    return \%reached;
}

sub print_graph {
    for my $together (map { @$_ } @LAYERS) {
        my @here = grep { ((place($_))[1] // '') eq $together } sort keys %code;
        print "$together\n", map { sprintf "    %-26s%4d  %s\n", $_, scalar @{ $code{$_} }, "@{ $uses{$_} }" } @here;
    }
    printf "%d modules and the program, %d lines of code\n", scalar keys %code,
        sum0(map { scalar @$_ } values %code, code("$ANALYZER/realfeel-analyze"));
}

if ("@ARGV" eq '--print') {
    print_graph();
    exit;
}

for my $module (sort keys %code) {
    ok(defined place($module), "$module is in the table");
    is_deeply([grep { !may_use($module, $_) } @{ $uses{$module} }], [], "$module uses only what it may");
    ok(!reached($module)->{$module}, "$module is in no circle");
    is(@{ $code{$module} } < LEAST ? 'small' : '', $SMALL{$module} ? 'small' : '', "$module is worth a file");
}

# A report answers questions; what is in it is the affair of those who read it. What is written is a plain hash.
my %is_inside = map { $_ => 1 } qw(Report Format1 Format2002 Lines Parts Writer);
my $inside = join '|', qw(file format header keys sets bins pieces);
for my $module (grep { !$is_inside{$_} } sort keys %code) {
    my @reaching = grep { /[\${](?:report|base|file)\}?(?:->)?\{(?:$inside)\}/ } @{ $code{$module} };
    is_deeply(\@reaching, [], "$module does not reach into a report");
}

done_testing;
