# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Input::Table;
use Realfeel::Base::Modern;

use List::Util qw(max sum0);

use constant {
    CELLS_MAX => 1_000_000,     # that are not empty: so many take 200 MB
    DAMAGED   => 'the file is damaged, take another copy',
};

=head1 NAME

Realfeel::Input::Table - a printed histogram: a row for each time, a column for each thread

=head1 METHODS

All die with one line that names the line of the file.

=head2 new($lines)

An empty table of what a L<Realfeel::Input::Lines> holds.

=head2 add($time, @counts)

Takes the row that comes next. Times ascend; each row has as many counts.

=cut

sub new ($class, $lines) {
    return bless { lines => $lines, bins => [], last => -1, divisor => 0, cells => 0 }, $class;
}

sub add ($self, $time, @counts) {
    $self->{columns} //= @counts;
    $self->fail('there are more or fewer counts than before') if @counts != $self->{columns};
    $self->fail('the times do not ascend') if $time <= $self->{last};
    $time += 0;
    for my $i (grep { $counts[$_] > 0 } 0 .. $#counts) {
        $self->{bins}[$i]{$time} = 0 + $counts[$i];
        $self->{lines}->fail($self->{lines}->number, "there are more than @{[CELLS_MAX]} counts; choose fewer threads")
            if ++$self->{cells} > CELLS_MAX;
    }
    $self->{last} = $time;
    $self->{divisor} = _common_divisor($self->{divisor}, $time);
}

sub _common_divisor ($one, $other) {
    ($one, $other) = ($other, $one % $other) while $other;
    return $one;
}

=head2 columns

How many counts a row has; 0 where there is none.

=head2 divisor

The largest number that divides all times; 1 where there is none.

=head2 end($width)

Where a row of this width after the last would begin; 0 where there is no row.

=cut

sub columns ($self) { return $self->{columns} // 0 }
sub divisor ($self) { return $self->{divisor} || 1 }
sub end ($self, $width)     { return $self->{last} < 0 ? 0 : $self->{last} + $width }

=head2 part($i, $name, \%summary, $counts_all)

What the column of that number holds, as L<Realfeel::Input::Import> takes it, with as C<total> its sum and what lies
beyond. The summary has the lists C<min>, C<max>, C<mean>, C<total> and C<beyond>, as far as they are known. There
C<total> has to be the sum of the column, or with C<$counts_all> that with what lies beyond.

=cut

sub part ($self, $i, $name, $summary, $counts_all = undef) {
    my $bins = $self->{bins}[$i] // {};
    my %figures = map { $_ => $summary->{$_}[$i] } qw(min max mean);
    my ($total, $beyond) = ($summary->{total} && $summary->{total}[$i], $summary->{beyond}[$i] // 0);
    my ($held, $last) = (sum0(values %$bins), max(keys %$bins));
    $self->fail("$name has $beyond samples beyond the histogram", 0) if $beyond < 0;
    $self->fail("the maximum of $name is $figures{max}, but it reaches $last", 0)
        if defined $last && defined $figures{max} && $figures{max} < $last;
    my $told = $counts_all ? $held + $beyond : $held;
    $self->fail("the total of $name is $total, but it holds $told", 0) if defined $total && $total != $told;
    return { bins => $bins, total => $held + $beyond, %figures };
}

=head2 fail($what, $number)

Says that the file is damaged, there or in the next line.

=cut

sub fail ($self, $what, $number = undef) {
    $self->{lines}->fail($number // $self->{lines}->number, "$what; @{[DAMAGED]}");
}

1;
