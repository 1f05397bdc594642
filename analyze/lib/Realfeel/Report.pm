# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Report;
use strict;
use warnings;

use List::Util qw(first max);
use Realfeel::Bins;
use Realfeel::Format1;
use Realfeel::Format1::Columns qw(COLUMNS SETS);
use Realfeel::Format2002;
use Realfeel::Lines;
use Realfeel::Parts;
use Realfeel::Units qw(counted printable);

use constant NS_PER_US => 1000;

=head1 NAME

Realfeel::Report - one report, read and checked

=head1 DESCRIPTION

A report is what realfeel(5) describes, or a file of 2002. All times are microseconds.

=head1 METHODS

=head2 read_all($path, $take)

Reads and checks the reports of a file, of which there may be several, one after the other: a list; or C<$take> is
called with those of each run, so that they need not all be in memory. By a name that L<Realfeel::Parts> gives a run or
a part one alone is read. Dies with one line, C<FILE:LINE: what is wrong; remedy>, when there is anything that is not a
whole report, or not a whole run.

=cut

sub read_all {
    my ($class, $path, $take) = @_;
    my ($file, $wanted, $cpu) = Realfeel::Parts::chosen($path);
    my ($lines, $number, @reports) = (Realfeel::Lines->open($file), 0);
    while (defined $lines->line) {
        my @run = map { bless $_, $class } Realfeel::Parts::next_run($lines, sub { _reader($lines)->parse($lines) });
        Realfeel::Parts::named(++$number == 1 && !defined $lines->line ? $file : "$file#$number", @run);
        next if $number != ($wanted // $number);
        @run = Realfeel::Parts::alone($lines, $cpu, @run) if defined $cpu;
        $take ? $take->(@run) : push @reports, @run;
    }
    $lines->fail(0, 'holds ' . counted($number, 'report') . ", so there is no number $wanted; name one that it holds, "
        . "as in $file#1") if ($wanted // 0) > $number;
    return @reports;
}

sub _reader {
    my ($lines) = @_;
    my $first = $lines->line;
    return 'Realfeel::Format1'    if $first =~ /^# realfeel\b/;
    return 'Realfeel::Format2002' if $first =~ /^-?[\d.]+\s+\S/;
    $lines->fail(1, "does not begin with '# realfeel 1'; name a report of realfeel");
}

=head2 read($path)

The same of a file that holds one report, or of one of several by its number.

=cut

sub read {
    my ($class, $path) = @_;
    my @reports = $class->read_all($path);
    my $number = @reports;
    return $reports[0] if $number == 1;
    die printable("$path: holds $number reports where one is due; name one, as in " . $reports[0]->file) . "\n";
}

=head2 of(\%contents)

A report that was not read: C<file>, C<header>, C<keys> and the columns of its data sets, as L<Realfeel::Writer> takes
them.

=cut

sub of {
    my ($class, $contents) = @_;
    my %sets = map { $_ => _as_text($_, $contents->{$_}) } grep { $contents->{$_} } SETS;
    my $histogram = $contents->{histogram} // { from_us => [], to_us => [] };
    my $bins = Realfeel::Bins->new(CORE::keys %$histogram);
    $bins->add($histogram);
    return bless { %$contents{qw(file header keys)}, format => 1, bins => $bins, sets => \%sets }, $class;
}

sub _as_text {
    my ($name, $columns) = @_;
    my @names = grep { $columns->{$_} } map { $_->[0] } @{ COLUMNS->{$name} };
    my @columns = @$columns{@names};
    my @rows = map { my $row = $_; join ' ', map { $_->[$row] } @columns } 0 .. $#{ $columns[0] };
    return [\@names, join '', map { "$_\n" } @rows];
}

=head2 file

The path as it was given.

=head2 run_name

The name of the run; C<file> is that of the part, where it has parts.

=head2 format

C<1> for a report of today, C<2002> for a file of 2002.

=head2 header($key)

The value of a header line as a string of bytes, or undef. A file of 2002 has no header.

=head2 keys

Those of the header, in their order: an empty list where there is none.

=head2 has($set)

Whether the report has a data set: C<histogram>, C<runs>, C<slices>, C<slice_bins>, C<events> or one that explains.

=head2 columns($set, $rows)

That data set as a hash from the column's name to its values, as they are written; undef where there is none. With
C<$rows>, the text of some of its rows, only these.

=head2 groups($set, $column)

The rows of a data set as a list of texts, one for all that follow each other and agree in their columns up to this one.
Empty where there is no such column. The histogram is no such set.

=head2 rows($set)

The names of the columns of that data set, and its rows as text, whole lines: a list of two, empty where there is none.
Not of the histogram.

=head2 bins

The histogram as a L<Realfeel::Bins>.

=head2 verdict

C<valid>, C<suspect> or C<invalid>, without the reasons; undef when the file has none.

=cut

sub file     { return $_[0]{file} }
sub run_name { return $_[0]{run_name} // $_[0]{file} }
sub format { return $_[0]{format} }
sub header { return $_[0]{header}{ $_[1] } }
sub keys   { return @{ $_[0]{keys} // [] } }

sub has  { return $_[1] eq 'histogram' || defined $_[0]{sets}{ $_[1] } }
sub rows { return @{ $_[0]{sets}{ $_[1] } // [] } }
sub bins { return $_[0]{bins} }

sub columns {
    my ($self, $name, $rows) = @_;
    return $self->format eq '2002' ? $self->bins->columns : $self->bins->written if $name eq 'histogram';
    my ($names, $text) = @{ $self->{sets}{$name} // return undef };
    return Realfeel::Format1::Columns::columns($names, $rows // $text);
}

sub groups {
    my ($self, $name, $column) = @_;
    my ($names, $text) = @{ $self->{sets}{$name} // return };
    my $number = first { $names->[$_] eq $column } 0 .. $#$names;
    return unless defined $number;
    my $alike = join '[ \t]+', ('[^ \t\n]+') x (1 + $number);
    my ($last, @groups) = '';
    while ($text =~ /\G(($alike)[ \t][^\n]*+\n(?:\2[ \t][^\n]*+\n){0,5000}+)/g) {
        $2 eq $last ? $groups[-1] .= $1 : push @groups, $1;
        $last = $2;
    }
    return @groups;
}

sub verdict {
    my ($self) = @_;
    return ($self->header('verdict') // '') =~ /^(\w+)/ ? $1 : undef;
}

=head2 part

Which part of how many of a run on several CPUs this is, (2, 4); empty where it is none.

=head2 cpu

The number of the CPU to which the measuring process was bound, undef where it was not.

=cut

sub part { return ($_[0]->header('part') // '') =~ /(\d+)/g }
sub cpu  { return ($_[0]->header('cpu') // '') =~ /^(\d+)$/ ? $1 : undef }

=head2 preemption

The preemption model that the run had, as C<preempt=full> or C<PREEMPT_RT>; undef when it is not known.

=cut

sub preemption {
    my ($self) = @_;
    my $model = $self->header('preemption') // 'unknown';
    return $model =~ /^unknown\b/ ? undef : $model =~ s/^(\w+) \(PREEMPT_DYNAMIC\)$/preempt=$1/r;
}

=head2 contradiction

Why lateness is not to be relied on: what contradicts the schedule, undef when nothing does.

=cut

sub contradiction {
    my ($self) = @_;
    return ($self->header('schedule') // '') =~ /^contradicted\b:?\s*(.*)/s ? $1 : undef;
}

=head2 us($key)

A header value that is written in nanoseconds, in microseconds; undef where there is none.

=cut

sub us {
    my $ns = $_[0]->header($_[1]);
    return defined $ns ? $ns / NS_PER_US : undef;
}

=head2 interval

The L<Realfeel::Distribution> of the interval errors, signed; undef where only latenesses are known.

=cut

sub interval {
    my ($self) = @_;
    my ($bins, $errors) = ($self->{bins}, $self->interval_errors // return undef);
    my @known = ($self->_extreme, $self->_exact('interval'));
    return $self->{interval} //= $errors eq 'signed' ? $bins->signed(@known) : $bins->unsigned(['interval'], @known);
}

=head2 interval_errors

How these count: C<signed>, or C<early as 0> where the file does not tell early ones apart; undef like these.

=cut

sub interval_errors {
    my ($self) = @_;
    my $bins = $self->{bins};
    return $bins->has('interval') ? $bins->has('early') ? 'signed' : 'early as 0' : undef;
}

=head2 magnitude

The distribution of the interval errors without their sign, undef like these.

=cut

sub magnitude {
    my ($self) = @_;
    my $errors = $self->interval_errors // return undef;
    my @extremes = map { abs } grep { defined } map { $self->us($_) } qw(interval_min_ns interval_max_ns);
    return $self->{magnitude} //= $self->{bins}->unsigned(['interval', $errors eq 'signed' ? 'early' : ()],
        $self->_extreme, @extremes == 2 ? (max => max @extremes) : ());
}

=head2 lateness

The distribution of the latenesses; undef where they are not known, as in a file of 2002.

=cut

sub lateness {
    my ($self) = @_;
    return undef unless $self->{bins}->has('lateness');
    return $self->{lateness} //= $self->{bins}->unsigned(['lateness'], $self->_extreme, $self->_exact('lateness'));
}

# The most that the run measured, as far as it says so.
sub _extreme {
    my ($self) = @_;
    return max(map { abs($self->us($_) // 0) } qw(interval_min_ns interval_max_ns lateness_max_ns));
}

sub _exact {
    my ($self, $measure) = @_;
    my %exact = map { $_ => $self->us("${measure}_${_}_ns") } qw(min max mean sd);
    return (%{ $self->{moments} // {} }, map { $_ => $exact{$_} } grep { defined $exact{$_} } CORE::keys %exact);
}

=head2 dependence

The L<Realfeel::Dependence> of the latenesses.

=cut

sub dependence {
    my ($self) = @_;
    require Realfeel::Dependence;
    return $self->{dependence} //= Realfeel::Dependence->of($self);
}

=head2 wakeups

The distribution of the latenesses of wake-ups, see C<wakeups> of L<Realfeel::Bins>; undef where it is that of the
periods, because none was missed, or is not known.

=cut

sub wakeups {
    my ($self) = @_;
    my $missed = $self->header('missed') // 'unknown';
    return undef if $missed eq 'unknown' || $missed == 0 || !$self->lateness || !$self->us('period_ns');
    return $self->{wakeups}
        //= Realfeel::Bins::wakeups($self->lateness, $self->us('period_ns'), $self->header('samples'));
}

=head2 runs

How many runs a merged report is of, undef for one that was not merged.

=cut

sub runs {
    my ($self) = @_;
    my $runs = $self->columns('runs');
    return $runs && scalar @{ $runs->{run} };
}

=head2 events

A list of the worst wake-ups, the worst first, each a hash from the name of realfeel(5) to the value, undef where it is
not known; undef when the file does not hold them.

=cut

sub events {
    my ($self) = @_;
    my $columns = $self->columns('events') or return undef;
    return [map { _event($columns, $_) } 0 .. $#{ $columns->{at_s} }];
}

sub _event {
    my ($columns, $i) = @_;
    return { map { $_ => $columns->{$_}[$i] eq 'unknown' ? undef : $columns->{$_}[$i] } CORE::keys %$columns };
}

1;
