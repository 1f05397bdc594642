# SPDX-License-Identifier: GPL-2.0-or-later
# A printed histogram: a row for each time, a column for each thread. All die with a line that names the line of the
# file.
package Realfeel::Input::Table;
use Realfeel::Base::Modern;

use List::Util qw(max sum0);

use constant {
    CELLS_MAX => 1_000_000,     # that are not empty: so many take 200 MB
    DAMAGED   => 'the file is damaged, take another copy',
};

sub new ($class, $lines) {
    return bless { lines => $lines, bins => [], last => -1, divisor => 0, cells => 0 }, $class;
}

# Adds the next row: times must ascend, and all rows have as many counts
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

# The counts in a row; 0 without rows
sub columns ($self) { return $self->{columns} // 0 }
# The greatest common divisor of all times; 1 without rows
sub divisor ($self) { return $self->{divisor} || 1 }
# Where a row after the last would begin; 0 without rows
sub end ($self, $width)     { return $self->{last} < 0 ? 0 : $self->{last} + $width }

# Column $i as a part for Import; its total is the column's sum and what lies beyond. %$summary has lists min, max,
# mean, total and beyond, as far as known; its total must equal the sum of the column, with $counts_all plus what lies
# beyond.
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

# Dies because the file is damaged, at line $number or the next one
sub fail ($self, $what, $number = undef) {
    $self->{lines}->fail($number // $self->{lines}->number, "$what; @{[DAMAGED]}");
}

1;
