# SPDX-License-Identifier: GPL-2.0-or-later
# Which reports of a file form a run, and what runs and parts are called. A run on several CPUs has a report for each,
# one after the other, with the header line "part: 2 of 4"; likewise the cells of a ring's table. If a file holds
# several runs, they are called FILE#1, FILE#2 and so on, else like the file. A part is called "FILE, CPU 3"; "FILE,
# part 2" if it was bound to no CPU; "FILE, thread 4711" if another program's thread was measured; or "FILE, 8x16k" by
# the processes and the array of a cell, which may have parts of its own: "FILE, 8x16k, CPU 3".
package Realfeel::Input::Parts;
use Realfeel::Base::Modern;

use constant {
    OF_PART => qr/\A(.+?), ((?:CPU|thread) \d{1,10}|\d{1,6}x\d{1,18}k?(?:, CPU \d{1,6})?)\z/s,
    OF_RUN  => qr/\A(.+)#([1-9]\d{0,8})\z/s,
    SAME    => { cpus => [qw(command period_ns)], cells => ['source'] },      # cells may be merged of other runs
    KB      => 1024,
    DAMAGED => 'the report is damaged, take another copy',
};

# Splits a name into the file, the number of the run and the part, as far as given. An existing file of that very name
# wins.
sub chosen ($file) {
    my ($run, $part);
    ($file, $part) = ($1, $2) if !-e $file && $file =~ OF_PART;
    ($file, $run) = ($1, $2) if !-e $file && $file =~ OF_RUN;
    return ($file, $run, $part && $part =~ s/\bCPU 0+(?=\d)/CPU /r);
}

# Reads the reports of the next run in $lines, each with $parse->(); dies with one line if the run is not whole
sub next_run ($lines, $parse) {
    my @parts;
    do {
        $lines->fail($lines->last_number, "ends after part $parts[-1]{header}{part}, so the run is cut off; "
            . 'take another copy') if !defined $lines->line;
        my $first = $lines->number;
        my $report = $parse->();
        my $fault = _fault($report, @parts);
        $lines->fail($first, $fault) if defined $fault;
        push @parts, $report;
    } while @parts < _of($parts[-1]);
    return @parts;
}

sub _of ($report) {
    return ($report->{header}{part} // '1 of 1') =~ s/.* //r;
}

# What is wrong with $report as the next part after @before
sub _fault ($report, @before) {
    my $part = $report->{header}{part};
    my ($number, $of) = ($part // '1 of 1') =~ /(\d+)/g;
    return "part is '$part', which is none; " . DAMAGED if $number > $of;
    return $number == 1 ? undef : "begins with part $part, which is not the first; take another copy" unless @before;
    my $last = $before[-1]{header};
    return "another run begins after part $last->{part}, so this one is cut off; take another copy" if $number == 1;
    return "part $part follows part $last->{part}; " . DAMAGED if $number != 1 + @before || $of != _of($before[-1]);
    return "of part $last->{part} and part $part only one is a cell of a ring's table; " . DAMAGED
        if defined cell($report) != defined cell($before[-1]);
    my ($other) = grep { ($report->{header}{$_} // '') ne ($last->{$_} // '') }
        @{ SAME->{ defined cell($before[-1]) ? 'cells' : 'cpus' } };
    return "part $part has another $other than the part before it; " . DAMAGED if defined $other;
    my $place = _place($report) // return undef;
    return "part $part is of $place again; " . DAMAGED if grep { (_place($_) // '') eq $place } @before;
    return undef;
}

# What tells a part from the others of its file
sub _place ($report) {
    return join(', ', grep { defined } cell($report), _cpu($report)) || undef;
}

sub _cpu ($report) {
    my $thread = $report->{header}{thread} // 'several';
    return "thread $thread" if $thread ne 'several';
    return ($report->{header}{cpu} // '') =~ /^(\d+)$/ ? "CPU $1" : undef;
}

# The name of a ring's cell, as realfeel calls it: "8x16k" for 8 processes with arrays of 16 kB; undef for other reports
sub cell ($report) {
    my ($processes, $bytes) = @{ $report->{header} }{qw(processes array_bytes)};
    return undef unless defined $processes && defined $bytes;
    return "${processes}x" . ($bytes && $bytes % KB == 0 ? $bytes / KB . 'k' : $bytes);
}

# The parts of a file by run: an array for each cell of a ring's table, else one for all
sub runs {
    my @runs;
    for my $report (@_) {
        my $goes_on = @runs && (cell($report) // '') eq (cell($runs[-1][0]) // '');
        $goes_on ? push @{ $runs[-1] }, $report : push @runs, [$report];
    }
    return @runs;
}

# Gives the parts their names, and their places within their run
sub named ($name, @reports) {
    for my $run (runs(@reports)) {
        my $cell = @reports > 1 ? cell($run->[0]) : undef;
        my $of_all = defined $cell ? "$name, $cell" : $name;
        my $is_split = @$run > 1 || !defined cell($run->[0]) && defined $run->[0]{header}{part};
        for my $i (0 .. $#$run) {
            my $report = $run->[$i];
            my $part = $is_split ? ', ' . (_cpu($report) // 'part ' . ($i + 1)) : '';
            @$report{qw(run_name file)} = ($of_all, $of_all . $part);
            $report->{part} = [$is_split ? ($i + 1, scalar @$run) : ()];
        }
    }
}

# The part that chosen() found, which then stands for itself, or the parts of that cell
sub alone ($lines, $place, @reports) {
    my @chosen = grep { (_place($_) // '') eq $place || (cell($_) // '') eq $place } @reports
        or $lines->fail(0, "holds no report of $place; name one that it holds, as in '$reports[0]{file}'");
    return @chosen if @chosen > 1;
    delete $chosen[0]{header}{part};
    @{ $chosen[0]{keys} } = grep { $_ ne 'part' } @{ $chosen[0]{keys} };
    $chosen[0]{part} = [];
    return @chosen;
}

1;
