# SPDX-License-Identifier: GPL-2.0-or-later
# The header of a sum of reports. Sums are added, other values stay if equal everywhere; else texts become "several" and
# numbers are dropped. Sums and sums of squares, in ns, are exact at any length.
package Realfeel::Model::Sum::Header;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(added);

use List::Util qw(any max min minstr uniqstr);
use Math::BigInt;
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(HEADER LATENCIES PARTS TYPE);
use Realfeel::Model::Sum::Moments qw(rounded sums);
use Realfeel::Model::Report qw(reasons_in);

# Added even if equal in all reports
use constant ADDED         => qw(samples periods missed early_wakeups steal_ms smis migrations stopped_ms);
use constant ADDED_PARTS   => qw(parts_matched parts_unknown trace_lost);
use constant SERIES        => ('interval', LATENCIES, 'stamp_interval');
use constant COST          => qw(explain_with_ns explain_without_ns);
use constant MOMENTS       => qw(min_ns max_ns mean_ns sd_ns sum_ns sumsq_ns2);
use constant ADDED_SECONDS => qw(duration_s suspended_s clock_step_s);

use constant {
    NS_PER_US => 1000,
    STATUSES  => [qw(complete checkpoint interrupted break)],
    GRADES    => [qw(valid suspect invalid)],
    MICRO     => 1_000_000,

    # The order at the top of a report; other keys follow alphabetically
    FIRST => [
        qw(status verdict remarks latency_max_us label command version started duration_s source thread thread_name
            thread_siblings thread_policy thread_priority thread_cpus thread_ended_s stamp inferred_period_ns
            inferred_missed waker waker_cpu processes array_bytes hop_overhead_ns frequency_hz period_ns
            anchor_uncertainty_ns phases phase_ns clock tsc_hz tsc_error_ppm tsc_drift_ppm schedule explain),
        COST, qw(explain_wakings explain_switches explain_traced own_processes limit max_ns max break_ns load
            samples periods missed lacking early_wakeups matched unmatched unasked timed slack_mean_ns
            preempted preempted_max_ns lmbench_us lmbench_overhead_us lmbench_doubtful lateness_of moments bins
            slices_joined),
        (map { my $measure = $_; map { "${measure}_$_" } MOMENTS } SERIES),
        ADDED_PARTS, 'parts_lateness_sum_ns', (map { my $part = $_; map { "${part}_$_" } MOMENTS } PARTS),
    ],

    # How unequal values merge. A rule gets all values, undef for missing ones.
    RULE => {
        status   => \&_worst_status,
        verdict  => \&_worst_verdict,
        remarks  => sub { join '; ', sort { $a cmp $b } uniqstr map { split /; / } grep { defined } @_ },
        schedule => \&_contradictions,
        started  => sub { minstr(map { $_ // 'unknown' } @_) },
        bins     => sub { minstr(grep { defined } @_) },
        max      => sub { (any { ($_ // '') eq 'exceeded' } @_) ? 'exceeded' : _same(@_) },
        (map { $_ => sub { (any { ($_ // '') eq 'yes' } @_) ? 'yes' : 'unknown' } } qw(rt_throttled frozen)),
        (map { $_ => \&_greatest } qw(latency_max_us preempted_max_ns anchor_uncertainty_ns tsc_error_ppm
            tsc_drift_ppm)),
        (map { $_ => \&_added_shares } qw(explain_wakings explain_switches explain_traced)),
        own_processes => sub { join ' ', sort { $a cmp $b } uniqstr map { split / / } grep { defined } @_ },
        (map { $_ => \&_added_counts } qw(lacking matched unmatched unasked timed preempted
            inferred_missed), ADDED_PARTS),
        (map { $_ => sub { undef } } qw(thread_siblings thread_priority)),
        hop_overhead_ns => \&_ends,
        lmbench_us => sub { (any { !defined } @_) ? undef : min(@_) },
        lmbench_doubtful => sub { join '; ', sort { $a cmp $b } uniqstr grep { defined } @_ },
        (map { $_ => \&added } ADDED), (map { $_ => \&_added_seconds } ADDED_SECONDS),
    },
};

# %rules override the default merge rule of a key: a function of all values, undef for missing ones
sub new ($class, %rules) {
    return bless { reports => 0, values => {}, moments => {}, rules => { %{ RULE() }, %rules } }, $class;
}

# Keeps how often each value of a key came, or, for keys dropped when they differ, only that they do
sub add ($self, $header) {
    $self->{reports}++;
    for my $key (keys %$header) {
        my $seen = $self->{values}{$key} //= {};
        $seen->{ $header->{$key} }++ if $self->{rules}{$key} || keys %$seen < 2;
    }
    $self->add_moments('stamp_interval', $header);
    my @cost = map { $header->{$_} // 'unknown' } COST;
    $self->{cost} = _higher($self->{cost} // \@cost, \@cost);
}

# Of costs, each the medians with and without recording, the one with the greatest difference; unknown if any is
sub _higher (@costs) {
    my ($unknown) = grep { "@$_" =~ /unknown/ } @costs;
    return $unknown // (sort { $b->[0] - $b->[1] <=> $a->[0] - $a->[1] || $b->[0] <=> $a->[0] } @costs)[0];
}

# Adds minimum, maximum, sum and sum of squares of a measure (interval, delay, lateness, wakeup, stamp_interval or a
# part of lateness). What the header lacks is taken from the bins' middles and outer edges, and is unknown with an open
# bin, except for the sum if there is a mean. $distribution, called only if needed, returns the distribution; without
# it, moments of reports with samples but incomplete headers are unknown.
sub add_moments ($self, $measure, $header, $distribution = undef) {
    my %told = map { $_ => $header->{"${measure}_$_"} } qw(min_ns max_ns mean_ns sum_ns sumsq_ns2);
    my $n = _number($measure, $header);
    my $tells_all = $n ne 'unknown' && !grep { !defined } @told{qw(min_ns max_ns sum_ns sumsq_ns2)};
    return $self->{untold}{$measure} ||= $n if !$tells_all && !$distribution;
    my $bins = $tells_all ? undef : $distribution->();
    $n = $bins->n if $bins;
    return unless $n;
    my $is_exact = defined $told{sum_ns} && defined $told{sumsq_ns2};
    @told{qw(sum_ns sumsq_ns2)} = sums($bins, \%told) unless $is_exact;
    my $all = $self->{moments}{$measure} //= { n => 0, sum_ns => 0, sumsq_ns2 => 0 };
    $all->{from_bins} ||= !$is_exact || ($header->{moments} // '') ne '';
    $all->{n} += $n;
    my ($min, $max) = $bins ? map { _ns($_) } $bins->min, $bins->max : @told{qw(min_ns max_ns)};
    $all->{min_ns} = min($min, $all->{min_ns} // $min);
    $all->{max_ns} = max($max, $all->{max_ns} // $max);
    for (qw(sum_ns sumsq_ns2)) {
        $all->{$_} = defined $all->{$_} && defined $told{$_} ? Math::BigInt->new($told{$_}) + $all->{$_} : undef;
    }
}

sub _ns ($us) {
    return 0 + sprintf '%.0f', $us * NS_PER_US;
}

# How many values there are, as far as the header tells
sub _number ($measure, $header) {
    return $header->{parts_matched} if grep { $_ eq $measure } PARTS;
    if (defined(my $timed = $header->{timed})) {
        return $measure eq 'lateness' ? $timed : $header->{samples} - ($measure eq 'wakeup' ? $timed : 0);
    }
    return $measure eq 'interval' || $header->{lateness_of} ? $header->{samples} : $header->{periods};
}

# header and keys, as Output::Writer takes them, with the moments of @$measures and the further lines %more, where
# doubts is an array of verdicts to merge with those of the reports
sub merged ($self, $measures, %more) {
    my @doubts = @{ delete $more{doubts} // [] };
    my @measures = (SERIES, 'parts_lateness', PARTS);
    my %is_moment = map { my $of = $_; map { ("${of}_$_" => 1) } MOMENTS } @measures;
    my @keys = grep { !$is_moment{$_} && !/^(?:moments|slices_joined|latency_p.*)$/ } keys %{ $self->{values} };
    my @known = (@$measures, grep { !$self->{untold}{$_} } 'stamp_interval');
    my %header = ((map { $_ => $self->_value($_) } @keys), (map { $self->_moments($_) } @known), %more);
    $header{parts_lateness_sum_ns} = _sum_of_parts(\%header);
    @header{+COST} = "@{ $self->{cost} }" =~ /unknown/ ? () : @{ $self->{cost} };
    $header{verdict} //= 'suspect: no run has a verdict';
    $header{verdict} = _worst_verdict($header{verdict}, @doubts) if @doubts;
    _refuse_flood(\%header);
    my %place = map { FIRST->[$_] => $_ } 0 .. $#{ FIRST() };
    my $last = @{ FIRST() };
    my @kept = grep { defined $header{$_} } keys %header;
    return (
        header => { map { $_ => $header{$_} } @kept },
        keys   => [sort { ($place{$a} // $last) <=> ($place{$b} // $last) || $a cmp $b } @kept],
    );
}

sub _moments ($self, $measure) {
    my $all = $self->{moments}{$measure} or return;
    my ($n, $sum, $sumsq) = @$all{qw(n sum_ns sumsq_ns2)};
    my %line = map { $_ => $all->{$_} } qw(min_ns max_ns sum_ns sumsq_ns2);
    $line{mean_ns} = _thousandths(rounded($sum * 1000, $n)) if defined $sum;
    $line{sd_ns} = _deviation($n, $sum, $sumsq) if $n > 1 && defined $sum && defined $sumsq;
    return ($all->{from_bins} ? (moments => 'from the bins') : (), map { ("${measure}_$_" => $line{$_}) } keys %line);
}

sub _sum_of_parts ($header) {
    my @sums = grep { defined } map { $header->{"${_}_sum_ns"} } PARTS;
    my $sum = Math::BigInt->bzero;
    $sum += $_ for @sums;
    return @sums ? "$sum" : undef;
}

# undef if the sum of squares is less than possible
sub _deviation ($n, $sum, $sumsq) {
    my $spread = $sumsq * $n - $sum * $sum;
    return $spread < 0 ? undef : _thousandths(_root($spread * 1_000_000 / (Math::BigInt->new($n) * ($n - 1))));
}

sub _root ($square) {
    return (Math::BigInt->new(4 * $square)->bsqrt + 1) / 2;
}

sub _thousandths ($number) {
    my ($sign, $digits) = $number->bstr =~ /^(-?)(\d+)$/;
    return $sign . sprintf('%04s', $digits) =~ s/(?=\d{3}$)/./r;
}

# Writes nothing that could not be read
sub _refuse_flood ($header) {
    for (grep { HEADER->{$_} && defined $header->{$_} } sort keys %$header) {
        my ($pattern) = @{ TYPE->{ HEADER->{$_} } };
        my $value = printable($header->{$_});
        die "the $_ of all files together would be $value, which no report can hold; merge fewer\n"
            unless $header->{$_} =~ /^(?:$pattern)$/;
    }
}

sub _value ($self, $key) {
    my $seen = $self->{values}{$key};
    my @values = map { ($_) x $seen->{$_} } sort keys %$seen;
    my $is_same = @values == $self->{reports} && keys %$seen == 1;
    push @values, (undef) x ($self->{reports} - @values);
    my $rule = $self->{rules}{$key};
    my $is_sum = grep { ($rule // '') eq $_ } \&added, \&_added_seconds, \&_added_shares, \&_added_counts;
    return $values[0] if $is_same && !$is_sum;
    return $rule ? $rule->(@values) : $key =~ /_(?:ns2?|us|ms|s|hz|ppm|kb)$/ ? undef : 'several';
}

sub _same (@values) {
    return (any { !defined || $_ ne ($values[0] // '') } @values) ? 'several' : $values[0];
}

sub _greatest (@values) {
    return (any { !defined } @values) ? undef : max(@values);
}

# The overall least and greatest of lists of numbers
sub _ends (@values) {
    return undef if any { !defined } @values;
    my @numbers = map { split / / } @values;
    return join ' ', min(@numbers), max(@numbers);
}

# The sum; "unknown" if a value is that, or undef
sub added (@values) {
    return (any { !defined || $_ eq 'unknown' } @values) ? 'unknown' : _sum(@values);
}

# Exact: List::Util would add texts as floating point numbers
sub _sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

# In whole microseconds, so that the order does not matter
sub _added_seconds (@values) {
    return undef if any { !defined } @values;
    return 'unknown' if any { $_ eq 'unknown' } @values;
    my $sum = _sum(map { sprintf '%.0f', $_ * MICRO } @values);
    return sprintf '%s%d.%06d', $sum < 0 ? '-' : '', abs($sum) / MICRO, abs($sum) % MICRO;
}

sub _added_counts (@values) {
    return (any { !defined } @values) ? undef : _sum(@values);
}

# Such as "18178 of 18181"
sub _added_shares (@values) {
    return undef if any { !defined } @values;
    return 'unknown' if any { $_ eq 'unknown' } @values;
    return join ' of ', map { my $i = $_; _sum(map { (split / of /)[$i] } @values) } 0, 1;
}

sub _worst ($ranks, @words) {
    my %rank = map { $ranks->[$_] => $_ } 0 .. $#$ranks;
    return $ranks->[max(map { $rank{$_} // $#$ranks } @words)];
}

sub _worst_status {
    return _worst(STATUSES, grep { defined } @_);
}

# The worst grade, with every reason once
sub _worst_verdict {
    my @verdicts = map { $_ // 'suspect: a file holds no verdict' } @_;
    my @reasons = sort { $a cmp $b } uniqstr map { reasons_in($_) } @verdicts;
    my $grade = _worst(GRADES, map { /^(\w+)/ } @verdicts);
    return @reasons ? "$grade: " . join('; ', @reasons) : $grade;
}

sub _contradictions {
    my @reasons = sort { $a cmp $b } uniqstr map { reasons_in($_) } @_;
    return @reasons ? 'contradicted: ' . join('; ', @reasons) : _same(@_);
}

1;
