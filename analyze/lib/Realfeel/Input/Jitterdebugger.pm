# SPDX-License-Identifier: GPL-2.0-or-later
# Reads jitterdebugger's results.json. Samples in count that the histogram lacks lie beyond it.
package Realfeel::Input::Jitterdebugger;
use Realfeel::Base::Modern;

use Realfeel::Input::Document qw(document is machine parts);

sub recognises ($head) { return $head =~ /^\s*\{/ && $head =~ /"resolution_in_ns"\s*:.*"cpu"\s*:\s*\{/s }

sub run ($lines, @) {
    my $document = document($lines);
    $lines->fail(0, 'is not the JSON of jitterdebugger; name the results.json that it wrote')
        unless $document && $document->{cpu};
    my $sysinfo = $document->{sysinfo};
    my $unit_ns = ref $sysinfo eq 'HASH' ? $sysinfo->{resolution_in_ns} : undef;
    $lines->fail(0, 'gives no resolution for its times; measure with a newer jitterdebugger')
        unless is($unit_ns, qr/^[1-9]\d{0,8}$/);
    my $parts = parts($lines, $document->{cpu}, 'cpu', 'count');
    $parts->{$_}{cpu} = 0 + $_ for keys %$parts;
    return { source => 'jitterdebugger', unit_ns => $unit_ns, width => 1, parts => $parts, part => 'cpu',
        header => { machine($sysinfo) } };
}

1;
