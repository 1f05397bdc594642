# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Environment;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(environment repeat);

use List::Util qw(uniq);
use Realfeel::Answer::Compare::Environment qw(is_result);
use Realfeel::Answer::Stats qw(figured);
use Realfeel::Show::Circumstances qw(facts);
use Realfeel::Show::Page::Html qw(element micro paragraph section table text);

# Of the header's lines, those that other parts of the page tell; and those that the circumstances tell of a run that
# realfeel made.
use constant TOLD => qr/^(?:verdict|command|samples|latency_.*|\w+_(?:min|max|mean|sd|sum)_ns|\w+_sumsq_ns2)$/;
use constant CIRCUMSTANCES => qr/^(?:status|duration_s|max(?:_ns)?|break_ns|load|load_exit|load_ended_by|source
    |frequency_hz|clock|tsc_(?:hz|error_ppm|drift_ppm)|kernel_release|preemption|missed|periods|early_wakeups
    |anchor_uncertainty_ns|explain|waker(?:_cpu)?|processes|array_bytes|lmbench_.*|(?:un)?matched|unasked)$/x;

# What is shown as it stands in the header: a unit there is not ours.
use constant AS_IT_IS => qr/^(?:load|source|kernel)$/;

=head1 NAME

Realfeel::Show::Page::Environment - how the runs were made, with what differs marked, and how to make them again

=head1 FUNCTIONS

=head2 environment(@runs)

The sections: what the listing says of the circumstances, and all other lines of the headers. Where there are several
runs, the rows that differ come first and are marked, and so are the parts of a value that not all runs have.

=cut

sub environment {
    my @runs = @_;
    my @facts = map { [_facts($_)] } @runs;
    my @names = uniq map { map { $_->[0] } @$_ } @facts;
    my @headers = map { my $report = $_->{report}; +{ map { $_ => $report->header($_) } $report->keys } } @runs;
    my $told = grep({ $_->{report}->header('lateness_of') } @runs) ? TOLD : qr/${\TOLD}|${\CIRCUMSTANCES}/;
    my @keys = grep { $_ !~ $told } uniq map { $_->{report}->keys } @runs;
    return (
        section('Circumstances', _table('How the runs went', \@runs, [map { { map { @$_ } @$_ } } @facts], @names)),
        section('Environment',
            _table('Machine, rights and settings', \@runs, \@headers, grep { !is_result($_) } @keys),
            _table('What was found during the runs', \@runs, \@headers, grep { is_result($_) } @keys)),
    );
}

sub _facts {
    my ($run) = @_;
    my $report = $run->{report};
    my @facts = facts($report, figured($report, $run->{measures}));
    return ([file => $report->file], map { [$_->[0], $_->[0] =~ AS_IT_IS ? $_->[1] : micro($_->[1])] } @facts);
}

sub _table {
    my ($caption, $runs, $values, @keys) = @_;
    return unless @keys;
    my @rows = map { my $key = $_; [$key, map { $_->{$key} } @$values] } @keys;
    my @differ = grep { _differs(@$_[1 .. $#$_]) } @rows;
    my @same = grep { !_differs(@$_[1 .. $#$_]) } @rows;
    $caption .= '; what differs is marked' if @differ;
    my @names = @$runs > 1 ? map { $_->{name} } @$runs : 'value';
    return table(caption => $caption, columns => ['', map { { head => $_, align => 'left' } } @names],
        rows => [(map { _different(@$_) } @differ), (map { _same(scalar @$runs, @$_) } @same)]);
}

sub _differs { return uniq(map { $_ // '' } @_) > 1 }

sub _same {
    my ($runs, $key, $value) = @_;
    return [$key, { text => $value // '-', colspan => $runs > 1 ? $runs : undef }];
}

sub _different {
    my ($key, @values) = @_;
    my %runs_with;
    for my $value (@values) {
        $runs_with{$_}++ for uniq _parts($value // '');
    }
    my $everywhere = sub { $runs_with{ $_[0] } == @values };
    return [{ html => '<span class="differs">&ne;</span> ' . text($key) },
        map { { html => defined $_ ? _marked($_, $everywhere) : '-' } } @values];
}

sub _parts { return split /(?<=[,;|])\s+|\s+/, $_[0] }

sub _marked {
    my ($value, $everywhere) = @_;
    return join ' ', map { $everywhere->($_) ? text($_) : element('mark', {}, text($_)) } _parts($value);
}

=head2 repeat(\@options, @runs)

The section of the command lines that make all of this again. C<@options> are those that this page was made with.

=cut

sub repeat {
    my ($options, @runs) = @_;
    my @files = map { _quoted($_->{report}->file =~ s{\A(?=-)}{./}r) } @runs;   # a file like -x is no option
    my @analysis = grep { /^--/ } @$options;
    return section('To repeat it',
        _commands('The runs, each on the machine that is described above:',
            uniq grep { defined } map { $_->{report}->header('command') } @runs),
        _commands('The figures, and this page:', "realfeel-analyze stats @files",
            @runs > 1 ? join(' ', 'realfeel-analyze compare', (map { _quoted($_) } @analysis), @files) : (),
            join(' ', 'realfeel-analyze report', (map { _quoted($_) } @$options), @files)));
}

sub _commands {
    my ($lead, @lines) = @_;
    return unless @lines;
    return paragraph($lead) . element('pre', {}, join "\n", map { text($_) } @lines) . "\n";
}

# For a shell.
sub _quoted {
    my ($word) = @_;
    return $word if $word =~ m{\A[\w./:=,+\@%-]+\z};
    return q(') . $word =~ s/'/'\\''/gr . q(');
}

1;
