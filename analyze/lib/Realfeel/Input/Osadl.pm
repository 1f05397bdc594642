# SPDX-License-Identifier: GPL-2.0-or-later
# Reads OSADL's RT Dataset 1.0: a row of counts for each core, below a row of times. OSADL's own files leave out what
# lay beyond the last time and do not tell how much; the maximum shows one such sample at least. Those of
# realfeel-analyze count it in the last class.
package Realfeel::Input::Osadl;
use Realfeel::Base::Modern;

use List::Util qw(max sum0);
use Realfeel::Input::Document qw(bytes document is utc);

use constant {
    UNIT_NS => { nanoseconds => 1, microseconds => 1000 },
    COUNT   => qr/^\d{1,17}$/,
    INTERVAL  => qr/^[1-9]\d{0,8}(?:\.\d{1,3})?$/,
    NS_PER_US => 1000,
    DAMAGED => 'the file is damaged, take another copy',
};

sub recognises ($head) { return $head =~ /^\s*\{/ && $head =~ /"RT Dataset"/ }

sub run ($lines, @) {
    my $document = document($lines);
    my ($format, $latency, $condition) = _hashes($document // {}, qw(format latency condition));
    $lines->fail(0, "is not an RT Dataset; name the JSON that OSADL's latencyplot wrote")
        unless ($format->{name} // '') eq 'RT Dataset';
    my $unit_ns = UNIT_NS->{ bytes($latency->{granularity}) // '' };
    $lines->fail(0, 'gives no granularity that is known; take another copy') unless $unit_ns;
    my ($times, @cores) = _rows($lines, $latency->{cores});
    my @maxima = ref $latency->{maxima} eq 'ARRAY' ? @{ $latency->{maxima} } : ();
    my $command = bytes($condition->{cyclictest});
    my ($program) = ($command // '') =~ m{^(?:\S*/)?([\w.-]+)};
    my $is_ours = ($program // '') eq 'realfeel';
    my @parts = map { _core($lines, $times, $cores[$_], $maxima[$_]) } 0 .. $#cores;
    my $cycles = is($condition->{cycles}, COUNT) ? $condition->{cycles} : undef;
    $_->{expected} = $cycles for $is_ours ? () : @parts;
    return {
        source    => $program // 'cyclictest',
        unit_ns   => $unit_ns,
        width     => 1,
        edge      => $times->[-1] + 1,
        parts     => { map { $_ => $parts[$_] } 0 .. $#parts },
        part      => 'core',
        period_ns => is($condition->{interval}, INTERVAL) ? NS_PER_US * $condition->{interval} : undef,
        header    => { command => $command, _header($document) },
        ours      => !$is_ours ? undef : ($latency->{measure} // '') eq 'wake-up latency' ? 'wakeup' : 'lateness',
    };
}

# The named hashes of the document; empty if missing
sub _hashes ($document, @names) {
    return map { ref $_ eq 'HASH' ? $_ : {} } @$document{@names};
}

# The times and the cores; each must have as many numbers
sub _rows ($lines, $rows) {
    $lines->fail(0, 'holds no cores; take another copy') unless ref $rows eq 'ARRAY' && @$rows > 1;
    for my $row (@$rows) {
        $lines->fail(0, "the rows of its cores are not alike; @{[DAMAGED]}")
            unless ref $row eq 'ARRAY' && @$row && @$row == @{ $rows->[0] };
        $lines->fail(0, "a core counts what is no count; @{[DAMAGED]}") if grep { !is($_, COUNT) } @$row;
    }
    my $times = $rows->[0];
    $lines->fail(0, "the times do not ascend; @{[DAMAGED]}") if grep { $times->[$_] <= $times->[$_ - 1] } 1 .. $#$times;
    return @$rows;
}

sub _core ($lines, $times, $counts, $max) {
    $max = undef unless is($max, qr/^\d{1,12}$/);
    my %bins = map { $times->[$_] => 0 + $counts->[$_] } grep { $counts->[$_] } 0 .. $#$times;
    my ($total, $last) = (sum0(values %bins), max(keys %bins));
    $lines->fail(0, "gives a maximum of $max, but reaches $last; @{[DAMAGED]}")
        if defined $max && defined $last && $max < $last;
    my $is_beyond = defined $max && $max > $times->[-1];
    my $in_last_class = $is_beyond ? delete $bins{ $times->[-1] } : undef;
    return { bins => \%bins, max => $max, total => $total + ($is_beyond && !$in_last_class),
        is_least => $is_beyond && !$in_last_class, edge => $times->[-1] + ($in_last_class ? 0 : 1) };
}

sub _header ($document) {
    my ($system, $processor, $kernel, $times) = _hashes($document, qw(system processor kernel timestamps));
    my @started = (bytes($times->{origin}) // '') =~ /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(Z|[-+]\d\d:\d\d)$/;
    my $zone = @started ? pop(@started) =~ s/^Z$/+00:00/r : undef;
    my %text = (hostname => $system->{hostname}, machine => $processor->{family}, kernel_release => $kernel->{version},
        kernel_command_line => $kernel->{cmdline});
    my $model = join ' ', grep { defined && $_ ne 'unknown' } map { bytes($processor->{$_}) } qw(vendor type);
    return (
        started   => $zone ? utc($zone, @started) : undef,
        cpu_model => $model eq '' ? undef : $model,
        map { $_ => (bytes($text{$_}) // 'unknown') eq 'unknown' ? undef : bytes($text{$_}) } keys %text,
    );
}

1;
