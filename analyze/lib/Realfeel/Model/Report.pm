# SPDX-License-Identifier: GPL-2.0-or-later
# One report, read and checked: what realfeel(5) describes, or a file of 2002. Times are in microseconds. The methods of
# Report::Measures belong to it, too.
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

# Reads all reports of a file, which may be several in succession. Returns them, or calls $take with those of each run,
# so that memory holds one at a time. A cell of a ring's table is a run. $open makes the Input::Lines of the file, by
# default opening it. A name by Input::Parts selects a run or a part. Dies with "FILE:LINE: what is wrong; remedy" at
# anything that is not a whole report or a whole run.
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

# The only report of a file, or the one selected by name
sub read ($class, $path) {
    my @reports = $class->read_all($path);
    my $number = @reports;
    return $reports[0] if $number == 1;
    die printable("$path: holds $number reports where one is due; name one, as in " . $reports[0]->file) . "\n";
}

# A report that was not read: file, header, keys and data sets as columns, as Output::Writer takes them
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

# The path as given
sub file ($self)     { return $self->{file} }
# Of the run; file() names the part, if the run has parts
sub run_name ($self) { return $self->{run_name} // $self->{file} }
# "1" or "2002"
sub format ($self) { return $self->{format} }
# In bytes; undef if missing
sub header ($self, $key) { return $self->{header}{$key} }
# In order
sub keys ($self)   { return @{ $self->{keys} // [] } }

# Data sets: histogram, runs, slices, slice_bins, events, and those that explain
sub has ($self, $set)  { return $set eq 'histogram' || defined $self->{sets}{$set} }
# Column names, and the rows as text; empty without such a set. Not for the histogram.
sub rows ($self, $set) { return @{ $self->{sets}{$set} // [] } }
sub bins ($self) { return $self->{bins} }

# A hash from names to values as written, undef without such a set; with $rows, of these rows as text only
sub columns ($self, $name, $rows = undef) {
    return $self->format eq '2002' ? $self->bins->columns : $self->bins->written if $name eq 'histogram';
    my ($names, $text) = @{ $self->{sets}{$name} // return undef };
    return Realfeel::Input::Format1::Columns::columns($names, $rows // $text);
}

# The rows of a set as texts, one for each stretch that agrees in all columns up to $column; empty without such a
# column. Not for the histogram.
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

# "valid", "suspect" or "invalid"; undef if the file has none
sub verdict ($self) {
    return ($self->header('verdict') // '') =~ /^(\w+)/ ? $1 : undef;
}

# The reasons of the verdict, without what contradiction() says better
sub doubts ($self) {
    return grep { !defined $self->contradiction || !/^the schedule is contradicted\b/ } $self->reasons('verdict');
}

# Of the verdict, or of another header line of a word and its reasons
sub reasons ($self, $key) { return reasons_in($self->header($key)) }
# What disturbed the run, but not its figures
sub remarks ($self) { return split /; /, $self->header('remarks') // '' }
# The header's word on --explain, '' if it is none, and its reason, if any
sub explained ($self) { return ($self->header('explain') // 'off') =~ /^(\w*)(?: \((.*)\)$)?/s }

# (2, 4): part 2 of 4 of a run on several CPUs; empty if it is none
sub part ($self) { return @{ $self->{part} // [] } }
# "8x16k": the cell of a ring's table; undef if it is none
sub cell ($self) { return Realfeel::Input::Parts::cell($self) }
# The CPU to which the meter was bound; undef if it was not
sub cpu ($self)  { return ($self->header('cpu') // '') =~ /^(\d+)$/ ? $1 : undef }

# "preempt=full" or "PREEMPT_RT"; undef if unknown
sub preemption ($self) {
    my $model = $self->header('preemption') // 'unknown';
    return $model =~ /^unknown\b/ ? undef : $model =~ s/^(\w+) \(PREEMPT_DYNAMIC\)$/preempt=$1/r;
}

# What contradicts the schedule, which makes lateness unreliable; undef if nothing
sub contradiction ($self) {
    return ($self->header('schedule') // '') =~ /^contradicted\b:?\s*(.*)/s ? $1 : undef;
}

# A header value in ns, as microseconds; undef if missing
sub us ($self, $key) {
    my $ns = $self->header($key);
    return defined $ns ? $ns / NS_PER_US : undef;
}

# How many runs were merged; undef if none were
sub runs ($self) {
    my $runs = $self->columns('runs');
    return $runs && scalar @{ $runs->{run} };
}

# The report and the number there of worst wake-up $number: for pooled threads the thread's own, else this one
sub origin ($self, $number) {
    return @{ ($self->{origins} // [])->[$number - 1] // [$self, $number] };
}

# The worst wake-ups, worst first: hashes by the names of realfeel(5), undef values if unknown; undef without such a set
sub events ($self) {
    my $columns = $self->columns('events') or return undef;
    return [map { _event($columns, $_) } 0 .. $#{ $columns->{at_s} }];
}

sub _event ($columns, $i) {
    return { map { $_ => $_ eq 'utc' ? text($columns->{$_}[$i]) : number($columns->{$_}[$i]) } CORE::keys %$columns };
}

# Of "suspect: one; another"
sub reasons_in ($value) {
    return ($value // '') =~ /^\w+:\s*(.*)/s ? split /;\s*/, $1 : ();
}

1;
