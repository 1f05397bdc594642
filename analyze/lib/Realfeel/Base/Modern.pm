# SPDX-License-Identifier: GPL-2.0-or-later
# What every file of the analyzer begins with: strict, warnings, signatures, and, for a module, an import that exports
# each function and constant that is asked for, except those whose names begin with an underscore.
package Realfeel::Base::Modern;
use strict;
use warnings;

use feature ();

require 5.026;      # the first with all functions of List::Util that are used; "use" would load its features, too

sub import {
    my $package = caller;
    no strict 'refs';
    *{"${package}::import"} = \&_export unless $package eq 'main';
    strict->import;
    warnings->import;
    feature->import('signatures');
    warnings->unimport('experimental::signatures') if $] < 5.036;
}

# Dies, naming the place of the "use"
sub _export {
    my ($package, @names) = @_;
    my ($user, $file, $line) = caller;
    no strict 'refs';
    for (@names) {
        die "$package exports no $_ at $file line $line\n" unless /^[^_]/ && defined &{"${package}::$_"};
        *{"${user}::$_"} = \&{"${package}::$_"};
    }
}

1;
