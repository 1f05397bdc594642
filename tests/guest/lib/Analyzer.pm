# SPDX-License-Identifier: GPL-2.0-or-later
package Analyzer;

use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Find qw(find);
use FindBin;
use Guest qw(slurp);

our @EXPORT_OK = qw($TRY analyzer);

=head1 NAME

Analyzer - realfeel-try in a guest

=head2 $TRY

What the guest's shell calls.

=head2 analyzer()

The files that it takes, a hash of their contents by their paths, which are those of the host: the program, the analyzer's
modules, and what the host's Perl loads for it. F<perl> itself is to be one of the guest's programs.

=cut

my $HOME = abs_path("$FindBin::Bin/../../analyze");
our $TRY = "perl $HOME/realfeel-try";

my $LOADED = 'require "./realfeel-try"; require DynaLoader; print map { "$_\n" } grep { m{^/} } values %INC,'
    . ' @DynaLoader::dl_shared_objects';

sub analyzer {
    my @ours = ("$HOME/realfeel-try");
    find({ no_chdir => 1, wanted => sub { push @ours, $_ if /\.pm\z/ } }, "$HOME/lib");
    chomp(my @perl = `cd '$HOME' && '$^X' -e '$LOADED'`);
    die "the host's Perl does not load realfeel-try\n" if $?;
    return map { (s{^/}{}r => slurp($_)) } @ours, @perl;
}

1;
