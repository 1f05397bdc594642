# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Parts;
use strict;
use warnings;

use constant {
    OF_CPU  => qr/\A(.+), CPU (\d{1,6})\z/s,
    OF_RUN  => qr/\A(.+)#([1-9]\d{0,8})\z/s,
    SAME    => [qw(command period_ns)],
    DAMAGED => 'the report is damaged, take another copy',
};

=head1 NAME

Realfeel::Parts - which reports of a file are the parts of one run, and what runs and parts are called

=head1 DESCRIPTION

A run on several CPUs is one report a CPU, one after the other, each with the header line C<part: 2 of 4>. Where a file
holds several runs, these are called C<FILE#1>, C<FILE#2> and so on, else as the file is; a part is called C<FILE, CPU
3>, by what measured, or C<FILE, part 2> where that was bound to no CPU.

=head1 FUNCTIONS

=head2 chosen($name)

The file, and of what is chosen in it the number of the run and the CPU, as far as the name tells: a file of just that
name is meant in the first place.

=cut

sub chosen {
    my ($file) = @_;
    my ($run, $cpu);
    ($file, $cpu) = ($1, 0 + $2) if !-e $file && $file =~ OF_CPU;
    ($file, $run) = ($1, $2) if !-e $file && $file =~ OF_RUN;
    return ($file, $run, $cpu);
}

=head2 next_run($lines, $parse)

Reads the run that comes next in a L<Realfeel::Lines>: a list of its reports, which C<< $parse->() >> reads one by one.
Dies with one line when it is not whole.

=cut

sub next_run {
    my ($lines, $parse) = @_;
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

sub _of {
    my ($report) = @_;
    return ($report->{header}{part} // '1 of 1') =~ s/.* //r;
}

# What is wrong with a report where the next part is due.
sub _fault {
    my ($report, @before) = @_;
    my $part = $report->{header}{part};
    my ($number, $of) = ($part // '1 of 1') =~ /(\d+)/g;
    return "part is '$part', which is none; " . DAMAGED if $number > $of;
    return $number == 1 ? undef : "begins with part $part, which is not the first; take another copy" unless @before;
    my $last = $before[-1]{header};
    return "another run begins after part $last->{part}, so this one is cut off; take another copy" if $number == 1;
    return "part $part follows part $last->{part}; " . DAMAGED if $number != 1 + @before || $of != _of($before[-1]);
    my ($other) = grep { ($report->{header}{$_} // '') ne ($last->{$_} // '') } @{ SAME() };
    return "part $part has another $other than the part before it; " . DAMAGED if defined $other;
    my $cpu = $report->{header}{cpu} // 'none';
    return "part $part is of CPU $cpu again; " . DAMAGED
        if $cpu =~ /^\d+$/ && grep { ($_->{header}{cpu} // '') eq $cpu } @before;
    return undef;
}

=head2 named($name, @reports)

Gives the parts of a run their names.

=cut

sub named {
    my ($name, @reports) = @_;
    for my $report (@reports) {
        $report->{run_name} = $name;
        my ($part, $cpu) = map { $_ // '' } @{ $report->{header} }{qw(part cpu)};
        $report->{file} = $part eq '' ? $name
            : $cpu =~ /^\d+$/ ? "$name, CPU $cpu" : "$name, part " . $part =~ s/ .*//r;
    }
}

=head2 alone($lines, $cpu, @reports)

The part of a run that is of this CPU; it stands for itself then.

=cut

sub alone {
    my ($lines, $cpu, @reports) = @_;
    my ($chosen) = grep { ($_->{header}{cpu} // '') eq $cpu } @reports
        or $lines->fail(0, "holds no report of CPU $cpu; name one that it holds, as in '$reports[0]{file}'");
    delete $chosen->{header}{part};
    @{ $chosen->{keys} } = grep { $_ ne 'part' } @{ $chosen->{keys} };
    return $chosen;
}

1;
