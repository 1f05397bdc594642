# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::Documents;
use strict;
use warnings;

use Encode qw(encode);
use JSON::PP ();
use List::Util qw(max sum0);
use POSIX qw(strftime);
use Time::Local qw(timegm);

use constant {
    NS_PER_US           => 1000,
    DEFAULT_INTERVAL_US => 1000,
    MONTH  => { map { (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] => $_ } 0 .. 11 },
    COUNT  => qr/^\d{1,17}$/,
    BUCKET => qr/^\d{1,12}$/,
    NUMBER => qr/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
};

=head1 NAME

Realfeel::Import::Documents - read the JSON of rt-tests and of jitterdebugger: a histogram for each thread or CPU

=head1 FUNCTIONS

=head2 rt_tests($lines)

What cyclictest and the other rt-tests write with --json, see L<Realfeel::Import>. Keys may end in a colon, the command
line may hold quotes that were not escaped, and an average may be nan: so it is in files that the programs wrote.

=cut

sub rt_tests {
    my ($lines) = @_;
    my $document = _document($lines) // _document($lines, \&_repaired);
    $lines->fail(0, 'is not the JSON of rt-tests; name a file that cyclictest --json wrote')
        unless $document && $document->{thread};
    my %top = map { s/:$//r => $document->{$_} } keys %$document;
    my $command = _bytes($top{cmdline}) // '';
    my ($program) = $command =~ m{^(?:\S*/)?([\w.-]+)};
    my $parts = _parts($lines, $top{thread}, 'thread', 'cycles');
    my $range = _option($command, '-[A-Za-z]*[hH]\s*|--hist(?:ogram|ofall)[=\s]');
    $lines->fail(0, 'holds no histogram; run cyclictest with -h')
        if !$range && grep { $_->{total} && !%{ $_->{bins} } } values %$parts;
    return {
        source    => $program // 'rt-tests',
        unit_ns   => $top{resolution_in_ns} ? 1 : NS_PER_US,
        width     => 1,
        edge      => $range,
        parts     => $parts,
        part      => 'thread',
        period_ns => _period_ns($program // '', $command),
        header    => { command => $command eq '' ? undef : $command, _header(\%top) },
        reasons   => [$top{return_code} ? ($program // 'it') . " reported return_code $top{return_code}" : ()],
        ours      => _ours($top{rt_test_version} // ''),
    };
}

# A hash, undef when the text is none.
sub _document {
    my ($lines, $repaired) = @_;
    my $text = join "\n", @{ $lines->lines };
    my $document = eval { JSON::PP->new->utf8->decode($repaired ? $repaired->($text) : $text) };
    return ref $document eq 'HASH' ? $document : undef;
}

sub _repaired {
    my ($text) = @_;
    $text =~ s/^\s*"cmdline:?": "\K(.*)(?=",$)/$1 =~ s{(["\\])}{\\$1}gr/me;
    $text =~ s/^(\s*"\w+": )[-+]?(?:nan|inf)(,?)$/$1null$2/mig;
    return $text;
}

# A whole number that cyclictest was told: the end of its histogram, or the period.
sub _option {
    my ($command, $option) = @_;
    return ($command =~ /\s(?:$option)(\d{1,9})(?=\s|$)/)[0];
}

sub _period_ns {
    my ($program, $command) = @_;
    return undef unless $program eq 'cyclictest';
    return NS_PER_US * (_option($command, '-[A-Za-z]*i\s*|--interval[=\s]') // DEFAULT_INTERVAL_US);
}

sub _header {
    my ($top) = @_;
    return (
        _machine($top->{sysinfo}),
        started     => _started($top->{start_time} // ''),
        preemption  => ref $top->{sysinfo} eq 'HASH' && $top->{sysinfo}{realtime} ? 'PREEMPT_RT' : undef,
        return_code => _bytes($top->{return_code}),
    );
}

sub _machine {
    my ($machine) = @_;
    my %key = (hostname => 'nodename', kernel_release => 'release', kernel_version => 'version', machine => 'machine');
    return map { $_ => ref $machine eq 'HASH' ? _bytes($machine->{ $key{$_} }) : undef } keys %key;
}

# A string of the document as the bytes of a report's header, undef when it is none.
sub _bytes {
    my ($text) = @_;
    return defined $text && !ref $text ? encode('UTF-8', $text) : undef;
}

sub _started {
    my ($text) = @_;
    my ($day, $month, $year, $h, $m, $s, $sign, $zone_h, $zone_m)
        = $text =~ /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) ([-+])(\d\d)(\d\d)$/ or return undef;
    return undef unless defined MONTH->{$month};
    my $seconds = eval { timegm($s, $m, $h, $day, MONTH->{$month}, $year) } // return undef;
    $seconds -= "${sign}1" * ($zone_h * 3600 + $zone_m * 60);
    return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $seconds);
}

sub _ours {
    my ($version) = @_;
    return $version !~ /^realfeel/ ? undef : $version =~ /wake-up latency/ ? 'wakeup' : 'lateness';
}

=head2 jitterdebugger($lines)

The results.json of jitterdebugger. What C<count> has and the histogram has not lies beyond the histogram.

=cut

sub jitterdebugger {
    my ($lines) = @_;
    my $document = _document($lines);
    $lines->fail(0, 'is not the JSON of jitterdebugger; name the results.json that it wrote')
        unless $document && $document->{cpu};
    my $unit_ns = ref $document->{sysinfo} eq 'HASH' ? $document->{sysinfo}{resolution_in_ns} // '' : '';
    $lines->fail(0, 'gives no resolution for its times; measure with a newer jitterdebugger')
        unless $unit_ns =~ /^[1-9]\d{0,8}$/;
    my $parts = _parts($lines, $document->{cpu}, 'cpu', 'count');
    $parts->{$_}{cpu} = 0 + $_ for keys %$parts;
    return {
        source  => 'jitterdebugger',
        unit_ns => $unit_ns,
        width   => 1,
        parts   => $parts,
        part    => 'cpu',
        header  => { _machine($document->{sysinfo}) },
    };
}

# Of a hash from a number to a hash of histogram, min, max, avg, cpu and the count of all samples, whose key is $total.
sub _parts {
    my ($lines, $threads, $part, $total) = @_;
    $lines->fail(0, "holds no histograms by $part; take another copy") unless ref $threads eq 'HASH';
    my %parts;
    for my $name (sort keys %$threads) {
        my $thread = $threads->{$name};
        my $fail = sub { $lines->fail(0, "$part '$name': $_[0]; the file is damaged, take another copy") };
        $fail->('this is no number') unless $name =~ /^\d{1,6}$/;
        $fail->('there is no histogram') unless ref $thread eq 'HASH' && ref $thread->{histogram} eq 'HASH';
        $parts{$name} = _part($thread, $total, $fail);
    }
    return \%parts;
}

sub _part {
    my ($thread, $total, $fail) = @_;
    my ($bins, $n) = @$thread{'histogram', $total};
    $fail->("$total is no count") unless _is($n, COUNT);
    for my $bucket (keys %$bins) {
        $fail->("the histogram's '$bucket' is no time") unless $bucket =~ BUCKET;
        $fail->("the histogram's count at $bucket is no count") unless _is($bins->{$bucket}, COUNT);
    }
    $_ += 0 for $n, values %$bins;      # sums of strings are not exact
    my $sum = sum0(values %$bins);
    $fail->("$total is $n, but the histogram holds $sum") if $sum > $n;
    my ($min, $max, $mean) = map { _is($_, NUMBER) ? $_ : undef } @$thread{qw(min max avg)};
    my $last = max(grep { $bins->{$_} } keys %$bins);
    $fail->("max is $max, but the histogram goes to $last") if defined $max && defined $last && $max < $last;
    my $cpu = _is($thread->{cpu}, qr/^\d{1,6}$/) ? $thread->{cpu} : undef;
    return { bins => $bins, total => $n, min => $min, max => $max, mean => $mean, cpu => $cpu };
}

sub _is {
    my ($value, $pattern) = @_;
    return defined $value && !ref $value && $value =~ $pattern;
}

1;
