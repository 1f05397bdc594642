# SPDX-License-Identifier: GPL-2.0-or-later
# Merges several runs into one, CPU by CPU, or cell by cell of a ring's table. Merging is commutative and associative.
# Only data that every report has are kept, and these add up exactly.
package Realfeel::Model::Merge;
use Realfeel::Base::Modern;

use List::Util qw(sum0);
use Realfeel::Base::Units qw(NS_PER_S printable);
use Realfeel::Model::Cpus qw(cpu_list place pooled);
use Realfeel::Model::Likeness qw(PLURAL);
use Realfeel::Model::Slices qw(rows_of);
use Realfeel::Model::Sum qw(OF_2002 refuse_other);

use constant NOT_ALIKE => 'these runs are not alike; if that is intended, give --mixed';

# %option has period_ns for files from 2002, undef if unknown; mixed, to allow runs that are unlike (see
# Model::Likeness), which the verdict then states; and pool, to add all CPUs of a run together first
sub new ($class, %option) {
    return bless { %option, places => {} }, $class;
}

# Takes all reports of a run. Dies with one line if they must not be merged with those before: CPUs have to be the same.
# Each cell of a ring's table is a run, and later ones may bring new cells.
sub add ($self, @reports) {
    @reports = pooled({ reports => [@reports] }) if $self->{pool};
    my %report = map { _key($_) => $_ } @reports;
    my $kind = join ' ', defined $reports[0]{cell} ? 'ring' : 'run', sort map { place($_) } @reports;
    $self->{first} //= [$reports[0]{run_name}, _cpus(@reports), $kind];
    my ($name, $cpus) = @{ $self->{first} };
    my $refused = @reports > 1 ? $reports[0]{run_name} : $reports[0]{file};
    die printable("$refused: measured " . _cpus(@reports) . ", but $name $cpus; "
        . 'give runs on the same CPUs, or add those of each run together with --pool') . "\n"
        if $kind ne $self->{first}[2];
    my @keys = _in_order(keys %report);
    my @order = @reports > 1 ? _order(@report{@keys}) : ();
    for my $key (@keys) {
        my $place = $self->{places}{$key} //= {
            alike => Realfeel::Model::Likeness->new(qw(cpu frequency_hz)),
            sum   => Realfeel::Model::Sum->new('merge each kind by itself',
                Realfeel::Model::Slices->new(scalar @reports)),
        };
        my $report = $report{$key};
        my %header = $report->{format} eq '2002' ? $self->_old_header($report)
            : map { $_ => $report->header($_) } grep { $_ ne 'part' } $report->keys;
        $place->{sum}->check($report, \%header);
        my ($unlike) = $place->{alike}->add($report, $report->{file});
        refuse_other($report, @$unlike{qw(key value file first)}, NOT_ALIKE) if $unlike && !$self->{mixed};
        $place->{sum}->add($report, \%header, @order);
    }
}

# What identifies each run on all its CPUs, so that runs started within a second are in the same order everywhere
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
    my @cell = defined $report->{cell} ? map { $report->header($_) } qw(array_bytes processes) : ();
    return join(' ', @cell, place($report)) || 'all';
}

sub _in_order {
    my %key = map { $_ => join '', map { pack 'Q>', $_ } /(\d+)/g } @_;
    return sort { $key{$a} cmp $key{$b} } @_;
}

sub _cpus (@reports) {
    my $cell = defined $reports[0]{cell} ? "a cell of a ring's table on " : '';
    return $cell . 'one CPU alone' unless @{ $reports[0]{part} };
    return $cell . 'CPUs ' . cpu_list(@reports) unless grep { !defined $_->{cpu} } @reports;
    return $cell . @reports . ' CPUs that it does not name';
}

sub _old_header ($self, $report) {
    my $period_ns = $self->{period_ns}
        // die printable($report->{file}) . ": a file from 2002 states no period; give it as in --period=488281ns\n";
    return (
        period_ns    => $period_ns,
        frequency_hz => 0 + sprintf('%.0f', NS_PER_S / $period_ns),
        samples      => sum0(unpack 'q*', ${ $report->bins->packed('interval') }),
        bins         => OF_2002,
        map { $_ => 'unknown' } qw(periods missed early_wakeups),
    );
}

# The sums as Output::Writer takes them, one for each CPU; ends the merge. Dies with one line if reports of a CPU have
# no measure in common.
sub reports ($self) {
    my $places = $self->{places};
    return map {
        my ($alike, $sum) = @$_{qw(alike sum)};
        my @doubts = map { 'suspect: runs of several ' . PLURAL->{$_} } $alike->unlike;
        +{ $sum->contents(\@doubts, $alike->values) };
    } @$places{_in_order(keys %$places)};
}

1;
