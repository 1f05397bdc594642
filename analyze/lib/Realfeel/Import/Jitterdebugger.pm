# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Jitterdebugger;
use strict;
use warnings;

use JSON::PP ();
use Realfeel::Import::Threads qw(bytes threads);

=head1 NAME

Realfeel::Import::Jitterdebugger - read the results.json of jitterdebugger

=head1 FUNCTIONS

=head2 parse($lines)

See L<Realfeel::Import>. What C<count> has and the histogram has not lies beyond the histogram.

=cut

sub parse {
    my ($lines) = @_;
    my $document = eval { JSON::PP->new->utf8->decode(join "\n", @{ $lines->lines }) };
    $lines->fail(0, 'is not the JSON of jitterdebugger; name the results.json that it wrote')
        unless ref $document eq 'HASH' && $document->{cpu};
    my $machine = ref $document->{sysinfo} eq 'HASH' ? $document->{sysinfo} : {};
    my $unit_ns = $machine->{resolution_in_ns} // '';
    $lines->fail(0, 'gives no resolution for its times; measure with a newer jitterdebugger')
        unless $unit_ns =~ /^[1-9]\d{0,8}$/;
    return {
        source  => 'jitterdebugger',
        unit_ns => $unit_ns,
        width   => 1,
        parts   => threads($lines, $document->{cpu}, 'cpu', 'count'),
        part    => 'cpu',
        header  => {
            hostname       => bytes($machine->{nodename}),
            kernel_release => bytes($machine->{release}),
            kernel_version => bytes($machine->{version}),
            machine        => bytes($machine->{machine}),
        },
        reasons => [],
    };
}

1;
