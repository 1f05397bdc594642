# SPDX-License-Identifier: GPL-2.0-or-later
# The header of a sum of reports, by the merge rules of Input::Keys. Sums are added, other values stay if equal
# everywhere; else texts become "several" and numbers are dropped. Sums and sums of squares, in ns, are exact at any
# length.
package Realfeel::Model::Header;
use Realfeel::Base::Modern;

use List::Util qw(any max min minstr uniqstr);
use Math::BigInt;
use Realfeel::Base::Units qw(NS_PER_US printable);
use Realfeel::Input::Keys qw(LATENCIES MOMENTS PARTS fault merge_rules);
use Realfeel::Model::Report qw(reasons_in);

use constant SERIES => ('interval', LATENCIES, 'stamp_interval');
use constant COST   => qw(explain_with_ns explain_without_ns);
use constant {
    STATUSES  => [qw(complete checkpoint interrupted break)],
    GRADES    => [qw(valid suspect invalid)],
    MICRO     => 1_000_000,
    EXACT     => 1 << 62,       # two integers of Perl that are less have an exact sum
    FAR_NS    => 50_000,
};
use constant {
    # What a sum has in place of values, even if all are equal
    SUMS => {
        added   => \&added,
        counts  => sub { (any { !defined } @_) ? undef : _sum(@_) },
        # In whole microseconds, so that the order does not matter
        seconds => sub { _if_known(sub {
            my $sum = _sum(map { sprintf '%.0f', $_ * MICRO } @_);
            return sprintf '%s%d.%06d', $sum < 0 ? '-' : '', abs($sum) / MICRO, abs($sum) % MICRO;
        }, @_) },
        # Such as "18178 of 18181"
        shares  => sub {
            my @values = map { [split / of /] } grep { defined } @_;
            return _if_known(sub { join ' of ', map { my $i = $_; _sum(map { $_->[$i] } @values) } 0, 1 }, @_);
        },
    },
    # How unequal values merge. A rule gets all values, undef for missing ones.
    RULES => {
        greatest => \&greatest,
        least    => sub { _if_known(sub { min(@_) }, @_) },
        # The overall least and greatest of lists of numbers
        ends     => sub { _if_known(sub { my @all = map { split / / } @_; join ' ', min(@all), max(@all) }, @_) },
        dropped  => sub { undef },
        first    => sub { minstr(grep { defined } @_) },
        words    => sub { join ' ', sort { $a cmp $b } uniqstr map { split / / } grep { defined } @_ },
        remarks  => sub { join '; ', sort { $a cmp $b } uniqstr map { split /; / } grep { defined } @_ },
        yes      => sub { (any { ($_ // '') eq 'yes' } @_) ? 'yes' : 'unknown' },
        exceeded => sub { (any { ($_ // '') eq 'exceeded' } @_) ? 'exceeded' : _same(@_) },
        status   => sub { _worst(STATUSES, grep { defined } @_) },
        verdict  => \&_worst_verdict,
        schedule => sub {
            my @reasons = sort { $a cmp $b } uniqstr map { reasons_in($_) } @_;
            return @reasons ? 'contradicted: ' . join('; ', @reasons) : _same(@_);
        },
    },
};

# %rules override those of some keys: names, or functions
sub new ($class, %rules) {
    return bless { reports => 0, values => {}, moments => {}, rules => { merge_rules(), %rules } }, $class;
}

# Counts how often each value of a key occurs or, for keys dropped if they differ, only notes that they do. Of the costs
# (medians with and without recording) the one with the greatest difference is kept; unknown if any is.
sub add ($self, $header) {
    $self->{reports}++;
    for my $key (keys %$header) {
        my $seen = $self->{values}{$key} //= {};
        $seen->{ $header->{$key} }++ if $self->{rules}{$key} || keys %$seen < 2;
    }
    $self->add_moments('stamp_interval', $header);
    my @cost = map { $header->{$_} // 'unknown' } COST;
    my ($unknown) = grep { "@$_" =~ /unknown/ } my @costs = ($self->{cost} // (), \@cost);
    $self->{cost} = $unknown
        // (sort { $b->[0] - $b->[1] <=> $a->[0] - $a->[1] || $b->[0] <=> $a->[0] } @costs)[0];
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
    @told{qw(sum_ns sumsq_ns2)} = _sums($bins, \%told) unless $is_exact;
    my $all = $self->{moments}{$measure} //= { n => 0, sum_ns => 0, sumsq_ns2 => 0 };
    $all->{from_bins} ||= !$is_exact || ($header->{moments} // '') ne '';
    $all->{n} += $n;
    my @ends = $bins ? map { 0 + sprintf '%.0f', $_ * NS_PER_US } $bins->min, $bins->max : @told{qw(min_ns max_ns)};
    $all->{min_ns} = min($ends[0], $all->{min_ns} // ());
    $all->{max_ns} = max($ends[1], $all->{max_ns} // ());
    for (qw(sum_ns sumsq_ns2)) {
        $all->{$_} = defined $all->{$_} && defined $told{$_} ? Math::BigInt->new($told{$_}) + $all->{$_} : undef;
    }
}

# How many values there are, if the header says so
sub _number ($measure, $header) {
    return $header->{parts_matched} if grep { $_ eq $measure } PARTS;
    if (defined(my $timed = $header->{timed})) {
        return $measure eq 'lateness' ? $timed : $header->{samples} - ($measure eq 'wakeup' ? $timed : 0);
    }
    return $measure eq 'interval' || $header->{lateness_of} ? $header->{samples} : $header->{periods};
}

# Sum and sum of squares of a distribution whose values lie in the middles of their bins, moved to match sum_ns or
# mean_ns in %$told, if known, without changing the deviation. With an open bin there is no sum of squares, and no sum
# unless given.
sub _sums ($bins, $told) {
    my ($n, $mean_ns) = ($bins->n, $told->{mean_ns});
    my $sum = $told->{sum_ns};
    $sum //= _rounded($n * Math::BigInt->new(sprintf('%.3f', $mean_ns) =~ s/\.//r), 1000) if defined $mean_ns;
    return $sum if defined $bins->{open_from};
    my ($sum_of_bins, $squares) = _sums_of_bins($bins);
    return ($sum_of_bins, $squares) unless defined $sum;
    $sum = Math::BigInt->new($sum);
    return ($sum, $squares + _rounded($sum * $sum - $sum_of_bins * $sum_of_bins, $n));
}

# Every bin adds whole numbers, so that the order of bins does not matter. Where squares get large, bins are wide and
# their middles multiples of FAR_NS; what still exceeds Perl's integers is left to Math::BigInt, which is slow.
sub _sums_of_bins ($distribution) {
    my @all = map { Math::BigInt->new(0) } 1 .. 2;
    my $take = sub ($unit, @sums) {
        $all[0] += Math::BigInt->new($sums[0]) * $unit;
        $all[1] += Math::BigInt->new($sums[1]) * $unit * $unit;
    };
    my %sums = map { $_ => [0, 0] } 1, FAR_NS;
    $distribution->each_block(sub ($low, $high, $count) {
        for my $bin (0 .. $#$count) {
            my ($ns, $n) = (0 + sprintf('%.0f', ($low->[$bin] + $high->[$bin]) / 2 * NS_PER_US), $count->[$bin]);
            my $unit = $ns % FAR_NS ? 1 : FAR_NS;
            my ($value, $near) = ($ns / $unit, $sums{$unit});
            if ($value * $value * $n < EXACT) {
                $near->[0] += $value * $n;
                $near->[1] += $value * $value * $n;
            } else {
                $take->($unit, map { Math::BigInt->new($_) * $n } $value, Math::BigInt->new($value) * $value);
            }
            $take->($unit, splice @$near, 0, 2, 0, 0) if $near->[1] >= EXACT;
        }
    });
    $take->($_, @{ $sums{$_} }) for keys %sums;
    return @all;
}

# Rounds a Math::BigInt quotient to the nearest integer; left alone, it rounds down
sub _rounded ($part, $whole) {
    return (2 * $part + $whole) / (2 * Math::BigInt->new($whole));
}

# header, as Output::Writer takes it, with the moments of @$measures and the further lines %more. @doubts
# are verdicts to merge with those of the reports.
sub merged ($self, $measures, $doubts, %more) {
    my %is_moment = map { my $of = $_; map { ("${of}_$_" => 1) } MOMENTS } SERIES, 'parts_lateness', PARTS;
    my @keys = grep { !$is_moment{$_} && !/^(?:moments|slices_joined|latency_p.*)$/ } keys %{ $self->{values} };
    my @known = (@$measures, grep { !$self->{untold}{$_} } 'stamp_interval');
    my %header = ((map { $_ => $self->_value($_) } @keys), (map { $self->_moments($_) } @known), %more);
    my @parts = grep { defined } map { $header{"${_}_sum_ns"} } PARTS;
    $header{parts_lateness_sum_ns} = _sum(Math::BigInt->bzero, @parts) . '' if @parts;
    @header{+COST} = "@{ $self->{cost} }" =~ /unknown/ ? () : @{ $self->{cost} };
    $header{verdict} //= 'suspect: no run has a verdict';
    $header{verdict} = _worst_verdict($header{verdict}, @$doubts) if @$doubts;
    delete @header{ grep { !defined $header{$_} } keys %header };
    for (sort grep { defined fault($_, $header{$_}) } keys %header) {
        my $value = printable($header{$_});
        die "the $_ of all files together would be $value, which no report can hold; merge fewer\n";
    }
    return (header => \%header);
}

sub _moments ($self, $measure) {
    my $all = $self->{moments}{$measure} or return;
    my ($n, $sum, $sumsq) = @$all{qw(n sum_ns sumsq_ns2)};
    my %line = map { $_ => $all->{$_} } qw(min_ns max_ns sum_ns sumsq_ns2);
    $line{mean_ns} = _thousandths(_rounded($sum * 1000, $n)) if defined $sum;
    my $spread = $n > 1 && defined $sum && defined $sumsq ? $sumsq * $n - $sum * $sum : -1;
    if ($spread >= 0) {     # the sum of squares may be less than possible
        my $square = $spread * 1_000_000 / (Math::BigInt->new($n) * ($n - 1));
        $line{sd_ns} = _thousandths((Math::BigInt->new(4 * $square)->bsqrt + 1) / 2);
    }
    return ($all->{from_bins} ? (moments => 'from the bins') : (), map { ("${measure}_$_" => $line{$_}) } keys %line);
}

sub _thousandths ($number) {
    my ($sign, $digits) = $number->bstr =~ /^(-?)(\d+)$/;
    return $sign . sprintf('%04s', $digits) =~ s/(?=\d{3}$)/./r;
}

sub _value ($self, $key) {
    my $seen = $self->{values}{$key};
    my @values = map { ($_) x $seen->{$_} } sort keys %$seen;
    my $is_same = @values == $self->{reports} && keys %$seen == 1;
    push @values, (undef) x ($self->{reports} - @values);
    my $rule = $self->{rules}{$key};
    return SUMS->{$rule}->(@values) if defined $rule && SUMS->{$rule};
    return $values[0] if $is_same;
    return (RULES->{$rule} // $rule)->(@values) if defined $rule;
    return $key =~ /_(?:ns2?|us|ms|s|hz|ppm|kb)$/ ? undef : 'several';
}

sub _same (@values) {
    return (any { !defined || $_ ne ($values[0] // '') } @values) ? 'several' : $values[0];
}

# undef if a report lacks the value, "unknown" if it is unknown in one
sub _if_known ($function, @values) {
    return undef if any { !defined } @values;
    return (any { $_ eq 'unknown' } @values) ? 'unknown' : $function->(@values);
}

sub greatest (@values) { return _if_known(sub { max(@_) }, @values) }

# The sum; "unknown" if a value is "unknown" or undef
sub added (@values) {
    return (any { !defined || $_ eq 'unknown' } @values) ? 'unknown' : _sum(@values);
}

# Exact: List::Util would add texts as floating point numbers
sub _sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

sub _worst ($ranks, @words) {
    my %rank = map { $ranks->[$_] => $_ } 0 .. $#$ranks;
    return $ranks->[max(map { $rank{$_} // $#$ranks } @words)];
}

# The worst grade, with every reason once
sub _worst_verdict {
    my @verdicts = map { $_ // 'suspect: a file holds no verdict' } @_;
    my @reasons = sort { $a cmp $b } uniqstr map { reasons_in($_) } @verdicts;
    my $grade = _worst(GRADES, map { /^(\w+)/ } @verdicts);
    return @reasons ? "$grade: " . join('; ', @reasons) : $grade;
}

1;
