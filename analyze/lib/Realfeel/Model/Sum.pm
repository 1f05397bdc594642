# SPDX-License-Identifier: GPL-2.0-or-later
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

use constant OF_2002 => 'of 2002, 0.1 ms wide';     # bins
use constant {
    MEASURES => { interval => ['interval', 'early'], map { $_ => [$_] } LATENCIES },

    # What must be the same in all.
    SAME => [[period_ns => 'another period'], [lateness_of => 'another way of counting latenesses']],
};

=head1 NAME

Realfeel::Model::Sum - what several reports come to: runs of a machine, or CPUs of a run

=head1 DESCRIPTION

Reports are added one after the other, and no more is kept than their sum. Their order is of no account. What all of
them know is added exactly; what one of them does not know is left out. This is of all that has no place in time; slices
and the worst wake-ups are added by those who know whether the reports were measured at once.

=head1 METHODS

=head2 new($remedy, %rules)

The sum of no report. C<$remedy> says what to do where reports have no sum, C<%rules> are those of
L<Realfeel::Model::Sum::Header>.

=cut

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

=head2 check($report, \%header)

Dies with one line when a L<Realfeel::Model::Report>, which has this header, has no common histogram with those before.

=cut

sub check ($self, $report, $header) {
    $self->_check_same($report, latency => $report->latency_words, 'another measure') if $report->latency;
    $self->_check_same($report, $_->[0], $header->{ $_->[0] } // 'none', $_->[1]) for @{ SAME() };
}

sub _check_same ($self, $report, $key, $value, $what) {
    my $first = $self->{first}{$key} //= { file => $report->file, value => $value };
    refuse_other($report, $key, $value, @$first{qw(file value)},
        "$what; these have no common histogram; $self->{remedy}") if $value ne $first->{value};
}

=head2 add($report, \%header)

Adds a report that was checked.

=head2 add_header(\%header)

Adds a report that counted nothing: what it does not know is known nevertheless.

=cut

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

sub add_header ($self, $header) { $self->{header}->add($header) }

# Files of 2002 have the same buckets, so that what these tell of the interval is found at the end, of all together.
sub _add_moments ($self, $report, $header, @measures) {
    my $sums = $self->{header};
    for my $measure (@measures) { $sums->add_moments($measure, $header, sub { $report->$measure }) }
    return unless $header->{parts_matched};
    for my $part (PARTS) { $sums->add_moments($part, $header, sub { distribution($report, $part) }) }
}

=head2 contents(%more)

The header, the histogram and the data sets of L<Realfeel::Model::Sum::Parts>, in the form that
L<Realfeel::Output::Writer> takes; nothing can be added then. C<%more> are further lines of the header. Dies with one
line when the reports have no measure, or not the same bins.

=cut

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

=head1 CONSTANTS

=head2 OF_2002

What a header says of the bins of 2002.

=head1 FUNCTIONS

=head2 refuse_other($report, $key, $value, $file, $first, $what)

Dies with one line on a report of which this value is not that of the first file.

=cut

sub refuse_other ($report, $key, $value, $file, $first, $what) {
    die printable($report->file . ": $key is '$value', but that of $file is '$first': $what") . "\n";
}

1;
