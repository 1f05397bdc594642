# SPDX-License-Identifier: GPL-2.0-or-later
# Merges several runs CPU by CPU, or cell by cell of a ring's table.
package Realfeel::Model::Merge::Cpus;
use Realfeel::Base::Modern;

use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Cpus qw(cpu_list place pooled);
use Realfeel::Model::Merge;
use Realfeel::Model::Merge::Runs qw(rows_of);

# pool: add all CPUs of a run together first. The other options are those of Model::Merge.
sub new ($class, %option) {
    my $pool = delete $option{pool};
    return bless { pool => $pool, option => \%option, sums => {} }, $class;
}

# Takes all reports of a run. Dies with one line if they must not be merged with those before: CPUs have to be the same.
# Each cell of a ring's table is a run, and later ones may bring new cells.
sub add ($self, @reports) {
    @reports = pooled({ reports => [@reports] }) if $self->{pool};
    my %report = map { _key($_) => $_ } @reports;
    my $sums = $self->{sums};
    my $kind = join ' ', defined $reports[0]->cell ? 'ring' : 'run', sort map { place($_) } @reports;
    $self->{first} //= [$reports[0]->run_name, _cpus(@reports), $kind];
    $self->_refuse_others(@reports) if $kind ne $self->{first}[2];
    my %option = (%{ $self->{option} }, cpus => scalar @reports);
    $sums->{$_} //= Realfeel::Model::Merge->new(%option) for keys %report;
    my @places = _in_order(keys %report);
    my @order = @reports > 1 ? _order(@report{@places}) : ();
    $sums->{$_}->add($report{$_}, @order) for @places;
}

# What each run is on all CPUs, so that runs started within a second are in the same order everywhere
sub _order (@reports) {
    my @order;
    for my $report (@reports) {
        my @rows = rows_of($report, { map { $_ => $report->header($_) } $report->keys });
        $order[$_] .= "$rows[$_]\n" for 0 .. $#rows;
    }
    return @order;
}

# Which CPU of its run this is. A run on a single CPU has no key, as such runs merge whatever CPU they used.
sub _key ($report) {
    my @cell = defined $report->cell ? map { $report->header($_) } qw(array_bytes processes) : ();
    return join(' ', @cell, place($report)) || 'all';
}

sub _in_order {
    my %key = map { $_ => join '', map { pack 'Q>', $_ } /(\d+)/g } @_;
    return sort { $key{$a} cmp $key{$b} } @_;
}

sub _cpus (@reports) {
    my $cell = defined $reports[0]->cell ? "a cell of a ring's table on " : '';
    return $cell . 'one CPU alone' unless $reports[0]->part;
    return $cell . 'CPUs ' . cpu_list(@reports) unless grep { !defined $_->cpu } @reports;
    return $cell . @reports . ' CPUs that it does not name';
}

sub _refuse_others ($self, @reports) {
    my ($name, $cpus) = @{ $self->{first} };
    my $refused = @reports > 1 ? $reports[0]->run_name : $reports[0]->file;
    die printable("$refused: measured " . _cpus(@reports) . ", but $name $cpus; "
        . 'name runs on the same CPUs, or add those of each run together with --pool') . "\n";
}

# The sums as Output::Writer takes them, one for each CPU; ends the merge. Dies with one line if reports of a CPU have
# no measure in common.
sub reports ($self) {
    my $sums = $self->{sums};
    return map { $sums->{$_}->report } _in_order(keys %$sums);
}

1;
