# SPDX-License-Identifier: GPL-2.0-or-later
package Preflight;

use strict;
use warnings;
use Exporter 'import';
use Test::More;

our @EXPORT = qw(preflight);

=head1 NAME

Preflight - a case: what a kernel would do to a measurement is found, and not any more when the remedy was applied

=head2 preflight($status, $said)

C<realfeel --check> with the RTC exits with $status and prints a line that is like $said.

=cut

sub preflight {
    my ($status, $said) = @_;
    my $remedy = q(pidof ktimers/0 | xargs -r -n 1 chrt -f -p);
    my $check = 'realfeel --check -s rtc';
    my $script = "$check >before; s=\$?; $remedy 95; $check >after; echo \$? >remedied; $remedy 1; (exit \$s)";
    return ['check', $script, $status, sub {
        my ($left) = @_;
        like($left->{before}, $said, 'what it says');
        like($left->{after}, qr/^no findings(?:, \d limits? of the machine)?, 1 unknown: this system does not show it\n\z/m,
            'with the remedy, nothing is found');
        is($left->{remedied}, "0\n", 'and the exit status is that of nothing found');
    }];
}

1;
