# SPDX-License-Identifier: GPL-2.0-or-later
package Analyzer;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($analyze $try memory_mb);

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp ();
use lib abs_path(dirname(__FILE__) . '/../../analyze/lib');
use RunCommand qw(contents run);

# Where this is used, run($analyze, ...) calls the analyzer in this process, and run($try, ...) forks, without starting Perl,
# which takes longer than most answers. That the analyzer loads what it needs, and answers the same where it is started as
# people do, is seen by perl_base.t.

our ($analyze, $try) = map { abs_path(dirname(__FILE__) . "/../../analyze/realfeel-$_") } qw(analyze try);

my @STARTING = qw(LANG LC_ALL LC_CTYPE PERL5LIB PERL5OPT PERL_UNICODE);    # what Perl reads when it starts
my %begun = map { $_ => $ENV{$_} // '' } @STARTING;
my @OF_TRY = map { "Realfeel/$_.pm" } qw(Answer/Trial Model/Cpus Model/Report Model/Names Show/Compare Try/Changes Try/Experiment);
my $test = $$;
my %main;
$RunCommand::here{$analyze} = \&ready;
$RunCommand::forked{$try} = \&ready;

sub main_of {
    my ($program) = @_;
    my ($package, $text) = ('Analyzer::' . basename($program) =~ tr/-/_/r, contents($program));
    eval "package $package;\n#line 1 \"$program\"\n$text";
    die $@ if $@;
    return $package->can('main');
}

# What is to be called; undef where Perl would start otherwise by now. What an experiment needs is loaded once, before.
sub ready {
    my ($program) = @_;
    return undef if grep { ($ENV{$_} // '') ne $begun{$_} } @STARTING;
    local $/ = "\n";
    my $main = $main{$program} //= main_of($program);
    require for $program eq $try ? @OF_TRY : ();
    return sub {
        local ($/, $0) = ("\n", $program);
        my $status = $main->(@_);
        STDOUT->flush;
        File::Temp::cleanup() if $$ != $test;
        return $status;
    };
}

# The most memory in MB that an answer takes, where Perl is started for it.
sub memory_mb {
    local $ENV{PERL5OPT} = '-I' . dirname(abs_path(__FILE__)) . ' -MPeak';
    my ($status, undef, $err) = run($analyze, @_);
    return $status == 0 && $err =~ /^VmHWM:\s+(\d+) kB/m ? $1 / 1024 : die "@_[0, 1]: status $status, no memory told: $err\n";
}

1;
