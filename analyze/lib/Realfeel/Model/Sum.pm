# SPDX-License-Identifier: GPL-2.0-or-later
# The sum of several reports: of runs on a machine, or of the CPUs of a run. Only the sum is kept and the order does not
# matter. Only what every report has is kept, and adds up exactly. What has a place in time, slices and the worst
# wake-ups, is left to callers, who know whether the reports were simultaneous.
package Realfeel::Model::Sum;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(OF_2002 refuse_other);

use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(LATENCIES PARTS);
use Realfeel::Model::Explain qw(distribution);
use Realfeel::Model::Sum::Bins;
use Realfeel::Model::Sum::Header;
use Realfeel::Model::Sum::Parts;

# What a header says of bins from 2002
use constant OF_2002 => 'of 2002, 0.1 ms wide';     # bins
use constant {
    MEASURES => { interval => ['interval', 'early'], map { $_ => [$_] } LATENCIES },

    # What must be equal in all
    SAME => [[period_ns => 'another period'], [lateness_of => 'another way of counting latenesses']],
};

# Starts an empty sum. $remedy is what to do about reports that cannot be added; %rules override those of Sum::Header.
sub new ($class, $remedy, %rules) {
    return bless {
        remedy  => $remedy,
        reports => 0,
        knowing => {},      # a measure: how many of them
        first   => {},      # that told a key: its file, and the value
        header  => Realfeel::Model::Sum::Header->new(%rules),
        bins    => Realfeel::Model::Sum::Bins->new,
        parts   => Realfeel::Model::Sum::Parts->new,
    }, $class;
}

# Dies with one line if the report, with this header, has no histogram in common with those before
sub check ($self, $report, $header) {
    $self->_check_same($report, latency => $report->latency_words, 'another measure') if $report->latency;
    $self->_check_same($report, $_->[0], $header->{ $_->[0] } // 'none', $_->[1]) for @{ SAME() };
}

sub _check_same ($self, $report, $key, $value, $what) {
    my $first = $self->{first}{$key} //= { file => $report->file, value => $value };
    refuse_other($report, $key, $value, @$first{qw(file value)},
        "$what; these have no common histogram; $self->{remedy}") if $value ne $first->{value};
}

# Only after check
sub add ($self, $report, $header) {
    my ($bins, $is_old) = ($report->bins, $report->format eq '2002');
    my @measures = grep { $bins->has($_) } 'interval', LATENCIES;
    my %column = map { $_ => $_ } grep { $bins->has($_) } map { @{ MEASURES->{$_} } } @measures;
    $self->{reports}++;
    $self->{knowing}{$_}++ for @measures;
    $self->{is_coarse} ||= ($header->{bins} // '') eq OF_2002;
    $self->{bins}->add($bins, %column, $is_old ? (old => 'interval') : ());
    $self->add_header($header);
    $self->_add_moments($report, $header, $is_old ? () : @measures);
    $self->{parts}->add($report);
}

# For a report without samples: unknown values count nevertheless
sub add_header ($self, $header) { $self->{header}->add($header) }

# Files of 2002 share their buckets, so the moments of their bins are found at the end, for all at once
sub _add_moments ($self, $report, $header, @measures) {
    my $sums = $self->{header};
    for my $measure (@measures) { $sums->add_moments($measure, $header, sub { $report->$measure }) }
    return unless $header->{parts_matched};
    for my $part (PARTS) { $sums->add_moments($part, $header, sub { distribution($report, $part) }) }
}

# The header (with the further lines %more), the histogram and the data sets of Sum::Parts, as Output::Writer takes
# them; ends the sum. Dies with one line if the reports share no measure, or not the same bins.
sub contents ($self, %more) {
    my @measures = $self->_common_measures;
    $self->_tell_of_old;
    $self->{bins}->make_coarse if $self->{is_coarse};
    return (
        $self->{header}->merged([@measures, $self->{parts}->is_known ? PARTS : ()], %more),
        histogram => $self->{bins}->columns($self->{remedy}, map { @{ MEASURES->{$_} } } @measures),
        $self->{parts}->sets,
    );
}

sub _common_measures ($self) {
    my @measures = ('interval', $self->{is_coarse} ? () : LATENCIES);
    my @common = grep { ($self->{knowing}{$_} // 0) == $self->{reports} } @measures;
    die "the files have no measure in common: some hold latencies only, others none; $self->{remedy}\n" unless @common;
    return @common;
}

sub _tell_of_old ($self) {
    my $old = $self->{bins}->distribution('old') or return;
    $self->{header}->add_moments('interval', { samples => $old->n }, sub { $old });
}

# Dies with one line because the report's $value differs from the first file's
sub refuse_other ($report, $key, $value, $file, $first, $what) {
    die printable($report->file . ": $key is '$value', but that of $file is '$first': $what") . "\n";
}

1;
