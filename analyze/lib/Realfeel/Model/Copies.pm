# SPDX-License-Identifier: GPL-2.0-or-later
# Finds a run that is given twice, under whatever name, or hidden in a merged report. A run is identified by host, CPU,
# start, length in us and counts, which the list of runs in a merged report has, too, and by its figures if known for
# both. Runs without a start, such as those from 2002, are known by their figures alone and cannot be found in a merged
# report.
package Realfeel::Model::Copies;
use Realfeel::Base::Modern;

use List::Util qw(uniqstr);
use Realfeel::Base::Units qw(counted printable);

use constant FIGURES => qw(started duration_s samples periods missed);

sub new ($class) { return bless { holder => {} }, $class }

# Takes the reports of a run to be merged. Returns where all of it was seen before, else undef. Dies with one line if
# only a part of it was, or a checkpoint of it.
sub original ($self, @reports) {
    my ($holder, $name) = ($self->{holder}, $reports[0]{run_name});
    my @runs = _identities(@reports);
    # Boards without a battery-backed clock all boot with the same date, so equal starts prove nothing
    my @known = grep {
        my ($run, $held) = ($_, $holder->{ $_->{is} });
        $held && ($held->{figures} // $run->{figures} // '') eq ($run->{figures} // $held->{figures} // '');
    } @runs;
    my $original = @known ? $holder->{ $known[0]{is} }{name} : undef;
    return $original if @known && @known == @runs;
    _refuse("$name: holds " . counted(scalar @known, 'run') . " that $original holds, too; leave out one") if @known;
    $self->_refuse_state($name, $reports[0]);
    $holder->{ $_->{is} } //= { %$_, name => $name } for @runs;
    return undef;
}

# For runs that are not added up: where the same report with the same header was seen before, else undef
sub twin ($self, @reports) {
    my @headers = map { my $report = $_; map { "$_: " . $report->header($_) } $report->keys } @reports;
    my $content = join "\n", @headers, _figures(@reports);
    my $twin = $self->{twin}{$content};
    $self->{twin}{$content} //= $reports[0]{run_name};
    return $twin;
}

# For each run in these parts of one report: is, what identifies it, and figures, undef if only the sum is known
sub _identities (@reports) {
    my $figures = _figures(@reports);
    return $figures eq '' ? () : { is => join "\0", _place($reports[0]), $figures }
        if grep { !_is_dated($_) } @reports;
    return map {
        my ($place, $own) = (_place($_), $_->has('runs') ? undef : _figures($_));
        map { { is => "$place\0$_", figures => $own } } _runs_in($_);
    } @reports;
}

sub _figures {
    my @measured = grep { $_ && $_->n } map { $_->latency // $_->interval } @_;
    return join "\0", map { my $is = $_; map { $is->$_ // '' } qw(n min max mean sd) } @measured;
}

sub _refuse ($text) { die printable($text) . "\n" }

# A checkpoint's figures differ from those in the report of the whole run
sub _refuse_state ($self, $name, $report) {
    return if $report->has('runs') || !defined _known($report, 'hostname') || !defined _known($report, 'started');
    my $is_checkpoint = ($report->header('status') // '') eq 'checkpoint';
    my $of = join "\0", 'state', _place($report), $report->header('started'), $report->{cell} // '';
    my $other = $self->{state}{$of} //= { name => $name, is_checkpoint => $is_checkpoint };
    return if $other->{name} eq $name || !($is_checkpoint || $other->{is_checkpoint});
    _refuse("$name: is another state of the run in $other->{name}, of the same host and start; give the later one");
}

# The figures of each run, the start first
sub _runs_in ($report) {
    my $runs = $report->columns('runs') // { map { $_ => [$report->header($_) // 'unknown'] } FIGURES };
    return map { my $i = $_; join ' ', map { $runs->{$_}[$i] } FIGURES } 0 .. $#{ $runs->{started} };
}

sub _is_dated ($report) { return !grep { /^unknown\b/ } _runs_in($report) }

sub _place ($report) {
    return join "\0", map { $_ // '' } (map { _known($report, $_) } qw(hostname cpu)), $report->{cell};
}

sub _known ($report, $key) {
    my $value = $report->header($key);
    return defined $value && $value !~ /^(?:unknown|several)\b/ ? $value : undef;
}

# How many runs of a merged report are in it more than once
sub repeated ($report) {
    return 0 unless $report->has('runs') && _is_dated($report);
    my @runs = _runs_in($report);
    return @runs - uniqstr @runs;
}

# How many runs two reports have in common, at least one of them merged
sub shared (@reports) {
    return 0 if (grep { !_is_dated($_) } @reports) || !grep { $_->has('runs') } @reports;
    my ($one, $other) = map { [map { $_->{is} } _identities($_)] } @reports;
    my %is_in_one = map { $_ => 1 } @$one;
    return scalar grep { $is_in_one{$_} } uniqstr @$other;
}

1;
