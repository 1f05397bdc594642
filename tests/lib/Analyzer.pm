# SPDX-License-Identifier: GPL-2.0-or-later
package Analyzer;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw($analyze memory_mb);

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp ();
use RunCommand;

# Where this is used, run($analyze, ...) runs the analyzer in a process of its own without starting Perl for it, which
# takes four times as long as most answers. That it loads what it needs is seen by perl_base.t, which starts it as
# people do, and of each module by tests/style/load.t.

our $analyze = abs_path(dirname(__FILE__) . '/../../analyze/realfeel-analyze');
$RunCommand::forked{$analyze} = \&ready;

my @STARTING = qw(LANG LC_ALL LC_CTYPE PERL5LIB PERL5OPT PERL_UNICODE);    # what Perl reads when it starts
my %begun = map { $_ => $ENV{$_} // '' } @STARTING;
my $modules = File::Temp->new;

my $text = contents($analyze);
eval "package Analyzer::Program;\n#line 1 \"$analyze\"\n$text; 1" or die $@;

# Loads the modules that answers so far have taken, so that those to come need not. Returns what is to be called.
sub ready {
    return undef if grep { ($ENV{$_} // '') ne $begun{$_} } @STARTING;
    local $/ = "\n";
    require for split /\n/, contents("$modules");
    return \&answer;
}

sub answer {
    local $/ = "\n";
    my $before = keys %INC;
    local $0 = $analyze;
    my $status = Analyzer::Program::main(@_);
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
