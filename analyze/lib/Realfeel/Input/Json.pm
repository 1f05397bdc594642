# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the JSON of other programs, each as Input::Import describes it.
package Realfeel::Input::Json;
use Realfeel::Base::Modern;

use Encode qw(encode);
use JSON::PP ();
use List::Util qw(any max sum0 uniqstr);
use POSIX qw(strftime);
use Realfeel::Base::Units qw(NS_PER_US epoch);

use constant {
    TEXT_MAX => 1 << 22,        # a document takes eighty times its length, and two seconds a megabyte
    COUNT    => qr/^\d{1,17}$/,
    BUCKET   => qr/^(?:0|[1-9]\d{0,11})$/,
    NUMBER   => qr/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
    US_PER_S => 1e6, DEFAULT_INTERVAL_US => 1000, DEFAULT_DISTANCE_US => 500,
    MACHINE  => { qw(hostname nodename kernel_release release kernel_version version machine machine) },
    OF_CYCLES => qr/^cyclic(?:test|deadline)$/,
    MONTH    => { map { (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] => $_ + 1 } 0 .. 11 },
    SECONDS  => { '' => 1, s => 1, m => 60, h => 3600, d => 86_400 },
    ROUNDING => 2,      # s: two times of the day to the second, and the start and end of threads
};

# The JSON of cyclictest, cyclicdeadline and oslat, and what Linaro makes of rtla's text. In real files, keys may end in
# a colon, quotes in the command line may be unescaped, and an average may be nan. Other programs of rt-tests, and
# cyclictest without -h, write figures but no histogram. Linaro's files have count and over instead of cycles.
sub read_rt_tests ($lines, @) {
    my $document = _document($lines);
    $lines->fail(0, 'is not one complete JSON document of rt-tests; give the file as cyclictest --json wrote it')
        unless $document && $document->{thread};
    my %top = map { s/:$//r => $document->{$_} } keys %$document;
    my $command = _bytes($top{cmdline}) // '';
    my $program = $command =~ m{^(?:\S*/)?([\w.-]+)} ? $1 : ref $top{irq} eq 'HASH' ? 'rtla timerlat' : 'rt-tests';
    my @threads = ref $top{thread} eq 'HASH' ? values %{ $top{thread} } : ();
    $lines->fail(0, 'holds no histogram; of rt-tests only cyclictest, cyclicdeadline and oslat write one')
        if @threads && !grep { ref eq 'HASH' && ($_->{histogram} || $program =~ OF_CYCLES && $_->{cycles}) } @threads;
    my $sysinfo = ref $top{sysinfo} eq 'HASH' ? $top{sysinfo} : {};
    my ($version, $started) = ($top{rt_test_version} // '', _seconds($top{start_time}));
    my $run = {
        source    => $program,
        unit_ns   => $top{resolution_in_ns} ? 1 : NS_PER_US,
        width     => 1,
        part      => 'thread',
        header    => {
            command     => $command eq '' ? undef : $command,
            (map { $_ => _bytes($sysinfo->{ MACHINE->{$_} }) } keys %{ MACHINE() }),
            started     => defined $started ? strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $started) : undef,
            preemption  => $sysinfo->{realtime} ? 'PREEMPT_RT' : undef,
            return_code => _bytes($top{return_code}),
        },
        reasons   => [$top{return_code} ? "$program reported return_code $top{return_code}" : ()],
        ours      => $version !~ /^realfeel/ ? undef : $version =~ /wake-up latency/ ? 'wakeup' : 'lateness',
    };
    return _cyclictest($lines, $run, \%top, $command) if $program =~ OF_CYCLES;
    return { %$run, parts => _parts($lines, $top{thread}, undef), of => 'turns' } if $program eq 'oslat';
    my $total = (any { ref eq 'HASH' && exists $_->{count} } @threads) ? 'count' : 'cycles';
    return { %$run, parts => _parts($lines, $top{thread}, $total) };
}

# Converts a date as in mail headers to seconds since 1970; undef if it is anything else
sub _seconds ($text) {
    my ($day, $month, $year, $time, $sign, $hours, $minutes) = (_bytes($text) // '')
        =~ /(\d{1,2}) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) ([-+])(\d\d)(\d\d)$/ or return undef;
    my $local = epoch(sprintf '%s-%02d-%02dT%sZ', $year, MONTH->{$month} // 0, $day, $time) // return undef;
    return $local - "${sign}1" * ($hours * 3600 + $minutes * 60);
}

sub _cyclictest ($lines, $run, $top, $command) {
    my $parts = _parts($lines, $top->{thread}, 'cycles');
    my $range = _option($command, '-[A-Za-z]*[hH]\s*|--hist(?:ogram|ofall)[=\s]');
    my $is_bare = !$range && any { $_->{total} && !%{ $_->{bins} } } values %$parts;
    my ($seconds, @reasons) = _duration($top, $command);
    my $period_us = _option($command, '-[A-Za-z]*i\s*|--interval[=\s]') || DEFAULT_INTERVAL_US;
    # By how much the period of each thread exceeds the previous thread's: 0 for cyclictest with a histogram
    my $distance_us = $range && $run->{source} eq 'cyclictest' ? 0
        : _option($command, '-[A-Za-z]*[ds]\s*|--(?:distance|step)[=\s]') // DEFAULT_DISTANCE_US;
    # --loops counts those of the fastest thread, which ends the run
    my $run_us = $period_us * (_option($command, '-[A-Za-z]*l\s*|--loops[=\s]') // 0) || ($seconds // 0) * US_PER_S;
    for my $number (keys %$parts) {
        my ($part, $own_us) = ($parts->{$number}, $period_us + $number * $distance_us);
        @$part{qw(duration_s period_ns)} = ($seconds, $own_us * NS_PER_US);
        $part->{expected} = $run_us ? int($run_us / $own_us) : undef;
    }
    return { %$run, parts => $parts, edge => $range, period_ns => NS_PER_US * $period_us,
        bare => $is_bare ? "run $run->{source} with --histogram" : undef, reasons => [@{ $run->{reasons} }, @reasons] };
}

# A whole number from the command line
sub _option ($command, $option) {
    return $command =~ /\s(?:$option)(\d{1,9})(?=\s|$)/ ? 0 + $1 : undef;
}

# The seconds that cyclictest was to measure; undef and the reason if it ended early
sub _duration ($top, $command) {
    my ($number, $unit) = $command =~ /\s(?:-[A-Za-z]*D\s*|--duration[=\s])(\d{1,7})([smhd]?)(?=\s|$)/ or return;
    my $seconds = $number * SECONDS->{$unit};
    my ($start, $end) = map { _seconds($top->{$_}) } qw(start_time end_time);
    return $seconds if !defined $start || !defined $end || $end - $start >= $seconds - ROUNDING;
    return (undef, 'it ended after ' . ($end - $start) . " of $seconds s");
}

# The rest of $lines as a hash; undef if it is not one
sub _document ($lines) {
    my $text = $lines->text(TEXT_MAX);
    my $repaired = $text =~ s/^\s*"cmdline:?": "\K(.*)(?=",$)/$1 =~ s{(["\\])}{\\$1}gr/mer
        =~ s/^(\s*"\w+": )[-+]?(?:nan|inf)(,?)$/$1null$2/migr;
    for my $try (uniqstr $text, $repaired) {
        my $document = eval { JSON::PP->new->utf8->decode($try) };
        return $document if ref $document eq 'HASH';
    }
    return undef;
}

# Whether it is a string or a number that matches
sub _is ($value, $pattern) {
    return defined $value && !ref $value && $value =~ $pattern;
}

# As the header of a report has it; undef for anything but a string
sub _bytes ($text) {
    return defined $text && !ref $text ? encode('UTF-8', $text) : undef;
}

# The parts of threads, from a hash from numbers to hashes of histogram; the count of all samples, called $total, if
# any; and min, max, avg and cpu, if known
sub _parts ($lines, $threads, $total) {
    $lines->fail(0, 'holds no histograms by thread; take another copy') unless ref $threads eq 'HASH';
    my %parts;
    for my $name (sort keys %$threads) {
        my $thread = $threads->{$name};
        my $fail = sub { $lines->fail(0, "thread '$name': $_[0]; the file is damaged, take another copy") };
        $fail->('this is not a number') unless $name =~ /^\d{1,6}$/;
        $fail->('there is no histogram') unless ref $thread eq 'HASH' && ref($thread->{histogram} // {}) eq 'HASH';
        $fail->("$total is not a count") if defined $total && !_is($thread->{$total}, COUNT);
        $parts{$name} = _part($thread, $total, $fail);
    }
    return \%parts;
}

sub _part ($thread, $name, $fail) {
    my $bins = $thread->{histogram} // {};
    for my $bucket (keys %$bins) {
        $fail->("the histogram's '$bucket' is not a time") unless $bucket =~ BUCKET;
        $fail->("the histogram's count at $bucket is not a count") unless _is($bins->{$bucket}, COUNT);
    }
    $_ += 0 for values %$bins;      # sums of strings are not exact
    my ($sum, $last) = (sum0(values %$bins), max(grep { $bins->{$_} } keys %$bins));
    my $total = defined $name ? 0 + $thread->{$name} : $sum;
    $fail->("$name is $total, but the histogram holds $sum") if $sum > $total;
    my ($min, $max, $mean) = map { _is($_, NUMBER) ? $_ : undef } @$thread{qw(min max avg)};
    $fail->("max is $max, but the histogram goes to $last") if defined $max && defined $last && $max < $last;
    my $cpu = _is($thread->{cpu}, qr/^\d{1,6}$/) ? $thread->{cpu} : undef;
    return { bins => $bins, total => $total, min => $min, max => $max, mean => $mean, cpu => $cpu };
}

1;
