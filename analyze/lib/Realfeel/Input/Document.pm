# SPDX-License-Identifier: GPL-2.0-or-later
# What JSON files have in common.
package Realfeel::Input::Document;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(bytes document is machine parts utc);

use Encode qw(encode);
use JSON::PP ();
use List::Util qw(max sum0 uniqstr);
use POSIX qw(strftime);
use Time::Local qw(timegm);

use constant {
    TEXT_MAX => 1 << 22,        # a document takes eighty times its length, and two seconds a megabyte
    COUNT    => qr/^\d{1,17}$/,
    BUCKET   => qr/^(?:0|[1-9]\d{0,11})$/,
    NUMBER   => qr/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
};

# The rest of $lines as a hash; undef if it is none. $repaired, if given, mends a text that is no JSON.
sub document ($lines, $repaired = undef) {
    my $text = $lines->text(TEXT_MAX);
    for my $try (uniqstr $text, $repaired ? $repaired->($text) : ()) {
        my $document = eval { JSON::PP->new->utf8->decode($try) };
        return $document if ref $document eq 'HASH';
    }
    return undef;
}

# Whether it is a string or a number that matches
sub is ($value, $pattern) {
    return defined $value && !ref $value && $value =~ $pattern;
}

# As the header of a report has it; undef for what is no string
sub bytes ($text) {
    return defined $text && !ref $text ? encode('UTF-8', $text) : undef;
}

# Header lines on the machine
sub machine ($sysinfo) {
    my %key = (hostname => 'nodename', kernel_release => 'release', kernel_version => 'version', machine => 'machine');
    return map { $_ => ref $sysinfo eq 'HASH' ? bytes($sysinfo->{ $key{$_} }) : undef } keys %key;
}

# As a report writes it, undef if unknown. @time is year, month, day, hour, minute, second; $zone is +0130 or +01:30.
sub utc ($zone = undef, $year = undef, $month = undef, @rest) {
    my ($sign, $hours, $minutes) = ($zone // '') =~ /^([-+])(\d\d):?(\d\d)$/ or return undef;
    my $seconds = eval { timegm(reverse(@rest), $month - 1, $year) } // return undef;
    return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $seconds - "${sign}1" * ($hours * 3600 + $minutes * 60));
}

# The parts of threads or CPUs, as Import describes them, from a hash of numbers to hashes of histogram; the count of
# all samples by the name $total, if any; and min, max, avg and cpu as far as known
sub parts ($lines, $threads, $kind, $total) {
    $lines->fail(0, "holds no histograms by $kind; take another copy") unless ref $threads eq 'HASH';
    my %parts;
    for my $name (sort keys %$threads) {
        my $thread = $threads->{$name};
        my $fail = sub { $lines->fail(0, "$kind '$name': $_[0]; the file is damaged, take another copy") };
        $fail->('this is no number') unless $name =~ /^\d{1,6}$/;
        $fail->('there is no histogram') unless ref $thread eq 'HASH' && ref $thread->{histogram} eq 'HASH';
        $fail->("$total is no count") if defined $total && !is($thread->{$total}, COUNT);
        $parts{$name} = _part($thread, $total, $fail);
    }
    return \%parts;
}

sub _part ($thread, $name, $fail) {
    my $bins = $thread->{histogram};
    for my $bucket (keys %$bins) {
        $fail->("the histogram's '$bucket' is no time") unless $bucket =~ BUCKET;
        $fail->("the histogram's count at $bucket is no count") unless is($bins->{$bucket}, COUNT);
    }
    $_ += 0 for values %$bins;      # sums of strings are not exact
    my ($sum, $last) = (sum0(values %$bins), max(grep { $bins->{$_} } keys %$bins));
    my $total = defined $name ? 0 + $thread->{$name} : $sum;
    $fail->("$name is $total, but the histogram holds $sum") if $sum > $total;
    my ($min, $max, $mean) = map { is($_, NUMBER) ? $_ : undef } @$thread{qw(min max avg)};
    $fail->("max is $max, but the histogram goes to $last") if defined $max && defined $last && $max < $last;
    my $cpu = is($thread->{cpu}, qr/^\d{1,6}$/) ? $thread->{cpu} : undef;
    return { bins => $bins, total => $total, min => $min, max => $max, mean => $mean, cpu => $cpu };
}

1;
