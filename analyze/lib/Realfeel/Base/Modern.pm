# SPDX-License-Identifier: GPL-2.0-or-later
# What every file of the analyzer begins with: strict, warnings and signatures.
package Realfeel::Base::Modern;
use strict;
use warnings;

use feature ();

require 5.026;      # the first with all functions of List::Util that are used; "use" would load its features, too

sub import {
    strict->import;
    warnings->import;
    feature->import('signatures');
    warnings->unimport('experimental::signatures') if $] < 5.036;
}

1;
