# SPDX-License-Identifier: GPL-2.0-or-later
# Strings quoted for the shell.
package Realfeel::Base::Shell;
use Realfeel::Base::Modern;

sub shell_word ($word) {
    return $word if $word =~ m{\A[\w./:=,+\@%-]+\z};
    return q(') . $word =~ s/'/'\\''/gr . q(');
}

# Like shell_word, but a file such as -x is not taken for an option
sub shell_file ($path) { return shell_word($path =~ s{\A(?=-)}{./}r) }

1;
