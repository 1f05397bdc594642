# SPDX-License-Identifier: GPL-2.0-or-later
# The sum of several reports: of successive runs on a machine, or of the CPUs of a run. Only the sum is kept and the
# order does not matter. Only what every report has is kept, and adds up exactly.
package Realfeel::Model::Sum;
use Realfeel::Base::Modern;

use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Keys qw(LATENCIES PARTS);
use Realfeel::Model::Bins;
use Realfeel::Model::Explain qw(distribution);
use Realfeel::Model::Header;
use Realfeel::Stat::Bins;

use constant OF_2002 => 'of 2002, 0.1 ms wide';     # what a header says of their bins
use constant {
    MEASURES => { interval => ['interval', 'early'], map { $_ => [$_] } LATENCIES },

    # What must be equal in all
    SAME => [[period_ns => 'another period'], [lateness_of => 'another way of counting latenesses']],
};

# Starts an empty sum. $remedy is what to do about reports that cannot be added; $slices, a Model::Slices, if given,
# takes what is ordered in time; %rules override those of Model::Header.
sub new ($class, $remedy, $slices, %rules) {
    return bless {
        remedy  => $remedy,
        slices  => $slices,
        reports => 0,
        knowing => {},      # a measure, or parts: how many of them
        first   => {},      # that told a key: its file, and the value
        header  => Realfeel::Model::Header->new(%rules),
        map { $_ => Realfeel::Model::Bins->new } qw(histogram parts parts_by_lateness),
    }, $class;
}

# Dies with one line if the report, with this header, has no histogram in common with those before
sub check ($self, $report, $header) {
    $self->_check_same($report, latency => $report->latency_words, 'another measure') if $report->latency;
    $self->_check_same($report, $_->[0], $header->{ $_->[0] } // 'none', $_->[1]) for @{ SAME() };
}

sub _check_same ($self, $report, $key, $value, $what) {
    my $first = $self->{first}{$key} //= { file => $report->{file}, value => $value };
    refuse_other($report, $key, $value, @$first{qw(file value)},
        "$what; these have no common histogram; $self->{remedy}") if $value ne $first->{value};
}

# Only after check; @order is passed on to Model::Slices
sub add ($self, $report, $header, @order) {
    $self->{slices}->add($report, $header, @order) if $self->{slices};
    my ($bins, $is_old) = ($report->bins, $report->{format} eq '2002');
    my @measures = grep { defined $bins->{$_} } 'interval', LATENCIES;
    my %column = map { $_ => $_ } grep { defined $bins->{$_} } map { @{ MEASURES->{$_} } } @measures;
    $self->{reports}++;
    $self->{knowing}{$_}++ for @measures, defined $report->header('parts_matched') ? 'parts' : ();
    $self->{is_coarse} ||= ($header->{bins} // '') eq OF_2002;
    $self->{histogram}->add($bins, %column, $is_old ? (old => 'interval') : ());
    $self->{header}->add($header);
    # Files from 2002 share their buckets, so the moments of their bins are found at the end, for all at once
    for my $measure ($is_old ? () : @measures) {
        $self->{header}->add_moments($measure, $header,
            sub { $measure eq 'interval' ? $report->interval : $report->latency($measure) });
    }
    $self->_add_parts($report, $header);
}

# Means are added as sums in ns
sub _add_parts ($self, $report, $header) {
    for my $part ($header->{parts_matched} ? PARTS : ()) {
        $self->{header}->add_moments($part, $header, sub { distribution($report, $part) });
    }
    $self->{parts}->add($report->bins('parts'), map { $_ => $_ } PARTS) if $report->has('parts');
    my %sums = %{ $report->columns('parts_by_lateness') // return };
    for my $part (PARTS) {
        my $means = $sums{$part};
        $sums{$part} = [map { sprintf '%.0f', 1000 * $means->[$_] * $sums{wakeups}[$_] } 0 .. $#$means];
    }
    my $bins = Realfeel::Stat::Bins->new(keys %sums);
    $bins->add(\%sums);
    $self->{parts_by_lateness}->add($bins, map { $_ => $_ } 'wakeups', PARTS);
}

# The header (with the further lines %more), the histogram and the other data sets, as Output::Writer takes them; ends
# the sum. @$doubts are verdicts to merge with those of the reports. Dies with one line if the reports share no measure,
# or differ in bins.
sub contents ($self, $doubts, %more) {
    my @known = grep { ($self->{knowing}{$_} // 0) == $self->{reports} } 'interval', LATENCIES, 'parts';
    my @measures = grep { $_ ne 'parts' && (!$self->{is_coarse} || $_ eq 'interval') } @known;
    my @parts = grep { ($known[-1] // '') eq 'parts' } PARTS;
    die "the files have no measure in common: some hold latencies only, others none; $self->{remedy}\n"
        unless @measures;
    my $old = $self->{histogram}->distribution('old');
    $self->{header}->add_moments('interval', { samples => $old->n }, sub { $old }) if $old;
    $self->{histogram}->make_coarse if $self->{is_coarse};
    my $joined = $self->{slices} ? $self->{slices}->joined : 1;
    return (
        $self->{header}->merged([@measures, @parts], $doubts, $joined > 1 ? (slices_joined => $joined) : (), %more),
        histogram => $self->{histogram}->columns($self->{remedy}, map { @{ MEASURES->{$_} } } @measures),
        @parts ? $self->_parts : (),
        $self->{slices} ? $self->{slices}->sets : (),
    );
}

# Means get as many decimals as it takes to restore their sum in ns
sub _parts ($self) {
    my $means = $self->{parts_by_lateness}->columns($self->{remedy}, 'wakeups', PARTS);
    for my $i (0 .. $#{ $means->{wakeups} }) {
        my $wakeups = $means->{wakeups}[$i];
        my $decimals = 3 + ($wakeups > 1 ? length $wakeups : 0);
        $means->{$_}[$i] = sprintf '%.*f', $decimals, $means->{$_}[$i] / $wakeups / 1000 for PARTS;
    }
    return (parts => $self->{parts}->columns($self->{remedy}, PARTS), parts_by_lateness => $means);
}

# Dies with one line because the report's $value differs from the first file's
sub refuse_other ($report, $key, $value, $file, $first, $what) {
    die printable($report->{file} . ": $key is '$value', but in $file it is '$first': $what") . "\n";
}

1;
