# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the JSON of cyclictest and oslat, and what Linaro makes of rtla's text. In real files, keys may end in a colon,
# quotes in the command line may be unescaped, and an average may be nan. Other programs of rt-tests write no histogram,
# nor does cyclictest without -h. oslat counts the turns of a busy loop by length, rounded up to microseconds; its last
# bucket holds all longer ones. Linaro's files have count and over instead of cycles.
package Realfeel::Input::RtTests;
use Realfeel::Base::Modern;

use List::Util qw(any max);
use Realfeel::Base::Units qw(epoch);
use Realfeel::Input::Document qw(bytes document machine parts utc);

use constant {
    NS_PER_US           => 1000,
    US_PER_S            => 1e6,
    DEFAULT_INTERVAL_US => 1000,
    DEFAULT_DISTANCE_US => 500,
    MONTH    => { map { (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] => $_ + 1 } 0 .. 11 },
    SECONDS  => { '' => 1, s => 1, m => 60, h => 3600, d => 86_400 },
    ROUNDING => 2,      # s: two times of the day to the second, and the start and end of threads
};

sub recognises ($head) { return $head =~ /^\s*\{/ && $head =~ /"(?:rt_test_version:?|file_version)"\s*:/ }

sub run ($lines, @) {
    my $document = document($lines, \&_repaired);
    $lines->fail(0, 'is not the JSON of rt-tests; name a file that cyclictest --json wrote')
        unless $document && $document->{thread};
    my %top = map { s/:$//r => $document->{$_} } keys %$document;
    my $command = bytes($top{cmdline}) // '';
    my $program = $command =~ m{^(?:\S*/)?([\w.-]+)} ? $1 : ref $top{irq} eq 'HASH' ? 'rtla timerlat' : 'rt-tests';
    _refuse_without_histogram($lines, $program, $top{thread});
    my $run = {
        source    => $program,
        unit_ns   => $top{resolution_in_ns} ? 1 : NS_PER_US,
        width     => 1,
        part      => 'thread',
        header    => { command => $command eq '' ? undef : $command, _header(\%top) },
        reasons   => [$top{return_code} ? "$program reported return_code $top{return_code}" : ()],
        ours      => _ours($top{rt_test_version} // ''),
    };
    my $more = $program eq 'cyclictest' ? \&_cyclictest : $program eq 'oslat' ? \&_oslat : \&_other;
    return $more->($lines, $run, \%top, $command);
}

sub _repaired ($text) {
    $text =~ s/^\s*"cmdline:?": "\K(.*)(?=",$)/$1 =~ s{(["\\])}{\\$1}gr/me;
    $text =~ s/^(\s*"\w+": )[-+]?(?:nan|inf)(,?)$/$1null$2/mig;
    return $text;
}

sub _refuse_without_histogram ($lines, $program, $threads) {
    return if ref $threads ne 'HASH' || !%$threads || any { ref $_ eq 'HASH' && $_->{histogram} } values %$threads;
    $lines->fail(0, 'holds no histogram; ' . ($program eq 'cyclictest' ? 'run cyclictest with -h'
        : "of rt-tests only cyclictest and oslat write one"));
}

sub _header ($top) {
    return (
        machine($top->{sysinfo}),
        started     => utc(_time($top->{start_time})),
        preemption  => ref $top->{sysinfo} eq 'HASH' && $top->{sysinfo}{realtime} ? 'PREEMPT_RT' : undef,
        return_code => bytes($top->{return_code}),
    );
}

# Zone, year, month, day, hour, minute and second of a time in a mail's format
sub _time ($text) {
    my ($day, $month, $year, @rest) = (bytes($text) // '')
        =~ /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) ([-+]\d{4})$/ or return;
    return MONTH->{$month} ? (pop @rest, $year, MONTH->{$month}, $day, @rest) : ();
}

sub _ours ($version) {
    return $version !~ /^realfeel/ ? undef : $version =~ /wake-up latency/ ? 'wakeup' : 'lateness';
}

sub _cyclictest ($lines, $run, $top, $command) {
    my $parts = parts($lines, $top->{thread}, 'thread', 'cycles');
    my $range = _option($command, '-[A-Za-z]*[hH]\s*|--hist(?:ogram|ofall)[=\s]');
    $lines->fail(0, 'holds no histogram; run cyclictest with -h')
        if !$range && any { $_->{total} && !%{ $_->{bins} } } values %$parts;
    my ($seconds, @reasons) = _duration($top, $command);
    my $loops = _option($command, '-[A-Za-z]*l\s*|--loops[=\s]');
    my $period_us = _option($command, '-[A-Za-z]*i\s*|--interval[=\s]') || DEFAULT_INTERVAL_US;
    my $distance_us = _distance_us($command);
    for my $number (keys %$parts) {
        my ($part, $own_us) = ($parts->{$number}, $period_us + $number * $distance_us);
        $part->{duration_s} = $seconds;
        $part->{expected} = $loops || ($seconds ? int($seconds * US_PER_S / $own_us) : undef);
    }
    return { %$run, parts => $parts, edge => $range, period_ns => NS_PER_US * $period_us,
        reasons => [@{ $run->{reasons} }, @reasons] };
}

# A whole number from the command line
sub _option ($command, $option) {
    return ($command =~ /\s(?:$option)(\d{1,9})(?=\s|$)/)[0];
}

# By how much the period of each thread exceeds the one before
sub _distance_us ($command) {
    return 0 if $command =~ /\s(?:-[A-Za-z]*S|--smp\b)/;
    return _option($command, '-[A-Za-z]*d\s*|--distance[=\s]') // DEFAULT_DISTANCE_US;
}

# The seconds that cyclictest was to measure; undef and the reason if it ended early
sub _duration ($top, $command) {
    my ($number, $unit) = $command =~ /\s(?:-[A-Za-z]*D\s*|--duration[=\s])(\d{1,7})([smhd]?)(?=\s|$)/ or return;
    my $seconds = $number * SECONDS->{$unit};
    my ($start, $end) = map { epoch(utc(_time($top->{$_}))) } qw(start_time end_time);
    return $seconds if !defined $start || !defined $end || $end - $start >= $seconds - ROUNDING;
    return (undef, 'it ended after ' . ($end - $start) . " of $seconds s");
}

# Turns of N - 1 to N us count in bucket N
sub _oslat ($lines, $run, $top, @) {
    my $parts = parts($lines, $top->{thread}, 'thread', undef);
    for my $part (grep { $_->{total} } values %$parts) {
        my ($bins, $last) = ($part->{bins}, max(keys %{ $part->{bins} }));
        $lines->fail(0, 'counts turns of 0 us; the file is damaged, take another copy') if exists $bins->{0};
        delete $bins->{$last} if defined $part->{max} && $part->{max} > $last;
        %$part = (%$part, edge => $last - 1, bins => { map { $_ - 1 => $bins->{$_} } keys %$bins });
    }
    my @reasons = 'oslat counts the turns of a busy loop, not wake-ups';
    return { %$run, parts => $parts, of => 'turns', reasons => [@{ $run->{reasons} }, @reasons] };
}

sub _other ($lines, $run, $top, @) {
    my $total = (any { ref $_ eq 'HASH' && exists $_->{count} } values %{ $top->{thread} }) ? 'count' : 'cycles';
    return { %$run, parts => parts($lines, $top->{thread}, 'thread', $total) };
}

1;
