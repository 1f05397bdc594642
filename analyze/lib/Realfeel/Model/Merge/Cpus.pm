# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Merge::Cpus;
use Realfeel::Base::Modern;

use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Cpus qw(cpu_list place pooled);
use Realfeel::Model::Merge;
use Realfeel::Model::Merge::Runs qw(rows_of);

=head1 NAME

Realfeel::Model::Merge::Cpus - several runs made one, CPU by CPU, or cell by cell of a ring's table

=head1 METHODS

=head2 new(pool => $bool, %option)

With C<pool>, all CPUs of a run are added together before; the other options are those of L<Realfeel::Model::Merge>.

=cut

sub new ($class, %option) {
    my $pool = delete $option{pool};
    return bless { pool => $pool, option => \%option, sums => {} }, $class;
}

=head2 add(@reports)

Adds the L<Realfeel::Model::Report>s of a run, one for each CPU. Dies with one line when they must not be merged with
those before: the CPUs have to be the same. Of a ring's table each cell is a run, and there may be more with each.

=cut

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

# Of each run what it is on all CPUs, so that runs which started in the same second are in one order on all of them.
sub _order (@reports) {
    my @order;
    for my $report (@reports) {
        my @rows = rows_of($report, { map { $_ => $report->header($_) } $report->keys });
        $order[$_] .= "$rows[$_]\n" for 0 .. $#rows;
    }
    return @order;
}

# Which CPU of a run this is. A run on one alone is told by no CPU, for such runs are merged whatever theirs was.
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

=head2 reports

The sums, one for each CPU, in the form that L<Realfeel::Output::Writer> takes; nothing can be added then. Dies with one
line when reports of a CPU have no measure in common.

=cut

sub reports ($self) {
    my $sums = $self->{sums};
    return map { $sums->{$_}->report } _in_order(keys %$sums);
}

1;
