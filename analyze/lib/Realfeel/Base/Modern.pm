# SPDX-License-Identifier: GPL-2.0-or-later
# What every file of the analyzer begins with: strict, warnings and signatures, no experiment since Perl 5.36. It is
# Perl 5.26 that has all functions of List::Util that are used.
package Realfeel::Base::Modern;
use v5.26;
use strict;
use warnings;

use feature ();

sub import {
    strict->import;
    warnings->import;
    feature->import('signatures');
    warnings->unimport('experimental::signatures');
}

1;
