# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Report;
use Realfeel::Base::Modern;

use parent 'Realfeel::Model::Report::Measures';

use Exporter 'import';
our @EXPORT_OK = qw(reasons_in);

use List::Util qw(first);
use Realfeel::Base::Typed qw(number text);
use Realfeel::Base::Units qw(counted printable);
use Realfeel::Input::Format1;
use Realfeel::Input::Format1::Columns qw(SETS in_order);
use Realfeel::Input::Format2002;
use Realfeel::Input::Lines;
use Realfeel::Input::Parts;
use Realfeel::Stat::Bins;

use constant {
    NS_PER_US => 1000,
    OF_TODAY  => qr/^# realfeel\b/,
    OF_2002   => qr/^-?[\d.]+\s+\S/,
};
use constant BEGINS => qr/${\OF_TODAY}|${\OF_2002}/;      # a file that can be a report

=head1 NAME

Realfeel::Model::Report - one report, read and checked

=head1 DESCRIPTION

A report is what realfeel(5) describes, or a file of 2002. All times are microseconds. A report has the methods of
L<Realfeel::Model::Report::Measures>, too, which tell what was measured.

=head1 METHODS

=head2 read_all($path, $take, $open)

Reads and checks the reports of a file, of which there may be several, one after the other: a list; or C<$take> is
called with those of each run, so that they need not all be in memory. C<$open>, if it is given, makes the
L<Realfeel::Input::Lines> of the file. A cell of a ring's table is a run. By a name that
L<Realfeel::Input::Parts> gives a run or a part one alone is read. Dies with one line, C<FILE:LINE: what is wrong;
remedy>, when there is anything that is not a whole report, or not a whole run.

=cut

sub read_all ($class, $path, $take = undef, $open = undef) {
    my ($file, $wanted, $part) = Realfeel::Input::Parts::chosen($path);
    my ($lines, $number, @reports) = ($open ? $open->($file) : Realfeel::Input::Lines->open($file), 0);
    while (defined $lines->line) {
        my @run = map { bless $_, $class }
            Realfeel::Input::Parts::next_run($lines, sub { _reader($lines)->parse($lines) });
        Realfeel::Input::Parts::named(++$number == 1 && !defined $lines->line ? $file : "$file#$number", @run);
        next if $number != ($wanted // $number);
        @run = Realfeel::Input::Parts::alone($lines, $part, @run) if defined $part;
        $take //= sub { push @reports, @_ };
        $take->(@$_) for Realfeel::Input::Parts::runs(@run);
    }
    $lines->fail(0, 'holds ' . counted($number, 'report') . ", so there is no number $wanted; name one that it holds, "
        . "as in $file#1") if ($wanted // 0) > $number;
    return @reports;
}

sub _reader ($lines) {
    my $first = $lines->line;
    return 'Realfeel::Input::Format1'    if $first =~ OF_TODAY;
    return 'Realfeel::Input::Format2002' if $first =~ OF_2002;
    $lines->fail(1, "does not begin with '# realfeel 1'; name a report of realfeel, or import it with --format");
}

=head2 read($path)

The same of a file that holds one report, or of one of several by its number.

=cut

sub read ($class, $path) {
    my @reports = $class->read_all($path);
    my $number = @reports;
    return $reports[0] if $number == 1;
    die printable("$path: holds $number reports where one is due; name one, as in " . $reports[0]->file) . "\n";
}

=head2 of(\%contents)

A report that was not read: C<file>, C<header>, C<keys> and the columns of its data sets, as L<Realfeel::Output::Writer>
takes them.

=cut

sub of ($class, $contents) {
    my %sets = map { $_ => _as_text($_, $contents->{$_}) } grep { $contents->{$_} } SETS;
    my $histogram = $contents->{histogram} // { from_us => [], to_us => [] };
    my $bins = Realfeel::Stat::Bins->new(CORE::keys %$histogram);
    $bins->add($histogram);
    return bless { %$contents{qw(file header keys origins)}, format => 1, bins => $bins, sets => \%sets }, $class;
}

sub _as_text ($name, $columns) {
    my @names = grep { $columns->{$_} } map { $_->[0] } in_order($name, $columns);
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

The histogram as a L<Realfeel::Stat::Bins>.

=head2 verdict

C<valid>, C<suspect> or C<invalid>, without the reasons; undef when the file has none.

=cut

sub file ($self)     { return $self->{file} }
sub run_name ($self) { return $self->{run_name} // $self->{file} }
sub format ($self) { return $self->{format} }
sub header ($self, $key) { return $self->{header}{$key} }
sub keys ($self)   { return @{ $self->{keys} // [] } }

sub has ($self, $set)  { return $set eq 'histogram' || defined $self->{sets}{$set} }
sub rows ($self, $set) { return @{ $self->{sets}{$set} // [] } }
sub bins ($self) { return $self->{bins} }

sub columns ($self, $name, $rows = undef) {
    return $self->format eq '2002' ? $self->bins->columns : $self->bins->written if $name eq 'histogram';
    my ($names, $text) = @{ $self->{sets}{$name} // return undef };
    return Realfeel::Input::Format1::Columns::columns($names, $rows // $text);
}

sub groups ($self, $name, $column) {
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

sub verdict ($self) {
    return ($self->header('verdict') // '') =~ /^(\w+)/ ? $1 : undef;
}

=head2 reasons($key)

Those of the header's C<verdict>, or of another line that is a word and the reasons of it: a list.

=head2 remarks

What disturbed the run, but not its figures: a list.

=head2 doubts

The reasons of the verdict, but for the one that C<contradiction> says better.

=head2 explained

The header's word on C<--explain>, empty where that is no word, and the reason of it, if it has one: a list.

=cut

sub doubts ($self) {
    return grep { !defined $self->contradiction || !/^the schedule is contradicted\b/ } $self->reasons('verdict');
}

sub reasons ($self, $key) { return reasons_in($self->header($key)) }
sub remarks ($self) { return split /; /, $self->header('remarks') // '' }
sub explained ($self) { return ($self->header('explain') // 'off') =~ /^(\w*)(?: \((.*)\)$)?/s }

=head2 part

Which part of how many of a run on several CPUs this is, (2, 4); empty where it is none.

=head2 cell

Which cell of a ring's table this is, C<8x16k>; undef where it is none.

=head2 cpu

The number of the CPU to which the measuring process was bound, undef where it was not.

=cut

sub part ($self) { return @{ $self->{part} // [] } }
sub cell ($self) { return Realfeel::Input::Parts::cell($self) }
sub cpu ($self)  { return ($self->header('cpu') // '') =~ /^(\d+)$/ ? $1 : undef }

=head2 preemption

The preemption model that the run had, as C<preempt=full> or C<PREEMPT_RT>; undef when it is not known.

=cut

sub preemption ($self) {
    my $model = $self->header('preemption') // 'unknown';
    return $model =~ /^unknown\b/ ? undef : $model =~ s/^(\w+) \(PREEMPT_DYNAMIC\)$/preempt=$1/r;
}

=head2 contradiction

Why lateness is not to be relied on: what contradicts the schedule, undef when nothing does.

=cut

sub contradiction ($self) {
    return ($self->header('schedule') // '') =~ /^contradicted\b:?\s*(.*)/s ? $1 : undef;
}

=head2 us($key)

A header value that is written in nanoseconds, in microseconds; undef where there is none.

=cut

sub us ($self, $key) {
    my $ns = $self->header($key);
    return defined $ns ? $ns / NS_PER_US : undef;
}

=head2 runs

How many runs a merged report is of, undef for one that was not merged.

=cut

sub runs ($self) {
    my $runs = $self->columns('runs');
    return $runs && scalar @{ $runs->{run} };
}

=head2 events

A list of the worst wake-ups, the worst first, each a hash from the name of realfeel(5) to the value, undef where it is
not known; undef when the file does not hold them.

=head2 origin($number)

The report that has this one of them, from 1, and its number there: of several threads that were put together, that of
its own; else this one.

=cut

sub origin ($self, $number) {
    return @{ ($self->{origins} // [])->[$number - 1] // [$self, $number] };
}

sub events ($self) {
    my $columns = $self->columns('events') or return undef;
    return [map { _event($columns, $_) } 0 .. $#{ $columns->{at_s} }];
}

sub _event ($columns, $i) {
    return { map { $_ => $_ eq 'utc' ? text($columns->{$_}[$i]) : number($columns->{$_}[$i]) } CORE::keys %$columns };
}

=head1 FUNCTIONS

=head2 reasons_in($value)

Those of a header's line that is a word and the reasons of it, C<suspect: one; another>.

=cut

sub reasons_in ($value) {
    return ($value // '') =~ /^\w+:\s*(.*)/s ? split /;\s*/, $1 : ();
}

1;
