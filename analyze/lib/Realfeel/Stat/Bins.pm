# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Stat::Bins;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(COUNT_MAX edge);

use List::Util qw(max min sum0);
use Realfeel::Stat::Distribution;

use constant {
    COUNT_MAX => 999_999_999_999_999_999,       # not 10 ** 18 - 1, which Perl rounds
    EXACT     => 1e15,
    INFINITY  => 9**9**9,
    SIZE      => 8,             # of a number in a packed column
    BLOCK     => 8 * 4096,      # of a column, unpacked at a time
    NONE      => pack('q', 0),
};

=head1 NAME

Realfeel::Stat::Bins - the histogram of a report, and the distributions that it holds

=head1 DESCRIPTION

Columns are kept packed, the edges C<from_us> and C<to_us> by C<pack 'd*'>, counts by C<pack 'q*'>: there may be a
million bins.

=head1 METHODS

=head2 new(@names)

A histogram of no bins, with the columns of these names.

=head2 of_text(\@names, $text)

That which a text holds, of which each line is a row.

=head2 of_buckets($us, \$numbers, \$counts)

That of buckets of one width, from these columns: of each bucket how many could be below it, and the count of
C<interval>, by C<pack 'q*'>. Edges are made when they are asked for.

=head2 add(\%columns)

Adds bins: a hash from the column's name to its values.

=head2 append($bins)

Adds those of another with the same columns, or of a hash of columns that are packed so.

=cut

sub new ($class, @names) {
    return bless { map { $_ => '' } @names }, $class;
}

sub of_text ($class, $names, $text) {
    my @fields = split ' ', $text;
    my @places = map { $_ * @$names } 0 .. @fields / @$names - 1;
    my $self = $class->new(@$names);
    for my $name (@$names) {
        $self->{$name} = pack _form($name), @fields[@places];
        $_++ for @places;
    }
    return $self;
}

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

sub append ($self, $more) {
    $self->{$_} .= $more->{$_} for keys %$self;
}

sub add ($self, $columns) {
    $self->{$_} .= pack _form($_), @{ $columns->{$_} } for keys %$self;
}

sub _form ($name) { return $name =~ /_us$/ ? 'd*' : 'q*' }

=head2 has($name)

Whether there is such a column.

=head2 columns(@names)

A hash from the column's name to its values, as numbers: of these columns, or of all.

=head2 written

The same, with the edges as realfeel writes them.

=head2 packed($name)

A column as it is kept.

=head2 total($name)

The sum of a column of counts, exact up to C<COUNT_MAX>.

=cut

sub has ($self, $name)    { return defined $self->{$name} }
sub packed ($self, $name) { return ${ $self->_made($name) } }

sub _made ($self, $name) {
    $self->{$name} = $self->{$name}->() if ref $self->{$name};
    return \$self->{$name};
}

# In floating point, which is fast and exact to 15 digits, else number by number.
sub total ($self, $name) {
    my $sum = unpack '%127q*', $self->{$name};
    return $sum < EXACT ? $sum : sum0(unpack 'q*', $self->{$name});
}

# What a distribution takes: a column, or what makes it.
sub _edges ($self, $name) {
    return ref $self->{$name} ? sub { $self->_made($name) } : \$self->{$name};
}

sub columns ($self, @names) {
    return { map { $_ => [unpack _form($_), $self->packed($_)] } @names ? @names : keys %$self };
}

sub written ($self) {
    my $columns = $self->columns;
    @$_ = map { edge($_) } @$_ for @$columns{qw(from_us to_us)};
    return $columns;
}

=head2 unsigned($names, $least, %exact)

The L<Realfeel::Stat::Distribution> of the counts of one column, or of the sums of several: C<$names> is an array. The
open last bin is closed a decade above its lower edge, or above C<$least> if that is more. C<%exact> are figures that
are known.

=cut

sub unsigned ($self, $names, $least, %exact) {
    my $count = $self->_sum(@$names);
    my ($low, $high, $filled) = $self->_filled($count, $least);
    my $open = $self->_is_open && substr($$count, -SIZE) ne NONE;
    return Realfeel::Stat::Distribution->new(low => $low, high => $high, count => $filled, open => $open, %exact);
}

# Columns are passed as references, and one as it is without a copy.
sub _sum ($self, $name, @more) {
    my $count = \$self->{$name};
    for (@more) {
        my @added = unpack 'q*', $self->{$_};
        $count = \pack 'q*', map { $_ + shift @added } unpack 'q*', $$count;
    }
    return $count;
}

=head2 signed($least, %exact)

That of the interval errors, where early ones are below 0.

=cut

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

# The lower and the upper edges of the bins that are not empty, and their counts.
sub _filled ($self, $count, $least) {
    my @edges = ($self->_edges('from_us'), $self->_closed($least));
    return (@edges, $count) unless _has_empty($count);
    my @counts = unpack 'q*', $$count;
    my @kept = grep { $counts[$_] } 0 .. $#counts;
    my @columns = map { ref eq 'CODE' ? $_->() : $_ } @edges;
    return ((map { \pack 'd*', (unpack 'd*', $$_)[@kept] } @columns), \pack 'q*', @counts[@kept]);
}

# Looked for in the packed column, for unpacked a million of them need much memory.
sub _has_empty ($count) {
    my $at = -1;
    while (($at = index $$count, NONE, $at + 1) >= 0) {
        return 1 if $at % SIZE == 0;
    }
    return 0;
}

# The upper edges. That of an open bin is never 0, so that the bin has a width.
sub _closed ($self, $least) {
    return $self->_edges('to_us') unless $self->_is_open;
    my $last = 10 * (max($least, unpack 'd', substr $self->{from_us}, -SIZE) || 1);
    return \(substr($self->{to_us}, 0, -SIZE) . pack 'd', $last);
}

sub _is_open ($self) {
    return !ref $self->{to_us} && $self->{to_us} ne '' && unpack('d', substr $self->{to_us}, -SIZE) == INFINITY;
}

=head1 CONSTANTS

=head2 COUNT_MAX

What the counts of a column add up to at most, so that sums are exact.

=head1 FUNCTIONS

=head2 edge($us)

An edge as realfeel writes it, if it is one that it can write.

=cut

sub edge ($us) {
    return 'inf' if $us == INFINITY;
    my $text = sprintf '%.2f', $us;
    return $text == $us ? $text : $us;
}

=head2 wakeups($lateness, $period, $samples)

The L<Realfeel::Stat::Distribution> of the latenesses of C<$samples> wake-ups, each by the oldest period that it served,
from that of all periods: this is what a program measures that skips the periods which it missed. The periods that a
wake-up served are each one period less late than the one before, so those that are not the oldest have another that is
later by just one period. Counts are right to within those of one bin.

=cut

sub wakeups ($lateness, $period, $samples) {
    my ($low, $high, $count) = $lateness->columns;
    my $later = _above_ascending($lateness, map { $_ + $period } @$low);
    my ($all, $above, @count) = ($lateness->n, 0);
    for my $i (reverse 0 .. $#$low) {
        my $at_least = $lateness->n - ($all -= $count->[$i]);
        my $wakeups = max($above, min($samples, $at_least - $later->[$i]));
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

# How many values are not less than each of some that ascend, to the nearest whole number: in one pass over the bins.
sub _above_ascending ($distribution, @values) {
    my ($low, $high, $count) = $distribution->columns;
    my ($i, $beyond, @above) = (0, $distribution->n);
    for my $value (@values) {
        $beyond -= $count->[$i++] while $i < @$high && $high->[$i] <= $value;
        my $part = $i < @$high && $low->[$i] < $value
            ? $count->[$i] * ($value - $low->[$i]) / ($high->[$i] - $low->[$i]) : 0;
        push @above, sprintf '%.0f', $beyond - $part;
    }
    return \@above;
}

1;
