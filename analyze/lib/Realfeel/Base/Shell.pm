# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Base::Shell;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(shell_file shell_word);

=head1 NAME

Realfeel::Base::Shell - texts as words of a command line

=head1 FUNCTIONS

=head2 shell_word($text)

As a word of a command line.

=head2 shell_file($path)

The same; a file like F<-x> is no option there.

=cut

sub shell_word ($word) {
    return $word if $word =~ m{\A[\w./:=,+\@%-]+\z};
    return q(') . $word =~ s/'/'\\''/gr . q(');
}

sub shell_file ($path) { return shell_word($path =~ s{\A(?=-)}{./}r) }

1;
