# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;

check_cases('rt');
