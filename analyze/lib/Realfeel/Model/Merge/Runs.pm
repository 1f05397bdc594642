# SPDX-License-Identifier: GPL-2.0-or-later
# The runs of a merged report, with slices and worst wake-ups. Slices are kept as text, to save memory. If there would
# be too many, neighbours within a run are joined, in all runs alike: by twos, by fours, and so on, until there are few
# enough or every run has one. The merged report says how many became one, and a further merge joins the others at least
# as far, so merging remains commutative and associative.
package Realfeel::Model::Merge::Runs;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(rows_of);

use List::Util qw(max sum0 uniqstr);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(in_order);
use Realfeel::Model::Merge::Events;
use Realfeel::Model::Sum::Header qw(added);

use constant {
    # As in the report of one run, see realfeel(5): of a CPU at most, of all CPUs, and of a CPU at least
    SLICES_MAX => 1024,
    SLICES_ALL => 4096,
    SLICES_MIN => 32,
    OF_RUNS    => [qw(slices slice_bins)],
};

# The CPUs of the runs share the number of slices
sub new ($class, $cpus) {
    my $share = SLICES_MAX;
    $share /= 2 while $share * $cpus > SLICES_ALL && $share > SLICES_MIN;
    my $events = Realfeel::Model::Merge::Events->new;
    return bless { share => $share, runs => [], events => $events, joined => 1, lacks => {}, columns => {} }, $class;
}

# %$header is completed for files of 2002. @order has a text for each run, by which they are sorted before anything
# else. Dies with one line if a row belongs to no run.
sub add ($self, $report, $header, @order) {
    my @runs = map { { file => $report->file, row => $_, order => shift @order // '' } } rows_of($report, $header);
    for my $set (@{ OF_RUNS() }) {
        my @texts = _by_run($report, $set, scalar @runs) or $self->{lacks}{$set} = 1;
        my ($names) = $report->rows($set);
        $self->_take_columns($set, $names) if @texts;
        $_->{has_smis} ||= @texts && $names->[-1] eq 'smis' for @runs;
        $runs[$_]{$set} = $texts[$_] for 0 .. $#texts;
    }
    $self->{events}->add($report, @runs);
    $self->_add_slices(_joined($report, $header->{slices_joined} // 1), @runs);
}

sub _refuse ($file, $what) {
    die printable("$file: $what; the report is damaged, take another copy") . "\n";
}

sub _joined ($report, $joined) {
    return $joined if $joined =~ /^[1-9]\d{0,8}$/ && !($joined & $joined - 1);
    _refuse($report->file, "slices_joined is '$joined', no power of 2");
}

# With single blanks between fields
sub _plain ($rows) {
    my $is_plain = index($rows, "\t") < 0 && index($rows, '  ') < 0 && index($rows, " \n") < 0;
    return $is_plain ? $rows : $rows =~ s/[ \t]+(\n?)/$1 || ' '/ger;
}

sub _row ($header) {
    my ($verdict) = ($header->{verdict} // '') =~ /^(\w+)/;
    return join ' ', (map { $header->{$_} // 'unknown' } qw(started duration_s)), @$header{qw(samples periods missed)},
        $verdict // 'none';
}

# The rows of each run, without the column of its number; empty if there is no such data set
sub _by_run ($report, $set, $runs) {
    my ($names, $text) = $report->rows($set) or return;
    return _plain($text) if $names->[0] ne 'run';
    my @of = ('') x $runs;
    for my $rows ($report->groups($set, 'run')) {
        my ($run) = $rows =~ /^(\d+)/;
        _refuse($report->file, "$set names run $run of $runs") if $run > $runs;
        $of[$run - 1] .= _plain($rows) =~ s/^\d+ //mgr;
    }
    return @of;
}

# The columns that all reports have, without that of the run's number. Rows are cut at a column, so SMIs go if a column
# before them does.
sub _take_columns ($self, $set, $names) {
    my %is_there = map { $_ => 1 } grep { $_ ne 'run' } @$names;
    my $columns = $self->{columns}{$set} //= {%is_there};
    my @unlike = grep { !$is_there{$_} || !$columns->{$_} } uniqstr(keys %is_there, keys %$columns);
    delete @$columns{@unlike};
    delete $columns->{smis} if grep { $_ ne 'smis' } @unlike;
    $self->{differ}{$set} ||= @unlike;
}

# All slices are joined as far as those of any report are already, and further while there are too many.
sub _add_slices ($self, $joined, @new) {
    my $all = $self->{runs};
    my $most = max($joined, $self->{joined});
    _join($most / $self->{joined}, @$all);
    _join($most / $joined, @new);
    $_->{size} //= _spans($_) for @new;
    push @$all, @new;
    for (; sum0(map { $_->{size} } @$all) > max($self->{share}, scalar @$all); $most *= 2) {
        _join(2, @$all);
    }
    $self->{joined} = $most;
}

# The start and the length of each slice
sub _spans ($run) {
    return uniqstr(($run->{slices} // $run->{slice_bins} // '') =~ /^(\S+ \S+) /mg);
}

sub _join ($times, @runs) {
    return if $times == 1;
    for my $run (@runs) {
        my @spans = _spans($run);
        my (@joined, %place);
        while (my @group = splice @spans, 0, $times) {
            push @joined, @group == 1 ? @group : _span(@group[0, -1]);
            $place{$_} = $#joined for @group;
        }
        $run->{size} = @joined;
        $run->{slices}     = _joined_slices($run, \%place, @joined) if defined $run->{slices};
        $run->{slice_bins} = _joined_bins($run, \%place, @joined)   if defined $run->{slice_bins};
    }
}

sub _span {
    my ($first, $last) = map { [split / /] } @_;
    return sprintf '%s %.6f', $first->[0], $last->[0] + $last->[1] - $first->[0];
}

# Three columns and the last, SMIs, are added; of the others the maximum counts
sub _joined_slices ($run, $place, @joined) {
    my @sums;
    for (split /\n/, $run->{slices}) {
        my ($start, $seconds, @values) = split / /;
        my $smis = $run->{has_smis} ? pop @values : undef;
        my $sum = $sums[ $place->{"$start $seconds"} ] //= { values => [0, 0, 0, @values[3 .. $#values]] };
        my $of = $sum->{values};
        $of->[$_] += $values[$_] for 0 .. 2;
        for (3 .. $#values) { $of->[$_] = $values[$_] if $values[$_] > $of->[$_] }
        $sum->{smis} = added($sum->{smis} // 0, $smis) if defined $smis;
    }
    return join '', map { join(' ', $joined[$_], @{ $sums[$_]{values} }, $sums[$_]{smis} // ()) . "\n" } 0 .. $#joined;
}

# Rows of one slice begin alike. Cut by hand, as a regular expression is too slow.
sub _joined_bins ($run, $place, @joined) {
    my @sums;
    while ($run->{slice_bins} =~ /\G((\S+ \S+) [^\n]*+\n(?:\2 [^\n]*+\n){0,5000}+)/g) {
        my ($slice, $begin) = ($2, 1 + length $2);
        my $sum = $sums[ $place->{$slice} // _refuse($run->{file}, "slices has no '$slice'") ] //= {};
        for my $row (split /\n/, $1) {
            my $end = rindex $row, ' ';
            $sum->{ substr $row, $begin, $end - $begin } += substr $row, $end + 1;
        }
    }
    return join '', map {
        my ($slice, $sum) = ($joined[$_], $sums[$_]);
        map { "$slice $_ $sum->{$_}\n" } _ascending(keys %$sum);
    } 0 .. $#joined;
}

# How many neighbouring slices became one; 1 if none did, or not all reports have slices
sub joined ($self) {
    return $self->{lacks}{slices} && $self->{lacks}{slice_bins} ? 1 : $self->{joined};
}

# The data sets runs, slices, slice_bins and those of Merge::Events that all reports have, as Output::Writer takes them.
# Runs are sorted by start, then by @order if given, then by what they are on this CPU.
sub sets ($self) {
    my @sets = grep { !$self->{lacks}{$_} } qw(slices slice_bins);
    my $all = sub { join "\n", @{ $_[0] }{@sets} };
    my @runs = sort {
        $a->{order} cmp $b->{order} || $a->{row} cmp $b->{row} || $all->($a) cmp $all->($b)
    } @{ $self->{runs} };
    $runs[$_]{number} = $_ + 1 for 0 .. $#runs;
    return (
        runs => [[map { $_->[0] } in_order('runs', {})], _rows(sub { "$_[0]{number} $_[0]{row}\n" }, @runs)],
        (map { $_ => $self->_set($_, @runs) } @sets),
        $self->{events}->sets,
    );
}

# Columns that some reports lack come after those that all have
sub _set ($self, $set, @runs) {
    my @names = map { $_->[0] } in_order($set, $self->{columns}{$set});
    my $known = '(?:\S+ ){' . @names . '}\S+';
    my $numbered = sub { $_[0]{$set} =~ s/^(?=.)/$_[0]{number} /mgr };
    my $rows = $self->{differ}{$set} ? sub { $numbered->(@_) =~ s/^$known\K.*//mgr } : $numbered;
    return [['run', @names], _rows($rows, @runs)];
}

sub _rows ($rows, @pieces) {
    return sub { @pieces ? $rows->(shift @pieces) : undef };
}

# The row of each run in the data set runs, without its number
sub rows_of ($report, $header) {
    my (undef, $rows) = $report->rows('runs');
    return defined $rows ? _plain($rows) =~ /^\S+ (.*)/mg : _row($header);
}

# Sorts edges such as "1.20 1.30": with two decimals everywhere the shorter text is the lesser number, so that texts can
# be sorted
sub _ascending {
    return map { substr $_, 1 } sort map { chr(index $_, ' ') . $_ } @_;
}

1;
