# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Import::RtTests;
use strict;
use warnings;

use JSON::PP ();
use Realfeel::Import::Threads qw(bytes threads);
use Time::Local qw(timegm);

use constant MONTH => { map { (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] => $_ } 0 .. 11 };
use constant { NS_PER_US => 1000, DEFAULT_INTERVAL_US => 1000 };

=head1 NAME

Realfeel::Import::RtTests - read the JSON that cyclictest and the other rt-tests write with --json

=head1 FUNCTIONS

=head2 parse($lines)

See L<Realfeel::Import>. Keys may end in a colon, the command line may hold quotes that were not escaped, and an average
may be nan: so it is in files that the programs wrote.

=cut

sub parse {
    my ($lines) = @_;
    my $document = _document($lines);
    my %top = map { s/:$//r => $document->{$_} } keys %$document;
    my $command = bytes($top{cmdline}) // '';
    my ($program) = $command =~ m{^(?:\S*/)?([\w.-]+)};
    my $unit_ns = $top{resolution_in_ns} ? 1 : NS_PER_US;
    my $parts = threads($lines, $top{thread}, 'thread', 'cycles');
    my $range = _range($command);
    $lines->fail(0, 'holds no histogram; run cyclictest with -h') unless _any($parts, $range);
    return {
        source    => $program // 'rt-tests',
        unit_ns   => $unit_ns,
        width     => 1,
        edge      => $range,
        parts     => $parts,
        part      => 'thread',
        period_ns => _period_ns($program // '', $command),
        header    => { command => $command eq '' ? undef : $command, _header(\%top) },
        reasons   => [_reasons(\%top, $program // 'it')],
    };
}

sub _document {
    my ($lines) = @_;
    my $text = join "\n", @{ $lines->lines };
    my $json = JSON::PP->new->utf8;
    my $document = eval { $json->decode($text) } // eval { $json->decode(_repaired($text)) };
    return $document if ref $document eq 'HASH' && grep { $document->{$_} } qw(thread);
    $lines->fail(0, 'is not the JSON of rt-tests; name a file that cyclictest --json wrote');
}

sub _repaired {
    my ($text) = @_;
    $text =~ s/^\s*"cmdline:?": "\K(.*)(?=",$)/_escaped($1)/me;
    $text =~ s/^(\s*"\w+": )[-+]?(?:nan|inf)(,?)$/$1null$2/mig;
    return $text;
}

sub _escaped {
    my ($text) = @_;
    return $text =~ s/(["\\])/\\$1/gr;
}

sub _any {
    my ($parts, $range) = @_;
    return $range || !grep { $_->{total} && !%{ $_->{bins} } } values %$parts;
}

# What cyclictest was told: the end of its histogram, and the period.
sub _range {
    my ($command) = @_;
    my ($range) = $command =~ /\s(?:-[A-Za-z]*[hH]\s*|--hist(?:ogram|ofall)[=\s])(\d{1,9})(?=\s|$)/;
    return $range;
}

sub _period_ns {
    my ($program, $command) = @_;
    return undef unless $program eq 'cyclictest';
    my ($interval) = $command =~ /\s(?:-[A-Za-z]*i\s*|--interval[=\s])(\d{1,9})(?=\s|$)/;
    return NS_PER_US * ($interval // DEFAULT_INTERVAL_US);
}

sub _header {
    my ($top) = @_;
    my $machine = ref $top->{sysinfo} eq 'HASH' ? $top->{sysinfo} : {};
    return (
        started        => _started($top->{start_time} // ''),
        hostname       => bytes($machine->{nodename}),
        kernel_release => bytes($machine->{release}),
        kernel_version => bytes($machine->{version}),
        machine        => bytes($machine->{machine}),
        preemption     => $machine->{realtime} ? 'PREEMPT_RT' : undef,
        return_code    => bytes($top->{return_code}),
    );
}

sub _started {
    my ($text) = @_;
    my ($day, $month, $year, $h, $m, $s, $sign, $zone_h, $zone_m)
        = $text =~ /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) ([-+])(\d\d)(\d\d)$/ or return undef;
    return undef unless defined MONTH->{$month};
    my $seconds = eval { timegm($s, $m, $h, $day, MONTH->{$month}, $year) } // return undef;
    $seconds -= "${sign}1" * ($zone_h * 3600 + $zone_m * 60);
    my @time = gmtime $seconds;
    return sprintf '%04d-%02d-%02dT%02d:%02d:%02dZ', $time[5] + 1900, $time[4] + 1, @time[3, 2, 1, 0];
}

sub _reasons {
    my ($top, $program) = @_;
    my $ours = ($top->{rt_test_version} // '') =~ /^realfeel/;
    return (
        $top->{return_code} ? "$program reported return_code $top->{return_code}" : (),
        $ours ? 'written by realfeel: counts are of periods, including missed ones, not of wake-ups' : (),
    );
}

1;
