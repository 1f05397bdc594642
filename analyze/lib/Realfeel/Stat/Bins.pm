# SPDX-License-Identifier: GPL-2.0-or-later
# The histogram of a report, and the distributions in it. Columns are kept packed, the edges from_us and to_us as
# doubles (d*), counts as 64-bit integers (q*): there may be a million bins.
package Realfeel::Stat::Bins;
use Realfeel::Base::Modern;

use List::Util qw(max min sum0);
use Realfeel::Stat::Distribution qw(BLOCK SIZE);

use constant {
    BUCKET_US => 100,           # of 2002
    COUNT_MAX => 999_999_999_999_999_999,       # the largest exact sum; not 10 ** 18 - 1, which Perl rounds
    EXACT     => 1e15,
    INFINITY  => 9**9**9,
    NONE      => pack('q', 0),
    FORM      => { from_us => 'd*', to_us => 'd*' },        # q* for the others
};

sub new ($class, @names) {
    return bless { map { $_ => '' } @names }, $class;
}

# $text has a row of @$names on each line
sub of_text ($class, $names, $text) {
    my @fields = split ' ', $text;
    my @places = map { $_ * @$names } 0 .. @fields / @$names - 1;
    my $self = $class->new(@$names);
    for my $name (@$names) {
        $self->{$name} = pack FORM->{$name} // 'q*', @fields[@places];
        $_++ for @places;
    }
    return $self;
}

# Buckets of $us each: $$numbers holds the index, $$counts the count of interval, both packed as q*. Edges are computed
# on demand.
sub of_buckets ($class, $us, $numbers, $counts) {
    my $edges = sub ($more) {
        my $packed = '';
        for (my $at = 0; $at < length $$numbers; $at += BLOCK) {
            $packed .= pack 'd*', map { $us * ($_ + $more) } unpack 'q*', substr $$numbers, $at, BLOCK;
        }
        return $packed;
    };
    return bless { from_us => sub { $edges->(0) }, to_us => sub { $edges->(1) }, interval => $$counts }, $class;
}

# %$columns maps names to arrays of values
sub add ($self, $columns) {
    $self->{$_} .= pack FORM->{$_} // 'q*', @{ $columns->{$_} } for keys %$self;
}

# By reference
sub packed ($self, $name) {
    $self->{$name} = $self->{$name}->() if ref $self->{$name};
    return \$self->{$name};
}

# Exact up to COUNT_MAX: in floating point, which is fast, up to 15 digits, else number by number
sub total ($self, $name) {
    my $sum = unpack '%127q*', $self->{$name};
    return $sum < EXACT ? $sum : sum0(unpack 'q*', $self->{$name});
}

# A hash from names to arrays of numbers; all columns without @names
sub columns ($self, @names) {
    return { map { $_ => [unpack FORM->{$_} // 'q*', ${ $self->packed($_) }] } @names ? @names : keys %$self };
}

# Like columns, with the edges as realfeel writes them
sub written ($self) {
    my $columns = $self->columns;
    @$_ = map { edge($_) } @$_ for @$columns{qw(from_us to_us)};
    return $columns;
}

# The distribution of the counts of @$names, added up. The open last bin is closed a decade above its lower edge or
# above $least, whichever is more. %exact holds figures known from elsewhere.
sub unsigned ($self, $names, $least, %exact) {
    my ($name, @more) = @$names;
    my $count = \$self->{$name};        # a single column is not copied
    for (@more) {
        my @added = unpack 'q*', $self->{$_};
        $count = \pack 'q*', map { $_ + shift @added } unpack 'q*', $$count;
    }
    my ($low, $high, $filled, $is_open) = $self->_filled($count, $least);
    return Realfeel::Stat::Distribution->new(low => $low, high => $high, count => $filled, open => $is_open, %exact);
}

# The distribution of interval errors, with early ones below 0
sub signed ($self, $least, %exact) {
    my ($low, $high, $count) = $self->_filled(\$self->{interval}, $least);
    my ($less, $more, $early) = $self->_filled(\$self->{early}, $least);
    return Realfeel::Stat::Distribution->new(
        low   => \(pack('d*', map { 0 - $_ } reverse unpack 'd*', $$more) . $$low),
        high  => \(pack('d*', map { 0 - $_ } reverse unpack 'd*', $$less) . $$high),
        count => \(pack('q*', reverse unpack 'q*', $$early) . $$count),
        %exact,
    );
}

# Lower edges, upper edges and counts of the bins that are not empty, and whether the last one is open. Edges are as a
# distribution takes them: packed, or a function that makes them. The end of an open bin is never 0, so that it has a
# width.
sub _filled ($self, $count, $least) {
    my @edges = map { my $name = $_; ref $self->{$name} ? sub { $self->packed($name) } : \$self->{$name} }
        qw(from_us to_us);
    my $is_open = !ref $self->{to_us} && $self->{to_us} ne '' && unpack('d', substr $self->{to_us}, -SIZE) == INFINITY;
    if ($is_open) {
        my $last = 10 * (max($least, unpack 'd', substr $self->{from_us}, -SIZE) || 1);
        $edges[1] = \(substr($self->{to_us}, 0, -SIZE) . pack 'd', $last);
        $is_open = substr($$count, -SIZE) ne NONE;
    }
    my $empty = index $$count, NONE;    # unpacking a million counts takes too much memory
    $empty = index $$count, NONE, $empty + 1 while $empty >= 0 && $empty % SIZE;
    return (@edges, $count, $is_open) if $empty < 0;
    my @counts = unpack 'q*', $$count;
    my @kept = grep { $counts[$_] } 0 .. $#counts;
    my @columns = map { ref eq 'CODE' ? $_->() : $_ } @edges;
    return ((map { \pack 'd*', (unpack 'd*', $$_)[@kept] } @columns), \pack('q*', @counts[@kept]), $is_open);
}

# As realfeel writes it, if it can
sub edge ($us) {
    return 'inf' if $us == INFINITY;
    my $text = sprintf '%.2f', $us;
    return $text == $us ? $text : $us;
}

# The lateness of $samples wake-ups, each for the oldest period it served, derived from all periods: what a program that
# skips missed periods measures. The periods of one wake-up are each one period less late than the one before, so every
# period that is not the oldest has another one exactly a period later. Counts are right to within one bin.
sub wakeups ($lateness, $period, $samples) {
    my ($low, $high, $count) = $lateness->columns;
    my ($all, $above, @count) = ($lateness->n, 0);
    for my $i (reverse 0 .. $#$low) {
        my $at_least = $lateness->n - ($all -= $count->[$i]);
        my $later = sprintf '%.0f', $lateness->above($low->[$i] + $period);
        my $wakeups = max($above, min($samples, $at_least - $later));
        $count[$i] = $wakeups - $above;
        $above = $wakeups;
    }
    $count[0] += $samples - $above if @count;
    my @kept = grep { $count[$_] } 0 .. $#count;
    return Realfeel::Stat::Distribution->new(
        low   => [@$low[@kept]],
        high  => [@$high[@kept]],
        count => [@count[@kept]],
        min   => $lateness->min,
        max   => $lateness->max,
    );
}

1;
