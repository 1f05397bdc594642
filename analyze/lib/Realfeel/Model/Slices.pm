# SPDX-License-Identifier: GPL-2.0-or-later
# Adds what is ordered in time: runs, their slices, and the worst wake-ups. Successive runs are listed one after the
# other. If there are too many slices, neighbours within a run are joined, in all runs alike: by twos, by fours, and so
# on, until there are few enough or every run has one. The merged report says how many became one, and a further merge
# joins the others at least as far, so merging remains commutative and associative.
#
# CPUs that were measured at once have their slices of the same time added. Slices line up across CPUs, but each has its
# own time stamps, and a CPU that ended early may have shorter ones. So all go onto the grid of the CPU with the longest
# slices, each into the slice that holds its middle; in merged reports, run by run.
#
# Slices are kept as text, to save memory.
package Realfeel::Model::Slices;
use Realfeel::Base::Modern;

use List::Util qw(first max min sum0 uniqstr);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Keys qw(OLD columns in_order);
use Realfeel::Model::Header qw(added greatest);

use constant {
    # As in the report of one run, see realfeel(5): the most for a CPU, for all CPUs, and the least for a CPU
    SLICES_MAX => 1024,
    SLICES_ALL => 4096,
    SLICES_MIN => 32,
    EVENTS_MAX => 32,
    OF_RUNS    => [qw(slices slice_bins)],
};

# $cpus is how many share the number of slices; undef for CPUs that were measured at once, each a report
sub new ($class, $cpus = undef) {
    my $share = SLICES_MAX;
    $share /= 2 while $share * ($cpus // 1) > SLICES_ALL && $share > SLICES_MIN;
    return bless {
        at_once => !defined $cpus, share => $share, runs => [], joined => 1, lacks => {}, columns => {}, events => [],
        reports => 0,
    }, $class;
}

# %$header is completed for files from 2002. @order has a text for each run, by which they are sorted before anything
# else. Dies with one line if a row belongs to no run.
sub add ($self, $report, $header, @order) {
    $self->{lacks}{runs} ||= !$report->has('runs');
    my @runs = map { { file => $report->{file}, row => $_, order => shift @order // '' } } rows_of($report, $header);
    for my $set (@{ OF_RUNS() }) {
        my @texts = _by_run($report, $set, scalar @runs) or $self->{lacks}{$set} = 1;
        my ($names) = $report->rows($set);
        $self->_take_columns($set, $names) if @texts;
        $_->{has_smis} ||= @texts && $names->[-1] eq 'smis' for @runs;
        $runs[$_]{$set} = $texts[$_] for 0 .. $#texts;
    }
    $self->_add_events($report, @runs);
    my $joined = $header->{slices_joined} // 1;
    _refuse($report->{file}, "slices_joined is '$joined', not a power of 2")
        unless $joined =~ /^[1-9]\d{0,8}$/ && !($joined & $joined - 1);
    return $self->_join_all($joined, @runs) unless $self->{at_once};
    $self->{joined} = max($joined, $self->{joined});
    $runs[$_]{number} = $_ + 1 for 0 .. $#runs;
    push @{ $self->{runs} }, @runs;
}

sub _refuse ($file, $what) {
    die printable("$file: $what; the report is damaged, take another copy") . "\n";
}

# The row of each run in the data set runs, without its number
sub rows_of ($report, $header) {
    my (undef, $rows) = $report->rows('runs');
    return _plain($rows) =~ /^\S+ (.*)/mg if defined $rows;
    my ($verdict) = ($header->{verdict} // '') =~ /^(\w+)/;
    return join ' ', (map { $header->{$_} // 'unknown' } qw(started duration_s)), @$header{qw(samples periods missed)},
        $verdict // 'none';
}

# With single blanks between fields
sub _plain ($rows) {
    my $is_plain = index($rows, "\t") < 0 && index($rows, '  ') < 0 && index($rows, " \n") < 0;
    return $is_plain ? $rows : $rows =~ s/[ \t]+(\n?)/$1 || ' '/ger;
}

# The rows of each run, without the column of its number; empty if there is no such data set
sub _by_run ($report, $set, $runs) {
    my ($names, $text) = $report->rows($set) or return;
    return _plain($text) if $names->[0] ne 'run';
    my @of = ('') x $runs;
    for my $rows ($report->groups($set, 'run')) {
        my ($run) = $rows =~ /^(\d+)/;
        _refuse($report->{file}, "$set has run $run of $runs") if $run > $runs;
        $of[$run - 1] .= _plain($rows) =~ s/^\d+ //mgr;
    }
    return @of;
}

# The columns that all reports have, without the run's number. Rows are truncated after a column, so SMIs go if a column
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
sub _join_all ($self, $joined, @new) {
    my $all = $self->{runs};
    my $most = max($joined, $self->{joined});
    _join_by($most / $self->{joined}, @$all);
    _join_by($most / $joined, @new);
    $_->{size} //= _spans($_) for @new;
    push @$all, @new;
    for (; sum0(map { $_->{size} } @$all) > max($self->{share}, scalar @$all); $most *= 2) {
        _join_by(2, @$all);
    }
    $self->{joined} = $most;
}

# The start and the length of each slice
sub _spans ($run) {
    return uniqstr(($run->{slices} // $run->{slice_bins} // '') =~ /^(\S+ \S+) /mg);
}

sub _join_by ($times, @runs) {
    return if $times == 1;
    for my $run (@runs) {
        my @spans = _spans($run);
        my (@joined, %place);
        while (my @group = splice @spans, 0, $times) {
            my ($first, $last) = map { [split / /] } @group[0, -1];
            push @joined, @group == 1 ? @group : sprintf '%s %.6f', $first->[0], $last->[0] + $last->[1] - $first->[0];
            $place{$_} = $#joined for @group;
        }
        $run->{size} = @joined;
        _join($run, \%place, @joined);
    }
}

# Adds the slices of a run that have the same place
sub _join ($run, $place, @joined) {
    $run->{slices}     = _joined_slices($run, $place, @joined) if defined $run->{slices};
    $run->{slice_bins} = _joined_bins($run, $place, @joined)   if defined $run->{slice_bins};
}

# Three columns and the last, SMIs, are added; for the others, the maximum counts
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
    return join '', map { join(' ', $joined[$_], @{ $sums[$_]{values} }, $sums[$_]{smis} // ()) . "\n" }
        grep { $sums[$_] } 0 .. $#joined;
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
    # Edges such as "1.20 1.30": with two decimals everywhere the shorter text is the lesser number
    return join '', map {
        my ($slice, $sum) = ($joined[$_], $sums[$_]);
        map { "$slice $_ $sum->{$_}\n" } map { substr $_, 1 } sort map { chr(index $_, ' ') . $_ } keys %$sum;
    } 0 .. $#joined;
}

# How many neighbouring slices became one; 1 if none did, or not all reports have slices
sub joined ($self) {
    return $self->{lacks}{slices} && $self->{lacks}{slice_bins} && !$self->{at_once} ? 1 : $self->{joined};
}

# The data sets runs, slices, slice_bins, events and records that all reports have, as Output::Writer takes them. Runs
# are sorted by start, then by @order if given, then by their data on this CPU. CPUs measured at once are one run.
sub sets ($self) {
    my @sets = grep { !$self->{lacks}{$_} } @{ OF_RUNS() };
    @sets = () if $self->{at_once} && $self->{lacks}{slices};
    my $is_one = $self->{at_once} && $self->{lacks}{runs};
    my @runs = $self->{at_once} ? $self->_overlaid(@sets) : $self->_sorted(@sets);
    return (
        $is_one ? ()
            : (runs => [[map { $_->[0] } in_order('runs', {})], _rows(sub { "$_[0]{number} $_[0]{row}\n" }, @runs)]),
        (map { $_ => $self->_set($_, $is_one, @runs) } @sets),
        $self->_events($is_one),
    );
}

sub _sorted ($self, @sets) {
    my $all = sub { join "\n", @{ $_[0] }{@sets} };
    my @runs = sort {
        $a->{order} cmp $b->{order} || $a->{row} cmp $b->{row} || $all->($a) cmp $all->($b)
    } @{ $self->{runs} };
    $runs[$_]{number} = $_ + 1 for 0 .. $#runs;
    return @runs;
}

# Columns that some reports lack come after those that all have
sub _set ($self, $set, $is_one, @runs) {
    my @names = map { $_->[0] } in_order($set, $self->{columns}{$set});
    my $differ = $self->{differ}{$set} && !$self->{at_once};
    return [[$is_one ? () : 'run', @names], _rows(sub ($run) {
        my $rows = $is_one ? $run->{$set} : $run->{$set} =~ s/^(?=.)/$run->{number} /mgr;
        return $differ ? _cut($rows, 1 + @names) : $rows;
    }, @runs)];
}

sub _cut ($rows, $columns) {
    my $known = '(?:\S+ ){' . ($columns - 1) . '}\S+';
    return $rows =~ s/^$known\K.*//mgr;
}

sub _rows ($rows, @pieces) {
    return sub { @pieces ? $rows->(shift @pieces) : undef };
}

# The runs of the same number, one for each CPU, as one
sub _overlaid ($self, @sets) {
    my %of;
    push @{ $of{ $_->{number} } }, $_ for @{ $self->{runs} };
    return map { $self->_overlay(\@sets, @{ $of{$_} }) } sort { $a <=> $b } keys %of;
}

sub _overlay ($self, $sets, @cpus) {
    my %run = (file => $cpus[0]{file}, number => $cpus[0]{number}, row => _run_of(map { $_->{row} } @cpus),
        has_smis => $self->{columns}{slices}{smis});
    for my $set (@$sets) {
        my $columns = $self->{differ}{$set} && keys %{ $self->{columns}{$set} };
        $_->{$set} = _cut($_->{$set}, $columns) for $columns ? @cpus : ();
        $run{$set} = join '', map { $_->{$set} } @cpus;
    }
    my $grid = _grid(@cpus);
    my (%span, %place);
    for my $span (map { _spans({ $_ => $run{$_} }) } @$sets) {
        my $number = $place{$span} = _place($grid, split / /, $span);
        $span{$number} //= $span;
    }
    _join(\%run, \%place, map { $span{$_} } 0 .. max(-1, values %place));
    return \%run;
}

# The row of one run in the data set runs, from its rows on all CPUs
sub _run_of (@rows) {
    my ($started, @columns) = map { my $i = $_; [map { (split / /)[$i] } @rows] } 0 .. 5;
    my ($seconds, $samples, $periods, $missed, $verdict) = map { [map { $_ // 'unknown' } @$_] } @columns;
    my $worst = first { my $word = $_; grep { $_ eq $word } @$verdict } qw(invalid suspect valid), $verdict->[0];
    return join ' ', $started->[0], greatest(@$seconds), (map { added(@$_) } $samples, $periods, $missed), $worst;
}

# Starts of one CPU's slices, the end of the last, and how long most of them are
sub _grid (@cpus) {
    my @grids;
    for (map { [map { [split / /] } _spans({ slices => $_->{slices} // '' })] } @cpus) {
        my @starts = map { $_->[0] } @$_;
        my @seconds = map { $_->[1] } @$_;
        my $width = (sort { $a <=> $b } @seconds)[@seconds / 2] // 0;
        my $end = @starts ? $starts[-1] + max($seconds[-1], $width) : 0;
        push @grids, { starts => \@starts, width => $width, end => $end };
    }
    return (sort { $b->{width} <=> $a->{width} || @{ $b->{starts} } <=> @{ $a->{starts} } } @grids)[0];
}

# The index of the grid's slice that holds the middle of this one; the grid continues beyond its end
sub _place ($grid, $start, $seconds) {
    my $middle = $start + $seconds / 2;
    my $starts = $grid->{starts};
    my $width = $grid->{width} || 1;        # of slices that the report does not list
    return @$starts + int(($middle - $grid->{end}) / $width) if $middle >= $grid->{end};
    my ($low, $high) = (0, $#$starts);
    while ($low < $high) {
        my $number = ($low + $high + 1) >> 1;
        $starts->[$number] > $middle ? $high = $number - 1 : ($low = $number);
    }
    return $low;
}

# The worst wake-ups, with their records. Times count from the first wake-up of each CPU.
sub _add_events ($self, $report, @runs) {
    my ($names, $rows) = $report->rows('events');
    $self->{lacks}{events} = 1 unless $names;
    $self->{has_records} = 1 if $report->has('records');
    $self->{columns}{events}{$_} = 1 for grep { !OLD->{$_} } @{ $names // [] };
    $names = $self->{names}{"@$names"} //= $names if $names;
    my (undef, $recorded) = $report->rows('records');
    my @records;        # the rows of each event without its number
    $records[$1 - 1] .= "$2\n" while ($recorded // '') =~ /^([1-9]\d*)[ \t]+(.*)$/mg;
    my @more = map { { names => $names, text => $_, records => shift @records } } split /\n/, $rows // '';
    $more[$_]{origin} = [$self->{reports}, $_ + 1] for 0 .. $#more;
    $self->{reports}++;
    for my $event (@more) {
        my $row = _row($event);
        my $run = $row->{run} // 1;
        _refuse($report->{file}, "events has run $run of " . @runs) if $run > @runs;
        @$event{qw(run late)} = ($runs[$run - 1], $row->{delay_us} // $row->{lateness_us} // $row->{wakeup_us});
    }
    my @worst = sort { $b->{late} <=> $a->{late} } @{ $self->{events} }, @more;
    my $least = $worst[ min(EVENTS_MAX - 1, $#worst) ];
    $self->{events} = [grep { $_->{late} >= $least->{late} } @worst];
}

# As text, to save memory: many may be equally late
sub _row ($event) {
    my %row;
    @row{ @{ $event->{names} } } = split ' ', $event->{text};
    return \%row;
}

# The data sets events, with the columns of all reports ("unknown" if one lacks it), and records of these events, if
# any: hashes from names to values. Empty if a report has no events. Among equally late events, earlier runs' are kept.
sub _events ($self, $is_one) {
    return if $self->{lacks}{events};
    my @worst = $self->_worst;
    my @rows = map { { %{ _row($_) }, run => $_->{run}{number} } } @worst;
    my @names = map { $_->[0] } in_order('events', { %{ $self->{columns}{events} }, run => !$is_one });
    my %events = map { my $name = $_; $name => [map { $_->{$name} // 'unknown' } @rows] } @names;
    return (events => \%events) unless $self->{has_records};
    my @records = map { $_->{records} // '' } @worst;
    my $records = join '', map { my $event = $_ + 1; $records[$_] =~ s/^(?=.)/$event /mgr } 0 .. $#records;
    return (events => \%events, records => columns([map { $_->[0] } in_order('records', {})], $records));
}

# For each of these events [number of the report as added, from 0; number of its event, from 1]
sub origins ($self) { return map { $_->{origin} } $self->_worst }

# The sort is stable
sub _worst ($self) {
    my @worst = sort { $b->{late} <=> $a->{late} || $a->{run}{number} <=> $b->{run}{number} } @{ $self->{events} };
    return @worst[0 .. min(EVENTS_MAX, scalar @worst) - 1];
}

1;
