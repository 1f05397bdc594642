# SPDX-License-Identifier: GPL-2.0-or-later
package Analyzer;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($analyze $try memory_mb);

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp ();
use RunCommand;

# Where this is used, run($analyze, ...) and run($try, ...) run the programs in a process of its own without starting Perl
# for it, which takes four times as long as most answers. That they load what they need is seen by perl_base.t, which
# starts the analyzer as people do.

our ($analyze, $try) = map { abs_path(dirname(__FILE__) . "/../../analyze/realfeel-$_") } qw(analyze try);

my @STARTING = qw(LANG LC_ALL LC_CTYPE PERL5LIB PERL5OPT PERL_UNICODE);    # what Perl reads when it starts
my %begun = map { $_ => $ENV{$_} // '' } @STARTING;
my $modules = File::Temp->new;
my %main;
$RunCommand::forked{$_} = \&ready for $analyze, $try;

sub main_of {
    my ($program) = @_;
    my ($package, $text) = ('Analyzer::' . basename($program) =~ tr/-/_/r, contents($program));
    eval "package $package;\n#line 1 \"$program\"\n$text";
    die $@ if $@;
    return $package->can('main');
}

# Loads the modules that answers so far have taken, so that those to come need not. Returns what is to be called.
sub ready {
    my ($program) = @_;
    return undef if grep { ($ENV{$_} // '') ne $begun{$_} } @STARTING;
    local $/ = "\n";
    my $main = $main{$program} //= main_of($program);
    require for split /\n/, contents("$modules");
    return sub { return answer($program, $main, @_) };
}

sub answer {
    my ($program, $main, @arguments) = @_;
    local $/ = "\n";
    local $0 = $program;
    my $before = keys %INC;
    my $status = $main->(@arguments);
    STDOUT->flush;
    file_of("$modules", join "\n", grep { m{^Realfeel/} } keys %INC) if keys %INC > $before;
    File::Temp::cleanup();
    return $status;
}

# The most memory in MB that an answer takes, where Perl is started for it.
sub memory_mb {
    local $ENV{PERL5OPT} = '-I' . dirname(abs_path(__FILE__)) . ' -MPeak';
    my ($status, undef, $err) = run($analyze, @_);
    return $status == 0 && $err =~ /^VmHWM:\s+(\d+) kB/m ? $1 / 1024 : die "@_[0, 1]: status $status, no memory told: $err\n";
}

1;
